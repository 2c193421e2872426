//! Tool calls from their beginning to their result, and commands of the person's.

use super::conversation;
use crate::effect::Effect;
use crate::input::Input;
use fen_contract::types::AgentToolResult;
use insta::assert_snapshot;
use serde_json::json;
use std::time::Duration;

#[test]
fn tool_running() {
    let mut play = conversation();
    play.said("Run the tests").asked();
    play.calls("1", "bash", json!({"command": "sh test.sh", "timeout": 30}));
    play.own("fen/tool-output", json!({"tool-call-id": "1", "delta": "checking 1\nchecking 2\n"}));
    play.wait(Duration::from_millis(2_500));
    assert_snapshot!(play.screen());
}

#[test]
fn tool_finished_and_unfolded() {
    let mut play = conversation();
    let call = play.calls("1", "bash", json!({"command": "ls"}));
    play.wait(Duration::from_millis(320));
    play.gave(&call, AgentToolResult::text("Cargo.toml\nsrc\ntests\n"));
    assert_snapshot!("tool_finished", play.screen());
    assert_snapshot!("tool_unfolded", play.keys("ctrl-o").screen());
    assert_snapshot!("tool_folded_again", play.keys("ctrl-o").screen());
}

#[test]
fn tool_failed() {
    let mut play = conversation();
    let call = play.calls("1", "read", json!({"path": "nowhere.txt"}));
    play.gave(&call, AgentToolResult::error("nowhere.txt: no such file\nTry ls first."));
    assert_snapshot!(play.screen());
}

#[test]
fn diff() {
    let mut play = conversation();
    let call = play.calls("1", "edit", json!({"path": "average.sh", "edits": [1]}));
    let diff = "@@ -5,3 +5,3 @@\n for n in \"$@\"; do\n-echo $((sum / ($# + 1)))\n+echo $((sum / $#))\n done\n";
    let result = AgentToolResult::text("Edited average.sh.")
        .with_details(json!({"diff": diff, "added": 1, "removed": 1}));
    play.gave(&call, result);
    assert_snapshot!(play.screen());
}

#[test]
fn several_tools() {
    let mut play = conversation();
    let one = play.calls("1", "read", json!({"path": "a.rs"}));
    let two = play.calls("2", "read", json!({"path": "b.rs", "offset": 10}));
    play.calls("3", "grep", json!({"pattern": "fn main", "path": "src"}));
    play.gave(&one, AgentToolResult::text("x\n".repeat(200)));
    play.gave(&two, AgentToolResult::error("b.rs: binary file"));
    assert_snapshot!(play.screen());
}

#[test]
fn a_command_shows_what_hides_in_it() {
    let mut play = conversation();
    play.calls("1", "bash", json!({"command": "rm \u{202e}x\u{200b}\nls"}));
    assert_snapshot!(play.screen());
}

#[test]
fn a_command_of_the_persons() {
    let mut play = conversation();
    play.type_text("!git status --short").keys("enter");
    let Some(Effect::Shell { shell, command, audience }) = play.effects.pop() else { panic!() };
    assert_eq!(command, "git status --short");
    play.hear(Input::ShellOutput(shell, " M src/lib.rs\n".to_owned()));
    play.wait(Duration::from_millis(40));
    let text = " M src/lib.rs\n".to_owned();
    play.hear(Input::ShellEnd { shell, command, audience, end: Ok(()), text });
    assert_snapshot!(play.screen());
    play.type_text("what is new?").keys("enter");
    let sent = play.effects.iter().rev().find_map(|effect| match effect {
        Effect::Submit { line, .. } => Some(line.as_str()),
        _ => None,
    });
    let expected = "I ran `git status --short`:\n```\n M src/lib.rs\n```\n\nwhat is new?";
    assert_eq!(sent, Some(expected));
}

#[test]
fn two_exclamation_marks_keep_it_from_the_model() {
    let mut play = conversation();
    play.type_text("!!date").keys("enter");
    let Some(Effect::Shell { shell, command, audience }) = play.effects.pop() else { panic!() };
    let end = Err("exit code 1".to_owned());
    play.hear(Input::ShellEnd { shell, command, audience, end, text: String::new() });
    assert!(play.app.held.is_empty());
    assert_snapshot!(play.screen());
}
