//! What stands on the screen: commands, keys, panels, status items.

use crate::kit::{Language, World, in_each_language};
use fen_contract::conversation::Submitted;
use fen_provider_mock::Turn;
use serde_json::json;
use std::process::Command;

in_each_language! {
    the_command_keeps_places_and_offers_what_fits
    the_key_begins_a_turn_and_steers_the_one_under_way
    the_panel_shows_the_list_that_the_model_edits_and_keeps_it_over_a_reload
    the_clock_tells_the_time_and_redraws_by_itself
    the_branch_is_shown_in_a_repository_and_followed
    nothing_is_shown_outside_of_a_repository
}

async fn the_command_keeps_places_and_offers_what_fits(language: Language) {
    let world = World::answering(vec![Turn::text("the sea is blue")]);
    world.load_example(language, "command/bookmark").await;
    world
        .on_screen(|screen| async move {
            screen.say("what colour is the sea?").await;
            screen.wait_idle().await;
            screen.say("/bookmark add sea").await;
            screen.say("/bookmark show sea").await;
            screen.say("/bookmark").await;
            screen.wait_idle().await;
            assert!(screen.shows("sea, message 2: the sea is blue"), "{}", screen.screen_text());
            let offers = screen.complete("/bookmark s").await;
            assert_eq!(offers.len(), 1, "{offers:?}");
            assert_eq!(offers[0].value, "show sea");
            let failed = screen.say("/bookmark drop sea").await;
            let Submitted::Command(Err(failure)) = failed else { panic!("{failed:?}") };
            assert!(failure.message.ends_with("`drop` is none of add NAME | show NAME | list"));
        })
        .await;
    assert_eq!(world.infos().last().unwrap(), "sea");
}

async fn the_key_begins_a_turn_and_steers_the_one_under_way(language: Language) {
    let slow = Turn { delay_ms: 300, ..Turn::call("absent", json!({})) };
    let world = World::answering(vec![Turn::text("first"), slow, Turn::text("end")]);
    world.load_example(language, "control/go_on").await;
    world
        .on_screen(|screen| async move {
            assert_eq!(screen.key("ctrl-x").await, None);
            assert_eq!(screen.key("ctrl-g").await, Some(Ok(())));
            screen.wait_event("agent-turn-complete").await;
            screen.say("work").await;
            screen.wait_event("llm-start").await;
            screen.key("ctrl-g").await;
            screen.wait_idle().await;
            assert_eq!(screen.notices(), ["the agent hears it as soon as it can"]);
        })
        .await;
    assert_eq!(world.told("user")[0]["line"], "Go on.");
    assert_eq!(world.told("queued")[0]["line"], "Go on.");
    world.assert_no_errors();
}

async fn the_panel_shows_the_list_that_the_model_edits_and_keeps_it_over_a_reload(
    language: Language,
) {
    let add = |text: &str| Turn::call("todo", json!({"action": "add", "text": text}));
    let world = World::answering(vec![
        add("look").and_call("todo", json!({"action": "add", "text": "mend"})),
        Turn::call("todo", json!({"action": "done", "item": 1}))
            .and_call("todo", json!({"action": "done", "item": 9})),
        Turn::text("half done"),
        Turn::call("todo", json!({"action": "done", "item": 2})),
        Turn::text("all done"),
    ]);
    world.load_example(language, "panel/todo").await;
    let reloaded = &world;
    world
        .on_screen(|screen| async move {
            assert!(screen.view().panels.is_empty());
            screen.say("begin").await;
            screen.wait_idle().await;
            assert!(
                screen.shows("[x] look") && screen.shows("[ ] mend"),
                "{}",
                screen.screen_text()
            );
            let panel = &screen.view().panels[0];
            assert_eq!(panel.rows[0][1].style.as_deref(), Some("dim"));
            assert_eq!((panel.title.as_deref(), panel.height), (Some("To do"), Some(2)));
            reloaded.load_example(language, "panel/todo").await;
            screen.say("go on").await;
            screen.wait_idle().await;
            assert!(screen.view().panels.is_empty(), "{}", screen.screen_text());
        })
        .await;
    let results = world.results();
    assert_eq!(results[2], "1. [x] look\n2. [ ] mend");
    assert_eq!(results[3], "!`done` needs `item`, from 1 to 2.");
    assert_eq!(results[4], "1. [x] look\n2. [x] mend");
    world.assert_no_errors();
}

async fn the_clock_tells_the_time_and_redraws_by_itself(language: Language) {
    let world = World::answering(Vec::new());
    world.load_example(language, "status/clock").await;
    world
        .on_screen(|screen| async move {
            screen.wait_for(|view| !view.status_right.is_empty()).await;
            let shown = screen.view().status_right[0].text.clone();
            let (hours, minutes) = shown.split_once(':').unwrap();
            assert!(hours.parse::<u8>().unwrap() < 24 && minutes.parse::<u8>().unwrap() < 60);
        })
        .await;
    world.assert_no_errors();
}

async fn the_branch_is_shown_in_a_repository_and_followed(language: Language) {
    let world = World::answering(Vec::new());
    let git = |arguments: &[&str]| {
        let status =
            Command::new("git").args(arguments).current_dir(world.project.path("")).status();
        assert!(status.unwrap().success());
    };
    git(&["init", "-q", "-b", "first"]);
    world.load_example(language, "status/git_branch").await;
    world
        .on_screen(|screen| async move {
            screen.wait_for(|view| view.shows("git:first")).await;
            git(&["checkout", "-q", "-b", "second"]);
            screen.say("hello").await;
            screen.wait_for(|view| view.shows("git:second")).await;
        })
        .await;
    world.assert_no_errors();
}

async fn nothing_is_shown_outside_of_a_repository(language: Language) {
    let world = World::answering(Vec::new());
    world.load_example(language, "status/git_branch").await;
    world.prompt("hello").await;
    assert!(world.told("redraw").is_empty());
    world.assert_no_errors();
}
