//! The presenter of lines.

use crate::kit::World;
use fen_core::RunSetup;
use fen_provider_mock::Turn;
use serde_json::json;

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

#[tokio::test]
async fn it_reads_lines_and_writes_what_happens() {
    let world = World::answering(vec![
        Turn::call("word_count", json!({"text": "a b"})),
        Turn::text("two words"),
    ]);
    world.load_example("presenter/line.lua").await;
    world.load_example("tool/word_count.lua").await;
    world.load_example("command/bookmark.lua").await;
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

#[tokio::test]
async fn it_shows_the_status_items_and_asks_questions() {
    let world = World::answering(vec![
        Turn::call("bash", json!({"command": "rm -r x"})),
        Turn::text("done"),
    ]);
    world.load_stand_ins(&["bash"]).await;
    world.load_example("presenter/line.lua").await;
    world.load_example("hook/guard.lua").await;
    world
        .load_text(
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
