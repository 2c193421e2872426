//! What a registration is judged by, and how its errors read.

use fen_contract::kinds::{Kind, SpecValue};
use fen_contract::names::Owner;
use fen_contract::validate::check_registration;
use serde_json::json;

fn tool_fields() -> Vec<(&'static str, SpecValue)> {
    vec![
        ("name", SpecValue::Json(json!("count"))),
        ("description", SpecValue::Json(json!("Counts"))),
        ("parameters", SpecValue::Json(json!({"type": "object"}))),
        ("execute", SpecValue::Function),
    ]
}

fn check(kind: Kind, fields: &[(&'static str, SpecValue)]) -> Result<Vec<String>, String> {
    check_registration(kind, &Owner::from("words"), fields.iter().map(|(n, v)| (*n, v)))
        .map(|warnings| warnings.iter().map(ToString::to_string).collect())
        .map_err(|error| error.to_string())
}

#[test]
fn a_complete_registration_passes() {
    assert_eq!(check(Kind::Tool, &tool_fields()), Ok(vec![]));
}

#[test]
fn every_required_field_is_missed_by_name() {
    for kind in Kind::ALL {
        for field in kind.entry().fields.iter().filter(|field| field.required) {
            let error = check(kind, &[]).unwrap_err();
            assert!(error.starts_with(&format!("{kind} of extension `words`: field `")), "{error}");
            assert!(error.ends_with("got nothing"), "{error}");
            let others: Vec<(&'static str, SpecValue)> = kind
                .entry()
                .fields
                .iter()
                .filter(|other| other.required && other.name != field.name)
                .map(|other| (other.name, fitting(other.ty)))
                .collect();
            let error = check(kind, &others).unwrap_err();
            assert!(error.contains(&format!("field `{}`", field.name)), "{error}");
        }
    }
}

fn fitting(ty: &str) -> SpecValue {
    match ty {
        _ if ty.contains("->") => SpecValue::Function,
        "JSONSchema" => SpecValue::Json(json!({})),
        _ => SpecValue::Json(json!("name")),
    }
}

#[test]
fn a_wrong_type_says_what_was_expected_and_what_came() {
    let mut fields = tool_fields();
    fields[2].1 = SpecValue::Json(json!("nonsense"));
    assert_eq!(
        check(Kind::Tool, &fields).unwrap_err(),
        "tool of extension `words`: field `parameters`: expected JSONSchema, got string"
    );
    let mut fields = tool_fields();
    fields[3].1 = SpecValue::Json(json!(1));
    assert_eq!(
        check(Kind::Tool, &fields).unwrap_err(),
        "tool of extension `words`: field `execute`: \
         expected (args ?yield-fn) -> AgentToolResult, got number"
    );
}

#[test]
fn an_unknown_field_is_warned_of_with_the_nearest_known_one() {
    let mut fields = tool_fields();
    fields.push(("lable", SpecValue::Json(json!("Count"))));
    assert_eq!(
        check(Kind::Tool, &fields),
        Ok(vec!["unknown field `lable`; did you mean `label`?".to_owned()])
    );
}

#[test]
fn names_that_cannot_be_called_are_refused() {
    for name in ["", "a b", "名前", "a/b"] {
        let mut fields = tool_fields();
        fields[0].1 = SpecValue::Json(json!(name));
        let error = check(Kind::Tool, &fields).unwrap_err();
        assert!(error.contains("field `name`"), "{error}");
    }
    let command = |name: &str| {
        vec![("handler", SpecValue::Function), ("name", SpecValue::Json(json!(name.to_owned())))]
    };
    assert!(check(Kind::Command, &command("cancel-all")).is_ok());
    assert!(check(Kind::Command, &command("Cancel")).is_err());
}
