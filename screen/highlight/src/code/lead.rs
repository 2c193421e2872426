//! The ends of a line of code: what means something only there.
//!
//! Owns instructions to a compiler, attributes that stand on a line of their own, titles and keys of
//! settings, and what a line's end closes.

use super::dialect::{Escape, Quirk, Span};
use super::{Code, Frame, Last};
use crate::Token;
use crate::line::{Line, head};

impl Code {
    /// Takes what only the start of a line can have.
    pub(super) fn lead(&mut self, line: &mut Line<'_>) {
        if !self.frames.is_empty() {
            return;
        }
        let dialect = self.dialect;
        let start = line.text().trim_start();
        let indent = line.text().len() - start.len();
        if dialect.has(Quirk::Preprocessor) && start.starts_with('#') {
            return preprocessor(line, indent);
        }
        if dialect.has(Quirk::BracketAttributes)
            && start.strip_prefix('[').is_some_and(|name| name.starts_with(char::is_uppercase))
            && let Some(end) = start.find(']')
        {
            line.blanks();
            return line.take(end + 1, Token::Attribute);
        }
        if dialect.has(Quirk::Sections) && self.last == Last::Open && indent == 0 {
            section(line);
        }
        if dialect.has(Quirk::KeysBeforeEquals) {
            self.key(line, start);
        }
    }

    /// A key of settings, and its value where that is text as it is.
    fn key(&mut self, line: &mut Line<'_>, start: &str) {
        let name = head(start, |c| c.is_alphanumeric() || "_-.\"'/ ".contains(c));
        let after = start.get(name.len()..).unwrap_or("");
        let colon = self.dialect.has(Quirk::TextValues) && after.starts_with(':');
        if name.trim_end().is_empty()
            || !(colon || after.starts_with('=') && !after.starts_with("=="))
        {
            return;
        }
        line.blanks();
        if let Some(exported) = name.strip_prefix("export ") {
            line.take(name.len() - exported.len(), Token::Keyword);
            line.take(exported.trim_end().len(), Token::Property);
        } else {
            line.take(name.trim_end().len(), Token::Property);
        }
        line.blanks();
        line.take_char(Token::Operator);
        self.last = Last::Open;
        line.blanks();
        let quoted = line.peek().is_some_and(|c| matches!(c, '"' | '\''));
        if self.dialect.has(Quirk::TextValues) && !quoted {
            value(line);
        }
    }

    /// Closes what ends with its line.
    pub(super) fn end_line(&mut self, line: &Line<'_>) {
        self.expects = None;
        if self.dialect.has(Quirk::Sections) && self.frames.is_empty() {
            // A list goes on after a comma or a bracket; a title cannot stand there.
            let text = line.text().trim_end();
            self.last = if text.ends_with([',', '[', '{']) { Last::Value } else { Last::Open };
        }
        let ended = self.frames.iter().position(
            |frame| matches!(frame, Frame::Text { quote, .. } if quote.span == Span::Line),
        );
        if let Some(at) = ended {
            let innermost = at + 1 == self.frames.len();
            let backslash = matches!(
                self.frames.get(at),
                Some(Frame::Text { quote, .. }) if quote.escape == Escape::Backslash
            );
            if !(innermost && backslash && line.text().ends_with('\\')) {
                self.frames.truncate(at);
                self.last = Last::Value;
            }
        }
    }
}

/// `#include <file>` and its like: the word, then code, with the file as text.
fn preprocessor(line: &mut Line<'_>, indent: usize) {
    line.take(indent, Token::Plain);
    line.take_char(Token::Attribute);
    line.take_while(Token::Attribute, |c| matches!(c, ' ' | '\t'));
    let name = line.take_while(Token::Attribute, char::is_alphanumeric);
    if matches!(name, "include" | "import" | "include_next") {
        line.blanks();
        if line.starts("<") {
            let len = line.rest().find('>').map_or(line.rest().len(), |end| end + 1);
            line.take(len, Token::String);
        }
    }
}

fn section(line: &mut Line<'_>) {
    let text = line.text();
    let len = head(text, |c| c == '[').len();
    let Some(name) = text.get(len..).filter(|_| len > 0) else { return };
    let Some(end) = name.find(']') else { return };
    let bare = name.get(..end).unwrap_or("");
    let after = name.get(end..).unwrap_or("").trim_start_matches(']').trim_start();
    if bare.contains(',')
        || bare.starts_with(['"', '\''])
        || !(after.is_empty() || after.starts_with(['#', ';']))
    {
        return;
    }
    line.take(len + end, Token::Heading);
    line.take_while(Token::Heading, |c| c == ']');
}

/// A value that is text unless it is a number or a switch.
fn value(line: &mut Line<'_>) {
    let comment = line.rest().find(" #").or_else(|| line.rest().find(" ;"));
    let value = line.rest().get(..comment.unwrap_or(line.rest().len())).unwrap_or("").trim_end();
    let token = match value.to_ascii_lowercase().as_str() {
        "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "none" => Token::Constant,
        _ if value.parse::<f64>().is_ok() => Token::Number,
        _ => Token::String,
    };
    line.take(value.len(), token);
}
