//! `/redraw` and `/theme`: what the person sees.

use crate::{Call, Complete, Definition, begun};
use fen_contract::events::Redraw;
use fen_contract::failure::Failure;
use fen_contract::record::Extra;
use fen_contract::ui::{Choice, Offer, Themes};
use fen_contract::validate::did_you_mean;

pub(crate) fn commands() -> Vec<Definition> {
    vec![
        Definition {
            name: "redraw",
            usage: "",
            description: "Draw the screen anew",
            idle_only: false,
            run: |call| {
                Box::pin(async move {
                    if let Some(ui) = call.ui() {
                        ui.redraw();
                    }
                    call.api.emit(Redraw { extra: Extra::new() }.into())
                })
            },
            complete: Complete::Nothing,
        },
        Definition {
            name: "theme",
            usage: "[name]",
            description: "Show the themes, or change to one",
            idle_only: false,
            run: |call| Box::pin(async move { theme(&call).await }),
            complete: Complete::AtOnce(|api, prefix| {
                let ui = api.conversation().and_then(|conversation| conversation.ui());
                let names = ui.and_then(|ui| ui.themes()).map(|themes| themes.names);
                begun(names.unwrap_or_default().iter().map(String::as_str), prefix)
            }),
        },
    ]
}

async fn theme(call: &Call<'_>) -> Result<(), Failure> {
    let none = || Failure::caller("this presenter has no themes");
    let ui = call.ui().ok_or_else(none)?;
    let themes = ui.themes().ok_or_else(none)?;
    let name = if !call.arguments.is_empty() {
        call.arguments.to_owned()
    } else if ui.has_screen() {
        let picked = ui.pick(choice(&themes)).await;
        match picked.as_ref().and_then(|picked| picked.value.as_str()) {
            Some(name) => name.to_owned(),
            None => return Ok(()),
        }
    } else {
        return call.say(list(&themes));
    };
    if !themes.names.contains(&name) {
        let hint = did_you_mean(&name, themes.names.iter().map(String::as_str));
        return Err(Failure::caller(format!("there is no theme `{name}`{hint}")));
    }
    // The presenter tells.
    ui.set_theme(&name)
}

fn choice(themes: &Themes) -> Choice {
    let offer = |name: &String| Offer::from((name.clone(), name.as_str().into()));
    Choice {
        title: "Which theme?".to_owned(),
        choices: themes.names.iter().map(offer).collect(),
        current: Some(themes.current.as_str().into()),
        ..Choice::default()
    }
}

fn list(themes: &Themes) -> String {
    let mut lines = vec![format!("now {}", themes.current)];
    lines.extend(themes.names.iter().map(|name| format!("  {name}")));
    lines.join("\n")
}
