//! The full screen through the binary: what a person sees of it and does with keys.

mod commands;
mod conversation;
mod editing_outside;
mod endings;
mod extensions;
mod pastes;
mod sizes;
mod standard_error;
mod suspending;

use crate::support::{Place, Screen, key};
use serde_json::{Value, json};

/// Columns and rows of most tests.
const SIZE: (u16, u16) = (100, 30);

/// A command of the shell that tells its process and goes on until the file `go` is there.
const WAITING: &str = "echo $$ > shell.pid; echo begun; while [ ! -e go ]; do sleep 0.02; done; \
                       echo finished";

/// A turn that runs this command.
fn bash(command: &str) -> Value {
    json!({"tool-calls": [{"name": "bash", "arguments": {"command": command}}]})
}

/// fen on a full screen with a model that answers so, once it is drawn.
fn open(place: &Place, turns: Value, arguments: &[&str]) -> Screen {
    let screen = Screen::open(&place.mocked(turns, arguments), SIZE);
    screen.wait_for("Type a prompt.");
    screen
}

/// Leaves by the command, and the terminal is as it was.
fn quit(mut screen: Screen) -> Screen {
    screen.wait_idle();
    screen.enter("/quit");
    screen.ends_with(0);
    screen
}

/// Leaves by the key.
fn leave(mut screen: Screen) {
    screen.wait_idle();
    screen.type_keys(key::CTRL_D);
    screen.ends_with(0);
}
