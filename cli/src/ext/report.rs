//! What is known of an extension after it was loaded aside, and how it is printed.

use crate::tally::counted;
use fen_core::printable::printable_line;
use fen_script::language::Diagnostic;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Something that keeps the extension from working.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in that, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// How it is shown to people, where its line is at hand.
    #[serde(skip)]
    pub rendered: Option<String>,
}

impl From<&Diagnostic> for Problem {
    fn from(one: &Diagnostic) -> Self {
        Problem {
            file: Some(one.file.to_string()),
            line: Some(one.line),
            column: Some(one.column),
            message: one.message.clone(),
            help: one.help.clone(),
            rendered: Some(one.rendered()),
        }
    }
}

impl Problem {
    /// Takes the place apart that words begin with: `file:line: …`.
    pub fn from_words(words: &str) -> Self {
        let place = words.split_once(": ").and_then(|(place, message)| {
            let (file, line) = place.rsplit_once(':')?;
            Some((file, line.parse().ok()?, message))
        });
        match place {
            Some((file, line, message)) if !file.contains(char::is_whitespace) => Problem {
                file: Some(file.to_owned()),
                line: Some(line),
                message: message.to_owned(),
                ..Problem::default()
            },
            _ => Problem { message: words.to_owned(), ..Problem::default() },
        }
    }

    fn shown(&self) -> String {
        if let Some(rendered) = &self.rendered {
            return rendered.clone();
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: {}", self.message),
            (Some(file), None) => format!("{file}: {}", self.message),
            _ => self.message.clone(),
        }
    }
}

/// Something that the extension may reach.
#[derive(Debug, Clone, Serialize)]
pub struct Ability {
    /// The capability, as the manifest has it.
    pub name: String,
    /// What it allows.
    pub allows: String,
}

/// The whole of it.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    pub name: String,
    pub path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How many files its code can load, and their size.
    pub files: usize,
    pub bytes: usize,
    pub capabilities: Vec<Ability>,
    /// The rows of what it contributes, by surface; empty surfaces are left out.
    pub contributions: Map<String, Value>,
    /// How long its code took to load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_us: Option<u64>,
    /// What its VM holds, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<usize>,
    pub warnings: Vec<Problem>,
    pub problems: Vec<Problem>,
}

impl Report {
    /// For people.
    pub fn page(&self) -> String {
        let mut page = String::new();
        let _ = writeln!(page, "{}  {}", printable_line(&self.name), printable_line(&self.path));
        if !self.description.is_empty() {
            let _ = writeln!(page, "  {}", printable_line(&self.description));
        }
        if self.files > 0 {
            let _ = writeln!(page, "  {}, {} bytes", counted(self.files, "file"), self.bytes);
        }
        if let (Some(time), Some(memory)) = (self.load_us, self.memory) {
            #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
            let time = time as f64 / 1000.0;
            let _ = writeln!(page, "  loads in {time:.1} ms, holds {} KiB", memory / 1024);
        }
        self.abilities(&mut page);
        self.contributed(&mut page);
        for (heading, list) in [("warnings", &self.warnings), ("problems", &self.problems)] {
            if !list.is_empty() {
                let _ = writeln!(page, "\n{heading}");
            }
            for problem in list {
                let _ = writeln!(page, "  {}", problem.shown().replace('\n', "\n  "));
            }
        }
        if self.problems.is_empty() {
            page.push_str("\nno problems\n");
        }
        page
    }

    fn abilities(&self, page: &mut String) {
        if self.capabilities.is_empty() {
            page.push_str("\nIt asks for no files, programs, network, environment or keys.\n");
            return;
        }
        page.push_str("\nIt asks for:\n");
        for Ability { name, allows } in &self.capabilities {
            let _ = writeln!(page, "  {name}: it {allows}");
        }
    }

    fn contributed(&self, page: &mut String) {
        if self.load_us.is_none() {
            return;
        }
        if self.contributions.is_empty() {
            page.push_str("\nIt contributes nothing.\n");
            return;
        }
        page.push_str("\nIt contributes:\n");
        for (surface, rows) in &self.contributions {
            let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
            let mut names: Vec<String> = rows
                .iter()
                .map(|row| printable_line(row["key"].as_str().unwrap_or_default()))
                .zip(
                    rows.iter().map(|row| printable_line(row["name"].as_str().unwrap_or_default())),
                )
                .map(|(key, name)| if key.is_empty() { name } else { format!("{name} ({key})") })
                .collect();
            names.dedup();
            // Hooks have no names.
            let said = match names.iter().all(String::is_empty) {
                true => rows.len().to_string(),
                false => names.join(", "),
            };
            let _ = writeln!(page, "  {surface:<18} {said}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_front_is_taken_apart() {
        let problem = Problem::from_words("a/init.lua:12: no such kind: x");
        assert_eq!(problem.file.as_deref(), Some("a/init.lua"));
        assert_eq!((problem.line, problem.message.as_str()), (Some(12), "no such kind: x"));
        for words in ["it has no init.lua; add it", "see docs at http://x:1: y", "12: x"] {
            assert_eq!(Problem::from_words(words).message, words);
        }
    }
}
