//! `api.process.spawn`: talking to a program while it runs.

use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use serde_json::json;

use crate::kit::{SOON, processes_with, until, world};

#[test]
fn lines_go_in_and_out_until_the_input_ends() {
    let world = world();
    let seen = world.ok("local p = api.process.spawn({'cat'}).process
         local seen = {}
         assert(p.write('one\\ntw').ok)
         seen[1] = p.read_line()
         assert(p.write('o\\n\\nlast').ok)
         seen[2] = p['read-line']()
         p:close_stdin()
         seen[3], seen[4], seen[5] = p:read_line(), p.read_line(), p.read_line() == nil
         seen[6] = p.write('x').kind
         seen[7] = p.wait()
         return seen");
    let end = json!({"ok": true, "code": 0, "stderr": "", "truncated?": false});
    assert_eq!(seen, json!(["one", "two", "", "last", true, "invalid", end]));
}

#[test]
fn an_object_may_be_called_with_a_colon() {
    let world = world();
    let seen = world.ok("local p = api.process.spawn({'cat'}).process
         p:write('hello\\n')
         local line = p:read_line()
         p:kill()
         local ended = p:wait()
         return {line, ended.signal}");
    assert_eq!(seen, json!(["hello", "SIGTERM"]));
}

#[test]
fn what_cannot_be_started_is_refused() {
    let world = world();
    assert_eq!(world.ok("return api.process.spawn({'no-such-program'}).kind"), "not-found");
}

#[test]
fn waiting_without_reading_ends_and_tells_what_was_thrown_away() {
    let world = world();
    let began = Instant::now();
    let seen = world.ok(
        "local p = api.process.spawn({'sh', '-c', 'echo words >&2; seq 1 1000000; exit 4'}).process
         local ended = p.wait()
         return {ended.code, ended.stderr, ended.truncated, p.read_line()}",
    );
    assert!(began.elapsed() < SOON);
    assert_eq!(seen, json!([4, "words\n", true, "1"]));
}

#[test]
fn output_that_is_read_is_whole_and_the_program_waits_for_its_reader() {
    let world = world();
    let seen = world.ok("local p = api.process.spawn({'sh', '-c', 'seq 1 300000'}).process
         api.timer.sleep(100)
         local count, last = 0, nil
         for line in p.read_line do count, last = count + 1, line end
         return {count, last, p.wait().truncated}");
    assert_eq!(seen, json!([300_000, "300000", false]));
}

#[test]
fn a_line_that_is_too_long_raises_with_its_kind() {
    let world = world();
    let seen = world.ok(
        "local p = api.process.spawn({'sh', '-c', 'echo short; seq -s, 1 1000'}, {max_bytes = 100}).process
         local first = p.read_line()
         local ok, problem = pcall(p.read_line)
         return {first, ok, problem.kind, problem.ok}",
    );
    assert_eq!(seen, json!(["short", false, "too-large", false]));
}

#[test]
fn a_program_goes_with_its_handle() {
    let world = world();
    let token = CancelToken::new();
    let wait = world.begin(
        "do local p = api.process.spawn({'sh', '-c', 'sleep 32.101 & sleep 32.101'}) end
         api.timer.sleep(300)
         collectgarbage() collectgarbage()
         api.timer.sleep(60000)",
        token.clone(),
    );
    until("they run", || processes_with("32.101") >= 2);
    until("all are gone", || processes_with("32.101") == 0);
    token.cancel();
    assert!(wait().is_err());
}

#[test]
fn a_program_goes_with_its_vm() {
    let world = world();
    let source = "kept = api.process.spawn({'sh', '-c', 'sleep 32.201 & sleep 32.201'}).process
                  api.timer.sleep(200)";
    let wait = world.begin(source, CancelToken::new());
    until("they run", || processes_with("32.201") >= 2);
    wait().unwrap();
    until("all are gone", || processes_with("32.201") == 0);
}

#[test]
fn cancelling_a_read_leaves_the_program_to_its_handle() {
    let world = world();
    let token = CancelToken::new();
    let wait = world.begin(
        "local p = api.process.spawn({'sh', '-c', 'sleep 32.301'}).process
         pcall(p.read_line)
         return p.kill().ok",
        token.clone(),
    );
    until("it runs", || processes_with("32.301") >= 1);
    std::thread::sleep(Duration::from_millis(50));
    token.cancel();
    assert_eq!(wait().unwrap(), true);
    until("it is gone", || processes_with("32.301") == 0);
}

#[test]
fn the_number_of_programs_is_bounded() {
    let world = world();
    let seen = world.ok("local all, refused = {}, nil
         for i = 1, 65 do
           local r = api.process.spawn({'sleep', '32.4'})
           if r.ok then all[#all + 1] = r.process else refused = r.kind end
         end
         for _, p in ipairs(all) do p.kill() end
         return {#all, refused, all[1].wait().signal, api.process.run({'true'}).ok}");
    assert_eq!(seen[0], 64);
    assert_eq!(seen[1], "denied");
    assert_eq!(seen[2], "SIGTERM");
    until("all are gone", || processes_with("sleep\u{0}32.4") == 0);
}
