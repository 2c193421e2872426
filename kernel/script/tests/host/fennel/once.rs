//! Fennel that runs once, and answers and tests that are written in it.

use super::{folder, single};
use crate::kit::World;
use fen_script::answers::Answers;
use fen_script::host::{Once, Program};
use fen_script::testing::{TestFile, is_test_file, names_beside};
use serde_json::json;
use std::sync::Arc;

async fn run(program: Program) -> Result<Vec<String>, String> {
    let once =
        Once { program, beside: None, arguments: vec!["a".to_owned()], print: Arc::new(|_| {}) };
    World::new().host.run_once(once).await.map_err(|failure| failure.message)
}

#[tokio::test]
async fn an_expression_gives_its_values() {
    for (source, values) in [
        ("(+ 1 2)", vec!["3"]),
        ("(values 1 :two nil true)", vec!["1", "two", "nil", "true"]),
        ("#!/usr/bin/env -S fen run\n(local x 4)\n(* x x)", vec!["16"]),
        ("[1 2]", vec!["[\n  1,\n  2\n]"]),
        ("(. arg 1)", vec!["a"]),
        ("...", vec!["a"]),
        ("(length (api.list :commands))", vec!["0"]),
        ("", vec![]),
    ] {
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        assert_eq!(run(single("eval", source)).await, Ok(values), "{source}");
    }
}

#[tokio::test]
async fn what_is_wrong_has_its_place() {
    let said = run(single("eval", "(+ 1\n   (nope))")).await.unwrap_err();
    assert!(said.starts_with("eval.fnl:2:5: unknown identifier: nope"), "{said}");
    let said = run(single("eval", "(local x nil)\n\n(x.y)")).await.unwrap_err();
    assert!(said.starts_with("eval.fnl:3: attempt to index a nil value"), "{said}");
}

#[tokio::test]
async fn answers_are_a_list_or_a_function() {
    let load = |text: &str| Answers::load("script.fnl", text.to_owned());
    let list = "[{:text :a} {:tool_calls [{:name :ls :arguments {}}]}]";
    match load(list).await.unwrap() {
        Answers::List(list) => {
            let call = json!({"tool_calls": [{"name": "ls", "arguments": {}}]});
            assert_eq!(list, [json!({"text": "a"}), call]);
        }
        Answers::Function(_) => panic!("a function"),
    }
    let function = "\n(fn [request]\n  (when (= request.number 2)\n    (error \"no more\"))\n  \
                    {:text (request.text:upper)})";
    let Answers::Function(asking) = load(function).await.unwrap() else { panic!("a list") };
    assert_eq!(asking.place(), "script.fnl:2");
    assert_eq!(asking.ask(json!({"number": 1, "text": "x"})).await, Ok(json!({"text": "X"})));
    let failed = asking.ask(json!({"number": 2, "text": "x"})).await;
    assert_eq!(failed, Err("script.fnl:4: no more".to_owned()));
    assert!(load("(nope)").await.err().unwrap().starts_with("script.fnl:1:2: unknown"));
}

#[tokio::test]
async fn test_files_know_their_tests_and_find_the_files_of_the_extension() {
    assert!(is_test_file("tests/pack_test.fnl") && is_test_file("tests/pack_test.lua"));
    assert!(!is_test_file("tests/pack.fnl") && !is_test_file("tests/pack_test.fnlm"));
    assert_eq!(names_beside("x"), ["x_test.lua", "x_test.fnl"]);
    let program = folder(
        "pack",
        &[("init.fnl", "#nil"), ("lib.fnl", "{:two 2}"), ("m.fnlm", "{:three (fn [] 3)}")],
    );
    let file = |text: &str| TestFile {
        name: "tests/pack_test.fnl".to_owned(),
        text: text.into(),
        program: Arc::new(program.clone()),
    };
    let text = "(local lib (require :lib))\n(import-macros {: three} :m)\n\n\
                {\"adds\" (fn [t]\n  (t.eq (+ lib.two (three)) 5))\n \"fails\" (fn [t]\n  (t.eq 1 2))}";
    let names = file(text).names().await.unwrap();
    let seen: Vec<_> = names.iter().map(|test| (test.name.as_str(), test.line)).collect();
    assert_eq!(seen, [("adds", Some(4)), ("fails", Some(6))]);
    let said = file("(fn [t]\n  (nope t))\n(no)").names().await.unwrap_err().to_string();
    assert!(said.starts_with("tests/pack_test.fnl:2:4: unknown identifier: nope"), "{said}");
    assert!(said.contains("\ntests/pack_test.fnl:3:2: "), "{said}");
}
