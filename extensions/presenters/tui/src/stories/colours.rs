//! Colours: themes, depths, and none at all.

use super::conversation;
use crate::testing::Play;
use crate::theme::Depth;
use fen_contract::types::AgentToolResult;
use serde_json::json;

fn with(theme: &str, depth: Depth) -> Play {
    let mut play = Play::with_theme(60, 20, theme, depth);
    play.said("a question").answered("An **answer**.");
    let call = play.calls("1", "read", json!({"path": "x"}));
    play.gave(&call, AgentToolResult::error("no such file"));
    play
}

#[test]
fn no_colour() {
    let mut play = with("dark", Depth::None);
    for word in ["question", "answer", "no such file"] {
        assert!(play.look_of(word).starts_with("Default on Default"), "{}", play.look_of(word));
    }
    // What stands out does so nevertheless.
    assert!(play.look_of("answer").contains("bold"));
    insta::assert_snapshot!(play.screen());
}

#[test]
fn a_failure_has_its_colour_in_every_depth() {
    for depth in [Depth::Ansi16, Depth::Ansi256, Depth::True] {
        for theme in ["dark", "light", "high-contrast"] {
            let mut play = with(theme, depth);
            assert_ne!(play.look_of("no such file"), play.look_of("question"), "{theme} {depth:?}");
        }
    }
}

#[test]
fn another_theme_lays_nothing_out_anew() {
    let mut play = conversation();
    play.draw();
    let layouts = play.app.transcript.layouts;
    play.hear(crate::input::Input::Ask(crate::input::Ask::Theme("light".to_owned())));
    let dark = play.look_of("build");
    assert_eq!(play.app.transcript.layouts, layouts);
    play.hear(crate::input::Input::Ask(crate::input::Ask::Theme("dark".to_owned())));
    assert_ne!(play.look_of("build"), dark);
}

#[test]
fn another_theme_is_told_by_the_screen() {
    let mut play = conversation();
    play.hear(crate::input::Input::Ask(crate::input::Ask::Theme("light".to_owned())));
    assert!(play.screen().contains("theme light"), "{}", play.screen());
}
