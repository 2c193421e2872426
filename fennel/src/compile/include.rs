//! `include`: another file as part of the output.

use super::{Compiler, Got, Time, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::lua::{Block, Expr, Function, Operator, StatementKind};
use crate::options::{Include, Wanted};
use crate::reader;
use crate::source::Place;

impl Compiler {
    /// `(include :module)`
    pub(crate) fn include_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let [module] = arguments else {
            return Err(
                Fault::new(form.span, "include takes one module").help("write (include :module)")
            );
        };
        let place = form.span.place();
        let name = self.module_name(module)?;
        if self.options.include == Include::Embed && self.embedded.borrow_mut().insert(name.clone())
        {
            self.embed(form, &name)?;
        }
        let require = self.global_target("require", place);
        Ok(Expr::call(require, None, vec![Expr::string(name.into_bytes(), place)], place).into())
    }

    /// Puts a module where `require` finds it, unless it is there.
    fn embed(&mut self, form: &Form, name: &str) -> Compiled<()> {
        let place = form.span.place();
        let found = self
            .options
            .modules
            .find(name, Wanted::Code)
            .map_err(|words| Fault::new(form.span, words))?;
        let Some(module) = found else {
            return Err(Wanted::Code.missing(name, form.span));
        };
        let body = if module.file.ends_with(".lua") {
            self.included_lua(&module.file, &module.text)
        } else {
            self.included_file(name, &module.file, &module.text)?
        };
        let function = Function { parameters: Vec::new(), vararg: true, body };
        let package = self.global_target("package", place);
        let slot = Expr::index(
            Expr::field(package, "preload", place),
            Expr::string(name.as_bytes(), place),
            place,
        );
        let value = Expr::operation(
            Operator::Or,
            vec![slot.clone(), Expr::function(function, place)],
            place,
        );
        self.block.push(StatementKind::Assign(vec![slot], vec![value]), place);
        Ok(())
    }

    /// Lua as it stands, line by line, so that each has its place. What only a file of its own may
    /// begin with is left out.
    fn included_lua(&mut self, file: &str, text: &str) -> Block {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = self.sources.borrow_mut().add(file, text);
        let code = match text.strip_prefix('#') {
            // The line stays, for the numbers of the others.
            Some(rest) => rest.find('\n').map_or("", |end| &rest[end..]),
            None => text,
        };
        let mut body = Block::default();
        let start = Place { file, line: 1 };
        body.push(StatementKind::File(format!("{code}\n").into()), start);
        body
    }

    fn included_file(&mut self, name: &str, file: &str, text: &str) -> Compiled<Block> {
        let id = self.sources.borrow_mut().add(file, text);
        let reading = reader::read(&self.sources.borrow(), id);
        let mut options = self.options.clone();
        options.module_name = Some(name.to_owned());
        let mut child = Compiler::new(&options, self.sources.clone(), Time::Run);
        child.world = self.world.clone();
        child.embedded = self.embedded.clone();
        child.forms_left = self.forms_left.clone();
        child.faults = reading.faults;
        let block = match child.faults.is_empty() {
            true => child.chunk(&reading.forms, id),
            false => Block::default(),
        };
        let mut faults = std::mem::take(&mut child.faults);
        if let Some(first) = faults.pop() {
            self.faults.append(&mut faults);
            return Err(first);
        }
        Ok(block)
    }
}
