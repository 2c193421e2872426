//! From forms to the values that a macro gets.

use mlua::{Lua, Table, Value};

use super::{Forms, packed};
use crate::form::{Form, Kind, Symbol};
use crate::source::{Sources, Span};

impl Forms {
    /// The value that stands for a form.
    ///
    /// # Errors
    /// The memory of the Lua state is used up.
    pub(crate) fn to_lua(&self, lua: &Lua, form: &Form, sources: &Sources) -> mlua::Result<Value> {
        let make = || self.make(lua, form, sources);
        stacker::maybe_grow(32 << 10, 1 << 20, make)
    }

    fn make(&self, lua: &Lua, form: &Form, sources: &Sources) -> mlua::Result<Value> {
        Ok(match &form.kind {
            // What would be `nil` as a value is a symbol of that name.
            Kind::Nil => Value::Table(self.symbol(lua, "nil", form.span, sources)?),
            Kind::Bool(value) => Value::Boolean(*value),
            Kind::Varg => Value::Table(self.vararg_value.clone()),
            Kind::Integer(number) => Value::Integer(*number),
            Kind::Float(number) => Value::Number(*number),
            Kind::Str(bytes) => Value::String(lua.create_string(bytes)?),
            Kind::Symbol(Symbol { name, quoted }) => {
                let symbol = self.symbol(lua, name, form.span, sources)?;
                if let Some(place) = quoted {
                    symbol.raw_set(&self.fields.quoted, packed(*place))?;
                }
                Value::Table(symbol)
            }
            Kind::List(parts) => {
                let list = self.array(lua, parts, 6, sources)?;
                self.set_span(lua, &list, form.span, sources)?;
                self.set_mark(&list, &self.list)?;
                Value::Table(list)
            }
            Kind::Sequence(parts) => {
                let sequence = self.array(lua, parts, 0, sources)?;
                let mark = lua.create_table_with_capacity(0, 8)?;
                mark.raw_set(&self.fields.sequence, &self.sequence)?;
                mark.raw_set(&self.fields.fennelview, &self.sequence_view)?;
                self.set_span(lua, &mark, form.span, sources)?;
                sequence.set_metatable(Some(mark))?;
                Value::Table(sequence)
            }
            Kind::Table(entries) => Value::Table(self.table(lua, entries, form.span, sources)?),
        })
    }

    /// Gives a table a mark that macros can reach by `getmetatable`. Lua looks for a finalizer at
    /// this moment only; one that a macro put there would run where nothing can stop it.
    fn set_mark(&self, table: &Table, mark: &Table) -> mlua::Result<()> {
        mark.raw_set(&self.fields.finalizer, Value::Nil)?;
        table.set_metatable(Some(mark.clone()))
    }

    fn symbol(&self, lua: &Lua, name: &str, span: Span, sources: &Sources) -> mlua::Result<Table> {
        let symbol = lua.create_table_with_capacity(1, 6)?;
        symbol.raw_set(1, name)?;
        self.set_span(lua, &symbol, span, sources)?;
        self.set_mark(&symbol, &self.symbol)?;
        Ok(symbol)
    }

    fn array(
        &self,
        lua: &Lua,
        parts: &[Form],
        fields: usize,
        sources: &Sources,
    ) -> mlua::Result<Table> {
        let array = lua.create_table_with_capacity(parts.len(), fields)?;
        for (index, part) in parts.iter().enumerate() {
            array.raw_set(index + 1, self.to_lua(lua, part, sources)?)?;
        }
        Ok(array)
    }

    /// A table remembers the order of its keys in its metatable.
    fn table(
        &self,
        lua: &Lua,
        entries: &[(Form, Form)],
        span: Span,
        sources: &Sources,
    ) -> mlua::Result<Table> {
        let table = lua.create_table_with_capacity(0, entries.len())?;
        let keys = lua.create_table_with_capacity(entries.len(), 0)?;
        for (index, (key, value)) in entries.iter().enumerate() {
            let key = self.to_lua(lua, key, sources)?;
            table.raw_set(key.clone(), self.to_lua(lua, value, sources)?)?;
            keys.raw_set(index + 1, key)?;
        }
        let mark = lua.create_table_with_capacity(0, 7)?;
        mark.raw_set(&self.fields.keys, keys)?;
        self.set_span(lua, &mark, span, sources)?;
        table.set_metatable(Some(mark))?;
        Ok(table)
    }
}
