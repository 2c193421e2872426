//! What the reference of `docs/extensions.md` says of the `api` and its values, and no other test
//! shows.

use crate::kit::{Language, World};
use fen_testing::TempProject;
use serde_json::{Value, json};

/// What the code gives that runs as a command in a conversation, as JSON.
async fn given(code: &str) -> Value {
    let world = World::answering(Vec::new());
    let text = format!(
        r#"return function(api)
          api.register("command", {{
            name = "try",
            handler = function(args, ctx)
              local function try(f, ...)
                local ok, problem = pcall(f, ...)
                return ok and "went well" or tostring(problem)
              end
              local given = (function() {code} end)()
              api.emit({{ type = "info", info = api.json.encode(given) }})
            end,
          }})
        end"#
    );
    world.load_text(Language::Lua, "try", &text).await;
    world
        .on_screen(|screen| async move {
            screen.say("hello").await;
            screen.wait_idle().await;
            screen.say("/try").await;
        })
        .await;
    world.assert_no_errors();
    serde_json::from_str(&world.infos().pop().expect("it gave nothing")).unwrap()
}

#[tokio::test]
async fn what_reaches_the_machine_is_not_there() {
    let there = given(
        "local names = {}
         for name in pairs(os) do names[#names + 1] = name end
         table.sort(names)
         return { names, io == nil, debug == nil, dofile == nil, loadfile == nil, package.path == nil,
           try(setmetatable, {}, { __gc = print }), (load('\\27Lua')) == nil }",
    )
    .await;
    let refused = "a metatable with '__gc' is not available here";
    let os = json!(["clock", "date", "difftime", "time"]);
    assert_eq!(there[0], os);
    assert!((1..=5).all(|index| there[index] == true), "{there}");
    assert_eq!(there[7], true);
    assert!(there[6].as_str().unwrap().ends_with(refused), "{there}");
}

#[tokio::test]
async fn a_missing_capability_is_an_answer_that_says_what_to_add() {
    let answer = given(r#"return api.fs.read("x")"#).await;
    assert_eq!((&answer["ok"], &answer["kind"]), (&json!(false), &json!("capability")));
    assert!(answer["error"].as_str().unwrap().contains("the line `capabilities: fs`"), "{answer}");
}

#[tokio::test]
async fn what_cannot_be_set_says_so_in_plain_words() {
    let words = given(
        "return { try(function() api.mine = 1 end), try(function() ctx.messages[1] = 1 end) }",
    )
    .await;
    let beginnings = ["api.mine cannot be set; what is", "this list is read-only"];
    for (words, beginning) in words.as_array().unwrap().iter().zip(beginnings) {
        let words = words.as_str().unwrap();
        assert!(words.contains(beginning) && !words.contains("traceback"), "{words}");
    }
}

#[tokio::test]
async fn extensions_emit_requests_and_their_own_events_only() {
    let answers = given(
        r#"return { api.emit({ type = "redraw" }).ok, api.emit({ type = "try/it" }).ok,
             api.emit({ type = "other/it" }).ok, api.emit({ type = "user", line = "x" }).ok,
             try(api.emit, { type = "info", info = 3 }) }"#,
    )
    .await;
    assert_eq!(answers.as_array().unwrap()[..4], [true, true, false, false].map(Value::from));
    assert!(answers[4].as_str().unwrap().contains("field `info`: expected string, got number"));
}

#[tokio::test]
async fn null_is_a_value_and_an_unsaid_empty_table_is_an_object() {
    let values = given(
        r#"local read = api.json.decode('{"a": [], "b": {}, "c": null}')
           return { read, read.c == api.json.null, {}, api.json.array() }"#,
    )
    .await;
    assert_eq!(values, json!([{"a": [], "b": {}, "c": null}, true, {}, []]));
}

#[tokio::test]
async fn both_spellings_are_the_same_function() {
    let same = given(
        r#"return { api.turn.submit == api.turn["submit!"], ctx.busy == ctx["busy?"],
             #ctx.messages, ctx.messages[2].stop_reason, ctx.messages[2]["stop-reason"] }"#,
    )
    .await;
    assert_eq!(same, json!([true, true, 2, "stop", "stop"]));
}

#[tokio::test]
async fn what_the_page_says_of_fennel_is_so() {
    let world = World::answering(Vec::new());
    let code = r#"(local fennel (require :fennel))
(local names [:view :eval :dofile :compile-string :version])

(fn caught []
  (let [(_ problem) (pcall #(let [nothing nil]
                              nothing.field))]
    problem))

(fn [api]
  (fn handler [_ ctx]
    (let [members (icollect [_ name (ipairs names)] (. fennel name))
          given {:same [(= :tool-call "tool-call") (= api.turn.submit! api.turn.submit)]
                 :reason (. ctx.messages 2 :stop-reason)
                 :language (require :name)
                 :caught (caught)
                 :members (length members)}]
      (api.emit {:type :info :info (api.json.encode given)})))

  (api.register :command {:name :try : handler}))
"#;
    let disk = TempProject::new()
        .file("mixed/init.fnl", code)
        .file("mixed/name.lua", "return 'Lua'")
        .file("mixed/name.fnl", ":Fennel\n");
    world.load(&disk.path("mixed")).await;
    world
        .on_screen(|screen| async move {
            screen.say("hello").await;
            screen.wait_idle().await;
            screen.say("/try").await;
        })
        .await;
    world.assert_no_errors();
    let given: Value = serde_json::from_str(&world.infos()[0]).unwrap();
    let caught = given["caught"].as_str().unwrap();
    assert!(caught.starts_with("mixed/init.fnl:6: attempt to index a nil value"), "{caught}");
    assert_eq!(given["same"], json!([true, true]));
    assert_eq!((&given["reason"], &given["language"]), (&json!("stop"), &json!("Lua")));
    assert_eq!(given["members"], 5);
}
