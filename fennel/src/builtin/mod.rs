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
use crate::words::{Gives, Trait, Word, Words};

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

/// All macros.
pub(crate) static WORDS: Words<Macro> = Words::new(&[
    word("->", Gives::Any, threading::thread_first),
    word("->>", Gives::Any, threading::thread_last),
    word("-?>", Gives::Any, threading::thread_maybe_first),
    word("-?>>", Gives::Any, threading::thread_maybe_last),
    word("doto", Gives::One, threading::doto).with(&[Trait::HasBody]),
    word("?.", Gives::Any, lookup::maybe_lookup),
    word("when", Gives::Last, conditions::when).with(&[Trait::HasBody]),
    word("unless", Gives::Last, conditions::unless).with(&[Trait::HasBody]),
    word("assert-repl", Gives::Any, conditions::assert_repl),
    word("collect", Gives::One, collecting::collect).with(&[Trait::Binds]),
    word("icollect", Gives::One, collecting::icollect).with(&[Trait::Binds]),
    word("fcollect", Gives::One, collecting::fcollect).with(&[Trait::Binds]),
    word("accumulate", Gives::One, accumulating::accumulate).with(&[Trait::Binds]),
    word("faccumulate", Gives::One, accumulating::faccumulate).with(&[Trait::Binds]),
    word("partial", Gives::Any, functions::partial),
    word("pick-args", Gives::Any, picking::pick_args),
    word("pick-values", Gives::Any, picking::pick_values),
    word("lambda", Gives::One, lambda::lambda).with(&[
        Trait::Binds,
        Trait::Defines,
        Trait::HasBody,
    ]),
    word("λ", Gives::One, lambda::lambda).with(&[Trait::Binds, Trait::Defines, Trait::HasBody]),
    word("with-open", Gives::Any, with_open::with_open).with(&[Trait::Binds, Trait::HasBody]),
    word("case", Gives::Any, case::case),
    word("match", Gives::Any, case::match_),
    word("case-try", Gives::Any, case::case_try),
    word("match-try", Gives::Any, case::match_try),
]);

/// The macro of this name.
pub(crate) fn find(name: &str) -> Option<Macro> {
    WORDS.find(name).map(|word| word.work)
}

const fn word(name: &'static str, gives: Gives, work: Macro) -> Word<Macro> {
    Word { name, work, gives, traits: &[] }
}
