//! Slash commands where there is a screen: pages, pickers, the row of status.

use super::{leave, open};
use crate::support::{Place, Screen, key};
use serde_json::json;

fn status_row(screen: &vt100::Screen) -> String {
    screen.contents().lines().next().unwrap_or_default().to_owned()
}

/// Waits until the row on top has these words.
fn wait_status(screen: &Screen, words: &str) {
    screen.wait(words, |screen| status_row(screen).contains(words));
}

#[test]
fn help_is_a_page_that_is_read_and_closed() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    screen.enter("/help");
    screen.wait_for("╭─ Help ");
    screen.wait_for("/model [provider/model]");
    screen.type_keys(key::PAGE_DOWN);
    screen.wait_gone("/model [provider/model]");
    screen.type_keys(key::ESC);
    screen.wait_gone("╭─ Help ");
    screen.wait_for("Type a prompt.");
    leave(screen);
}

#[test]
fn a_command_that_does_not_exist_is_told_and_is_no_prompt() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    screen.enter("/hlep");
    screen.wait_for("there is no command /hlep; did you mean /help?");
    leave(screen);
    assert!(place.sessions().is_empty());
}

#[test]
fn model_thinking_and_title_show_in_the_row_of_status() {
    let place = Place::new();
    let mut screen = open(&place, json!([{"text": "an answer"}]), &[]);
    wait_status(&screen, " fen script");
    screen.enter("/model");
    screen.wait_for("Which model is to answer?");
    screen.type_keys("echo");
    screen.wait_for("› echo  1 of ");
    screen.type_keys(key::ENTER);
    wait_status(&screen, " fen echo");
    screen.wait_gone("Which model is to answer?");
    screen.enter("/thinking high");
    wait_status(&screen, " fen echo of mock · high");
    screen.enter("a prompt");
    screen.wait_idle();
    screen.enter("/name Taken up");
    wait_status(&screen, " fen echo of mock · high · Taken up");
    leave(screen);
    let listed = place.fen(["list", "sessions"]).run().expect(0).stdout;
    assert!(listed.contains("Taken up"), "{listed}");
}

#[test]
fn a_former_conversation_is_picked_and_its_text_is_there_again() {
    let place = Place::new();
    let turns =
        json!([{"text": "first answer"}, {"text": "second answer"}, {"text": "third answer"}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("first prompt");
    screen.wait_for("first answer");
    screen.wait_idle();
    screen.enter("/new");
    screen.wait_gone("first answer");
    screen.wait_for("a new conversation");
    screen.enter("second prompt");
    screen.wait_for("second answer");
    screen.wait_idle();
    assert!(!screen.text().contains("first prompt"), "{}", screen.text());
    screen.enter("/resume");
    screen.wait_for("enter");
    screen.wait_for("first prompt");
    screen.type_keys("first");
    screen.wait("the other to go", |screen| {
        let text = screen.contents();
        text.contains("first prompt") && !text.contains("  second prompt")
    });
    screen.type_keys(key::ENTER);
    screen.wait("the former text", |screen| {
        let text = screen.contents();
        text.contains("› first prompt")
            && text.contains("first answer")
            && !text.contains("second answer")
    });
    screen.enter("third prompt");
    screen.wait_for("third answer");
    leave(screen);
    assert_eq!(place.sessions().len(), 2);
}

#[test]
fn a_resumed_conversation_is_shown_from_the_start() {
    let place = Place::new();
    let user = json!({"role": "user", "content": "what was asked", "timestamp": 1});
    let session = place.store_session("abcd-1", "mock", &[user]);
    assert!(session.exists());
    let fen = place.mocked(json!([{"text": "what is answered"}]), ["--resume", "abcd"]);
    let mut screen = Screen::open(&fen, super::SIZE);
    screen.wait_for("› what was asked");
    screen.enter("go on");
    screen.wait_for("what is answered");
    leave(screen);
}

#[test]
fn another_theme_is_drawn_at_once() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    let colour = |screen: &vt100::Screen| screen.cell(0, 1).unwrap().fgcolor();
    let before = screen.look(colour);
    screen.enter("/theme light");
    screen.wait("another colour", |screen| colour(screen) != before);
    screen.enter("/theme lihgt");
    screen.wait_for("there is no theme `lihgt`; did you mean");
    leave(screen);
}
