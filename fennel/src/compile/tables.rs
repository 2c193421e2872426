//! Table literals, and looking into tables.

use super::{Compiler, Got, Last};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::lua::{Expr, Field};
use crate::source::Span;

/// Keys behind one another in one form. No program needs them, and each is one more step of
/// recursion for whatever looks at the Lua.
const MOST_KEYS: usize = 100;

impl Compiler {
    /// `[a b c]`
    pub(crate) fn sequence(&mut self, form: &Form, parts: &[Form]) -> Compiled<Expr> {
        let values = self.value_list(parts, Vec::new(), Last::Many)?;
        Ok(Expr::table(values.into_iter().map(Field::Next).collect(), form.span.place()))
    }

    /// `{:a 1}`
    pub(crate) fn table(&mut self, form: &Form, entries: &[(Form, Form)]) -> Compiled<Expr> {
        // What is computed is key, value, key, value, …
        let mut parts = Vec::with_capacity(entries.len() * 2);
        // All before is settled.
        let mut settled = 0;
        for (at, part) in entries.iter().flat_map(|(key, value)| [key, value]).enumerate() {
            let before = self.block.statements.len();
            let part = self.value(part).map_err(|fault| match part.as_symbol() {
                Some(name) if at % 2 == 0 && fault.span() == part.span => {
                    fault.help(format!("write :{name} for a key of this name"))
                }
                _ => fault,
            })?;
            if self.block.statements.len() > before {
                self.settle(&mut parts[settled..], before);
                settled = parts.len();
            }
            parts.push(part);
        }
        let mut fields = Vec::with_capacity(entries.len());
        let mut parts = parts.into_iter();
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            fields.push(Field::Keyed(key, value));
        }
        Ok(Expr::table(fields, form.span.place()))
    }

    /// `(. table key …)`
    pub(crate) fn lookup(&mut self, form: &Form, arguments: &[Form]) -> Compiled<Got> {
        if arguments.is_empty() {
            return Err(
                Fault::new(form.span, ". needs a table and its keys").help("write (. table key …)")
            );
        }
        let mut parts = self.value_list(arguments, Vec::new(), Last::One)?.into_iter();
        let place = form.span.place();
        let table = parts.next().unwrap_or_else(|| Expr::nil(place));
        // Where nothing is looked up, one value is meant all the same.
        if parts.len() == 0 {
            return Ok(table.first().into());
        }
        self.path(table, parts, form.span).map(Got::from)
    }

    /// A field of a field of … of a value.
    pub(crate) fn path(
        &mut self,
        base: Expr,
        keys: impl ExactSizeIterator<Item = Expr>,
        span: Span,
    ) -> Compiled<Expr> {
        if keys.len() > MOST_KEYS {
            self.gives_up = true;
            return Err(Fault::new(span, format!("a path of {} keys has too many", keys.len()))
                .help("bind a part of it to a name with let"));
        }
        Ok(keys.fold(base, |table, key| Expr::index(table, key, span.place())))
    }
}
