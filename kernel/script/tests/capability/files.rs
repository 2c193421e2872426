//! `api.fs` on ordinary files and folders.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::kit::world;

fn kind(answer: &Value) -> &str {
    assert_eq!(answer["ok"], false, "{answer}");
    assert!(answer["error"].is_string());
    answer["kind"].as_str().unwrap()
}

#[test]
fn a_file_is_read_up_to_a_bound_and_from_an_offset() {
    let world = world();
    world.project.write("a", "0123456789");
    let read = |options: &str| world.ok(&format!("return api.fs.read('a'{options})"));
    assert_eq!(read(""), json!({"ok": true, "text": "0123456789", "truncated?": false}));
    let part = read(", {['max-bytes'] = 4}");
    assert_eq!(part, json!({"ok": true, "text": "0123", "truncated?": true}));
    assert_eq!(read(", {max_bytes = 4, offset = 8}")["text"], "89");
    assert_eq!(read(", {offset = 99}")["text"], "");
    assert_eq!(world.ok("return api.fs.read('a', {max_bytes = 4}).truncated"), true);
    assert_eq!(kind(&world.ok("return api.fs.read('none')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.read('.')")), "invalid");
    assert_eq!(kind(&world.ok("return api.fs.read('a/b')")), "invalid");
}

#[test]
fn any_bytes_survive_and_no_error_shows_control_characters() {
    let world = world();
    let same = world.ok("local all = {}
         for byte = 0, 255 do all[#all + 1] = string.char(byte) end
         local text = table.concat(all)
         assert(api.fs.write('b\\xff', text).ok)
         return api.fs.read('b\\xff').text == text");
    assert_eq!(same, true);
    let refused = world.ok("return api.fs.read('no\\27[2J')");
    assert!(!refused["error"].as_str().unwrap().contains('\u{1b}'));
}

#[test]
fn writing_replaces_the_whole_file_and_keeps_its_mode() {
    let world = world();
    world.project.write("script", "old and long");
    let path = world.project.path("script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    std::os::unix::fs::symlink("script", world.project.path("link")).unwrap();
    assert_eq!(world.ok("return api.fs.write('link', 'new')"), json!({"ok": true}));
    assert_eq!(world.project.read("script"), "new");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o751);
    assert!(world.project.path("link").is_symlink());
    assert_eq!(world.ok("return api.fs.append('script', ' more')"), json!({"ok": true}));
    assert_eq!(world.ok("return api.fs.append('fresh', 'x')"), json!({"ok": true}));
    assert_eq!(world.project.read("script"), "new more");
    assert_eq!(world.project.read("fresh"), "x");
    assert_eq!(kind(&world.ok("return api.fs.write('no/folder', 'x')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.append('no/folder', 'x')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.write('.', 'x')")), "invalid");
    let left = std::fs::read_dir(world.project.root()).unwrap().count();
    assert_eq!(left, 3, "no temporary file is left");
}

#[test]
fn folders_are_listed_in_order_and_looked_at() {
    let world = world();
    world.project.write("d/b", "12");
    world.project.write("d/a/x", "");
    std::os::unix::fs::symlink("b", world.project.path("d/c")).unwrap();
    assert_eq!(
        world.ok("return api.fs.list('d').entries"),
        json!([
            {"name": "a", "type": "directory", "size": 0},
            {"name": "b", "type": "file", "size": 2},
            {"name": "c", "type": "link", "size": 0},
        ])
    );
    let stat = world.ok("return api.fs.stat('d/c')");
    assert_eq!((&stat["type"], &stat["size"]), (&json!("file"), &json!(2)));
    assert_eq!(world.ok("return os.date('%Y', api.fs.stat('d').modified) >= '2024'"), true);
    let exists = "return {api.fs.exists('d'), api.fs['exists?']('d/b'), api.fs.exists('e')}";
    assert_eq!(world.ok(exists), json!([true, true, false]));
    assert_eq!(kind(&world.ok("return api.fs.list('e')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.list('d/b')")), "invalid");
    assert_eq!(kind(&world.ok("return api.fs.stat('e')")), "not-found");
}

#[test]
fn a_list_is_bounded() {
    let world = world();
    for number in 0..10_050 {
        std::fs::write(world.project.path(number.to_string()), "").unwrap();
    }
    let seen = world.ok("local r = api.fs.list('.') return {#r.entries, r.truncated}");
    assert_eq!(seen, json!([10_000, true]));
}

#[test]
fn folders_are_made_and_things_renamed_and_removed() {
    let world = world();
    assert_eq!(world.ok("return api.fs.mkdir('a/b/c')"), json!({"ok": true}));
    assert_eq!(world.ok("return api.fs.mkdir('a/b/c')"), json!({"ok": true}));
    world.project.write("f", "1");
    assert_eq!(kind(&world.ok("return api.fs.mkdir('f')")), "exists");
    assert_eq!(world.ok("return api.fs.rename('f', 'a/g')"), json!({"ok": true}));
    assert_eq!(world.project.read("a/g"), "1");
    assert_eq!(kind(&world.ok("return api.fs.rename('f', 'h')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.remove('a')")), "invalid");
    assert_eq!(world.ok("return api.fs.remove('a/b/c')"), json!({"ok": true}));
    assert_eq!(world.ok("return api.fs.remove('a/g')"), json!({"ok": true}));
    assert_eq!(kind(&world.ok("return api.fs.remove('a/g')")), "not-found");
    assert_eq!(kind(&world.ok("return api.fs.remove('a/..')")), "invalid");
    assert_eq!(kind(&world.ok("return api.fs.remove('/')")), "invalid");
    assert!(!world.project.exists("a/b/c") && world.project.exists("a/b"));
}

#[test]
fn pipes_and_devices_are_refused_and_do_not_hang() {
    let world = world();
    let fifo = world.project.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    for call in ["read('fifo')", "write('fifo', 'x')", "append('fifo', 'x')"] {
        assert_eq!(kind(&world.ok(&format!("return api.fs.{call}"))), "invalid", "{call}");
    }
    assert_eq!(kind(&world.ok("return api.fs.read('/dev/zero')")), "denied");
    assert_eq!(world.ok("return api.fs.stat('fifo').type"), "other");
}

#[test]
fn the_home_folder_is_meant_by_a_tilde() {
    let world = world();
    let home = std::env::home_dir().unwrap();
    let seen = world.ok("return {api.fs.stat('~').type, api.fs.exists('~/')}");
    assert_eq!(seen, json!(["directory", true]), "{}", home.display());
}
