//! A reader of standard output that goes away.

use crate::support::{Place, appears, ends};
use serde_json::json;

#[test]
fn a_reader_that_leaves_ends_the_run_quietly_with_its_commands() {
    let place = Place::new();
    let command = "echo $$ > shell.pid; while :; do echo more and more and more; done";
    let turns = || {
        json!([
            {"tool-calls": [{"name": "bash", "arguments": {"command": command}}]},
            {"text": "x".repeat(100_000)},
        ])
    };
    // Before the command has begun.
    let mut running = place.mocked(turns(), ["--json-stream", "-p", "go"]).start();
    running.read_one_line();
    let outcome = running.finish().expect(0);
    assert_eq!(outcome.stderr, "", "{}", outcome.report());
    // While it writes.
    let _ = std::fs::remove_file(place.project("shell.pid"));
    let mut running = place.mocked(turns(), ["--json-stream", "-p", "go"]).start();
    let shell = appears(&place.project("shell.pid"));
    running.close_output();
    let outcome = running.finish().expect(0);
    assert_eq!(outcome.stderr, "", "{}", outcome.report());
    ends(shell);
}

#[test]
fn a_reader_that_leaves_while_a_command_is_silent_ends_the_run_too() {
    let place = Place::new();
    for presenter in ["json-stream", "json", "print"] {
        let turns = json!([
            {"tool-calls": [{"name": "bash", "arguments":
                {"command": "echo $$ > shell.pid; exec sleep 1000", "timeout": 3600}}]},
            {"text": "done"},
        ]);
        let mut running = place.mocked(turns, ["--presenter", presenter, "-p", "go"]).start();
        let shell = appears(&place.project("shell.pid"));
        running.close_output();
        running.finish().expect(0);
        ends(shell);
        std::fs::remove_file(place.project("shell.pid")).unwrap();
    }
}

#[test]
fn an_answer_larger_than_a_pipe_may_be_left_unread() {
    let place = Place::new();
    for presenter in ["print", "json", "json-stream"] {
        let turns = json!([{"text": format!("line\n{}", "x".repeat(300_000)), "chunk": 1000}]);
        let fen = place.mocked(turns, ["--presenter", presenter, "-p", "go"]);
        let mut running = fen.start();
        running.read_one_line();
        let outcome = running.finish().expect(0);
        assert_eq!(outcome.stderr, "", "{}", outcome.report());
    }
}

#[test]
fn the_other_commands_do_not_mind_either() {
    let place = Place::new();
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["--version"],
        &["list"],
        &["list", "models", "--json"],
        &["show", "tools", "bash"],
        &["docs"],
        &["docs", "--json"],
        &["providers"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let mut running = place.fen(arguments).start();
        running.close_output();
        let outcome = running.finish().expect(0);
        assert_eq!(outcome.stderr, "", "{}", outcome.report());
    }
    let mut running = place.fen(["demo"]).start();
    running.close_output();
    running.finish().expect(0);
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let place = Place::new();
    for arguments in [&["--provider", "mock", "-p", "x"][..], &["list"]] {
        let outcome = place.fen(arguments).after("exec >/dev/full").run().expect(1);
        outcome.complains(&["standard output cannot be written"]);
    }
}
