//! Where in a matched value something is, as code that reads it.

use crate::builtin::make;
use crate::form::{Form, Kind};
use crate::source::Span;

/// A field of a field of a value.
#[derive(Clone)]
pub(super) struct Path {
    value: Form,
    keys: Vec<Form>,
}

/// What a name is bound to.
#[derive(Clone)]
pub(super) struct Source {
    path: Path,
    /// For the rest of a sequence, its first index.
    rest_from: Option<usize>,
}

impl Path {
    /// The whole value.
    pub(super) fn whole(value: &Form) -> Path {
        Path { value: value.clone(), keys: Vec::new() }
    }

    /// A field of what is here.
    pub(super) fn field(&self, key: Form) -> Path {
        let keys = self.keys.iter().cloned().chain([key]).collect();
        Path { value: self.value.clone(), keys }
    }

    /// Whether it is the whole of this value.
    pub(super) fn is_whole(&self, value: &Form) -> bool {
        self.keys.is_empty() && self.value.as_symbol() == value.as_symbol()
    }

    /// The value that it leads into, where it is the whole of it.
    pub(super) fn as_whole(&self) -> Option<&Form> {
        self.keys.is_empty().then_some(&self.value)
    }

    /// `(. value key …)`
    pub(super) fn read(&self, span: Span) -> Form {
        let value = Form { span, ..self.value.clone() };
        if self.keys.is_empty() {
            return value;
        }
        Form::call(".", std::iter::once(value).chain(self.keys.iter().cloned()), span)
    }

    fn is_same(&self, other: &Path) -> bool {
        self.value.as_symbol() == other.value.as_symbol()
            && self.keys.len() == other.keys.len()
            && self.keys.iter().zip(&other.keys).all(|(one, another)| is_same_key(one, another))
    }
}

impl Source {
    /// What is there.
    pub(super) fn at(path: Path) -> Source {
        Source { path, rest_from: None }
    }

    /// The elements of the sequence there, from this index on.
    pub(super) fn rest(path: Path, from: usize) -> Source {
        Source { path, rest_from: Some(from) }
    }

    /// Whether it is a new table whenever it is read.
    pub(super) fn is_rest(&self) -> bool {
        self.rest_from.is_some()
    }

    /// Code that reads it.
    pub(super) fn read(&self, span: Span) -> Form {
        let value = self.path.read(span);
        match self.rest_from {
            None => value,
            Some(from) => {
                let parts = [value, make::integer(from, span)];
                Form::sequence(vec![make::global_call("table.unpack", parts, span)], span)
            }
        }
    }

    /// Whether both surely read the same.
    pub(super) fn is_same(&self, other: &Source) -> bool {
        self.rest_from == other.rest_from && self.path.is_same(&other.path)
    }

    /// Whether reading it evaluates code of the user: then a name bound just before could change
    /// what that code means.
    pub(super) fn has_computed_key(&self) -> bool {
        !self.path.keys.iter().all(make::is_constant)
    }
}

fn is_same_key(one: &Form, another: &Form) -> bool {
    match (&one.kind, &another.kind) {
        (Kind::Str(a), Kind::Str(b)) => a == b,
        (Kind::Integer(a), Kind::Integer(b)) => a == b,
        (Kind::Bool(a), Kind::Bool(b)) => a == b,
        (Kind::Symbol(a), Kind::Symbol(b)) => a.name == b.name,
        _ => false,
    }
}
