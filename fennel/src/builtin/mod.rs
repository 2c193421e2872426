//! The macros of the language itself: from form to form, without a VM.
//!
//! Each file holds one family. They may use every special form of the compiler and one another, and
//! make names of their own with [`Expanding::gensym`] only.

use std::rc::Rc;

use crate::diagnostic::Compiled;
use crate::form::Form;

/// What a macro may ask of the compiler.
pub(crate) trait Expanding {
    /// A name that nothing else has, made from `base`: `_base_1_` for `base`.
    fn gensym(&mut self, base: &str) -> Rc<str>;

    /// Whether this is the name of a local that is in scope.
    fn is_local(&self, name: &str) -> bool;
}

/// A macro: `call` is the whole form, `arguments` its parts behind the head.
pub(crate) type Macro = fn(&mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form>;

/// The macro of this name.
pub(crate) fn find(_name: &str) -> Option<Macro> {
    None
}
