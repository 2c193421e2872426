//! `/new`, `/queue`, `/cancel-all` and `/quit`.

use crate::{Call, Complete, Definition, begun};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::Failure;

pub(crate) fn commands() -> Vec<Definition> {
    vec![
        Definition {
            name: "new",
            usage: "",
            description: "Begin an empty conversation in a new session",
            idle_only: true,
            run: |call| {
                Box::pin(async move {
                    call.conversation()?.reset().await?;
                    call.say("a new conversation")
                })
            },
            complete: Complete::Nothing,
        },
        Definition {
            name: "queue",
            usage: "[clear]",
            description: "Show or clear the lines that wait",
            idle_only: false,
            run: |call| Box::pin(async move { queue(&call) }),
            complete: Complete::AtOnce(|_api, prefix| begun(["clear"], prefix)),
        },
        Definition {
            name: "cancel-all",
            usage: "",
            description: "Cancel the running turn and clear the queue",
            idle_only: false,
            run: |call| Box::pin(async move { cancel_all(&call) }),
            complete: Complete::Nothing,
        },
    ]
}

/// The command that stands last in the list.
pub(crate) fn leaving() -> Vec<Definition> {
    vec![Definition {
        name: "quit",
        usage: "",
        description: "Leave",
        idle_only: false,
        run: |call| {
            Box::pin(async move {
                call.conversation()?.quit();
                Ok(())
            })
        },
        complete: Complete::Nothing,
    }]
}

fn queue(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    match call.arguments {
        "" => {
            let contents = conversation.queue();
            let steering = contents.steering.iter().map(|line| format!("steering   {line}"));
            let follow_up = contents.follow_up.iter().map(|line| format!("follow-up  {line}"));
            let lines: Vec<String> = steering.chain(follow_up).collect();
            call.say(if lines.is_empty() { "nothing waits".to_owned() } else { lines.join("\n") })
        }
        "clear" => call.say(taken_back(&conversation.clear_queue())),
        other => Err(Failure::caller(format!("`{other}` is unknown; there is only `clear`"))),
    }
}

fn cancel_all(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let contents = conversation.clear_queue();
    let turn = if conversation.cancel() { "the turn is being cancelled" } else { "no turn runs" };
    call.say(format!("{turn}; {}", taken_back(&contents)))
}

fn taken_back(contents: &QueueContents) -> String {
    match contents.len() {
        1 => "1 line taken back".to_owned(),
        count => format!("{count} lines taken back"),
    }
}
