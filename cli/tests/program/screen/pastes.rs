//! What is pasted is text, whatever is in it.

use super::{leave, open};
use crate::support::{Place, key, load};
use serde_json::json;

#[test]
fn a_paste_with_line_ends_sends_nothing_until_enter() {
    let place = Place::new();
    let mut screen = open(&place, json!([{"text": "an answer"}]), &[]);
    screen.paste("one\ntwo\r\nthree\n");
    screen.wait_for("three");
    screen.pause_after_paste();
    assert!(screen.text().contains("Type a prompt."), "{}", screen.text());
    assert!(place.sessions().is_empty());
    screen.type_keys(key::ENTER);
    screen.wait_for("an answer");
    leave(screen);
    let sent = load(&place.session())[0]["content"].as_str().unwrap().to_owned();
    assert_eq!(sent.lines().collect::<Vec<_>>(), ["one", "two", "three"]);
}

#[test]
fn a_paste_that_ends_itself_runs_nothing() {
    let place = Place::new();
    for hostile in [
        "harmless\x1b[201~\r!!touch MARK\r",
        "harmless\x1b[201~\x03\x15!!touch MARK\r",
        "harmless\r\x1b[201~\r!!touch MARK\r/quit\r",
        "\x1b[201~\x1b[200~\x1b[201~!!touch MARK\r",
    ] {
        let mut screen = open(&place, json!([]), &[]);
        screen.paste(hostile);
        screen.wait_for("touch MARK");
        screen.pause_after_paste();
        // Had a line of it been sent, it would be there before what is typed now.
        screen.type_keys("the end");
        screen.wait_for("the end");
        let text = screen.text();
        assert!(text.contains("Type a prompt."), "{hostile:?} sent something\n{text}");
        assert!(!place.project("MARK").exists(), "{hostile:?} was run");
        screen.type_keys(key::CTRL_C);
        screen.wait_gone("touch MARK");
        leave(screen);
        assert!(place.sessions().is_empty());
    }
}

#[test]
fn control_characters_of_a_paste_do_not_reach_the_terminal() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    screen.paste("a\x1b]0;title\x07b\x1b[2Jc");
    screen.wait("the end of it", |screen| {
        screen.contents().lines().last().is_some_and(|row| row.trim_end().ends_with('c'))
    });
    assert!(!screen.written().contains("\x1b]0;"), "{}", screen.written());
    screen.pause_after_paste();
    screen.type_keys(key::CTRL_C);
    leave(screen);
}
