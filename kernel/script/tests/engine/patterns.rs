//! The bounded matcher against Lua's own.

use std::cell::OnceCell;

use fen_script::mlua::{Function, Lua, LuaString, MultiValue, Value};
use fen_script::vm::Vm;
use proptest::prelude::*;

use crate::kit::{load, vm};

/// Gives everything that the pattern functions do with one subject and pattern, as text.
const PROBE: &str = r#"
  local s, p, r, init = ...
  local out = {}
  local function add(...)
    local values = table.pack(...)
    for i = 1, values.n do
      local v = values[i]
      if i == 2 and values[1] == false then v = v:gsub('^[%w/%.]*:%d+: ', '') end
      out[#out + 1] = math.type(v) or type(v)
      out[#out + 1] = tostring(v)
    end
    out[#out + 1] = '|'
  end
  add(pcall(string.find, s, p, init))
  add(pcall(string.match, s, p, init))
  add(pcall(string.find, s, p, init, true))
  add(pcall(string.gsub, s, p, r))
  add(pcall(string.gsub, s, p, r, 2))
  add(pcall(string.gsub, s, p, function(...) return table.concat({'<', ..., '>'}) end))
  add(pcall(string.gsub, s, p, {a = 'A', b = false, [''] = 'E'}, 3))
  add(pcall(function()
    local n = 0
    for a, b in string.gmatch(s, p, init) do
      n = n + 1
      add(a, b)
      if n > 40 then break end
    end
  end))
  return table.concat(out, ' ')
"#;

thread_local! {
    static OURS: OnceCell<(Vm, Function)> = const { OnceCell::new() };
    static THEIRS: OnceCell<(Lua, Function)> = const { OnceCell::new() };
}

fn words(bytes: &[u8], value: &MultiValue) -> Vec<u8> {
    match value.front() {
        Some(Value::String(text)) => LuaString::as_bytes(text).to_vec(),
        other => panic!("{other:?} for {bytes:?}"),
    }
}

fn compare(subject: &[u8], pattern: &[u8], replacement: &[u8], init: i64) {
    let theirs = THEIRS.with(|cell| {
        let (lua, probe) = cell.get_or_init(|| {
            let lua = Lua::new();
            let probe = lua.load(PROBE).set_name("=test.lua").into_function().unwrap();
            (lua, probe)
        });
        let text = |bytes: &[u8]| lua.create_string(bytes).unwrap();
        let all = (text(subject), text(pattern), text(replacement), init);
        words(subject, &probe.call(all).unwrap())
    });
    let ours = OURS.with(|cell| {
        let (vm, probe) = cell.get_or_init(|| {
            let vm = vm();
            let probe = load(&vm, PROBE);
            (vm, probe)
        });
        let text = |bytes: &[u8]| vm.lua().create_string(bytes).unwrap();
        let all = (text(subject), text(pattern), text(replacement), init);
        words(subject, &vm.call_sync(probe, all, std::time::Duration::from_secs(5)).unwrap())
    });
    assert_eq!(
        String::from_utf8_lossy(&ours),
        String::from_utf8_lossy(&theirs),
        "subject {:?}, pattern {:?}, replacement {:?}, init {init}",
        String::from_utf8_lossy(subject),
        String::from_utf8_lossy(pattern),
        String::from_utf8_lossy(replacement),
    );
}

#[test]
fn the_corners_agree() {
    let subjects: [&[u8]; 9] = [
        b"",
        b"a",
        b"abc",
        b"hello world from Lua",
        b"THE (quick) fox",
        b"key = value, x=1",
        b"a\0b\0",
        b"\xff\xfe \x80",
        b"((a)(b(c)))",
    ];
    let patterns: [&[u8]; 46] = [
        b"",
        b".",
        b"a",
        b"^a",
        b"a$",
        b"^",
        b"$",
        b"^$",
        b"%",
        b"[",
        b"[]",
        b"[^]",
        b"[]]",
        b"[^]]",
        b"[a",
        b"[a-",
        b"[a-]",
        b"[%a-z]",
        b"[%]]",
        b"(",
        b")",
        b"(a",
        b"()",
        b"(()",
        b"%1",
        b"(.)%1",
        b"(%1)",
        b"%b()",
        b"%b",
        b"%bx",
        b"%f[%w]%w+",
        b"%f",
        b"%f[%z]",
        b"%w+",
        b"%S-",
        b".-b",
        b"(%w+) = (%w+)",
        b"a*b?c+d-",
        b"%0",
        b"[%d%s]+",
        b"(.-)(.-)$",
        b"\0",
        b"[\0-a]",
        b"%z",
        b"$a",
        b"((.))",
    ];
    for subject in subjects {
        for pattern in patterns {
            for (replacement, init) in
                [(&b"<%0>"[..], 1), (b"%1%2", -2), (b"%%x", 3), (b"%", 0), (b"%q", 99)]
            {
                compare(subject, pattern, replacement, init);
            }
        }
    }
    let many = "()".repeat(33);
    compare(b"x", many.as_bytes(), b"", 1);
    let deep = format!("{}a", "x?".repeat(250));
    compare("x".repeat(240).as_bytes(), deep.as_bytes(), b"", 1);
}

fn piece() -> impl Strategy<Value = String> {
    let single = prop_oneof![
        4 => "[a-c]", 2 => Just(".".to_owned()), 3 => "%[acdglpsuwxACDSW.%]", 1 => "\\[\\^?[a-c%][-a-c%w]{0,4}\\]",
        1 => Just("%z".to_owned()), 1 => "[%\\[\\]^$-]",
    ];
    prop_oneof![
        10 => (single, prop_oneof![3 => Just(""), 1 => Just("*"), 1 => Just("+"), 1 => Just("-"), 1 => Just("?")])
            .prop_map(|(single, suffix)| format!("{single}{suffix}")),
        1 => "%b[ab(][)bc]", 1 => Just("%f[%w]".to_owned()), 1 => "%[0-3]", 2 => Just("(".to_owned()),
        2 => Just(")".to_owned()), 1 => Just("()".to_owned()), 1 => Just("$".to_owned()),
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    (prop::bool::weighted(0.2), prop::collection::vec(piece(), 0..6)).prop_map(
        |(anchored, pieces)| format!("{}{}", if anchored { "^" } else { "" }, pieces.concat()),
    )
}

fn subject() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[abc ()]{0,24}".prop_map(String::into_bytes),
        1 => "[abc1 A.\\[%]{0,16}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_agrees_with_luas_own(
        subject in subject(),
        pattern in pattern(),
        replacement in "[x%][%0-9x]{0,3}",
        init in -6_i64..12,
    ) {
        compare(&subject, pattern.as_bytes(), replacement.as_bytes(), init);
    }

    #[test]
    fn any_bytes_are_a_pattern_or_an_error(
        subject in prop::collection::vec(any::<u8>(), 0..10),
        pattern in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&b"%[]^$()*+-?.bf"[..])], 0..8),
    ) {
        compare(&subject, &pattern, b"%0", 1);
    }
}

#[test]
fn a_pattern_that_needs_too_much_work_is_an_error() {
    let vm = vm();
    for source in [
        "return string.find(('a'):rep(3000), '.-.-.-.-b')",
        "return string.match(('a'):rep(1000000), ('a*'):rep(20) .. 'b')",
        "return string.gsub(('a'):rep(3000), '.-.-.-.-b', '')",
        "return string.gsub(('a '):rep(300000), '^%s*(.-)%s*$x', '%1')",
        "return string.find(('a'):rep(100000), '[' .. ('b'):rep(100000) .. ']')",
    ] {
        let function = load(&vm, source);
        let error = vm.call_sync::<()>(&function, (), crate::kit::HANG).unwrap_err();
        assert!(error.message.contains("more than 4000000 steps"), "{source}: {error}");
    }
    // What is merely long is fine.
    let long = load(
        &vm,
        "assert(#(('  x'):rep(20000)):match('^%s*(.-)%s*$') == 59998)
         assert(not (('a'):rep(1000000)):find(('a'):rep(1000) .. 'b', 1, true))",
    );
    vm.call_sync::<()>(&long, (), crate::kit::HANG).unwrap();
}
