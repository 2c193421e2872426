//! Snapshots.

use crate::kit::World;
use serde_json::json;

#[tokio::test]
async fn a_snapshot_is_data_and_one_that_fails_is_an_error_in_its_place() {
    let world = World::new();
    world
        .loads(
            "inner",
            r#"return function(api)
              local function shows(name, snapshot)
                api.register("introspect", { name = name, description = "d", snapshot = snapshot })
              end
              shows("good", function(ctx) return { n = 1, list = { 1, 2 }, none = api.json.null, ctx = type(ctx) } end)
              shows("throws", function() error("no idea") end)
              shows("function", function() return { f = print } end)
              shows("cycle", function() local t = {} t.t = t return t end)
              shows("large", function() return { ("x"):rep(300 * 1024) } end)
            end"#,
        )
        .await;
    let rows = world.kernel.api().snapshots(Some("inner".to_owned())).await;
    assert_eq!(
        rows[0],
        json!({"owner": "inner", "name": "good",
               "snapshot": {"n": 1, "list": [1, 2], "none": null, "ctx": "table"}})
    );
    for (row, words) in rows[1..].iter().zip(["inner.lua:6: no idea", "f: ", "itself", "bytes"]) {
        let error = row["snapshot"]["error"].as_str().unwrap_or_default();
        assert!(error.contains(words), "{row}");
    }
    assert_eq!(world.errors().len(), 4, "{:?}", world.errors());
}
