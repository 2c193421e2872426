//! Looking around: scrolling, search, marking, suspending, resuming.

use super::{conversation, long_conversation};
use crate::effect::Effect;
use crate::input::Input;
use crate::testing::Play;
use crate::transcript::Anchor;
use fen_contract::types::{AssistantMessage, Message, StopReason, TextContent, UserMessage};
use fen_tty::input::{Button, Mouse, MouseKind};
use insta::assert_snapshot;

fn mouse(play: &mut Play, kind: MouseKind, column: u16, row: u16) {
    let mouse = Mouse { kind, column, row, mods: Default::default() };
    let now = play.app.now;
    play.app.feel(&fen_tty::input::Input::Mouse(mouse), now);
    play.effects.extend(play.app.take_effects());
}

#[test]
fn scrolled() {
    let mut play = long_conversation();
    play.draw();
    play.keys("pageup pageup");
    assert_snapshot!("scrolled", play.screen());
    play.said("something new").answered("below");
    assert_snapshot!("scrolled_with_unread_below", play.screen());
    play.keys("ctrl-end");
    assert!(play.screen().contains("below"));
}

#[test]
fn what_is_looked_at_stays_while_text_streams_in_below() {
    let mut play = long_conversation();
    play.draw();
    play.keys("pageup pageup");
    // The thumb moves, the text does not.
    let text = |line: &str| line.trim_end_matches(['┃', ' ']).to_owned();
    let top = |screen: String| screen.lines().skip(1).take(8).map(text).collect::<Vec<_>>();
    let before = top(play.screen());
    play.asked();
    for _ in 0..50 {
        play.streams("more and more words\n\n```\ncode\n```\n\n");
        play.draw();
    }
    assert_eq!(top(play.screen()), before);
}

#[test]
fn to_the_beginning_and_from_message_to_message() {
    let mut play = long_conversation();
    play.draw();
    play.keys("ctrl-home");
    assert!(play.screen().contains("› question 1 "));
    play.keys("alt-down");
    assert!(play.screen().lines().nth(2).unwrap().contains("question 2"), "{}", play.screen());
    play.keys("ctrl-end alt-up");
    let screen = play.screen();
    assert!(screen.contains("question"), "{screen}");
}

#[test]
fn the_beginning_of_nothing_is_where_one_is() {
    let mut play = Play::new(60, 12);
    play.draw();
    play.keys("ctrl-home pageup pagedown ctrl-end ctrl-home");
    assert!(play.screen().contains("Type a prompt."));
    play.said("first words");
    assert!(play.screen().contains("› first words"));
}

#[test]
fn search() {
    let mut play = long_conversation();
    play.draw();
    play.keys("ctrl-f").type_text("needle");
    assert_snapshot!("search", play.screen());
    play.keys("enter enter enter enter enter");
    assert_snapshot!("search_further_up", play.screen());
    play.keys("down");
    assert!(play.screen().contains("5 of 12"));
    play.keys("up up");
    assert!(play.screen().contains("7 of 12"));
    play.keys("esc");
    assert!(!play.screen().contains("find:"));
}

#[test]
fn f3_begins_a_search_and_goes_on_with_it() {
    let mut play = long_conversation();
    play.draw();
    play.keys("f3").type_text("needle");
    assert!(play.screen().contains("1 of 12"), "{}", play.screen());
    play.keys("f3 f3");
    assert!(play.screen().contains("3 of 12"), "{}", play.screen());
    play.keys("shift-f3");
    assert!(play.screen().contains("2 of 12"), "{}", play.screen());
}

#[test]
fn a_search_without_findings_says_so() {
    let mut play = long_conversation();
    play.draw();
    play.keys("ctrl-f").type_text("nowhere at all");
    assert!(play.screen().contains("nothing found"));
}

#[test]
fn marking_copies_without_decorations() {
    let mut play = Play::new(40, 20);
    play.said("hello there").answered(
        "> quoted words that are long enough to wrap around\n\ncode:\n\n```\nlet x = 1;\n```",
    );
    play.draw();
    mouse(&mut play, MouseKind::Press(Button::Left), 0, 3);
    mouse(&mut play, MouseKind::Drag(Button::Left), 39, 8);
    assert_snapshot!("marked", play.screen());
    mouse(&mut play, MouseKind::Release(Button::Left), 39, 8);
    let copied = play.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("nothing was copied");
    assert!(copied.contains("quoted words that are long enough to wrap around"), "{copied}");
    assert!(!copied.contains('│'), "{copied}");
}

#[test]
fn a_click_unfolds_a_call() {
    use fen_contract::types::AgentToolResult;
    let mut play = Play::new(60, 12);
    let call = play.calls("1", "ls", serde_json::json!({"path": "."}));
    play.gave(&call, AgentToolResult::text("alpha\nbeta"));
    play.draw();
    mouse(&mut play, MouseKind::Press(Button::Left), 3, 1);
    mouse(&mut play, MouseKind::Release(Button::Left), 3, 1);
    assert!(play.screen().contains("alpha"));
}

#[test]
fn resumed() {
    let mut play = Play::new(60, 14);
    let answer = AssistantMessage::new(
        vec![fen_contract::types::AssistantBlock::Text(TextContent::new("From yesterday."))],
        StopReason::Stop,
    );
    let messages: Vec<Message> = vec![UserMessage::new("an old question").into(), answer.into()];
    play.hear(Input::Conversation(messages));
    assert_snapshot!(play.screen());
}

#[test]
fn suspended_and_continued_draws_everything() {
    let mut play = conversation();
    let before = play.screen();
    play.keys("ctrl-z");
    assert!(matches!(play.effects.pop(), Some(Effect::Suspend)));
    let bytes = play.draw_anew();
    assert!(bytes.windows(4).any(|window| window == b"\x1b[2J"));
    assert_eq!(play.screen(), before);
}

#[test]
fn an_unchanged_frame_makes_no_rows_and_writes_nothing() {
    let mut play = long_conversation();
    play.draw();
    let layouts = play.app.transcript.layouts;
    for _ in 0..10 {
        assert_eq!(play.draw(), b"");
    }
    assert_eq!(play.app.transcript.layouts, layouts);
    // Only what changed is laid out anew.
    play.info("one more");
    play.draw();
    assert_eq!(play.app.transcript.layouts, layouts + 1);
}

#[test]
fn an_idle_screen_waits_for_nothing() {
    let mut play = conversation();
    play.draw();
    assert_eq!(play.app.next_tick(), None);
}

#[test]
fn a_long_answer_is_laid_out_elsewhere_and_keys_do_not_wait_for_it() {
    let text = "Some words that go on and on.\n\n".repeat(5_000);
    let mut play = Play::new(60, 12);
    play.said("much").answered(&text);
    assert!(play.screen().contains("a long answer is being laid out"));
    let wanted = play.app.ink.take_wanted_rows();
    assert_eq!(wanted.len(), 1);
    let place = wanted[0].place;
    let rows = fen_markdown::layout(wanted[0].text.as_str(), place.cells, &fen_markdown::Plain);
    play.hear(Input::LaidOut { place, rows: rows.into() });
    assert!(play.screen().contains("Some words that go on and on."));
    // It is asked for once, and again only for another width.
    play.draw();
    assert!(play.app.ink.take_wanted_rows().is_empty());
    play.resize(50, 12);
    play.draw();
    assert_eq!(play.app.ink.take_wanted_rows().len(), 1);
}

#[test]
fn of_long_reasoning_that_grows_the_end_is_shown() {
    let mut play = Play::new(60, 12);
    play.said("why").asked();
    for number in 0..3_000 {
        play.thinks(&format!("thought {number}\n"));
    }
    assert!(play.screen().contains("thought 2999"));
    play.keys("ctrl-home");
    assert!(play.screen().contains("… thought"), "{}", play.screen());
}

#[test]
fn colours_of_code_come_later_and_lay_out_their_block_alone() {
    let mut play = conversation();
    play.answered("```rust\nfn main() {}\n```").done();
    let plain = play.look_of("fn");
    let wanted = play.app.ink.take_wanted();
    assert_eq!(wanted.len(), 1);
    let layouts = play.app.transcript.layouts;
    let runs = vec![vec![(2, fen_cells::Role::Keyword)]];
    play.hear(Input::Inked { key: wanted[0].key, runs: std::sync::Arc::new(runs) });
    assert_ne!(play.look_of("fn"), plain);
    assert_eq!(play.app.transcript.layouts, layouts + 1);
}

#[test]
fn a_command_that_outlives_its_conversation_writes_into_no_other_block() {
    let mut play = Play::new(60, 12);
    play.type_text("!first").keys("enter");
    let Some(Effect::Shell { shell, command, audience }) = play.effects.pop() else { panic!() };
    play.event(fen_contract::events::ResetConversation { extra: Default::default() });
    play.type_text("!!second").keys("enter");
    play.hear(Input::ShellOutput(shell, "of the first\n".to_owned()));
    let text = "of the first\n".to_owned();
    play.hear(Input::ShellEnd { shell, command, audience, end: Ok(()), text });
    let screen = play.screen();
    assert!(screen.contains("!! second"), "{screen}");
    assert!(!screen.contains("of the first") && !screen.contains('✓'), "{screen}");
    // The model hears of the command that ran.
    assert_eq!(play.app.held, ["I ran `first`:\n```\nof the first\n```"]);
}

#[test]
fn a_command_of_the_persons_shows_its_time_however_much_is_said_below() {
    use std::time::Duration;
    let mut play = Play::new(60, 12);
    play.type_text("!sleep 100").keys("enter");
    for number in 0..30 {
        play.info(&format!("remark {number}"));
    }
    play.draw();
    play.keys("ctrl-home");
    assert!(play.screen().contains("! sleep 100  0.0 s"), "{}", play.screen());
    play.wait(Duration::from_secs(12));
    assert!(play.screen().contains("! sleep 100  12 s"), "{}", play.screen());
}

/// Lays out what was asked for, as it is done elsewhere; how many texts that were.
fn lay_out_long_answers(play: &mut Play) -> usize {
    let wanted = play.app.ink.take_wanted_rows();
    for wanted in &wanted {
        let place = wanted.place;
        let rows = fen_markdown::layout(wanted.text.as_str(), place.cells, &fen_markdown::Plain);
        play.hear(Input::LaidOut { place, rows: rows.into() });
    }
    wanted.len()
}

#[test]
fn a_search_waits_for_the_rows_of_long_answers() {
    let long = "Some words that go on and on.\n\n".repeat(5_000);
    let mut play = Play::new(60, 12);
    play.said("older needle");
    for number in 0..6 {
        play.answered(&format!("{long}needle {number}"));
    }
    play.said("newer needle");
    for number in 0..20 {
        play.info(&format!("remark {number}"));
    }
    play.keys("ctrl-f").type_text("needle");
    assert!(play.screen().contains("1 of 1+"), "{}", play.screen());
    // It does not keep the program busy meanwhile.
    assert_eq!(play.app.next_tick(), None);
    while lay_out_long_answers(&mut play) > 0 {
        play.draw();
    }
    assert!(play.screen().contains("1 of 8"), "{}", play.screen());
    assert!(!play.screen().contains("of 8+"), "{}", play.screen());
}

#[test]
fn a_long_answer_without_rows_is_copied_as_its_text() {
    let long = "Some words that go on and on.\n\n".repeat(5_000);
    let mut play = Play::new(60, 12);
    play.said("much").answered(&long);
    play.draw();
    mouse(&mut play, MouseKind::Press(Button::Left), 0, 1);
    mouse(&mut play, MouseKind::Drag(Button::Left), 39, 3);
    mouse(&mut play, MouseKind::Release(Button::Left), 39, 3);
    let copied = play.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied, Some(format!("much\n{}", long.trim_end())));
}

#[test]
fn an_unchanged_frame_makes_no_rows_however_many_those_in_sight_are() {
    let many = "word\n".repeat(5_000);
    let mut play = Play::new(60, 12);
    play.said(&many).said("short").said(&many);
    // The end of the first, and the beginning of the last.
    play.draw();
    play.app.transcript.anchor = Anchor::At { block: 0, row: 4_998 };
    play.draw();
    let blocks: Vec<usize> = play.app.places.window.pieces.iter().map(|at| at.block).collect();
    assert_eq!(blocks, [0, 1, 2]);
    let layouts = play.app.transcript.layouts;
    for _ in 0..3 {
        play.draw();
    }
    assert_eq!(play.app.transcript.layouts, layouts);
}

#[test]
fn only_what_is_said_or_done_is_unread_below() {
    let mut play = long_conversation();
    play.answered("```rust\nfn main() {}\n```").done();
    let call = play.calls("1", "ls", serde_json::json!({"path": "."}));
    play.gave(&call, fen_contract::types::AgentToolResult::text("alpha"));
    play.asked().streams("and more");
    play.draw();
    let wanted = play.app.ink.take_wanted();
    play.keys("pageup pageup");
    assert!(!play.screen().contains("unread below"));
    // Colours, a fold, another width, and the end of what was read.
    play.hear(Input::Inked { key: wanted[0].key, runs: std::sync::Arc::new(Vec::new()) });
    play.app.transcript.newest_foldable().map(|at| play.app.transcript.toggle_fold(at));
    play.resize(58, 16);
    play.answered("and more");
    assert!(!play.screen().contains("unread below"), "{}", play.screen());
    play.info("something new");
    assert!(play.screen().contains("unread below"), "{}", play.screen());
}

#[test]
fn an_unchanged_frame_searches_nothing() {
    let mut play = long_conversation();
    play.draw();
    play.keys("ctrl-f").type_text("needle");
    play.draw();
    let looks = |play: &Play| play.app.search.as_ref().map(|bar| bar.search.looks);
    let before = looks(&play);
    for _ in 0..3 {
        play.draw();
    }
    assert!(before > Some(0));
    assert_eq!(looks(&play), before);
    // What changes is looked through once more.
    play.resize(58, 16);
    play.draw();
    assert!(looks(&play) > before);
}

#[test]
fn what_is_to_be_drawn_stays_so_when_extensions_have_nothing_new() {
    let mut play = conversation();
    play.draw();
    play.app.take_dirty();
    play.hear(Input::Contributions(Vec::new(), Vec::new()));
    assert!(!play.app.is_dirty());
    play.info("one more");
    play.hear(Input::Contributions(Vec::new(), Vec::new()));
    assert!(play.app.is_dirty());
}
