//! A whole file: from its forms to text, with everything that is wrong with it.

use super::{Compiler, Dest, MOST_FAULTS, Time, destructure};
use crate::diagnostic::{Diagnostic, Fault, Severity};
use crate::form::Form;
use crate::lua::{Block, Excess, Statement, StatementKind, excess, print};
use crate::macro_world::World;
use crate::options::{Include, LineMap, Options, Output};
use crate::reader;
use crate::source::{FileId, Place, Sources, Span};
use std::cell::RefCell;
use std::rc::Rc;

/// Code is nested, and so is the work on it. Between the places that look after the stack
/// themselves this is enough for all that a program may nest.
pub(super) fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(2 << 20, 8 << 20, work)
}

pub(super) fn compile_here(
    name: &str,
    source: &str,
    options: &Options,
) -> Result<Output, Vec<Diagnostic>> {
    let sources = Rc::new(RefCell::new(Sources::default()));
    let file = sources.borrow_mut().add(name, source);
    let reading = reader::read(&sources.borrow(), file);
    let mut compiler = Compiler::new(options, sources, Time::Run);
    compiler.faults = reading.faults;
    let block = match compiler.faults.is_empty() {
        true => compiler.chunk(&reading.forms, file),
        // What was not read right would be told to be wrong for that.
        false => Block::default(),
    };
    compiler.finished(block, file)
}

/// Compiles forms for the time of compiling: the code of macros.
///
/// # Errors
/// Every mistake that was found.
pub(crate) fn compile_for_macros(
    world: &Rc<World>,
    forms: &[Form],
    span: Span,
    module_name: Option<&str>,
) -> Result<(String, LineMap), Vec<Fault>> {
    let mut options = world.options.clone();
    options.module_name = module_name.map(str::to_owned);
    options.include = Include::Require;
    options.warnings = false;
    options.metadata = false;
    let mut compiler = Compiler::new(&options, world.sources.clone(), Time::Compile);
    compiler.globals = Some(world.globals());
    let _ = compiler.world.set(world.clone());
    let block = compiler.chunk(forms, span.file);
    if !compiler.faults.is_empty() {
        return Err(compiler.faults);
    }
    let printed = print(&block);
    let map = LineMap::new(&world.sources.borrow(), span.file, printed.lines);
    Ok((printed.lua, map))
}

pub(super) const TOO_DEEP: &str = "this is nested too deeply for Lua";

impl Compiler {
    /// The whole of a file.
    pub(super) fn chunk(&mut self, forms: &[Form], file: FileId) -> Block {
        let start = Span { file, line: 1, start: 0, end: 0 };
        let mark = self.scopes.borrow().mark();
        if !forms.is_empty() {
            self.body(forms, Dest::Return, start);
        }
        if !self.keeps_locals {
            self.scopes.borrow_mut().back_to(mark);
        }
        let mut block = std::mem::take(&mut self.block);
        if self.keeps_locals {
            let kept = StatementKind::Raw(self.make_kept().into());
            block.statements.insert(0, Statement { kind: kept, place: Place::default() });
        }
        if self.takes_rest {
            let helper = StatementKind::Raw(destructure::REST_FUNCTION.into());
            block.statements.insert(0, Statement { kind: helper, place: Place::default() });
        }
        self.check_limits(&block);
        block
    }

    pub(super) fn finished(
        mut self,
        block: Block,
        file: FileId,
    ) -> Result<Output, Vec<Diagnostic>> {
        if let Some(world) = self.world.get() {
            self.faults.extend(world.take_faults());
        }
        let sources = self.sources.borrow();
        if !self.faults.is_empty() {
            let mut faults = std::mem::take(&mut self.faults);
            faults.sort_by_key(|fault| (fault.span().file, fault.span().start));
            faults.dedup();
            faults.truncate(MOST_FAULTS);
            return Err(faults
                .into_iter()
                .map(|fault| fault.into_diagnostic(&sources, Severity::Error))
                .collect());
        }
        let printed = print(&block);
        let mut warnings = Vec::new();
        if self.options.warnings {
            let mut unused = std::mem::take(&mut self.scopes.borrow_mut().unused);
            unused.sort_by_key(|one| (one.span.file, one.span.start));
            warnings = unused
                .into_iter()
                .map(|one| {
                    let name = &one.name;
                    let help = match is_shorthand(&sources, one.span) {
                        true => format!("take it out, or write {{:{name} _{name}}}"),
                        false => format!("take it out, or call it _{name}"),
                    };
                    Fault::new(one.span, format!("the local {name} is never used"))
                        .help(help)
                        .into_diagnostic(&sources, Severity::Warning)
                })
                .collect();
        }
        let map = LineMap::new(&sources, file, printed.lines);
        let has_raw_lines = printed.has_raw_lines;
        Ok(Output { lua: printed.lua, map, warnings, has_raw_lines })
    }

    /// A fault for what is too much for Lua, if a chunk has it.
    pub(super) fn check_limits(&mut self, block: &Block) {
        if !self.faults.is_empty() {
            return;
        }
        let Some((place, excess)) = excess(block) else { return };
        let span = self.sources.borrow().line_span(place);
        let (message, help) = match excess {
            Excess::Locals => (
                "there are too many locals in one function for Lua",
                "take a part out into a function of its own, or keep them in a table",
            ),
            Excess::Registers => {
                ("these are too many values at once for Lua", "put them into a table")
            }
            Excess::Upvalues => (
                "a function uses too many locals of the functions around it for Lua",
                "keep them in a table",
            ),
            Excess::Levels => (TOO_DEEP, "take a part out into a function of its own"),
            Excess::Loop => (
                "this loop has a body that is too long for Lua",
                "take a part out into a function of its own",
            ),
        };
        self.fault(Fault::new(span, message).help(help));
    }
}

/// Whether a name in a pattern stands for its key too: `{: name}`.
fn is_shorthand(sources: &Sources, name: Span) -> bool {
    let text = sources.file(name.file).text.get(..name.start as usize).unwrap_or_default();
    let before = text.trim_end().strip_suffix(':');
    before.is_some_and(|before| before.ends_with(|c: char| c == '{' || c.is_whitespace()))
}
