use super::*;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

const LUA: &[&str] = &["lua"];

/// A folder with an entry.
fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("ext").tempdir().unwrap();
    fs::write(folder.path().join("init.lua"), "return 1").unwrap();
    folder
}

fn read(path: &Path) -> Result<Package, PackageError> {
    Package::read(path, Source::User, LUA)
}

#[track_caller]
fn refused(path: &Path) -> String {
    read(path).unwrap_err().to_string()
}

fn pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_folder_is_its_code_and_data_without_what_is_hidden() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("a/b")).unwrap();
    fs::create_dir(at(".git")).unwrap();
    for (file, text) in [
        ("a/b/init.lua", "ab"),
        ("a/c.lua", "ac"),
        ("a.lua", "a"),
        ("data.json", "{}"),
        (".hidden.lua", ""),
        (".git/x.lua", ""),
        ("notes.txt", ""),
        ("manifest.lua", "return { name = 'mine', entry = './a.lua', overrides = {'tool/x'} }"),
    ] {
        fs::write(at(file), text).unwrap();
    }
    let package = read(folder.path()).unwrap();
    assert_eq!(
        package.files().keys().collect::<Vec<_>>(),
        ["a.lua", "a/b/init.lua", "a/c.lua", "data.json", "init.lua", "manifest.lua"]
    );
    assert_eq!((package.name(), package.entry()), ("mine", "a.lua"));
    assert_eq!(package.place(), folder.path().canonicalize().unwrap());
    assert_eq!(package.contract_manifest().overrides, ["tool/x"]);

    assert_eq!(package.module("a.b", LUA), Some(("a/b/init.lua", "ab")));
    assert_eq!(package.module("a", LUA), Some(("a.lua", "a")));
    assert_eq!(package.module("a.c", LUA), Some(("a/c.lua", "ac")));
    for name in ["a/c", "a.c.", "..a", "", "data", "a.c.lua"] {
        assert_eq!(package.module(name, LUA), None, "{name}");
    }
    assert_eq!(package.sibling("a/c", LUA), Some(("a/c.lua", "ac")));
    assert_eq!(package.sibling("./data.json", LUA), Some(("data.json", "{}")));
    assert_eq!(package.sibling("../x", LUA), None);
}

#[test]
fn a_single_file_is_itself_alone() {
    let folder = folder();
    let file = folder.path().join("word-count.lua");
    fs::write(&file, "-- description: Counts\nreturn 1").unwrap();
    let package = read(&file).unwrap();
    assert_eq!((package.name(), package.entry()), ("word-count", "word-count.lua"));
    assert_eq!(package.manifest().description, "Counts");
    assert_eq!(package.files().len(), 1);
    assert_eq!(package.place(), file.canonicalize().unwrap());
}

#[test]
fn the_digest_changes_with_each_byte_and_name_that_can_matter() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let digest = || read(folder.path()).unwrap().digest();
    let first = digest();
    assert_eq!(digest(), first);
    fs::write(at("other.lua"), "").unwrap();
    let second = digest();
    fs::rename(at("other.lua"), at("another.lua")).unwrap();
    let third = digest();
    fs::write(at("init.lua"), "return 2").unwrap();
    let fourth = digest();
    assert!(first != second && second != third && third != fourth);
}

#[test]
fn links_are_followed_and_those_that_leave_are_told() {
    let (folder, outside) = (folder(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    fs::write(outside.path().join("x.txt"), "outside").unwrap();
    fs::create_dir(outside.path().join("lib")).unwrap();
    fs::write(outside.path().join("lib/y.lua"), "y").unwrap();
    symlink(outside.path().join("x.txt"), at("x.lua")).unwrap();
    symlink(outside.path().join("lib"), at("lib")).unwrap();
    symlink("init.lua", at("same.lua")).unwrap();
    let package = read(folder.path()).unwrap();
    assert_eq!(package.sibling("x", LUA), Some(("x.lua", "outside")));
    assert_eq!(package.module("lib.y", LUA), Some(("lib/y.lua", "y")));
    assert_eq!(package.sibling("same", LUA), Some(("same.lua", "return 1")));
    let outside = outside.path().canonicalize().unwrap();
    assert_eq!(
        package.links(),
        [
            Link { file: "lib".into(), target: outside.join("lib") },
            Link { file: "x.lua".into(), target: outside.join("x.txt") },
        ]
    );
}

#[test]
fn loops_end_and_lead_nowhere() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("a")).unwrap();
    symlink("..", at("a/up")).unwrap();
    symlink(folder.path(), at("self")).unwrap();
    symlink(folder.path().parent().unwrap().join("nothing"), at("gone")).unwrap();
    symlink("ring", at("ring")).unwrap();
    assert_eq!(read(folder.path()).unwrap().files().len(), 1);
    symlink("ring.lua", at("ring.lua")).unwrap();
    assert!(refused(folder.path()).starts_with("ring.lua cannot be read"));
}

#[test]
fn a_link_to_the_whole_disk_is_a_named_problem() {
    let folder = folder();
    symlink("/", folder.path().join("all")).unwrap();
    assert!(read(folder.path()).is_err());
}

#[test]
fn pipes_and_devices_are_problems_and_never_waited_for() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    pipe(&at("not-code"));
    assert!(read(folder.path()).is_ok());
    symlink("/dev/zero", at("zero.lua")).unwrap();
    assert_eq!(refused(folder.path()), "zero.lua is a device and not a file; remove it");
    assert_eq!(refused(&at("zero.lua")), "zero.lua is a device and not a file; remove it");
    fs::remove_file(at("zero.lua")).unwrap();
    pipe(&at("pipe.lua"));
    assert_eq!(refused(folder.path()), "pipe.lua is a named pipe and not a file; remove it");
    assert_eq!(refused(&at("pipe.lua")), "pipe.lua is a named pipe and not a file; remove it");
}

#[test]
fn a_file_that_is_too_large_is_named() {
    let folder = folder();
    let file = folder.path().join("big.lua");
    fs::File::create(&file).unwrap().set_len(10 * 1024 * 1024).unwrap();
    assert_eq!(refused(folder.path()), "big.lua is larger than 2 MiB; split it");
    assert_eq!(refused(&file), "big.lua is larger than 2 MiB; split it");
}

#[test]
fn files_and_their_text_have_a_bound_together() {
    let folder = folder();
    for number in 0..6 {
        let file = fs::File::create(folder.path().join(format!("{number}.lua"))).unwrap();
        file.set_len(MAX_FILE).unwrap();
    }
    assert!(refused(folder.path()).starts_with("the files up to 5.lua are larger than 10 MiB"));

    let folder = self::folder();
    for number in 0..1_000 {
        fs::write(folder.path().join(format!("{number}.json")), "").unwrap();
    }
    assert_eq!(refused(folder.path()), "it has more than 1000 files; take some out");
    fs::remove_file(folder.path().join("0.json")).unwrap();
    assert_eq!(read(folder.path()).unwrap().files().len(), 1_000);
}

#[test]
fn depth_has_a_bound() {
    let folder = folder();
    let mut deep = folder.path().to_owned();
    (1..MAX_DEPTH).for_each(|_| deep.push("d"));
    fs::create_dir_all(&deep).unwrap();
    assert!(read(folder.path()).is_ok());
    fs::create_dir(deep.join("e")).unwrap();
    assert!(refused(folder.path()).ends_with("d/e lies more than 16 folders deep; flatten it"));
}

#[test]
fn names_and_contents_have_to_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    fs::write(at(b"\xff.txt"), "").unwrap();
    assert!(read(folder.path()).is_ok());
    fs::write(at(b"\xff.lua"), "").unwrap();
    assert_eq!(refused(folder.path()), "the name \u{fffd}.lua is not UTF-8; rename it");
    fs::remove_file(at(b"\xff.lua")).unwrap();
    fs::write(at(b"bad.lua"), b"return 1\n\xff").unwrap();
    assert_eq!(refused(folder.path()), "bad.lua:2: this is not UTF-8 text; save it as UTF-8");
}

#[test]
fn mistakes_in_a_manifest_name_file_and_line() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("manifest.lua"), "return {\n name = f() }").unwrap();
    assert!(refused(folder.path()).starts_with("manifest.lua:2:9: `f` is not a value"));
    fs::write(at("manifest.json"), "[]").unwrap();
    assert_eq!(
        refused(folder.path()),
        "both manifest.json and manifest.lua are there; keep one of them"
    );
    fs::remove_file(at("manifest.lua")).unwrap();
    assert_eq!(
        refused(folder.path()),
        "manifest.json:1:1: a manifest is an object with fields, got a list"
    );
    fs::rename(at("manifest.json"), at("manifest.fnl")).unwrap();
    assert!(refused(folder.path()).starts_with("manifest.fnl:1:1: a manifest is one table"));
    fs::write(at("manifest.fnl"), "{:name :x\n :hooks (f)}").unwrap();
    assert!(refused(folder.path()).starts_with("manifest.fnl:2:9: a list is not a value"));
    fs::write(at("manifest.fnl"), "{:name :x\n :hooks 7}").unwrap();
    assert!(refused(folder.path()).starts_with("manifest.fnl:2: field `hooks`"));
}

#[test]
fn a_folder_needs_an_entry_and_a_name() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("manifest.json"), r#"{"entry": "../init.lua"}"#).unwrap();
    assert_eq!(
        refused(folder.path()),
        "the entry `../init.lua` of its manifest is none of its files that end in `.lua`"
    );
    fs::write(at("manifest.json"), r#"{"name": "kernel"}"#).unwrap();
    assert!(refused(folder.path()).contains("belongs to fen itself"));
    fs::remove_file(at("manifest.json")).unwrap();
    fs::remove_file(at("init.lua")).unwrap();
    assert!(refused(folder.path()).starts_with("it has no `init.lua`; add it"));
    assert!(refused(&at("absent.lua")).starts_with("absent.lua cannot be read"));
    fs::write(at("x.py"), "").unwrap();
    assert!(refused(&at("x.py")).ends_with("expected a folder or a file that ends in `.lua`"));
}

#[test]
fn an_unreadable_file_is_named() {
    let folder = folder();
    let file = folder.path().join("secret.lua");
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever may read everything, such as root, cannot try this.
    if fs::File::open(&file).is_err() {
        assert!(refused(folder.path()).starts_with("secret.lua cannot be read"));
    }
}
