//! What stands on the screen: status items, panels, and keys.

use crate::kit::World;
use fen_contract::kinds::{Placement, Side};
use fen_contract::ui::RenderContext;
use serde_json::json;

fn size() -> RenderContext {
    RenderContext { width: 100, height: 30, busy: true }
}

#[tokio::test]
async fn a_status_item_says_a_text_or_a_styled_one_or_hides() {
    let world = World::new();
    world
        .loads(
            "bar",
            r#"return function(api)
              local function item(name, fields, render)
                fields.name, fields.render = name, render
                api.register("status", fields)
              end
              item("last", { order = 60 }, function(ctx) return ("%dx%d %s %s"):format(ctx.width, ctx.height, ctx["busy?"], ctx.busy) end)
              item("first", { order = 10, side = "right" }, function() return { text = "12:30", style = "dim" } end)
              item("middle", {}, function() return { text = "plain" } end)
              item("hidden", {}, function() return nil end)
              item("empty", {}, function() return "" end)
            end"#,
        )
        .await;
    let views = world.kernel.api().status_items(size()).await;
    let shown: Vec<_> = views
        .iter()
        .map(|view| {
            let segment = &view.segment;
            (
                view.name.as_str(),
                segment.text.as_str(),
                segment.style.as_deref(),
                view.side,
                view.order,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("first", "12:30", Some("dim"), Side::Right, 10.0),
            ("middle", "plain", None, Side::Left, 50.0),
            ("last", "100x30 true true", None, Side::Left, 60.0),
        ],
        "{:?}",
        world.errors()
    );
}

#[tokio::test]
async fn a_status_item_that_fails_is_left_out_and_told_once() {
    let world = World::new();
    world
        .loads(
            "bar",
            "return function(api)
               api.register('status', { name = 'bad', render = function() error('dark') end })
               api.register('status', { name = 'odd', render = function() return { style = 'dim' } end })
               api.register('status', { name = 'good', render = function() return 'x' end })
             end",
        )
        .await;
    for _ in 0..2 {
        let views = world.kernel.api().status_items(size()).await;
        let names: Vec<&str> = views.iter().map(|view| view.name.as_str()).collect();
        assert_eq!(names, ["good"]);
    }
    let errors = world.errors();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].starts_with("bar: render: ") && errors[0].contains("dark"), "{errors:?}");
    assert!(errors[1].contains("text"), "{errors:?}");
}

#[tokio::test]
async fn a_panels_rows_are_texts_styled_rows_and_segments() {
    let world = World::new();
    world
        .loads(
            "side",
            r#"return function(api)
              api.register("panel", { name = "all", title = "All", order = 7, placement = "below-status",
                height = function(ctx) return ctx.width / 20 end,
                render = function()
                  return {
                    "plain",
                    { text = "styled", style = "error" },
                    { segments = { { text = "a", style = "dim" }, { text = "b" }, "c" } },
                    { text = "head", style = "accent", segments = { { text = "tail", style = "dim" } } },
                  }
                end })
              api.register("panel", { name = "one", render = function() return "two\nlines" end })
              api.register("panel", { name = "none", order = 90, render = function() return nil end })
            end"#,
        )
        .await;
    let views = world.kernel.api().panels(size()).await;
    let [all, one, none] = &views[..] else { panic!("{views:?} {:?}", world.errors()) };
    assert_eq!((all.title.as_deref(), all.placement), (Some("All"), Placement::BelowStatus));
    assert_eq!((all.height, all.order), (Some(5), 7.0));
    assert_eq!(
        json!(all.rows),
        json!([
            [{"text": "plain"}],
            [{"text": "styled", "style": "error"}],
            [{"text": "a", "style": "dim"}, {"text": "b"}, {"text": "c"}],
            [{"text": "head", "style": "accent"}, {"text": "tail", "style": "dim"}],
        ])
    );
    assert_eq!((one.placement, one.order, one.height), (Placement::AboveInput, 50.0, None));
    assert_eq!(json!(one.rows), json!([[{"text": "two"}], [{"text": "lines"}]]));
    assert_eq!(none.rows.len(), 0);
}

#[tokio::test]
async fn a_panel_without_height_or_that_is_not_enabled_is_not_shown() {
    let world = World::new();
    world
        .loads(
            "side",
            r#"return function(api)
              local function panel(name, fields)
                fields.name = name
                fields.render = function() return { name } end
                api.register("panel", fields)
              end
              panel("flat", { height = function() return 0 end })
              panel("off", { ["enabled?"] = function() return false end })
              panel("unset", { enabled = function() return nil end })
              panel("on", { ["enabled?"] = function(ctx) return ctx.busy end })
              panel("free", { height = function() return nil end })
            end"#,
        )
        .await;
    let views = world.kernel.api().panels(size()).await;
    let names: Vec<&str> = views.iter().map(|view| view.name.as_str()).collect();
    assert_eq!(names, ["on", "free"], "{:?}", world.errors());
}

#[tokio::test]
async fn a_broken_panel_is_one_error_row_that_names_its_extension() {
    for broken in [
        "render = function() error('burst') end",
        "render = function() return 7 end",
        "render = function() return { 7 } end",
        "render = function() api.timer.sleep(1) return { 'late' } end",
        "render = function() return { { segments = { { style = 'dim' } } } } end",
        "render = function() return { { text = 7 } } end",
        "render = function() return { { segments = 'a' } } end",
        "render = print, height = function() return 'tall' end",
        "render = print, enabled = function() error('unsure') end",
    ] {
        let world = World::new();
        let source =
            format!("return function(api) api.register('panel', {{ name = 'p', {broken} }}) end");
        world.loads("side", &source).await;
        let views = world.kernel.api().panels(size()).await;
        let [view] = &views[..] else { panic!("{broken}: {views:?}") };
        assert_eq!((view.height, view.rows.len()), (Some(1), 1), "{broken}");
        assert_eq!(view.rows[0][0].style.as_deref(), Some("error"), "{broken}");
        assert!(view.rows[0][0].text.contains("p of side failed"), "{broken}: {view:?}");
        assert_eq!(world.errors().len(), 1, "{broken}");
    }
}

#[tokio::test]
async fn a_key_runs_its_control_and_tells_how_that_went() {
    let world = World::new();
    world
        .watches(
            "keys",
            r#"api.register("control", { name = "toggle", description = "Toggles", key = "ctrl-g",
                 handler = function(ctx) seen.busy = ctx["busy?"] seen.alias = ctx.busy end })
               api.register("control", { name = "break", key = "f5", handler = function() error("stuck") end })"#,
        )
        .await;
    let api = world.kernel.api();
    assert_eq!(api.press("ctrl-g").await, Some(Ok(())), "{:?}", world.errors());
    assert_eq!(world.seen("keys").await, json!({"busy": false, "alias": false}));
    assert_eq!(api.press("ctrl-h").await, None);
    let failed = api.press("f5").await.unwrap().unwrap_err();
    assert!(failed.message.contains("stuck"), "{failed}");
    let errors = world.errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("keys: handler: ") && errors[0].contains("`break`"),
        "{errors:?}"
    );
}

#[tokio::test]
async fn a_taken_key_is_refused_with_its_owners_name() {
    let world = World::new();
    let control = |name: &str| {
        format!(
            "return function(api) api.register('control', {{ name = '{name}', key = 'alt-t', handler = print }}) end"
        )
    };
    world.loads("holder", &control("mine")).await;
    let refused = world.load("wisher", &control("other")).await.unwrap_err();
    for words in ["control", "`wisher`", "field `key`", "`alt-t`", "`holder`"] {
        assert!(refused.message.contains(words), "{refused}");
    }
    assert_eq!(world.row("wisher")["state"], "error");
}

#[tokio::test]
async fn a_control_knows_the_conversation_as_a_command_does() {
    let world = World::new();
    world
        .watches(
            "keys",
            r#"api.register("control", { name = "look", key = "f5", handler = function(ctx)
                 seen.ctx = { ctx.busy, ctx.cwd, ctx.model, ctx.provider, #ctx.messages, ctx.session == nil }
               end })"#,
        )
        .await;
    world
        .run(|context| async move {
            crate::kit::say(&context, "hi").await;
            assert_eq!(context.api.press("f5").await, Some(Ok(())));
        })
        .await;
    assert_eq!(world.seen("keys").await["ctx"], json!([false, "/", "m", "mock", 2, true]));
}
