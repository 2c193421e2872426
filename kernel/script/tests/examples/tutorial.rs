//! The code in `docs/extensions.md`: every block that names its file loads, and does what the page
//! says.

use crate::kit::{World, repository};
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use fen_testing::{ModelServer, chat};
use serde_json::json;
use std::collections::BTreeMap;

/// The blocks of Lua whose first line is `-- file: NAME`, by that name.
fn blocks() -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(repository().join("docs/extensions.md")).unwrap();
    let mut blocks = BTreeMap::new();
    for block in page.split("\n```lua\n").skip(1) {
        let (code, _) = block.split_once("\n```").expect("a block has an end");
        let name = code.lines().next().unwrap().strip_prefix("-- file: ");
        let name = name.unwrap_or_else(|| panic!("a block names its file first:\n{code}"));
        assert!(blocks.insert(name.to_owned(), format!("{code}\n")).is_none(), "{name} twice");
    }
    blocks
}

fn block(file: &str) -> String {
    blocks().remove(file).unwrap_or_else(|| panic!("there is no block {file}"))
}

#[tokio::test]
async fn every_block_loads() {
    let blocks = blocks();
    assert!(blocks.len() >= 6, "{:?}", blocks.keys());
    for (file, code) in blocks {
        let world = World::answering(Vec::new());
        world.load_text(file.strip_suffix(".lua").unwrap(), &code).await;
        world.prompt("hello").await;
        world.assert_no_errors();
    }
}

#[tokio::test]
async fn the_dice_are_rolled() {
    let world =
        World::answering(vec![Turn::call("roll_dice", json!({"sides": 6})), Turn::text("Rolled.")]);
    world.load_text("dice", &block("dice.lua")).await;
    world.prompt("roll a die").await;
    let result = &world.results()[0];
    let number = result.strip_prefix("it shows ").and_then(|number| number.parse::<u8>().ok());
    assert!(number.is_some_and(|number| (1..=6).contains(&number)), "{result}");
}

#[tokio::test]
async fn the_clock_stands_in_the_status_row_and_is_changed_by_a_reload() {
    let world = World::answering(Vec::new());
    let code = block("clock.lua");
    world.load_text("clock", &code).await;
    let world = &world;
    world
        .on_screen(|screen| async move {
            let is_time = |count: usize, text: &str| text.matches(':').count() == count;
            screen.wait_for(|view| view.status_right.iter().any(|s| is_time(1, &s.text))).await;
            world.load_text("clock", &code.replace("%H:%M", "%H:%M:%S")).await;
            screen.say("hello").await;
            screen.wait_for(|view| view.status_right.iter().any(|s| is_time(2, &s.text))).await;
        })
        .await;
    world.assert_no_errors();
}

#[tokio::test]
async fn the_hook_stops_what_the_person_does_not_want() {
    let delete = || Turn::call("bash", json!({"command": "rm -rf build"}));
    let harmless = Turn::call("bash", json!({"command": "ls"}));
    let world = World::answering(vec![delete(), delete(), harmless, Turn::text("Finished.")]);
    world.load_stand_ins(&["bash"]).await;
    world.load_text("careful", &block("careful.lua")).await;
    world
        .on_screen(|screen| async move {
            screen.decline();
            screen.answer("yes");
            screen.say("clean up").await;
            screen.wait_idle().await;
        })
        .await;
    let results = world.results();
    assert!(results[0].contains("The person said no."), "{results:?}");
    assert!(results[1].starts_with("ran with") && results[2].starts_with("ran with"));
    world.assert_no_errors();
}

#[tokio::test]
async fn the_provider_answers() {
    let server = ModelServer::start();
    server.script(vec![chat().text("Hello.").json_reply()]);
    let world = World::answering(Vec::new());
    let code = block("tiny.lua").replace("http://127.0.0.1:11434", &server.base_url());
    world.load_text("tiny", &code).await;
    let setup = RunSetup { provider: "tiny".into(), ..world.setup() };
    world
        .on_screen_with(setup, |screen| async move {
            screen.say("Say hello.").await;
            screen.wait_idle().await;
        })
        .await;
    assert_eq!(world.told("agent-turn-complete")[0]["result"], "Hello.");
    assert_eq!(server.last_request().json()["messages"][0]["content"], "Say hello.");
    world.assert_no_errors();
}

#[tokio::test]
async fn the_command_and_the_panel_of_the_reference_work() {
    let world = World::answering(vec![Turn::call("absent", json!({})), Turn::text("done")]);
    world.load_text("tokens", &block("tokens.lua")).await;
    world.load_text("last-tools", &block("last-tools.lua")).await;
    world
        .on_screen(|screen| async move {
            screen.say("go").await;
            screen
                .wait_for(|view| {
                    view.panels
                        .iter()
                        .any(|panel| panel.rows.iter().flatten().any(|s| s.text == "absent"))
                })
                .await;
            screen.wait_idle().await;
            screen.say("/tokens").await;
        })
        .await;
    assert!(world.infos()[0].starts_with("in "), "{:?}", world.infos());
    world.assert_no_errors();
}
