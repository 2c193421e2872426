//! YAML: keys, values, block text, anchors and tags.
//!
//! Indentation decides what belongs to block text; nothing else of the structure is needed for
//! colours.

use crate::Token;
use crate::line::{Line, head};

/// The state between lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Yaml {
    /// Block text goes on while lines are indented more than this.
    block: Option<usize>,
    /// A quoted text that has not ended.
    quote: Option<char>,
    /// Open brackets of lists and maps on one line.
    flow: u32,
}

impl Yaml {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        let indent = text.len() - text.trim_start_matches(' ').len();
        if let Some(block) = self.block {
            if indent > block || text.trim().is_empty() {
                return line.take_rest(Token::String);
            }
            self.block = None;
        }
        if let Some(quote) = self.quote {
            self.quoted(line, quote, Token::String);
        } else if text.starts_with("---") || text.starts_with("...") || text.starts_with('%') {
            line.take_while(Token::Punctuation, |c| matches!(c, '-' | '.'));
        }
        // Marks of lists stand before everything else.
        while self.quote.is_none() && is_mark(line.rest().trim_start()) {
            line.blanks();
            line.take_char(Token::Punctuation);
        }
        while !line.done() {
            let before = line.position();
            self.item(line, indent);
            if line.position() == before {
                line.take_char(Token::Plain);
            }
        }
    }

    fn item(&mut self, line: &mut Line<'_>, indent: usize) {
        line.blanks();
        let rest = line.rest();
        let Some(c) = rest.chars().next() else { return };
        let apart = line.previous().is_none_or(|c| c.is_whitespace() || "[{,".contains(c));
        let blank_next = line.second().is_none_or(char::is_whitespace);
        match c {
            '#' if apart => line.take_rest(Token::Comment),
            '[' | '{' => {
                self.flow = self.flow.saturating_add(1);
                line.take_char(Token::Punctuation);
            }
            ']' | '}' => {
                self.flow = self.flow.saturating_sub(1);
                line.take_char(Token::Punctuation);
            }
            ',' if self.flow > 0 => line.take_char(Token::Punctuation),
            ':' if blank_next || self.flow > 0 => line.take_char(Token::Punctuation),
            '"' | '\'' if apart => {
                let key = is_quoted_key(rest, c);
                let token = if key { Token::Property } else { Token::String };
                line.take_char(token);
                self.quoted(line, c, token);
            }
            '&' | '*' if apart && !blank_next => {
                line.take_while(Token::Variable, |c| !c.is_whitespace() && !",]}".contains(c));
            }
            '!' if apart => {
                line.take_while(Token::Type, |c| !c.is_whitespace() && !",]}".contains(c));
            }
            '|' | '>' if apart && is_block(rest) => {
                self.block = Some(indent);
                line.take_while(Token::Operator, |c| !c.is_whitespace());
            }
            _ => self.plain(line),
        }
    }

    /// A word or more without quotes: a key if a `:` follows, otherwise a value.
    fn plain(&self, line: &mut Line<'_>) {
        let rest = line.rest();
        let mut end = rest.len();
        let mut before = ' ';
        let mut key = false;
        for (at, c) in rest.char_indices() {
            let next = rest.get(at + c.len_utf8()..).unwrap_or("").chars().next();
            let ends = next.is_none_or(char::is_whitespace);
            if c == ':' && (ends || self.flow > 0 && next.is_some_and(|c| ",]}".contains(c))) {
                end = at;
                key = true;
                break;
            }
            if (c == '#' && before.is_whitespace()) || (self.flow > 0 && ",]}".contains(c)) {
                end = at;
                break;
            }
            before = c;
        }
        let value = rest.get(..end).unwrap_or("").trim_end();
        let token = match value {
            _ if key => Token::Property,
            "true" | "false" | "True" | "False" | "yes" | "no" | "on" | "off" | "null" | "~" => {
                Token::Constant
            }
            _ if is_number(value) => Token::Number,
            _ => Token::String,
        };
        line.take(value.len(), token);
    }

    /// The rest of a quoted text, as far as it is on this line.
    fn quoted(&mut self, line: &mut Line<'_>, quote: char, token: Token) {
        self.quote = Some(quote);
        while let Some(c) = line.peek() {
            let escapes = match quote {
                '"' => c == '\\',
                _ => c == quote && line.second() == Some(quote),
            };
            if escapes {
                line.take(2, Token::Escape);
            } else {
                line.take_char(token);
                if c == quote {
                    self.quote = None;
                    return;
                }
            }
        }
    }
}

/// `- ` of a list and `? ` of a key.
fn is_mark(text: &str) -> bool {
    text.strip_prefix(['-', '?'])
        .is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace))
}

fn is_quoted_key(text: &str, quote: char) -> bool {
    let inside = text.get(1..).unwrap_or("");
    inside.find(quote).is_some_and(|end| {
        inside.get(end + 1..).is_some_and(|after| after.trim_start().starts_with(':'))
    })
}

/// `|`, `>-`, `|2+`, with nothing but a comment after it.
fn is_block(text: &str) -> bool {
    let mark = head(text, |c| !c.is_whitespace());
    let after = text.get(mark.len()..).unwrap_or("").trim_start();
    mark.chars().skip(1).all(|c| matches!(c, '-' | '+') || c.is_ascii_digit())
        && (after.is_empty() || after.starts_with('#'))
}

fn is_number(value: &str) -> bool {
    let digits = value.trim_start_matches(['-', '+']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_hexdigit() || "._:xoTZ+-".contains(c))
}
