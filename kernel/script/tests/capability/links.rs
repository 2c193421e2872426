//! The folders that are closed: no spelling of a path reaches into them.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::kit::{World, world};

/// A project with a closed folder `config`, reached by a link too, and the extension's own in it.
fn guarded() -> World {
    let mut world = world();
    world.project.write("config/fen/secret", "key");
    world.project.write("config/fen/extensions/own/data", "mine");
    world.project.write("config/fen/extensions/other/data", "theirs");
    world.project.write("inside/file", "fine");
    world.around.cwd = world.project.path("inside");
    world.around.closed = vec![world.project.path("config/fen"), world.project.path("trust")];
    world.around.folder = Some(world.project.path("config/fen/extensions/own"));
    world
}

fn denied(world: &World, call: &str) {
    let answer = world.ok(&format!("return api.fs.{call}"));
    assert_eq!(answer["kind"], "denied", "{call}: {answer}");
}

#[test]
fn closed_folders_cannot_be_reached_by_any_path() {
    let world = guarded();
    let root = world.project.root().display().to_string();
    symlink("../config/fen", world.project.path("inside/folder")).unwrap();
    symlink("../config", world.project.path("inside/above")).unwrap();
    symlink(format!("{root}/config/fen/secret"), world.project.path("inside/file-link")).unwrap();
    symlink("folder", world.project.path("inside/twice")).unwrap();
    for path in [
        format!("{root}/config/fen/secret"),
        "../config/fen/secret".to_owned(),
        "../inside/.././config//fen/secret".to_owned(),
        "folder/secret".to_owned(),
        "above/fen/secret".to_owned(),
        "twice/secret".to_owned(),
        "twice/../fen/secret".to_owned(),
        "file-link".to_owned(),
        format!("/proc/self/root{root}/config/fen/secret"),
    ] {
        for call in ["read", "stat", "write", "append", "mkdir"] {
            let text = if matches!(call, "write" | "append") { ", 'x'" } else { "" };
            denied(&world, &format!("{call}('{path}'{text})"));
        }
        assert_eq!(world.ok(&format!("return api.fs.exists('{path}')")), false, "{path}");
    }
    for call in ["list('folder')", "list('../config/fen')", "remove('../config/fen/secret')"] {
        denied(&world, call);
    }
    assert_eq!(world.project.read("config/fen/secret"), "key");
    assert_eq!(world.ok("return api.fs.read('file').text"), "fine");
    // A link into a closed folder is itself no part of it.
    assert_eq!(world.ok("return api.fs.remove('file-link')"), json!({"ok": true}));
}

#[test]
fn nothing_is_made_where_a_closed_folder_is_not_yet() {
    let world = guarded();
    symlink("../trust", world.project.path("inside/soon")).unwrap();
    symlink("../trust/file", world.project.path("inside/soon-file")).unwrap();
    for call in [
        "mkdir('../trust')",
        "mkdir('../trust/a/b')",
        "write('../trust', 'x')",
        "mkdir('soon')",
        "mkdir('soon/a')",
        "write('soon-file', 'x')",
        "append('soon-file', 'x')",
        "rename('file', '../trust')",
    ] {
        denied(&world, call);
    }
    let lost = world.ok("return api.fs.write('no/../../trust/x', 'x')");
    assert_eq!(lost["kind"], "not-found");
    assert!(!world.project.exists("trust"));
}

#[test]
fn what_leads_to_a_closed_folder_stays_in_its_place() {
    let mut world = guarded();
    symlink("config", world.project.path("dot")).unwrap();
    world.around.closed.push(world.project.path("dot/fen"));
    for call in [
        "rename('../config', 'c')",
        "rename('../config/fen', 'c')",
        "rename('../dot', 'c')",
        "remove('../dot')",
        "rename('file', '../config/fen/secret')",
        "rename('../config/fen/secret', 'stolen')",
    ] {
        denied(&world, call);
    }
    assert!(world.project.exists("dot/fen/secret"));
}

#[test]
fn an_extensions_own_folder_is_read_but_not_written() {
    let world = guarded();
    symlink("../config/fen/extensions/own", world.project.path("inside/own")).unwrap();
    assert_eq!(world.ok("return api.fs.read('own/data').text"), "mine");
    let own = "../config/fen/extensions/own";
    assert_eq!(world.ok(&format!("return api.fs.read('{own}/data').text")), "mine");
    assert_eq!(world.ok(&format!("return api.fs.list('{own}').entries[1].name")), "data");
    denied(&world, &format!("read('{own}/../other/data')"));
    denied(&world, &format!("read('{own}/../../secret')"));
    denied(&world, &format!("write('{own}/data', 'x')"));
    denied(&world, &format!("append('{own}/data', 'x')"));
    denied(&world, &format!("remove('{own}/data')"));
    denied(&world, &format!("mkdir('{own}/new')"));
    denied(&world, &format!("rename('file', '{own}/data')"));
    assert_eq!(world.project.read("config/fen/extensions/own/data"), "mine");
}

#[test]
fn a_loop_of_links_is_an_error() {
    let world = guarded();
    symlink("b", world.project.path("inside/a")).unwrap();
    symlink("a", world.project.path("inside/b")).unwrap();
    let answer = world.ok("return api.fs.read('a')");
    assert_eq!((&answer["ok"], &answer["kind"]), (&json!(false), &json!("io")));
}
