//! Code that fails, never ends, takes too much or says nonsense, wherever fen calls it: each time
//! the error names the extension, the place and what happened, and everybody else goes on.

use crate::beside::{
    beside, contribution, good_works, hear, nothing, remark, results, size, snapshot, until, world,
};
use crate::kit::{HANG, World, program, say};
use fen_contract::conversation::{Submitted, WhenBusy};
use fen_contract::kinds::{Contribution, Kind};
use fen_contract::provider::{CallOptions, NoSink};
use fen_contract::session::{FindOptions, OpenOptions};
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use fen_script::host::Program;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Code that does not end, for every place in which code can run.
const ENDLESS: [(&str, &str); 12] = [
    ("plain", "while true do end"),
    ("pcall", "while true do pcall(function() while true do end end) end"),
    ("close", "local x <close> = setmetatable({}, {__close = function() while true do end end})"),
    ("coroutine", "coroutine.wrap(function() while true do end end)()"),
    ("sort", "table.sort({3, 2, 1}, function() while true do end end)"),
    ("gsub", "(('x'):rep(10)):gsub('.', function() while true do end end)"),
    ("index", "local _ = setmetatable({}, {__index = function() while true do end end}).x"),
    ("tostring", "tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("thrown", "error(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("pattern", "while true do pcall(string.find, ('a'):rep(3000), '.-.-.-.-b') end"),
    ("rep", "local s while true do s = ('x'):rep(1000000) end"),
    ("reader", "load(function() while true do end end)"),
];

fn entry(body: &str) -> String {
    format!("return function(api)\n{body}\nend")
}

fn of_files(name: &str, files: &[(&str, &str)]) -> Program {
    let files: BTreeMap<String, Arc<str>> =
        files.iter().map(|(file, text)| ((*file).to_owned(), Arc::from(*text))).collect();
    Program { entry: "init.lua".to_owned(), files, ..program(name, "") }
}

/// The words of the last `extension-error`s that an extension caused.
fn errors_of(world: &World, owner: &str) -> Vec<String> {
    let prefix = format!("{owner}: ");
    world.errors().into_iter().filter(|error| error.starts_with(&prefix)).collect()
}

#[tokio::test]
async fn an_extension_that_does_not_load_is_a_named_error_with_its_place() {
    let world = world().await;
    let cases: &[(&str, String, &str)] = &[
        ("syntax", "return function(api)\n  local = 1\nend".to_owned(), ":2: "),
        ("throws", "local x = 1\nerror('boom')".to_owned(), ":2: boom"),
        ("throws-in-entry", entry("error('boom')"), ":2: boom"),
        ("throws-a-table", entry("error({ message = 'boom' })"), "boom"),
        ("throws-nil", entry("error(nil)"), "nil was thrown"),
        ("indexes-nil", entry("local x = nil\nreturn x.y"), ":3: "),
        ("missing-module", entry("require('nowhere')"), ":2: module 'nowhere' not found"),
        ("gives-nothing", "local x = 1".to_owned(), "gives nil; an extension gives a function"),
        ("gives-a-number", "return 7".to_owned(), "gives integer; an extension gives a function"),
        ("gives-an-empty-table", "return {}".to_owned(), "gives table; an extension gives"),
        ("too-long", format!("{}{}", entry(""), " ".repeat(3 << 20)), "at most 2097152"),
        ("bytecode", "\x1bLua\x54\x00".to_owned(), "binary"),
        ("loads-bytecode", entry("assert(load(string.dump(function() end)))"), ":2: "),
        ("recursion", entry("local function f() return 1 + f() end f()"), "not enough memory"),
        (
            "memory",
            entry("local t = {} while true do t[#t + 1] = ('x'):rep(1000):rep(100) .. #t end"),
            "not enough memory",
        ),
        ("huge-rep", entry("local _ = ('x'):rep(1e10)"), ":2: "),
        ("pattern", entry("('a'):rep(3000):find('.-.-.-.-b')"), ":2: "),
        ("exits", entry("os.exit()"), ":2: "),
        ("io", entry("io.open('/etc/passwd')"), ":2: "),
        ("debug", entry("debug.getinfo(1)"), ":2: "),
        ("package", entry("package.loadlib('x', 'y')"), ":2: "),
        ("requires-io", entry("require('io')"), ":2: "),
        ("changes-the-api", entry("api.on = 1"), "api.on cannot be set"),
    ];
    for (name, source, wanted) in cases {
        let failure = world.load(name, source).await.expect_err(name);
        let words = &failure.message;
        assert!(words.contains(wanted), "{name}: {words}");
        assert!(words.starts_with(&format!("{name}.lua")), "{name}: {words}");
        let told = errors_of(&world, name);
        assert_eq!(told.len(), 1, "{name}: {told:?}");
        assert!(told[0].starts_with(&format!("{name}: load: {name}.lua")), "{told:?}");
        let row = world.row(name);
        assert_eq!((&row["state"], &row["reason"]), (&json!("error"), &json!(words)), "{name}");
        good_works(&world.kernel, name).await;
    }
    assert_eq!(world.host.loaded(), ["good"]);
    until("the end of the failed VMs", || async { world.host.instances().await == 1 }).await;
}

#[tokio::test]
async fn files_that_require_each_other_in_a_circle_are_a_named_error() {
    let world = world().await;
    let circle = of_files(
        "circle",
        &[("init.lua", "require('a')"), ("a.lua", "\nrequire('b')"), ("b.lua", "\n\nrequire('a')")],
    );
    let failure = world.host.load(circle).await.expect_err("it goes in a circle");
    assert!(failure.message.starts_with("circle/b.lua:3: "), "{failure}");
    assert!(failure.message.contains("cyclic require: a -> b -> a"), "{failure}");
    good_works(&world.kernel, "a circle").await;
}

#[tokio::test]
async fn a_load_that_never_ends_is_stopped_where_it_stood() {
    let world = world().await;
    for (name, code) in
        ENDLESS.iter().filter(|(name, _)| matches!(*name, "plain" | "pcall" | "close"))
    {
        let failure = world.load(name, &entry(code)).await.expect_err(name);
        let words = &failure.message;
        assert!(words.starts_with(&format!("{name}.lua:2: ")), "{words}");
        assert!(words.contains("ran longer than 1 s and was stopped"), "{words}");
        good_works(&world.kernel, name).await;
    }
}

#[tokio::test]
async fn handlers_that_never_end_are_stopped_while_others_go_on() {
    let world = world().await;
    for (name, code) in ENDLESS {
        let source = format!(
            "return function(api)\n  api.on('info', function(e) if e.info == 'go' then\n{code}\nend end)\nend"
        );
        world.loads(name, &source).await;
    }
    remark(&world.kernel, "go");
    // While they burn.
    good_works(&world.kernel, "the start of endless handlers").await;
    world.settle().await;
    for (name, _) in ENDLESS {
        let told = errors_of(&world, name);
        assert_eq!(told.len(), 1, "{name}: {told:?}");
        assert!(told[0].starts_with(&format!("{name}: info: {name}.lua:")), "{told:?}");
        assert!(told[0].contains("ran longer than 500 ms and was stopped"), "{told:?}");
        assert_eq!(world.row(name)["state"], "loaded");
    }
    good_works(&world.kernel, "endless handlers").await;
}

#[tokio::test]
async fn rendering_that_never_ends_is_stopped_and_told_once() {
    let world = world().await;
    for (name, code) in ENDLESS {
        let source = format!(
            "return function(api)\n  api.register('status', {{ name = 's', render = function()\n{code}\nend }})\nend"
        );
        world.loads(name, &source).await;
    }
    for _ in 0..2 {
        let items = world.kernel.api().status_items(size()).await;
        assert_eq!(items.len(), 1, "the good one alone");
    }
    for (name, _) in ENDLESS {
        let told = errors_of(&world, name);
        assert!(!told.is_empty(), "{name}");
        assert!(
            told[0].starts_with(&format!("{name}: render: status `s`: {name}.lua:")),
            "{told:?}"
        );
        assert!(told[0].contains("ran longer than 50 ms and was stopped"), "{told:?}");
    }
    good_works(&world.kernel, "endless rendering").await;
}

#[tokio::test]
async fn timers_that_never_end_or_throw_are_named_and_the_others_tick_on() {
    let world = world().await;
    world.loads("burns", &entry("api.timer.after(1, function()\nwhile true do end\nend)")).await;
    world.loads("throws", &entry("api.timer.every(10, function()\nerror('tick')\nend)")).await;
    until("two failed ticks", || async { errors_of(&world, "throws").len() >= 2 }).await;
    until("the end of the burner", || async { !errors_of(&world, "burns").is_empty() }).await;
    let burns = &errors_of(&world, "burns")[0];
    assert!(burns.starts_with("burns: timer: burns.lua:3: ran longer than 500 ms"), "{burns}");
    assert_eq!(errors_of(&world, "throws")[0], "throws: timer: throws.lua:3: tick");
    good_works(&world.kernel, "bad timers").await;
}

#[tokio::test]
async fn a_hook_that_never_ends_or_throws_blocks_the_call_and_says_where() {
    for (name, code, wanted) in [
        ("burns", "while true do end", "ran longer than 50 ms and was stopped"),
        ("throws", "error('no idea')", "no idea"),
        ("answers", "return 'fine'", "a hook gives nothing, {allow = true}"),
        ("answers-nan", "return { allow = 0/0 }", "is no JSON number"),
        ("refuses-itself", "return { block = true, allow = true, reason = 'both' }", "both"),
    ] {
        let world =
            beside(World::answering(vec![Turn::call("good", nothing()), Turn::text("done")])).await;
        let source = entry(&format!(
            "api.register('hook', {{ ['before-tool'] = function()\n{code}\nend }})"
        ));
        world.loads(name, &source).await;
        world.prompt("work").await;
        let result = &world.told("tool-result")[0]["result"];
        assert_eq!(result["is-error?"], true, "{name}");
        let text = &results(&world)[0];
        assert!(text.starts_with("Blocked: "), "{name}: {text}");
        assert!(text.contains(wanted), "{name}: {text}");
        if name != "refuses-itself" {
            let told = errors_of(&world, name);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].starts_with(&format!("{name}: before-tool: ")), "{told:?}");
        }
        good_works(&world.kernel, name).await;
    }
}

/// An extension with every kind, all of whose functions throw.
const THROWS: &str = r#"return function(api)
  local function boom() error("boom") end
  api.register("tool", { name = "bad", description = "Throws", parameters = { type = "object" }, execute = boom })
  api.register("command", { name = "bad", handler = boom, complete = boom })
  api.register("status", { name = "bad", render = boom })
  api.register("panel", { name = "render", render = boom })
  api.register("panel", { name = "enabled", render = function() return { "x" } end, ["enabled?"] = boom })
  api.register("panel", { name = "height", render = function() return { "x" } end, height = boom })
  api.register("control", { name = "bad", key = "f5", handler = boom })
  api.register("introspect", { name = "bad", snapshot = boom })
  api.register("auth-backend", { name = "bad", ["api-key"] = boom, ["login!"] = boom, ["logout!"] = boom, status = boom })
  api.register("provider", { name = "bad", api = "bad", complete = boom, ["build-body"] = boom,
    ["convert-messages"] = boom, ["convert-tools"] = boom, ["map-stop-reason"] = boom, ["parse-response"] = boom,
    ["list-models"] = boom })
  api.register("session-backend", { name = "bad", open = boom, ["open-existing"] = boom, append = boom, close = boom,
    load = boom, find = boom, list = boom, latest = boom, ["append-entry"] = boom, ["load-entries"] = boom,
    ["rename!"] = boom, ["delete!"] = boom })
  api.prompt(boom, { id = "bad" })
  api.timer.after(0, boom)
end"#;

const BOOM: &str = "bad.lua:2: boom";

#[tokio::test]
async fn a_throw_in_any_callback_of_any_kind_is_an_error_with_its_place() {
    let world = world().await;
    world.loads("bad", THROWS).await;
    let kernel = &world.kernel;
    let api = kernel.api();
    let boomed = |what: &str, words: &str| assert!(words.contains(BOOM), "{what}: {words}");

    api.panels(size()).await;
    api.status_items(size()).await;
    let told = errors_of(&world, "bad");
    for what in ["panel `render`", "panel `enabled`", "panel `height`", "status `bad`"] {
        let wanted = format!("bad: render: {what}: {BOOM}");
        assert!(told.contains(&wanted), "{wanted} in {told:?}");
    }
    boomed("control", &api.press("f5").await.unwrap().unwrap_err().message);
    let rows = api.snapshots(Some("bad".to_owned())).await;
    boomed("snapshot", rows[0]["snapshot"]["error"].as_str().unwrap());

    let Contribution::AuthBackend(auth) = contribution(kernel, Kind::AuthBackend, "bad") else {
        panic!()
    };
    boomed("api-key", &auth.backend.api_key(&"x".into()).await.unwrap_err().message);
    boomed("login", &auth.backend.login(json!({})).await.unwrap_err().message);
    boomed("logout", &auth.backend.logout().await.unwrap_err().message);
    boomed("status", &auth.backend.status());

    let Contribution::SessionBackend(store) = contribution(kernel, Kind::SessionBackend, "bad")
    else {
        panic!()
    };
    let store = store.backend;
    boomed("open", &store.open(OpenOptions::default()).await.err().unwrap().message);
    let existing = store.open_existing(Path::new("/x"), OpenOptions::default()).await;
    boomed("open-existing", &existing.err().unwrap().message);
    boomed("load", &store.load(Path::new("/x")).await.unwrap_err().message);
    boomed("find", &store.find(FindOptions::default()).await.unwrap_err().message);
    boomed("list", &store.list(FindOptions::default()).await.unwrap_err().message);
    boomed("latest", &store.latest(FindOptions::default()).await.unwrap_err().message);
    boomed("delete!", &store.delete(Path::new("/x")).await.unwrap_err().message);

    let Contribution::Provider(provider) = contribution(kernel, Kind::Provider, "bad") else {
        panic!()
    };
    let listed = provider.provider.list_models(&CallOptions::default()).await;
    boomed("list-models", &listed.unwrap_err().message);
    let answer = provider
        .provider
        .complete(
            &"m".into(),
            &serde_json::from_value(json!({"messages": [], "tools": [], "max-tokens": 10}))
                .unwrap(),
            &CallOptions::default(),
            &NoSink,
            &Default::default(),
        )
        .await;
    boomed("complete", answer.error_message.as_deref().unwrap());
    let prompt = kernel.system_prompt().await.expect("a note stands in its place");
    assert!(prompt.contains("the part `bad` could not be made"), "{prompt}");
    until("the timer", || async {
        errors_of(&world, "bad").contains(&format!("bad: timer: {BOOM}"))
    })
    .await;
    good_works(kernel, "throws everywhere").await;
}

#[tokio::test]
async fn a_tool_and_a_command_that_throw_fail_alone() {
    let world = beside(World::answering(vec![
        Turn::call("bad", nothing()).and_call("good", nothing()),
        Turn::text("done"),
    ]))
    .await;
    world.loads("bad", THROWS).await;
    world
        .run(|context| async move {
            say(&context, "work").await;
            let failed = context.conversation.dispatch("/bad".to_owned()).await.unwrap_err();
            assert!(failed.message.contains(BOOM), "{failed}");
            assert!(failed.message.contains("extension `bad`"), "{failed}");
            assert!(context.conversation.complete("/bad x".to_owned()).await.is_empty());
        })
        .await;
    let texts = results(&world);
    assert_eq!(texts[0], format!("The tool `bad` of extension `bad` failed: {BOOM}"));
    assert_eq!(texts[1], "good work");
    let told = errors_of(&world, "bad");
    for callback in ["execute", "handler", "complete"] {
        assert!(told.contains(&format!("bad: {callback}: {BOOM}")), "{callback} in {told:?}");
    }
    good_works(&world.kernel, "a throwing tool").await;
}

#[tokio::test]
async fn a_presenter_that_throws_ends_the_run_with_its_words() {
    for (name, functions) in [
        ("init", "init = boom, run = function() end"),
        ("run", "run = boom"),
        ("shutdown", "run = function(ctx) ctx.quit() end, shutdown = boom"),
    ] {
        let world = world().await;
        let source = format!(
            "return function(api)\n  local function boom() error('boom') end\n  api.register('presenter', {{ name = 'bad', {functions} }})\nend"
        );
        world.loads("bad", &source).await;
        let setup = RunSetup { presenter: "bad".to_owned(), ..world.setup() };
        let outcome = tokio::time::timeout(HANG, world.kernel.run(setup)).await.expect("no end");
        let failure = outcome.failure.unwrap_or_else(|| panic!("{name}: it went well"));
        assert!(failure.message.contains(BOOM), "{name}: {failure}");
        good_works(&world.kernel, name).await;
    }
}

#[tokio::test]
async fn a_throw_in_the_handler_of_any_event_is_told_for_that_event_and_never_for_its_own_error() {
    let world = beside(World::answering(vec![
        Turn::call("good", nothing()),
        Turn { thinking: Some("hm".to_owned()), ..Turn::text("done") },
    ]))
    .await;
    world
        .loads(
            "bad",
            "return function(api) api.on('*', function(e)\nerror('at ' .. e.type)\nend) end",
        )
        .await;
    world.prompt("work").await;
    let names: BTreeSet<String> = world
        .events
        .lock()
        .unwrap()
        .iter()
        .filter_map(|event| event["type"].as_str().map(str::to_owned))
        .filter(|name| name != "extension-error" && name != "extension-loaded")
        .collect();
    assert!(names.len() > 15, "{names:?}");
    let told = errors_of(&world, "bad");
    for name in &names {
        let wanted = format!("bad: {name}: bad.lua:2: at {name}");
        assert!(told.contains(&wanted), "{wanted} in {told:?}");
    }
    assert!(told.iter().all(|error| !error.contains("extension-error")), "{told:?}");
    assert_eq!(results(&world), ["good work"]);
    good_works(&world.kernel, "throwing handlers").await;
}

#[tokio::test]
async fn nonsense_in_a_registration_is_refused_by_kind_and_field() {
    let world = world().await;
    let kinds = Kind::ALL.iter().map(|kind| kind.name());
    for kind in kinds {
        for nonsense in [
            "{}",
            "{ name = 7 }",
            "{ name = function() end }",
            "{ name = 'x', [1] = 2 }",
            "{ name = 0/0 }",
            "(function() local t = { name = 'x' } t.description = t t.order = t t.title = t t.snippet = t return t end)()",
            "setmetatable({}, { __index = function() while true do end end })",
            "{ name = 'x', run = 1, render = 1, handler = 1, execute = 1, snapshot = 1, complete = 1, open = 1, ['api-key'] = 1, ['before-tool'] = 1 }",
        ] {
            let source = entry(&format!("api.register('{kind}', {nonsense})"));
            let failure = world.load("bad", &source).await.expect_err(nonsense);
            let words = &failure.message;
            assert!(words.starts_with("bad.lua:2: "), "{kind} {nonsense}: {words}");
            assert!(words.contains(kind), "{kind} {nonsense}: {words}");
        }
    }
    for (call, wanted) in [
        ("api.register('tol', {})", "did you mean `tool`?"),
        ("api.register()", "bad.lua:2: "),
        ("api.register('tool')", "bad.lua:2: "),
        ("api.register('tool', 'x')", "bad.lua:2: "),
        ("api.register({}, {})", "bad.lua:2: "),
        ("api.on('info')", "bad.lua:2: "),
        ("api.on('info', 'x')", "bad.lua:2: "),
        ("api.on(nil, print)", "bad.lua:2: "),
        ("api.off({})", "off takes what `on` gave"),
        ("api.prompt({})", "prompt takes a text or a function"),
        ("api.log('loud', 'x')", "there is no log level `loud`"),
        ("api.list('nothing')", "there is no surface `nothing`"),
        ("api.load('nothing')", "there is no file `nothing`"),
        ("api.timer.after(0/0, print)", "a timer takes milliseconds"),
        ("api.timer.after('soon', print)", "bad.lua:2: "),
        ("api.enqueue('first', 'x')", "there is no queue `first`"),
        ("api.emit(nil)", "bad.lua:2: "),
        ("api.emit('info')", "bad.lua:2: "),
        ("api.emit({})", "bad.lua:2: "),
        ("api.emit({ type = 'info', info = 7 })", "info"),
        (
            "api.emit({ type = 'info', info = 'x', more = function() end })",
            "a function cannot be data",
        ),
        ("api.emit({ type = 'bad/x', n = 0/0 })", "is no JSON number"),
        ("local t = { type = 'bad/x' } t.t = t api.emit(t)", "the table contains itself"),
        ("api.emit({ type = 'bad/x', [1] = 2 })", "bad.lua:2: "),
        (
            "local t = {} for i = 1, 1000 do t = { t } end api.emit({ type = 'bad/x', t = t })",
            "levels deep",
        ),
    ] {
        let failure = world.load("bad", &entry(call)).await.expect_err(call);
        assert!(failure.message.starts_with("bad.lua:2: "), "{call}: {failure}");
        assert!(failure.message.contains(wanted), "{call}: {failure}");
    }
    assert!(world.told("bad/x").is_empty());
    good_works(&world.kernel, "nonsense").await;
}

#[tokio::test]
async fn events_that_scripts_may_not_emit_are_refused_with_a_reason() {
    let world = world().await;
    world
        .loads(
            "bad",
            &entry(
                "local function try(event) local told = api.emit(event) assert(not told.ok) api.log('info', told.error) end\n\
                 try({ type = 'good/x' })\n\
                 try({ type = 'user', line = 'x' })\n\
                 try({ type = 'cancelled' })",
            ),
        )
        .await;
    let logs = world.kernel.list("logs").unwrap();
    let said = format!("{logs:?}");
    assert!(said.contains("its own events are named `bad/…`"), "{said}");
    assert!(said.contains("only the kernel tells facts"), "{said}");
    good_works(&world.kernel, "foreign events").await;
}

#[tokio::test]
async fn values_that_are_no_data_are_named_errors_wherever_a_script_gives_them() {
    let nonsense = [
        ("cycle", "(function() local t = {} t.t = t return t end)()", "contains itself"),
        ("function", "{ x = print }", "a function cannot be data"),
        ("nan", "{ x = 0/0 }", "no JSON number"),
        ("holes", "{ 1, nil, 3, x = 2 }", "neither an array nor an object"),
        ("coroutine", "{ x = coroutine.create(print) }", "cannot be data"),
        (
            "deep",
            "(function() local t = {} for i = 1, 500 do t = { t } end return t end)()",
            "levels deep",
        ),
    ];
    let turns = (0..nonsense.len()).map(|n| Turn::call(format!("t{n}"), nothing()));
    let world = beside(World::answering(turns.chain([Turn::text("done")]).collect())).await;
    for (n, (name, value, _)) in nonsense.iter().enumerate() {
        let source = entry(&format!(
            "api.register('introspect', {{ name = 'i', snapshot = function() return {value} end }})\n\
             api.register('status', {{ name = 's', render = function() return {value} end }})\n\
             api.register('tool', {{ name = 't{n}', description = 'd', parameters = {{ type = 'object' }},\n\
               execute = function() return {{ content = {{ {{ type = 'text', text = 'x' }} }}, details = {value} }} end }})"
        ));
        world.loads(name, &source).await;
    }
    world.prompt("work").await;
    world.kernel.api().status_items(size()).await;
    let texts = results(&world);
    for (n, (name, _, wanted)) in nonsense.iter().enumerate() {
        let given = snapshot(&world.kernel, name).await;
        let words = given["error"].as_str().unwrap_or_else(|| panic!("{name}: {given}"));
        assert!(words.contains(wanted), "{name}: {words}");
        assert!(texts[n].contains(&format!("of extension `{name}` failed: ")), "{}", texts[n]);
        assert!(texts[n].contains(wanted), "{name}: {}", texts[n]);
        let told = errors_of(&world, name);
        for callback in ["render", "snapshot", "execute"] {
            let prefix = format!("{name}: {callback}: ");
            assert!(told.iter().any(|error| error.starts_with(&prefix)), "{prefix} in {told:?}");
        }
    }
    good_works(&world.kernel, "no data").await;
}

#[tokio::test]
async fn bytes_that_are_no_text_reach_nobody_as_such() {
    let world =
        beside(World::answering(vec![Turn::call("bytes", nothing()), Turn::text("done")])).await;
    world
        .loads(
            "bytes",
            &entry(
                "api.register('tool', { name = 'bytes', description = 'd', parameters = { type = 'object' },\n\
                   execute = function() return 'a\\xff\\0b' end })\n\
                 api.register('introspect', { name = 'i', snapshot = function() return { x = 'a\\xffb' } end })\n\
                 api.on('user', function() api.emit({ type = 'info', info = 'a\\xffb' }) end)",
            ),
        )
        .await;
    world.prompt("work").await;
    let text = &results(&world)[0];
    assert!(text.starts_with("a\u{fffd}") && text.ends_with('b'), "{text:?}");
    assert_eq!(snapshot(&world.kernel, "bytes").await["x"], "a\u{fffd}b");
    assert_eq!(world.infos(), ["a\u{fffd}b"]);
    good_works(&world.kernel, "bytes").await;
}

#[tokio::test]
async fn a_tool_that_waits_or_works_for_ever_ends_with_the_turn() {
    for (name, code) in [
        ("waits", "api.timer.sleep(8e7)"),
        ("waits-again", "while true do pcall(api.timer.sleep, 8e7) end"),
        ("burns", "while true do end"),
        ("yields", "while true do yield() end"),
    ] {
        let world = beside(World::answering(vec![Turn::call("bad", nothing())])).await;
        let source = entry(&format!(
            "api.register('tool', {{ name = 'bad', description = 'd', parameters = {{ type = 'object' }},\n\
               execute = function(_, yield) api.emit({{ type = 'info', info = 'begun' }}) {code} end }})"
        ));
        world.loads("bad", &source).await;
        world
            .run(|context| async move {
                let submitted =
                    context.conversation.submit_line("work".to_owned(), WhenBusy::Reject).await;
                assert!(matches!(submitted, Submitted::Started), "{submitted:?}");
                hear(&context, "info").await;
                assert!(context.conversation.cancel());
                hear(&context, "agent-turn-complete").await;
            })
            .await;
        assert_eq!(world.told("agent-turn-complete")[0]["status"], "cancelled", "{name}");
        let result = &world.told("tool-result")[0]["result"];
        assert_eq!(result["is-error?"], true, "{name}");
        good_works(&world.kernel, name).await;
    }
}

#[tokio::test]
async fn a_handler_that_waits_for_ever_holds_up_neither_the_run_nor_others() {
    let world = world().await;
    world.loads("waits", &entry("api.on('user', function() api.timer.sleep(8e7) end)")).await;
    let (kernel, host) = (world.kernel.clone(), world.host.clone());
    let stage = world.setup();
    let driven = world.run_unsettled(stage, |context| async move { say(&context, "hi").await });
    driven.await;
    assert!(!host.settle(Duration::from_millis(50)).await, "it still waits");
    good_works(&kernel, "a handler that waits").await;
    assert!(host.unload("waits"));
    assert!(host.settle(HANG).await, "unloading ends it");
}

#[tokio::test]
async fn a_chain_of_events_without_end_ends_with_an_error_that_names_who() {
    let world = world().await;
    world
        .loads(
            "chain",
            &entry(
                "api.on('chain/go', function()\napi.emit({ type = 'chain/go' })\nend)\n\
                 api.on('info', function(e) if e.info == 'go' then api.emit({ type = 'chain/go' }) end end)",
            ),
        )
        .await;
    // Two that answer each other, and one that is driven by its own errors.
    for (one, other) in [("ping", "pong"), ("pong", "ping")] {
        world
            .loads(
                one,
                &entry(&format!(
                    "api.on('{other}/x', function()\napi.emit({{ type = '{one}/x' }})\nend)\n\
                     api.on('info', function(e) if e.info == 'go' then api.emit({{ type = '{one}/x' }}) end end)"
                )),
            )
            .await;
    }
    world
        .loads(
            "errs",
            &entry(
                "api.on('extension-error', function(e) if e.owner == 'errs' then\napi.emit({ type = 'errs/x' })\nend end)\n\
                 api.on('errs/x', function() error('again') end)\n\
                 api.on('info', function(e) if e.info == 'go' then error('first') end end)",
            ),
        )
        .await;
    remark(&world.kernel, "go");
    world.settle().await;
    let chain = errors_of(&world, "chain");
    assert_eq!(
        chain,
        [
            "chain: chain/go: chain.lua:3: `chain/go` cannot be emitted now: handlers answer events with \
          events without end"
        ]
    );
    let both = [errors_of(&world, "ping"), errors_of(&world, "pong")].concat();
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(world.told("errs/x").len() < 2000);
    good_works(&world.kernel, "endless chains").await;
}

#[tokio::test]
async fn a_burst_of_events_that_scripts_answer_is_no_endless_chain() {
    const BURST: usize = 3000;
    let world = world().await;
    world
        .loads(
            "answers",
            &entry("api.on('info', function(e) if e.info == 'ask' then assert(api.emit({ type = 'answers/x' }).ok) end end)"),
        )
        .await;
    for _ in 0..BURST {
        remark(&world.kernel, "ask");
    }
    world.settle().await;
    assert_eq!(world.told("answers/x").len(), BURST);
    assert!(world.errors().is_empty(), "{:?}", world.errors());
    good_works(&world.kernel, "a burst").await;
}

#[tokio::test]
async fn a_host_without_extensions_has_no_thread_and_no_vm() {
    let world = World::new();
    world.prompt("hi").await;
    assert!(!world.host.has_started());
    assert_eq!(world.host.instances().await, 0);
    assert!(world.host.settle(HANG).await);
    assert!(world.host.rows().is_empty());
}
