//! Tools, and what looks at them: hooks and counters.

use crate::kit::{Language, World, in_each_language};
use fen_contract::kinds::{Contribution, Kind};
use fen_provider_mock::Turn;
use serde_json::json;

in_each_language! {
    the_tool_counts_texts_and_files_and_says_what_it_cannot_count
    the_hook_asks_about_risky_commands_and_remembers_where_it_is_told_to
    the_hook_keeps_writing_inside_the_project
    without_anybody_to_ask_the_hook_refuses
    the_snapshot_tells_what_went_by
}

async fn the_tool_counts_texts_and_files_and_says_what_it_cannot_count(language: Language) {
    let world = World::answering(vec![
        Turn::call("word_count", json!({"text": "one two\nthree"}))
            .and_call("word_count", json!({"path": "poem.txt"}))
            .and_call("word_count", json!({"path": "absent.txt"}))
            .and_call("word_count", json!({})),
        Turn::text("done"),
    ]);
    world.project.write("poem.txt", "a b c\n");
    world.load_example(language, "tool/word_count").await;
    world.prompt("count").await;
    let results = world.results();
    assert_eq!(results[..2], ["3 words, 1 lines, 13 bytes", "3 words, 1 lines, 6 bytes"]);
    assert!(results[2].starts_with("!cannot read absent.txt"), "{results:?}");
    assert_eq!(results[3], "!Give `text` or `path`.");
    world.assert_no_errors();
}

async fn the_hook_asks_about_risky_commands_and_remembers_where_it_is_told_to(language: Language) {
    let risky = json!({"command": "cd x && rm -rf build"});
    let world = World::answering(vec![
        Turn::call("bash", risky.clone()),
        Turn::call("bash", risky.clone()),
        Turn::call("bash", risky).and_call("bash", json!({"command": "cargo rmx --charm -v"})),
        Turn::text("done"),
    ]);
    world.load_stand_ins(&["bash"]).await;
    world.load_example(language, "hook/guard").await;
    world
        .on_screen(|screen| async move {
            screen.answer("No");
            screen.answer("Yes, and this very command again");
            screen.say("clean up").await;
            screen.wait_idle().await;
            let asked = screen.questions();
            assert_eq!(asked.len(), 2, "{asked:?}");
            assert!(asked[0].text.contains("deletes without asking:\ncd x && rm -rf build"));
        })
        .await;
    let results = world.results();
    assert!(results[0].starts_with('!') && results[0].contains("did not agree"), "{results:?}");
    assert!(results[1..].iter().all(|result| result.starts_with("ran with")), "{results:?}");
    world.assert_no_errors();
}

async fn the_hook_keeps_writing_inside_the_project(language: Language) {
    let inside = ["notes.txt", "./a/../b.txt"];
    let outside = ["/etc/passwd", "../other/x", "a/../../x", "~/x", "/"];
    let calls = inside.iter().chain(&outside).fold(Turn::text("x"), |turn, path| {
        turn.and_call("write", json!({"path": path, "content": ""}))
    });
    let world = World::answering(vec![calls, Turn::text("done")]);
    world.load_stand_ins(&["write"]).await;
    world.load_example(language, "hook/guard").await;
    world.prompt("write").await;
    let blocked: Vec<bool> =
        world.results().iter().map(|result| result.contains("outside of the project")).collect();
    assert_eq!(blocked, [false, false, true, true, true, true, true], "{:?}", world.results());
}

async fn without_anybody_to_ask_the_hook_refuses(language: Language) {
    let world = World::answering(vec![
        Turn::call("bash", json!({"command": "git push origin main --force"})),
        Turn::text("done"),
    ]);
    world.load_stand_ins(&["bash"]).await;
    world.load_example(language, "hook/guard").await;
    world
        .on_screen(|screen| async move {
            screen.decline();
            screen.say("push").await;
            screen.wait_idle().await;
        })
        .await;
    assert!(world.results()[0].contains("overwrites what others have"), "{:?}", world.results());
}

async fn the_snapshot_tells_what_went_by(language: Language) {
    let world = World::answering(vec![Turn::call("absent", json!({})), Turn::text("sorry")]);
    world.load_example(language, "introspect/turns").await;
    world.prompt("go").await;
    let Contribution::Introspect(spec) = world.contribution(Kind::Introspect, "turns") else {
        panic!("another kind");
    };
    let snapshot = spec.introspect.snapshot().await.unwrap();
    assert_eq!(snapshot["turns"], json!({"done": 1, "failed": 0}));
    assert_eq!(snapshot["tool-calls"], json!({"done": 1, "failed": 1}));
    assert!(snapshot["tokens"]["output"].as_u64().unwrap() > 0, "{snapshot}");
    world.assert_no_errors();
}
