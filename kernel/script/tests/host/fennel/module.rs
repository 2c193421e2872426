//! What `(require :fennel)` gives.

use super::{folder, giving};
use crate::kit::World;
use serde_json::{Value, json};

async fn given(code: &str) -> Value {
    let world = World::new();
    let init = giving(&format!("(let [fennel (require :fennel)] {code})"));
    let files = [
        ("init.fnl", init.as_str()),
        ("script.fnl", "(local x 20)\n[(+ x 1) ...]"),
        ("plain.lua", "return {7, ...}"),
        ("m.fnlm", "{:five (fn [] 5)}"),
    ];
    world.host.load(folder("pack", &files)).await.unwrap();
    let seen = world.seen("pack").await;
    assert_eq!(world.errors(), [""; 0], "{code}");
    seen
}

#[tokio::test]
async fn texts_run_with_arguments_and_an_environment() {
    for (code, wanted) in [
        ("(fennel.eval \"(local x 4) (* x 2)\")", json!(8)),
        ("[(fennel.eval \"(values 1 ...)\" {} :a)]", json!([1, "a"])),
        ("(fennel.eval \"(f x)\" {:env {:x 5 :f #(+ $1 1)}})", json!(6)),
        ("(fennel.eval \"(= nil other)\" {:allowedGlobals [:other]})", json!(true)),
        ("(fennel.eval \"(= nil other)\" {:allowedGlobals false})", json!(true)),
        ("(fennel.eval \"(import-macros {: five} :m) (five)\")", json!(5)),
        ("[(select :# (fennel.eval \"\"))]", json!([0])),
        ("((load (fennel.compileString \"(+ 1 2)\")))", json!(3)),
        ("(type (fennel.compile-string \"(print :never)\"))", json!("string")),
        ("(= (require :fennel) fennel)", json!(true)),
        ("(not= nil (fennel.version:match \"^1%.6\"))", json!(true)),
        ("(fennel.view {:a [1 :b]})", json!("{:a [1 \"b\"]}")),
    ] {
        assert_eq!(given(code).await, wanted, "{code}");
    }
}

#[tokio::test]
async fn files_are_those_of_the_extension() {
    assert_eq!(given("(fennel.dofile :script.fnl {} :a)").await, json!([21, "a"]));
    assert_eq!(given("(fennel.dofile :./plain.lua {} 8)").await, json!([7, 8]));
    for file in ["/etc/passwd", "../x.fnl", "nowhere.fnl"] {
        let said = given(&format!("(let [(_ e) (pcall fennel.dofile {file:?})] e)")).await;
        assert_eq!(said, format!("cannot open {file}: there is no such file"));
    }
}

#[tokio::test]
async fn errors_have_the_place_in_the_text() {
    for (call, start) in [
        (r#"fennel.eval "(+ 1\n (nope))" {:filename :my.fnl}"#, "my.fnl:2:3: unknown identifier"),
        (r#"fennel.eval "(+ 1" {:filename :my.fnl}"#, "my.fnl:1:1: "),
        (r#"fennel.eval "\n(error :oops)" {:filename :my.fnl}"#, "my.fnl:2: oops"),
        (r#"fennel.eval "hidden""#, "(eval):1:1: unknown identifier"),
        (r#"fennel.eval "(print 1)" {:env {:x 5}}"#, "(eval):1:2: unknown identifier: print"),
        (r#"fennel.compileString "(unknown)" {:allowedGlobals [:print]}"#, "(eval):1:2: "),
        (
            r#"#(do (fennel.eval [] 8) nil)"#,
            "pack/init.fnl:2: bad argument #1 to 'eval' (string expected",
        ),
        (
            r#"#(do (fennel.eval "1" 8) nil)"#,
            "pack/init.fnl:2: bad argument #2 to 'eval' (table expected",
        ),
    ] {
        let said = given(&format!("(let [(_ e) (pcall {call})] e)")).await;
        assert!(said.as_str().is_some_and(|said| said.starts_with(start)), "{call}: {said}");
    }
}
