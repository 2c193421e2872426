use super::*;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::mpsc;

/// A project of empty files, an index of it, and what tells of news.
struct Project {
    folder: tempfile::TempDir,
    index: FileIndex,
    news: mpsc::Receiver<()>,
}

fn project(files: &[&str]) -> Project {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    std::fs::create_dir(&root).unwrap();
    let (tell, news) = mpsc::channel();
    let tell = Mutex::new(tell);
    let index = FileIndex::new(&root, Some(folder.path()), move || {
        // A test that has seen enough listens no more.
        let _ = tell.lock().unwrap().send(());
    });
    let project = Project { folder, index, news };
    files.iter().for_each(|file| project.write(file, ""));
    project
}

impl Project {
    fn write(&self, file: &str, text: &str) {
        let path = self.index.root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The answer once all is known.
    fn answer(&self, query: &str) -> Vec<String> {
        self.index.matches(query, 100);
        loop {
            let known = self.index.shared.known();
            let place = scan::place(query, &self.index.root, self.index.home.as_deref());
            let listing = match (&place, &known.folder) {
                (None, _) => &known.project,
                (Some(_), Some((_, listing))) => listing,
                (Some(_), None) => panic!("it is not looked for"),
            };
            if listing.since.is_some() && !listing.is_looked_for {
                break;
            }
            drop(known);
            self.news.recv().unwrap();
        }
        self.index.matches(query, 100)
    }
}

#[test]
fn files_and_folders_are_found_by_their_paths() {
    let project = project(&["src/main.rs", "src/deep/er/mod.rs", "README.md"]);
    let all =
        ["README.md", "src/", "src/deep/", "src/main.rs", "src/deep/er/", "src/deep/er/mod.rs"];
    assert_eq!(project.answer(""), all);
    assert_eq!(project.answer("mrs"), ["src/main.rs", "src/deep/er/mod.rs"]);
    assert_eq!(project.answer("deep"), ["src/deep/", "src/deep/er/", "src/deep/er/mod.rs"]);
    assert!(project.answer("nothing like it").is_empty());
    assert_eq!(project.index.matches("", 2).len(), 2);
}

#[test]
fn what_is_ignored_hidden_or_no_text_is_left_out() {
    let project = project(&["a.rs", "b.log", "target/x", ".env", ".git/config", "new\nline"]);
    project.write(".gitignore", "*.log\n/target\n");
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff");
    std::fs::write(project.index.root.join(odd), "").unwrap();
    assert_eq!(project.answer(""), ["a.rs"]);
}

#[test]
fn asking_never_waits_and_news_are_told() {
    let project = project(&["a.rs"]);
    assert!(project.index.matches("a", 9).is_empty());
    project.news.recv().unwrap();
    assert_eq!(project.index.matches("a", 9), ["a.rs"]);
}

#[test]
fn what_is_old_is_looked_for_again_and_stands_until_then() {
    let mut project = project(&["a.rs"]);
    assert_eq!(project.answer(""), ["a.rs"]);
    project.write("b.rs", "");
    assert_eq!(project.answer(""), ["a.rs"], "it is fresh");
    project.index.fresh = Duration::ZERO;
    while project.news.try_recv().is_ok() {}
    assert_eq!(project.index.matches("", 9), ["a.rs"], "the old stands");
    project.news.recv().unwrap();
    project.index.fresh = FRESH;
    assert_eq!(project.answer(""), ["a.rs", "b.rs"]);
}

#[test]
fn other_places_are_listed_by_themselves() {
    let project = project(&["src/main.rs", ".github/flow.yml", ".env"]);
    std::fs::write(project.folder.path().join("beside.txt"), "").unwrap();
    assert_eq!(project.answer("../"), ["../beside.txt", "../project/"]);
    assert_eq!(project.answer("../bes"), ["../beside.txt"]);
    assert_eq!(project.answer("~/"), ["~/beside.txt", "~/project/"]);
    assert_eq!(project.answer("~/project/s"), ["~/project/src/"]);
    assert_eq!(project.answer("./s"), ["./src/"]);
    assert_eq!(project.answer(".e"), [".env"]);
    assert_eq!(project.answer(".github/"), [".github/flow.yml"]);
    let top = format!("{}/", project.folder.path().display());
    assert_eq!(project.answer(&top), [format!("{top}beside.txt"), format!("{top}project/")]);
    assert!(project.answer("/nowhere/at/all/").is_empty());
}

#[test]
fn only_so_many_threads_look_at_once() {
    let project = project(&["a.rs"]);
    project.index.shared.known().lookers = MOST_LOOKERS;
    assert!(project.index.matches("a", 9).is_empty());
    assert!(project.index.matches("../", 9).is_empty());
    assert_eq!(project.index.shared.known().lookers, MOST_LOOKERS);
    project.index.shared.known().lookers = 0;
    assert_eq!(project.answer("a"), ["a.rs"]);
    assert_eq!(project.answer("../"), ["../project/"]);
}

#[test]
fn an_index_that_is_gone_stops_looking() {
    let project = project(&["a.rs"]);
    let shared = project.index.shared.clone();
    drop(project.index);
    assert!(shared.stop.load(Ordering::Relaxed));
}
