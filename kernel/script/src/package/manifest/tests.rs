use super::*;
use crate::package::field::Format;

fn lua(text: &str) -> Result<ScriptManifest, ManifestError> {
    ScriptManifest::from_fields("manifest.lua", Format::Lua.read(text).unwrap())
}

#[track_caller]
fn refused(text: &str) -> String {
    lua(text).unwrap_err().to_string()
}

#[test]
fn every_field_is_read() {
    let manifest = lua(r#"return {
        name = "x", description = "Does x", enabled_by_default = false, entry = "main.lua",
        requires = { lua = { "a.b" }, programs = { "rg", "rg" } },
        capabilities = { "fs", "auth:some" }, hooks = { "before-tool" },
        overrides = { "tool/bash" }, presenter = "x", fen = ">=0.1, <0.3",
    }"#)
    .unwrap();
    assert_eq!(
        manifest,
        ScriptManifest {
            name: Some("x".into()),
            description: "Does x".into(),
            enabled_by_default: false,
            entry: Some("main.lua".into()),
            requires: Requires { lua: vec!["a.b".into()], programs: vec!["rg".into()] },
            capabilities: vec![Capability::Fs, Capability::Auth("some".into())],
            hooks: Hooks::Named(vec!["before-tool".into()]),
            overrides: vec!["tool/bash".into()],
            presenter: Some("x".into()),
            fen: Some(">=0.1, <0.3".parse().unwrap()),
            warnings: Vec::new(),
        }
    );
}

#[test]
fn json_says_the_same_as_lua() {
    let json = r#"{"enabled-by-default": false, "capabilities": [], "overrides": {"tool": "x"}}"#;
    let json = ScriptManifest::from_fields("m", Format::Json.read(json).unwrap()).unwrap();
    let lua = lua("{enabled_by_default = false, capabilities = {}, overrides = {tool = {'x'}}}");
    assert_eq!(json, lua.unwrap());
    assert_eq!(json.overrides, ["tool/x"]);
}

#[test]
fn absent_and_null_fields_have_their_defaults() {
    assert_eq!(lua("{ name = nil, requires = nil }").unwrap(), ScriptManifest::default());
    assert!(ScriptManifest::default().enabled_by_default);
}

#[test]
fn hooks_are_true_false_or_named() {
    assert_eq!(lua("{hooks = true}").unwrap().hooks, Hooks::Some);
    assert_eq!(lua("{hooks = false}").unwrap().hooks, Hooks::None);
    assert_eq!(lua("{hooks = {}}").unwrap().hooks, Hooks::None);
}

#[test]
fn a_wrong_value_is_named_with_file_line_and_field() {
    for (text, error) in [
        ("{\nname = 3}", "2: field `name`: expected a string, got 3"),
        (
            "{enabled_by_default = 'yes'}",
            "1: field `enabled-by-default`: expected true or false, got \"yes\"",
        ),
        (
            "{capabilities = {fs = true}}",
            "1: field `capabilities`: expected a list of `fs`, `process`, `http`, `env` and `auth:NAME`, got a table",
        ),
        (
            "{capabilities = {'files'}}",
            "1: field `capabilities`: expected a list of `fs`, `process`, `http`, `env` and `auth:NAME`, got \"files\"",
        ),
        (
            "{requires = {lua = {1}}}",
            "1: field `requires.lua`: expected a list of Lua modules, got 1",
        ),
        (
            "{requires = {programs = {'./x'}}}",
            "1: field `requires.programs`: expected a list of programs' names, without folders, got \"./x\"",
        ),
        (
            "{overrides = {'bash'}}",
            "1: field `overrides`: expected a list of `kind/name`, such as `tool/bash`, got \"bash\"",
        ),
        (
            "{overrides = {tols = {'bash'}}}",
            "1: field `overrides`: expected a list of `kind/name`, such as `tool/bash`, got \"tols/bash\"",
        ),
        ("{hooks = 1}", "1: field `hooks`: expected true, false or a list of hooks, got 1"),
        (
            "{fen = 'new'}",
            "1: field `fen`: expected a range of fen's versions, such as `>=0.1, <0.3`, got \"new\"",
        ),
    ] {
        assert_eq!(refused(text), format!("manifest.lua:{error}"));
    }
}

#[test]
fn a_field_may_not_stand_there_in_both_spellings() {
    let text = "{enabled_by_default = true,\n['enabled-by-default'] = false}";
    assert_eq!(
        refused(text),
        "manifest.lua:2: field `enabled-by-default` stands there twice; keep one"
    );
}

#[test]
fn unknown_fields_are_warnings_with_the_nearest_known_one() {
    let manifest = lua("{\ncapabilites = {}, zzz = 1, requires = {program = {}}}").unwrap();
    let warnings: Vec<String> = manifest.warnings.iter().map(Warning::to_string).collect();
    assert_eq!(
        warnings,
        [
            "manifest.lua:2: unknown field `capabilites`; did you mean `capabilities`?",
            "manifest.lua:2: unknown field `zzz`",
            "manifest.lua:2: unknown field `program`; did you mean `programs`?",
        ]
    );
}
