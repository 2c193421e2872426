//! The person's own editor for what they type.

use super::SIZE;
use crate::support::{Place, Screen, appears, key};
use rustix::process::Signal;
use serde_json::json;

/// A screen with this script of the shell for an editor; `$1` in it is the file.
fn open(place: &Place, editor: &str) -> Screen {
    place.write("editor.sh", editor);
    let line = format!("sh '{}'", place.project("editor.sh").display());
    let fen = place.mocked(json!([]), &[] as &[&str]).env("EDITOR", &line);
    let screen = Screen::open(&fen, SIZE);
    screen.wait_for("Type a prompt.");
    screen
}

#[test]
fn the_text_goes_out_and_comes_back() {
    let place = Place::new();
    let mut screen = open(&place, "cp \"$1\" seen; echo 'from outside' > \"$1\"");
    screen.type_keys("from inside");
    screen.wait_for("› from inside");
    screen.type_keys("\x18\x05");
    screen.wait_for("› from outside");
    assert_eq!(std::fs::read_to_string(place.project("seen")).unwrap(), "from inside");
    screen.type_keys(key::CTRL_C);
    screen.wait_gone("from outside");
    screen.type_keys(key::CTRL_D);
    screen.ends_with(0);
}

#[test]
fn an_editor_that_fails_leaves_the_text_as_it_was() {
    let place = Place::new();
    let mut screen = open(&place, "echo spoilt > \"$1\"; exit 3");
    screen.type_keys("precious");
    screen.wait_for("› precious");
    screen.type_keys("\x18\x05");
    screen.wait_for("the text stays as it was");
    screen.wait_for("› precious");
}

#[test]
fn ctrl_c_in_the_editor_is_the_editors() {
    let place = Place::new();
    let script = "trap '' INT QUIT; echo $$ > begun; while [ ! -e go ]; do sleep 0.02; done";
    let mut screen = open(&place, script);
    screen.type_keys("precious");
    screen.wait_for("› precious");
    screen.type_keys("\x18\x05");
    appears(&place.project("begun"));
    screen.signal(Signal::INT);
    screen.signal(Signal::QUIT);
    place.write("go", "");
    screen.wait_for("› precious");
    screen.type_keys(" words");
    screen.wait_for("› precious words");
}
