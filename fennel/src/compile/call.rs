//! Calls of functions and methods.

use super::symbol::MultiSymbol;
use super::{Compiler, Got, Last};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, ExprKind, names};

impl Compiler {
    /// `(f x …)`
    pub(crate) fn call(&mut self, form: &Form, head: &Form, arguments: &[Form]) -> Compiled<Expr> {
        let place = form.span.place();
        match &head.kind {
            Kind::Symbol(symbol) => {
                if let Some(multi) = MultiSymbol::parse(&symbol.name)
                    && let Some(method) = multi.method
                {
                    let base = self.variable(multi.base, head.span)?;
                    let receiver = self.fields_of(base, &multi, head.span)?;
                    return self.method_call(form, receiver, method, arguments);
                }
            }
            // Strings can be callable in Lua.
            Kind::List(_) | Kind::Varg | Kind::Str(_) => {}
            _ => {
                return Err(Fault::new(head.span, format!("cannot call {}", head.described()))
                    .help("a list calls its first part; [] and {} hold data"));
            }
        }
        let callee = self.value(head).map_err(|fault| match head.as_symbol() {
            Some(name) if MultiSymbol::parse(name).is_none() => self.advise_on_call(name, fault),
            _ => fault,
        })?;
        // A global or a field is looked up when the call is made: it is hardly ever another
        // function by then, and the Lua stays readable. A var can be set by the arguments.
        if is_path(&callee) {
            let before = self.block.statements.len();
            let arguments = self.value_list(arguments, Vec::new(), Last::Many)?;
            let callee = self.settled_path(callee, before);
            self.check_width(form, &arguments)?;
            return Ok(Expr::call(callee, None, arguments, place));
        }
        let mut parts = self.value_list(arguments, vec![callee], Last::Many)?;
        let callee = parts.remove(0);
        self.check_width(form, &parts)?;
        Ok(Expr::call(callee, None, parts, place))
    }

    pub(crate) fn check_width(&mut self, form: &Form, arguments: &[Expr]) -> Compiled<()> {
        let room = 240_u32.saturating_sub(self.function().active) as usize;
        if arguments.len() < room.clamp(40, 200) {
            return Ok(());
        }
        self.gives_up = true;
        Err(Fault::new(
            form.span,
            format!("{} values at once are too many for Lua", arguments.len()),
        )
        .help("put them into a table"))
    }

    fn method_call(
        &mut self,
        form: &Form,
        receiver: Expr,
        method: &str,
        arguments: &[Form],
    ) -> Compiled<Expr> {
        let place = form.span.place();
        if names::is_name(method.as_bytes()) {
            if is_path(&receiver) {
                let before = self.block.statements.len();
                let arguments = self.value_list(arguments, Vec::new(), Last::Many)?;
                let receiver = self.settled_path(receiver, before);
                self.check_width(form, &arguments)?;
                return Ok(Expr::call(receiver, Some(method.into()), arguments, place));
            }
            let mut parts = self.value_list(arguments, vec![receiver], Last::Many)?;
            let receiver = parts.remove(0);
            self.check_width(form, &parts)?;
            return Ok(Expr::call(receiver, Some(method.into()), parts, place));
        }
        // Lua's own method call takes names only.
        let receiver = self.atom(receiver);
        let callee = Expr::field(receiver.clone(), method, place);
        let parts = self.value_list(arguments, vec![receiver], Last::Many)?;
        self.check_width(form, &parts)?;
        Ok(Expr::call(callee, None, parts, place))
    }

    /// `(: receiver method …)`
    pub(crate) fn method(&mut self, form: &Form, arguments: &[Form]) -> Compiled<Got> {
        let [receiver, method, arguments @ ..] = arguments else {
            return Err(Fault::new(form.span, ": needs a receiver and a method")
                .help("write (: receiver :method …)"));
        };
        if let Some(name) = method.as_str_bytes().and_then(|bytes| std::str::from_utf8(bytes).ok())
        {
            let receiver = self.value(receiver)?;
            return self.method_call(form, receiver, name, arguments).map(Got::from);
        }
        let place = form.span.place();
        let receiver = self.value(receiver)?;
        let receiver = self.atom(receiver);
        let method = self.value(method)?;
        let method = self.atom(method);
        let callee = Expr::index(receiver.clone(), method, place);
        let parts = self.value_list(arguments, vec![receiver], Last::Many)?;
        self.check_width(form, &parts)?;
        Ok(Expr::call(callee, None, parts, place).into())
    }
}

impl Compiler {
    /// A path that the statements which follow `at` cannot change.
    fn settled_path(&mut self, path: Expr, at: usize) -> Expr {
        let mut path = [path];
        if self.block.statements.len() > at && self.is_in_var(&path[0]) {
            self.settle(&mut path, at);
        }
        let [path] = path;
        path
    }

    /// Whether a path begins at a local that can be set.
    fn is_in_var(&self, path: &Expr) -> bool {
        match &path.kind {
            ExprKind::Name(name) => !name.constant && self.scopes.borrow().is_taken(&name.text),
            ExprKind::Slot(slot) => !slot.constant,
            ExprKind::Index(pair) => self.is_in_var(&pair.0),
            _ => false,
        }
    }
}

/// Whether an expression is a variable, or fields of one.
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Slot(_) => true,
        ExprKind::Index(pair) => is_path(&pair.0) && pair.1.is_stable(),
        _ => false,
    }
}
