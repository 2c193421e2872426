//! Answers: Markdown, reasoning, scripts and emoji.

use super::conversation;
use crate::testing::Play;
use fen_contract::types::{AssistantBlock, TextContent, ThinkingContent};
use insta::assert_snapshot;

#[test]
fn start() {
    assert_snapshot!(Play::new(80, 24).screen());
}

#[test]
fn an_answer() {
    assert_snapshot!(conversation().screen());
}

#[test]
fn markdown() {
    let mut play = Play::new(80, 40);
    play.said("Show me everything").answered(
        "# A heading\n\nSome *words* with `code`, ~~a mistake~~ and [a link](https://example.org/x).\n\n\
         - one\n- two\n  1. nested\n- [x] done\n\n> quoted words\n> over two lines\n\n\
         ```rust\nfn main() {\n    println!(\"hi\");\n}\n```\n\n\
         | name | size |\n|:-----|-----:|\n| alpha | 1 |\n| beta | 22 |\n\n---\n\nThe end.",
    );
    assert_snapshot!(play.screen());
}

#[test]
fn streaming() {
    let mut play = Play::new(80, 16);
    play.said("Tell me").asked().streams("It is **hal").streams("f** done, with\n\n```sh\nls -la");
    assert_snapshot!(play.screen());
}

#[test]
fn what_streamed_in_and_what_is_stored_look_the_same() {
    let text = "First *words*.\n\n- a\n- b\n\n```sh\nls\n```\n\nThe end.";
    let mut play = Play::new(60, 24);
    play.said("Tell me").asked();
    for piece in text.split_inclusive(' ') {
        play.streams(piece);
    }
    let mut other = Play::new(60, 24);
    other.said("Tell me").answered(text).done();
    let streamed = play.answered(text).done().screen();
    assert_eq!(streamed, other.screen());
}

#[test]
fn thinking_shown_and_folded() {
    let mut play = Play::new(60, 16);
    let thinking = ThinkingContent::new("First I look at the test.\nThen at what it tests.");
    play.said("Why?").answered_with(vec![
        AssistantBlock::Thinking(thinking),
        AssistantBlock::Text(TextContent::new("Because of the sum.")),
    ]);
    assert_snapshot!("thinking_shown", play.screen());
    assert_snapshot!("thinking_folded", play.keys("ctrl-t").screen());
}

#[test]
fn cjk() {
    let mut play = Play::new(40, 14);
    play.said("请解释来自上游渠道的报错").answered(
        "来自上游渠道的报错表示服务器在处理请求时发生了错误，请稍后重试。\n\n| 名 | 値 |\n|---|---|\n| 東京 | 日本 |",
    );
    assert_snapshot!(play.screen());
}

#[test]
fn emoji() {
    let mut play = Play::new(40, 12);
    play.said("👨‍👩‍👧 hi").answered("✅ done 🇩🇪 e\u{301} ❤\u{fe0f} `ㅤㅤ✅` and 🏳️‍🌈 at the end");
    assert_snapshot!(play.screen());
}

#[test]
fn right_to_left() {
    let mut play = Play::new(40, 12);
    play.said("שלום").answered("עברית and العربية in one line, می\u{200c}خواهم too");
    assert_snapshot!(play.screen());
}

#[test]
fn remarks_and_errors() {
    let mut play = conversation();
    play.info("model script of mock\nthinking off").error("the provider said no");
    play.event(fen_contract::events::ExtensionError {
        error: "attempt to index a nil value".to_owned(),
        event: Some("render".to_owned()),
        owner: Some("clock".into()),
        extra: Default::default(),
    });
    assert_snapshot!(play.screen());
}

#[test]
fn hostile_text_stays_text() {
    let mut play = Play::new(60, 14);
    play.said("\u{1b}]0;owned\u{7}hi\u{1b}[2J")
        .answered("a\u{1b}]52;c;cm0=\u{7}b\u{9b}2Jc\u{1b}c and \u{202e}reversed\u{200b}.");
    assert_snapshot!(play.screen());
}

#[test]
fn timestamps() {
    let mut play = conversation();
    play.keys("alt-t");
    let screen = play.screen();
    // The hour depends on where the test runs.
    let times = screen.lines().filter(|line| {
        let line = line.trim();
        line.len() == 5 && line.as_bytes()[2] == b':'
    });
    assert_eq!(times.count(), 2, "{screen}");
}
