//! Macro calls as text, and what they expand to as text.

use std::rc::Rc;

use super::{Expanding, find};
use crate::diagnostic::Fault;
use crate::form::Form;
use crate::reader;
use crate::source::{Sources, Span};

struct Compiler {
    locals: Vec<&'static str>,
    made: u32,
}

impl Expanding for Compiler {
    fn gensym(&mut self, base: &str) -> Rc<str> {
        self.made += 1;
        format!("{base}{}", self.made).into()
    }

    fn is_local(&self, name: &str) -> bool {
        self.locals.contains(&name)
    }

    fn note_used(&self, _: Span) {}

    fn file_name(&self, _: Span) -> std::sync::Arc<str> {
        "main.fnl".into()
    }
}

fn expand(locals: &[&'static str], text: &str) -> Result<Form, Fault> {
    let mut sources = Sources::default();
    let file = sources.add("main.fnl", text);
    let reading = reader::read(&sources, file);
    assert!(reading.faults.is_empty(), "{text} does not read");
    let call = &reading.forms[0];
    let parts = call.as_list().unwrap();
    let expand = find(parts[0].as_symbol().unwrap()).unwrap();
    expand(&mut Compiler { locals: locals.to_vec(), made: 0 }, call, &parts[1..])
}

/// The expansion of a macro's call.
pub(super) fn expanded(text: &str) -> String {
    expanded_among(&[], text)
}

/// The expansion of a macro's call where these locals are in scope.
pub(super) fn expanded_among(locals: &[&'static str], text: &str) -> String {
    expand(locals, text).unwrap().to_string()
}

/// The part of the text that a refusal is about, and what it says.
pub(super) fn refusal(text: &str) -> String {
    refusal_among(&[], text)
}

/// Like [`refusal`], where these locals are in scope.
pub(super) fn refusal_among(locals: &[&'static str], text: &str) -> String {
    let fault = expand(locals, text).expect_err(text);
    let span = fault.span();
    format!("{} | {}", &text[span.start as usize..span.end as usize], fault.message())
}

/// The line of each list of this head in an expansion.
pub(super) fn lines_of(head: &str, text: &str) -> Vec<u32> {
    fn gather(head: &str, form: &Form, lines: &mut Vec<u32>) {
        if form.is_call_of(head) {
            lines.push(form.span.line);
        }
        for part in form.as_list().or_else(|| form.as_sequence()).unwrap_or_default() {
            gather(head, part, lines);
        }
    }
    let mut lines = Vec::new();
    gather(head, &expand(&[], text).unwrap(), &mut lines);
    lines
}
