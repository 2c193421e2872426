//! Whichever way the program ends, the terminal is as it was, and then the message is shown.

use crate::terminal::{ENTER, LEAVE, Terminal};

/// The terminal was left once, and the message, if there is one, came after that.
fn assert_left(terminal: &Terminal, message: &str) {
    terminal.wait_for(LEAVE);
    terminal.wait_for(message);
    assert!(terminal.is_cooked());
    let written = terminal.written();
    assert_eq!(written.matches(LEAVE).count(), 1, "{written:?}");
    let (left, shown) = (written.find(LEAVE).unwrap(), written.rfind(message).unwrap());
    assert!(message.is_empty() || left < shown, "{written:?}");
    assert!(!written.contains("\x1b[3J"), "what scrolled away stays");
}

#[test]
fn entering_turns_the_modes_on_and_leaving_off() {
    let mut terminal = Terminal::open();
    assert!(!terminal.is_cooked());
    assert!(terminal.written().starts_with(ENTER));
    assert!(terminal.written().contains("100 by 30"));
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
    assert_left(&terminal, "");
}

#[test]
fn an_error_is_shown_on_a_restored_terminal() {
    let mut terminal = Terminal::open();
    terminal.type_keys("e");
    assert_eq!(terminal.code(), 1);
    assert_left(&terminal, "error: showing: what an error does");
}

#[test]
fn a_panic_is_shown_on_a_restored_terminal() {
    let mut terminal = Terminal::open();
    terminal.type_keys("p");
    assert_eq!(terminal.code(), 101);
    assert_left(&terminal, "panic of the loop");
}

#[test]
fn a_panic_of_another_thread_is_shown_and_the_program_can_go_on() {
    let mut terminal = Terminal::open();
    terminal.type_keys("t");
    let after = terminal.wait_for(LEAVE);
    terminal.wait_for("active was false");
    let (message, back) = (terminal.written(), terminal.count(ENTER));
    assert!(message.contains("panic of a thread"), "{after:?}");
    assert!(message.find(LEAVE) < message.find("panic of a thread"));
    assert_eq!(back, 2);
    assert!(!terminal.is_cooked());
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
    assert!(terminal.is_cooked());
    assert_eq!(terminal.count(LEAVE), 2);
}

#[test]
fn restoring_is_done_once_and_nothing_is_drawn_after_it() {
    let mut terminal = Terminal::open();
    terminal.type_keys("r");
    assert_eq!(terminal.code(), 0);
    assert_left(&terminal, "restored, Err(Left)");
    assert!(!terminal.written().contains("NEVER"));
}

#[test]
fn a_terminal_that_is_closed_ends_the_program_with_a_kind_of_its_own() {
    // The signal of the hang-up would end it before it could tell.
    let mut terminal = Terminal::script("trap '' HUP; \"$0\"; exit $?");
    terminal.wait_for("pid ");
    terminal.close();
    assert_eq!(terminal.code(), 3);
}

#[test]
fn something_that_is_no_terminal_is_refused_by_name() {
    let mut terminal = Terminal::script("\"$0\" </dev/null; echo in $?; \"$0\" | cat; echo done");
    terminal.wait_for("done");
    assert_eq!(terminal.code(), 0);
    let written = terminal.written();
    assert!(written.contains("standard input is not a terminal"), "{written:?}");
    assert!(written.contains("in 1"), "{written:?}");
    assert!(written.contains("standard output is not a terminal"), "{written:?}");
    assert!(!written.contains('\x1b'), "{written:?}");
}
