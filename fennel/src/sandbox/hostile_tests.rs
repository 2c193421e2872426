//! Programs that try to run for ever, to use up the memory, or to break the host.

use super::*;

const RUNNING: Duration = Duration::from_millis(100);
const MEMORY: usize = 8 << 20;

/// Runs a program; it ends, and the sandbox is good for another call.
fn ended(source: &str) -> Result<MultiValue, Halt> {
    ended_within(source, RUNNING)
}

fn ended_within(source: &str, running: Duration) -> Result<MultiValue, Halt> {
    let sandbox = Sandbox::new(Limits { memory: MEMORY, running }, |_| {}).unwrap();
    let function = sandbox.load(source, "=hostile", None).unwrap();
    let outcome = sandbox.call(&function, ());
    assert!(sandbox.used_memory() <= MEMORY, "{source}");
    if !matches!(outcome, Err(Halt::Stopped { limit: Limit::Memory(_), .. })) {
        let fine =
            sandbox.load("local n = 0 for i = 1, 500 do n = n + i end return n", "=fine", None);
        let values = sandbox.call(&fine.unwrap(), ());
        assert_eq!(values.unwrap().front(), Some(&Value::Integer(125_250)), "{source}");
    }
    outcome
}

fn out_of_time(source: &str) {
    let halt = ended(source).expect_err(source);
    assert!(matches!(halt, Halt::Stopped { limit: Limit::Time(_), .. }), "{source}: {halt:?}");
    assert_eq!(halt.to_string(), "ran longer than 0.1 s and was stopped");
}

fn out_of_memory(source: &str) {
    // Whatever the machine, the memory is used up first.
    let halt = ended_within(source, Duration::from_secs(600)).expect_err(source);
    assert!(matches!(halt, Halt::Stopped { limit: Limit::Memory(_), .. }), "{source}: {halt:?}");
    assert_eq!(halt.to_string(), "needed more than 8 MiB of memory and was stopped");
}

/// It reaches one limit or the other, which depends on the machine.
fn stopped(source: &str) {
    let halt = ended(source).expect_err(source);
    assert!(matches!(halt, Halt::Stopped { .. }), "{source}: {halt:?}");
}

/// It ends, with whatever outcome.
fn harmless(source: &str) {
    let _ = ended(source);
}

#[test]
fn endless_loops_end() {
    out_of_time("while true do end");
    out_of_time("local function f() return f() end f()");
    out_of_time("for i = 1, math.huge do end");
    out_of_time("goto a ::a:: goto a");
}

#[test]
fn the_place_of_the_end_is_known() {
    let halt = ended("local x = 1\n\nwhile true do end").unwrap_err();
    let Halt::Stopped { place: Some((name, line)), .. } = halt else { panic!("{halt:?}") };
    assert_eq!((name.as_str(), line), ("hostile", 3));
}

#[test]
fn catching_the_end_does_not_prevent_it() {
    out_of_time("while true do pcall(function() while true do end end) end");
    out_of_time("local function loop() while true do end end while true do pcall(pcall, loop) end");
    out_of_time("local function f() pcall(f) pcall(f) pcall(f) while true do end end f()");
    out_of_time("local function f() while true do pcall(f) end end f()");
    out_of_time("local function f() repeat until pcall(f) end while true do f() end");
}

#[test]
fn message_handlers_end() {
    out_of_time("xpcall(error, function() while true do end end)");
    out_of_time("local function h() while true do end end while true do xpcall(h, h) end");
    out_of_time(
        "local function h(e) return xpcall(error, h, e) end while true do xpcall(error, h) end",
    );
}

#[test]
fn closing_values_end() {
    let closing = "local function loop() while true do end end
        local mt = {__close = function() loop() end} ";
    out_of_time(&format!("{closing} do local x <close> = setmetatable({{}}, mt) end"));
    out_of_time(&format!("{closing} local x <close> = setmetatable({{}}, mt) loop()"));
    out_of_time(&format!(
        "{closing} mt.__close = function() while true do pcall(loop) end end
        local a <close> = setmetatable({{}}, mt) local b <close> = setmetatable({{}}, mt) error('x')"
    ));
}

#[test]
fn callbacks_of_libraries_end() {
    out_of_time("table.sort({1, 2, 3}, function() while true do end end)");
    out_of_time(
        "table.sort({1, 2, 3}, function() while true do pcall(function() while true do end end) end end)",
    );
    out_of_time("('aaa'):gsub('a', function() while true do end end)");
    out_of_time("('a'):gsub('a', setmetatable({}, {__index = function() while true do end end}))");
    out_of_time(
        "tostring(setmetatable({}, {__tostring = function() while true do pcall(error) end end}))",
    );
    out_of_time("print(setmetatable({}, {__tostring = function() while true do end end}))");
    out_of_time(
        "for k in pairs(setmetatable({}, {__pairs = function() while true do end end})) do end",
    );
    out_of_time(
        "local t = setmetatable({}, {__index = function() while true do end end}) table.concat(t, '', 1, 9)",
    );
    out_of_time(
        "local t = setmetatable({}, {__lt = function() while true do end end}) table.sort({t, t})",
    );
    out_of_time("for x in ('a'):rep(1000):gmatch('') do while true do pcall(next) end end");
    out_of_time(
        "local t = setmetatable({}, {__eq = function() while true do end end}) return t == setmetatable({}, getmetatable(t))",
    );
    out_of_time(
        "return table.unpack(setmetatable({}, {__index = function() while true do end end}), 1, 3)",
    );
}

#[test]
fn loops_in_lua_s_own_functions_end() {
    out_of_time("table.move({}, 1, math.maxinteger - 1, 2)");
    out_of_time(
        "table.move(setmetatable({}, {__index = type, __newindex = rawequal}), 1, math.maxinteger - 1, 2)",
    );
    stopped(
        "table.insert(setmetatable({}, {__len = function() return 1 << 53 end, __index = type}), 1, 1)",
    );
    out_of_time(
        "table.concat(setmetatable({}, {__index = getmetatable, __metatable = ''}), '', 1, 1 << 60)",
    );
    harmless("local t = {} for i = 0, 62 do t[1 << i] = 1 end table.insert(t, 1, 1)");
    harmless("local t = {} for i = 0, 62 do t[1 << i] = 1 end table.remove(t, 1)");
    stopped(
        "table.sort(setmetatable({}, {__len = function() return 1 << 30 end, __index = function() return 1 end, __newindex = function() end}))",
    );
    harmless(
        "local s = ('a'):rep(1 << 20) local t = {} for i = 1, 20000 do t[i] = s end table.sort(t)",
    );
    harmless("('x'):rep(1 << 20, ('y'):rep(1 << 20))");
    harmless("(''):rep(math.maxinteger)");
    harmless("return table.unpack({}, 1, 1 << 40)");
}

#[test]
fn patterns_end() {
    let text = "local s = ('a'):rep(100000) ";
    harmless(&format!("{text} return s:find('.-.-.-.-.-b')"));
    harmless(&format!("{text} return s:match(('a*'):rep(30) .. 'b')"));
    harmless(&format!("{text} return s:gsub('.-.-.-.-b', '')"));
    harmless(&format!("{text} for x in s:gmatch('.-.-.-.-b') do end"));
    harmless(&format!("{text} return s:find(('%b()'):rep(100))"));
    out_of_time(&format!("{text} while true do pcall(string.find, s, '.-.-.-.-b') end"));
    out_of_time(&format!(
        "{text} s = s:rep(10) while true do pcall(string.find, s, s:sub(1, 500000) .. 'ba', 1, true) end"
    ));
}

#[test]
fn coroutines_end() {
    let looping = "local function loop() while true do end end ";
    out_of_time(&format!("{looping} coroutine.wrap(loop)()"));
    out_of_time(&format!("{looping} while true do coroutine.resume(coroutine.create(loop)) end"));
    out_of_time(&format!("{looping} while true do pcall(coroutine.wrap(loop)) end"));
    out_of_time("local function f() while true do pcall(coroutine.wrap(f)) end end f()");
    out_of_time(
        "local y = coroutine.yield local c = coroutine.wrap(function() while true do y() end end) while true do c() end",
    );
    out_of_time(
        "local mt = {__close = function() while true do end end}
        local c = coroutine.create(function()
            local x <close> = setmetatable({}, mt)
            coroutine.yield()
        end)
        coroutine.resume(c)
        coroutine.close(c)",
    );
    // It dies of the end of time where its values to be closed are still open.
    out_of_time(
        "local mt = {__close = function() while true do end end}
        local c = coroutine.create(function()
            local x <close> = setmetatable({}, mt)
            table.sort({1, 2}, function() while true do end end)
        end)
        coroutine.resume(c)
        while true do pcall(coroutine.close, c) end",
    );
    out_of_time(
        "local all = {} for i = 1, 500 do
            all[i] = coroutine.create(function() coroutine.yield() while true do end end)
            coroutine.resume(all[i])
        end
        while true do for i = 1, #all do pcall(coroutine.resume, all[i]) end end",
    );
}

#[test]
fn memory_has_an_end() {
    stopped("local t = {} for i = 1, 1e9 do t[i] = {} end");
    out_of_memory("local s = 'x' while true do s = s .. s end");
    stopped("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1 << 20) .. i end");
    harmless("local s = ('x'):rep(1 << 20) s = s:gsub('x', ('y'):rep(1000))");
    stopped("local t = {} for i = 1, 100000 do t[i] = coroutine.create(print) end");
    stopped(
        "local t = {} for i = 1, 1e6 do t[i] = i .. '' end return table.concat(t, ('x'):rep(100))",
    );
    stopped(
        "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end",
    );
    stopped("while true do pcall(function() local s = 'x' while true do s = s .. s end end) end");
}

#[test]
fn deep_recursion_is_an_error() {
    harmless("local function f() return 1 + f() end f()");
    harmless("local function f() return pcall(f) end return f()");
    harmless(
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x",
    );
    harmless(
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = function(t) return tostring(t) end return tostring(t)",
    );
    harmless("local function f(x) return ('a'):gsub('a', f) end f()");
    harmless("local function f() return coroutine.wrap(f)() end f()");
    harmless("local function f() table.sort({1, 2}, f) end f()");
}

#[test]
fn finalizers_are_refused() {
    let halt = ended("setmetatable({}, {__gc = function() while true do end end})").unwrap_err();
    assert_eq!(halt.to_string(), "hostile:1: a metatable with '__gc' is not available here");
    harmless("local mt = {} setmetatable({}, mt) mt.__gc = function() while true do end end");
}

#[test]
fn broken_globals_break_nothing() {
    harmless("for k in pairs(_G) do _G[k] = nil end");
    harmless(
        "string.format = nil error = nil pcall = nil type = nil setmetatable = nil ('x'):rep(1e9)",
    );
    harmless("setmetatable(_G, {__index = function() error('no') end}) return x");
    harmless("string.find = function() error('no') end return (('x'):gsub('x', 'y'))");
}
