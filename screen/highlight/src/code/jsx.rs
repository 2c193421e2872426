//! Elements where a value may stand, as JSX has them: tags, attributes, children, code in braces.

use super::dialect::{Escape, Quote, Span};
use super::{Code, Frame, Last, Named};
use crate::Token;
use crate::line::{Line, head};

/// The value of an attribute: no escapes, any number of lines.
static VALUES: [Quote; 2] = [
    Quote { escape: Escape::None, span: Span::Lines, ..Quote::DOUBLE },
    Quote { escape: Escape::None, span: Span::Lines, ..Quote::SINGLE },
];

impl Code {
    /// `<` where a value may begin: the start of an element, unless it can only be a type parameter.
    pub(super) fn begin_element(&mut self, line: &mut Line<'_>) -> bool {
        let inside = line.rest().get(1..).unwrap_or("");
        let name = head(inside, is_name);
        let after = inside.get(name.len()..).unwrap_or("");
        let fragment = name.is_empty() && after.starts_with('>');
        let generic = after.starts_with(',') || after.trim_start().starts_with("extends ");
        if self.last == Last::Value
            || generic
            || !(fragment || name.starts_with(char::is_alphabetic))
        {
            return false;
        }
        let opened = self.push(Frame::Element { named: Named::Not });
        if opened {
            line.take_char(Token::Punctuation);
        }
        opened
    }

    /// Inside a tag, opening or closing.
    pub(super) fn element(&mut self, line: &mut Line<'_>) {
        line.blanks();
        let Some(c) = line.peek() else { return };
        let ending = matches!(self.frames.last(), Some(Frame::ElementEnd));
        if line.starts("/>") && !ending {
            line.take(2, Token::Punctuation);
            self.frames.pop();
            self.last = Last::Value;
        } else if c == '>' {
            line.take_char(Token::Punctuation);
            self.frames.pop();
            if ending {
                // The children that this tag ends.
                self.frames.pop();
                self.last = Last::Value;
            } else {
                self.frames.push(Frame::Children);
            }
        } else if c == '{' {
            self.brace(line);
        } else if let Some(quote) = VALUES.iter().find(|quote| line.starts(quote.open)) {
            if self.push(Frame::Text { quote, hashes: 0, token: Token::String }) {
                line.take_char(Token::String);
            }
        } else if is_name(c) {
            let unnamed = matches!(self.frames.last(), Some(Frame::Element { named: Named::Not }));
            let tag = ending || unnamed;
            line.take_while(if tag { Token::Tag } else { Token::Attribute }, is_name);
            if let Some(Frame::Element { named }) = self.frames.last_mut() {
                *named = Named::Yes;
            }
        } else {
            line.take_char(if c == '=' { Token::Operator } else { Token::Punctuation });
        }
    }

    /// Between tags.
    pub(super) fn children(&mut self, line: &mut Line<'_>) {
        if line.starts("</") {
            if self.push(Frame::ElementEnd) {
                line.take(2, Token::Punctuation);
            }
        } else if line.starts("{") {
            self.brace(line);
        } else if line.starts("<") {
            self.last = Last::Open;
            self.begin_element(line);
        } else {
            line.take_while(Token::Plain, |c| !matches!(c, '<' | '{'));
        }
    }

    fn brace(&mut self, line: &mut Line<'_>) {
        if self.push(Frame::Hole { open: '{', close: '}', depth: 0 }) {
            line.take_char(Token::Punctuation);
            self.last = Last::Open;
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '$')
}
