//! Values across the border.

use std::cell::Cell;
use std::rc::Rc;

use fen_script::mlua::{self, Lua, Table, Value};
use fen_script::value::{
    Aliases, ListSource, Shape, Text, ToJson, ToLua, aliased, json_table, lazy_list, normalise,
    to_json, to_lua,
};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::kit::{fails, ok, vm};

fn json_of(source: &str) -> Result<Json, String> {
    let vm = vm();
    vm.set_global("json", json_table(&vm).unwrap()).unwrap();
    let value: Value = ok(&vm, source);
    to_json(&value, &ToJson::default()).map_err(|error| error.to_string())
}

#[test]
fn lua_becomes_json() {
    for (source, wanted) in [
        ("return nil", json!(null)),
        ("return json.null", json!(null)),
        ("return {a = 1, b = {true, 'x', 2.5}}", json!({"a": 1, "b": [true, "x", 2.5]})),
        ("return 3.0", json!(3)),
        ("return 10 / 2", json!(5)),
        ("return -0.0", json!(-0.0)),
        ("return 2^60", json!(2f64.powi(60))),
        ("return math.maxinteger", json!(i64::MAX)),
        ("return {}", json!({})),
        ("return json.array()", json!([])),
        ("return json.object()", json!({})),
        (
            "return {list = json.array({1, 2}), none = json.object({})}",
            json!({"list": [1, 2], "none": {}}),
        ),
        ("return 'a\\xffb\\xc3'", json!("a\u{fffd}b\u{fffd}")),
        ("return {1, json.null, 3}", json!([1, null, 3])),
        (
            "return setmetatable({x = 1}, {__index = function() error('never') end, __pairs = error})",
            json!({"x": 1}),
        ),
    ] {
        assert_eq!(json_of(source), Ok(wanted), "{source}");
    }
}

#[test]
fn what_cannot_be_json_is_named_with_its_place() {
    for (source, words) in [
        ("return {a = {b = {1, print}}}", "a.b[2]: a function cannot be data"),
        ("return {co = coroutine.create(print)}", "co: a thread cannot be data"),
        ("return {x = 0/0}", "x: NaN is no JSON number"),
        ("return {1, 1/0}", "[2]: inf is no JSON number"),
        ("local t = {} t.me = {t} return t", "me[1]: the table contains itself"),
        ("return {1, nil, 3}", "neither an array nor an object: 1 of 3 elements are nil"),
        (
            "return {1, 2, x = 3}",
            "neither an array nor an object: it has 2 elements and the key 'x'",
        ),
        ("return {[5] = 1}", "neither an array nor an object: it has the key 5"),
        ("return {[1.5] = 1}", "neither an array nor an object: it has the key 1.5"),
        ("return {[true] = 1}", "neither an array nor an object: it has a boolean as a key"),
        ("local t = {} for i = 1, 200 do t = {t} end return t", "nested more than 128 levels deep"),
        (
            "local t = {} for i = 1, 100000 do t = {t} end return t",
            "nested more than 128 levels deep",
        ),
    ] {
        let error = json_of(source).unwrap_err();
        assert!(error.ends_with(words), "{source}: {error}");
    }
    // The same table twice is no cycle.
    assert_eq!(json_of("local t = {1} return {t, t}"), Ok(json!([[1], [1]])));
}

#[test]
fn size_and_text_are_as_asked() {
    let vm = vm();
    let value: Value = ok(&vm, "local t = {} for i = 1, 100 do t[i] = 'xxxxx' end return t");
    let few = ToJson { max_nodes: 50, ..ToJson::default() };
    assert!(to_json(&value, &few).unwrap_err().to_string().contains("more than 50 values"));
    let short = ToJson { max_bytes: 50, ..ToJson::default() };
    assert_eq!(
        to_json(&value, &short).unwrap_err().to_string(),
        "[11]: too large: more than 50 bytes of text"
    );
    let bad: Value = ok(&vm, "return {a = '\\xff'}");
    let strict = ToJson { text: Text::Strict, ..ToJson::default() };
    assert_eq!(to_json(&bad, &strict).unwrap_err().to_string(), "a: the string is not UTF-8");
}

#[test]
fn an_empty_table_is_what_is_declared() {
    let vm = vm();
    let value: Value =
        ok(&vm, "return {content = {}, details = {}, inner = {{list = {}}}, other = {}}");
    let list = || Shape::Array(Rc::new(Shape::Any));
    let record = |name: &str, shape| Shape::Record(Rc::new(vec![(name.to_owned(), shape)]));
    let Shape::Record(inner) = record("list", list()) else { unreachable!() };
    let shape = Shape::Record(Rc::new(vec![
        ("content".to_owned(), list()),
        ("details".to_owned(), Shape::Map(Rc::new(Shape::Any))),
        ("inner".to_owned(), Shape::Array(Rc::new(Shape::Record(inner)))),
    ]));
    let rules = ToJson { shape, ..ToJson::default() };
    let wanted = json!({"content": [], "details": {}, "inner": [{"list": []}], "other": {}});
    assert_eq!(to_json(&value, &rules).unwrap(), wanted);
}

#[test]
fn json_becomes_plain_tables() {
    let vm = vm();
    let value =
        json!({"n": 3, "f": 3.0, "big": u64::MAX, "l": [1, [2]], "e": [], "o": {}, "z": null});
    vm.set_global("v", to_lua(vm.lua(), &value, ToLua::default()).unwrap()).unwrap();
    assert!(ok::<bool>(
        &vm,
        "return math.type(v.n) == 'integer' and math.type(v.f) == 'float' and v.big == 2^64
           and v.l[2][1] == 2 and #v.e == 0 and next(v.o) == nil and v.z ~= nil",
    ));
    let dropped = to_lua(vm.lua(), &value, ToLua { drop_nulls: true, ..ToLua::default() }).unwrap();
    vm.set_global("v", dropped).unwrap();
    assert!(ok::<bool>(&vm, "return v.z == nil"));
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert!(to_lua(vm.lua(), &deep, ToLua::default()).is_err());
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// Whole floats come back as integers: the one change that a round trip makes.
fn expected(json: Json) -> Json {
    match json {
        Json::Number(n) if n.is_f64() => {
            let float = n.as_f64().unwrap();
            if float.fract() == 0.0
                && float.abs() <= 2f64.powi(53)
                && !(float == 0.0 && float.is_sign_negative())
            {
                json!(float as i64)
            } else {
                Json::Number(n)
            }
        }
        Json::Array(all) => all.into_iter().map(expected).collect(),
        Json::Object(map) => Json::Object(map.into_iter().map(|(k, v)| (k, expected(v))).collect()),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_round_trip_keeps_every_value(json in any_json()) {
        let vm = vm();
        let value = to_lua(vm.lua(), &json, ToLua::default()).unwrap();
        prop_assert_eq!(to_json(&value, &ToJson::default()).unwrap(), expected(json));
    }
}

#[test]
fn the_json_module_encodes_and_decodes() {
    let vm = vm();
    vm.set_global("json", json_table(&vm).unwrap()).unwrap();
    assert_eq!(ok::<String>(&vm, "return json.encode({a = {1, json.null}})"), r#"{"a":[1,null]}"#);
    assert_eq!(ok::<i64>(&vm, "return json.decode('{\"a\": [1, 2]}').a[2]"), 2);
    assert_eq!(
        ok::<String>(&vm, "return json.encode(json.decode('[[],{},\"]]]\"]'))"),
        r#"[[],{},"]]]"]"#
    );
    let error = fails(&vm, "\njson.decode('{')");
    assert!(error.to_string().contains("test.lua:2: EOF while parsing"), "{error}");
    let error = fails(&vm, "json.decode(('['):rep(100000))");
    assert!(error.message.contains("nested more than 128 levels deep"), "{error}");
    let error = fails(&vm, "json.encode({f = print})");
    assert_eq!(error.message, "f: a function cannot be data");
    assert!(fails(&vm, "json.array(setmetatable({}, {}))").message.contains("cannot be marked"));
}

const NAMES: [&str; 5] = ["is-error?", "tool-call-id", "final?", "submit!", "name"];

#[test]
fn aliases_read_and_write_the_canonical_names_only() {
    let vm = vm();
    let aliases = Aliases::new(NAMES);
    let value =
        to_lua(vm.lua(), &json!({"is-error?": true, "name": "x"}), ToLua::default()).unwrap();
    let Value::Table(table) = value else { unreachable!() };
    let table = aliased(vm.lua(), table, &aliases).unwrap();
    vm.set_global("t", table.clone()).unwrap();
    assert!(ok::<bool>(
        &vm,
        "return t.is_error and t['is-error?'] and t.final == nil and t.name == 'x' and t.other_name == nil"
    ));
    ok::<()>(&vm, "t.tool_call_id = 'c1' t.is_error = false t.free_form = 1");
    let mut keys: Vec<String> =
        table.pairs::<String, Value>().map(|pair| pair.unwrap().0).collect();
    keys.sort();
    assert_eq!(keys, ["free_form", "is-error?", "name", "tool-call-id"]);
    // `is_error = false` went to the canonical name, which was there: no second key.
    assert_eq!(to_json(&Value::Table(table), &ToJson::default()).unwrap()["is-error?"], false);
}

#[test]
fn literals_are_normalised_on_entry_and_their_values_are_not() {
    let vm = vm();
    let aliases = Aliases::new(NAMES);
    let table: Table =
        ok(&vm, "return {is_error = true, submit = 1, details = {is_error = 1}, own_key = 2}");
    normalise(&table, &aliases).unwrap();
    let json = to_json(&Value::Table(table.clone()), &ToJson::default()).unwrap();
    assert_eq!(
        json,
        json!({"is-error?": true, "submit!": 1, "details": {"is_error": 1}, "own_key": 2})
    );
    table.raw_set("is_error", false).unwrap();
    let error = normalise(&table, &aliases).unwrap_err().to_string();
    assert_eq!(error, "both 'is-error?' and 'is_error' are given, with different values");
    // A name of the set is never taken for an alias.
    assert_eq!(Aliases::new(["final?", "final"]).canonical("final"), None);
}

struct Numbers(Cell<usize>);

impl ListSource for Numbers {
    fn len(&self) -> usize {
        1_000_000
    }

    fn get(&self, _: &Lua, index: usize) -> mlua::Result<Value> {
        self.0.set(self.0.get() + 1);
        Ok(Value::Integer(i64::try_from(index * 2).unwrap()))
    }
}

#[test]
fn a_lazy_list_makes_only_the_elements_that_are_read() {
    let vm = vm();
    let source = Rc::new(Numbers(Cell::new(0)));
    vm.set_global("list", lazy_list(vm.lua(), source.clone()).unwrap()).unwrap();
    assert_eq!(ok::<i64>(&vm, "return #list + list[10]"), 1_000_020);
    assert!(ok::<bool>(
        &vm,
        "return list[0] == nil and list[1000001] == nil and list.x == nil and list[1.5] == nil"
    ));
    assert_eq!(source.0.get(), 1);
    let sums: (i64, i64) = ok(
        &vm,
        "local a, b = 0, 0
         for i, v in ipairs(list) do a = a + v if i == 5 then break end end
         for i, v in pairs(list) do b = b + i + v if i == 5 then break end end
         return a, b",
    );
    assert_eq!(sums, (30, 45));
    assert!(source.0.get() <= 12);
    assert!(fails(&vm, "list[1] = 2").message.contains("read-only"));
}

struct Three;

impl ListSource for Three {
    fn len(&self) -> usize {
        3
    }

    fn get(&self, lua: &Lua, index: usize) -> mlua::Result<Value> {
        to_lua(lua, &json!({"i": index}), ToLua::default()).map_err(mlua::Error::external)
    }
}

#[test]
fn a_lazy_list_becomes_an_array() {
    let vm = vm();
    vm.set_global("list", lazy_list(vm.lua(), Rc::new(Three)).unwrap()).unwrap();
    let value: Value = ok(&vm, "return {messages = list}");
    let json = to_json(&value, &ToJson::default()).unwrap();
    assert_eq!(json, json!({"messages": [{"i": 1}, {"i": 2}, {"i": 3}]}));
}
