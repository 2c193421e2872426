//! What a script extension declares about itself.
//!
//! It turns the fields of a manifest file or a header comment into one checked value. A wrong type
//! is an error that names the place; a field that nobody reads is a warning, since a newer fen may
//! read it. It opens no file.

use super::capability::{self, Capability};
use super::field::{Field, SyntaxError};
use super::requires::Requires;
use super::version::VersionRange;
use fen_contract::kinds::Kind;
use fen_contract::validate::{describe, did_you_mean};
use serde_json::{Map, Value};
use std::fmt;

/// The fields that a manifest may have.
pub const FIELDS: [&str; 10] = [
    "name",
    "description",
    "enabled-by-default",
    "entry",
    "requires",
    "capabilities",
    "hooks",
    "overrides",
    "presenter",
    "fen",
];

/// The fields of `requires`.
pub const REQUIRES_FIELDS: [&str; 2] = ["lua", "programs"];

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptManifest {
    /// The extension's name, where it is not that of its file or folder.
    pub name: Option<String>,
    /// What it is for.
    pub description: String,
    /// Whether it runs without being enabled in the settings.
    pub enabled_by_default: bool,
    /// The file that is loaded first, from the folder; `None` is `init` with a known suffix.
    pub entry: Option<String>,
    /// What has to be there for it to run.
    pub requires: Requires,
    /// What it may reach, each once.
    pub capabilities: Vec<Capability>,
    /// Whether it decides about others' work.
    pub hooks: Hooks,
    /// Contributions of a lower source that it means to replace, as `kind/name`.
    pub overrides: Vec<String>,
    /// The presenter that it brings.
    pub presenter: Option<String>,
    /// The versions of fen that it works with; `None` is any.
    pub fen: Option<VersionRange>,
    /// What in it nobody reads.
    pub warnings: Vec<Warning>,
}

impl Default for ScriptManifest {
    fn default() -> Self {
        ScriptManifest {
            name: None,
            description: String::new(),
            enabled_by_default: true,
            entry: None,
            requires: Requires::default(),
            capabilities: Vec::new(),
            hooks: Hooks::None,
            overrides: Vec::new(),
            presenter: None,
            fen: None,
            warnings: Vec::new(),
        }
    }
}

/// The hooks that an extension says it registers. While one that has hooks cannot run, what its
/// hooks would judge is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Hooks {
    /// None.
    #[default]
    None,
    /// Some; which ones is not said.
    Some,
    /// These, never an empty list.
    Named(Vec<String>),
}

/// Something in a manifest that nobody reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file, from the package's folder.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is odd, and what may be meant.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// A manifest that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It cannot be read at all.
    #[error("{file}:{error}")]
    Syntax {
        /// The file, from the package's folder.
        file: String,
        /// Where and what.
        error: SyntaxError,
    },
    /// A field has a value that it cannot have.
    #[error("{file}:{line}: field `{field}`: expected {expected}, got {got}")]
    Field {
        /// The file, from the package's folder.
        file: String,
        /// The line of the field, from 1.
        line: u32,
        /// The field's path, such as `requires.lua`.
        field: String,
        /// What it can be.
        expected: String,
        /// What stands there.
        got: String,
    },
    /// A field stands there twice.
    #[error("{file}:{line}: field `{field}` stands there twice; keep one")]
    Twice {
        /// The file, from the package's folder.
        file: String,
        /// The line of the second, from 1.
        line: u32,
        /// The field.
        field: String,
    },
    /// A folder has two manifests.
    #[error("both {0} and {1} are there; keep one of them")]
    TwoManifests(&'static str, &'static str),
}

impl ScriptManifest {
    /// Reads the fields of the file that errors shall name. A field may be written with `_` for
    /// `-`, and one that is null counts as absent.
    ///
    /// # Errors
    /// The first field with a value that it cannot have, or that stands there twice.
    pub fn from_fields(file: &str, fields: Vec<Field>) -> Result<Self, ManifestError> {
        let mut manifest = ScriptManifest::default();
        let mut seen: Vec<&'static str> = Vec::new();
        for field in &fields {
            let place = Place { file, line: field.line, field: &field.name };
            let kebab = field.name.replace('_', "-");
            let Some(known) = FIELDS.into_iter().find(|known| *known == kebab) else {
                manifest.warnings.push(unknown(&place, &FIELDS));
                continue;
            };
            let place = Place { field: known, ..place };
            if seen.contains(&known) {
                return Err(ManifestError::Twice {
                    file: file.to_owned(),
                    line: field.line,
                    field: known.to_owned(),
                });
            }
            seen.push(known);
            if !field.value.is_null() {
                manifest.take(&place, &field.value)?;
            }
        }
        Ok(manifest)
    }

    fn take(&mut self, place: &Place<'_>, value: &Value) -> Result<(), ManifestError> {
        match place.field {
            "name" => self.name = Some(place.text(value)?),
            "description" => self.description = place.text(value)?,
            "enabled-by-default" => self.enabled_by_default = place.truth(value)?,
            "entry" => self.entry = Some(place.text(value)?),
            "requires" => self.requires = self.read_requires(place, value)?,
            "capabilities" => self.capabilities = place.capabilities(value)?,
            "hooks" => self.hooks = place.hooks(value)?,
            "overrides" => self.overrides = place.overrides(value)?,
            "presenter" => self.presenter = Some(place.text(value)?),
            "fen" => {
                let expected = "a range of fen's versions, such as `>=0.1, <0.3`";
                let text = value.as_str().ok_or_else(|| place.error(expected, shown(value)))?;
                let range = text.parse();
                self.fen = Some(range.map_err(|_| place.error(expected, shown(value)))?);
            }
            _ => {}
        }
        Ok(())
    }

    fn read_requires(
        &mut self,
        place: &Place<'_>,
        value: &Value,
    ) -> Result<Requires, ManifestError> {
        let expected = "a table with the lists `lua` and `programs`";
        let parts = value.as_object().ok_or_else(|| place.error(expected, shown(value)))?;
        let mut requires = Requires::default();
        for (name, value) in parts {
            let path = format!("requires.{name}");
            let place = Place { field: &path, ..*place };
            match name.as_str() {
                "lua" => requires.lua = place.names(value, "a list of Lua modules", |_| true)?,
                // With a slash it would be a file, and the project could bring it along.
                "programs" => {
                    let expected = "a list of programs' names, without folders";
                    requires.programs = place.names(value, expected, |name| !name.contains('/'))?;
                }
                _ => {
                    let warning = unknown(&Place { field: name, ..place }, &REQUIRES_FIELDS);
                    self.warnings.push(warning);
                }
            }
        }
        Ok(requires)
    }
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'p> {
    file: &'p str,
    line: u32,
    field: &'p str,
}

impl Place<'_> {
    fn error(&self, expected: &str, got: String) -> ManifestError {
        ManifestError::Field {
            file: self.file.to_owned(),
            line: self.line,
            field: self.field.to_owned(),
            expected: expected.to_owned(),
            got,
        }
    }

    fn text(&self, value: &Value) -> Result<String, ManifestError> {
        let text = value.as_str().ok_or_else(|| self.error("a string", shown(value)))?;
        Ok(text.to_owned())
    }

    fn truth(&self, value: &Value) -> Result<bool, ManifestError> {
        value.as_bool().ok_or_else(|| self.error("true or false", shown(value)))
    }

    /// A list of names that are not empty. A lone name counts as a list of one.
    fn names(
        &self,
        value: &Value,
        expected: &str,
        allowed: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, ManifestError> {
        let wrong = |value: &Value| self.error(expected, shown(value));
        let items = match value {
            Value::Array(items) => items.as_slice(),
            Value::String(_) => std::slice::from_ref(value),
            // An empty Lua table does not tell which of the two it is.
            Value::Object(fields) if fields.is_empty() => &[],
            other => return Err(wrong(other)),
        };
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        for item in items {
            let name = item
                .as_str()
                .filter(|name| !name.is_empty() && allowed(name))
                .ok_or_else(|| wrong(item))?;
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn capabilities(&self, value: &Value) -> Result<Vec<Capability>, ManifestError> {
        let expected = format!("a list of {}", capability::EXPECTED);
        self.names(value, &expected, |_| true)?
            .iter()
            .map(|name| {
                name.parse().map_err(|_| self.error(&expected, shown(&name.as_str().into())))
            })
            .collect()
    }

    fn hooks(&self, value: &Value) -> Result<Hooks, ManifestError> {
        if let Value::Bool(some) = value {
            return Ok(if *some { Hooks::Some } else { Hooks::None });
        }
        let names = self.names(value, "true, false or a list of hooks", |_| true)?;
        Ok(if names.is_empty() { Hooks::None } else { Hooks::Named(names) })
    }

    /// `{ "tool/bash" }`, or the same by kind: `{ tool = { "bash" } }`.
    fn overrides(&self, value: &Value) -> Result<Vec<String>, ManifestError> {
        let expected = "a list of `kind/name`, such as `tool/bash`";
        let is_known = |text: &str| {
            text.split_once('/')
                .is_some_and(|(kind, name)| Kind::from_name(kind).is_some() && !name.is_empty())
        };
        match value {
            Value::Object(kinds) if !kinds.is_empty() => {
                let all = self.overrides_by_kind(kinds, expected)?;
                match all.iter().find(|text| !is_known(text)) {
                    Some(wrong) => Err(self.error(expected, shown(&wrong.as_str().into()))),
                    None => Ok(all),
                }
            }
            list => self.names(list, expected, is_known),
        }
    }

    fn overrides_by_kind(
        &self,
        kinds: &Map<String, Value>,
        expected: &str,
    ) -> Result<Vec<String>, ManifestError> {
        let mut all = Vec::new();
        for (kind, names) in kinds {
            let names = self.names(names, expected, |_| true)?;
            all.extend(names.into_iter().map(|name| format!("{kind}/{name}")));
        }
        Ok(all)
    }
}

/// Short text is shown itself, since it tells more than its type.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 40 => format!("\"{text}\""),
        Value::Null => describe(value),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        other => format!("a {}", describe(other)),
    }
}

fn unknown(place: &Place<'_>, known: &[&'static str]) -> Warning {
    let name: String = place.field.chars().take(80).collect();
    let hint = did_you_mean(&name, known.iter().copied());
    Warning {
        file: place.file.to_owned(),
        line: place.line,
        message: format!("unknown field `{name}`{hint}"),
    }
}

#[cfg(test)]
mod tests;
