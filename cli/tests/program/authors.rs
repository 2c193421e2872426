//! What authors of extensions use: `fen ext`, `fen run`, `fen eval`, and the mock in Lua.

use crate::support::{Input, Place, appears, ends};
use rustix::process::Signal;
use serde_json::json;

#[test]
fn a_new_extension_is_sound_and_its_tests_pass() {
    let place = Place::new();
    let said = place.fen(["ext", "new", "word-count"]).run().expect(0).stdout;
    for words in ["wrote word-count:", "fen ext test word-count", "--extension word-count"] {
        assert!(said.contains(words), "{words} in {said}");
    }
    let tested = place.fen(["ext", "test", "word-count"]).run().expect(0).stdout;
    assert!(tested.contains("ok    tests/word-count_test.lua: the tool counts words"), "{tested}");
    assert!(tested.ends_with("4 tests: 4 passed, 0 failed\n"), "{tested}");
    let checked = place.fen(["ext", "check", "word-count"]).run().expect(0).stdout;
    for words in ["no problems", "tools              word_count", "asks for no files", "loads in"] {
        assert!(checked.contains(words), "{words} in {checked}");
    }
    let script = json!([{"tool-calls": [{"name": "word_count", "arguments": {"text": "a b"}}]}]);
    let fen = place.mocked(script, ["--presenter", "json", "-p", "x", "--extension", "word-count"]);
    assert!(fen.run().expect(1).stdout.contains("2 words"));
    // Nothing is written over.
    place.fen(["ext", "new", "word-count"]).run().refused(&["is there already"]);
    for (name, words) in [
        ("a b", "cannot be an extension's name"),
        ("bash", "comes with fen"),
        ("help", "a command"),
    ] {
        place.fen(["ext", "new", name]).run().refused(&[name, words]);
    }
    place.fen(["ext", "new", "other", "--fennel"]).run().refused(&["Fennel yet"]);
    place.fen(["ext", "new", "mine", "--user"]).run().expect(0);
    place.fen(["ext", "new", "ours", "--project"]).run().expect(0);
    let rows = place.fen(["list", "extensions"]).run().expect(0).stdout;
    assert!(rows.contains("mine") && rows.contains("ours"), "{rows}");
}

#[test]
fn a_check_names_every_problem_with_its_line() {
    let place = Place::new();
    place.write("bad/init.lua", "return function(api)\n  require('one')\nend");
    place.write("bad/one.lua", "local x = = 1");
    place.write("bad/two.lua", "return {\n  1,\n  2 2\n}");
    place.write("bad/manifest.json", r#"{"descripton": "x", "capabilities": ["fs", "auth:club"]}"#);
    let outcome = place.fen(["ext", "check", "bad"]).run().expect(1);
    for words in [
        "bad/one.lua:1:",
        "bad/two.lua:3:",
        "descripton",
        "description",
        "fs: it may read and write your files",
        "auth:club: it may read the key of `club`",
    ] {
        assert!(outcome.stdout.contains(words), "{words}\n{}", outcome.report());
    }
    let report = place.fen(["ext", "check", "bad", "--json"]).run().expect(1).json();
    assert_eq!(report["problems"].as_array().unwrap().len(), 2, "{report:#}");
    assert_eq!(
        (&report["problems"][1]["line"], report["warnings"].as_array().unwrap().len()),
        (&json!(3), 1)
    );
    // A name that comes with fen is a conflict.
    place.write("taken.lua", &crate::extensions::tool("read", "x"));
    let outcome = place.fen(["ext", "check", "taken.lua"]).run().expect(1);
    assert!(
        outcome.stdout.contains("taken.lua:2:") && outcome.stdout.contains("read"),
        "{}",
        outcome.report()
    );
    place.fen(["ext", "check", "nowhere"]).run().refused(&["nowhere"]);
}

#[test]
fn a_failing_test_shows_where_and_what() {
    let place = Place::new();
    place.write("w.lua", &crate::extensions::tool("w", "three words here"));
    place.write(
        "w_test.lua",
        r#"return {
  ["passes"] = function(t) t.eq(t.call_tool("w").text, "three words here") end,
  ["is told apart"] = function(t)
    t.eq(t.call_tool("w", {}).content, { { type = "text", text = "two" } })
  end,
  ["plays a model"] = function(t)
    t.mock(function(request)
      if request.number == 1 then return { tool_calls = { { name = "w" } } } end
      return { text = "it says: " .. request.text }
    end)
    local turn = t.prompt("go")
    t.eq(turn.text, "it says: three words here")
    t.eq(#turn.messages, 4)
    t.ok(#t.events("tool-result") == 1)
  end,
}"#,
    );
    let outcome = place.fen(["ext", "test", "w.lua"]).run().expect(1);
    let lines = "FAIL  w_test.lua: is told apart\n      w_test.lua:4: the values differ";
    assert!(outcome.stdout.contains(lines), "{}", outcome.report());
    assert!(outcome.stdout.contains("-     text = \"two\","), "{}", outcome.report());
    assert!(outcome.stdout.ends_with("3 tests: 2 passed, 1 failed\n"), "{}", outcome.report());
    let some = place.fen(["ext", "test", "w.lua", "--filter", "model"]).run().expect(0);
    assert!(some.stdout.ends_with("1 test: 1 passed, 0 failed\n"), "{}", some.report());
    place.fen(["ext", "test", "w.lua", "--filter", "zzz"]).run().refused(&["`zzz`"]);
    place.write("none/init.lua", "return function() end");
    place.fen(["ext", "test", "none"]).run().refused(&["there are no tests"]);
}

#[test]
fn types_are_printed_or_put_beside_the_code() {
    let place = Place::new();
    let types = place.fen(["ext", "types"]).run().expect(0).stdout;
    assert!(types.starts_with("---@meta"), "{types}");
    place.fen(["ext", "types", "--write", "types"]).run().expect(0);
    assert_eq!(std::fs::read_to_string(place.project("types/fen.lua")).unwrap(), types);
    let settings = std::fs::read_to_string(place.project("types/.luarc.json")).unwrap();
    assert!(settings.contains("fen.lua"));
}

#[test]
fn lua_runs_with_the_api_and_its_output_is_pure() {
    let place = Place::new();
    let eval = |code: &str| place.fen(["eval", code]).run();
    assert_eq!(
        eval("1 + 1, 'two', {a = {1, 2}}").expect(0).stdout,
        "2\ntwo\n{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"
    );
    assert_eq!(eval("local x = 1").expect(0).stdout, "");
    assert_eq!(
        eval("api.enqueue('follow-up', 'x').error").expect(0).stdout,
        "no conversation is running\n"
    );
    let outcome = eval("print('a')\nerror('b')").expect(1).complains(&["eval.lua:2: b"]);
    assert_eq!(outcome.stdout, "a\n");
    eval("x = = 1").expect(1).complains(&["eval.lua:1:"]);
    place.write(
        "s.lua",
        "#!/usr/bin/env -S fen run\nprint(#arg, ...)\napi.fs.write('out', arg[1])\nreturn api.name",
    );
    let outcome = place.fen(["run", "s.lua", "-p", "--x"]).run().expect(0);
    assert_eq!(outcome.stdout, "2\t-p\t--x\nrun\n", "{}", outcome.report());
    assert_eq!(std::fs::read_to_string(place.project("out")).unwrap(), "-p");
    assert_eq!(place.fen(["run", "-"]).text("return 7").run().expect(0).stdout, "7\n");
    place.fen(["run", "the", "tests"]).run().refused(&["fen -p 'run the tests'"]);
    // Memory is bounded, whatever the person's own code does.
    eval("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end")
        .expect(1)
        .complains(&["not enough memory"]);
}

#[test]
fn a_signal_ends_a_loop_at_once() {
    let place = Place::new();
    let code = "print('begun') while true do end";
    let mut running = place.fen(["eval", code]).input(Input::Held).start();
    running.wait_stdout("the beginning", |text| text.contains("begun"));
    running.signal(Signal::INT);
    running.finish().expect(130);
}

#[test]
fn programs_of_a_script_end_with_it() {
    let place = Place::new();
    let code = "api.process.run({'sh', '-c', 'echo $$ > child.pid; exec sleep 1000'})";
    let running = place.fen(["eval", code]).start();
    let child = appears(&place.project("child.pid"));
    running.signal(Signal::TERM);
    running.finish().expect(143);
    ends(child);
}

#[test]
fn the_mock_plays_lua() {
    let place = Place::new();
    let run = |text: &str| {
        place.write("m.lua", text);
        place.fen(["--provider", "mock", "--mock-script", "m.lua", "-p", "hello"]).run()
    };
    assert_eq!(run("return {{text = 'one'}, {text = 'two'}}").expect(0).stdout, "one\n");
    let function = "return function(r)\n  if r.number == 1 then return {tool_calls = {{name = 'ls', arguments = {}}}} end\n  \
         return {text = #r.messages .. ' ' .. #r.tools .. ' ' .. r.system_prompt:sub(1, 3)}\nend";
    let said = run(function).expect(0).stdout;
    assert!(said.starts_with("3 ") && said.ends_with(" You\n"), "{said}");
    run("return function(r)\n  error('no idea')\nend").expect(1).complains(&["m.lua:2: no idea"]);
    run("return function(r)\n  return 3\nend").expect(1).complains(&["m.lua:1: expected a table"]);
    run("return function(r)\n  return {txt = 3}\nend").expect(1).complains(&["m.lua:1:", "`txt`"]);
    run("return {{text = 'a'}, {txt = 'b'}}").refused(&["m.lua: turn 2 ", "`txt`"]);
    run("return {\n  text = = 1 }").refused(&["m.lua:2:"]);
    run("return 7").refused(&["m.lua: expected a list of answers or a function"]);
}
