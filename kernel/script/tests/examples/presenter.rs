//! The presenter of lines.

use crate::kit::{Language, World, in_each_language};
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use serde_json::json;

in_each_language! {
    it_reads_lines_and_writes_what_happens
    it_shows_the_status_items_and_asks_questions
}

/// Types the lines, runs to the end of the input, and gives what was written.
async fn typed(world: &World, lines: &[&str]) -> String {
    *world.terminal.lines.lock().unwrap() = lines.iter().map(|line| (*line).to_owned()).collect();
    let setup = RunSetup { presenter: "line".to_owned(), ..world.setup() };
    let outcome = world.kernel.run(setup).await;
    assert_eq!(outcome.failure, None);
    world.settle().await;
    world.assert_no_errors();
    world.terminal.written.lock().unwrap().clone()
}

async fn it_reads_lines_and_writes_what_happens(language: Language) {
    let world = World::answering(vec![
        Turn::call("word_count", json!({"text": "a b"})),
        Turn::text("two words"),
    ]);
    world.load_example(language, "presenter/line").await;
    world.load_example(language, "tool/word_count").await;
    world.load_example(language, "command/bookmark").await;
    let written = typed(&world, &["count", "/bookmark", "/absent"]).await;
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(
        lines[..],
        [
            "> * word_count",
            "two words",
            "> there are no bookmarks",
            "> error: there is no command /absent; there are /bookmark",
            "> "
        ],
        "{written}"
    );
}

async fn it_shows_the_status_items_and_asks_questions(language: Language) {
    let world = World::answering(vec![
        Turn::call("bash", json!({"command": "rm -r x"})),
        Turn::text("done"),
    ]);
    world.load_stand_ins(&["bash"]).await;
    world.load_example(language, "presenter/line").await;
    world.load_example(language, "hook/guard").await;
    world
        .load_text(
            Language::Lua,
            "flag",
            r#"return function(api)
              api.register("status", { name = "flag", render = function() return "flag up" end })
            end"#,
        )
        .await;
    let written = typed(&world, &["delete", "2"]).await;
    assert!(written.starts_with("flag up\n> "), "{written}");
    assert!(written.contains("  2. Yes, once\n"), "{written}");
    assert_eq!(world.results(), [r#"ran with {"command":"rm -r x"}"#]);
}
