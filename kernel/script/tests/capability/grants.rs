//! What is not granted says so; the rest of the rules that all calls share.

use fen_script::capability::{Capability, Grants};
use serde_json::json;

use crate::kit::world;

#[test]
fn a_call_without_its_capability_says_which_one_to_declare() {
    let mut world = world();
    world.grants = Grants::default();
    let refused = world.ok("return api.fs.read('x')");
    assert_eq!(
        refused,
        json!({
            "ok": false,
            "kind": "capability",
            "error": "extension test: `api.fs.read` needs the capability `fs`; add the line \
                      `capabilities: fs` to the comment at the top of its file, or \
                      `\"capabilities\": [\"fs\"]` to its manifest",
        })
    );
    for call in [
        "fs.write('x', 'y')",
        "fs.append('x', 'y')",
        "fs.list('.')",
        "fs.stat('.')",
        "fs.mkdir('x')",
        "fs.remove('x')",
        "fs.rename('x', 'y')",
        "process.run({'true'})",
        "process.spawn({'true'})",
        "http.request({url = 'http://localhost'})",
        "http.get('http://localhost')",
        "http.post('http://localhost')",
        "http.stream({url = 'http://localhost'})",
    ] {
        let refused = world.ok(&format!("return api.{call}"));
        assert_eq!(refused["kind"], "capability", "{call}");
    }
    assert!(!world.project.exists("x"));
}

#[test]
fn a_call_whose_answer_is_no_table_raises_without_its_capability() {
    let mut world = world();
    world.grants = Grants::default();
    for (call, needs) in
        [("fs.exists('x')", "fs"), ("env.get('PATH')", "env"), ("env.list()", "env")]
    {
        let error = world.fails(&format!("local r = api.{call}"));
        assert!(error.message.contains(&format!("needs the capability `{needs}`")), "{error}");
        assert_eq!(error.value.as_ref().unwrap()["kind"], "capability");
        assert_eq!(error.line, Some(1));
    }
}

#[test]
fn one_capability_opens_one_table() {
    let mut world = world();
    world.grants = Grants::from_iter([Capability::Env]);
    let seen = world.ok("return {api.env.get('PATH') ~= nil, api.fs.stat('.').kind}");
    assert_eq!(seen, json!([true, "capability"]));
    assert_eq!(Capability::named("fs"), Some(Capability::Fs));
    assert_eq!(Capability::named("filesystem"), None);
}

#[test]
fn the_environment_is_shown_as_it_is() {
    let world = world();
    world.around.credentials.note("PATH");
    let seen = world.ok("return {api.env.get('PATH'), api.env.get('NO_SUCH_VARIABLE') == nil}");
    assert_eq!(seen, json!([std::env::var("PATH").unwrap(), true]));
    let names = world.ok("return api.env.list()");
    assert!(names.as_array().unwrap().contains(&json!("PATH")));
    assert!(world.fails("api.env.get(1)").message.contains("must be a string"));
}

#[test]
fn sleeping_needs_no_capability_and_lets_others_run() {
    let mut world = world();
    world.grants = Grants::default();
    assert_eq!(world.ok("return api.timer.sleep(5)"), json!({"ok": true}));
    let error = world.fails("\napi.timer.sleep('long')");
    assert_eq!(error.line, Some(2));
    assert!(world.fails("api.timer.sleep(-1)").message.contains("from 0 to"));
    assert!(world.fails("api.timer.sleep(0/0)").message.contains("from 0 to"));
}

#[test]
fn the_tables_show_their_functions_under_one_name_each() {
    let world = world();
    let seen = world.ok("local names = {}
         for name in pairs(api.fs) do names[#names + 1] = name end
         table.sort(names)
         return {names, api.fs.exists == api.fs['exists?']}");
    let all = ["append", "exists?", "list", "mkdir", "read", "remove", "rename", "stat", "write"];
    assert_eq!(seen, json!([all, true]));
}

#[test]
fn wrong_types_and_unknown_options_raise_at_the_callers_line() {
    let world = world();
    for (call, words) in [
        ("api.fs.read()", "the path must be a string, got nothing"),
        ("api.fs.read('')", "the path is empty"),
        ("api.fs.read('a\\0b')", "contains a NUL"),
        ("api.fs.read('a', {maxbytes = 1})", "no option 'maxbytes'; it has max-bytes, offset"),
        ("api.fs.read('a', {max_bytes = 1, ['max-bytes'] = 2})", "with different values"),
        ("api.fs.read('a', {max_bytes = 1e9})", "must be from 1 to 16777216"),
        ("api.fs.write('a')", "the text must be a string, got nothing"),
        ("api.process.run('git status')", "for a shell say { \"sh\", \"-c\""),
        ("api.process.run({})", "a list without gaps"),
        ("api.process.run({'a', nil, 'b'})", "a list without gaps"),
        ("api.process.run({'a', {}})", "element 2 of the program must be a string"),
        ("api.process.run({'a'}, {env = {A = 1}})", "a string, or false to take it away"),
        ("api.http.request('http://localhost')", "a table with 'url'"),
        ("api.http.get()", "the address must be a string"),
        ("api.http.get('http://localhost', {body = 'x'})", "no option 'body'"),
        ("api.http.post('http://localhost', {body = 'x', json = {}})", "cannot both be given"),
        ("api.http.post('http://localhost', {json = {print}})", "a function cannot be data"),
    ] {
        let error = world.fails(&format!("\nlocal r = {call}"));
        assert!(error.message.contains(words), "{call}: {error}");
        assert_eq!(error.line, Some(2), "{call}");
    }
}
