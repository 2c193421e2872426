//! The fields of a manifest as they stand in a file, and which reader a file's suffix calls for.
//!
//! It knows syntax only; what the fields mean is [`super::manifest`]'s affair. All readers give the
//! same fields with their lines, so that every later error can name the place.

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// The largest manifest, in bytes.
pub const MAX_SIZE: usize = 64 * 1024;

/// One field of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name as it is written.
    pub name: String,
    /// The line where it stands, from 1.
    pub line: u32,
    /// Its value.
    pub value: Value,
}

/// Text that cannot be read as a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong there, and what to do.
    pub message: String,
}

/// How a manifest file is written. A new language joins here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `manifest.json`.
    Json,
    /// `manifest.lua`: a table literal.
    Lua,
    /// `manifest.fnl`: a table literal.
    Fennel,
}

impl Format {
    /// The manifest files that a folder may hold; it holds one of them at most.
    pub const FILES: [(&'static str, Format); 3] = [
        ("manifest.json", Format::Json),
        ("manifest.lua", Format::Lua),
        ("manifest.fnl", Format::Fennel),
    ];

    /// How the comments of a source file with this suffix are written.
    pub fn of_comments(suffix: &str) -> Format {
        if suffix == "fnl" { Format::Fennel } else { Format::Lua }
    }

    /// Reads a manifest file's fields, in the order of the file.
    ///
    /// # Errors
    /// Text that is too large, is not of this format, or is not a table of named fields.
    pub fn read(self, text: &str) -> Result<Vec<Field>, SyntaxError> {
        let at_start = |message| SyntaxError { line: 1, column: 1, message };
        if text.len() > MAX_SIZE {
            return Err(at_start(too_large()));
        }
        match self {
            Format::Json => read_json(text),
            Format::Lua => super::literal::read_fields(text),
            Format::Fennel => super::fennel_literal::read_fields(text),
        }
    }
}

pub(super) fn too_large() -> String {
    format!("the manifest is larger than {} KiB; shorten it", MAX_SIZE / 1024)
}

/// Line and column, both from 1, of a byte offset that lies between two characters.
pub(super) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (small(line), small(column))
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn read_json(text: &str) -> Result<Vec<Field>, SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let syntax = |error: serde_json::Error| {
        let message = error.to_string();
        // The position is given beside the message, so it is cut off the message's end.
        let end = message.rfind(" at line ").unwrap_or(message.len());
        SyntaxError {
            line: small(error.line()).max(1),
            column: small(error.column()).max(1),
            message: format!("this is not JSON: {}", &message[..end]),
        }
    };
    let whole: Value = serde_json::from_str(text).map_err(syntax)?;
    if !whole.is_object() {
        let got = fen_contract::validate::describe(&whole);
        let message = format!("a manifest is an object with fields, got a {got}");
        return Err(SyntaxError { line: 1, column: 1, message });
    }
    let fields =
        serde_json::Deserializer::from_str(text).deserialize_map(RawFields).map_err(syntax)?;
    fields
        .into_iter()
        .map(|(name, raw)| {
            // The raw value is a piece of `text`, so the distance between the two is its offset.
            let offset = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let value = serde_json::from_str(raw.get()).map_err(syntax)?;
            Ok(Field { name, line: position(text, offset).0, value })
        })
        .collect()
}

/// Takes an object apart into pieces of the text, and keeps names that stand there twice.
struct RawFields;

impl<'de> Visitor<'de> for RawFields {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the manifest's fields")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_fields_know_their_lines() {
        let fields = Format::Json.read("{\n \"name\": \"x\",\n\n \"hooks\":\n true }").unwrap();
        let seen: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.line)).collect();
        assert_eq!(seen, [("name", 2), ("hooks", 5)]);
    }

    #[test]
    fn json_that_is_no_object_or_no_json_says_so() {
        let error = Format::Json.read("[1]").unwrap_err().to_string();
        assert_eq!(error, "1:1: a manifest is an object with fields, got a list");
        let error = Format::Json.read("{\n\"name\": }").unwrap_err();
        assert_eq!((error.line, error.column), (2, 9));
        assert!(error.message.starts_with("this is not JSON: expected value"), "{error}");
        assert!(!error.message.contains("at line"));
    }

    #[test]
    fn a_huge_manifest_is_not_read() {
        for (_, format) in Format::FILES {
            let error = format.read(&" ".repeat(MAX_SIZE + 1)).unwrap_err();
            assert!(error.message.contains("larger than 64 KiB"));
        }
    }
}
