use super::*;
use crate::testing::{failure, registered, rerun, run_call, runtime, success};
use fen_contract::types::joined_text;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Far more than a call takes that does not hang, also on a slow machine.
const SOON: Duration = Duration::from_secs(20);

fn config() -> Config {
    Config::default()
}

/// Runs a command in a directory of its own.
fn bash(command: &str) -> AgentToolResult {
    let dir = tempfile::tempdir().unwrap();
    bash_in(dir.path(), json!({ "command": command }))
}

fn bash_in(cwd: &Path, arguments: Value) -> AgentToolResult {
    let spills = tempfile::tempdir().unwrap();
    let config = Config { spill_dir: Some(spills.path().join("own")), ..config() };
    run_call(&extension(config), &ToolCallContext::detached(cwd), arguments)
}

fn detail<'a>(result: &'a AgentToolResult, name: &str) -> &'a Value {
    &result.details.as_ref().unwrap()[name]
}

#[test]
fn output_and_status_are_told() {
    let result = bash("echo out; echo err >&2; echo more");
    assert_eq!(success(&result), "out\nerr\nmore\n");
    assert_eq!(detail(&result, "exit-code"), 0);
    assert_eq!(detail(&result, "truncated"), false);
    assert_eq!(success(&bash("true")), "(no output)");
    let result = bash("echo before; exit 3");
    assert_eq!(failure(&result), "before\n[Exit status 3]");
    assert_eq!(detail(&result, "exit-code"), 3);
    assert!(failure(&bash("exit 1")).contains("(no output)\n[Exit status 1]"));
    assert!(failure(&bash("no-such-program-anywhere")).contains("127"));
    assert!(failure(&bash("  ")).contains("empty"));
}

#[test]
fn the_call_ends_with_the_shell_whatever_its_children_hold_open() {
    for (command, word) in [
        ("sleep 60 & echo done", "done"),
        ("sleep 60 </dev/null >/dev/null & echo done", "done"),
        ("(while :; do echo tick; sleep 0.05; done) & echo fg", "fg"),
        ("yes & echo fg", "y\n"),
    ] {
        let started = Instant::now();
        let result = bash(&format!("{command}; echo $! > pid"));
        assert!(started.elapsed() < SOON, "{command}");
        let text = success(&result);
        assert!(text.contains(word), "{command}: {text}");
        assert!(text.contains("background process is still running"), "{command}: {text}");
        assert_eq!(detail(&result, "timed-out"), false);
    }
}

#[test]
fn a_background_child_goes_on_living_and_writing() {
    let dir = tempfile::tempdir().unwrap();
    let tool = registered(&extension(config())).tool;
    let call = ToolCallContext::detached(dir.path());
    let command = "(for n in 1 2 3; do sleep 0.3; echo tick; done; touch lived) & echo fg";
    runtime().block_on(async {
        let result = tool.execute(json!({ "command": command }), &call).await;
        assert!(success(&result).starts_with("fg\n"));
        let started = Instant::now();
        while !dir.path().join("lived").exists() {
            assert!(started.elapsed() < SOON);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
}

#[test]
fn a_timeout_ends_the_whole_group_and_keeps_the_output() {
    for command in [
        "echo begun; (sleep 4; touch SENTINEL) & sleep 30",
        "echo begun; bash -c 'trap \"\" TERM; sleep 30; touch SENTINEL'",
        "echo begun; (trap '' TERM; sleep 4; touch SENTINEL) >/dev/null 2>&1 & sleep 30",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let started = Instant::now();
        let result = bash_in(dir.path(), json!({"command": command, "timeout": 1}));
        assert!(started.elapsed() < SOON, "{command}");
        let text = failure(&result);
        assert!(text.contains("begun\n"), "{text}");
        assert!(text.contains("timed out after 1 s"), "{text}");
        assert_eq!(detail(&result, "timed-out"), true);
        let left = Duration::from_secs(5).saturating_sub(started.elapsed());
        std::thread::sleep(left);
        assert!(!dir.path().join("SENTINEL").exists(), "{command}");
    }
    assert!(
        failure(&bash_in(Path::new("/"), json!({"command": "x", "timeout": 0})))
            .contains("timeout")
    );
}

#[test]
fn a_cancelled_call_gives_one_result_with_its_output() {
    let dir = tempfile::tempdir().unwrap();
    let call = ToolCallContext::detached(dir.path());
    let cancel = call.cancel.clone();
    let begun = dir.path().join("begun");
    std::thread::spawn(move || {
        while !begun.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        cancel.cancel();
    });
    let started = Instant::now();
    let command = "echo kept; touch begun; sleep 60; touch SENTINEL";
    let result = run_call(&extension(config()), &call, json!({ "command": command }));
    assert!(started.elapsed() < SOON);
    assert_eq!(failure(&result), "kept\n[Command cancelled]");
    assert_eq!(detail(&result, "cancelled"), true);
    // Another call with the token does not even begin.
    let result = run_call(&extension(config()), &call, json!({"command": "touch SENTINEL"}));
    assert_eq!(failure(&result), "Cancelled.");
    assert!(!dir.path().join("SENTINEL").exists());
}

#[test]
fn dropping_the_call_kills_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let tool = registered(&extension(config())).tool;
    let call = ToolCallContext::detached(dir.path());
    let begun = dir.path().join("begun");
    runtime().block_on(async {
        let command = json!({"command": "(sleep 2; touch SENTINEL) & touch begun; sleep 60"});
        let mut running = tool.execute(command, &call);
        let started = Instant::now();
        while !begun.exists() {
            assert!(started.elapsed() < SOON);
            let _ = tokio::time::timeout(Duration::from_millis(20), &mut running).await;
        }
        drop(running);
    });
    std::thread::sleep(Duration::from_secs(3));
    assert!(!dir.path().join("SENTINEL").exists());
}

#[test]
fn there_is_no_input_and_no_terminal() {
    let started = Instant::now();
    assert_eq!(success(&bash("cat")), "(no output)");
    assert_eq!(success(&bash("read x; echo \"got:$x\"")), "got:\n");
    failure(&bash("head -1 </dev/tty"));
    assert!(started.elapsed() < SOON);
}

#[test]
fn stderr_alone_cannot_stop_a_command() {
    let text = success(&bash("head -c 1000000 /dev/zero | tr '\\0' e >&2; echo; echo ok"));
    assert!(text.contains("eee") && text.contains("\nok\n"));
}

#[test]
fn long_output_shows_its_end_and_keeps_all_of_it_in_a_private_file() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { spill_dir: Some(dir.path().join("spill")), ..config() };
    let call = ToolCallContext::detached(dir.path());
    let seq = |n: u32| {
        run_call(&extension(config.clone()), &call, json!({"command": format!("seq 1 {n}")}))
    };
    let result = seq(2_000);
    assert!(success(&result).starts_with("1\n"));
    assert!(!dir.path().join("spill").exists(), "no file without need");
    let result = seq(100_000);
    let text = success(&result);
    assert!(text.starts_with("98001\n"), "{text:.20}");
    assert!(text.contains("\n100000\n[Shown: the last 2000 lines of 100000, "), "{text:.0}");
    let path = detail(&result, "spill-path").as_str().unwrap();
    assert!(text.contains(path));
    let full: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
    assert_eq!(fs::read_to_string(path).unwrap(), full);
    assert_eq!(detail(&result, "lines"), 100_000);
    assert_eq!(detail(&result, "bytes"), full.len());
}

#[test]
fn a_spill_that_cannot_be_made_costs_only_the_spill() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config { spill_dir: Some(PathBuf::from("/dev/null/none")), ..config() };
    let call = ToolCallContext::detached(dir.path());
    let result = run_call(&extension(config), &call, json!({"command": "seq 1 9999"}));
    let text = success(&result);
    assert!(text.contains("\n9999\n") && text.contains("could not be kept"), "{text:.0}");
}

#[test]
fn memory_stays_flat_under_a_flood() {
    let name = "bash::tests::memory_stays_flat_under_a_flood";
    if !rerun(name, |test| std::process::Command::new(test)) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let config = Config { spill_dir: Some(dir.path().join("spill")), ..config() };
    let call = ToolCallContext::detached(dir.path());
    for command in ["yes | head -c 300000000", "head -c 200000000 /dev/zero"] {
        let result = run_call(&extension(config.clone()), &call, json!({ "command": command }));
        let text = success(&result);
        assert!(text.len() < crate::bounds::MAX_BYTES + 500);
        assert!(text.contains("The first 64.0 MiB"), "{}", &text[text.len() - 300..]);
    }
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 100_000, "{peak} kB");
}

#[test]
fn an_endless_flood_is_ended_by_the_timeout() {
    let result = bash_in(Path::new("/"), json!({"command": "yes", "timeout": 1}));
    let text = failure(&result);
    assert!(text.starts_with("y\ny\n") && text.contains("timed out"));
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(success(&bash("printf '\\xf0'")), "\u{FFFD}");
    assert_eq!(success(&bash("printf 'head\\xfftail'")), "head\u{FFFD}tail");
    assert_eq!(success(&bash("printf 'a\\0b'")), "a\u{FFFD}b");
    assert!(!success(&bash("head -c 300 /dev/urandom")).contains('\0'));
    let text = success(&bash("head -c 51199 /dev/zero | tr '\\0' a; printf '─'"));
    assert!(text.contains("a─\n["), "the cut is not inside a character");
}

#[test]
fn death_by_a_signal_is_an_error_with_its_name() {
    for (signal, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11)] {
        let result = bash(&format!("printf 'before-kill\\n'; kill -{signal} $$"));
        let code = 128 + number;
        let expected = format!("before-kill\n[Killed by SIG{signal}; exit status {code}]");
        assert_eq!(failure(&result), expected);
        assert_eq!(detail(&result, "exit-code"), code);
        assert_eq!(detail(&result, "signal"), &format!("SIG{signal}"));
    }
    let text = failure(&bash("sh -c 'kill -KILL $$'; exit $?"));
    assert!(text.contains("Exit status 137 (128 + SIGKILL)"), "{text}");
}

#[test]
fn a_directory_that_is_gone_is_said_to_be_gone() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let call = ToolCallContext::detached(&gone);
    fs::remove_dir(&gone).unwrap();
    let run = |arguments| run_call(&extension(config()), &call, arguments);
    let text = failure(&run(json!({"command": "echo hi"})));
    assert!(text.contains("is gone"), "{text}");
    assert_eq!(success(&run(json!({"command": "pwd", "cwd": "/"}))), "/\n");
    let text = failure(&bash_in(dir.path(), json!({"command": "pwd", "cwd": "missing"})));
    assert!(text.contains("does not exist"), "{text}");
    let text = failure(&bash_in(dir.path(), json!({"command": "pwd", "cwd": "/dev/null"})));
    assert!(text.contains("not a directory"), "{text}");
    fs::create_dir(dir.path().join("sub")).unwrap();
    let text = success(&bash_in(dir.path(), json!({"command": "pwd", "cwd": "sub"})));
    assert!(text.ends_with("/sub\n"), "{text}");
}

#[test]
fn commands_do_not_inherit_credentials_unless_told_to() {
    // Variables that every environment has stand for credentials; setting some would race.
    let call = ToolCallContext::detached("/");
    let command = json!({"command": "echo \"home=$HOME path=$PATH pager=$PAGER\""});
    let config = config();
    config.credentials.note("HOME");
    let text = success(&run_call(&extension(config.clone()), &call, command.clone()));
    assert!(text.starts_with("home= path=/"), "{text}");
    assert!(text.ends_with("pager=cat\n"), "{text}");
    let config = Config { keep_env: vec!["HOME".to_owned()], ..config };
    let text = success(&run_call(&extension(config), &call, command));
    assert!(text.starts_with("home=/"), "{text}");
}

#[test]
fn output_is_passed_on_as_it_comes() {
    let seen = Arc::new(Mutex::new(Vec::<String>::new()));
    let mut call = ToolCallContext::detached("/");
    let sink = seen.clone();
    call.output = Arc::new(move |text| sink.lock().unwrap().push(text.to_owned()));
    let command = json!({"command": "echo one; sleep 0.5; printf 'zwei é'"});
    let result = run_call(&extension(config()), &call, command);
    let seen = seen.lock().unwrap();
    assert!(seen.len() >= 2, "{seen:?}");
    assert_eq!(seen.concat(), joined_text(&result.content));
}

#[test]
fn a_command_line_may_hold_anything() {
    assert_eq!(success(&bash("echo \"a 'b' \\$x ü\"")), "a 'b' $x ü\n");
    assert_eq!(success(&bash("cat <<'X'\n-n $y\nX")), "-n $y\n");
    assert!(failure(&bash("echo a\0b")).contains("NUL"));
}
