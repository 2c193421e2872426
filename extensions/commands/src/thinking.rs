//! `/thinking`: how much the model thinks, and whether that is shown.

use crate::{Call, Complete, Definition, begun};
use fen_contract::conversation::Conversation;
use fen_contract::failure::Failure;
use fen_contract::provider::ThinkingLevel;
use fen_contract::ui::{Choice, Offer, Visibility};

const BLOCKS: [&str; 2] = ["blocks on", "blocks off"];

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "thinking",
        usage: "[off|minimal|low|medium|high|xhigh | blocks on|off]",
        description: "Show or change how much the model thinks; show or hide what it thinks",
        idle_only: false,
        run: |call| Box::pin(async move { thinking(&call).await }),
        complete: Complete::AtOnce(|_api, prefix| {
            begun(ThinkingLevel::ALL.map(ThinkingLevel::as_str).into_iter().chain(BLOCKS), prefix)
        }),
    }]
}

async fn thinking(call: &Call<'_>) -> Result<(), Failure> {
    let conversation = call.conversation()?;
    let words: Vec<&str> = call.arguments.split_whitespace().collect();
    match words.as_slice() {
        [] => match picked(call, &*conversation).await {
            Picked::Level(level) => set(call, &*conversation, level),
            Picked::Nothing => Ok(()),
            Picked::NoScreen => call.say(format!("thinking {}", conversation.thinking().as_str())),
        },
        ["blocks", "on"] => blocks(call, Visibility::Shown),
        ["blocks", "off"] => blocks(call, Visibility::Hidden),
        [name] => match ThinkingLevel::from_name(name) {
            Some(level) => set(call, &*conversation, level),
            None => Err(expected()),
        },
        _ => Err(expected()),
    }
}

fn expected() -> Failure {
    let names = ThinkingLevel::ALL.map(ThinkingLevel::as_str).join(", ");
    Failure::caller(format!("expected one of {names}, or `blocks on` or `blocks off`"))
}

fn set(
    call: &Call<'_>,
    conversation: &dyn Conversation,
    level: ThinkingLevel,
) -> Result<(), Failure> {
    conversation.set_thinking(level);
    call.say(format!("thinking {}, from the next call on", level.as_str()))
}

enum Picked {
    Level(ThinkingLevel),
    Nothing,
    NoScreen,
}

async fn picked(call: &Call<'_>, conversation: &dyn Conversation) -> Picked {
    let Some(ui) = call.screen() else { return Picked::NoScreen };
    let offer =
        |level: ThinkingLevel| Offer::from((level.as_str().to_owned(), level.as_str().into()));
    let choice = Choice {
        title: "How much is the model to think?".to_owned(),
        choices: ThinkingLevel::ALL.map(offer).into(),
        current: Some(conversation.thinking().as_str().into()),
        ..Choice::default()
    };
    let chosen = ui.pick(choice).await.map(|picked| picked.value);
    match chosen.as_ref().and_then(|name| ThinkingLevel::from_name(name.as_str()?)) {
        Some(level) => Picked::Level(level),
        None => Picked::Nothing,
    }
}

fn blocks(call: &Call<'_>, visibility: Visibility) -> Result<(), Failure> {
    let ui = call.ui().ok_or_else(|| {
        Failure::caller("this presenter cannot show or hide what the model thinks")
    })?;
    // The presenter tells.
    ui.show_thinking(visibility)
}
