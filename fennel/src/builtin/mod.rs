//! The macros of the language itself: from form to form, without a VM.
//!
//! Each file holds one family. They may use every special form of the compiler and one another, and
//! make names of their own with [`Expanding::gensym`] only.

mod accumulating;
mod case;
mod collecting;
mod conditions;
mod functions;
mod iteration;
mod lambda;
mod lookup;
mod make;
mod mentions;
mod picking;
#[cfg(test)]
mod testing;
mod threading;
mod with_open;

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::Compiled;
use crate::form::Form;
use crate::source::Span;

/// Stands before the globals that the expansions use, as in `_G~0.type`: a program can bind `_G`,
/// and cannot write this.
pub(crate) const GLOBALS: &str = "_G~0";

/// What a macro may ask of the compiler.
pub(crate) trait Expanding {
    /// A name that nothing else has, made from `base`: `base~1` for `base`.
    fn gensym(&mut self, base: &str) -> Rc<str>;

    /// Whether this is the name of a local that is in scope.
    fn is_local(&self, name: &str) -> bool;

    /// Says that the name which stands here is used, though the code does not read it.
    fn note_used(&self, span: Span);

    /// How messages call the file that this is from.
    fn file_name(&self, span: Span) -> Arc<str>;
}

/// A macro: `call` is the whole form, `arguments` its parts behind the head.
pub(crate) type Macro = fn(&mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form>;

/// The names of all macros, for suggestions.
pub(crate) const NAMES: [&str; 24] = [
    "->",
    "->>",
    "-?>",
    "-?>>",
    "doto",
    "?.",
    "when",
    "unless",
    "assert-repl",
    "collect",
    "icollect",
    "fcollect",
    "accumulate",
    "faccumulate",
    "partial",
    "pick-args",
    "pick-values",
    "lambda",
    "λ",
    "with-open",
    "case",
    "match",
    "case-try",
    "match-try",
];

/// The macro of this name.
pub(crate) fn find(name: &str) -> Option<Macro> {
    Some(match name {
        "->" => threading::thread_first,
        "->>" => threading::thread_last,
        "-?>" => threading::thread_maybe_first,
        "-?>>" => threading::thread_maybe_last,
        "doto" => threading::doto,
        "?." => lookup::maybe_lookup,
        "when" => conditions::when,
        "unless" => conditions::unless,
        "assert-repl" => conditions::assert_repl,
        "collect" => collecting::collect,
        "icollect" => collecting::icollect,
        "fcollect" => collecting::fcollect,
        "accumulate" => accumulating::accumulate,
        "faccumulate" => accumulating::faccumulate,
        "partial" => functions::partial,
        "pick-args" => picking::pick_args,
        "pick-values" => picking::pick_values,
        "lambda" | "λ" => lambda::lambda,
        "with-open" => with_open::with_open,
        "case" => case::case,
        "match" => case::match_,
        "case-try" => case::case_try,
        "match-try" => case::match_try,
        _ => return None,
    })
}
