//! While the agent works: the busy row, the queue, retries, cancelling, leaving.

use super::conversation;
use crate::effect::Effect;
use crate::testing::Play;
use fen_contract::conversation::WhenBusy;
use fen_contract::ui::{PanelView, Segment, StatusView};
use insta::assert_snapshot;
use serde_json::json;
use std::time::Duration;

fn working() -> Play {
    let mut play = conversation();
    play.said("Go on").asked();
    play
}

#[test]
fn waiting_for_the_model() {
    let mut play = working();
    play.wait(Duration::from_secs(3));
    assert_snapshot!(play.screen());
}

#[test]
fn a_retry_counts_down() {
    let mut play = working();
    play.own("fen/retry", json!({"error-kind": "overloaded", "error": "the service is overloaded", "attempt": 2, "delay-ms": 8000}));
    play.wait(Duration::from_secs(3));
    assert_snapshot!(play.screen());
}

#[test]
fn queue() {
    let mut play = working();
    play.type_text("use the other file").keys("enter");
    play.type_text("then commit").keys("alt-enter");
    let submitted: Vec<(String, WhenBusy)> = play
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Submit { line, when_busy } => Some((line.clone(), *when_busy)),
            _ => None,
        })
        .collect();
    let expected = [
        ("use the other file".to_owned(), WhenBusy::Steering),
        ("then commit".to_owned(), WhenBusy::FollowUp),
    ];
    assert_eq!(submitted, expected);
    play.own(
        "fen/queue-changed",
        json!({"steering": ["use the other file"], "follow-up": ["then commit"]}),
    );
    assert_snapshot!("queue", play.screen());
    play.keys("alt-q up");
    assert_snapshot!("queue_chosen", play.screen());
    play.keys("enter");
    let line = crate::effect::QueuedLine {
        queue: fen_contract::conversation::QueueName::Steering,
        position: 0,
        text: "use the other file".to_owned(),
    };
    assert!(matches!(play.effects.pop(), Some(Effect::TakeBack(taken)) if taken == line));
}

#[test]
fn esc_cancels_and_says_so() {
    let mut play = working();
    play.keys("esc");
    assert!(matches!(play.effects.pop(), Some(Effect::Cancel)));
    assert_snapshot!(play.screen());
}

#[test]
fn ctrl_c_cancels_and_leaves_when_pressed_again_within_two_seconds() {
    let mut play = working();
    play.keys("ctrl-c");
    assert!(matches!(play.effects.pop(), Some(Effect::Cancel)));
    assert!(play.screen().contains("ctrl-c again leaves"));
    play.wait(Duration::from_millis(2_100)).keys("ctrl-c");
    assert!(!play.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    play.wait(Duration::from_millis(1_900)).keys("ctrl-c");
    assert!(play.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn ctrl_d_leaves_on_an_empty_line_and_deletes_otherwise() {
    let mut play = conversation();
    play.type_text("ab").keys("home ctrl-d");
    assert!(play.screen().contains("› ▏b"));
    play.keys("ctrl-d ctrl-d");
    assert!(matches!(play.effects.pop(), Some(Effect::Quit)));
}

#[test]
fn the_meter_tells_tokens_share_and_cache() {
    let mut play = conversation();
    play.used(20_000, 500, 15_000);
    assert_snapshot!(play.screen());
}

#[test]
fn status_items_and_panels_of_extensions() {
    let mut play = conversation();
    let segment = |text: &str, style: Option<&str>| Segment {
        text: text.to_owned(),
        style: style.map(str::to_owned),
    };
    let panel = |name: &str, placement, rows| PanelView {
        owner: "todo".into(),
        name: name.to_owned(),
        title: Some(format!("Title of {name}")),
        placement,
        order: 50.0,
        height: None,
        rows,
    };
    use fen_contract::kinds::{Placement, Side};
    let panels = vec![
        panel("below", Placement::BelowStatus, vec![vec![segment("under the status row", None)]]),
        panel(
            "broken",
            Placement::AboveInput,
            vec![vec![segment("broken of todo failed: no", Some("error"))]],
        ),
        panel(
            "tall",
            Placement::AboveInput,
            (0..40).map(|n| vec![segment(&format!("row {n}"), None)]).collect(),
        ),
    ];
    let item = |text: &str, side| StatusView {
        owner: "clock".into(),
        name: text.to_owned(),
        side,
        order: 10.0,
        segment: segment(text, Some("dim")),
    };
    let status = vec![item("left item", Side::Left), item("12:34", Side::Right)];
    play.hear(crate::input::Input::Contributions(panels, status));
    assert_snapshot!(play.screen());
}

#[test]
fn esc_before_the_turn_has_begun_cancels_it_once_it_has() {
    use crate::input::Input;
    use fen_contract::conversation::Submitted;
    let mut play = conversation();
    play.type_text("go").keys("enter esc");
    // There was nothing to cancel yet.
    play.effects.clear();
    play.hear(Input::Submitted { line: "go".to_owned(), outcome: Submitted::Started });
    assert!(play.effects.iter().any(|effect| matches!(effect, Effect::Cancel)));
}

#[test]
fn a_line_that_is_refused_while_a_turn_runs_leaves_it_running() {
    use crate::input::Input;
    use fen_contract::conversation::Submitted;
    use fen_contract::failure::Failure;
    let mut play = working();
    play.streams("words");
    play.type_text("more").keys("enter");
    let outcome = Submitted::Rejected(Failure::caller("the queue is full"));
    play.hear(Input::Submitted { line: "more".to_owned(), outcome });
    play.keys("esc");
    assert!(play.screen().contains("cancelling"), "{}", play.screen());
}
