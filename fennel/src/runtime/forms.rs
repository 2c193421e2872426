//! Code as data: reading it, and making it.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use super::{native, words};
use crate::lua_form::{Forms, Origin};
use crate::reader;
use crate::source::{Sources, Span};
use crate::view;

/// The forms of a text before the first mistake, and what that is.
type Parsed = Result<(Vec<Value>, Option<String>), String>;

pub(super) fn install(lua: &Lua, natives: &Table) -> mlua::Result<()> {
    let makers = lua.create_table()?;
    let forms = Rc::new(Forms::outside(lua, &makers, &show_function(lua)?)?);
    natives.raw_set("forms", makers)?;

    let kept = forms.clone();
    let read = move |lua: &Lua, (source, name): (LuaString, Option<String>)| -> Parsed {
        let name = name.as_deref().unwrap_or("(eval)");
        let bytes = source.as_bytes();
        let text = reader::decode(name, &bytes).map_err(|found| found.rendered())?;
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let reading = reader::read(&sources, file);
        let mut values = Vec::with_capacity(reading.forms.len());
        let fault = reading.faults.into_iter().next();
        let upto = fault.as_ref().map_or(u32::MAX, |fault| fault.span().start);
        for form in reading.forms.iter().filter(|form| form.span.end <= upto) {
            values.push(kept.to_lua(lua, form, &sources).map_err(words)?);
        }
        let mistake = fault.map(|fault| {
            fault.into_diagnostic(&sources, crate::diagnostic::Severity::Error).rendered()
        });
        Ok((values, mistake))
    };
    natives.raw_set("read", native(lua, read)?)?;

    let text = move |_: &Lua, value: Value| {
        let sources = Sources::default();
        let origin = Origin { sources: &sources, call: Span::default() };
        match forms.form_of(&value, origin) {
            Ok(form) => Ok(form.to_string()),
            Err(fault) => Err(fault.message().to_owned()),
        }
    };
    natives.raw_set("text_of", native(lua, text)?)
}

fn show_function(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|lua, (value, options, indent): (Value, Option<Table>, Option<usize>)| {
        view::view_at(lua, &value, options.as_ref(), indent.unwrap_or(0))
    })
}

impl Forms {
    /// The makers of forms for code outside of the compiler: it has nothing to ask a compilation.
    pub(crate) fn outside(lua: &Lua, environment: &Table, show: &Function) -> mlua::Result<Forms> {
        let natives = lua.create_table()?;
        natives.raw_set("view", show)?;
        let made = Rc::new(RefCell::new(0_u32));
        let gensym = lua.create_function(move |_, base: Option<String>| {
            *made.borrow_mut() += 1;
            Ok(format!("_{}_{}_", base.unwrap_or_default(), made.borrow()))
        })?;
        natives.raw_set("gensym", gensym)?;
        let nothing = lua.create_function(|_, _: MultiValue| Ok(Value::Nil))?;
        for name in ["remember", "in_scope", "macroexpand", "scope"] {
            natives.raw_set(name, &nothing)?;
        }
        Forms::from_prelude(lua, &natives, environment)
    }
}
