//! What was entered, in memory and in files that several have open.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

use fen_editor::History;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fen/project/history.jsonl");
    (folder, path)
}

fn opened(path: &Path) -> History {
    let (history, problem) = History::open(path.to_owned());
    assert_eq!(problem, None);
    history
}

/// All entries, the newest first, as walking through them gives them.
fn all(history: &mut History) -> Vec<String> {
    history.left();
    let mut entries = Vec::new();
    while let Some(entry) = history.previous("") {
        entries.push(entry.to_owned());
    }
    history.left();
    entries
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_walk_goes_back_and_comes_back_to_the_draft() {
    let mut history = History::default();
    for entry in ["one", "two", "three"] {
        history.add(entry);
    }
    assert_eq!(history.next(), None);
    assert_eq!(history.previous("draft"), Some("three"));
    assert_eq!(history.previous("three"), Some("two"));
    assert_eq!(history.previous("two"), Some("one"));
    assert_eq!(history.previous("one"), None);
    assert_eq!(history.next(), Some("two"));
    assert_eq!(history.next(), Some("three"));
    assert_eq!(history.next(), Some("draft"));
    assert_eq!(history.next(), None);
}

#[test]
fn a_walk_ends_where_the_text_was_changed() {
    let mut history = History::default();
    history.add("one");
    history.add("two");
    history.previous("draft");
    history.left();
    assert_eq!(history.next(), None);
    assert_eq!(history.previous("two, changed"), Some("two"));
    assert_eq!(history.next(), Some("two, changed"));
    // What is there already is no step.
    assert_eq!(history.previous("two"), Some("one"));
}

#[test]
fn some_text_is_not_kept() {
    let mut history = History::default();
    let long = "x".repeat((64 << 10) + 1);
    for text in ["kept", "kept", "", " \n", " secret", &long, "kept"] {
        history.add(text);
    }
    history.add(&long[1..]);
    assert_eq!(all(&mut history), [&long[1..], "kept"]);
}

#[test]
fn a_search_goes_from_new_to_old() {
    let mut history = History::default();
    for entry in ["fix the Parser", "run", "fix the lexer", "Run", "fix the lexer"] {
        history.add(entry);
    }
    assert_eq!(history.search("fix", 0), Some("fix the lexer"));
    assert_eq!(history.search("fix", 1), Some("fix the Parser"));
    assert_eq!(history.search("fix", 2), None);
    assert_eq!(history.search("run", 1), Some("run"));
    assert_eq!(history.search("Run", 0), Some("Run"));
    assert_eq!(history.search("Run", 1), None);
    assert_eq!(history.search("parser", 0), Some("fix the Parser"));
    assert_eq!(history.search("", 0), Some("fix the lexer"));
}

#[test]
fn entries_are_there_again_with_their_lines() {
    let (_folder, path) = place();
    let mut history = opened(&path);
    assert_eq!(history.add("one\n\ttwo \u{1b} é\""), None);
    assert_eq!(history.add("three"), None);
    assert_eq!(all(&mut opened(&path)), ["three", "one\n\ttwo \u{1b} é\""]);
}

#[test]
fn files_and_folders_are_private_and_made_with_the_first_entry() {
    let (folder, path) = place();
    let mut history = opened(&path);
    assert_eq!(all(&mut history), [""; 0]);
    assert!(!folder.path().join("fen").exists());
    history.add("one");
    assert_eq!(mode(&path), 0o600);
    assert_eq!((mode(path.parent().unwrap()), mode(&folder.path().join("fen"))), (0o700, 0o700));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    history.add("two");
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn nothing_is_read_before_it_is_needed() {
    let (_folder, path) = place();
    let mut history = opened(&path);
    opened(&path).add("of somebody else");
    assert_eq!(all(&mut history), ["of somebody else"]);
}

#[test]
fn two_that_have_it_open_lose_nothing() {
    let (_folder, path) = place();
    let (mut one, mut other) = (opened(&path), opened(&path));
    one.add("a");
    other.add("b");
    one.add("c");
    other.add("d");
    assert_eq!(all(&mut opened(&path)), ["d", "c", "b", "a"]);
}

#[test]
fn many_that_write_at_once_lose_nothing_though_the_file_is_made_shorter() {
    let (_folder, path) = place();
    // So near the bound that it is passed while all of them write.
    let mut first = opened(&path);
    (0..1_150).for_each(|number| {
        first.add(&format!("old {number}"));
    });
    let lines_before = fs::read_to_string(&path).unwrap().lines().count();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                let mut history = opened(&path);
                for number in 0..60 {
                    assert_eq!(history.add(&format!("{writer}-{number}")), None);
                }
            })
        })
        .collect();
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    let entries = all(&mut opened(&path));
    for writer in 0..4 {
        for number in 0..60 {
            let entry = format!("{writer}-{number}");
            assert_eq!(entries.iter().filter(|kept| **kept == entry).count(), 1, "{entry}");
        }
    }
    assert!(fs::read_to_string(&path).unwrap().lines().count() < lines_before + 240);
}

#[test]
fn a_line_that_was_torn_off_costs_itself_alone() {
    let (_folder, path) = place();
    opened(&path).add("one");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"text\":\"to");
    fs::write(&path, &bytes).unwrap();
    let mut history = opened(&path);
    assert_eq!(all(&mut history), ["one"]);
    history.add("two");
    assert_eq!(all(&mut opened(&path)), ["two", "one"]);
}

#[test]
fn lines_that_mean_nothing_are_passed_over_and_go_when_the_file_is_made_shorter() {
    let (_folder, path) = place();
    let mut history = opened(&path);
    history.add("one");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"[1]\n\xff\xfe\n{}\n\n{\"text\":\"two\",\"more\":1}\n");
    fs::write(&path, &bytes).unwrap();
    let mut history = opened(&path);
    assert_eq!(all(&mut history), ["two", "one"]);
    (0..1_300).for_each(|number| {
        history.add(&number.to_string());
    });
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("[1]"));
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn the_newest_thousand_are_kept() {
    let (_folder, path) = place();
    let mut history = opened(&path);
    (0..1_500).for_each(|number| {
        history.add(&number.to_string());
    });
    for mut history in [history, opened(&path)] {
        let entries = all(&mut history);
        assert_eq!(entries.len(), 1_000);
        assert_eq!((entries[0].as_str(), entries[999].as_str()), ("1499", "500"));
    }
    assert!(fs::read_to_string(&path).unwrap().lines().count() <= 1_200);
}

#[test]
fn the_file_does_not_grow_beyond_its_bound() {
    let (_folder, path) = place();
    let mut history = opened(&path);
    // A control character takes six bytes in the file.
    let long = "\u{1b}".repeat(60 << 10);
    for number in 0..12 {
        assert_eq!(history.add(&format!("{number}{long}")), None);
        assert!(fs::metadata(&path).unwrap().len() <= (1 << 20) + (256 << 10));
    }
    let kept = all(&mut opened(&path));
    assert!(!kept.is_empty() && kept[0].starts_with("11"));
}

#[test]
fn where_no_file_can_be_words_say_so_and_it_works_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.join("history.jsonl"), folder.path().to_owned()] {
        let (mut history, problem) = History::open(path.clone());
        let problem = problem.expect("no problem was told");
        assert!(problem.starts_with("entered lines are kept in memory only: "), "{problem}");
        assert!(problem.contains(&path.display().to_string()), "{problem}");
        assert_eq!(history.add("one"), None);
        assert_eq!(all(&mut history), ["one"]);
    }
}

#[test]
fn a_folder_that_may_not_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser may write everywhere, so for it there is nothing to tell.
    let may_write = fs::write(folder.path().join("probe"), "").is_ok();
    let path = folder.path().join("history.jsonl");
    let (mut history, problem) = History::open(path.clone());
    assert_eq!(problem.is_none(), may_write, "{problem:?}");
    assert_eq!(history.add("one"), None);
    assert_eq!(all(&mut history), ["one"]);
    assert_eq!(path.exists(), may_write);
}

#[test]
fn a_file_that_fails_later_is_told_once_and_entries_stay() {
    let (folder, path) = place();
    let mut history = opened(&path);
    history.add("one");
    // The folder becomes a file.
    fs::remove_dir_all(folder.path().join("fen")).unwrap();
    fs::write(folder.path().join("fen"), "").unwrap();
    let problem = history.add("two").expect("no problem was told");
    assert!(problem.starts_with("entered lines are kept in memory only: "), "{problem}");
    assert_eq!(history.add("three"), None);
    assert_eq!(all(&mut history), ["three", "two", "one"]);
}
