//! `/resume`, `/sessions` and `/name`: the stored conversations.

use crate::session_picker::{self, Outcome};
use crate::session_row::{detail, label};
use crate::{Call, Complete, Definition};
use fen_contract::api::Api;
use fen_contract::command::Completion;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::{Millis, SessionId};
use fen_contract::session::{FindOptions, SessionInfo};
use fen_contract::ui::Question;

/// How many sessions are said in a list.
const LISTED: usize = 10;
/// How many are offered, and shown on a page.
const OFFERED: usize = 200;
/// How many completions are offered.
const COMPLETED: usize = 50;

pub(crate) fn commands() -> Vec<Definition> {
    vec![
        Definition {
            name: "resume",
            usage: "[id or words | all]",
            description: "Go on with a stored conversation, of this folder or of all",
            idle_only: true,
            run: |call| Box::pin(async move { resume(&call).await }),
            complete: Complete::Later(complete),
        },
        Definition {
            name: "sessions",
            usage: "[all]",
            description: "List the stored conversations of this folder or of all",
            idle_only: false,
            run: |call| Box::pin(async move { sessions(&call).await }),
            complete: Complete::AtOnce(|_api, prefix| crate::begun(["all"], prefix)),
        },
        Definition {
            name: "name",
            usage: "[title]",
            description: "Show or change the title of this conversation",
            idle_only: false,
            run: |call| Box::pin(async move { name(&call).await }),
            complete: Complete::Nothing,
        },
    ]
}

/// The sessions of the folder that the agent works in.
fn of_folder(call: &Call<'_>, limit: usize) -> FindOptions {
    let cwd = Some(call.context.agent.summary().cwd.into());
    FindOptions { cwd, limit: Some(limit), ..FindOptions::default() }
}

/// The sessions of all folders.
fn of_all(limit: usize) -> FindOptions {
    FindOptions { limit: Some(limit), ..FindOptions::default() }
}

async fn resume(call: &Call<'_>) -> Result<(), Failure> {
    let offered = match call.arguments {
        "" => Offered::Stored(of_folder(call, OFFERED)),
        "all" => Offered::Stored(of_all(OFFERED)),
        words => {
            let mut fitting = find(call, words).await?;
            if fitting.len() == 1 {
                return go_on(call, fitting.swap_remove(0)).await;
            }
            if fitting.is_empty() {
                return Err(Failure::caller(format!(
                    "no stored conversation has an id that begins with `{words}`, or these words \
                     in its title; /sessions all lists them"
                )));
            }
            if call.screen().is_none() {
                fitting.truncate(LISTED);
                let rows = rows(&fitting);
                return Err(Failure::caller(format!(
                    "`{words}` fits several; give more of the id:\n{rows}"
                )));
            }
            Offered::Fitting { words, ids: fitting.into_iter().map(|info| info.id).collect() }
        }
    };
    let mut found = offered.list(call).await?;
    let Some(ui) = call.screen() else {
        found.truncate(LISTED);
        return call.say(said(&found));
    };
    if found.is_empty() {
        return Err(Failure::caller("there is no stored session"));
    }
    let conversation = call.conversation()?;
    // Once the last one is deleted there is nothing left to choose, which is no failure.
    while !found.is_empty() {
        match session_picker::offer(&conversation, &*ui, found).await {
            Outcome::Chosen(chosen) => return go_on(call, *chosen).await,
            Outcome::Declined => return Ok(()),
            Outcome::Changed => found = offered.list(call).await?,
        }
    }
    Ok(())
}

/// What the picker offers, for listing it again after one was renamed or deleted.
enum Offered<'a> {
    /// What the store has.
    Stored(FindOptions),
    /// What these words fitted at first. Others that fit once these are gone were not asked for.
    Fitting { words: &'a str, ids: Vec<SessionId> },
}

impl Offered<'_> {
    async fn list(&self, call: &Call<'_>) -> Result<Vec<SessionInfo>, Failure> {
        match self {
            Offered::Stored(options) => call.conversation()?.sessions(options.clone()).await,
            Offered::Fitting { words, ids } => {
                let mut found = find(call, words).await?;
                found.retain(|info| ids.contains(&info.id));
                Ok(found)
            }
        }
    }
}

/// The one session with this id, those whose id begins so, or those with these words in the title:
/// first here, then anywhere.
async fn find(call: &Call<'_>, words: &str) -> Result<Vec<SessionInfo>, Failure> {
    let conversation = call.conversation()?;
    let id = Some(words.to_owned());
    let mut by_id = conversation.sessions(FindOptions { id, ..of_all(OFFERED) }).await?;
    // A backend need not heed the filters.
    by_id.retain(|info| info.id.as_str().starts_with(words));
    if let Some(exact) = by_id.iter().position(|info| info.id == *words) {
        return Ok(vec![by_id.swap_remove(exact)]);
    }
    if !by_id.is_empty() {
        return Ok(by_id);
    }
    for options in [of_folder(call, OFFERED), of_all(OFFERED)] {
        let text = Some(words.to_owned());
        let mut found = conversation.sessions(FindOptions { text, ..options }).await?;
        let lower = words.to_lowercase();
        found.retain(|info| {
            let title = label(info).to_lowercase();
            lower.split_whitespace().all(|word| title.contains(word))
        });
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

async fn go_on(call: &Call<'_>, chosen: SessionInfo) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let open = conversation.session().map(|info| info.path);
    let info = conversation.resume(chosen.path.clone()).await?;
    if open.as_ref() == Some(&info.path) {
        // The kernel has said that it is open already.
        return Ok(());
    }
    let copy = if info.id == chosen.id {
        String::new()
    } else {
        format!(" in a copy, the session {}", info.id)
    };
    call.say(format!("going on with “{}”{copy}, {} messages", label(&chosen), info.message_count))
}

/// One line for each session: the id, the rest, the title.
fn rows(found: &[SessionInfo]) -> String {
    let now = Millis::now();
    let row = |info: &SessionInfo| format!("{}  {}  {}", info.id, detail(info, now), label(info));
    found.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn said(found: &[SessionInfo]) -> String {
    if found.is_empty() {
        return "no conversation of this folder is stored; /sessions all lists those of others"
            .to_owned();
    }
    format!("{}\n/resume ID goes on with one; the beginning of the id is enough", rows(found))
}

async fn sessions(call: &Call<'_>) -> Result<(), Failure> {
    let limit = if call.screen().is_some() { OFFERED } else { LISTED };
    let options = match call.arguments {
        "" => of_folder(call, limit),
        "all" => of_all(limit),
        other => {
            return Err(Failure::caller(format!("`{other}` is unknown; there is only `all`")));
        }
    };
    let found = call.conversation()?.sessions(options).await?;
    call.page("Stored conversations", said(&found))
}

async fn name(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let present = conversation.session().and_then(|info| info.title);
    let title = if !call.arguments.is_empty() {
        call.arguments.to_owned()
    } else if let Some(ui) = call.screen() {
        let question =
            Question { text: "Title".to_owned(), initial: present, ..Question::default() };
        match ui.prompt(question).await.as_deref().map(str::trim) {
            None | Some("") => return Ok(()),
            Some(title) => title.to_owned(),
        }
    } else {
        return call.say(present.map_or_else(
            || "this conversation has no title; /name TITLE gives it one".to_owned(),
            |title| format!("title {title}"),
        ));
    };
    conversation.rename_session(title.clone()).await?;
    call.say(format!("title {title}"))
}

/// Ids whose beginning or title fits what was typed.
fn complete<'a>(api: &'a dyn Api, prefix: &'a str) -> BoxFuture<'a, Vec<Completion>> {
    Box::pin(async move {
        let Some(conversation) = api.conversation() else { return Vec::new() };
        // Where nothing can be listed there is nothing to offer.
        let all = conversation.sessions(of_all(OFFERED)).await.unwrap_or_default();
        let now = Millis::now();
        let lower = prefix.to_lowercase();
        all.into_iter()
            .filter(|info| {
                info.id.as_str().starts_with(prefix) || label(info).to_lowercase().contains(&lower)
            })
            .take(COMPLETED)
            .map(|info| Completion {
                label: label(&info),
                value: info.id.to_string(),
                description: Some(detail(&info, now)),
            })
            .collect()
    })
}
