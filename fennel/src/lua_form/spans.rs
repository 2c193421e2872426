//! The place of a form, in the fields that a macro can read: `filename`, `line`, `col`, `endcol`,
//! `bytestart` and `byteend`.

use mlua::{Lua, LuaString, Table, Value};

use super::{Forms, Origin};
use crate::source::{FileId, Sources, Span};

/// Columns beyond these bytes of a line are left out, so that one long line costs no square.
const COLUMNS: usize = 2_000;

impl Forms {
    /// Writes the place into a form, or into the metatable that holds it.
    pub(super) fn set_span(
        &self,
        lua: &Lua,
        table: &Table,
        span: Span,
        sources: &Sources,
    ) -> mlua::Result<()> {
        if span.line == 0 {
            return Ok(());
        }
        let fields = &self.fields;
        table.raw_set(&fields.filename, self.file_name(lua, span.file, sources)?)?;
        table.raw_set(&fields.line, span.line)?;
        // As macros know them from elsewhere: bytes from 1 with the last one, columns from 0.
        table.raw_set(&fields.bytestart, u64::from(span.start) + 1)?;
        table.raw_set(&fields.byteend, span.end)?;
        if let Some(column) = column(sources, span.file, span.start) {
            table.raw_set(&fields.col, column)?;
        }
        if let Some(column) = column(sources, span.file, span.end.saturating_sub(1)) {
            table.raw_set(&fields.endcol, column)?;
        }
        Ok(())
    }

    /// The place that a form or a metatable holds; without one, that of the macro's call.
    pub(super) fn span_in(&self, table: &Table, origin: Origin<'_>) -> Span {
        self.written_span(table).unwrap_or(origin.call)
    }

    fn written_span(&self, table: &Table) -> Option<Span> {
        let number = |field: &LuaString| match table.raw_get::<Value>(field) {
            Ok(Value::Integer(number)) => u32::try_from(number).ok(),
            _ => None,
        };
        let Ok(Value::String(name)) = table.raw_get::<Value>(&self.fields.filename) else {
            return None;
        };
        let file = self.files.borrow().iter().find(|(_, known)| *known == name)?.0;
        let start = number(&self.fields.bytestart)?.checked_sub(1)?;
        let end = number(&self.fields.byteend)?.max(start);
        Some(Span { file, line: number(&self.fields.line)?, start, end })
    }

    fn file_name(&self, lua: &Lua, file: FileId, sources: &Sources) -> mlua::Result<LuaString> {
        if let Some((_, name)) = self.files.borrow().iter().find(|(known, _)| *known == file) {
            return Ok(name.clone());
        }
        let name = lua.create_string(&*sources.file(file).name)?;
        self.files.borrow_mut().push((file, name.clone()));
        Ok(name)
    }
}

/// The column of a byte in characters, from 0.
fn column(sources: &Sources, file: FileId, at: u32) -> Option<usize> {
    let start = sources.line_start(file, at);
    let before = sources.file(file).text.as_bytes().get(start..at as usize)?;
    // The bytes that continue a character are none of their own.
    let count = || before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    (before.len() <= COLUMNS).then(count)
}
