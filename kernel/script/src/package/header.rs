//! The manifest of a single file: `field: value` lines in the comment that begins it.
//!
//! Prose around the fields is passed over; a line that nearly is a field becomes a warning, so that
//! a slip of the pen does not silently take a capability away. It opens no file.

use super::field::{Field, Format};
use super::manifest::{FIELDS, ManifestError, REQUIRES_FIELDS, ScriptManifest, Warning};
use fen_contract::validate::nearest_name;
use serde_json::{Map, Value};

/// Reads the manifest in a source file's first comment block. A first line with `#!` and empty
/// lines before the block are skipped. `requires` is written `requires.lua:` and
/// `requires.programs:`; lists are separated by commas.
///
/// # Errors
/// A field with a value that it cannot have, or that stands there twice.
pub fn read(file: &str, format: Format, text: &str) -> Result<ScriptManifest, ManifestError> {
    let mut header = Header { file, fields: Vec::new(), requires: None, warnings: Vec::new() };
    for (line, comment) in comment_lines(format, text) {
        header.take(line, comment)?;
    }
    if let Some((line, parts)) = header.requires {
        let value = Value::Object(parts);
        header.fields.push(Field { name: "requires".to_owned(), line, value });
    }
    let mut manifest = ScriptManifest::from_fields(file, header.fields)?;
    manifest.warnings.extend(header.warnings);
    Ok(manifest)
}

struct Header<'f> {
    file: &'f str,
    fields: Vec<Field>,
    /// The line of the first part, and the parts.
    requires: Option<(u32, Map<String, Value>)>,
    warnings: Vec<Warning>,
}

impl Header<'_> {
    fn take(&mut self, line: u32, comment: &str) -> Result<(), ManifestError> {
        let Some((name, value)) = comment.split_once(':') else {
            self.warn_of_other_marks(line, comment);
            return Ok(());
        };
        let (name, value) = (name.trim(), value.trim());
        if let Some(part) = name.strip_prefix("requires.")
            && REQUIRES_FIELDS.contains(&part)
        {
            let parts = &mut self.requires.get_or_insert_with(|| (line, Map::new())).1;
            if parts.insert(part.to_owned(), list(value)).is_some() {
                let (file, field) = (self.file.to_owned(), name.to_owned());
                return Err(ManifestError::Twice { file, line, field });
            }
            return Ok(());
        }
        let kebab = name.replace('_', "-");
        match kebab.as_str() {
            "requires" => self
                .warn(line, "a header says `requires.lua: …` or `requires.programs: …`".to_owned()),
            "entry" => self.warn(line, "`entry` has no meaning in a single file".to_owned()),
            known if FIELDS.contains(&known) => {
                let value = value_of(known, value);
                self.fields.push(Field { name: kebab, line, value });
            }
            _ => {
                if let Some(meant) = nearly_a_field(&name.to_ascii_lowercase()) {
                    let message = format!("unknown field `{name}`; did you mean `{meant}`?");
                    self.warn(line, message);
                }
            }
        }
        Ok(())
    }

    /// `capabilities = { "fs" }` is how a manifest has it.
    fn warn_of_other_marks(&mut self, line: u32, comment: &str) {
        let Some((name, _)) = comment.split_once('=') else { return };
        let name = name.trim().replace('_', "-");
        if FIELDS.contains(&name.as_str()) {
            let message = format!("a header says `{name}: …`, with a colon and plain words");
            self.warn(line, message);
        }
    }

    fn warn(&mut self, line: u32, message: String) {
        self.warnings.push(Warning { file: self.file.to_owned(), line, message });
    }
}

/// The lines of the first comment block, without their comment marks.
fn comment_lines(format: Format, text: &str) -> impl Iterator<Item = (u32, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1_u32..)
        .zip(text.lines())
        .map(|(line, text)| (line, text.trim()))
        .skip_while(|(line, text)| text.is_empty() || (*line == 1 && text.starts_with("#!")))
        .map_while(move |(line, text)| Some((line, uncomment(format, text)?)))
}

fn uncomment(format: Format, line: &str) -> Option<&str> {
    match format {
        Format::Lua => {
            let comment = line.strip_prefix("--")?;
            // A comment in brackets is another thing: it may end anywhere.
            let level = comment.strip_prefix('[').map(|rest| rest.trim_start_matches('='));
            (!level.is_some_and(|rest| rest.starts_with('[')))
                .then(|| comment.trim_start_matches('-'))
        }
        Format::Fennel => line.starts_with(';').then(|| line.trim_start_matches(';')),
        Format::Json => None,
    }
}

fn value_of(field: &str, text: &str) -> Value {
    match field {
        "capabilities" | "overrides" => list(text),
        "enabled-by-default" | "hooks" => match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ if field == "hooks" => list(text),
            _ => Value::from(text),
        },
        _ => Value::from(text),
    }
}

fn list(text: &str) -> Value {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    Value::Array(items.map(Value::from).collect())
}

/// The field that is meant by a word that is none. Short words and words that begin with a capital
/// are prose, such as `Note:`.
fn nearly_a_field(name: &str) -> Option<&'static str> {
    let is_word = (5..=40).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let known = FIELDS.into_iter().chain(["requires.lua", "requires.programs"]);
    is_word.then(|| nearest_name(name, known)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::capability::Capability;
    use crate::package::manifest::Hooks;
    use crate::package::requires::Requires;

    fn lua(text: &str) -> Result<ScriptManifest, ManifestError> {
        read("x.lua", Format::Lua, text)
    }

    #[test]
    fn the_first_comment_block_says_what_a_manifest_says() {
        let manifest = lua("#!/usr/bin/env lua\n\n\
            -- name: word-count\n\
            --- Counts words: quickly. See https://example.org\n\
            -- description: Counts words: all of them\n\
            -- capabilities: fs, auth:some\n--\n\
            -- requires.programs: rg, jq\n\
            -- overrides: tool/bash\n\
            -- hooks: true\n\
            -- enabled_by_default: false\n\
            -- fen: >=0.1, <0.3\n\
            \n-- presenter: too-late\nreturn function() end\n")
        .unwrap();
        assert_eq!(
            manifest,
            ScriptManifest {
                name: Some("word-count".into()),
                description: "Counts words: all of them".into(),
                enabled_by_default: false,
                requires: Requires { lua: vec![], programs: vec!["rg".into(), "jq".into()] },
                capabilities: vec![Capability::Fs, Capability::Auth("some".into())],
                hooks: Hooks::Some,
                overrides: vec!["tool/bash".into()],
                fen: Some(">=0.1, <0.3".parse().unwrap()),
                ..ScriptManifest::default()
            }
        );
    }

    #[test]
    fn fennel_has_its_own_comments() {
        let text = "\u{feff};; name: x\n; hooks: before-tool\n(fn [api])";
        let manifest = read("x.fnl", Format::Fennel, text).unwrap();
        assert_eq!(manifest.name.as_deref(), Some("x"));
        assert_eq!(manifest.hooks, Hooks::Named(vec!["before-tool".into()]));
    }

    #[test]
    fn a_slip_of_the_pen_is_a_warning_and_prose_is_not() {
        let manifest = lua("-- Note: this is prose\n-- usage: /x\n-- todo: more\n\
            -- capabilites: fs\n-- requires: rg\n-- entry: a.lua\n-- requires.program: rg")
        .unwrap();
        let warnings: Vec<String> = manifest.warnings.iter().map(Warning::to_string).collect();
        assert_eq!(
            warnings,
            [
                "x.lua:4: unknown field `capabilites`; did you mean `capabilities`?",
                "x.lua:5: a header says `requires.lua: …` or `requires.programs: …`",
                "x.lua:6: `entry` has no meaning in a single file",
                "x.lua:7: unknown field `requires.program`; did you mean `requires.programs`?",
            ]
        );
    }

    #[test]
    fn wrong_and_repeated_fields_name_their_line() {
        let error = lua("-- hi\n-- capabilities: all").unwrap_err().to_string();
        assert!(error.starts_with("x.lua:2: field `capabilities`: expected a list of"), "{error}");
        let error = lua("-- enabled-by-default: no").unwrap_err().to_string();
        assert!(error.ends_with("expected true or false, got \"no\""), "{error}");
        for twice in ["name: a", "requires.lua: a"] {
            let error = lua(&format!("-- {twice}\n-- {twice}")).unwrap_err().to_string();
            assert!(error.starts_with("x.lua:2: field") && error.contains("twice"), "{error}");
        }
    }

    #[test]
    fn a_file_without_a_header_has_the_defaults() {
        for text in ["", "return 1\n-- name: x", "--[[\nname: x\n]]", "--[==[ name: x ]==]"] {
            assert_eq!(lua(text).unwrap(), ScriptManifest::default(), "{text}");
        }
        assert_eq!(lua("--[ name: x").unwrap(), ScriptManifest::default());
    }
}
