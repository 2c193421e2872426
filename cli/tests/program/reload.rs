//! Extensions change while a conversation goes on.

use crate::extensions::tool;
use crate::support::{Input, Place, Running, Terminal};
use serde_json::json;
use std::time::Duration;

pub fn command(name: &str, answer: &str) -> String {
    format!(
        "return function(api)\n  api.state.loads = (api.state.loads or 0) + 1\n  \
         api.register('command', {{name = '{name}', handler = function()\n    api.emit({{type = \
         'info', info = '{answer} ' .. api.state.loads .. '.'}})\n  end}})\nend"
    )
}

fn chatting(place: &Place, arguments: &[&str]) -> Running {
    let fen = place.fen(["--provider", "mock", "--presenter", "stdio"]).arguments(arguments);
    fen.input(Input::Held).start()
}

fn says(running: &mut Running, line: &str, words: &str) {
    running.write(&format!("{line}\n"));
    running.wait_stdout(words, |text| text.contains(words));
}

#[test]
fn a_saved_file_takes_over_and_a_broken_one_leaves_the_old_in_force() {
    let place = Place::new();
    place.configure("extensions/hi.lua", &command("hi", "first"));
    let mut running = chatting(&place, &[]);
    says(&mut running, "/hi", "first 1.");
    place.configure("extensions/hi.lua", &command("hi", "second"));
    says(&mut running, "/reload hi", "loaded: hi");
    // What `api.state` held is still there.
    says(&mut running, "/hi", "second 2.");
    place.configure("extensions/hi.lua", "return function(api)\n  nothing.here = 1\nend");
    says(&mut running, "/reload", "not loaded: hi (its former self still runs): hi.lua:2:");
    running.write("/hi\n");
    running.wait_stdout("the old one", |text| text.matches("second 2.").count() == 2);
    running.write("/reload hello\n");
    running.wait_stdout("a mistake", |text| text.contains("there is no extension `hello` to load"));
    std::fs::remove_file(place.home(".config/fen/extensions/hi.lua")).unwrap();
    says(&mut running, "/reload", "removed: hi");
    running.write("/hi\n");
    running.wait_stdout("an unknown command", |text| text.contains("there is no command /hi"));
    place.configure("extensions/hi.lua", &command("hi", "third"));
    says(&mut running, "/reload", "loaded: hi");
    says(&mut running, "/hi", "third 1.");
    running.end_input();
    running.finish().expect(0);
}

#[test]
fn a_watched_file_is_taken_up_by_itself() {
    let place = Place::new();
    place.configure("extensions/hi.lua", &command("hi", "first"));
    let mut running = chatting(&place, &["--watch"]);
    says(&mut running, "/hi", "first 1.");
    place.configure("extensions/hi.lua", &command("hi", "second"));
    running.wait_stdout("the reload", |text| text.contains("loaded: hi"));
    says(&mut running, "/hi", "second 2.");
    place.configure("extensions/hi.lua", "return 1 +");
    running.wait_stdout("the failure", |text| text.contains("not loaded: hi (its former self"));
    // It is told once, and the old one still answers.
    std::thread::sleep(Duration::from_millis(1500));
    running.write("/hi\n");
    running.wait_stdout("the old one", |text| text.matches("second 2.").count() == 2);
    // Once it is mended it takes over.
    place.configure("extensions/hi.lua", &command("hi", "third"));
    running.wait_stdout("the mended one", |text| text.matches("loaded: hi").count() == 3);
    says(&mut running, "/hi", "third 3.");
    running.end_input();
    let outcome = running.finish().expect(0);
    assert_eq!(outcome.stdout.matches("not loaded: hi").count(), 1, "{}", outcome.report());
}

/// A model that asks for a reload, then answers.
fn reloading() -> serde_json::Value {
    json!([{"tool-calls": [{"name": "reload", "arguments": {}}]}, {"text": "asked for it"}])
}

#[test]
fn a_model_brings_no_code_in_without_a_yes() {
    let place = Place::new();
    place.configure("extensions/hi.lua", &command("hi", "first"));
    let fen = place.mocked(reloading(), ["--presenter", "stdio"]);
    let mut terminal = Terminal::open(&fen, 100);
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    place.configure("extensions/hi.lua", &command("hi", "second"));
    terminal.type_keys("go\r");
    terminal.wait_for("There is the extension `hi`, which is new here.");
    terminal.wait_for("2. Run it this time");
    terminal.wait_for("Number, or nothing to decline: ");
    terminal.type_keys("1\r");
    terminal.wait_for("not trusted: hi");
    terminal.type_keys("/hi\r");
    terminal.wait_for("first 1.");
    terminal.type_keys("/quit\r");
    assert_eq!(terminal.code(), 0);

    let mut terminal = Terminal::open(&place.mocked(reloading(), ["--presenter", "stdio"]), 100);
    terminal.wait("an invitation", |screen| screen.last_row() == "> ");
    place.configure("extensions/hi.lua", &command("hi", "third"));
    terminal.type_keys("go\r");
    terminal.wait_for("Number, or nothing to decline: ");
    terminal.type_keys("2\r");
    terminal.wait_for("loaded: hi");
    terminal.type_keys("/hi\r");
    terminal.wait_for("third 2.");
    terminal.type_keys("/quit\r");
    assert_eq!(terminal.code(), 0);
}

#[test]
fn where_nobody_can_be_asked_a_models_reload_is_refused() {
    let place = Place::new();
    // A presenter without questions, which waits for the outcome.
    let bare = r#"return function(api)
      api.register("presenter", { name = "bare", run = function(ctx)
        ctx.submit("go")
        while true do
          local event = ctx.next_event()
          if not event then return end
          if event.type == "info" and event.info:find("hi") then
            ctx.write(event.info .. "\n")
            return
          end
        end
      end })
    end"#;
    place.configure("extensions/bare.lua", bare);
    place.configure("extensions/hi.lua", &tool("hi", "old"));
    // The model changes the file, then asks for the reload.
    let path = place.home(".config/fen/extensions/hi.lua");
    let turns = json!([
        {"tool-calls": [{"name": "write", "arguments": {"path": path, "content": tool("hi", "new")}}]},
        {"tool-calls": [{"name": "reload", "arguments": {}}]},
        {"text": "asked for it"},
    ]);
    let outcome = place.mocked(turns, ["--presenter", "bare"]).run().expect(0);
    assert!(outcome.stdout.contains("not trusted: hi"), "{}", outcome.report());
    assert!(!outcome.stdout.contains("loaded: hi"), "{}", outcome.report());
}
