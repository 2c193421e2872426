//! Macros of the program's own.

use super::{Compiler, Got, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;

impl Compiler<'_> {
    pub(crate) fn quote_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn unquote_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn include_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn macro_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn macros_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn import_macros_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn require_macros_form(
        &mut self,
        form: &Form,
        _: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn eval_compiler_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
    pub(crate) fn macrodebug_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Err(Fault::new(form.span, "not yet"))
    }
}
