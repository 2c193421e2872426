//! Pickers, pages and questions.

use super::conversation;
use crate::effect::Effect;
use crate::input::{Ask, Input};
use crate::testing::Play;
use fen_contract::ui::{Choice, Offer, OfferAction, Page, PageFormat, Picked, Question};
use insta::assert_snapshot;
use serde_json::json;
use tokio::sync::oneshot;

fn choice() -> Choice {
    let offer = |label: &str, detail: &str| {
        Offer::from((label.to_owned(), json!(label))).with_detail(detail)
    };
    Choice {
        title: "Which model?".to_owned(),
        choices: vec![
            offer("anthropic/claude-sonnet", "200 k"),
            offer("openai/gpt-mini", "128 k"),
            offer("mock/script", ""),
        ],
        current: Some(json!("mock/script")),
        actions: vec![OfferAction {
            key: "ctrl-x".to_owned(),
            name: "delete".to_owned(),
            label: "deletes".to_owned(),
        }],
        ..Choice::default()
    }
}

fn picking(play: &mut Play, choice: Choice) -> oneshot::Receiver<Option<Picked>> {
    let (answer, given) = oneshot::channel();
    play.hear(Input::Ask(Ask::Pick(choice, answer)));
    given
}

#[test]
fn picker() {
    let mut play = conversation();
    let mut given = picking(&mut play, choice());
    assert_snapshot!("picker", play.screen());
    play.type_text("gpt");
    assert_snapshot!("picker_narrowed", play.screen());
    play.keys("enter");
    let picked = Picked { value: json!("openai/gpt-mini"), action: None };
    assert_eq!(given.try_recv(), Ok(Some(picked)));
}

#[test]
fn a_question_of_several_lines_stands_above_its_offers() {
    let mut play = conversation();
    let lines: String = (1..=40).map(|number| format!("+ line {number}\n")).collect();
    let offer = |label: &str| Offer::from((label.to_owned(), json!(label)));
    let choice = Choice {
        title: format!("The code of `x` has changed:\n{lines}rm \u{202e}x\nRun it?"),
        choices: vec![offer("No"), offer("Run it this time")],
        ..Choice::default()
    };
    let mut given = picking(&mut play, choice);
    assert_snapshot!("long_question", play.screen());
    play.keys("pagedown pagedown pagedown pagedown");
    assert!(play.screen().contains("rm <U+202E>x"), "{}", play.screen());
    play.keys("down enter");
    let picked = Picked { value: json!("Run it this time"), action: None };
    assert_eq!(given.try_recv(), Ok(Some(picked)));
}

#[test]
fn a_pickers_action_is_told_with_the_offer() {
    let mut play = conversation();
    let mut given = picking(&mut play, choice());
    play.keys("up ctrl-x");
    let picked = Picked { value: json!("openai/gpt-mini"), action: Some("delete".to_owned()) };
    assert_eq!(given.try_recv(), Ok(Some(picked)));
}

#[test]
fn esc_declines_and_says_that_it_closed() {
    let mut play = conversation();
    let mut given = picking(&mut play, choice());
    play.keys("esc");
    assert!(given.try_recv().is_err());
    assert!(matches!(play.effects.pop(), Some(Effect::Emit(_))));
    assert!(!play.screen().contains("Which model?"));
}

#[test]
fn a_confirmation_shows_what_hides() {
    let mut play = conversation();
    let (answer, mut given) = oneshot::channel();
    let question = Question {
        text: "Run this?\n+ rm \u{202e}txt.exe\u{200b}\n- \u{1b}[2J\u{9b}ls".to_owned(),
        ..Question::default()
    };
    play.hear(Input::Ask(Ask::Confirm(question, answer)));
    assert_snapshot!(play.screen());
    play.keys("enter");
    assert_eq!(given.try_recv(), Ok(Some(false)));
}

#[test]
fn a_question_takes_a_free_answer() {
    let mut play = conversation();
    let (answer, mut given) = oneshot::channel();
    let question = Question {
        text: "A name for it?".to_owned(),
        initial: Some("draft".to_owned()),
        secret: false,
    };
    play.hear(Input::Ask(Ask::Prompt(question, answer)));
    play.type_text(" 2");
    assert_snapshot!(play.screen());
    play.keys("enter");
    assert_eq!(given.try_recv(), Ok(Some("draft 2".to_owned())));
}

#[test]
fn a_secret_is_not_shown() {
    let mut play = conversation();
    let (answer, _given) = oneshot::channel();
    let question = Question { text: "Key?".to_owned(), initial: None, secret: true };
    play.hear(Input::Ask(Ask::Prompt(question, answer)));
    play.type_text("sk-hidden");
    assert!(!play.screen().contains("sk-"));
}

#[test]
fn a_page_is_read_and_closed() {
    let mut play = conversation();
    let text = (1..=60).map(|number| format!("line {number}\n")).collect();
    let page = Page { title: "Reference".to_owned(), text, format: PageFormat::Plain };
    play.hear(Input::Ask(Ask::Show(page)));
    play.draw();
    play.keys("pagedown");
    assert_snapshot!(play.screen());
    play.keys("q");
    assert!(!play.screen().contains("Reference"));
}

#[test]
fn keys() {
    let mut play = conversation();
    play.keys("f1");
    assert_snapshot!(play.screen());
}

#[test]
fn each_overlay_at_each_size_stays_within_it() {
    for columns in [0, 1, 2, 3, 5, 8, 12, 15, 20, 21, 33] {
        for rows in [0, 1, 2, 3, 4, 5, 6, 9] {
            let mut play = Play::new(columns.max(1), rows.max(1));
            let _given = picking(&mut play, choice());
            play.draw();
            let page = Page {
                title: "T".repeat(90),
                text: "x ".repeat(300),
                format: PageFormat::Markdown,
            };
            play.hear(Input::Ask(Ask::Show(page)));
            play.draw();
            let (answer, _kept) = oneshot::channel();
            let question =
                Question { text: "来自上游渠道的报错 ".repeat(20), ..Question::default() };
            play.hear(Input::Ask(Ask::Confirm(question.clone(), answer)));
            play.draw();
            let (answer, _kept) = oneshot::channel();
            play.hear(Input::Ask(Ask::Prompt(question, answer)));
            play.type_text("来x").draw();
            play.keys("esc").draw();
        }
    }
}
