//! What extensions in Fennel are made of, and what they do once they are loaded.

use super::{folder, giving, single};
use crate::beside::{results, size};
use crate::kit::World;
use fen_contract::api::Source;
use fen_provider_mock::Turn;
use fen_script::host::Program;
use fen_script::package::Package;
use serde_json::json;

const COUNTER: &str = r#"(fn [api]
  (fn execute [{: text}]
    (let [(_ n) (text:gsub "%S+" "")]
      (.. n " words")))
  (api.register :tool
    {:name :count_words
     :description "Count the words of a text"
     :parameters {:type :object
                  :properties {:text {:type :string}}
                  :required [:text]}
     : execute})
  (api.register :status
    {:name :clock :side :right :order 10
     :render (fn [_ctx] {:text "12:00" :style :dim})}))
"#;

#[tokio::test]
async fn a_tool_runs_and_a_status_item_is_shown() {
    let world = World::answering(vec![
        Turn::call("count_words", json!({"text": "one two three"})),
        Turn::text("done"),
    ]);
    world.host.load(single("counter", COUNTER)).await.unwrap();
    world.prompt("count").await;
    assert_eq!(results(&world), ["3 words"]);
    let items = world.kernel.api().status_items(size()).await;
    assert_eq!(items[0].segment.text, "12:00");
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn a_hook_blocks_with_its_reason() {
    let world = World::answering(vec![
        Turn::call("act", json!({"path": "/etc/passwd"})),
        Turn::call("act", json!({"path": "a"})),
        Turn::text("done"),
    ]);
    let source = r#"
(fn before-tool [tool args _ctx]
  (when (and (= tool :act) (args.path:match "^/"))
    {:block true :reason (.. "not " args.path)}))

{:register (fn [api]
             (api.register :tool {:name :act :description :x :parameters {:type :object}
                                  :execute (fn [] :ran)})
             (api.register :hook {: before-tool}))}"#;
    world.host.load(single("guard", source)).await.unwrap();
    world.prompt("act").await;
    let given = results(&world);
    assert!(given[0].contains("not /etc/passwd"), "{given:?}");
    assert_eq!(given[1], "ran");
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn require_and_load_find_files_of_both_languages() {
    let world = World::new();
    let init = giving(
        "{:words ((. (require :lib.words) :count) \"a b\")
          :inner (. (require :inner) :name)
          :lua (. (require :plain) :answer)
          :same (= (require :lib.words) (require :lib.words))
          :loaded (. (api.load :lib/words) :made)
          :data (. (api.load :data) 1)
          :named (api.load :lib/words.fnl)}",
    )
    .replace(":named (api.load :lib/words.fnl)", ":named (. (api.load :lib/words.fnl) :made)");
    let program = folder(
        "pack",
        &[
            ("init.fnl", &init),
            (
                "lib/words.fnl",
                "(fn count [text] (accumulate [n 0 _ (text:gmatch \"%S+\")] (+ n 1)))\n\
                 {: count :made :words}",
            ),
            ("inner/init.fnl", "{:name ...}"),
            ("plain.lua", "return {answer = require('lib.words').count('x y z')}"),
            ("data.json", "[7]"),
        ],
    );
    world.host.load(program).await.unwrap();
    assert_eq!(
        world.seen("pack").await,
        json!({"words": 2, "inner": "inner", "lua": 3, "same": true, "loaded": "words",
               "data": 7, "named": "words"})
    );
}

#[tokio::test]
async fn a_package_on_disk_loads_with_its_manifest_or_its_header() {
    let disk = tempfile::tempdir().unwrap();
    let at = |file: &str| disk.path().join(file);
    std::fs::create_dir(at("pack")).unwrap();
    for (file, text) in [
        (
            "pack/manifest.fnl",
            ";; what it is\n{:name :packed :description \"A pack\"\n :capabilities [:fs] :entry \
             :main.fnl}",
        ),
        ("pack/main.fnl", &giving("(. (require :lib) :said)")),
        ("pack/lib.fnl", "(import-macros {: say} :m)\n{:said (say)}"),
        ("pack/m.fnlm", "{:say (fn [] \"from a macro\")}"),
        ("alone.fnl", &format!(";; name: lonely\n;; capabilities: env\n{}", giving("1"))),
    ] {
        std::fs::write(at(file), text).unwrap();
    }
    let world = World::new();
    let suffixes = ["lua", "fnl"];
    let read = |file: &str| Package::read(&at(file), Source::User, &suffixes).unwrap();
    let pack = read("pack");
    assert_eq!((pack.name(), pack.entry()), ("packed", "main.fnl"));
    assert_eq!(pack.manifest().capabilities.len(), 1);
    assert!(pack.files().contains_key("m.fnlm"), "what it is compiled with is a part of it");
    world.host.load(Program::from(&pack)).await.unwrap();
    assert_eq!(world.seen("packed").await, "from a macro");
    let alone = read("alone.fnl");
    assert_eq!((alone.name(), alone.manifest().capabilities.len()), ("lonely", 1));
    world.host.load(Program::from(&alone)).await.unwrap();
    assert_eq!(world.seen("lonely").await, 1);
    // Another macro is another package.
    std::fs::write(at("pack/m.fnlm"), "{:say (fn [] \"changed\")}").unwrap();
    assert_ne!(read("pack").digest(), pack.digest());
}

#[tokio::test]
async fn a_reload_takes_up_what_changed_and_keeps_the_state() {
    let world = World::new();
    let source = |n: u32| {
        format!(
            "(fn [api]
               (set api.state.loads (+ 1 (or api.state.loads 0)))
               (api.register :introspect
                 {{:name :seen :snapshot (fn [] {{:n {n} :loads api.state.loads}})}}))"
        )
    };
    for n in 1..=3 {
        world.host.load(single("who", &source(n))).await.unwrap();
        assert_eq!(world.seen("who").await, json!({"n": n, "loads": n}));
    }
    let failed = world.host.load(single("who", "(fn [api] (nope))")).await.unwrap_err();
    assert!(failed.message.starts_with("who.fnl:1:12: "), "{failed}");
    assert_eq!(world.seen("who").await, json!({"n": 3, "loads": 3}));
}

#[tokio::test]
async fn twenty_extensions_load_side_by_side() {
    let world = World::new();
    for n in 0..20 {
        world.host.load(single(&format!("x{n}"), &giving(&n.to_string()))).await.unwrap();
    }
    for n in 0..20 {
        assert_eq!(world.seen(&format!("x{n}")).await, n);
    }
}
