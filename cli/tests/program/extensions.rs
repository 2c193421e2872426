//! Script extensions through the program: where they come from, which of them run, and what a
//! broken one does to the rest.

use crate::support::{Place, appears, ends};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

/// An extension with one tool, which answers with this text.
pub fn tool(name: &str, answer: &str) -> String {
    format!(
        r#"return function(api)
          api.register("tool", {{
            name = "{name}", description = "A tool of a test",
            parameters = {{ type = "object", properties = {{}} }},
            execute = function() return "{answer}" end,
          }})
        end"#
    )
}

/// A model that calls this tool and then has nothing more to say.
fn calling(name: &str) -> Value {
    json!([{"tool-calls": [{"name": name, "arguments": {}}]}, {"text": "done"}])
}

/// What the call of the first turn came to.
fn result(place: &Place, name: &str, arguments: &[&str]) -> (Value, String) {
    let run = place.mocked(calling(name), ["--json-stream", "-p", "go"]).arguments(arguments);
    let outcome = run.run().expect(0);
    let events = outcome.events();
    let told = events.iter().find(|event| event["type"] == "tool-result").unwrap();
    (told["result"].clone(), outcome.stderr.clone())
}

fn answers(result: &Value, text: &str) {
    assert_eq!(
        (&result["content"][0]["text"], &result["is-error?"]),
        (&json!(text), &json!(false))
    );
}

fn is_unknown(result: &Value) {
    assert_eq!(result["is-error?"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("no tool"), "{text}");
}

#[test]
fn one_of_the_persons_is_used_by_the_model() {
    let place = Place::new();
    place.configure("extensions/words.lua", &tool("words", "from the user"));
    let (given, stderr) = result(&place, "words", &[]);
    answers(&given, "from the user");
    assert_eq!(stderr, "");
    is_unknown(&result(&place, "words", &["--no-extensions"]).0);
}

#[test]
fn a_projects_is_left_out_and_named_until_somebody_agrees() {
    let place = Place::new();
    place.write(".fen/extensions/words.lua", &tool("words", "from the project"));
    let (given, stderr) = result(&place, "words", &[]);
    is_unknown(&given);
    assert!(stderr.contains("left out, since nobody has agreed to run them: words"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let (given, stderr) = result(&place, "words", &["--trust"]);
    answers(&given, "from the project");
    assert_eq!(stderr, "");
    // It was for one run.
    is_unknown(&result(&place, "words", &[]).0);
}

#[test]
fn a_path_on_the_command_line_goes_before_all_others() {
    let place = Place::new();
    place.configure("extensions/words.lua", &tool("words", "from the user"));
    place.write("mine/words.lua", &tool("words", "from the command line"));
    let (given, stderr) = result(&place, "words", &["--extension", "mine/words.lua"]);
    answers(&given, "from the command line");
    assert_eq!(stderr, "");
    let only = ["--no-extensions", "--extension", "mine/words.lua"];
    answers(&result(&place, "words", &only).0, "from the command line");
    let (_, stderr) = result(&place, "words", &["--extension", "mine/wrds.lua"]);
    assert!(stderr.contains("extension wrds was not loaded: wrds.lua cannot be read"), "{stderr}");
}

#[test]
fn a_listed_folder_counts_as_the_persons_and_has_to_be_absolute() {
    let place = Place::new();
    place.write("shared/words.lua", &tool("words", "from a listed folder"));
    let listed = place.project("shared");
    let run = |value: &str| {
        let fen = place.mocked(calling("words"), ["--presenter", "json", "-p", "go"]);
        fen.env("FEN_EXTENSIONS_PATH", value).run().expect(0)
    };
    let outcome = run(listed.to_str().unwrap());
    assert!(outcome.stdout.contains("from a listed folder"), "{}", outcome.report());
    let outcome = run("shared");
    assert!(!outcome.stdout.contains("from a listed folder"), "{}", outcome.report());
    outcome.complains(&["FEN_EXTENSIONS_PATH takes absolute paths only"]);
}

#[test]
fn settings_switch_extensions_off_and_on() {
    let place = Place::new();
    place.configure("extensions/words.lua", &tool("words", "here"));
    place.configure("extensions/shy/init.lua", &tool("shy", "here too"));
    place.configure("extensions/shy/manifest.json", r#"{"enabled-by-default": false}"#);
    answers(&result(&place, "words", &[]).0, "here");
    is_unknown(&result(&place, "shy", &[]).0);
    let settings = json!({"extensions": {"enabled": ["shy"], "disabled": ["words"]}});
    place.configure("settings.json", &settings.to_string());
    is_unknown(&result(&place, "words", &[]).0);
    answers(&result(&place, "shy", &[]).0, "here too");
}

#[test]
fn one_that_is_switched_off_takes_no_other_of_its_name_with_it() {
    let place = Place::new();
    place.configure("extensions/words.lua", &tool("words", "from the user"));
    place.configure("settings.json", r#"{"extensions": {"disabled": ["words"]}}"#);
    place.write("mine/words.lua", &tool("words", "from the command line"));
    let (given, stderr) = result(&place, "words", &["--extension", "mine/words.lua"]);
    answers(&given, "from the command line");
    assert_eq!(stderr, "");
}

#[test]
fn a_broken_one_is_named_and_the_others_load() {
    let place = Place::new();
    place.configure("extensions/broken.lua", "return function(api)\n  api.register('tool'\nend");
    place.configure("extensions/raises.lua", "return function(api)\n  error('no luck')\nend");
    place.configure("extensions/words.lua", &tool("words", "well"));
    let (given, stderr) = result(&place, "words", &[]);
    answers(&given, "well");
    assert!(stderr.contains("extension broken was not loaded: broken.lua:3:"), "{stderr}");
    assert!(stderr.contains("extension raises was not loaded: raises.lua:2: no luck"), "{stderr}");
}

#[test]
fn the_list_tells_the_state_of_each() {
    let place = Place::new();
    place.configure("extensions/good.lua", &tool("good", "x"));
    place.configure("extensions/bad.lua", "return 7");
    place.configure("extensions/off.lua", &tool("off", "x"));
    place.configure("extensions/needs/init.lua", &tool("needs", "x"));
    place.configure(
        "extensions/needs/manifest.json",
        r#"{"requires": {"programs": ["no-such-program"]}}"#,
    );
    place.configure("extensions/good_test.lua", "return {}");
    place.configure("settings.json", r#"{"extensions": {"disabled": ["off"]}}"#);
    place.write(".fen/extensions/theirs.lua", &tool("theirs", "x"));
    place.write(".fen/extensions/good.lua", &tool("good", "y"));
    let rows = place.fen(["list", "extensions", "--json"]).run().expect(0).json();
    let state = |name: &str, source: &str| {
        let mut found = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["name"] == name && row["source"] == source);
        let row = found.next().unwrap_or_else(|| panic!("{name} of {source} in {rows:#?}"));
        row["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state("read", "bundled"), "loaded");
    assert_eq!(state("good", "user"), "loaded");
    assert_eq!(state("good", "project"), "untrusted");
    assert_eq!(state("bad", "user"), "error");
    assert_eq!(state("off", "user"), "disabled");
    assert_eq!(state("needs", "user"), "missing-dependency");
    assert_eq!(state("theirs", "project"), "untrusted");
    assert!(!rows.to_string().contains("good_test"));
    // A person's own come before those that come with fen.
    let text = place.fen(["list", "extensions"]).run().expect(0).stdout;
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
    assert!(at("theirs") < at("bundled") && at("needs ") < at("bundled"), "{text}");
}

#[test]
fn a_hook_that_fails_blocks_and_one_that_cannot_load_blocks_all() {
    let place = Place::new();
    let hook = |body: &str| {
        format!(
            "return function(api) api.register('hook', {{['before-tool'] = function(name) {body} end}}) end"
        )
    };
    let blocked = |words: &str| {
        let (given, _) = result(&place, "ls", &[]);
        assert_eq!(given["is-error?"], true, "{given}");
        let text = given["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{text}");
    };
    place.configure(
        "extensions/guard/init.lua",
        &hook("return {block = true, reason = 'not ' .. name}"),
    );
    place.configure("extensions/guard/manifest.json", r#"{"hooks": true}"#);
    blocked("not ls");
    place.configure("extensions/guard/init.lua", &hook("error('oh')"));
    blocked("oh");
    place.configure("extensions/guard/init.lua", &hook("while true do end"));
    blocked("guard");
    place.configure("extensions/guard/init.lua", "return function(api) syntax");
    blocked("extension `guard` has hooks and could not be loaded");
    for cannot in [r#""requires": {"programs": ["no-such-program"]}"#, r#""fen": ">=900""#] {
        let manifest = format!(r#"{{"hooks": true, {cannot}}}"#);
        place.configure("extensions/guard/manifest.json", &manifest);
        blocked("extension `guard` has hooks and could not be loaded");
    }
    place.configure("extensions/guard/manifest.json", r#"{"hooks": true}"#);
    place.configure("extensions/guard/init.lua", &hook(""));
    let runs = || {
        let (given, _) = result(&place, "ls", &[]);
        assert_eq!(given["is-error?"], false, "{given}");
    };
    runs();
    // A project's that nobody agreed to has no say in it.
    place.write(".fen/extensions/theirs/init.lua", &hook(""));
    let manifest = r#"{"hooks": true, "requires": {"programs": ["no-such-program"]}}"#;
    place.write(".fen/extensions/theirs/manifest.json", manifest);
    runs();
}

#[test]
fn an_auth_backend_logs_in_and_out() {
    let place = Place::new();
    let backend = r#"return function(api)
      api.register("auth-backend", {
        name = "club",
        ["api-key"] = function() return "k" end,
        ["login!"] = function() api.fs.write("in", "yes") end,
        ["logout!"] = function() error("nobody is in") end,
      })
    end"#;
    place.configure("extensions/club/init.lua", backend);
    place.configure("extensions/club/manifest.json", r#"{"capabilities": ["fs"]}"#);
    place.fen(["--login", "club"]).run().expect(0).complains(&["club: logged in"]);
    assert!(place.project("in").exists());
    place.fen(["--logout", "club"]).run().expect(1).complains(&["nobody is in"]);
    place.fen(["--login", "clb"]).run().refused(&["`clb`", "club"]);
}

#[test]
fn a_kill_while_an_extension_runs_leaves_nothing_behind() {
    let place = Place::new();
    let busy = r#"return function(api)
      api.register("tool", {
        name = "busy", description = "Takes its time", parameters = { type = "object", properties = {} },
        execute = function()
          api.process.run({ "sh", "-c", "echo $$ > child.pid; exec sleep 1000" })
          while true do end
        end,
      })
    end"#;
    place.configure("extensions/busy/init.lua", busy);
    place.configure("extensions/busy/manifest.json", r#"{"capabilities": ["process"]}"#);
    let fen = place.mocked(calling("busy"), ["--json-stream", "-p", "go"]);
    let mut running = fen.start();
    running.wait_event("tool-call", |_| true);
    let child = appears(&place.project("child.pid"));
    running.kill();
    // Nothing keeps the session or the trust file; a child may outlive a killed parent.
    let _ = rustix::process::kill_process(child, rustix::process::Signal::KILL);
    ends(child);
    place.fen(["--provider", "mock", "--continue", "-p", "again"]).run().expect(0);
    place.fen(["trust", "show"]).run().expect(0);
}

#[test]
fn what_extensions_log_is_kept_in_a_closed_and_bounded_file() {
    let place = Place::new();
    let chatty = r#"return function(api)
      api.log("warn", "first words")
      for i = 1, 400 do api.log("warn", ("x"):rep(8000)) end
    end"#;
    place.configure("extensions/chatty.lua", chatty);
    place.mocked(json!([{"text": "a"}]), ["-p", "go"]).run().expect(0);
    let log = place.home(".local/state/fen/log");
    let mode = |name: &str| log.join(name).metadata().unwrap().permissions().mode() & 0o777;
    let size = |name: &str| log.join(name).metadata().map_or(0, |found| found.len());
    assert_eq!(log.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert!(log.join("fen.log").exists() || log.join("fen.log.1").exists());
    for name in ["fen.log", "fen.log.1"].into_iter().filter(|name| log.join(name).exists()) {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    for _ in 0..3 {
        place.mocked(json!([{"text": "a"}]), ["-p", "go"]).run().expect(0);
    }
    assert!(size("fen.log") + size("fen.log.1") < 3 << 20);
    assert_eq!(log.read_dir().unwrap().count(), 2);
}
