//! Lua table literals, read as data.
//!
//! A manifest has to be known before anything runs, so it is never given to Lua: this reads the
//! literal part of the language and refuses the rest, with the place. Size and depth are bounded;
//! no text makes it panic. Called by [`super::field::Format`].

mod number;
mod text;

use super::field::{Field, MAX_SIZE, SyntaxError, position, too_large};
use serde_json::{Map, Value};

/// The deepest nesting of tables.
pub const MAX_DEPTH: usize = 64;

pub(super) const DATA: &str = "a manifest is data and is read without running it: it holds strings, numbers, \
                    true, false, nil and tables, no calls, operators or variables";

/// Words that Lua does not take for the name of a field.
const RESERVED: [&str; 22] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Reads one literal, with or without `return` before it. A table is a list if its entries have no
/// names and an object otherwise; an empty one is an object, and `nil` is null.
///
/// # Errors
/// Anything that is not a literal, and text beyond the bounds.
pub fn read(text: &str) -> Result<Value, SyntaxError> {
    let mut reader = Reader::begin(text)?;
    let value = reader.value(0)?;
    reader.end()?;
    Ok(value)
}

/// Reads a table's named fields, each with its line.
///
/// # Errors
/// As [`read`]; also a literal that is no table, or a table with nameless entries.
pub fn read_fields(text: &str) -> Result<Vec<Field>, SyntaxError> {
    let mut reader = Reader::begin(text)?;
    if reader.peek() != Some(b'{') {
        return Err(reader.error(format!("a manifest is one table `{{ … }}`; {DATA}")));
    }
    let entries = reader.table(0)?;
    reader.end()?;
    entries
        .into_iter()
        .map(|entry| match entry.name {
            Some(name) => {
                let line = position(text, entry.at).0;
                Ok(Field { name, line, value: entry.value })
            }
            None => Err(error_at(
                text,
                entry.at,
                "this entry has no name; a manifest's fields are written `name = value`".to_owned(),
            )),
        })
        .collect()
}

struct Entry {
    /// The name, if it has one.
    name: Option<String>,
    /// Where it begins.
    at: usize,
    value: Value,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

fn error_at(text: &str, at: usize, message: String) -> SyntaxError {
    let (line, column) = position(text, at);
    SyntaxError { line, column, message }
}

impl<'t> Reader<'t> {
    fn begin(text: &'t str) -> Result<Self, SyntaxError> {
        let mut reader = Reader { text, at: 0 };
        if text.len() > MAX_SIZE {
            return Err(reader.error(too_large()));
        }
        if text.starts_with('\u{feff}') {
            reader.at = '\u{feff}'.len_utf8();
        }
        reader.skip_blank()?;
        if reader.word() == Some("return") {
            reader.at += "return".len();
            reader.skip_blank()?;
        }
        Ok(reader)
    }

    fn end(&mut self) -> Result<(), SyntaxError> {
        self.skip_blank()?;
        if self.peek() == Some(b';') {
            self.at += 1;
            self.skip_blank()?;
        }
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error(format!("nothing may follow the table; {DATA}"))),
        }
    }

    fn error(&self, message: String) -> SyntaxError {
        error_at(self.text, self.at, message)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// The identifier or reserved word here.
    fn word(&self) -> Option<&'t str> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        rest.get(..end).filter(|word| !word.is_empty() && !word.as_bytes()[0].is_ascii_digit())
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(b'-') if self.peek_at(1) == Some(b'-') => {
                    let start = self.at;
                    self.at += 2;
                    match self.long_bracket() {
                        Some(level) => {
                            self.long_text(level, start)?;
                        }
                        None => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        match self.peek() {
            Some(b'{') => {
                let at = self.at;
                let entries = self.table(depth)?;
                from_entries(entries).map_err(|message| error_at(self.text, at, message.to_owned()))
            }
            Some(quote @ (b'"' | b'\'')) => self.short_text(quote).map(Value::String),
            Some(b'[') => {
                let start = self.at;
                match self.long_bracket() {
                    Some(level) => self.long_text(level, start).map(Value::String),
                    None => Err(self.error(format!("a value is expected here; {DATA}"))),
                }
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'.') if self.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()) => {
                self.number()
            }
            Some(_) => {
                let (value, length) = match self.word() {
                    Some("true") => (Value::Bool(true), 4),
                    Some("false") => (Value::Bool(false), 5),
                    Some("nil") => (Value::Null, 3),
                    Some(word) => {
                        return Err(self.error(format!("`{word}` is not a value; {DATA}")));
                    }
                    None => return Err(self.error(format!("a value is expected here; {DATA}"))),
                };
                self.at += length;
                Ok(value)
            }
            None => Err(self.error("the text ends where a value is expected".to_owned())),
        }
    }

    fn table(&mut self, depth: usize) -> Result<Vec<Entry>, SyntaxError> {
        if depth >= MAX_DEPTH {
            return Err(self.error(format!("tables are nested more than {MAX_DEPTH} deep")));
        }
        let opened = position(self.text, self.at).0;
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(entries);
                }
                None => {
                    return Err(self.error(format!("the table of line {opened} is not closed")));
                }
                Some(_) => {}
            }
            let at = self.at;
            let name = self.key(depth)?;
            if let Some(name) = &name
                && entries.iter().any(|entry| entry.name.as_ref() == Some(name))
            {
                return Err(error_at(self.text, at, format!("`{name}` stands here twice")));
            }
            let value = self.value(depth + 1)?;
            entries.push(Entry { name, at, value });
            self.skip_blank()?;
            match self.peek() {
                Some(b',' | b';') => self.at += 1,
                Some(b'}') => {}
                None => {
                    return Err(self.error(format!("the table of line {opened} is not closed")));
                }
                Some(_) => {
                    return Err(self.error(format!("`,` or `}}` is expected here; {DATA}")));
                }
            }
        }
    }

    /// The `name =` or `["name"] =` before a value, if there is one.
    fn key(&mut self, depth: usize) -> Result<Option<String>, SyntaxError> {
        let begin = self.at;
        let name = match (self.peek(), self.peek_at(1)) {
            (Some(b'['), Some(b'[' | b'=')) => return Ok(None),
            (Some(b'['), _) => {
                self.at += 1;
                self.skip_blank()?;
                let key = self.value(depth + 1)?;
                self.skip_blank()?;
                let Value::String(name) = key else {
                    return Err(error_at(
                        self.text,
                        begin,
                        "names of fields are strings; lists are written without keys".to_owned(),
                    ));
                };
                if self.peek() != Some(b']') {
                    return Err(self.error(format!("`]` is expected here; {DATA}")));
                }
                self.at += 1;
                name
            }
            _ => match self.word() {
                Some(word) if !RESERVED.contains(&word) => {
                    self.at += word.len();
                    word.to_owned()
                }
                _ => return Ok(None),
            },
        };
        self.skip_blank()?;
        if self.peek() == Some(b'=') && self.peek_at(1) != Some(b'=') {
            self.at += 1;
            self.skip_blank()?;
            Ok(Some(name))
        } else {
            Err(error_at(self.text, begin, format!("`{name}` is not a value; {DATA}")))
        }
    }
}

fn from_entries(entries: Vec<Entry>) -> Result<Value, &'static str> {
    if entries.iter().all(|entry| entry.name.is_none()) && !entries.is_empty() {
        return Ok(Value::Array(entries.into_iter().map(|entry| entry.value).collect()));
    }
    entries
        .into_iter()
        .map(|entry| entry.name.map(|name| (name, entry.value)))
        .collect::<Option<Map<String, Value>>>()
        .map(Value::Object)
        .ok_or("this table has both named and nameless entries; use one kind")
}

#[cfg(test)]
mod tests;
