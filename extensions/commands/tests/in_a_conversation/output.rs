//! Copying, unfolding, drawing anew, and pages.

use crate::support::{Answer, Stage};
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, TextContent, ToolCall,
    ToolResultMessage, UserMessage,
};
use serde_json::json;
use std::sync::Arc;

fn answer(text: &str) -> Message {
    let blocks = vec![AssistantBlock::Text(TextContent::new(text))];
    AssistantMessage::new(blocks, StopReason::Stop).into()
}

/// A prompt, a call with its result, and an answer with code.
fn messages(output: &str) -> Vec<Message> {
    let call = Arc::new(ToolCall::new("1", "bash", json!({})));
    let result = ToolResultMessage::new(&call, AgentToolResult::text(output.to_owned()));
    let calling = AssistantMessage::new(vec![AssistantBlock::ToolCall(call)], StopReason::ToolUse);
    vec![
        UserMessage::new("fix it").into(),
        calling.into(),
        result.into(),
        answer("Done:\n```rust\nlet a = 1;\n```\nThat is all."),
    ]
}

fn talked(stage: Stage) -> Stage {
    Stage { messages: messages("the output"), ..stage }
}

#[test]
fn answers_code_and_whole_conversations_are_copied() {
    let stage = talked(Stage::at_a_screen([]));
    let told = stage.types(&["/copy", "/copy code", "/copy all", "/copy that"]);
    let seen = stage.seen();
    assert_eq!(seen[0], "copied: Done:\n```rust\nlet a = 1;\n```\nThat is all.");
    assert_eq!(seen[1], "copied: let a = 1;", "it is not said to be done before it is");
    let all = "copied: You:\nfix it\n\n[tool bash]\n\nModel:\nDone:\n```rust\nlet a = 1;\n```\nThat \
               is all.";
    assert_eq!(seen[2..], [all]);
    assert!(told.outcomes[3].as_ref().unwrap_err().contains("last, code, all"));
    assert!(told.infos.is_empty());
}

#[test]
fn what_is_not_there_or_cannot_be_copied_is_said() {
    let told = Stage::at_a_screen([]).types(&["/copy", "/copy code", "/copy all"]);
    assert!(told.outcomes.iter().all(Result::is_err));
    let plain = Stage { messages: vec![answer("no code")], ..Stage::at_a_screen([]) };
    assert!(plain.types(&["/copy code"]).outcomes[0].as_ref().unwrap_err().contains("no block"));
    let told = talked(Stage::on_paper()).types(&["/copy"]);
    assert_eq!((told.outcomes[0].is_err(), told.errors.len()), (true, 1));
    let huge = answer(&"x".repeat(9 << 20));
    let stage = Stage { messages: vec![huge], ..Stage::at_a_screen([]) };
    let told = stage.types(&["/copy", "/copy all"]);
    for outcome in told.outcomes {
        assert!(outcome.unwrap_err().contains("too long for a clipboard"));
    }
}

#[test]
fn output_is_unfolded_on_a_screen_and_else_the_last_result_is_said() {
    let stage = talked(Stage::at_a_screen([]));
    assert!(stage.types(&["/expand"]).infos.is_empty());
    assert_eq!(stage.seen(), ["expanded"]);
    assert_eq!(talked(Stage::on_paper()).types(&["/expand"]).infos, ["bash:\nthe output"]);
    let told = Stage::on_paper().types(&["/expand"]);
    assert!(told.outcomes[0].as_ref().unwrap_err().contains("no tool has run"));
    let long = Stage { messages: messages(&"ü".repeat(100_000)), ..Stage::on_paper() };
    let said = &long.types(&["/expand"]).infos[0];
    assert!(said.len() < 70_000 && said.ends_with("… 134464 bytes more"), "{}", said.len());
}

#[test]
fn the_screen_is_drawn_anew() {
    let told = Stage::on_paper().types(&["/redraw"]);
    assert!(told.events.contains(&"redraw".to_owned()));
    assert!(told.infos.is_empty());
}

#[test]
fn help_is_a_page_with_keys_on_a_screen_and_lines_elsewhere() {
    let stage = Stage::at_a_screen([]);
    let told = stage.types(&["/help", "/docs", "/extensions"]);
    assert!(told.infos.is_empty());
    let seen = stage.seen();
    assert!(seen[0].starts_with("page Help: Commands"), "{}", seen[0]);
    for part in [
        "\n  /resume [id or words | all]",
        "\nKeys:\n  ctrl-o                   does something\n",
        "does something (but: ctrl-p is taken by `x`)",
    ] {
        assert!(seen[0].contains(part), "{part}: {}", seen[0]);
    }
    assert!(seen[1].starts_with("page Reference: ") && seen[2].starts_with("page Extensions: "));
    let told = Stage::on_paper().types(&["/help"]);
    assert!(told.infos[0].contains("/quit") && !told.infos[0].contains("Keys:"));
}

#[test]
fn the_use_of_one_command_is_shown() {
    let told = Stage::on_paper().types(&["/help name", "/help /name", "/name help", "/help nmae"]);
    let usage = "/name [title] — Show or change the title of this conversation";
    assert_eq!(told.infos, [usage; 3]);
    assert!(told.outcomes[3].as_ref().unwrap_err().contains("did you mean `name`?"));
}

#[test]
fn every_command_says_what_it_is_for() {
    let stage = Stage::at_a_screen([Answer::Nothing]);
    stage.types(&["/help"]);
    let page = &stage.seen()[0];
    for name in [
        "help",
        "status",
        "model",
        "thinking",
        "new",
        "queue",
        "cancel-all",
        "quit",
        "resume",
        "sessions",
        "name",
        "copy",
        "expand",
        "redraw",
        "theme",
        "extensions",
        "docs",
    ] {
        let head = format!("\n  /{name} ");
        let row = page.split(&head).nth(1).unwrap_or_else(|| panic!("{name}: {page}"));
        let words = row.lines().next().unwrap();
        assert!(words.split_whitespace().count() > 0, "{name}");
    }
}
