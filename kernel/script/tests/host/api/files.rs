//! `load` and `state`.

use crate::kit::{World, program, watching};
use fen_script::host::Program;
use serde_json::json;
use std::collections::BTreeMap;

/// An extension `pack` of several files, whose entry is a watching one with this body.
fn pack(body: &str, files: &[(&str, &str)]) -> Program {
    let mut files: BTreeMap<String, _> =
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).into())).collect();
    files.insert("init.lua".to_owned(), watching(body).as_str().into());
    Program {
        place: "/extensions/pack".into(),
        entry: "init.lua".to_owned(),
        files,
        ..program("pack", "")
    }
}

#[tokio::test]
async fn load_gives_the_value_of_a_sibling_file() {
    let world = World::new();
    let files = [
        ("words.lua", "return { one = 1, sum = function(a, b) return a + b end }"),
        ("data.json", r#"{"list": [1, null], "deep": {"a": true}}"#),
        ("sub/more.lua", "return 'more'"),
        ("waits.lua", "count = (count or 0) + 1 return 'waited ' .. type(...)"),
        ("broken.lua", "return +"),
        ("broken.json", "{"),
        ("notes.txt", "text"),
    ];
    let body = r#"
      local words = api.load("words")
      seen.words = { words.one, words.sum(2, 3), api.load("words.lua").one, api.load("./words").one }
      local data = api.load("data.json")
      seen.data = { #data.list, data.list[2] == api.json.null, data.deep.a, api.load("data").deep.a }
      seen.more = api.load("sub/more")
      for _, name in ipairs({ "nowhere", "broken", "broken.json", "notes.txt", "../init.lua", "/etc/passwd" }) do
        local ok, why = pcall(api.load, name)
        seen[name] = { ok, tostring(why) }
      end
      seen.required = require("sub.more")
    "#;
    world.host.load(pack(body, &files)).await.unwrap();
    let seen = world.seen("pack").await;
    assert_eq!(seen["words"], json!([1, 5, 1, 1]));
    assert_eq!(seen["data"], json!([2, true, true, true]));
    assert_eq!((&seen["more"], &seen["required"]), (&json!("more"), &json!("more")));
    for (name, words) in [
        ("nowhere", "no file `nowhere`"),
        ("broken", "broken.lua"),
        ("broken.json", "broken.json"),
        ("notes.txt", "neither Lua, Fennel nor JSON"),
        ("../init.lua", "no file"),
        ("/etc/passwd", "no file"),
    ] {
        assert_eq!(seen[name][0], false, "{name}: {seen}");
        assert!(seen[name][1].as_str().unwrap().contains(words), "{name}: {seen}");
    }
}

#[tokio::test]
async fn state_outlives_a_reload_and_what_is_no_data_is_named_and_left_out() {
    let world = World::new();
    let body = r#"
      seen.count, seen.deep = api.state.count or 0, api.state.deep or "nothing"
      seen.f, seen.cycle, seen.null = type(api.state.f), type(api.state.cycle), api.state.null == api.json.null
      seen.list = api.state.list and #api.state.list or 0
      seen.empty = api.state.empty and api.json.encode(api.state.empty) or "none"
      api.state.count = seen.count + 1
      api.state.deep = { a = { 1, 2 }, is_error = true }
      api.state.f = function() end
      api.state.null = api.json.null
      api.state.list = { 1, 2, 3 }
      api.state.empty = api.json.array()
      local cycle = {} cycle.cycle = cycle
      api.state.cycle = cycle
    "#;
    world.watches("keeps", body).await;
    assert_eq!(
        world.seen("keeps").await,
        json!({"count": 0, "deep": "nothing", "f": "nil", "cycle": "nil", "null": false, "list": 0, "empty": "none"})
    );
    assert_eq!(world.errors(), [""; 0]);
    world.watches("keeps", body).await;
    assert_eq!(
        world.seen("keeps").await,
        json!({"count": 1, "deep": {"a": [1, 2], "is_error": true}, "f": "nil", "cycle": "nil",
               "null": true, "list": 3, "empty": "[]"})
    );
    let mut errors = world.errors();
    errors.sort();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0].starts_with("keeps: reload: ") && errors[0].contains("api.state.cycle"),
        "{errors:?}"
    );
    assert!(errors[1].contains("api.state.f"), "{errors:?}");
    world.watches("keeps", body).await;
    assert_eq!(world.seen("keeps").await["count"], 2);
}

#[tokio::test]
async fn a_reload_that_fails_leaves_state_and_code_as_they_were() {
    let world = World::new();
    let body = "api.state.n = (api.state.n or 0) + 1 seen.n = api.state.n";
    world.watches("keeps", body).await;
    world.load("keeps", &watching("api.state.n = 100 error('no')")).await.unwrap_err();
    assert_eq!(world.seen("keeps").await["n"], 1);
    world.watches("keeps", body).await;
    assert_eq!(world.seen("keeps").await["n"], 2);
}

#[tokio::test]
async fn state_is_the_extensions_own() {
    let world = World::new();
    world.watches("one", "api.state.n = 1").await;
    world.watches("two", "seen.n = type(api.state.n)").await;
    assert_eq!(world.seen("two").await["n"], "nil");
}

#[tokio::test]
async fn state_kept_by_whole_numbers_outlives_a_reload_too() {
    let world = World::new();
    let body = "api.state[#api.state + 1] = 'x' seen.n = #api.state";
    world.watches("keeps", body).await;
    world.watches("keeps", body).await;
    world.watches("keeps", body).await;
    assert_eq!(world.seen("keeps").await["n"], 3, "{:?}", world.errors());
}
