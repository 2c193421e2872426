//! Pickers, pages and questions.

use super::conversation;
use crate::effect::{Effect, Mouse};
use crate::input::{Ask, Input};
use crate::keymap::{Action, Context};
use crate::overlay::{Overlay, Reaction, Touch};
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

fn long_question() -> Question {
    let lines: String = (1..=60).map(|number| format!("line {number}.\n")).collect();
    Question { text: lines, ..Question::default() }
}

#[test]
fn a_long_question_is_gone_through_by_the_keys_of_reading() {
    let mut play = conversation();
    let (answer, _given) = oneshot::channel();
    play.hear(Input::Ask(Ask::Prompt(long_question(), answer)));
    let (answer, _kept) = oneshot::channel();
    play.hear(Input::Ask(Ask::Confirm(long_question(), answer)));
    for _ in ["confirmation", "prompt"] {
        assert!(play.screen().contains("line 1."), "{}", play.screen());
        play.keys("ctrl-end");
        assert!(play.screen().contains("line 60."), "{}", play.screen());
        play.keys("shift-up");
        assert!(!play.screen().contains("line 60."), "{}", play.screen());
        play.keys("shift-down");
        assert!(play.screen().contains("line 60."), "{}", play.screen());
        play.keys("ctrl-home");
        assert!(play.screen().contains("line 1."), "{}", play.screen());
        play.keys("esc");
    }
}

#[test]
fn a_free_answer_has_several_lines() {
    let mut play = conversation();
    let (answer, mut given) = oneshot::channel();
    play.hear(Input::Ask(Ask::Prompt(Question::default(), answer)));
    play.type_text("a").keys("shift-enter").type_text("b").keys("alt-enter c enter");
    assert_eq!(given.try_recv(), Ok(Some("a\nb\nc".to_owned())));
}

#[test]
fn the_mouse_is_given_to_the_terminal_wherever_one_is() {
    let mut play = conversation();
    play.keys("f1 alt-m");
    assert!(matches!(play.effects.pop(), Some(Effect::Mouse(Mouse::Left))));
    play.keys("esc");
    let _given = picking(&mut play, choice());
    play.keys("alt-m");
    assert!(matches!(play.effects.pop(), Some(Effect::Mouse(Mouse::Reported))));
}

#[test]
fn every_action_does_something_wherever_it_is_said_to() {
    for action in Action::ALL {
        for context in action.contexts() {
            let mut play = conversation();
            let (picked, _picked) = oneshot::channel();
            let (answered, _answered) = oneshot::channel();
            let overlay = match context {
                Context::Main => None,
                Context::List => Some(Overlay::picker(choice(), picked)),
                Context::Page => Some(Overlay::page(Page::default())),
                Context::Question => Some(Overlay::prompt(Question::default(), answered)),
            };
            let reaction = match overlay {
                None => play.app.act(action.clone()),
                Some(mut overlay) => match play.app.act_anywhere(action) {
                    Reaction::Pass => overlay.touch(&Touch::Act(action)),
                    done => done,
                },
            };
            assert!(!matches!(reaction, Reaction::Pass), "{action} in {context:?}");
        }
    }
}

#[test]
fn a_question_whose_asker_is_gone_goes_too() {
    let mut play = conversation();
    let picked = picking(&mut play, choice());
    let (answer, given) = oneshot::channel();
    play.hear(Input::Ask(Ask::Prompt(long_question(), answer)));
    let (answer, confirmed) = oneshot::channel();
    play.hear(Input::Ask(Ask::Confirm(long_question(), answer)));
    drop((given, confirmed));
    play.info("something happened");
    assert!(play.screen().contains("Which model?"), "{}", play.screen());
    drop(picked);
    play.info("something else happened");
    assert!(!play.screen().contains("Which model?"), "{}", play.screen());
    // It was not the person who closed it.
    assert!(!play.effects.iter().any(|effect| matches!(effect, Effect::Emit(_))));
}

#[test]
fn what_is_one_letter_to_the_reader_stays_so_in_a_picker() {
    let mut play = conversation();
    let label = "cafe\u{301} kiosk";
    let offers =
        Choice { choices: vec![Offer::from((label.to_owned(), json!(1)))], ..Choice::default() };
    let _given = picking(&mut play, offers);
    assert!(play.screen().contains(label), "{}", play.screen());
    play.type_text("fe k");
    assert!(play.screen().contains(label), "{}", play.screen());
}

#[test]
fn a_preview_goes_with_the_last_offer_that_fits() {
    let mut play = Play::new(120, 20);
    let preview: fen_contract::ui::Preview =
        std::sync::Arc::new(|_| Box::pin(std::future::ready(None)));
    let _given = picking(&mut play, Choice { preview: Some(preview), ..choice() });
    let asked = |play: &mut Play| match play.effects.pop() {
        Some(Effect::Preview { ticket, .. }) => ticket,
        _ => panic!("no preview was asked for"),
    };
    let ticket = asked(&mut play);
    play.hear(Input::Preview { ticket, text: "about it".to_owned() });
    assert!(play.screen().contains("about it"), "{}", play.screen());
    play.type_text("~");
    assert!(!play.screen().contains("about it"), "{}", play.screen());
    // Not even one that comes late.
    play.hear(Input::Preview { ticket, text: "about it".to_owned() });
    assert!(!play.screen().contains("about it"), "{}", play.screen());
    play.keys("backspace");
    asked(&mut play);
}
