//! Session backends.

use crate::kit::{World, say};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::names::{Count, Millis};
use fen_contract::session::{FindOptions, OpenOptions, SessionBackend};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// A store whose sessions are values of its own: tables with functions in them.
const STORE: &str = r#"
  local sessions = {}
  seen.calls = {}
  local function noted(name, f)
    return function(...) table.insert(seen.calls, name) return f(...) end
  end
  local function info(s)
    return { id = s.id, path = "mem/" .. s.id, cwd = s.cwd, timestamp = 5, ["message-count"] = #s.messages }
  end
  local function all(opts)
    seen.opts = opts
    local list = {}
    for i = #sessions, 1, -1 do table.insert(list, info(sessions[i])) end
    return list
  end
  local function at(path)
    for _, s in ipairs(sessions) do if "mem/" .. s.id == path then return s end end
    error("there is no session " .. path)
  end
  local function opened(s) return { info = info(s), data = s, secret = function() return s end } end
  local store = {
    name = "mem",
    open = noted("open", function(opts)
      local s = { id = "s" .. #sessions + 1, cwd = opts.cwd, model = opts.model, messages = {} }
      table.insert(sessions, s)
      return opened(s)
    end),
    ["open-existing"] = noted("open-existing", function(path, opts) return opened(at(path)) end),
    append = noted("append", function(session, message) table.insert(session.secret().messages, message) end),
    close = noted("close", function(session) seen.closed = session.data.id end),
    load = noted("load", function(path) return at(path).messages end),
    find = noted("find", all), list = noted("list", all),
    latest = noted("latest", function(opts) return all(opts)[1] end),
  }
"#;

fn backend(world: &World, name: &str) -> Arc<dyn SessionBackend> {
    let registry = world.kernel.registry();
    match registry.find(Kind::SessionBackend, name).map(|entry| &entry.contribution) {
        Some(Contribution::SessionBackend(spec)) => spec.backend.clone(),
        _ => panic!("no backend {name}: {:?}", world.errors()),
    }
}

fn options() -> OpenOptions {
    OpenOptions {
        cwd: "/home/place".into(),
        provider: Some("mock".into()),
        model: Some("m".into()),
    }
}

#[tokio::test]
async fn a_run_is_stored_through_the_eight_functions_and_resumed() {
    let world = World::new();
    world.watches("keeper", &format!("{STORE} api.register('session-backend', store)")).await;
    let store = backend(&world, "mem");
    let session = store.open(options()).await.unwrap();
    assert_eq!(session.info.id.as_str(), "s1");
    assert_eq!(session.info.cwd, Path::new("/home/place"));
    let mut setup = world.setup();
    setup.session = Some((store.clone(), session));
    world.run_with(setup, |context| async move { say(&context, "first").await }).await;
    assert_eq!(world.seen("keeper").await["closed"], "s1");

    let latest = store.latest(FindOptions::default()).await.unwrap().unwrap();
    assert_eq!((latest.path.as_path(), latest.message_count.0), (Path::new("mem/s1"), 2));
    let loaded = store.load(&latest.path).await.unwrap();
    assert_eq!(loaded.messages.len(), 2);
    assert_eq!(json!(loaded.messages[0])["content"], "first");
    // A kernel carries one run; the next one has a kernel of its own and the same store.
    let next = World::new();
    let session = store.open_existing(&latest.path, options()).await.unwrap();
    let mut setup = next.setup();
    setup.session = Some((store.clone(), session));
    setup.messages = loaded.messages;
    next.run_with(setup, |context| async move { say(&context, "second").await }).await;
    let messages = store.load(&latest.path).await.unwrap().messages;
    let roles: Vec<Value> = messages.iter().map(|message| json!(message)["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"], "{:?}", world.errors());

    let found = FindOptions {
        cwd: Some("/home/place".into()),
        id: Some("s".into()),
        text: Some("word".into()),
        limit: Some(1),
    };
    store.open(options()).await.unwrap();
    let listed = store.list(found.clone()).await.unwrap();
    assert_eq!(listed.iter().map(|info| info.id.as_str()).collect::<Vec<_>>(), ["s2"]);
    assert_eq!(store.find(FindOptions::default()).await.unwrap().len(), 2);
    store.find(found).await.unwrap();
    let seen = world.seen("keeper").await;
    assert_eq!(seen["opts"], json!({"cwd": "/home/place", "id": "s", "text": "word", "limit": 1}));
    assert_eq!(seen["closed"], "s1");
    assert_eq!(
        seen["calls"],
        json!([
            "open",
            "append",
            "append",
            "close",
            "latest",
            "load",
            "open-existing",
            "append",
            "append",
            "close",
            "load",
            "open",
            "list",
            "find",
            "find"
        ])
    );
}

#[tokio::test]
async fn the_optional_functions_are_used_where_they_are_and_say_so_where_not() {
    let world = World::new();
    world.watches("bare", &format!("{STORE} api.register('session-backend', store)")).await;
    world
        .watches(
            "full",
            &format!(
                r#"{STORE}
                store.name = "full"
                local entries = {{}}
                store.append_entry = function(session, entry) entry.of = session.data.id table.insert(entries, entry) end
                store.load_entries = function(path) return entries end
                store.rename = function(session, title) seen.title = {{ session.data.id, title }} end
                store["delete!"] = function(path) seen.deleted = path end
                store.preview = function(path) if path == "odd" then return 7 end return "about " .. path end
                store.list = function() return {{ {{ id = "s9", size = 12, modified = 34 }} }} end
                api.register('session-backend', store)"#
            ),
        )
        .await;
    let bare = backend(&world, "mem");
    let session = bare.open(options()).await.unwrap();
    for (failed, what) in [
        (bare.append_entry(&session, "note", json!({})).await, "further entries"),
        (bare.load_entries(&session.info.path).await.map(drop), "further entries"),
        (bare.rename(&session, "t").await, "titles"),
        (bare.delete(&session.info.path).await, "deletion"),
        (bare.preview(&session.info.path).await.map(drop), "previews"),
    ] {
        let failure = failed.unwrap_err();
        assert!(failure.message.contains("`mem`") && failure.message.contains(what), "{failure}");
    }
    let full = backend(&world, "full");
    let session = full.open(options()).await.unwrap();
    full.append_entry(&session, "x/state", json!({"state": {"n": 1}})).await.unwrap();
    let entries = full.load_entries(&session.info.path).await.unwrap();
    assert_eq!(entries[0].kind, "x/state");
    assert_eq!(entries[0].fields, json!({"state": {"n": 1}, "of": "s1"}));
    full.rename(&session, "A title").await.unwrap();
    full.delete(&session.info.path).await.unwrap();
    assert_eq!(full.preview(&session.info.path).await.unwrap(), "about mem/s1");
    let odd = full.preview(Path::new("odd")).await.unwrap_err();
    assert!(odd.message.contains("preview gives a text"), "{odd}");
    let listed = full.list(FindOptions::default()).await.unwrap();
    assert_eq!((listed[0].size, listed[0].modified), (Some(Count(12)), Some(Millis(34))));
    let seen = world.seen("full").await;
    assert_eq!((&seen["title"], &seen["deleted"]), (&json!(["s1", "A title"]), &json!("mem/s1")));
}

#[tokio::test]
async fn what_a_backend_refuses_or_answers_wrongly_is_a_failure_with_its_words() {
    let world = World::new();
    world
        .watches(
            "keeper",
            r#"local function no() error("disk full") end
               api.register("session-backend", { name = "mem", open = function() return { id = "s1" } end,
                 ["open-existing"] = function() return { ok = false, error = "locked by another" } end,
                 append = no, close = function() end, load = function() return { { role = "user", content = "a", timestamp = 1 }, { role = "user", content = 7, timestamp = 1 } } end,
                 find = function() return 7 end, list = function() return { { path = "p" } } end, latest = no })"#,
        )
        .await;
    let store = backend(&world, "mem");
    let all = FindOptions::default;
    for (failed, words) in [
        (store.open_existing(Path::new("p"), options()).await.map(drop), "locked by another"),
        (store.load(Path::new("p")).await.map(drop), "field `[2].content`"),
        (store.find(all()).await.map(drop), "list of sessions"),
        (store.list(all()).await.map(drop), "`id`"),
        (store.latest(all()).await.map(drop), "disk full"),
    ] {
        let failure = failed.unwrap_err();
        assert!(failure.message.contains(words), "{words}: {failure}");
    }
    let mut setup = world.setup();
    setup.session = Some((store.clone(), store.open(options()).await.unwrap()));
    world.run_with(setup, |context| async move { say(&context, "hi").await }).await;
    // The conversation goes on in memory.
    assert_eq!(world.told("agent-turn-complete")[0]["status"], "ok");
    let errors = world.told("error");
    assert_eq!(errors.len(), 2);
    assert!(errors[0]["error"].as_str().unwrap().contains("disk full"), "{errors:?}");
}

#[tokio::test]
async fn set_active_chooses_the_backend_by_its_canonical_name_at_load_and_later() {
    let world = World::new();
    world
        .watches(
            "keeper",
            &format!(
                r#"{STORE} api.register('session-backend', store)
                local backends = require("fen.core.extensions.register.session_backend")
                seen.at_load = backends["set-active!"]("mem")
                seen.unknown = backends.set_active("memo")"#
            ),
        )
        .await;
    let seen = world.seen("keeper").await;
    assert_eq!(seen["at_load"], json!({"ok": true}));
    assert_eq!(seen["unknown"]["ok"], false);
    assert!(seen["unknown"]["error"].as_str().unwrap().contains("memo"), "{seen}");
    assert_eq!(world.kernel.active_session_backend().as_deref(), Some("mem"));
    world
        .loads(
            "later",
            r#"return function(api)
              api.register("command", { name = "choose", handler = function(args)
                local set = require("fen.core.extensions.register.session_backend")["set-active!"](args)
                if not set.ok then error(set.error, 0) end
              end })
            end"#,
        )
        .await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/choose mem".to_owned()).await.unwrap();
            context.conversation.dispatch("/choose none".to_owned()).await.unwrap_err();
        })
        .await;
    assert_eq!(world.kernel.active_session_backend().as_deref(), Some("mem"));
}

#[tokio::test]
async fn a_load_may_tell_more_than_the_messages() {
    let world = World::new();
    world
        .loads(
            "keeper",
            r#"return function(api)
              local function no() end
              api.register("session-backend", { name = "mem", open = no, ["open-existing"] = no,
                append = no, close = no, find = no, list = no, latest = no,
                load = function() return { messages = { { role = "user", content = "a", timestamp = 1 } },
                  provider = "p", model = "m", warnings = { "line 3" }, queue = { steering = { "go" } } } end })
            end"#,
        )
        .await;
    let loaded = backend(&world, "mem").load(Path::new("x")).await.unwrap();
    assert_eq!(loaded.messages.len(), 1);
    assert_eq!((loaded.provider.as_deref(), loaded.model.as_deref()), (Some("p"), Some("m")));
    assert_eq!(loaded.warnings, ["line 3"]);
    assert_eq!(loaded.queue.steering, ["go"]);
}
