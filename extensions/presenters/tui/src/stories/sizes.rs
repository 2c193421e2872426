//! Small, odd and changing sizes.

use super::{conversation, long_conversation};
use crate::fuzzing::{only_own_commands, screens};
use crate::testing::Play;
use fen_contract::types::AgentToolResult;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn narrow() {
    let mut play = conversation();
    play.said("Run it").asked();
    let call = play.calls("1", "bash", json!({"command": "cargo test --workspace"}));
    play.gave(&call, AgentToolResult::text("ok\n"));
    play.answered("All of it passes now, in every crate of the workspace.").done();
    play.used(20_000, 500, 15_000);
    play.resize(40, 20);
    assert_snapshot!(play.screen());
}

#[test]
fn tiny() {
    let mut play = conversation();
    play.resize(20, 5);
    assert_snapshot!(play.screen());
}

#[test]
fn too_small() {
    let mut play = conversation();
    play.resize(19, 4);
    assert_snapshot!(play.screen());
}

#[test]
fn a_wider_window_lays_out_anew_and_stays_where_it_was() {
    let mut play = long_conversation();
    play.draw();
    play.keys("ctrl-home");
    play.resize(30, 12);
    assert!(play.screen().contains("question 1"));
    play.resize(100, 30);
    assert!(play.screen().contains("question 1"));
}

/// Something of everything that can be told.
fn told(play: &mut Play, kind: u8, text: &str) {
    match kind % 9 {
        0 => play.said(text),
        1 => play.answered(text),
        2 => play.asked().streams(text),
        3 => play.asked().thinks(text),
        4 => {
            play.calls(text, text, json!({"path": text, "n": 1}));
            play
        }
        5 => {
            let call = play.calls("x", "edit", json!({"path": "a.rs"}));
            let result = AgentToolResult::text(text).with_details(json!({"diff": text}));
            play.gave(&call, result)
        }
        6 => play.info(text),
        7 => play.error(text),
        _ => play.paste(text),
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_at_any_size_is_drawn_within_it(
        told_things in proptest::collection::vec((any::<u8>(), "\\PC{0,40}|(a|\u{1b}|\n|来|👨\u{200d}👩|\u{202e}|`|\\*|#|>|\\||-| ){0,60}"), 0..6),
        sizes in proptest::collection::vec((1u16..130, 1u16..40), 1..4),
    ) {
        let mut play = Play::new(sizes[0].0, sizes[0].1);
        for (kind, text) in &told_things {
            told(&mut play, *kind, text);
        }
        for (columns, rows) in sizes {
            play.resize(columns, rows);
            let bytes = play.draw();
            prop_assert!(only_own_commands(&bytes), "{:?}", String::from_utf8_lossy(&bytes));
            play.keys("pageup ctrl-o ctrl-t");
            play.draw();
        }
    }

    #[test]
    fn no_foreign_byte_reaches_the_terminal_unencoded(
        told in proptest::collection::vec((any::<u8>(), any::<String>()), 0..4),
        raw in proptest::collection::vec(any::<u8>(), 0..40),
        columns in 1u16..100,
        rows in 1u16..30,
    ) {
        let mut told = told;
        told.push((raw.first().copied().unwrap_or(0), String::from_utf8_lossy(&raw).into_owned()));
        let bytes = screens(columns, rows, &told);
        prop_assert!(only_own_commands(&bytes), "{:?}", String::from_utf8_lossy(&bytes));
    }
}
