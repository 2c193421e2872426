//! The code in `docs/extensions.md`: every block that names its file loads, and does what the page
//! says.

use crate::kit::{Language, World, in_each_language, repository};
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use fen_testing::{ModelServer, TempProject, chat};
use serde_json::json;
use std::collections::BTreeMap;

in_each_language! {
    every_block_loads
    the_dice_are_rolled
    the_clock_stands_in_the_status_row_and_is_changed_by_a_reload
    the_hook_stops_what_the_person_does_not_want
    the_provider_answers
    the_command_and_the_panel_of_the_reference_work
}

/// The blocks of a language whose first line is a comment `file: NAME`, by that name.
fn blocks(language: Language) -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(repository().join("docs/extensions.md")).unwrap();
    let (fence, comment) = match language {
        Language::Lua => ("\n```lua\n", "-- "),
        Language::Fennel => ("\n```fennel\n", ";; "),
    };
    let mut blocks = BTreeMap::new();
    for block in page.split(fence).skip(1) {
        let (code, _) = block.split_once("\n```").expect("a block has an end");
        let line = code.lines().next().unwrap().strip_prefix(comment);
        let name = line.and_then(|line| line.strip_prefix("file: "));
        let name = name.unwrap_or_else(|| panic!("a block names its file first:\n{code}"));
        assert!(blocks.insert(name.to_owned(), format!("{code}\n")).is_none(), "{name} twice");
    }
    blocks
}

/// The block of an extension that is one file.
fn block(language: Language, name: &str) -> String {
    let file = format!("{name}.{}", language.suffix());
    blocks(language).remove(&file).unwrap_or_else(|| panic!("there is no block {file}"))
}

async fn load_block(world: &World, language: Language, name: &str) {
    world.load_text(language, name, &block(language, name)).await;
}

async fn every_block_loads(language: Language) {
    let blocks = blocks(language);
    assert!(blocks.len() >= 6, "{:?}", blocks.keys());
    let disk = TempProject::new();
    for (file, code) in &blocks {
        disk.write(file, code);
    }
    let first = |file: &String| file.split('/').next().unwrap().to_owned();
    let mut places: Vec<String> = blocks.keys().map(first).collect();
    places.dedup();
    for place in places {
        let world = World::answering(Vec::new());
        world.load(&disk.path(place)).await;
        world.prompt("hello").await;
        world.assert_no_errors();
    }
}

/// What is written in both languages, so that each step can be taken in either.
#[test]
fn every_extension_in_lua_has_a_twin_in_fennel() {
    let fennel = blocks(Language::Fennel);
    for file in blocks(Language::Lua).keys() {
        assert!(fennel.contains_key(&file.replace(".lua", ".fnl")), "{file} has no twin");
    }
}

async fn the_dice_are_rolled(language: Language) {
    let world =
        World::answering(vec![Turn::call("roll_dice", json!({"sides": 6})), Turn::text("Rolled.")]);
    load_block(&world, language, "dice").await;
    world.prompt("roll a die").await;
    let result = &world.results()[0];
    let number = result.strip_prefix("it shows ").and_then(|number| number.parse::<u8>().ok());
    assert!(number.is_some_and(|number| (1..=6).contains(&number)), "{result}");
}

async fn the_clock_stands_in_the_status_row_and_is_changed_by_a_reload(language: Language) {
    let world = World::answering(Vec::new());
    let code = block(language, "clock");
    world.load_text(language, "clock", &code).await;
    let world = &world;
    world
        .on_screen(|screen| async move {
            let is_time = |count: usize, text: &str| text.matches(':').count() == count;
            screen.wait_for(|view| view.status_right.iter().any(|s| is_time(1, &s.text))).await;
            world.load_text(language, "clock", &code.replace("%H:%M", "%H:%M:%S")).await;
            screen.say("hello").await;
            screen.wait_for(|view| view.status_right.iter().any(|s| is_time(2, &s.text))).await;
        })
        .await;
    world.assert_no_errors();
}

async fn the_hook_stops_what_the_person_does_not_want(language: Language) {
    let delete = || Turn::call("bash", json!({"command": "rm -rf build"}));
    let harmless = Turn::call("bash", json!({"command": "ls"}));
    let world = World::answering(vec![delete(), delete(), harmless, Turn::text("Finished.")]);
    world.load_stand_ins(&["bash"]).await;
    load_block(&world, language, "careful").await;
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

async fn the_provider_answers(language: Language) {
    let server = ModelServer::start();
    server.script(vec![chat().text("Hello.").json_reply()]);
    let world = World::answering(Vec::new());
    let code = block(language, "tiny").replace("http://127.0.0.1:11434", &server.base_url());
    world.load_text(language, "tiny", &code).await;
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

async fn the_command_and_the_panel_of_the_reference_work(language: Language) {
    let world = World::answering(vec![Turn::call("absent", json!({})), Turn::text("done")]);
    load_block(&world, language, "tokens").await;
    load_block(&world, language, "last-tools").await;
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
