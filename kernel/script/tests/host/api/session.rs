//! `session`, `settings`, `models` and `auth`.

use crate::doubles::{Store, session};
use crate::kit::{World, program, say, watching};
use fen_contract::session::SessionBackend;
use fen_core::settings::Settings;
use fen_script::host::Granted;
use serde_json::{Value, json};
use std::sync::Arc;

const KEEPS: &str = r#"
  api.register("command", { name = "keep", handler = function(args)
    seen.kept = api.session["append-state!"]({ n = tonumber(args), list = { 1 } })
  end })
  api.register("command", { name = "read", handler = function()
    local state = api.session["latest-state"]()
    seen.state = state and { n = state.n, list = state.list } or "nothing"
    if state then state.n = 0 end
    local info = api.session.info()
    seen.info = info and { info.id, info.title or "untitled", info.message_count, info["message-count"] } or "none"
    seen.backend = api.session["active-backend"]() or "none"
  end })
  api.register("command", { name = "title", handler = function(args)
    seen.titled = api.session["set-info!"]({ title = args })
    seen.bad = pcall(api.session.set_info, {})
  end })
"#;

/// Runs these commands in a run whose session has this id, or none.
async fn drive(
    world: &World,
    stored: Option<(&Arc<dyn SessionBackend>, &str)>,
    lines: &'static [&'static str],
) {
    let mut setup = world.setup();
    setup.session = stored.map(|(store, id)| (store.clone(), session(id)));
    world
        .run_with(setup, move |context| async move {
            for line in lines {
                context.conversation.dispatch((*line).to_owned()).await.unwrap();
            }
        })
        .await;
}

#[tokio::test]
async fn state_entries_belong_to_the_extension_and_the_session() {
    let world = World::new();
    world.watches("one", KEEPS).await;
    let other = KEEPS.replace("name = \"", "name = \"other-");
    world.watches("two", &other).await;
    let store = Store::opened().0;
    drive(
        &world,
        Some((&store, "s1")),
        &["/read", "/keep 1", "/keep 2", "/read", "/read", "/other-read"],
    )
    .await;
    assert_eq!(
        world.seen("one").await["state"],
        json!({"n": 2, "list": [1]}),
        "{:?}",
        world.errors()
    );
    assert_eq!(world.seen("one").await["kept"], json!({"ok": true}));
    assert_eq!(world.seen("two").await["state"], "nothing");
    drive(&world, Some((&store, "s2")), &["/read"]).await;
    assert_eq!(world.seen("one").await["state"], "nothing");
    drive(&world, Some((&store, "s1")), &["/read"]).await;
    assert_eq!(world.seen("one").await["state"], json!({"n": 2, "list": [1]}));
}

#[tokio::test]
async fn a_session_is_described_and_gets_a_title() {
    let world = World::new();
    world.watches("one", KEEPS).await;
    drive(&world, Some((&Store::opened().0, "s1")), &["/title A tale", "/read"]).await;
    let seen = world.seen("one").await;
    assert_eq!(seen["titled"], json!({"ok": true}));
    assert_eq!(seen["bad"], false);
    assert_eq!(seen["info"], json!(["s1", "A tale", 0, 0]));
    // The store of this test was not registered by anyone.
    assert_eq!(seen["backend"], "none");
}

#[tokio::test]
async fn where_nothing_is_stored_there_is_no_session_and_no_state() {
    let world = World::new();
    world.watches("one", KEEPS).await;
    drive(&world, None, &["/keep 1", "/title x", "/read"]).await;
    let seen = world.seen("one").await;
    let refused = json!({"ok": false, "error": "this conversation is not stored"});
    assert_eq!((&seen["kept"], &seen["titled"]), (&refused, &refused));
    assert_eq!(
        json!([seen["state"], seen["info"], seen["backend"]]),
        json!(["nothing", "none", "none"])
    );
}

#[tokio::test]
async fn the_active_backend_is_the_one_that_keeps_the_conversation() {
    let world = World::new();
    world.watches("one", KEEPS).await;
    world
        .loads(
            "keeper",
            r#"return function(api)
              local function none() end
              api.register("session-backend", { name = "mem", open = function() return { id = "x1", title = "T" } end,
                open_existing = none, append = none, close = none, load = none, find = none, list = none, latest = none })
            end"#,
        )
        .await;
    let registry = world.kernel.registry();
    let entry = registry.find(fen_contract::kinds::Kind::SessionBackend, "mem").unwrap();
    let fen_contract::kinds::Contribution::SessionBackend(spec) = &entry.contribution else {
        panic!()
    };
    let opened = spec.backend.open(Default::default()).await.unwrap();
    let mut setup = world.setup();
    setup.session = Some((spec.backend.clone(), opened));
    world
        .run_with(setup, |context| async move {
            say(&context, "hi").await;
            context.conversation.dispatch("/read".to_owned()).await.unwrap();
        })
        .await;
    let seen = world.seen("one").await;
    assert_eq!(seen["backend"], "mem", "{:?}", world.errors());
    assert_eq!(seen["info"], json!(["x1", "T", 2, 2]));
}

#[tokio::test]
async fn settings_are_read_without_secrets_and_a_few_defaults_can_be_changed() {
    let world = World::new();
    let settings = r#"{"model": "m", "max-tokens": 9, "mine": {"apiKey": "sk-1", "url": "u"}}"#;
    world.kernel.set_settings(&Settings::parse(settings).unwrap());
    world
        .watches(
            "tuner",
            r#"local settings = api.settings["load!"]()
               seen.read = { settings.model, settings["max-tokens"], settings.mine.url, tostring(settings.mine.apiKey) }
               seen.set = api.settings["set-defaults!"]({ model = "n", provider = "mock" })
               seen.nobody = api.settings["set-defaults!"]({ provider = "p" })
               seen.level = api.settings["set-thinking-default!"]("high")
               seen.refused = api.settings["set-defaults!"]({ ["keep-env"] = { "K" } })
               seen.wrong = pcall(api.settings.set_thinking_default, "very")
               seen.form = pcall(api.settings.set_defaults, "model")"#,
        )
        .await;
    let seen = world.seen("tuner").await;
    assert_eq!(seen["read"], json!(["m", 9, "u", "nil"]));
    assert_eq!((&seen["set"], &seen["level"]), (&json!({"ok": true}), &json!({"ok": true})));
    // A name that nothing has would keep the next run from starting.
    assert_eq!(seen["nobody"]["ok"], false);
    assert_eq!(seen["refused"]["ok"], false);
    assert!(seen["refused"]["error"].as_str().unwrap().contains("`keep-env`"), "{seen}");
    assert_eq!(json!([seen["wrong"], seen["form"]]), json!([false, false]));
    assert_eq!(
        *world.settings.0.lock().unwrap(),
        [json!({"model": "n", "provider": "mock"}), json!({"thinking": "high"})]
    );
}

#[tokio::test]
async fn models_are_listed_found_and_named_in_full() {
    let world = World::new();
    world
        .watches(
            "chooser",
            r#"local all, mock = api.models.list(), api.models.list({ provider = "mock" })
               seen.count = { #all, #mock, #api.models.list({ provider = "none" }) }
               seen.row = { mock[1].name, mock[1].provider, mock[1].model.id, mock[1].owner, mock[1].source }
               local one = api.models.resolve("mock/echo")
               seen.one = { one.ok, one.name, one.model.id }
               seen.bare = api.models.resolve("script").name
               seen.part = api.models.resolve("ECH").name
               seen.none = api.models.resolve("gpt")
               seen.many = api.models.resolve("mock")
               seen.ids = { api.models["canonical-id"]("mock", "echo"), api.models.canonical_id("mock", "mock/echo"),
                 api.models.canonical_id("router", "lab/model") }"#,
        )
        .await;
    let seen = world.seen("chooser").await;
    assert_eq!(seen["count"], json!([2, 2, 0]), "{seen}");
    assert_eq!(seen["row"], json!(["mock/echo", "mock", "echo", "mock", "bundled"]));
    assert_eq!(seen["one"], json!([true, "mock/echo", "echo"]));
    assert_eq!((&seen["bare"], &seen["part"]), (&json!("mock/script"), &json!("mock/echo")));
    assert_eq!((&seen["none"]["ok"], &seen["many"]["ok"]), (&json!(false), &json!(false)));
    assert!(seen["none"]["error"].as_str().unwrap().contains("`gpt`"), "{seen}");
    assert!(seen["many"]["error"].as_str().unwrap().contains("mock/script"), "{seen}");
    assert_eq!(seen["ids"], json!(["mock/echo", "mock/echo", "router/lab/model"]));
}

const LOOKS: &str = r#"
  local found = api.auth["find-backend"]("vault")
  seen.found = { found.name, found.status, found.owner }
  seen.missing = api.auth.find_backend("nowhere") == nil
  seen.has_key = found["api-key"] ~= nil
  if found.api_key then seen.key = found["api-key"]() seen.same = found.api_key == found["api-key"] end
"#;

#[tokio::test]
async fn a_found_backend_gives_its_key_only_with_the_capability() {
    let world = World::new();
    world
        .loads(
            "keeper",
            r#"return function(api)
              api.register("auth-backend", { name = "vault", api_key = function() return "sk-1" end,
                status = function() return "open" end })
            end"#,
        )
        .await;
    world.watches("poor", LOOKS).await;
    let mut rich = program("rich", &watching(LOOKS));
    rich.granted = Granted { auth: vec!["vault".to_owned()], ..Granted::default() };
    world.host.load(rich).await.unwrap();
    let (poor, rich) = (world.seen("poor").await, world.seen("rich").await);
    for seen in [&poor, &rich] {
        assert_eq!(seen["found"], json!(["vault", "open", "keeper"]));
        assert_eq!(seen["missing"], true);
    }
    assert_eq!((&poor["has_key"], &poor["key"]), (&json!(false), &Value::Null));
    assert_eq!(json!([rich["has_key"], rich["key"], rich["same"]]), json!([true, "sk-1", true]));
}
