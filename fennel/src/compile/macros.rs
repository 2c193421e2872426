//! Macros of the program's own: defining, importing, and running code while compiling.

use std::rc::Rc;

use mlua::{Function, MultiValue, Table, Value};

use super::expand::macro_of;
use super::scope::Binding;
use super::{Compiler, Got, Want, compile_for_macros};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::Expr;
use crate::macro_world::World;
use crate::options::Wanted;
use crate::source::Span;

impl Compiler {
    /// Where the program's macros run.
    pub(crate) fn world(&mut self, span: Span) -> Compiled<Rc<World>> {
        if let Some(world) = self.world.get() {
            return Ok(world.clone());
        }
        let world = World::new(&self.options, self.sources.clone())
            .map_err(|halt| Fault::new(span, format!("macros cannot run: {halt}")))?;
        Ok(self.world.get_or_init(|| world).clone())
    }

    /// Compiles forms for the time of compiling and runs them.
    fn run_now(
        &mut self,
        forms: &[Form],
        arguments: MultiValue,
        span: Span,
    ) -> Compiled<MultiValue> {
        let world = self.world(span)?;
        let name = self.options.module_name.clone();
        let compiled = compile_for_macros(&world, forms, span, name.as_deref());
        let (lua, map) = match compiled {
            Ok(compiled) => compiled,
            Err(faults) => {
                world.one(faults)?;
                return Err(Fault::new(span, "this does not compile"));
            }
        };
        let function = world.load(&lua, map, span)?;
        let scopes = self.scopes.clone();
        world.run(&scopes, &function, arguments, span)
    }

    /// Refuses a macro's name that no call could reach.
    fn check_macro_name(&self, name: &str, span: Span) -> Compiled<()> {
        if super::special::find(name).is_some() {
            return Err(Fault::new(
                span,
                format!("the macro {name} was overshadowed by the special form {name}"),
            )
            .help("give the macro another name"));
        }
        let base = name.split(['.', ':']).next().unwrap_or(name);
        let hidden = base != name
            && !base.is_empty()
            && (super::special::find(base).is_some() || crate::builtin::find(base).is_some());
        if hidden {
            return Err(Fault::new(
                span,
                format!("the macro {name} cannot be part of the macro {base}"),
            )
            .help("give the macro another name"));
        }
        Ok(())
    }

    fn bind_macro(&mut self, name: &str, function: Function) {
        self.scopes.borrow_mut().bind(name.into(), Binding::Macro(function));
    }

    /// `(macro name [parameters] body …)`
    pub(crate) fn macro_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let wrong = || {
            Fault::new(form.span, "macro takes a name, parameters and a body")
                .help("write (macro name [parameters] …)")
        };
        let Some(name) = arguments.first().and_then(Form::as_symbol) else {
            return Err(wrong());
        };
        if arguments.get(1).and_then(Form::as_sequence).is_none() {
            return Err(wrong());
        }
        self.check_macro_name(name, form.span)?;
        // The function has no name: in the body it still stands for what it stood for outside, so
        // that a macro can wrap the function that it takes the name of.
        let function = Form::call("fn", arguments[1..].iter().cloned(), form.span);
        let given = self.run_now(&[function], MultiValue::new(), form.span)?;
        match given.front() {
            Some(Value::Function(function)) => self.bind_macro(name, function.clone()),
            _ => return Err(wrong()),
        }
        Ok(Expr::nil(form.span.place()).into())
    }

    /// `(macros {:name (fn …)})`
    pub(crate) fn macros_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let wrong = || {
            Fault::new(form.span, "macros takes a table of functions")
                .help("write (macros {:name (fn […] …)})")
        };
        let [table] = arguments else { return Err(wrong()) };
        let given = self.run_now(std::slice::from_ref(table), MultiValue::new(), form.span)?;
        match given.front() {
            Some(Value::Table(table)) => self.bind_all(table, form.span)?,
            _ => return Err(wrong()),
        }
        Ok(Expr::nil(form.span.place()).into())
    }

    /// Binds every function of a table as a macro.
    fn bind_all(&mut self, table: &Table, span: Span) -> Compiled<()> {
        let mut found: Vec<(String, Function)> = Vec::new();
        let mut wrong = None;
        let walk = table.for_each(|name: Value, value: Value| {
            match (name, value) {
                (Value::String(name), Value::Function(function)) => {
                    found.push((name.to_string_lossy(), function));
                }
                (name, value) => {
                    let name = name.to_string().unwrap_or_default();
                    wrong = Some(format!(
                        "expected each macro to be a function, {name} is a {}",
                        value.type_name()
                    ));
                }
            }
            Ok(())
        });
        walk.map_err(|error| Fault::new(span, error.to_string()))?;
        if let Some(wrong) = wrong {
            return Err(Fault::new(span, wrong));
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, function) in found {
            self.check_macro_name(&name, span)?;
            self.bind_macro(&name, function);
        }
        Ok(())
    }

    /// The module's name that a form gives while compiling.
    pub(crate) fn module_name(&mut self, form: &Form) -> Compiled<String> {
        if let Some(bytes) = form.as_str_bytes() {
            return Ok(String::from_utf8_lossy(bytes).into_owned());
        }
        let world = self.world(form.span)?;
        let name = self.options.module_name.clone().unwrap_or_default();
        let file = self.sources.borrow().file(form.span.file).name.to_string();
        let arguments = [world.string(&name)?, world.string(&file)?].into_iter().collect();
        let given = self.run_now(std::slice::from_ref(form), arguments, form.span)?;
        match given.front() {
            Some(Value::String(name)) => Ok(name.to_string_lossy()),
            _ => Err(Fault::new(
                form.span,
                "the module's name must be a string that is known while compiling",
            )
            .help("write it out, such as :lib.part")),
        }
    }

    fn macro_module(&mut self, name: &Form) -> Compiled<(String, Table)> {
        let span = name.span;
        let text = self.module_name(name)?;
        let world = self.world(span)?;
        let given = world.module(&text, Wanted::Macros, span)?;
        match given.front() {
            Some(Value::Table(table)) => Ok((text, table.clone())),
            _ => Err(Fault::new(span, format!("the macro module {text} gives no table of macros"))
                .help("end its file with a table of them, such as {: name :other (fn [x] …)}")),
        }
    }

    /// `(import-macros {: name} :module …)`
    pub(crate) fn import_macros_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        if arguments.is_empty() || arguments.len() % 2 == 1 {
            return Err(Fault::new(form.span, "import-macros takes names and modules in pairs")
                .help("write (import-macros {: name} :module)"));
        }
        for pair in arguments.chunks_exact(2) {
            let (names, module) = (&pair[0], &pair[1]);
            let (module, table) = self.macro_module(module)?;
            match &names.kind {
                Kind::Symbol(symbol) => {
                    self.scopes.borrow_mut().bind(symbol.name.clone(), Binding::Macros(table));
                }
                Kind::Table(entries) => {
                    for (key, name) in entries.iter() {
                        let (Some(key), Some(name)) = (key.as_str_bytes(), name.as_symbol()) else {
                            return Err(Fault::new(
                                names.span,
                                "import-macros takes names of macros",
                            )
                            .help("write {: name :other alias}"));
                        };
                        let found =
                            std::str::from_utf8(key).ok().and_then(|key| macro_of(&table, [key]));
                        let Some(function) = found else {
                            let key = String::from_utf8_lossy(key);
                            return Err(Fault::new(
                                names.span,
                                format!("macro {key} not found in module {module}"),
                            )
                            .help("give it the name that the table at the end of its file has"));
                        };
                        self.bind_macro(name, function);
                    }
                }
                _ => {
                    return Err(Fault::new(
                        names.span,
                        "import-macros takes a name or a table of names",
                    )
                    .help(
                        "write (import-macros {: name} :module), or (import-macros all :module)",
                    ));
                }
            }
        }
        Ok(Expr::nil(form.span.place()).into())
    }

    /// `(require-macros :module)`: all macros of a module.
    pub(crate) fn require_macros_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let [module] = arguments else {
            return Err(Fault::new(form.span, "require-macros takes one module")
                .help("write (require-macros :module)"));
        };
        let (_, table) = self.macro_module(module)?;
        self.bind_all(&table, form.span)?;
        Ok(Expr::nil(form.span.place()).into())
    }

    /// `(eval-compiler …)`: code that runs while compiling; what it gives becomes part of the
    /// program.
    pub(crate) fn eval_compiler_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        want: Want,
    ) -> Compiled<Got> {
        let given = self.run_now(arguments, MultiValue::new(), form.span)?;
        let world = self.world(form.span)?;
        let value = match given.front() {
            // A string is code of Lua, as a special form would give it.
            Some(Value::String(text)) => {
                let code = Form::string(&text.to_string_lossy(), form.span);
                let nothing = Form::new(Kind::Nil, form.span);
                Form::call("lua", [nothing, code], form.span)
            }
            None
            | Some(Value::Nil | Value::Function(_) | Value::UserData(_) | Value::Thread(_)) => {
                return Ok(Expr::nil(form.span.place()).into());
            }
            Some(value) => world.form_of(value, form.span)?,
        };
        self.compile(&value, want)
    }

    /// `(macrodebug form)`: prints what a form stands for while compiling. With a true second part it
    /// gives that as a string instead.
    pub(crate) fn macrodebug_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let Some(first) = arguments.first() else {
            return Err(Fault::new(form.span, "macrodebug takes a form")
                .help("write (macrodebug (the-macro …))"));
        };
        let mut expanded = first.clone();
        for _ in 0..super::MOST_EXPANSIONS {
            match self.expander().expanded(&expanded)? {
                Some(next) => expanded = next,
                None => break,
            }
        }
        let given = arguments
            .get(1)
            .is_some_and(|flag| !matches!(flag.kind, Kind::Nil | Kind::Bool(false)));
        if given {
            let text = expanded.to_string().into_bytes();
            return Ok(Expr::string(text, form.span.place()).into());
        }
        (self.options.print)(&expanded.to_string());
        Ok(Expr::nil(form.span.place()).into())
    }
}
