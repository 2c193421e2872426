//! Answers that stream in while other things are said: each word shows once, in the order of the answer.

use crate::input::Input;
use crate::testing::Play;
use fen_contract::types::{AssistantBlock, TextContent, ThinkingContent};

fn text(words: &str) -> AssistantBlock {
    AssistantBlock::Text(TextContent::new(words))
}

fn thinking(words: &str) -> AssistantBlock {
    AssistantBlock::Thinking(ThinkingContent::new(words))
}

/// Where each of these words is on the screen; each has to be there once.
fn places(play: &mut Play, words: &[&str]) -> Vec<usize> {
    let screen = play.screen();
    let place = |word: &&str| {
        let mut found = screen.match_indices(word);
        let (at, _) = found.next().unwrap_or_else(|| panic!("no `{word}`:\n{screen}"));
        assert_eq!(found.count(), 0, "`{word}` again:\n{screen}");
        at
    };
    words.iter().map(place).collect()
}

#[test]
fn remarks_in_between_do_not_break_an_answer_apart() {
    let mut play = Play::new(60, 24);
    play.said("why").asked().streams("The first half,");
    play.info("a remark");
    play.streams(" the second half,");
    play.hear(Input::Stderr("a warning".to_owned()));
    play.type_text("!true").keys("enter");
    play.streams(" the end.");
    let words = ["The first half, the second half, the end.", "a remark", "a warning", "! true"];
    let growing = places(&mut play, &words);
    assert!(growing.is_sorted());
    play.answered("The first half, the second half, the end.");
    assert_eq!(places(&mut play, &words), growing);
    play.done();
    assert_eq!(places(&mut play, &words), growing);
}

#[test]
fn what_streamed_in_and_was_not_stored_goes() {
    let mut play = Play::new(60, 24);
    // An attempt that failed, and the one after it.
    play.said("why").asked().thinks("half a thought");
    play.asked().streams("The answer.");
    play.answered("The answer.").done();
    places(&mut play, &["› why", "The answer."]);
    assert!(!play.screen().contains("thought"), "{}", play.screen());
    // No gap is left where it was.
    let screen = play.screen();
    assert!(screen.contains("\n› why\n\nThe answer.\n"), "{screen}");
}

#[test]
fn what_goes_from_the_top_leaves_no_gap_there() {
    let mut play = Play::new(60, 24);
    play.asked().thinks("half a thought");
    play.info("a remark");
    play.draw();
    play.answered_with(Vec::new());
    let screen = play.screen();
    assert_eq!(screen.lines().nth(1), Some("· a remark"), "{screen}");
}

#[test]
fn blanks_that_stream_in_take_no_text_of_others() {
    let mut play = Play::new(60, 24);
    play.said("why").asked();
    play.thinks("first thought").streams("\n\n").thinks("second thought").streams("The answer.");
    play.answered_with(vec![
        thinking("first thought"),
        text("\n\n"),
        thinking("second thought"),
        text("The answer."),
    ]);
    assert!(places(&mut play, &["first thought", "second thought", "The answer."]).is_sorted());
}

#[test]
fn each_text_goes_to_pieces_of_its_voice() {
    let mut play = Play::new(60, 24);
    play.said("why").asked().thinks(" \n").streams("The answer.");
    play.answered_with(vec![thinking(" \n"), text("The answer.")]);
    let screen = play.screen();
    assert!(screen.contains("\nThe answer."), "{screen}");
    assert!(!screen.contains('∴'), "{screen}");
}

#[test]
fn an_answer_keeps_its_order_where_some_of_it_did_not_stream_in() {
    let mut play = Play::new(60, 24);
    play.said("why").asked().streams("The answer.");
    play.info("a remark");
    play.answered_with(vec![thinking("a thought"), text("The answer.")]);
    assert!(places(&mut play, &["a remark", "a thought", "The answer."]).is_sorted());
}
