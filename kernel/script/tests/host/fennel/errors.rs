//! Errors name the lines of the Fennel, whoever tells of them.

use super::{folder, giving, single};
use crate::kit::World;
use fen_provider_mock::Turn;
use fen_script::host::Program;
use serde_json::json;

async fn refused(program: Program) -> String {
    World::new().host.load(program).await.unwrap_err().message
}

#[tokio::test]
async fn a_file_that_is_no_program_shows_every_mistake() {
    let source = "(fn [api]\n  (api.log :info (concat 1 2))\n  (let [x] x)\n  (prnt 1))\n";
    let said = refused(single("bad", source)).await;
    let places: Vec<&str> = said.lines().filter(|line| line.starts_with("bad.fnl:")).collect();
    assert_eq!(places.len(), 3, "{said}");
    for (place, line) in places.iter().zip(["2:19: ", "3:", "4:4: "]) {
        assert!(place.starts_with(&format!("bad.fnl:{line}")), "{said}");
    }
    assert!(said.contains("\n      (prnt 1))\n       ^^^^\n  help: did you mean print?"), "{said}");
}

#[tokio::test]
async fn an_unclosed_form_is_named() {
    let said = refused(single("bad", "(fn [api]\n  (api.log :info :x)\n")).await;
    assert!(said.starts_with("bad.fnl:1:1: "), "{said}");
}

#[tokio::test]
async fn globals_are_those_that_the_vm_has() {
    let said = refused(single("bad", "(fn [api] (io.open :x))")).await;
    assert!(said.starts_with("bad.fnl:1:12: unknown identifier: io"), "{said}");
    for name in ["debug", "dofile", "api", "arg", "unpack"] {
        let said = refused(single("bad", &format!("(local x {name}) #nil"))).await;
        assert!(said.contains(&format!("unknown identifier: {name}")), "{said}");
    }
    let all = fen_script::vm::GLOBALS.join(" ");
    let world = World::new();
    world.host.load(single("good", &giving(&format!("(length [{all}])")))).await.unwrap();
    assert_eq!(world.seen("good").await, fen_script::vm::GLOBALS.len());
}

#[tokio::test]
async fn a_module_that_is_no_program_is_named_and_so_is_who_wants_it() {
    let init = "(fn [api]\n  (local lib (require :lib))\n  (lib))";
    let said = refused(folder("pack", &[("init.fnl", init), ("lib.fnl", "\n(nope)\n(no)")])).await;
    assert!(said.starts_with("pack/init.fnl:2: pack/lib.fnl:2:2: unknown"), "{said}");
    assert!(said.contains("\npack/lib.fnl:3:2: unknown"), "{said}");
}

#[tokio::test]
async fn an_error_while_loading_names_the_line_and_its_callers() {
    let source = "(fn inner []\n\n  (error :broken))\n\n(fn outer []\n  (inner)\n  nil)\n\n(fn [_api]\n  (outer)\n  nil)\n";
    let said = refused(single("bad", source)).await;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "bad.fnl:3: broken");
    assert!(lines[1].starts_with("  bad.fnl:6: in "), "{said}");
    assert!(lines[2].starts_with("  bad.fnl:10: in "), "{said}");
}

#[tokio::test]
async fn a_tool_that_fails_names_its_line_in_the_result_and_in_the_log() {
    let world = World::answering(vec![Turn::call("act", json!({})), Turn::text("done")]);
    let source = r#"
;; a comment, so that lines move

(fn execute [args]
  (let [list [1 2 3]]
    (each [_ n (ipairs list)]
      (when (= n 3)
        (local t nil)
        (set args.x t.missing))))
  :never)

(fn [api]
  (api.register :tool {:name :act :description :x :parameters {:type :object}
                       : execute}))"#;
    world.host.load(single("actor", source)).await.unwrap();
    world.prompt("act").await;
    let result = world.told("tool-result")[0]["result"].clone();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("actor.fnl:9: attempt to index a nil value"), "{text}");
    assert!(world.errors()[0].contains("actor.fnl:9: attempt to index"), "{:?}", world.errors());
}

#[tokio::test]
async fn what_a_script_catches_itself_names_the_line_too() {
    let world = World::new();
    let source = r#"
(fn deep [x]
  (let [y (* x 2)]
    (if (> y 2)
        (+ 1
           (. x :field))
        y)))

(fn caught [f ...]
  (let [(_ problem) (pcall f ...)]
    problem))

(fn handled [f]
  (let [(_ problem) (xpcall f (fn [e] (.. "handled " e)))]
    problem))

(fn [api]
  (api.register :introspect
    {:name :seen
     :snapshot (fn []
                 {:number (caught deep 2)
                  :thrown (caught (fn []
                                    (error "own words")))
                  :handled (handled
                             (fn [] (error :x)))
                  :asserted (caught
                          (fn []
                            (assert false :no)))
                  :wrapped (select 2 (pcall (coroutine.wrap
                                              (fn []
                                                (error :inside)))))})}))"#;
    world.host.load(single("catcher", source)).await.unwrap();
    assert_eq!(
        world.seen("catcher").await,
        json!({
            "number": "catcher.fnl:6: attempt to index a number value (local 'x')",
            "thrown": "catcher.fnl:23: own words",
            "handled": "handled catcher.fnl:25: x",
            "asserted": "catcher.fnl:28: no",
            "wrapped": "catcher.fnl:31: inside",
        })
    );
}

#[tokio::test]
async fn a_call_that_takes_too_long_names_its_line_in_the_note_of_quarantine() {
    let world = World::new();
    let source = "(fn [api]\n  (fn render [_]\n    (while true\n      (local x 1)))\n  \
                  (api.register :status {:name :slow : render}))";
    world.host.load(single("slow", source)).await.unwrap();
    for _ in 0..3 {
        world.kernel.api().status_items(crate::beside::size()).await;
    }
    let row = world.row("slow");
    let reason = row["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("slow.fnl:3: ran longer") || reason.contains("slow.fnl:4: ran longer"),
        "{row}"
    );
}

#[tokio::test]
async fn a_handler_that_fails_names_its_line() {
    let world = World::new();
    let source =
        "(fn [api]\n  (api.on :info\n    (fn [event]\n      (error (.. \"heard \" event.info)))))";
    world.host.load(single("ear", source)).await.unwrap();
    crate::beside::remark(&world.kernel, "it");
    world.settle().await;
    assert!(world.errors()[0].contains("ear.fnl:4: heard it"), "{:?}", world.errors());
}

#[tokio::test]
async fn lines_that_cannot_stay_in_place_are_translated_where_the_host_tells_of_them() {
    let world = World::new();
    let source = r#"(fn late []
  (lua "local s = [[
]]")
  (error :late))

(fn [api]
  (let [(_ problem) (pcall late)]
    (api.log :warn problem))
  (late)
  nil)"#;
    let said = world.host.load(single("moved", source)).await.unwrap_err().message;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "moved.fnl:4: late");
    assert!(lines[1].starts_with("  moved.fnl:9: in "), "{said}");
    let logs = world.kernel.list("logs").unwrap();
    assert!(logs.iter().any(|row| row["message"] == "moved.fnl:4: late"), "{logs:?}");
}
