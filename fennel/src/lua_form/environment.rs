//! The functions of the compiler's environment: what a macro calls to make and to test forms, and
//! to ask the compiler.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::{Complaint, Fields, Forms, Origin};
use crate::diagnostic::Fault;
use crate::sandbox::{Halt, Prelude, Refusal, Sandbox};
use crate::source::Span;
use crate::view;

static FORMS: Prelude = Prelude::new("=(sandbox)", include_str!("forms.lua"));

/// What a macro asks the compiler. Arguments and answers are Lua's values, which the compiler turns
/// with the [`Forms`] that it holds. What goes wrong is said in words, which the macro gets as an
/// error at its own line.
pub(crate) trait CompilerHost {
    /// A name that stands nowhere yet, from what the macro wants it to begin with.
    fn gensym(&self, base: Option<&str>) -> Result<String, String>;

    /// Whether a symbol of this name is bound where the macro is called.
    fn in_scope(&self, name: &str) -> bool;

    /// The form with its macros expanded.
    fn macroexpand(&self, lua: &Lua, form: Value) -> Result<Value, String>;

    /// The scope where the macro is called, as a value for a macro to look into.
    fn scope(&self, lua: &Lua) -> Result<Value, String>;
}

impl Forms {
    /// Makes the marks of a sandbox and puts the functions of the compiler's environment into
    /// `environment`. The sandbox must be fresh: no code of macros may have run in it.
    ///
    /// # Errors
    /// The memory of the sandbox is used up.
    pub(crate) fn install(
        sandbox: &Sandbox,
        environment: &Table,
        host: Rc<dyn CompilerHost>,
    ) -> Result<Forms, Halt> {
        sandbox
            .making(|lua| Forms::make_marks(sandbox, lua, environment, host))
            .map_err(|error| sandbox.halt_of(&error))
    }

    fn make_marks(
        sandbox: &Sandbox,
        lua: &Lua,
        environment: &Table,
        host: Rc<dyn CompilerHost>,
    ) -> mlua::Result<Forms> {
        let natives = lua.create_table()?;
        let functions = sandbox.natives();
        let complaint = Rc::new(RefCell::new(None));
        let kept = complaint.clone();
        let remember = move |_: &Lua, (message, form): (LuaString, Value)| {
            kept.replace(Some(Complaint { message: message.as_bytes().to_vec(), form }));
            Ok(())
        };
        natives.raw_set("remember", functions.function(lua, remember)?)?;
        let show = |lua: &Lua, (value, options, indent): (Value, Option<Table>, Option<usize>)| {
            Ok(view::view_at(lua, &value, options.as_ref(), indent.unwrap_or(0))?)
        };
        natives.raw_set("view", functions.function(lua, show)?)?;
        let asked = host.clone();
        let gensym = move |_: &Lua, base: Option<LuaString>| match base {
            None => Ok(asked.gensym(None)?),
            Some(base) => match base.to_str() {
                Ok(base) => Ok(asked.gensym(Some(&base))?),
                Err(_) => Err(Refusal::from("gensym expects a name in UTF-8")),
            },
        };
        natives.raw_set("gensym", functions.function(lua, gensym)?)?;
        let asked = host.clone();
        let in_scope = move |_: &Lua, name: LuaString| {
            Ok(name.to_str().is_ok_and(|name| asked.in_scope(&name)))
        };
        natives.raw_set("in_scope", functions.function(lua, in_scope)?)?;
        let asked = host.clone();
        let expand = move |lua: &Lua, form: Value| Ok(asked.macroexpand(lua, form)?);
        natives.raw_set("macroexpand", functions.function(lua, expand)?)?;
        let scope = move |lua: &Lua, ()| Ok(host.scope(lua)?);
        natives.raw_set("scope", functions.function(lua, scope)?)?;
        let mut forms = Forms::from_prelude(lua, &natives, environment)?;
        forms.complaint = complaint;
        Ok(forms)
    }

    /// Makes the marks and the functions that need `natives`.
    pub(crate) fn from_prelude(
        lua: &Lua,
        natives: &Table,
        environment: &Table,
    ) -> mlua::Result<Forms> {
        type Made = (Table, Table, Table, Table, Function, Table);
        let (symbol, list, vararg, sequence, sequence_view, vararg_value): Made =
            FORMS.call(lua, (natives, environment))?;
        Ok(Forms {
            symbol,
            list,
            vararg,
            sequence,
            sequence_view,
            vararg_value,
            fields: Fields::new(lua)?,
            files: RefCell::default(),
            complaint: Rc::default(),
        })
    }

    /// The mistake that a macro's call is, which ended without values. What `assert-compile` said is
    /// about the form that it was given; all else is about the call.
    pub(crate) fn fault(&self, halt: &Halt, origin: Origin<'_>) -> Fault {
        let complaint = self.complaint.take();
        match halt {
            Halt::Failed { message, .. } => match complaint {
                Some(said) if String::from_utf8_lossy(&said.message) == *message => {
                    Fault::new(self.span_of(&said.form, origin), message.as_str())
                }
                _ => Fault::new(origin.call, format!("the macro failed: {message}")),
            },
            Halt::Stopped { place, .. } => {
                let at = place.as_ref().map(|(chunk, line)| format!(" (in {chunk}, line {line})"));
                let words = format!("the macro {halt}{}", at.unwrap_or_default());
                Fault::new(origin.call, words)
            }
        }
    }

    /// Where a value is from.
    pub(crate) fn span_of(&self, value: &Value, origin: Origin<'_>) -> Span {
        let Value::Table(table) = value else { return origin.call };
        match table.metatable() {
            Some(mark) if mark == self.symbol || mark == self.list => self.span_in(table, origin),
            Some(mark) => self.span_in(&mark, origin),
            None => origin.call,
        }
    }
}
