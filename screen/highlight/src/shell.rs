//! Shells: commands, options, variables, quotes, substitutions and here-documents.
//!
//! Where a command may stand decides what a word is, so this is a lexer of its own. Used for bash and
//! its relatives, fish, and the commands inside makefiles, Dockerfiles and consoles.

use crate::Token;
use crate::code::variable_length;
use crate::line::{Line, head};

/// Nothing opens deeper than this.
const MAX_DEPTH: usize = 32;
/// The word at the end of a here-document; a longer one is not taken for one.
const MAX_WORD: usize = 64;
/// Here-documents that one line may announce.
const MAX_DOCUMENTS: usize = 8;

const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "in", "function", "select", "time", "coproc", "return", "break", "continue", "exit", "local",
    "export", "declare", "typeset", "readonly", "unset", "source", "eval", "exec", "trap", "shift",
    "set", "begin", "end", "switch", "and", "or", "not", "!", "{", "}", "[[", "]]",
];

/// Words after which a command follows at once.
const LEADS: &[&str] = &[
    "if", "then", "else", "elif", "while", "until", "do", "time", "eval", "exec", "begin", "and",
    "or", "not", "!", "{", "sudo", "env", "xargs", "nohup", "command", "builtin",
];

/// The state between lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shell {
    frames: Vec<Frame>,
    /// Documents that begin after this line, the first one last.
    documents: Vec<Document>,
    inside: Option<Document>,
    /// The line before ended with a `\`, so this one begins with an argument.
    continued: bool,
}

#[derive(Clone, Debug)]
enum Frame {
    /// `"..."`
    Double,
    /// `'...'`; with escapes if it began with a `$`.
    Single { escapes: bool },
    /// `$(...)`, and how many parentheses are open inside.
    Substitution { depth: u32 },
}

#[derive(Clone, Debug)]
struct Document {
    word: String,
    /// Whether variables are replaced inside.
    literal: bool,
}

/// What a word may be where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Command,
    Argument,
    /// After `function`.
    Definition,
    /// In what a name is set to; a blank ends it.
    Value,
}

impl Shell {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        if let Some(document) = &self.inside {
            if line.rest().trim() == document.word {
                line.take_rest(Token::Keyword);
                self.inside = self.documents.pop();
            } else if document.literal {
                line.take_rest(Token::String);
            } else {
                document_line(line);
            }
            return;
        }
        let mut place = if self.continued { Place::Argument } else { Place::Command };
        while !line.done() {
            let before = line.position();
            match self.frames.last() {
                Some(Frame::Double) => place = self.double(line, place),
                Some(&Frame::Single { escapes }) => self.single(line, escapes),
                None | Some(Frame::Substitution { .. }) => place = self.command(line, place),
            }
            if line.position() == before {
                line.take_char(Token::Plain);
            }
        }
        self.continued = self.frames.is_empty() && line.text().ends_with('\\');
        self.documents.reverse();
        self.inside = self.documents.pop();
    }

    fn push(&mut self, frame: Frame) -> bool {
        let fits = self.frames.len() < MAX_DEPTH;
        if fits {
            self.frames.push(frame);
        }
        fits
    }

    fn command(&mut self, line: &mut Line<'_>, place: Place) -> Place {
        let blanks = line.take_while(Token::Plain, char::is_whitespace);
        let ended = place == Place::Value && !blanks.is_empty();
        let place = if ended { Place::Command } else { place };
        let Some(c) = line.peek() else { return place };
        let apart = line.previous().is_none_or(|c| c.is_whitespace() || "();&|".contains(c));
        match c {
            '#' if apart => line.take_rest(Token::Comment),
            '"' => self.quote(line, Frame::Double, 1),
            '\'' => self.quote(line, Frame::Single { escapes: false }, 1),
            '$' if line.starts("$'") => self.quote(line, Frame::Single { escapes: true }, 2),
            '$' if line.starts("$(") => return self.substitution(line),
            '$' => dollar(line),
            '`' => {
                line.take_char(Token::Punctuation);
                return Place::Command;
            }
            '\\' => line.take(2, Token::Escape),
            '<' if line.starts("<<") => self.announce(line),
            '<' | '>' => redirect(line),
            '&' if line.starts("&>") => redirect(line),
            '|' | '&' | ';' => {
                line.take_char(Token::Operator);
                return Place::Command;
            }
            '(' => {
                if let Some(Frame::Substitution { depth }) = self.frames.last_mut() {
                    *depth = depth.saturating_add(1);
                }
                line.take_char(Token::Punctuation);
                return Place::Command;
            }
            ')' => {
                let closes = match self.frames.last_mut() {
                    Some(Frame::Substitution { depth: 0 }) => true,
                    Some(Frame::Substitution { depth }) => {
                        *depth -= 1;
                        false
                    }
                    _ => false,
                };
                line.take_char(Token::Punctuation);
                if closes {
                    self.frames.pop();
                    return Place::Argument;
                }
                return Place::Command;
            }
            _ => return word(line, place),
        }
        if place == Place::Value { Place::Value } else { Place::Argument }
    }

    fn quote(&mut self, line: &mut Line<'_>, frame: Frame, len: usize) {
        if self.push(frame) {
            line.take(len, Token::String);
        }
    }

    fn substitution(&mut self, line: &mut Line<'_>) -> Place {
        if self.push(Frame::Substitution { depth: 0 }) {
            line.take(2, Token::Punctuation);
        }
        Place::Command
    }

    fn double(&mut self, line: &mut Line<'_>, place: Place) -> Place {
        while let Some(c) = line.peek() {
            match c {
                '"' => {
                    line.take_char(Token::String);
                    self.frames.pop();
                    return place;
                }
                '\\' => line.take(2, Token::Escape),
                '$' if line.starts("$(") => return self.substitution(line),
                '$' if variable_length(line.rest()).is_some() => dollar(line),
                _ => line.take_char(Token::String),
            }
        }
        place
    }

    fn single(&mut self, line: &mut Line<'_>, escapes: bool) {
        while let Some(c) = line.peek() {
            if c == '\\' && escapes {
                line.take(2, Token::Escape);
                continue;
            }
            line.take_char(Token::String);
            if c == '\'' {
                self.frames.pop();
                return;
            }
        }
    }

    /// `<<WORD`, `<<-'WORD'`; also `<<<`, which is only a sign.
    fn announce(&mut self, line: &mut Line<'_>) {
        let rest = line.rest();
        let after = rest.get(2..).unwrap_or("").trim_start_matches('-').trim_start_matches(' ');
        let name = after.trim_start_matches(['"', '\'', '\\']);
        let word = head(name, |c| c.is_alphanumeric() || c == '_');
        let known = !rest.starts_with("<<<")
            && !word.is_empty()
            && word.len() <= MAX_WORD
            && self.documents.len() < MAX_DOCUMENTS;
        if !known {
            line.take_while(Token::Operator, |c| c == '<');
            return;
        }
        let literal = name.len() < after.len();
        self.documents.push(Document { word: word.to_owned(), literal });
        line.take_while(Token::Operator, |c| matches!(c, '<' | '-'));
        line.blanks();
        let quotes = after.len() - name.len();
        line.take(word.len() + quotes, Token::Keyword);
        if line.peek().is_some_and(|c| matches!(c, '"' | '\'')) && literal {
            line.take_char(Token::Keyword);
        }
    }
}

fn document_line(line: &mut Line<'_>) {
    while let Some(c) = line.peek() {
        match c {
            '\\' => line.take(2, Token::Escape),
            '$' if variable_length(line.rest()).is_some() => dollar(line),
            _ => line.take_char(Token::String),
        }
    }
}

/// `>`, `>>`, `2>&1`, `&>`.
fn redirect(line: &mut Line<'_>) {
    line.take_while(Token::Operator, |c| matches!(c, '<' | '>' | '&' | '|'));
    line.take_while(Token::Number, |c| c.is_ascii_digit());
}

fn dollar(line: &mut Line<'_>) {
    match variable_length(line.rest()) {
        Some(len) => line.take(len, Token::Variable),
        None => line.take_char(Token::Plain),
    }
}

fn word(line: &mut Line<'_>, place: Place) -> Place {
    let word = head(line.rest(), |c| !c.is_whitespace() && !"|&;<>()\"'`$\\".contains(c));
    if place != Place::Command {
        let whole = line.previous().is_none_or(char::is_whitespace);
        let token = match word {
            _ if place == Place::Definition => Token::Function,
            "in" | "]]" | "]" | "do" | "then" if whole => Token::Keyword,
            _ if whole && word.len() > 1 && word.starts_with('-') => Token::Attribute,
            _ if whole && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                Token::Number
            }
            _ if matches!(word, "==" | "!=" | "=" | "=~" | "+") => Token::Operator,
            _ => Token::Plain,
        };
        line.take(word.len(), token);
        return match place {
            Place::Value => Place::Value,
            Place::Definition => Place::Command,
            _ if matches!(word, "do" | "then") && whole => Place::Command,
            _ => Place::Argument,
        };
    }
    if let Some(name) = assigned(word) {
        line.take(name.len(), Token::Variable);
        line.take_while(Token::Operator, |c| matches!(c, '+' | '='));
        let value = word.len() - name.len() - if word.contains("+=") { 2 } else { 1 };
        line.take(value, Token::Plain);
        return Place::Value;
    }
    let token = match word {
        _ if KEYWORDS.contains(&word) => Token::Keyword,
        _ if word.bytes().all(|b| b.is_ascii_digit()) => Token::Number,
        _ => Token::Function,
    };
    line.take(word.len(), token);
    match word {
        "function" => Place::Definition,
        _ if LEADS.contains(&word) => Place::Command,
        _ => Place::Argument,
    }
}

/// The name in `NAME=value` and `NAME+=value`.
fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let bare = name.split_once('[').map_or(name, |(bare, _)| bare);
    let named = bare.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    named.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_deeper_and_no_more_documents_wait_than_the_bounds_allow() {
        let mut shell = Shell::default();
        shell.line(&mut Line::new(&"\"$(".repeat(MAX_DEPTH * 2)));
        assert_eq!(shell.frames.len(), MAX_DEPTH);
        let mut shell = Shell::default();
        shell.line(&mut Line::new(&"cat <<A ".repeat(MAX_DOCUMENTS * 2)));
        assert_eq!(shell.documents.len() + 1, MAX_DOCUMENTS);
    }
}
