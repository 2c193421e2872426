//! What a compilation is told, and what it gives.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Fault};
use crate::sandbox::Limits;
use crate::source::{FileId, Place, Sources, Span};

/// How to compile.
#[derive(Clone)]
pub struct Options {
    /// The global names that the program may use. With `None` any name that is no local is taken
    /// for a global; else an unknown one is an error.
    pub globals: Option<Rc<[String]>>,
    /// Finds modules of macros and included files.
    pub modules: Rc<dyn Modules>,
    /// What `(include :name)` becomes.
    pub include: Include,
    /// Whether to warn of locals that nothing reads.
    pub warnings: bool,
    /// Whether functions keep their docstrings and arguments for `fennel.metadata`.
    pub metadata: bool,
    /// What the program's macros may use.
    pub limits: MacroLimits,
    /// What to say to who looks for a global that is not there, where the host knows better than
    /// the compiler.
    pub advice: fn(&str) -> Option<&'static str>,
    /// Takes the lines that macros print.
    pub print: Rc<dyn Fn(&str)>,
    /// The module's name, which macros see as `...`.
    pub module_name: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            globals: None,
            modules: Rc::new(NoModules),
            include: Include::Embed,
            warnings: false,
            metadata: false,
            limits: MacroLimits::default(),
            advice: |_| None,
            print: Rc::new(|_| {}),
            module_name: None,
        }
    }
}

/// What `(include :name)` becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Include {
    /// The module's code is made part of the output.
    Embed,
    /// A plain `require`, for hosts that have the module at hand when the program runs.
    Require,
}

/// What macros may use while a program is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MacroLimits {
    /// Bytes of the VM in which they run.
    pub memory: usize,
    /// How long all macros of one compilation may run.
    pub running: std::time::Duration,
}

impl Default for MacroLimits {
    fn default() -> Self {
        let Limits { memory, running } = Limits::default();
        MacroLimits { memory, running }
    }
}

/// What a module is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// `import-macros`, `require-macros`: a `.fnlm` or `.fnl` file.
    Macros,
    /// `include`, and `require` in code that runs while compiling: a `.fnl` or `.lua` file.
    Code,
}

impl Wanted {
    /// What stands behind a module's path in the names of its files; the first one that is there is
    /// the module.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Wanted::Macros => &[".fnlm", "/init.fnlm", ".fnl", "/init-macros.fnl", "/init.fnl"],
            Wanted::Code => &[".lua", "/init.lua", ".fnl", "/init.fnl"],
        }
    }
}

impl Wanted {
    /// Says that there is no module of this name.
    pub(crate) fn missing(self, name: &str, span: Span) -> Fault {
        let path = name.replace('.', "/");
        let files = self.endings().iter().map(|ending| format!("{path}{ending}"));
        let files = files.collect::<Vec<_>>().join(", ");
        Fault::new(span, format!("module not found: {name}")).help(format!(
            "there is none of the files {files}; a module's name is their path with dots for slashes"
        ))
    }
}

/// The text of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleText {
    /// How messages call its file. A name that ends in `.lua` is Lua, any other one Fennel.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
}

/// Finds the files that a program names while it is compiled.
pub trait Modules {
    /// The module of this name, such as `lib.macros`; `None` if there is none.
    ///
    /// # Errors
    /// Words for a module that is there and cannot be read.
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String>;
}

/// No modules at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModules;

impl Modules for NoModules {
    fn find(&self, _: &str, _: Wanted) -> Result<Option<ModuleText>, String> {
        Ok(None)
    }
}

/// A compiled program.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// Lua 5.4.
    pub lua: String,
    /// Where its lines are from.
    pub map: LineMap,
    /// Warnings, if they were asked for.
    pub warnings: Vec<Diagnostic>,
    /// Whether the program spells out Lua with `lua`, or includes a file of it, that takes several
    /// lines or may hold a comment. Otherwise no string and no comment of the Lua above goes over
    /// the end of a line, and its lines may be joined and broken between tokens.
    pub has_raw_lines: bool,
}

/// From lines of Lua to lines of the source. It names only the files that its lines are from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineMap {
    /// The files, by the number in [`Place::file`]: the main one first.
    pub files: Vec<Arc<str>>,
    /// For each line of Lua, from 1, its place; line 0 where it has none of its own.
    pub lines: Vec<Place>,
}

impl LineMap {
    /// The map of a file of Lua.
    pub(crate) fn of_lua(file: &str, text: &str) -> Self {
        let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
        let lines = (1..=count).map(|line| Place { file: FileId(0), line }).collect();
        LineMap { files: vec![file.into()], lines }
    }

    /// The files that these lines are from, and the lines with the numbers of those files.
    pub(crate) fn new(sources: &Sources, main: FileId, mut lines: Vec<Place>) -> Self {
        let mut files = vec![sources.file(main).name.clone()];
        let mut numbers = FxHashMap::from_iter([(main, FileId(0))]);
        for place in lines.iter_mut() {
            if place.line == 0 {
                *place = Place::default();
                continue;
            }
            let next = FileId(u32::try_from(files.len()).unwrap_or(u32::MAX));
            place.file = *numbers.entry(place.file).or_insert_with_key(|&file| {
                files.push(sources.file(file).name.clone());
                next
            });
        }
        LineMap { files, lines }
    }

    /// What [`LineMap::origin`] gives for each line of Lua, from 1, in one walk.
    pub fn origins(&self) -> impl Iterator<Item = Option<(&str, u32)>> {
        self.lines.iter().scan(None, |origin, place| {
            if place.line > 0 {
                let file = self.files.get(place.file.0 as usize);
                *origin = file.map(|file| (&**file, place.line));
            }
            Some(*origin)
        })
    }

    /// The file and line that a line of Lua, from 1, is from. A line without a place of its own
    /// belongs to the nearest one above it that has one. [`LineMap::origins`] gives those of all lines.
    pub fn origin(&self, lua_line: u32) -> Option<(&str, u32)> {
        let upto = self.lines.len().min(lua_line as usize);
        let place = self.lines[..upto].iter().rev().find(|place| place.line > 0)?;
        Some((self.files.get(place.file.0 as usize)?, place.line))
    }
}
