use super::*;
use crate::package::rivalry::uncover;
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

const LUA: &[&str] = &["lua"];

/// A project with a repository, a listed folder and a person's configuration.
struct Disk(TempDir);

impl Disk {
    fn new() -> Self {
        let disk = Disk(tempfile::tempdir().unwrap());
        fs::create_dir_all(disk.at("project/.git")).unwrap();
        for root in ["project/.fen", "config", "listed"] {
            fs::create_dir_all(disk.at(root).join("extensions")).unwrap();
        }
        disk
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn roots(&self) -> Roots {
        Roots {
            explicit: Vec::new(),
            cwd: self.at("project"),
            project: Some(self.at("project")),
            listed: Some(self.at("listed/extensions").into()),
            config: Some(self.at("config")),
        }
    }

    fn found(&self) -> Vec<Found> {
        discover(&self.roots(), &conditions())
    }
}

fn conditions() -> Conditions<'static> {
    Conditions {
        fen: semver::Version::new(0, 1, 0),
        path: "/nowhere".into(),
        suffixes: LUA,
        modules: &["json"],
        enabled: &[],
        disabled: &[],
    }
}

/// Name, source and state of each, in words.
fn told(found: &[Found]) -> Vec<String> {
    let line = |one: &Found| {
        let state = match &one.state {
            State::Ready(_) => "ready".to_owned(),
            State::Withheld(_, reason) => reason.to_string(),
            State::Error(problem) => format!("error: {problem}"),
        };
        format!("{} {}: {state}", one.source.as_str(), one.name)
    };
    found.iter().map(line).collect()
}

#[test]
fn entries_are_folders_and_files_that_are_not_hidden_in_the_order_of_their_names() {
    let disk = Disk::new();
    for path in ["b.lua", "a/init.lua", "c-d/init.lua", "c.lua", ".h.lua", "_u/init.lua", "_v.lua"]
    {
        disk.write(&format!("config/extensions/{path}"), "");
    }
    disk.write("config/extensions/README.md", "");
    disk.write("config/extensions/m/manifest.json", r#"{"name": "named", "entry": "go.lua"}"#);
    disk.write("config/extensions/m/go.lua", "");
    assert_eq!(
        told(&disk.found()),
        ["a", "b", "c", "c-d", "named"].map(|name| format!("user {name}: ready"))
    );
}

#[test]
fn roots_win_in_their_order_and_the_losers_are_listed() {
    let disk = Disk::new();
    for root in ["project/.fen", "listed", "config"] {
        disk.write(&format!("{root}/extensions/x.lua"), "");
    }
    disk.write("config/extensions/x/init.lua", "");
    disk.write("other.lua", "-- name: x");
    let mut roots = disk.roots();
    roots.explicit = vec!["../other.lua".into()];
    let found = discover(&roots, &conditions());
    let explicit = disk.at("project/../other.lua");
    let lost = format!("the one in {} has the same name and comes first", explicit.display());
    assert_eq!(
        told(&found),
        [
            "explicit x: ready".to_owned(),
            format!("project x: {lost}"),
            format!("user x: {lost}"),
            format!("user x: {lost}"),
            format!("user x: {lost}"),
        ]
    );
    assert_eq!(found[3].place, disk.at("config/extensions/x"), "the folder comes first");
}

#[test]
fn when_a_winner_does_not_run_the_next_one_does() {
    let disk = Disk::new();
    for root in ["project/.fen", "listed", "config"] {
        disk.write(&format!("{root}/extensions/x.lua"), "");
    }
    let mut found = disk.found();
    let place = found[0].place.clone();
    assert_eq!(uncover(&mut found, &place), Some(1));
    assert!(matches!(&found[1].state, State::Ready(_)));
    let listed = found[1].place.clone();
    assert!(
        matches!(&found[2].state, State::Withheld(_, Reason::Shadowed { by }) if *by == listed)
    );
    assert_eq!(uncover(&mut found, &listed), Some(2));
    assert_eq!(uncover(&mut found, &listed), None);
}

#[test]
fn what_cannot_run_holds_no_name() {
    let disk = Disk::new();
    disk.write("project/.fen/extensions/a.lua", "-- enabled-by-default: false");
    disk.write("project/.fen/extensions/b.lua", "-- hooks: 1\n-- name: no good");
    disk.write("config/extensions/a.lua", "");
    disk.write("config/extensions/b.lua", "");
    let told = told(&disk.found());
    assert_eq!(told[0], "project a: it is off until the settings enable it");
    assert!(told[1].starts_with("project b: error: `no good` cannot be"));
    assert_eq!(told[2..], ["user a: ready", "user b: ready"]);
}

#[test]
fn the_settings_switch_on_and_off_and_the_command_line_wins() {
    let disk = Disk::new();
    disk.write("config/extensions/off.lua", "-- enabled-by-default: false");
    disk.write("config/extensions/on.lua", "");
    let names = ["off".to_owned(), "on".to_owned()];
    let enabled = Conditions { enabled: &names, ..conditions() };
    assert_eq!(told(&discover(&disk.roots(), &enabled)), ["user off: ready", "user on: ready"]);
    let both = Conditions { enabled: &names, disabled: &names, ..conditions() };
    assert_eq!(
        told(&discover(&disk.roots(), &both)),
        ["user off: the settings disable it", "user on: the settings disable it"]
    );
    let roots = Roots {
        explicit: vec![disk.at("config/extensions/off.lua")],
        cwd: disk.at(""),
        ..Roots::default()
    };
    assert_eq!(told(&discover(&roots, &both)), ["explicit off: ready"]);
}

#[test]
fn what_is_needed_has_to_be_there() {
    let disk = Disk::new();
    disk.write("config/extensions/a.lua", "-- requires.lua: json, lost\n-- requires.programs: rg");
    disk.write("config/extensions/b.lua", "-- fen: >=0.2");
    disk.write("config/extensions/c/init.lua", "");
    disk.write("config/extensions/c/x/y.lua", "");
    disk.write("config/extensions/c/manifest.lua", "{requires = {lua = {'x.y'}}}");
    assert_eq!(
        told(&disk.found()),
        [
            "user a: the Lua module `lost` is neither in its folder nor one of fen's; \
             the program `rg` is not on PATH; install it",
            "user b: it is for fen >=0.2, and this is 0.1.0; get another version of one of them",
            "user c: ready",
        ]
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let disk = Disk::new();
    fs::create_dir(disk.at("config/extensions/empty")).unwrap();
    symlink("gone", disk.at("config/extensions/gone")).unwrap();
    symlink("/dev/zero", disk.at("config/extensions/zero.lua")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"\xff.lua");
    fs::write(disk.at("config/extensions").join(name), "").unwrap();
    fs::remove_dir(disk.at("listed/extensions")).unwrap();
    fs::write(disk.at("listed/extensions"), "").unwrap();
    let mut roots = disk.roots();
    roots.explicit = vec!["absent.lua".into()];
    let listed = [disk.at("listed/extensions"), "relative".into()];
    roots.listed = Some(std::env::join_paths(listed).unwrap());
    let told = told(&discover(&roots, &conditions()));
    for (line, expected) in told.iter().zip([
        "explicit absent: error: absent.lua cannot be read: ",
        "user /",
        "user relative: error: FEN_EXTENSIONS_PATH takes absolute paths only",
        "user empty: error: it has no `init.lua`; add it",
        "user gone: error: gone cannot be read: ",
        "user zero: error: zero.lua is a device and not a file",
        "user \u{fffd}: error: `\u{fffd}` cannot be an extension's name",
    ]) {
        assert!(line.starts_with(expected), "{line}");
    }
    assert_eq!(told.len(), 7);
    assert!(told[1].contains("this folder of extensions cannot be read"));
}

#[test]
fn a_root_with_too_many_entries_gives_none() {
    let disk = Disk::new();
    for number in 0..=MAX_ENTRIES {
        fs::write(disk.at("config/extensions").join(format!("{number}.txt")), "").unwrap();
    }
    let told = told(&disk.found());
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("more than 2000 entries"));
}

#[test]
fn without_roots_nothing_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let roots = Roots {
        explicit: Vec::new(),
        cwd: at("x"),
        project: Some(at("x")),
        listed: Some(at("y").into()),
        config: Some(at("z")),
    };
    assert!(discover(&roots, &conditions()).is_empty());
}

#[test]
fn of_two_files_of_one_name_the_one_in_the_preferred_language_comes_first() {
    let disk = Disk::new();
    for file in ["a.fnl", "a.lua", "b.fnl", "b_test.fnl", "c.fnlm", "d/init.fnl", "_e.fnl"] {
        disk.write(&format!("config/extensions/{file}"), "");
    }
    let conditions = Conditions { suffixes: &["lua", "fnl"], ..conditions() };
    let found = discover(&disk.roots(), &conditions);
    let places: Vec<_> =
        found.iter().map(|one| one.place.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(places, ["a.lua", "a.fnl", "b.fnl", "d"]);
    assert!(matches!(found[1].state, State::Withheld(_, Reason::Shadowed { .. })));
    assert!(matches!(found[3].state, State::Ready(_)));
}
