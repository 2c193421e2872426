//! ctrl-z, stops from outside, and the background.

use crate::terminal::{ENTER, LEAVE, Terminal};
use rustix::process::{Pid, Signal, kill_process};

const POP: &str = "\x1b[<u";
const PUSH: &str = "\x1b[>5u";

/// A shell with the example as its job: after each stop it says so and waits for a line.
const JOB: &str =
    "set -m; \"$0\"; echo stopped $?; read line; fg >/dev/null; echo over $?; read line";

#[test]
fn a_stop_pops_the_modes_and_coming_back_pushes_them_once() {
    for key in ["\x1a", "\x1b[122;5u"] {
        let mut terminal = Terminal::script(JOB);
        terminal.wait_for("pid ");
        terminal.type_keys(key);
        // 128 and the number of SIGSTOP.
        terminal.wait_for("stopped 147");
        assert!(terminal.is_cooked());
        assert_eq!((terminal.count(POP), terminal.count(PUSH)), (1, 1));
        assert!(terminal.written().find(LEAVE) < terminal.written().find("stopped"));
        terminal.type_keys("\n");
        terminal.wait_for("back.");
        assert!(!terminal.is_cooked());
        terminal.type_keys("x");
        terminal.wait_for("key x.");
        terminal.type_keys("q");
        terminal.wait_for("over 0");
        assert!(terminal.is_cooked());
        // Each signal to continue turns them off and on, so that there is one more of the one.
        assert_eq!(terminal.count(POP), terminal.count(PUSH), "{:?}", terminal.written());
    }
}

#[test]
fn in_the_background_the_terminal_is_not_touched() {
    let mut terminal = Terminal::script(
        "set -m; \"$0\"; echo stopped $?; bg >/dev/null; echo begin; sleep 1; echo end; read line; \
         fg >/dev/null; echo over $?; read line",
    );
    terminal.wait_for("pid ");
    terminal.type_keys("\x1a");
    terminal.wait_for("stopped 147");
    let (begin, _) = terminal.wait_after(0, "begin");
    let (end, _) = terminal.wait_after(begin, "end");
    let between = terminal.written()[begin..end].to_owned();
    assert!(!between.contains('\x1b'), "{between:?}");
    assert!(terminal.is_cooked());
    terminal.type_keys("\n");
    let (back, _) = terminal.wait_after(end, ENTER);
    terminal.wait_after(back, "back.");
    terminal.type_keys("x");
    terminal.wait_for("key x.");
    terminal.type_keys("q");
    terminal.wait_for("over 0");
}

#[test]
fn a_stop_from_outside_is_made_good_when_it_is_over() {
    let mut terminal = Terminal::script(JOB);
    let first = terminal.wait_for("pid ");
    let pid = first.trim_start_matches("pid ").split('.').next().unwrap().parse().unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), Signal::STOP).unwrap();
    terminal.wait_for("stopped 147");
    assert_eq!(terminal.count(POP), 0, "nobody can hear that stop");
    terminal.type_keys("\n");
    terminal.wait_for("continued.");
    // Off, and then on: each is on once.
    assert_eq!(terminal.count(&format!("{LEAVE}{ENTER}")), 1);
    assert!(!terminal.is_cooked());
    terminal.type_keys("x");
    terminal.wait_for("key x.");
    terminal.type_keys("q");
    terminal.wait_for("over 0");
    assert!(terminal.is_cooked());
    assert_eq!(terminal.count(POP), terminal.count(PUSH));
}

#[test]
fn without_a_shell_that_could_continue_it_the_program_does_not_stop() {
    let mut terminal = Terminal::open();
    terminal.type_keys("\x1a");
    terminal.wait_for("not started by a shell with job control");
    assert_eq!(terminal.count(POP), 0);
    terminal.type_keys("x");
    terminal.wait_for("key x.");
    terminal.type_keys("q");
    assert_eq!(terminal.code(), 0);
}
