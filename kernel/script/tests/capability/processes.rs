//! `api.process.run`: results, bounds, and that nothing outlives a call that was given up.

use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::vm::CallErrorKind;
use serde_json::json;

use crate::kit::{SOON, World, processes_with, until, world};

#[test]
fn a_program_runs_and_any_exit_is_an_answer() {
    let world = world();
    let run = |call: &str| world.ok(&format!("return api.process.run({call})"));
    assert_eq!(
        run("{'sh', '-c', 'echo out; echo err >&2; exit 3'}"),
        json!({"ok": true, "code": 3, "stdout": "out\n", "stderr": "err\n", "truncated?": false})
    );
    assert_eq!(run("{'echo', 'a  b', '$HOME', 5}")["stdout"], "a  b $HOME 5\n");
    let killed = run("{'sh', '-c', 'kill -KILL $$'}");
    assert_eq!((&killed["code"], &killed["signal"]), (&json!(137), &json!("SIGKILL")));
    assert_eq!(run("{'cat'}, {stdin = 'in\\0put'}")["stdout"], "in\u{0}put");
    assert_eq!(run("{'cat'}")["stdout"], "", "without input there is none to wait for");
    world.project.write("sub/x", "");
    assert_eq!(run("{'ls'}, {cwd = 'sub'}")["stdout"], "x\n");
}

#[test]
fn what_cannot_be_started_says_why() {
    let world = world();
    world.project.write("plain", "");
    let run = |call: &str| world.ok(&format!("return api.process.run({call})"));
    assert_eq!(run("{'no-such-program'}")["kind"], "not-found");
    assert_eq!(run("{'./plain'}")["kind"], "denied");
    let missing = run("{'true'}, {cwd = 'gone'}");
    assert_eq!(missing["kind"], "not-found");
    assert!(missing["error"].as_str().unwrap().contains("gone"), "{missing}");
    assert_eq!(run("{'true'}, {cwd = 'plain'}")["kind"], "invalid");
}

#[test]
fn credentials_are_not_inherited_unless_they_are_passed() {
    let world = world();
    // A variable that every environment has stands for a credential; setting one would race.
    world.around.credentials.note("HOME");
    let seen = world.ok("local show = {'sh', '-c', 'echo \"$HOME,$EXTRA,${PATH:+path}\"'}
         return {
           api.process.run(show).stdout,
           api.process.run(show, {env = {HOME = '/x', EXTRA = 'y', PATH = false}}).stdout,
         }");
    assert_eq!(seen[0], ",,path\n");
    assert!(seen[1].as_str().unwrap().starts_with("/x,y,"), "{seen}");
}

#[test]
fn a_flood_stays_bounded() {
    let world = world();
    let seen = world.ok(
        "local r = api.process.run({'sh', '-c', 'head -c 100000000 /dev/zero; echo end >&2'},
           {max_bytes = 1000})
         return {#r.stdout, r.stderr, r.truncated, r.code}",
    );
    assert_eq!(seen, json!([1_000, "end\n", true, 0]));
    let seen = world.ok("return #api.process.run({'head', '-c', '9000000', '/dev/zero'}).stdout");
    assert_eq!(seen, 1 << 20);
}

#[test]
fn a_background_child_that_holds_the_output_keeps_nobody_waiting() {
    let world = world();
    let began = Instant::now();
    let seen = world.ok("local r = api.process.run({'sh', '-c', 'sleep 31.4 & echo $!'})
         return r.stdout");
    assert!(began.elapsed() < SOON);
    let pid = seen.as_str().unwrap().trim().to_owned();
    assert!(std::path::Path::new("/proc").join(&pid).exists(), "it lives on");
    let killed = std::process::Command::new("kill").arg(&pid).status().unwrap();
    assert!(killed.success());
    let flood =
        world.ok("return #api.process.run({'sh', '-c', 'timeout 5 yes & echo'}).stdout > 0");
    assert_eq!(flood, true);
}

#[test]
fn a_timeout_ends_all_processes_and_keeps_the_output() {
    let world = world();
    for (mark, command) in [
        ("31.501", "echo begun; sleep 31.501 & sleep 31.501"),
        ("31.502", "echo begun; trap '' TERM; (trap '' TERM; sleep 31.502) & sleep 31.502"),
    ] {
        let answer = world.ok(&format!(
            "return api.process.run({{'sh', '-c', \"{command}\"}}, {{timeout_ms = 300}})"
        ));
        assert_eq!(
            (&answer["ok"], &answer["kind"]),
            (&json!(false), &json!("timeout")),
            "{answer}"
        );
        assert_eq!(answer["stdout"], "begun\n");
        until("all are gone", || processes_with(mark) == 0);
    }
}

#[test]
fn cancelling_ends_all_processes_at_once() {
    let world = world();
    let token = CancelToken::new();
    let wait = world.begin(
        "local ok, words = pcall(api.process.run, {'sh', '-c', 'sleep 31.601 & sleep 31.601'})
         error(words, 0)",
        token.clone(),
    );
    until("they run", || processes_with("31.601") >= 2);
    let began = Instant::now();
    token.cancel();
    assert_eq!(wait().unwrap_err().kind, CallErrorKind::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    until("all are gone", || processes_with("31.601") == 0);
}

#[test]
fn the_end_of_the_script_thread_ends_its_processes() {
    let world = world();
    let source = "api.process.run({'sh', '-c', 'sleep 31.701 & sleep 31.701'})";
    let _waiting = world.begin(source, CancelToken::new());
    until("they run", || processes_with("31.701") >= 2);
    let (_project, _runtime) = world.end_thread();
    until("all are gone", || processes_with("31.701") == 0);
}

#[test]
fn the_end_of_the_runtime_ends_its_processes_and_answers_the_script() {
    let world = world();
    let source = "return api.process.run({'sh', '-c', 'sleep 31.801 & sleep 31.801'}).kind";
    let waiting = world.begin(source, CancelToken::new());
    until("they run", || processes_with("31.801") >= 2);
    let World { runtime, .. } = world;
    runtime.shutdown_background();
    assert_eq!(waiting().unwrap(), "cancelled");
    until("all are gone", || processes_with("31.801") == 0);
}
