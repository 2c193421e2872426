//! Fennel's code as data: what the reader gives, what macros turn into one another, and what the
//! compiler reads. Clones are cheap: the parts of a form are shared.

use std::rc::Rc;

use crate::source::Span;

/// A piece of code.
#[derive(Debug, Clone)]
pub struct Form {
    /// What it is.
    pub kind: Kind,
    /// Where it is from. A form that a macro made has the place of the macro's call.
    pub span: Span,
}

/// The kinds of forms.
#[derive(Debug, Clone)]
pub enum Kind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// `...`
    Varg,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string of bytes: escapes can make what is not UTF-8.
    Str(Rc<[u8]>),
    /// A name, or several ones with dots and a colon between them.
    Symbol(Symbol),
    /// `(f x)`
    List(Rc<[Form]>),
    /// `[a b]`
    Sequence(Rc<[Form]>),
    /// `{:a 1}`, in the order of the source.
    Table(Rc<[(Form, Form)]>),
}

/// A name in the source.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Its text, such as `x`, `a.b`, `f:close`.
    pub name: Rc<str>,
    /// Where it stands literally in a macro's quotation, if it does. Such a name must not be bound,
    /// since it could capture one of the code around the macro's call.
    pub quoted: Option<Span>,
}

impl Form {
    /// A form of this kind at this place.
    pub fn new(kind: Kind, span: Span) -> Self {
        Form { kind, span }
    }

    /// A symbol.
    pub fn symbol(name: impl Into<Rc<str>>, span: Span) -> Self {
        Form::new(Kind::Symbol(Symbol { name: name.into(), quoted: None }), span)
    }

    /// A list.
    pub fn list(parts: impl Into<Rc<[Form]>>, span: Span) -> Self {
        Form::new(Kind::List(parts.into()), span)
    }

    /// A sequence.
    pub fn sequence(parts: impl Into<Rc<[Form]>>, span: Span) -> Self {
        Form::new(Kind::Sequence(parts.into()), span)
    }

    /// A string.
    pub fn string(text: &str, span: Span) -> Self {
        Form::new(Kind::Str(text.as_bytes().into()), span)
    }

    /// A list that begins with a symbol: `(head …)`.
    pub fn call(head: &str, arguments: impl IntoIterator<Item = Form>, span: Span) -> Self {
        let head = Form::symbol(head, span);
        Form::list(std::iter::once(head).chain(arguments).collect::<Vec<_>>(), span)
    }

    /// The name, if it is a symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        match &self.kind {
            Kind::Symbol(symbol) => Some(&symbol.name),
            _ => None,
        }
    }

    /// Whether it is this symbol.
    pub fn is_symbol(&self, name: &str) -> bool {
        self.as_symbol() == Some(name)
    }

    /// The parts, if it is a list.
    pub fn as_list(&self) -> Option<&[Form]> {
        match &self.kind {
            Kind::List(parts) => Some(parts),
            _ => None,
        }
    }

    /// The parts, if it is a sequence.
    pub fn as_sequence(&self) -> Option<&[Form]> {
        match &self.kind {
            Kind::Sequence(parts) => Some(parts),
            _ => None,
        }
    }

    /// The entries, if it is a table with keys.
    pub fn as_table(&self) -> Option<&[(Form, Form)]> {
        match &self.kind {
            Kind::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The bytes, if it is a string.
    pub fn as_str_bytes(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is a list that begins with this symbol.
    pub fn is_call_of(&self, head: &str) -> bool {
        self.as_list().and_then(<[Form]>::first).is_some_and(|first| first.is_symbol(head))
    }

    /// Whether it is a value without parts that is spelled out: nil, a boolean, a number, a string.
    pub fn is_literal(&self) -> bool {
        matches!(
            self.kind,
            Kind::Nil | Kind::Bool(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Str(_)
        )
    }

    /// Whether it is made of no more forms than are left, which it takes away.
    pub(crate) fn fits(&self, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else { return false };
        *left = less;
        match &self.kind {
            Kind::List(parts) | Kind::Sequence(parts) => parts.iter().all(|part| part.fits(left)),
            Kind::Table(entries) => {
                entries.iter().all(|(key, value)| key.fits(left) && value.fits(left))
            }
            _ => true,
        }
    }

    /// What it is, for messages: "a list", "the symbol x", ….
    pub fn described(&self) -> String {
        match &self.kind {
            Kind::Nil => "nil".to_owned(),
            Kind::Bool(value) => value.to_string(),
            Kind::Varg => "...".to_owned(),
            Kind::Integer(number) => format!("the number {number}"),
            Kind::Float(number) => format!("the number {number}"),
            Kind::Str(_) => "a string".to_owned(),
            Kind::Symbol(symbol) => format!("the symbol {}", symbol.name),
            Kind::List(_) => "a list".to_owned(),
            Kind::Sequence(_) => "a sequence".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
        }
    }
}
