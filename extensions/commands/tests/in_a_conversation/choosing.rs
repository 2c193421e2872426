//! Models, thinking and themes: by name, from a list, from a picker.

use crate::support::{Answer, Stage};
use fen_contract::names::Count;
use fen_contract::provider::ModelInfo;
use serde_json::json;

#[test]
fn models_are_picked_on_a_screen_and_listed_elsewhere() {
    let mut stage = Stage::at_a_screen([Answer::Words("p/small")]);
    let window = Some(Count(200_000));
    stage.models[1] = ModelInfo { context_window: window, ..ModelInfo::named("small") };
    let told = stage.types(&["/model"]);
    assert_eq!(told.infos, ["model small of p, from the next call on"]);
    let choice = &stage.offered()[0];
    assert_eq!(choice.current, Some(json!(0)));
    assert_eq!(choice.choices[1].detail.as_deref(), Some("200k window"));
    let told = Stage::on_paper().types(&["/model", "/model small"]);
    assert_eq!(
        told.infos,
        ["now p/big\n  p/big\n  p/small", "model small of p, from the next call on"]
    );
}

#[test]
fn a_query_that_fits_several_models_opens_the_picker_with_it() {
    let three = || -> Vec<ModelInfo> { ["big", "small", "tall"].map(ModelInfo::named).into() };
    let stage = Stage { models: three(), ..Stage::at_a_screen([Answer::Words("p/tall")]) };
    let told = stage.types(&["/model al"]);
    assert_eq!(told.infos, ["model tall of p, from the next call on"]);
    assert_eq!(stage.offered()[0].initial_query.as_deref(), Some("al"));
    let declined = Stage { models: three(), ..Stage::at_a_screen([Answer::Nothing]) };
    let told = declined.types(&["/model al"]);
    assert!(told.outcomes[0].is_ok() && told.infos.is_empty());
    let paper = Stage { models: three(), ..Stage::on_paper() };
    let told = paper.types(&["/model al", "/model nothing"]);
    assert!(told.outcomes[0].as_ref().unwrap_err().contains("p/small, p/tall; say more"));
    assert!(told.outcomes[1].as_ref().unwrap_err().contains("no known model"));
}

#[test]
fn thinking_is_picked_named_or_said() {
    let stage = Stage::at_a_screen([Answer::Words("high"), Answer::Nothing]);
    let told = stage.types(&["/thinking", "/thinking"]);
    assert_eq!(told.infos, ["thinking high, from the next call on"]);
    assert_eq!(stage.offered()[1].current, Some(json!("high")));
    let told = Stage::on_paper().types(&["/thinking low", "/thinking", "/thinking much"]);
    assert_eq!(told.infos, ["thinking low, from the next call on", "thinking low"]);
    assert!(told.outcomes[2].as_ref().unwrap_err().contains("blocks on"));
    assert_eq!(told.errors.len(), 1, "a failure is reported once");
}

#[test]
fn thinking_blocks_are_shown_and_hidden_where_that_can_be() {
    let stage = Stage::at_a_screen([]);
    let told = stage.types(&["/thinking blocks off", "/thinking blocks on"]);
    assert_eq!(stage.seen(), ["thinking: Hidden", "thinking: Shown"]);
    assert!(told.infos.is_empty(), "the presenter tells: {:?}", told.infos);
    let told = Stage::on_paper().types(&["/thinking blocks on"]);
    assert!(told.outcomes[0].is_err() && told.infos.is_empty());
}

#[test]
fn themes_are_picked_or_named_and_are_a_matter_of_the_presenter() {
    let stage = Stage::at_a_screen([Answer::Words("light")]);
    let told = stage.types(&["/theme", "/theme dark", "/theme ligth"]);
    assert_eq!(stage.seen(), ["choice: Which theme?", "theme: light", "theme: dark"]);
    assert!(told.infos.is_empty(), "the presenter tells: {:?}", told.infos);
    assert!(told.outcomes[2].as_ref().unwrap_err().contains("did you mean `light`?"));
    let told = Stage::on_paper().types(&["/theme"]);
    assert!(told.outcomes[0].as_ref().unwrap_err().contains("no themes"));
}

#[test]
fn models_levels_and_themes_are_completed() {
    let stage = Stage::at_a_screen([]);
    let values = |line: &str| -> Vec<String> {
        stage.completes(line).into_iter().map(|(_, value)| value).collect()
    };
    assert_eq!(values("/model sm"), ["p/small"]);
    assert_eq!(values("/thinking b"), ["blocks on", "blocks off"]);
    assert_eq!(values("/thinking h"), ["high"]);
    assert_eq!(values("/theme l"), ["light"]);
    assert_eq!(values("/copy c"), ["code"]);
    assert_eq!(values("/help re"), ["resume", "redraw"]);
}
