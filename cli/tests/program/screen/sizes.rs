//! Windows of any size, and windows that change.

use super::{WAITING, bash, leave, open};
use crate::support::{Place, Screen, appears, key};
use serde_json::json;

#[test]
fn forty_columns_are_enough() {
    let place = Place::new();
    let words = "words and words and words and words and then the end";
    let turns = json!([bash("seq 1 100"), {"text": words}]);
    let mut screen = Screen::open(&place.mocked(turns, [""; 0]), (40, 20));
    screen.wait_for("Type a prompt.");
    screen.enter("go");
    screen.wait_for("✓ bash");
    screen.wait("the answer in two rows", |screen| {
        let text: Vec<String> = screen.contents().split_whitespace().map(str::to_owned).collect();
        text.join(" ").contains(words)
    });
    screen.wait_idle();
    screen.enter("/help");
    screen.wait_for("╭─ Help ");
    screen.type_keys(key::ESC);
    screen.wait_gone("╭─ Help ");
    leave(screen);
}

#[test]
fn a_window_may_change_while_an_answer_streams_in() {
    let place = Place::new();
    let text: String = (1..=60).map(|number| format!("word{number} ")).collect();
    let turns = json!([{"text": text, "chunk": 8, "delta-delay-ms": 10}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("go");
    screen.wait_for("word3 ");
    for (columns, rows) in [(60, 20), (30, 12), (120, 40), (41, 9), (100, 30)] {
        screen.resize(columns, rows);
        screen.wait(&format!("{columns} columns"), |screen| {
            let text = screen.contents();
            let rule = "─".repeat(usize::from(columns));
            rows < 10 || text.lines().any(|row| row == rule)
        });
    }
    screen.wait_for("word60");
    screen.wait_for("word1 ");
    leave(screen);
}

#[test]
fn the_smallest_window_works_and_one_below_says_so_until_it_grows() {
    let place = Place::new();
    let turns = json!([bash(WAITING), {"text": "all done"}]);
    let mut screen = open(&place, turns, &[]);
    screen.resize(20, 5);
    screen.wait("the small screen", |screen| {
        let text = screen.contents();
        text.lines().count() <= 5 && text.contains("› ") && !text.contains("────")
    });
    screen.enter("go");
    appears(&place.project("shell.pid"));
    screen.resize(10, 3);
    screen.wait_for("too small");
    place.write("go", "");
    screen.wait_for("too small");
    screen.resize(1, 1);
    screen.resize(20, 5);
    screen.wait_for("all done");
    screen.wait_gone("too small");
    screen.resize(100, 30);
    screen.wait_for("✓ bash");
    screen.wait_for("› go");
    leave(screen);
}

#[test]
fn a_window_that_is_too_small_from_the_start_can_be_left_and_grows() {
    let place = Place::new();
    let mut screen = Screen::open(&place.mocked(json!([]), [""; 0]), (10, 3));
    screen.wait_for("too small");
    screen.resize(100, 30);
    screen.wait_for("Type a prompt.");
    screen.resize(10, 3);
    screen.wait_for("too small");
    screen.type_keys(key::CTRL_D);
    screen.ends_with(0);
}
