//! `/help` and `/status`.

use crate::{Call, Definition, no_completion};
use fen_contract::failure::Failure;
use serde_json::Value;
use std::fmt::Write as _;

pub(crate) fn commands() -> Vec<Definition> {
    vec![
        Definition {
            name: "help",
            usage: "",
            description: "List the commands",
            idle_only: false,
            run: |call| Box::pin(async move { help(&call) }),
            complete: no_completion,
        },
        Definition {
            name: "status",
            usage: "",
            description: "Show model, session and what is going on",
            idle_only: false,
            run: |call| Box::pin(async move { status(&call) }),
            complete: no_completion,
        },
    ]
}

fn help(call: &Call<'_>) -> Result<(), Failure> {
    let mut rows = call.api.list("commands")?;
    let order = |row: &Value| row["order"].as_f64().unwrap_or(f64::MAX);
    rows.sort_by(|a, b| {
        order(a).total_cmp(&order(b)).then_with(|| a["name"].as_str().cmp(&b["name"].as_str()))
    });
    let mut text = String::from("Commands (a line that begins with // is a prompt):");
    for row in &rows {
        let word = |field: &str| row[field].as_str().unwrap_or_default();
        let head = format!("/{} {}", word("name"), word("usage"));
        let _ = write!(text, "\n  {:<24} {}", head.trim_end(), word("description"));
    }
    call.say(text)
}

fn status(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let agent = call.context.agent.summary();
    let session = match &call.context.session {
        Some(session) => format!("{} ({})", session.id, session.path.display()),
        None => "not stored".to_owned(),
    };
    call.say(format!(
        "model     {} of {}\nthinking  {}\nsession   {session}\nfolder    {}\nmessages  {}\nstate     {}, {} queued",
        agent.model,
        agent.provider,
        conversation.thinking().as_str(),
        agent.cwd,
        agent.message_count,
        if call.context.busy { "busy" } else { "idle" },
        conversation.queue().len(),
    ))
}
