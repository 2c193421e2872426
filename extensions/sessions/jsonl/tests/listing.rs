//! How stored sessions are found again, and at what cost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::session::{FindOptions, SessionBackend as _};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

fn touch(path: &Path, seconds: u64) {
    let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    File::options().append(true).open(path).unwrap().set_modified(moment).unwrap();
}

fn in_cwd(cwd: &Path) -> FindOptions {
    FindOptions { cwd: Some(cwd.to_owned()), ..FindOptions::default() }
}

fn with_id(id: &str) -> FindOptions {
    FindOptions { id: Some(id.to_owned()), ..FindOptions::default() }
}

#[test]
fn a_store_that_does_not_exist_is_empty() {
    let store = Store::new();
    assert!(store.list().is_empty());
    assert_eq!(wait(store.backend.latest(in_cwd(&store.project()))).unwrap(), None);
    assert!(!store.root().exists());
}

#[test]
fn the_newest_comes_first_and_the_limit_holds() {
    let store = Store::new();
    let paths: Vec<PathBuf> = (0..4).map(|_| store.stored(&["x"])).collect();
    for (path, moment) in paths.iter().zip([30, 10, 20, 10]) {
        touch(path, 1_000_000 + moment);
    }
    let order: Vec<PathBuf> = store.list().into_iter().map(|info| info.path).collect();
    let [a, b, c, d] = &paths[..] else { panic!() };
    assert_eq!([&order[0], &order[1]], [a, c]);
    assert_eq!([&order[2], &order[3]], [d, b], "among equals the later id");
    let limited = store.find(FindOptions { limit: Some(2), ..FindOptions::default() });
    assert_eq!(limited.len(), 2);
    let latest = wait(store.backend.latest(in_cwd(&store.project()))).unwrap().unwrap();
    assert_eq!(&latest.path, a);
}

#[test]
fn directories_of_similar_names_never_mix() {
    let store = Store::new();
    let make = |path: &str| {
        let path = store.folder.path().join(path);
        std::fs::create_dir_all(&path).unwrap();
        path
    };
    let (one, other) = (make("foo-bar/p"), make("foo/bar/p"));
    for cwd in [&one, &other] {
        let session = store.open_in(cwd);
        store.say(&session, cwd.to_str().unwrap());
    }
    for cwd in [&one, &other] {
        let found = store.find(in_cwd(cwd));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].cwd, std::fs::canonicalize(cwd).unwrap());
    }
    assert_eq!(store.list().len(), 2);
}

#[test]
fn a_link_to_a_directory_means_the_directory() {
    let store = Store::new();
    let link = store.folder.path().join("link");
    std::os::unix::fs::symlink(store.project(), &link).unwrap();
    let session = store.open_in(&link);
    store.say(&session, "a");
    assert_eq!(store.find(in_cwd(&store.project())).len(), 1);
    assert_eq!(store.find(in_cwd(&link)).len(), 1);
}

#[test]
fn an_id_is_found_anywhere_also_when_its_directory_was_renamed() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "a");
    let id = session.info.id.as_str();
    std::fs::rename(store.project(), store.folder.path().join("renamed")).unwrap();
    let found = store.find(with_id(&id[..13]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].id, id);
    assert!(!found[0].cwd.exists(), "the info tells where it was");
    assert_eq!(store.find(with_id(&id.to_uppercase())).len(), 1);
    assert!(store.find(with_id("zz")).is_empty());
    assert!(store.find(with_id(&format!("{id}0"))).is_empty());
}

#[test]
fn an_ambiguous_beginning_gives_all_that_fit() {
    let store = Store::new();
    store.stored(&["a"]);
    store.stored(&["b"]);
    let first = store.list()[0].id.as_str()[..4].to_owned();
    assert_eq!(store.find(with_id(&first)).len(), 2);
}

#[test]
fn the_title_is_the_last_one_given_and_else_the_first_words() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, "please  fix\nthe bug");
    assert_eq!(store.list()[0].title.as_deref(), Some("please fix the bug"));
    wait(store.backend.rename(&session, "First title")).unwrap();
    wait(store.backend.rename(&session, "Über alles")).unwrap();
    store.say(&session, "more");
    let info = &store.list()[0];
    assert_eq!(info.title.as_deref(), Some("Über alles"));
    assert_eq!(info.message_count.0, 2);
    let text = |text: &str| FindOptions { text: Some(text.into()), ..FindOptions::default() };
    assert_eq!(store.find(text("ALLES über")).len(), 1);
    assert!(store.find(text("alles unter")).is_empty());
}

/// A file of `size` bytes or a little more, and its number of messages.
fn large(store: &Store, name: &str, size: usize, line: usize) -> (PathBuf, u64) {
    let path = store.file(name, header(3));
    let mut out = std::io::BufWriter::new(File::options().append(true).open(&path).unwrap());
    out.write_all(entry("e0", None, "the first words").as_bytes()).unwrap();
    let text = "x".repeat(line);
    let (mut written, mut count) = (0, 1);
    while written < size {
        let parent = format!("e{}", count - 1);
        let line = entry(&format!("e{count}"), Some(&parent), &text);
        out.write_all(line.as_bytes()).unwrap();
        written += line.len();
        count += 1;
    }
    out.write_all(b"{\"type\":\"title\",\"id\":\"t\",\"parent-id\":\"e0\",\"title\":\"late\"}\n")
        .unwrap();
    out.flush().unwrap();
    (path, count)
}

#[test]
fn a_large_file_is_counted_and_a_very_large_one_estimated() {
    let store = Store::new();
    let (_, count) = large(&store, "counted.jsonl", 2 << 20, 500);
    let info = &store.list()[0];
    assert_eq!((info.message_count.0, info.title.as_deref()), (count, Some("late")));
    std::fs::remove_file(&info.path).unwrap();
    let (_, count) = large(&store, "estimated.jsonl", 8 << 20, 500);
    let estimate = store.list()[0].message_count.0;
    assert!(estimate.abs_diff(count) < count / 20, "{estimate} of {count}");
}

#[test]
fn listing_reads_only_the_ends_of_huge_files() {
    let store = Store::new();
    for number in 0..20 {
        let path = store.file(&format!("x_{number}.jsonl"), header(3) + &entry("a", None, "words"));
        // 160 GB in all, nearly all of it holes: reading them through would take minutes.
        let file = File::options().append(true).open(&path).unwrap();
        file.set_len(8 << 30).unwrap();
    }
    let begun = Instant::now();
    let found = store.list();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(found.len(), 20);
    assert_eq!(found[0].title.as_deref(), Some("words"));
}

#[test]
fn a_first_message_of_many_megabytes_gives_a_title_too() {
    let store = Store::new();
    let session = store.open();
    store.say(&session, &format!("look at this: {}", "12 \u{fc}\n".repeat(2_000_000)));
    store.append(&session, &answer("a lot"));
    let info = &store.list()[0];
    assert!(info.title.as_deref().unwrap().starts_with("look at this: 12 ü 12"));
    assert!(info.message_count.0 >= 1);
    store.close(&session);
    assert_eq!(store.load(&info.path).messages.len(), 2);
}

#[test]
fn a_line_beyond_the_limit_is_told_and_the_rest_loads() {
    let store = Store::new();
    let path = store.file("x.jsonl", header(3) + &entry("a", None, "a"));
    let mut file = File::options().append(true).open(&path).unwrap();
    let huge = vec![b'x'; 1 << 20];
    for _ in 0..65 {
        file.write_all(&huge).unwrap();
    }
    file.write_all(format!("\n{}", entry("c", Some("b"), "c")).as_bytes()).unwrap();
    let loaded = store.load(&path);
    assert_eq!(texts(&loaded), ["a", "c"]);
    assert_eq!(loaded.warnings, ["line 3 is longer than 64 MiB; it was skipped"]);
    assert_eq!(store.list().len(), 1);
}

#[test]
fn what_a_person_moves_out_of_its_folder_is_still_found() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    let loose = store.root().join("my favourite.jsonl");
    std::fs::rename(&path, &loose).unwrap();
    let found = store.find(in_cwd(&store.project()));
    assert_eq!(found[0].path, loose);
    let id = found[0].id.as_str().to_owned();
    assert_eq!(store.find(with_id(&id)).len(), 1);
}
