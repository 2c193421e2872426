//! The stored conversations: listing, going on with one, naming and deleting.

use crate::support::{Answer, Stage, stored};
use fen_contract::session::SessionInfo;
use serde_json::json;

fn shelved(stage: Stage) -> Stage {
    let away = SessionInfo { cwd: "/away".into(), ..stored("b7", "Far away") };
    let all = vec![stored("a1", "Fix the bug"), stored("a2", "Write the docs"), away];
    *stage.shelf.stored.lock().unwrap() = all;
    stage
}

fn titles(stage: &Stage) -> Vec<String> {
    stage.shelf.stored.lock().unwrap().iter().map(|info| info.title.clone().unwrap()).collect()
}

#[test]
fn without_a_screen_resume_lists_the_conversations_of_the_folder_and_how_to_choose() {
    let told = shelved(Stage::on_paper()).types(&["/resume", "/sessions", "/sessions all"]);
    assert_eq!(
        told.infos[0],
        "a1  just now · 3 messages · 12 kB  Fix the bug\na2  just now · 3 messages · 12 kB  Write \
         the docs\n/resume ID goes on with one; the beginning of the id is enough"
    );
    assert_eq!(told.infos[1], told.infos[0]);
    assert!(told.infos[2].contains("Far away"));
    assert_eq!(told.open.id, "new");
    let none = Stage::on_paper().types(&["/resume", "/sessions some"]);
    assert!(none.infos[0].contains("no conversation of this folder is stored"));
    assert!(none.outcomes[1].is_err());
}

#[test]
fn an_id_its_beginning_or_words_of_the_title_name_a_conversation() {
    for (words, id) in [("a1", "a1"), ("b", "b7"), ("DOCS write", "a2"), ("away", "b7")] {
        let told = shelved(Stage::on_paper()).types(&[&format!("/resume {words}")]);
        assert_eq!(told.open.id, id, "{words}: {:?}", told.outcomes);
        assert!(told.infos.last().unwrap().starts_with("going on with “"), "{:?}", told.infos);
    }
    let told = shelved(Stage::on_paper()).types(&["/resume a", "/resume nowhere"]);
    let several = told.outcomes[0].as_ref().unwrap_err();
    assert!(several.contains("fits several") && several.contains("\na2  "), "{several}");
    assert!(told.outcomes[1].as_ref().unwrap_err().contains("/sessions all"));
    assert_eq!(told.errors.len(), 2, "a failure is reported once");
    assert_eq!(told.open.id, "new");
}

#[test]
fn on_a_screen_a_conversation_is_picked_and_previewed() {
    let stage = shelved(Stage::at_a_screen([Answer::Words("Write the docs")]));
    let told = stage.types(&["/resume"]);
    assert_eq!(told.open.id, "a2");
    assert!(told.events.contains(&"fen/conversation-resumed".to_owned()));
    let choice = &stage.offered()[0];
    assert_eq!(choice.choices.len(), 2, "of this folder only");
    assert_eq!(choice.choices[0].detail.as_deref(), Some("just now · 3 messages · 12 kB"));
    let keys: Vec<&str> = choice.actions.iter().map(|action| action.key.as_str()).collect();
    assert_eq!(keys, ["ctrl-r", "ctrl-d"]);
    let declined = shelved(Stage::at_a_screen([Answer::Nothing]));
    let told = declined.types(&["/resume all"]);
    assert_eq!((told.open.id.as_str(), told.infos.len()), ("new", 0));
    assert_eq!(declined.offered()[0].choices.len(), 3);
}

#[test]
fn a_preview_is_asked_of_the_store() {
    let stage = shelved(Stage::at_a_screen([Answer::Nothing]));
    stage.types(&["/resume"]);
    let preview = stage.offered()[0].preview.clone().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let shown = |value| runtime.block_on(preview(&value));
    assert_eq!(shown(json!(1)).as_deref(), Some("about /sessions/a2"));
    assert_eq!(shown(json!(9)), None);
}

#[test]
fn in_the_picker_conversations_are_renamed_and_deleted_after_a_question() {
    let stage = shelved(Stage::at_a_screen([
        Answer::Action("Fix the bug", "rename"),
        Answer::Words(" Bug fixed "),
        Answer::Action("Write the docs", "delete"),
        Answer::Words("No"),
        Answer::Action("Write the docs", "delete"),
        Answer::Words("Yes"),
        Answer::Nothing,
    ]));
    let told = stage.types(&["/resume"]);
    assert!(told.outcomes[0].is_ok(), "{:?}", told.outcomes);
    assert_eq!(titles(&stage), ["Bug fixed", "Far away"]);
    let seen = stage.seen();
    assert!(seen.contains(&"prompt: Title [Fix the bug]".to_owned()), "{seen:?}");
    assert!(seen.contains(&"choice: Delete “Write the docs” for good?".to_owned()), "{seen:?}");
}

#[test]
fn the_beginning_of_several_ids_offers_those_on_a_screen() {
    let stage = shelved(Stage::at_a_screen([Answer::Words("Write the docs")]));
    let told = stage.types(&["/resume a"]);
    assert_eq!(told.open.id, "a2", "{:?}", told.outcomes);
    let choice = &stage.offered()[0];
    let labels: Vec<&str> = choice.choices.iter().map(|offer| offer.label.as_str()).collect();
    assert_eq!(labels, ["Fix the bug", "Write the docs"]);
    assert_eq!(choice.initial_query, None, "the picker would filter titles by an id");
}

#[test]
fn words_that_fit_several_titles_offer_those_until_they_are_gone() {
    let stage = shelved(Stage::at_a_screen([
        Answer::Action("Fix the bug", "delete"),
        Answer::Words("Yes"),
        Answer::Action("Write the docs", "delete"),
        Answer::Words("Yes"),
    ]));
    let told = stage.types(&["/resume the"]);
    assert!(told.outcomes[0].is_ok(), "{:?}", told.outcomes);
    assert_eq!(titles(&stage), ["Far away"]);
}

#[test]
fn deleting_the_last_conversation_ends_the_picker_quietly() {
    let stage = Stage::at_a_screen([Answer::Action("Fix the bug", "delete"), Answer::Words("Yes")]);
    stage.shelf.stored.lock().unwrap().push(stored("a1", "Fix the bug"));
    let told = stage.types(&["/resume", "/resume"]);
    assert!(told.outcomes[0].is_ok(), "{:?}", told.outcomes);
    assert!(told.outcomes[1].as_ref().unwrap_err().contains("no stored session"));
}

#[test]
fn what_cannot_be_deleted_is_said_and_the_picker_stays() {
    let stage = shelved(Stage::at_a_screen([
        Answer::Words("Fix the bug"),
        Answer::Action("Fix the bug", "delete"),
        Answer::Words("Yes"),
        Answer::Nothing,
    ]));
    let told = stage.types(&["/resume", "/resume"]);
    assert!(told.outcomes[1].is_ok());
    assert!(stage.seen().iter().any(|line| line.contains("is this conversation")));
    assert_eq!(stage.offered()[1].current, Some(json!(0)));
    assert_eq!(titles(&stage).len(), 3);
}

#[test]
fn going_on_with_the_open_conversation_says_so_only() {
    let told = shelved(Stage::on_paper()).types(&["/resume a1", "/resume a1"]);
    assert_eq!(told.infos.len(), 2, "{:?}", told.infos);
    assert_eq!(told.infos[1], "this session is open already");
}

#[test]
fn the_conversation_is_named() {
    let told = Stage::on_paper().types(&["/name", "/name My work", "/name"]);
    assert!(told.infos[0].contains("no title"));
    assert_eq!(told.infos[1..], ["title My work", "title My work"]);
    let stage = Stage::at_a_screen([Answer::Words("Asked for"), Answer::Nothing]);
    let told = stage.types(&["/name", "/name"]);
    assert_eq!(told.infos, ["title Asked for"]);
    assert_eq!(stage.seen()[1], "prompt: Title [Asked for]");
    assert_eq!(told.open.title.as_deref(), Some("Asked for"));
}

#[test]
fn ids_and_titles_are_completed() {
    let stage = shelved(Stage::on_paper());
    let pair = |label: &str, value: &str| (label.to_owned(), value.to_owned());
    assert_eq!(stage.completes("/resume DOCS"), [pair("Write the docs", "a2")]);
    assert_eq!(stage.completes("/resume b"), [pair("Fix the bug", "a1"), pair("Far away", "b7")]);
    assert_eq!(stage.completes("/sessions "), [pair("all", "all")]);
}
