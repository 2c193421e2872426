//! Tools: what their answers become.

use crate::kit::World;
use fen_provider_mock::Turn;
use serde_json::{Value, json};

/// The result of a tool whose body of `execute` is this.
async fn result_of(body: &str) -> (World, Value) {
    let world = World::answering(vec![
        Turn::call("act", json!({"text": "one two three", "empty": {}, "list": [1, null]})),
        Turn::text("done"),
    ]);
    let source = format!(
        r#"return function(api)
          api.register("tool", {{
            name = "act", description = "Acts",
            parameters = {{ type = "object", properties = {{ text = {{ type = "string" }} }}, required = {{ "text" }} }},
            execute = function(args, yield) {body} end,
          }})
        end"#
    );
    world.loads("actor", &source).await;
    world.prompt("act").await;
    let result = world.told("tool-result")[0]["result"].clone();
    (world, result)
}

#[tokio::test]
async fn a_text_is_one_block_and_no_error() {
    let (world, result) = result_of(
        r#"local _, n = args.text:gsub("%S+", "")
           return ("%d words"):format(n)"#,
    )
    .await;
    assert_eq!(result["content"], json!([{"type": "text", "text": "3 words"}]));
    assert_eq!(result["is-error?"], false);
    assert_eq!(world.row("actor")["state"], "loaded");
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn a_table_has_blocks_an_error_flag_and_details() {
    let (world, result) = result_of(
        r#"return {
             content = { { type = "text", text = "a" }, { type = "text", text = "b" } },
             ["is-error?"] = true,
             details = { rows = { 1, 2 }, is_error = "mine" },
           }"#,
    )
    .await;
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    );
    assert_eq!(result["is-error?"], true);
    assert_eq!(result["details"], json!({"rows": [1, 2], "is_error": "mine"}));
    // The tool said so itself; nothing of the extension failed.
    assert_eq!(world.errors(), [""; 0]);
}

#[tokio::test]
async fn the_alias_is_error_counts_as_the_flag_and_without_one_it_is_no_error() {
    let (_, result) =
        result_of(r#"return { content = { { type = "text", text = "a" } }, is_error = true }"#)
            .await;
    assert_eq!(result["is-error?"], true);
    let (world, result) = result_of("return { content = {} }").await;
    assert_eq!((&result["is-error?"], world.errors().len()), (&json!(false), 0));
}

#[tokio::test]
async fn anything_else_is_an_error_result_that_names_the_extension_and_what_is_wrong() {
    for (body, named) in [
        ("return 7", "number"),
        ("return nil", "nil"),
        ("return {}", "content"),
        (r#"return { content = "text" }"#, "content"),
        (r#"return { content = { { type = "image", data = "x" } } }"#, "content[1]"),
        (r#"return { content = { { type = "text" } } }"#, "text"),
        (r#"return { content = { { type = "text", text = 7 } } }"#, "text"),
        (r#"return { content = {}, details = print }"#, "details"),
        (r#"return { content = {}, is_error = "yes" }"#, "is-error?"),
        (r#"error("out of paper")"#, "actor.lua:5: out of paper"),
    ] {
        let (world, result) = result_of(body).await;
        assert_eq!(result["is-error?"], true, "{body}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("`actor`") && text.contains(named), "{body}: {text}");
        assert!(world.errors()[0].starts_with("actor: execute: "), "{:?}", world.errors());
    }
}

#[tokio::test]
async fn arguments_arrive_as_the_model_gave_them() {
    let (_, result) = result_of(
        r#"local names = {}
           for name in pairs(args) do table.insert(names, name) end
           table.sort(names)
           return ("%s %s %s %d %s"):format(table.concat(names, ","), args.text, next(args.empty) == nil,
             #args.list, args.list[2] == api.json.null)"#,
    )
    .await;
    assert_eq!(result["content"][0]["text"], "empty,list,text one two three true 2 true");
}
