//! Whichever way fen is left, the terminal is as it was.

use super::{bash, open};
use crate::support::{Place, appears, ends, key, load};
use rustix::process::Signal;
use serde_json::json;

#[test]
fn ctrl_d_on_an_empty_line_leaves_and_within_a_line_it_does_not() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    assert!(!screen.is_cooked());
    screen.type_keys("ab");
    screen.wait_for("› ab");
    screen.type_keys("\x1b[D\x1b[D");
    screen.type_keys(key::CTRL_D);
    screen.wait_gone("› ab");
    screen.wait_for("› b");
    screen.type_keys(key::CTRL_D);
    screen.wait_gone("› b");
    screen.type_keys(key::CTRL_D);
    screen.ends_with(0);
}

#[test]
fn ctrl_c_clears_the_line_and_twice_it_leaves() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    screen.type_keys("some words");
    screen.wait_for("› some words");
    screen.type_keys(key::CTRL_C);
    screen.wait_gone("some words");
    screen.wait_for("ctrl-c again leaves");
    screen.type_keys(key::CTRL_C);
    screen.ends_with(0);
    assert!(place.sessions().is_empty());
}

#[test]
fn ctrl_c_cancels_a_turn_first() {
    let place = Place::new();
    let turns = json!([bash("echo $$ > shell.pid; exec sleep 1000")]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("begin");
    let shell = appears(&place.project("shell.pid"));
    screen.wait_for("esc cancels");
    screen.type_keys(key::CTRL_C);
    ends(shell);
    screen.wait_for("cancelled");
    screen.type_keys(key::CTRL_C);
    screen.type_keys(key::CTRL_C);
    screen.ends_with(0);
}

#[test]
fn signals_end_it_with_their_code_and_a_restored_terminal() {
    for (signal, code) in
        [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)]
    {
        let place = Place::new();
        let mut screen = open(&place, json!([{"text": "an answer"}]), &[]);
        screen.enter("a prompt");
        screen.wait_for("an answer");
        screen.wait_idle();
        screen.signal(signal);
        screen.ends_with(code);
        assert!(screen.text().contains("fen --resume "), "{}", screen.text());
    }
}

#[test]
fn signals_end_it_within_a_turn_too_with_its_commands() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let place = Place::new();
        let turns = json!([bash("echo $$ > shell.pid; exec sleep 1000")]);
        let mut screen = open(&place, turns, &[]);
        screen.enter("begin");
        let shell = appears(&place.project("shell.pid"));
        screen.signal(signal);
        ends(shell);
        screen.ends_with(code);
        assert_eq!(load(&place.session())[0]["content"], "begin");
    }
}

#[test]
fn an_interrupt_from_outside_cancels_the_turn_and_the_conversation_goes_on() {
    let place = Place::new();
    let turns = json!([bash("echo $$ > shell.pid; exec sleep 1000"), {"text": "well again"}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("begin");
    let shell = appears(&place.project("shell.pid"));
    screen.signal(Signal::INT);
    ends(shell);
    screen.wait_for("cancelled");
    screen.wait_idle();
    screen.enter("again");
    screen.wait_for("well again");
    super::leave(screen);
}

#[test]
fn a_terminal_that_cannot_do_it_gets_plain_lines() {
    let place = Place::new();
    for term in ["dumb", ""] {
        let fen = place.mocked(json!([]), [""; 0]).env("TERM", term);
        let mut screen = crate::support::Screen::open(&fen, super::SIZE);
        screen.wait_for("/help");
        screen.wait("an invitation", |screen| screen.contents().ends_with("\n> "));
        screen.type_keys("/quit\r");
        assert_eq!(screen.code(), 0);
        assert!(!screen.written().contains('\x1b'));
    }
}
