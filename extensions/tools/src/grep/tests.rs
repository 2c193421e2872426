use super::*;
use crate::testing::{failure, run, run_call, success};
use std::fs;

/// A directory with these files.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

fn found(dir: &tempfile::TempDir, arguments: Value) -> String {
    success(&run(&extension(), dir.path(), arguments))
}

#[test]
fn matches_come_by_path_and_line() {
    let dir = tree(&[
        ("b.txt", "x one\ny\nx two\r\n"),
        ("a/z.txt", "x three\n"),
        ("a/b/c.txt", "x four"),
        ("n.txt", "none\n"),
    ]);
    assert_eq!(
        found(&dir, json!({"pattern": "^x"})),
        "a/b/c.txt:1:x four\na/z.txt:1:x three\nb.txt:1:x one\nb.txt:3:x two"
    );
    assert_eq!(found(&dir, json!({"pattern": "two$"})), "b.txt:3:x two");
    assert_eq!(found(&dir, json!({"pattern": "nothing here"})), "No matches");
    assert_eq!(found(&dir, json!({"pattern": "X T", "ignore_case": true})).lines().count(), 2);
    assert_eq!(found(&dir, json!({"pattern": "x", "path": "a/z.txt"})), "a/z.txt:1:x three");
    assert_eq!(found(&dir, json!({"pattern": "four", "path": "./a/"})), "a/b/c.txt:1:x four");
    let other = tempfile::tempdir().unwrap();
    let text = found(&other, json!({"pattern": "four", "path": dir.path()}));
    assert_eq!(text, format!("{}:1:x four", dir.path().join("a/b/c.txt").display()));
}

#[test]
fn a_pattern_is_never_an_option() {
    let dir =
        tree(&[("f", "a -world\nb -> c\n--pre=./payload.sh\n"), ("payload.sh", "touch ran\n")]);
    assert_eq!(found(&dir, json!({"pattern": "-world"})), "f:1:a -world");
    assert_eq!(found(&dir, json!({"pattern": "->"})), "f:2:b -> c");
    assert_eq!(found(&dir, json!({"pattern": "--pre=./payload.sh"})), "f:3:--pre=./payload.sh");
    assert!(!dir.path().join("ran").exists());
    let words = failure(&run(&extension(), dir.path(), json!({"pattern": "x", "path": "-rf"})));
    assert!(words.contains("-rf: it does not exist"), "{words}");
}

#[test]
fn a_bad_regex_is_refused_with_a_hint_and_works_as_plain_text() {
    let dir = tree(&[("f", "call(a[0]\n")]);
    let words = failure(&run(&extension(), dir.path(), json!({"pattern": "call("})));
    assert!(words.contains("Set literal"), "{words}");
    assert_eq!(found(&dir, json!({"pattern": "call(a[", "literal": true})), "f:1:call(a[0]");
    for pattern in ["", "a\nb", "a\\nb"] {
        failure(&run(&extension(), dir.path(), json!({"pattern": pattern})));
    }
}

#[test]
fn ignore_files_count_in_their_own_directory_only() {
    let dir = tree(&[
        (".gitignore", "*.log\nbuild/\n"),
        (".venv/.gitignore", "*\n"),
        (".venv/lib.py", "needle\n"),
        (".github/ci.yml", "needle\n"),
        (".git/config", "needle\n"),
        ("build/out.txt", "needle\n"),
        ("src/CLAUDE.md", "needle\n"),
        ("run.log", "needle\n"),
    ]);
    let text = found(&dir, json!({"pattern": "needle"}));
    assert_eq!(text, ".github/ci.yml:1:needle\nsrc/CLAUDE.md:1:needle");
}

#[test]
fn an_ignored_path_that_is_named_is_searched() {
    let dir = tree(&[
        (".gitignore", "*.log\nbuild/\nlogs/*\n"),
        (".venv/.gitignore", "*\n"),
        (".venv/lib.py", "needle\n"),
        ("build/out.txt", "needle\n"),
        ("logs/a.txt", "needle\n"),
        ("run.log", "needle\n"),
    ]);
    for (path, file) in [
        ("build", "build/out.txt"),
        ("run.log", "run.log"),
        ("logs", "logs/a.txt"),
        (".venv", ".venv/lib.py"),
    ] {
        let text = found(&dir, json!({"pattern": "needle", "path": path}));
        assert!(text.starts_with(&format!("{file}:1:needle")), "{text}");
    }
}

#[test]
fn binary_files_are_skipped_and_refused_when_named() {
    let dir = tree(&[("bin", "needle\0"), ("text", "needle\n")]);
    let late = "needle\n".to_owned() + &"some more\n".repeat(50_000) + "\0";
    fs::write(dir.path().join("late"), late).unwrap();
    fs::write(dir.path().join("latin"), b"needle \xe9\n").unwrap();
    let text = found(&dir, json!({"pattern": "needle"}));
    assert_eq!(text, "latin:1:needle \u{FFFD}\ntext:1:needle");
    assert_eq!(found(&dir, json!({"pattern": "needle", "glob": "bin"})), "No matches");
    let named = run(&extension(), dir.path(), json!({"pattern": "needle", "path": "bin"}));
    assert!(failure(&named).contains("binary file"));
}

#[test]
fn a_glob_narrows_the_search() {
    let dir = tree(&[("a.rs", "x\n"), ("src/b.rs", "x\n"), ("src/c.ts", "x\n")]);
    let with = |glob: &str| found(&dir, json!({"pattern": "x", "glob": glob}));
    assert_eq!(with("*.rs"), "a.rs:1:x\nsrc/b.rs:1:x");
    assert_eq!(with("src/**"), "src/b.rs:1:x\nsrc/c.ts:1:x");
    assert_eq!(with("!*.rs"), "src/c.ts:1:x");
    let bad = run(&extension(), dir.path(), json!({"pattern": "x", "glob": "a["}));
    assert!(failure(&bad).contains("Invalid glob"));
}

#[test]
fn context_lines_are_marked_and_groups_set_apart() {
    let dir = tree(&[("f", "1\n2\nx\n4\n5\n6\n7\nx\n9\n"), ("g", "x\n")]);
    assert_eq!(
        found(&dir, json!({"pattern": "x", "context": 1})),
        "f-2-2\nf:3:x\nf-4-4\n--\nf-7-7\nf:8:x\nf-9-9\n--\ng:1:x"
    );
    assert_eq!(
        found(&dir, json!({"pattern": "x", "context": 1, "limit": 1})),
        "f-2-2\nf:3:x\nf-4-4\n[First 1 matches; there are more]"
    );
}

#[test]
fn the_limit_keeps_the_first_and_tells() {
    let files: Vec<(String, String)> =
        (0..40).map(|n| (format!("d{:02}/f", n), "x\nx\n".to_owned())).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, content)| (path.as_str(), content.as_str())).collect();
    let dir = tree(&files);
    let expected = "d00/f:1:x\nd00/f:2:x\nd01/f:1:x\n[First 3 matches; there are more]";
    for _ in 0..5 {
        assert_eq!(found(&dir, json!({"pattern": "x", "limit": 3})), expected);
    }
    assert_eq!(found(&dir, json!({"pattern": "x", "limit": 80})).lines().count(), 80);
    assert_eq!(found(&dir, json!({"pattern": "x", "limit": 79})).lines().count(), 80);
}

#[test]
fn long_lines_and_much_output_are_cut() {
    let long = format!("{}needle{}", "─".repeat(5_000), "─".repeat(5_000));
    let dir = tree(&[("f", &long)]);
    let text = found(&dir, json!({"pattern": "needle"}));
    assert!(text.starts_with("f:1:…") && text.ends_with('…') && text.contains("needle"));
    assert!(text.len() < 600);
    let wide = format!("{}\n", "x".repeat(400)).repeat(500);
    let dir = tree(&[("f", &wide)]);
    let text = found(&dir, json!({"pattern": "x", "limit": 1000}));
    assert!(text.len() < MAX_BYTES + 200);
    assert!(text.ends_with("[Output cut at 2000 lines or 50 KiB; narrow the search]"));
}

#[test]
fn pipes_are_not_opened() {
    let dir = tree(&[("f", "x\n")]);
    let fifo = dir.path().join("p");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    assert_eq!(found(&dir, json!({"pattern": "x"})), "f:1:x");
    let words = failure(&run(&extension(), dir.path(), json!({"pattern": "x", "path": "p"})));
    assert!(words.contains("a named pipe"), "{words}");
}

#[test]
fn a_cancelled_search_ends() {
    let dir = tree(&[("f", "x\n")]);
    let call = ToolCallContext::detached(dir.path());
    let cancel = call.cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        cancel.cancel();
    });
    let result = run_call(&extension(), &call, json!({"pattern": "never", "path": "/usr"}));
    let text = fen_contract::types::joined_text(&result.content);
    assert!(text == "Cancelled." || !result.is_error, "{text}");
    call.cancel.cancel();
    let result = run_call(&extension(), &call, json!({"pattern": "x"}));
    assert_eq!(failure(&result), "Cancelled.");
}
