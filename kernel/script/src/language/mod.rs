//! What can be compiled to Lua, and how positions in the Lua lead back to the source.
//!
//! A language is pure: source in, Lua out, no I/O. What it may read beside the source is handed to
//! it as [`Surroundings`]. The loader picks one by the file's suffix.

mod fennel;
mod layout;
mod lua;
mod lua_lines;
mod macros;

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

pub use ::fennel::{Diagnostic, FileId, LineMap, MacroLimits, Place, Severity};

pub use self::fennel::Fennel;
pub(crate) use self::fennel::{chunk_of, compiler_options, findings};
pub use self::lua::Lua;
pub use self::macros::{is_macros, macro_findings};

/// The languages of extensions; the first one wins where two files answer to one name.
pub fn languages() -> [&'static dyn Language; 2] {
    [&Lua, &Fennel]
}

/// The language of a file, by its suffix.
pub fn language_of(file: &str) -> Option<&'static dyn Language> {
    let (_, suffix) = file.rsplit_once('.')?;
    languages().into_iter().find(|language| language.suffix() == suffix)
}

/// A language in which extensions are written.
pub trait Language {
    /// The suffix of its files, without the dot.
    fn suffix(&self) -> &'static str;

    /// Compiles one file. `name` is how errors call it.
    ///
    /// # Errors
    /// Every mistake that was found, never an empty list.
    fn compile<'s>(
        &self,
        source: &'s str,
        name: &str,
        surroundings: &Surroundings,
    ) -> Result<Chunk<'s>, Vec<Diagnostic>>;

    /// A program that gives the values of an expression, where the expression alone is none.
    fn returning(&self, _expression: &str) -> Option<String> {
        None
    }
}

/// What a file is compiled in.
#[derive(Clone)]
pub struct Surroundings {
    /// The name of the module that it is, if it is one.
    pub module: Option<String>,
    /// The global names that it finds when it runs.
    pub globals: Rc<[String]>,
    /// The files that belong together with it.
    pub siblings: Rc<dyn Siblings>,
    /// Takes the lines that code prints which runs while it is compiled.
    pub print: Rc<dyn Fn(&str)>,
    /// What that code may use.
    pub limits: MacroLimits,
}

impl Default for Surroundings {
    /// A file alone: no globals, no files beside it, and nobody to read what is printed.
    fn default() -> Self {
        Surroundings {
            module: None,
            globals: Rc::new([]),
            siblings: Rc::new(NoSiblings),
            print: Rc::new(|_| {}),
            limits: MacroLimits::default(),
        }
    }
}

/// The files that belong together: those of one extension, or of the folder of a program.
pub trait Siblings {
    /// A file by its path from their folder, with `/`; `None` if it is not there.
    ///
    /// # Errors
    /// Words for one that is there and cannot be used.
    fn file(&self, path: &str) -> Result<Option<Sibling>, String>;
}

/// A file beside the one that is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sibling {
    /// How errors call it.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSiblings;

impl Siblings for NoSiblings {
    fn file(&self, _: &str) -> Result<Option<Sibling>, String> {
        Ok(None)
    }
}

/// One compiled file.
#[derive(Debug, Clone)]
pub struct Chunk<'s> {
    /// The Lua text.
    pub lua: Cow<'s, str>,
    /// Where its lines come from.
    pub map: SourceMap,
}

/// From lines of Lua to lines of the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SourceMap {
    /// Each line of Lua is the line of this number in the source.
    #[default]
    Identity,
    /// The lines have the places that the compiler noted.
    Lines(LineMap),
}

impl SourceMap {
    /// The origin of a line of Lua that was compiled from `file`. A line without an origin of its
    /// own belongs to the nearest one above it.
    pub fn origin<'a>(&'a self, file: &'a str, line: u32) -> (&'a str, u32) {
        match self {
            SourceMap::Identity => (file, line),
            SourceMap::Lines(map) => map.origin(line).unwrap_or((file, 1)),
        }
    }
}
