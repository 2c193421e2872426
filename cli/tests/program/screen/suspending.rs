//! ctrl-z, and back.

use super::{SIZE, WAITING, bash};
use crate::support::{Place, Screen, appears, key};
use serde_json::{Value, json};

/// A shell with fen as its job: after each stop it says so and waits for a line.
const JOB: &str = "set -m; \"$0\" \"$@\"; echo stopped $?; read line; fg >/dev/null; \
                   echo over $?; read line";

fn job(place: &Place, turns: Value) -> Screen {
    let screen = Screen::script(&place.mocked(turns, [""; 0]), SIZE, JOB);
    screen.wait_for("Type a prompt.");
    screen
}

fn leave(mut screen: Screen) {
    screen.wait_idle();
    screen.type_keys(key::CTRL_D);
    screen.wait_for("over 0");
    screen.assert_restored();
    screen.type_keys("\n");
    assert_eq!(screen.code(), 0);
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_shows_the_screen_again() {
    let place = Place::new();
    let mut screen = job(&place, json!([{"text": "an answer"}, {"text": "another one"}]));
    screen.enter("a prompt");
    screen.wait_for("an answer");
    screen.wait_idle();
    screen.type_keys("half a li");
    screen.wait_for("› half a li");
    screen.type_keys(key::CTRL_Z);
    // 128 and the number of SIGSTOP.
    screen.wait_for("stopped 147");
    screen.assert_restored();
    assert!(!screen.text().contains("a prompt"), "{}", screen.text());
    screen.type_keys("\n");
    screen.wait("the screen with what was typed", |screen| {
        let text = screen.contents();
        screen.alternate_screen() && text.contains("› a prompt") && text.contains("› half a li")
    });
    screen.type_keys("ne\r");
    screen.wait_for("another one");
    screen.wait_for("› half a line");
    leave(screen);
}

#[test]
fn what_runs_goes_on_after_a_stop() {
    let place = Place::new();
    let mut screen = job(&place, json!([bash(WAITING), {"text": "all done"}]));
    screen.enter("begin");
    appears(&place.project("shell.pid"));
    screen.wait_for("esc cancels");
    screen.type_keys(key::CTRL_Z);
    screen.wait_for("stopped 147");
    place.write("go", "");
    screen.type_keys("\n");
    screen.wait_for("all done");
    leave(screen);
}

#[test]
fn without_a_shell_to_come_back_from_it_stays() {
    let place = Place::new();
    let mut screen = super::open(&place, json!([{"text": "an answer"}]), &[]);
    screen.type_keys(key::CTRL_Z);
    screen.wait_for("not suspended");
    screen.enter("a prompt");
    screen.wait_for("an answer");
    super::leave(screen);
}
