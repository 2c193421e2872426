//! Who else can read what was said: nobody.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod common;

use common::*;
use fen_contract::session::SessionBackend as _;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn loosen(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn files_and_folders_are_private_under_any_umask() {
    for umask in ["000", "002", "022", "077"] {
        let folder = tempfile::tempdir().unwrap();
        let prelude = format!("umask {umask}");
        let status = child("helper_writes_a_session", &prelude, folder.path()).output().unwrap();
        assert!(status.status.success(), "{status:?}");
        let root = folder.path().join("state/sessions");
        let info = wait(backend(&root).latest(Default::default())).unwrap().unwrap();
        assert_eq!(mode(&info.path), 0o600, "umask {umask}");
        let private = [info.path.parent().unwrap(), &root, &folder.path().join("state")];
        for folder in private {
            assert_eq!(mode(folder), 0o700, "umask {umask}: {}", folder.display());
        }
    }
}

#[test]
fn helper_writes_a_session() {
    let Some(folder) = child_folder() else { return };
    let backend = backend(&folder.join("state/sessions"));
    let session = wait(backend.open(options(&folder))).unwrap();
    wait(backend.append(&session, &user("a"))).unwrap();
}

#[test]
fn loose_rights_of_older_files_are_taken_away_when_they_are_opened() {
    let store = Store::new();
    let path = store.stored(&["a"]);
    let folder = path.parent().unwrap();
    loosen(&path, 0o644);
    loosen(folder, 0o755);
    loosen(&store.root(), 0o775);
    let session = store.reopen(&path);
    store.say(&session, "b");
    assert_eq!(mode(&path), 0o600);
    assert_eq!((mode(folder), mode(&store.root())), (0o700, 0o700));
}

#[test]
fn copies_and_restored_files_are_private() {
    let store = Store::new();
    let old = store
        .file("old.jsonl", header(2) + "{\"role\":\"user\",\"content\":\"a\",\"timestamp\":1}\n");
    loosen(&old, 0o644);
    let session = store.reopen(&old);
    store.say(&session, "b");
    assert_eq!(mode(&session.info.path), 0o600);
    std::fs::remove_file(&session.info.path).unwrap();
    store.say(&session, "c");
    assert_eq!(mode(&session.info.path), 0o600);
    let folder = session.info.path.parent().unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "no working files are left");
}

#[test]
fn a_shared_folder_is_not_taken_from_its_users() {
    let shared = tempfile::tempdir().unwrap();
    loosen(shared.path(), 0o1777);
    let backend = backend(shared.path());
    let session = wait(backend.open(options(shared.path()))).unwrap();
    wait(backend.append(&session, &user("a"))).unwrap();
    assert_eq!(mode(shared.path()), 0o1777);
    assert_eq!(mode(session.info.path.parent().unwrap()), 0o700);
}
