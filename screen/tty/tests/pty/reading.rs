//! What is typed arrives, what is drawn arrives, and standard error stays off the screen.

use crate::terminal::{ENTER, LEAVE, Terminal};

#[test]
fn keys_pastes_and_a_lone_escape_arrive() {
    let mut terminal = Terminal::open();
    terminal.type_keys("x");
    terminal.wait_for("key x.");
    terminal.type_keys("\x1b[1;5D");
    terminal.wait_for("key ctrl-left.");
    terminal.type_keys("\x1b");
    terminal.wait_for("key esc.");
    terminal.type_keys("\x1b[200~a\rb\x1b[201~");
    terminal.wait_for(r#"Paste("a\nb")."#);
    terminal.type_keys("one\rtwo\r");
    terminal.wait_for(r#"Paste("one\ntwo\n")."#);
    terminal.type_keys("\x03");
    terminal.wait_for("key ctrl-c.");
}

#[test]
fn standard_error_is_lines_and_not_on_the_screen() {
    let mut terminal = Terminal::open();
    terminal.type_keys("s");
    terminal.wait_for("stderr some noise.");
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
    terminal.wait_for(LEAVE);
    assert_eq!(terminal.count("some noise"), 1);
}

#[test]
fn a_big_frame_arrives_whole_although_the_terminal_does_not_block() {
    let mut terminal = Terminal::open();
    terminal.type_keys("b");
    let (start, _) = terminal.wait_after(0, "0123456789");
    let (end, _) = terminal.wait_after(start, "\r\n");
    assert_eq!(&terminal.written()[start..end], "0123456789".repeat(100_000));
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
    terminal.wait_for(LEAVE);
}

#[test]
fn another_program_has_the_terminal_and_its_input_for_a_while() {
    let mut terminal = Terminal::open();
    terminal.type_keys("E");
    terminal.wait_for(LEAVE);
    while !terminal.is_cooked() {
        std::thread::yield_now();
    }
    terminal.type_keys("for the other\n");
    terminal.wait_for("key E.");
    assert_eq!(terminal.count(ENTER), 2);
    // Shown as it is typed, or by the program; never as keys.
    assert!(terminal.written().contains("for the other"));
    assert!(!terminal.written().contains("key f."));
    terminal.type_keys("x");
    terminal.wait_for("key x.");
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
}

#[test]
fn the_mouse_can_be_turned_off_alone_and_is_not_turned_off_again() {
    let mut terminal = Terminal::open();
    terminal.type_keys("m");
    terminal.wait_for("key m.");
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
    terminal.wait_for("\x1b[<u\x1b[?1049l\x1b[?25h");
    assert_eq!(terminal.count("\x1b[?1000l"), 1);
}
