//! A row of the screen before it has a place on it.

use crate::look::{Look, Role};
use crate::printable::Printable;
use crate::width::width;
use compact_str::CompactString;

/// Some printable text in one look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    text: CompactString,
    /// How it looks.
    pub look: Look,
}

impl Span {
    /// Foreign text.
    pub fn new(text: &str, look: impl Into<Look>) -> Span {
        Span { text: Printable::new(text).into_inner(), look: look.into() }
    }

    /// Text that is printable already.
    pub fn printable(text: Printable, look: impl Into<Look>) -> Span {
        Span { text: text.into_inner(), look: look.into() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many cells it takes.
    pub fn width(&self) -> usize {
        width(&self.text)
    }

    /// A part of it, by bytes; empty where they are not at the borders of characters.
    pub fn part(&self, bytes: std::ops::Range<usize>) -> Span {
        // A part of printable text can begin with a mark that stood on what was before it.
        Span::new(self.text.get(bytes).unwrap_or_default(), self.look)
    }
}

/// How a row goes on from the one above it, for copying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Join {
    /// It is a line of its own.
    #[default]
    Break,
    /// The line went on after a space.
    Space,
    /// The line went on in the middle of a word.
    Glue,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its texts, from the left.
    pub spans: Vec<Span>,
    /// How it goes on from the row above it.
    pub join: Join,
    /// The role whose background fills the row to its end.
    pub fill: Option<Role>,
}

impl Line {
    /// A row of one text.
    pub fn of(text: &str, look: impl Into<Look>) -> Line {
        Line::from(vec![Span::new(text, look)])
    }

    /// How many cells it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// All of its text, decorations included.
    pub fn text(&self) -> String {
        self.spans.iter().map(Span::text).collect()
    }

    /// Its text without decorations.
    pub fn content(&self) -> String {
        let spans = self.spans.iter().filter(|span| !span.look.is_decoration());
        spans.map(Span::text).collect()
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Line {
        Line { spans, ..Line::default() }
    }
}
