//! Quotations: code that makes code, for macros.

use super::{Compiler, Got, Time, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, Field};
use crate::lua_form::packed;
use crate::source::{Place, Span};

/// Parts of a quotation that are arguments of one call.
const PARTS_IN_CALL: usize = 60;

impl Compiler {
    /// `` `form ``
    pub(crate) fn quote_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let [quoted] = arguments else {
            return Err(Fault::new(form.span, "quote takes exactly one form")
                .help("write `(f x), or (quote (f x))"));
        };
        self.quoted(quoted).map(Got::from)
    }

    /// `,form` outside of a quotation.
    pub(crate) fn unquote_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "tried to use unquote outside quote")
            .help("a comma takes a value into a quotation: `(f ,x)"))
    }

    /// Code that gives a form.
    fn quoted(&mut self, form: &Form) -> Compiled<Expr> {
        let made = stacker::maybe_grow(128 << 10, 2 << 20, || self.quoted_form(form))?;
        Ok(self.kept_small(made))
    }

    fn quoted_form(&mut self, form: &Form) -> Compiled<Expr> {
        let place = form.span.place();
        if self.time == Time::Run
            && matches!(form.kind, Kind::List(_) | Kind::Symbol(_) | Kind::Varg)
            && !form.is_call_of("unquote")
        {
            let fault = Fault::new(form.span, "symbols and lists may only be used at compile time");
            return Err(match form.as_symbol() {
                Some(name) => fault.help(format!("write \"{name}\" for a string")),
                None => {
                    fault.help("use a quotation inside of a macro, or [ ] and strings for data")
                }
            });
        }
        match &form.kind {
            Kind::Nil => Ok(self.maker("sym", vec![Expr::string(*b"nil", place)], place)),
            Kind::Varg => Ok(self.global_target("_VARARG", place)),
            Kind::Symbol(symbol) => self.quoted_symbol(&symbol.name, form.span),
            Kind::List(parts) => {
                if form.is_call_of("unquote") {
                    return match &parts[1..] {
                        [inner] => self.value(inner),
                        _ => Err(Fault::new(form.span, "unquote takes exactly one form")
                            .help("write ,value, or (unquote value)")),
                    };
                }
                let values = self.quoted_list(parts)?;
                self.maker_of_many("list", form, values)
            }
            Kind::Sequence(parts) => {
                let values = self.quoted_list(parts)?;
                if self.time == Time::Run {
                    return Ok(Expr::table(values.into_iter().map(Field::Next).collect(), place));
                }
                self.maker_of_many("sequence", form, values)
            }
            Kind::Table(entries) => {
                let mut values: Vec<Expr> = Vec::with_capacity(entries.len() * 2);
                for part in entries.iter().flat_map(|(key, value)| [key, value]) {
                    let before = self.block.statements.len();
                    let value = self.quoted(part)?;
                    if self.block.statements.len() > before {
                        self.settle(&mut values, before);
                    }
                    values.push(value);
                }
                let mut fields = Vec::with_capacity(entries.len());
                let mut values = values.into_iter();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    fields.push(Field::Keyed(key, value));
                }
                Ok(Expr::table(fields, place))
            }
            _ => self.value(form),
        }
    }

    /// A call of a maker, with the parts in a table if they are too many for a call.
    fn maker_of_many(&mut self, name: &str, form: &Form, mut values: Vec<Expr>) -> Compiled<Expr> {
        let place = form.span.place();
        if values.len() > PARTS_IN_CALL && !values.last().is_some_and(Expr::is_multiple) {
            let ends = [1, values.len()]
                .map(|end| Expr::integer(i64::try_from(end).unwrap_or(i64::MAX), place));
            let all = Expr::table(values.into_iter().map(Field::Next).collect(), place);
            let unpack = Expr::field(self.global_target("table", place), "unpack", place);
            let [first, last] = ends;
            values = vec![Expr::call(unpack, None, vec![all, first, last], place)];
        }
        self.check_width(form, &values)?;
        Ok(self.maker(name, values, place))
    }

    /// The parts of a list or sequence; what is unquoted at the end may give several values.
    fn quoted_list(&mut self, parts: &[Form]) -> Compiled<Vec<Expr>> {
        let mut out = Vec::with_capacity(parts.len());
        // All before is settled.
        let mut settled = 0;
        for (index, part) in parts.iter().enumerate() {
            let before = self.block.statements.len();
            let unquoted = match part.as_list() {
                Some([_, inner]) if part.is_call_of("unquote") => Some(inner),
                _ => None,
            };
            let made = match unquoted {
                Some(inner) if index + 1 == parts.len() => self.values(inner)?,
                _ => vec![self.quoted(part)?],
            };
            if self.block.statements.len() > before {
                self.settle(&mut out[settled..], before);
                settled = out.len();
            }
            out.extend(made);
        }
        Ok(out)
    }

    /// A name in a quotation. `x#` is a name of its own.
    fn quoted_symbol(&mut self, name: &str, span: Span) -> Compiled<Expr> {
        let place = span.place();
        let (base, path) = match name.find(['.', ':']) {
            Some(at) if at > 0 => name.split_at(at),
            _ => (name, ""),
        };
        let Some(base) = base.strip_suffix('#').filter(|base| !base.is_empty()) else {
            let arguments =
                vec![Expr::string(name.as_bytes(), place), Expr::integer(packed(span), place)];
            return Ok(self.maker("_quoted", arguments, place));
        };
        let made = self.made_symbol(base, place);
        if path.is_empty() {
            return Ok(made);
        }
        let text = Expr::call(self.global_target("tostring", place), None, vec![made], place);
        let path = Expr::string(path.as_bytes(), place);
        let joined = Expr::operation(crate::lua::Operator::Concat, vec![text, path], place);
        Ok(self.maker("sym", vec![joined], place))
    }

    /// The symbol that `base#` stands for in this scope: made anew each time the scope is run.
    fn made_symbol(&mut self, base: &str, place: Place) -> Expr {
        let scope = self.scope_ids.last().copied().unwrap_or_default();
        if let Some(known) = self.made_symbols.get(&(scope, base.into())) {
            return known.clone();
        }
        let argument = Expr::string(base.as_bytes(), place);
        let value = self.maker("gensym", vec![argument], place);
        let target = self.put_aside(value);
        self.made_symbols.insert((scope, base.into()), target.clone());
        target
    }

    /// A call of a function of the compiler's environment.
    fn maker(&mut self, name: &str, arguments: Vec<Expr>, place: Place) -> Expr {
        Expr::call(self.global_target(name, place), None, arguments, place)
    }
}
