//! What authors of extensions use: `fen ext`, `fen run`, `fen eval`, and scripts of the mock.

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
fn an_extension_in_fennel_is_begun_checked_and_tested_as_one_in_lua_is() {
    let place = Place::new();
    let said = place.fen(["ext", "new", "word-count", "--fennel"]).run().expect(0).stdout;
    for words in ["manifest.fnl", "init.fnl", "tests/word-count_test.fnl"] {
        assert!(said.contains(words), "{words} in {said}");
    }
    let tested = place.fen(["ext", "test", "word-count"]).run().expect(0).stdout;
    assert!(tested.contains("ok    tests/word-count_test.fnl: the tool counts words"), "{tested}");
    assert!(tested.ends_with("4 tests: 4 passed, 0 failed\n"), "{tested}");
    let checked = place.fen(["ext", "check", "word-count"]).run().expect(0).stdout;
    for words in ["no problems", "tools              word_count", "asks for no files"] {
        assert!(checked.contains(words), "{words} in {checked}");
    }
    // What is given as an example is laid out as its language wants it.
    place.fen(["fennel", "fmt", "--check", "word-count"]).run().expect(0);
    let clean = place.fen(["fennel", "check", "word-count"]).run().expect(0);
    assert_eq!(clean.stderr, "3 files: 0 errors, 0 warnings\n");
    place.fen(["ext", "new", "both", "--fennel", "--lua"]).run().refused(&["--lua"]);
    place.fen(["ext", "new", "word-count", "--fennel"]).run().refused(&["is there already"]);
    place.fen(["ext", "new", "mine", "--fennel", "--user"]).run().expect(0);
    let rows = place.fen(["list", "extensions"]).run().expect(0).stdout;
    assert!(rows.contains("mine"), "{rows}");
}

#[test]
fn a_check_tells_all_mistakes_in_fennel_at_once() {
    let place = Place::new();
    place.write("bad/init.fnl", "(fn [api]\n  (local one (require :one))\n  (print api one))");
    place.write("bad/one.fnl", "(prin 1)\n(let [x] x)");
    place.write("bad/two.fnl", "(local unused 1)\n{:a 1}");
    place.write("bad/three.lua", "local x = = 1");
    let outcome = place.fen(["ext", "check", "bad"]).run().expect(1);
    for words in [
        "  bad/one.fnl:1:2: unknown identifier: prin\n      (prin 1)\n       ^^^^\n",
        "  bad/one.fnl:2:",
        "  bad/three.lua:1:",
        "  bad/two.fnl:1:8: the local unused is never used",
    ] {
        assert!(outcome.stdout.contains(words), "{words}\n{}", outcome.report());
    }
    let report = place.fen(["ext", "check", "bad", "--json"]).run().expect(1).json();
    let places: Vec<_> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["file"], &one["line"]))
        .collect();
    assert_eq!(
        places,
        [
            (&json!("bad/one.fnl"), &json!(1)),
            (&json!("bad/one.fnl"), &json!(2)),
            (&json!("bad/three.lua"), &json!(1)),
        ]
    );
    assert_eq!(report["problems"][0]["help"], "did you mean print?");
}

#[test]
fn a_failing_test_in_fennel_shows_where_and_what() {
    let place = Place::new();
    place.write(
        "w.fnl",
        "(fn [api]\n  (api.register :tool {:name :w :description :x :parameters {:type :object}\n    :execute (fn [] :three)}))",
    );
    place.write(
        "w_test.fnl",
        "{:passes (fn [t] (t.eq (. (t.call_tool :w) :text) :three))\n :fails\n (fn [t]\n   (t.eq 1 2))}",
    );
    let outcome = place.fen(["ext", "test", "w.fnl"]).run().expect(1);
    assert!(outcome.stdout.contains("ok    w_test.fnl: passes"), "{}", outcome.report());
    let lines = "FAIL  w_test.fnl: fails\n      w_test.fnl:2: ";
    assert!(outcome.stdout.contains(lines), "{}", outcome.report());
    place.write("w_test.fnl", "(prin 1)\n(let [x] x)");
    let outcome = place.fen(["ext", "test", "w.fnl"]).run().expect(1);
    for words in ["w_test.fnl:1:2:", "w_test.fnl:2:"] {
        assert!(outcome.stdout.contains(words), "{words}\n{}", outcome.report());
    }
    // Tests may be in the other language.
    place.write("w_test.lua", "return function(t) t.eq(t.call_tool('w').text, 'three') end");
    place.fen(["ext", "test", "w.fnl"]).run().expect(0);
    std::fs::remove_file(place.project("w_test.lua")).unwrap();
    std::fs::remove_file(place.project("w_test.fnl")).unwrap();
    place.fen(["ext", "test", "w.fnl"]).run().refused(&["w_test.lua", "w_test.fnl"]);
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

#[test]
fn the_mock_plays_fennel() {
    let place = Place::new();
    let run = |text: &str| {
        place.write("m.fnl", text);
        place.fen(["--provider", "mock", "--mock-script", "m.fnl", "-p", "hello"]).run()
    };
    assert_eq!(run("[{:text :one} {:text :two}]").expect(0).stdout, "one\n");
    let function = "(fn [r]\n  (if (= r.number 1)\n      {:tool_calls [{:name :ls :arguments {}}]}\n      \
                    {:text (.. (length r.messages) \" \" (length r.tools))}))";
    let said = run(function).expect(0).stdout;
    assert!(said.starts_with("3 "), "{said}");
    run("(fn [_r]\n  (error \"no idea\"))").expect(1).complains(&["m.fnl:2: no idea"]);
    run("[{:text :a} {:txt :b}]").refused(&["m.fnl: turn 2 ", "`txt`"]);
    run("(prin 1)\n(let [x] x)").refused(&["m.fnl:1:2:", "m.fnl:2:"]);
}
