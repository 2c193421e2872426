//! Fennel 1.6, compiled to Lua 5.4.
//!
//! A library of its own: source in, Lua and a source map out. It reads no file (see [`Modules`]),
//! writes nothing, and makes a Lua VM only when a program has macros of its own.

mod builtin;
mod compile;
mod diagnostic;
mod form;
mod format;
mod lua;
mod lua_form;
pub mod lua_pattern;
mod macro_world;
mod options;
mod print;
mod reader;
pub mod runtime;
mod sandbox;
mod source;
pub mod view;
mod words;

pub use compile::{Session, compile};
pub use diagnostic::{Diagnostic, Severity};
pub use form::{Form, Kind, Symbol};
pub use format::{FormatOptions, format};
pub use options::{
    Include, LineMap, MacroLimits, ModuleText, Modules, NoModules, Options, Output, Wanted,
};
pub use reader::{Parsed, decode, parse};
pub use source::{FileId, Place, SourceFile, Sources, Span};

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
