//! Random programs: their Lua loads, and two spellings of one program do the same.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod writer;

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use fennel::{Options, compile};
use mlua::{HookTriggers, Lua, MultiValue, Value, VmState};
use proptest::prelude::*;
use writer::{Order, Writer};

/// What running a program did: what it printed, and what it gave or that it failed.
fn done(source: &str) -> String {
    let output = match compile("random.fnl", source, &Options::default()) {
        Ok(output) => output,
        Err(found) => panic!("{}\n{source}", found[0].rendered()),
    };
    let lua = Lua::new();
    let function = match lua.load(&output.lua).set_name("=random").into_function() {
        Ok(function) => function,
        Err(error) => panic!("Lua refuses it: {error}\n{source}\n{}", output.lua),
    };
    let written = Rc::new(RefCell::new(String::new()));
    let out = written.clone();
    let print = lua.create_function(move |_, values: MultiValue| {
        for value in &values {
            write!(out.borrow_mut(), "{} ", value.to_string()?).unwrap();
        }
        out.borrow_mut().push('\n');
        Ok(())
    });
    lua.globals().set("print", print.unwrap()).unwrap();
    let steps = RefCell::new(0);
    let triggers = HookTriggers::new().every_nth_instruction(10_000);
    lua.set_hook(triggers, move |_, _| {
        *steps.borrow_mut() += 1;
        match *steps.borrow() > 20 {
            true => Err(mlua::Error::runtime("too long")),
            false => Ok(VmState::Continue),
        }
    })
    .unwrap();
    let given = match function.call::<MultiValue>(()) {
        Ok(values) => values.iter().map(shown).collect::<Vec<_>>().join(" "),
        Err(error) if error.to_string().contains("too long") => return "too long".to_owned(),
        Err(error) => panic!("{error}\n{source}\n{}", output.lua),
    };
    format!("{}gives {given}", written.borrow())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let parts = table.sequence_values::<Value>().map(|part| shown(&part.unwrap()));
            format!("[{}]", parts.collect::<Vec<_>>().join(" "))
        }
        other => other.to_string().unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_spellings_of_a_program_do_the_same(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let program = Writer::program(&bytes, Order::Any);
        let (plain, other) = (done(&program.plain), done(&program.other));
        if plain != "too long" && other != "too long" {
            prop_assert_eq!(plain, other, "\n{}\n\n{}", program.plain, program.other);
        }
    }
}
