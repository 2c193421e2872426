//! The input: several lines, pastes, completion, history.

use super::conversation;
use crate::effect::Effect;
use crate::input::Input;
use crate::testing::Play;
use fen_contract::command::Completion;
use insta::assert_snapshot;

fn offer(value: &str, description: &str) -> Completion {
    let description = (!description.is_empty()).then(|| description.to_owned());
    Completion { label: value.to_owned(), value: value.to_owned(), description }
}

fn last_ticket(play: &Play) -> u64 {
    let tickets = play.effects.iter().rev().find_map(|effect| match effect {
        Effect::Complete { ticket, .. } | Effect::CompleteFile { ticket, .. } => Some(*ticket),
        _ => None,
    });
    tickets.expect("nothing was to be completed")
}

#[test]
fn several_lines() {
    let mut play = conversation();
    play.type_text("first line").keys("ctrl-j").type_text("second line").keys("up home");
    assert_snapshot!(play.screen());
}

#[test]
fn long_paste() {
    let mut play = conversation();
    let pasted: String = (0..42).map(|number| format!("line {number}\n")).collect();
    play.type_text("look at ").paste(&pasted).type_text(" please");
    assert_snapshot!(play.screen());
    play.keys("enter");
    let sent = play.effects.iter().find_map(|effect| match effect {
        Effect::Submit { line, .. } => Some(line.clone()),
        _ => None,
    });
    let sent = sent.expect("nothing was sent");
    assert!(sent.starts_with("look at line 0\n") && sent.ends_with("line 41\n please"), "{sent}");
}

#[test]
fn a_paste_with_line_ends_sends_nothing() {
    let mut play = conversation();
    play.paste("a\nb\nc\n");
    assert!(!play.effects.iter().any(|effect| matches!(effect, Effect::Submit { .. })));
    assert_snapshot!(play.screen());
}

#[test]
fn completion_of_commands() {
    let mut play = conversation();
    play.type_text("/mo");
    let ticket = last_ticket(&play);
    let offers = vec![offer("/model", "Show the models, or change to one"), offer("/more", "")];
    play.hear(Input::Completions { ticket, offers });
    assert_snapshot!("completion", play.screen());
    play.keys("tab");
    assert_snapshot!("completion_taken", play.screen());
}

#[test]
fn offers_that_are_older_than_the_text_replace_what_stands_there_now() {
    let mut play = conversation();
    play.type_text("/qu");
    let ticket = last_ticket(&play);
    play.hear(Input::Completions { ticket, offers: vec![offer("/queue", ""), offer("/quit", "")] });
    play.type_text("e").keys("tab");
    assert!(play.screen().contains("› /queue "), "{}", play.screen());
}

#[test]
fn completion_of_files() {
    let mut play = conversation();
    play.type_text("see @li");
    let ticket = last_ticket(&play);
    let offers = vec![offer("src/lib.rs", ""), offer("src/line.rs", ""), offer("lib/", "")];
    play.hear(Input::Completions { ticket, offers });
    play.keys("down");
    assert_snapshot!(play.screen());
    play.keys("tab");
    assert!(play.screen().contains("see @src/line.rs "));
}

#[test]
fn offers_for_what_was_typed_before_are_not_shown() {
    let mut play = conversation();
    play.type_text("/m");
    let ticket = last_ticket(&play);
    play.type_text("x").hear(Input::Completions { ticket, offers: vec![offer("/model", "")] });
    assert!(!play.screen().contains("model "));
}

#[test]
fn history_search() {
    let mut play = conversation();
    for line in ["fix the parser", "run the tests", "fix the lexer"] {
        play.type_text(line).keys("enter");
        play.done();
    }
    play.keys("ctrl-r").type_text("fix").keys("ctrl-r");
    assert_snapshot!("history_search", play.screen());
    play.keys("enter");
    assert!(play.screen().contains("› fix the parser"));
}

#[test]
fn the_newest_line_comes_back_with_up_and_the_draft_with_down() {
    let mut play = conversation();
    play.type_text("one").keys("enter").done();
    play.type_text("draft").keys("up");
    assert!(play.screen().contains("› one▏"));
    play.keys("down");
    assert!(play.screen().contains("› draft▏"));
}

#[test]
fn a_refused_line_comes_back() {
    use fen_contract::conversation::Submitted;
    use fen_contract::failure::Failure;
    let mut play = conversation();
    play.type_text("my words").keys("enter");
    let outcome = Submitted::Rejected(Failure::caller("the queue is full"));
    play.hear(Input::Submitted { line: "my words".to_owned(), outcome });
    assert_snapshot!(play.screen());
}
