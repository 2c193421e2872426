use super::*;
use proptest::prelude::*;
use serde_json::json;

#[track_caller]
fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn a_manifest_reads_as_data() {
    let text = r#"-- what it is
        return {
            name = "x", --[[ in
            between ]] ["enabled-by-default"] = true;
            capabilities = { "fs", 'http' },
            requires = { programs = { "rg" }, lua = {}, },
            limit = -3, ratio = 1.5, nothing = nil,
        };"#;
    assert_eq!(
        read(text).unwrap(),
        json!({
            "name": "x", "enabled-by-default": true, "capabilities": ["fs", "http"],
            "requires": {"programs": ["rg"], "lua": {}},
            "limit": -3, "ratio": 1.5, "nothing": null,
        })
    );
}

#[test]
fn strings_have_all_escapes_of_lua() {
    let text = r#"{ "\a\b\f\n\r\t\v\\\"\'", "\x41\65\065\u{20AC}\z
           end", 'a\
b', "\xe2\x82\xac" }"#;
    assert_eq!(
        read(text).unwrap(),
        json!(["\u{7}\u{8}\u{c}\n\r\t\u{b}\\\"'", "AAA€end", "a\nb", "€"])
    );
    assert_eq!(
        read("{[[\r\na\r\nb]], [==[]]]=]]==], [[\n\n]]}").unwrap(),
        json!(["a\nb", "]]]=]", "\n"])
    );
}

#[test]
fn numbers_are_those_of_lua() {
    assert_eq!(
        read("{0x10, 0xA.8p1, 3., .5, 1e2, 9223372036854775808, 0xffffffffffffffff, - 1}").unwrap(),
        json!([16, 21.0, 3.0, 0.5, 100.0, 9_223_372_036_854_775_808.0, -1, -1])
    );
    for wrong in ["1e", "0x", "1..2", "3x", "1e999", "0x1p", "--", "1_000", "0x_1"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_would_have_to_run_is_refused_with_its_place() {
    assert_eq!(
        refused("return {\n  name = os.getenv('HOME'),\n}"),
        format!("2:10: `os` is not a value; {DATA}")
    );
    for code in [
        "{ f() }",
        "{ 'a' .. 'b' }",
        "{ 1 + 1 }",
        "{ name = \"a\" == \"a\" }",
        "{ name == 1 }",
        "{ ('a') }",
        "{ #{} }",
        "{ not true }",
        "{ function() end }",
        "{ 'a' 'b' }",
        "{ ... }",
        "local x = {}",
        "return {}, {}",
        "{}{}",
        "{} ()",
        "setmetatable({}, {})",
        "{ end = 1 }",
        "{ , }",
        "returned",
    ] {
        assert!(refused(code).contains("data"), "{code}: {}", refused(code));
    }
}

#[test]
fn open_ends_name_where_they_began() {
    assert_eq!(refused("{\n a = {\n"), "3:1: the table of line 2 is not closed");
    assert_eq!(refused("{ \"ab\n}"), "1:3: this string is not closed on its line");
    assert_eq!(refused("{ --[=[ ]]"), "1:3: this is not closed by `]=]`");
    assert_eq!(refused("{ a = "), "1:7: the text ends where a value is expected");
    assert_eq!(refused("{ '\\q' }"), "1:4: an escape that Lua does not know in a string");
    assert_eq!(refused("{ '\\300' }"), "1:4: a number after `\\` goes up to 255 in a string");
    assert!(refused("{ '\\u{d800}' }").contains("needs a character's number"));
    assert!(refused("{ '\\xff' }").contains("do not give UTF-8"));
}

#[test]
fn tables_are_lists_or_objects_and_say_nothing_twice() {
    assert!(refused("{ 1, a = 2 }").contains("both named and nameless"));
    assert_eq!(refused("{ a = 1, ['a'] = 2 }"), "1:10: `a` stands here twice");
    assert!(refused("{ [1] = 2 }").contains("names of fields are strings"));
    assert!(read_fields("{ 'a' }").unwrap_err().message.contains("has no name"));
    assert!(read_fields("'a'").unwrap_err().message.contains("a manifest is one table"));
}

#[test]
fn fields_know_their_lines() {
    let fields = read_fields("return {\n a = 1,\n\n [\n'b'] = { c = 2 } }").unwrap();
    let seen: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.line)).collect();
    assert_eq!(seen, [("a", 2), ("b", 4)]);
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| "{".repeat(depth) + &"}".repeat(depth);
    assert!(read(&nested(MAX_DEPTH)).is_ok());
    assert!(refused(&nested(MAX_DEPTH + 1)).contains("nested more than 64"));
    assert!(refused(&"{".repeat(MAX_SIZE)).contains("nested more than 64"));
    assert!(refused(&"{[".repeat(1000)).contains("nested more than 64"));
    assert!(refused(&" ".repeat(MAX_SIZE + 1)).contains("larger than 64 KiB"));
}

/// Writes a value as Lua would read it.
fn write(value: &Value) -> String {
    match value {
        Value::Null => "nil".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.to_string(),
            None => format!("{:?}", number.as_f64().unwrap()),
        },
        Value::String(text) => quote(text),
        Value::Array(items) => {
            format!("{{{}}}", items.iter().map(write).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| format!("[{}] = {}", quote(name), write(value)))
                .collect();
            format!("{{{}}}", fields.join("; "))
        }
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            // An empty table is an object.
            prop::collection::vec(inner.clone(), 1..6).prop_map(Value::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_written_as_a_literal_reads_back(value in values()) {
        prop_assert_eq!(read(&format!("return {} -- end", write(&value))).unwrap(), value);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = read(&text);
        let _ = read_fields(&format!("{{ {text}"));
    }

    #[test]
    fn nothing_that_looks_like_lua_makes_it_panic(
        text in r#"[{}\[\]=,;"'\\xuz0-9a-fpE.\-+ \r\né]{0,60}"#
    ) {
        let _ = read(&text);
        let _ = read_fields(&format!("{{{text}"));
    }
}
