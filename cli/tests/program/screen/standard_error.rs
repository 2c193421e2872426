//! Nothing but fen writes on the screen.

use super::{bash, leave, open};
use crate::extensions::tool;
use crate::support::{Place, Screen, key};
use serde_json::json;
use std::io::Write as _;

/// The rows, without the blanks at their ends.
fn rows(screen: &vt100::Screen) -> Vec<String> {
    screen.contents().lines().map(|row| row.trim_end().to_owned()).collect()
}

/// Fails if anything is on the screen that fen did not draw: a fresh frame looks the same.
fn assert_intact(screen: &mut Screen) {
    const WHOLE: &str = "\x1b[2J";
    let drawn = screen.written().matches(WHOLE).count();
    let before = screen.look(rows);
    screen.type_keys("\x0c");
    screen.wait_written("a fresh frame", |written| {
        written.matches(WHOLE).count() > drawn && written.ends_with("\x1b[?2026l")
    });
    assert_eq!(before, screen.look(rows));
}

#[test]
fn what_commands_and_their_children_write_stays_off_the_screen() {
    let place = Place::new();
    let command = "echo loud >&2; (sleep 0.05; echo louder >&2; echo loudest >/dev/tty) & \
                   sleep 0.2; wait; echo quiet";
    let mut screen = open(&place, json!([bash(command), {"text": "all done"}]), &[]);
    screen.enter("begin");
    screen.wait_for("all done");
    screen.wait_idle();
    assert_intact(&mut screen);
    screen.type_keys(key::CTRL_O);
    for words in ["│ loud", "│ louder", "│ quiet"] {
        screen.wait_for(words);
    }
    let written = screen.written();
    let reached = ["loudest\n", "loudest\r\n"].iter().any(|line| written.contains(line));
    assert!(!reached, "a command reached the terminal itself");
    leave(screen);
}

#[test]
fn what_is_written_to_its_standard_error_is_a_line_of_the_transcript() {
    let place = Place::new();
    let mut screen = open(&place, json!([{"text": "an answer"}]), &[]);
    screen.enter("begin");
    screen.wait_for("an answer");
    screen.wait_idle();
    // As a library or a child that has inherited it would. The system lets only root reach it from
    // outside, since fen closes itself to other processes.
    let path = format!("/proc/{}/fd/2", screen.id().as_raw_nonzero());
    let Ok(mut inherited) = std::fs::OpenOptions::new().write(true).open(path) else { return };
    inherited.write_all(b"somebody \x1b[2J warns\n").unwrap();
    screen.wait("the line", |screen| {
        let row = |row: &String| row.starts_with("· somebody ") && row.ends_with(" warns");
        rows(screen).iter().any(row) && screen.contents().contains("› begin")
    });
    assert_intact(&mut screen);
    leave(screen);
}

#[test]
fn what_is_wrong_with_an_extension_is_told_in_the_transcript() {
    let place = Place::new();
    place.configure("extensions/words.lua", &tool("words", "x"));
    let mut screen = open(&place, json!([{"text": "an answer"}]), &["--watch"]);
    screen.enter("begin");
    screen.wait_for("an answer");
    screen.wait_idle();
    place.configure("extensions/words.lua", "return function(");
    screen.wait_for("· not loaded: words (its former self still runs): words.lua:1:");
    screen.wait_for("› begin");
    assert_intact(&mut screen);
    leave(screen);
}
