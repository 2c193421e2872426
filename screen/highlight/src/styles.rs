//! Style sheets: CSS, SCSS and Less.
//!
//! A word before a `:` is a property or a selector with a state; what ends the line decides, as the
//! lexer sees no further.

use crate::Token;
use crate::line::{Line, head};

/// The state between lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Styles {
    comment: bool,
    /// Open braces.
    depth: u32,
    place: Place,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Where a rule or a property begins.
    #[default]
    Start,
    /// After the `:` of a property.
    Value,
    /// After `@name`.
    AtRule,
}

const RULES: &[&str] = &["and", "or", "not", "only", "from", "to", "in", "if", "else", "through"];

impl Styles {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        // A property ends with a `;`, a rule begins with a `{`: what the line has last is what it is.
        let text = line.text();
        let list = self.depth == 0 && text.trim_end().ends_with(',');
        let rules = if list { text.len() } else { text.rfind('{').map_or(0, |at| at + 1) };
        while !line.done() {
            let before = line.position();
            if self.comment {
                let end = line.rest().find("*/").map(|end| end + 2);
                line.take(end.unwrap_or(line.rest().len()), Token::Comment);
                self.comment = end.is_none();
            } else {
                let selects = line.position() < rules;
                self.part(line, selects);
            }
            if line.position() == before {
                line.take_char(Token::Plain);
            }
        }
    }

    fn part(&mut self, line: &mut Line<'_>, selects: bool) {
        line.blanks();
        let rest = line.rest();
        let Some(c) = rest.chars().next() else { return };
        let value = self.place != Place::Start;
        let name = name_length(rest.get(c.len_utf8()..).unwrap_or(""));
        match c {
            '/' if rest.starts_with("/*") => {
                self.comment = true;
                line.take(2, Token::Comment);
            }
            '/' if rest.starts_with("//") && line.previous() != Some(':') => {
                line.take_rest(Token::Comment);
            }
            '"' | '\'' => string(line, c),
            '{' => {
                self.depth = self.depth.saturating_add(1);
                self.place = Place::Start;
                line.take_char(Token::Punctuation);
            }
            '}' => {
                self.depth = self.depth.saturating_sub(1);
                self.place = Place::Start;
                line.take_char(Token::Punctuation);
            }
            ';' => {
                self.place = Place::Start;
                line.take_char(Token::Punctuation);
            }
            '@' if name > 0 => {
                self.place = Place::AtRule;
                line.take(1 + name, Token::Keyword);
            }
            '$' if name > 0 => line.take(1 + name, Token::Variable),
            '!' if name > 0 => line.take(1 + name, Token::Keyword),
            '#' if rest.starts_with("#{") => line.take_char(Token::Punctuation),
            '#' if name > 0 => {
                line.take(1 + name, if value { Token::Number } else { Token::Constant });
            }
            '.' if name > 0 && !rest.starts_with(|c: char| c.is_ascii_digit()) && !value => {
                line.take(1 + name, Token::Type);
            }
            ':' if !value && selects && is_state(rest) => {
                line.take_while(Token::Attribute, |c| c == ':');
                line.take(name_length(line.rest()), Token::Attribute);
            }
            ':' => {
                if self.place == Place::Start {
                    self.place = Place::Value;
                }
                line.take_while(Token::Punctuation, |c| c == ':');
            }
            '-' if rest.starts_with("--") && name > 1 => {
                line.take(1 + name, if value { Token::Variable } else { Token::Property });
            }
            _ if is_number(rest) => {
                line.take_while(Token::Number, |c| {
                    c.is_ascii_alphanumeric() || matches!(c, '.' | '%' | '-' | '+')
                });
            }
            _ if is_name(c) => self.word(line, selects),
            '(' | ')' | '[' | ']' | ',' => line.take_char(Token::Punctuation),
            '>' | '+' | '~' | '*' | '=' | '&' | '|' | '^' | '/' | '%' | '-' | '<' => {
                line.take_char(Token::Operator);
            }
            _ => line.take_char(Token::Plain),
        }
    }

    fn word(&mut self, line: &mut Line<'_>, selects: bool) {
        let rest = line.rest();
        let word = rest.get(..name_length(rest)).unwrap_or("");
        let after = rest.get(word.len()..).unwrap_or("");
        let token = if after.starts_with('(') {
            Token::Function
        } else if self.place == Place::AtRule || self.place == Place::Value {
            let feature = after.trim_start().starts_with(':');
            match () {
                () if feature => Token::Property,
                () if RULES.contains(&word) => Token::Keyword,
                () => Token::Plain,
            }
        } else if after.trim_start().starts_with(':') && !selects {
            Token::Property
        } else {
            Token::Tag
        };
        line.take(word.len(), token);
    }
}

fn string(line: &mut Line<'_>, quote: char) {
    line.take_char(Token::String);
    while let Some(c) = line.peek() {
        if c == '\\' {
            line.take(2, Token::Escape);
        } else {
            line.take_char(Token::String);
            if c == quote {
                return;
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn name_length(text: &str) -> usize {
    head(text, is_name).len()
}

/// `:hover`, `::before`.
fn is_state(text: &str) -> bool {
    text.trim_start_matches(':').starts_with(char::is_alphabetic)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = digits.strip_prefix('.').unwrap_or(digits);
    digits.starts_with(|c: char| c.is_ascii_digit())
}
