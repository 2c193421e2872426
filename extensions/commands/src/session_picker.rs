//! Choosing a stored session on the screen, where it can be renamed and deleted too.
//!
//! It resumes nothing itself; `/resume` calls it.

use crate::session_row::{detail, label};
use fen_contract::conversation::Conversation;
use fen_contract::failure::Failure;
use fen_contract::names::Millis;
use fen_contract::session::SessionInfo;
use fen_contract::ui::{Choice, Offer, OfferAction, Picked, Preview, Question, Ui};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

const RENAME: &str = "rename";
const DELETE: &str = "delete";

/// What became of an offer.
pub(crate) enum Outcome {
    /// The person has chosen one.
    Chosen(Box<SessionInfo>),
    /// The person wants none.
    Declined,
    /// One was renamed or deleted, or was meant to be: they are to be listed and offered again.
    Changed,
}

/// Offers the sessions once.
pub(crate) async fn offer(
    conversation: &Arc<dyn Conversation>,
    ui: &dyn Ui,
    mut sessions: Vec<SessionInfo>,
) -> Outcome {
    let choice = choice(conversation, &sessions);
    let Some(Picked { value, action }) = ui.pick(choice).await else { return Outcome::Declined };
    let position = value.as_u64().and_then(|position| usize::try_from(position).ok());
    let Some(position) = position.filter(|position| *position < sessions.len()) else {
        return Outcome::Declined;
    };
    let chosen = sessions.swap_remove(position);
    let done = match action.as_deref() {
        Some(RENAME) => rename(&**conversation, ui, &chosen).await,
        Some(DELETE) => delete(&**conversation, ui, &chosen).await,
        _ => return Outcome::Chosen(Box::new(chosen)),
    };
    // What went wrong with one session is no reason to put the others away.
    if let Err(failure) = done {
        ui.notify(&failure.message);
    }
    Outcome::Changed
}

fn choice(conversation: &Arc<dyn Conversation>, sessions: &[SessionInfo]) -> Choice {
    let now = Millis::now();
    let offers = sessions.iter().enumerate().map(|(position, info)| {
        Offer::from((label(info), position.into())).with_detail(detail(info, now))
    });
    let open = conversation.session().map(|info| info.id);
    let action = |key: &str, name: &str, label: &str| OfferAction {
        key: key.to_owned(),
        name: name.to_owned(),
        label: label.to_owned(),
    };
    Choice {
        title: "Which conversation is to go on?".to_owned(),
        choices: offers.collect(),
        // What was listed fits already, perhaps by its id, which the picker does not show.
        initial_query: None,
        current: sessions.iter().position(|info| Some(&info.id) == open.as_ref()).map(Value::from),
        actions: vec![action("ctrl-r", RENAME, "rename"), action("ctrl-d", DELETE, "delete")],
        preview: Some(preview(conversation, sessions)),
    }
}

fn preview(conversation: &Arc<dyn Conversation>, sessions: &[SessionInfo]) -> Preview {
    let conversation = conversation.clone();
    let paths: Vec<PathBuf> = sessions.iter().map(|info| info.path.clone()).collect();
    Arc::new(move |value| {
        let position = value.as_u64().and_then(|position| usize::try_from(position).ok());
        let path = position.and_then(|position| paths.get(position)).cloned();
        let conversation = conversation.clone();
        Box::pin(async move {
            // The preview is an extra; a session without one can be chosen all the same.
            conversation.preview_session(path?).await.ok()
        })
    })
}

async fn rename(
    conversation: &dyn Conversation,
    ui: &dyn Ui,
    info: &SessionInfo,
) -> Result<(), Failure> {
    let question =
        Question { text: "Title".to_owned(), initial: info.title.clone(), ..Question::default() };
    match ui.prompt(question).await.as_deref().map(str::trim) {
        None | Some("") => Ok(()),
        Some(title) => conversation.rename_stored(info.path.clone(), title.to_owned()).await,
    }
}

async fn delete(
    conversation: &dyn Conversation,
    ui: &dyn Ui,
    info: &SessionInfo,
) -> Result<(), Failure> {
    let text = format!("Delete “{}” for good?", label(info));
    match ui.confirm(Question { text, ..Question::default() }).await {
        Some(true) => conversation.delete_stored(info.path.clone()).await,
        Some(false) | None => Ok(()),
    }
}
