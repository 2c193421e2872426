//! The keys of this run: the built-in ones, the person's file, and the controls of extensions.

use crate::keymap::{Action, ControlKey, Keymap, Row};
use fen_contract::ui::KeyRow;
use fen_editor::Command;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Reads the person's file and takes the controls in; what is wrong comes with it.
pub(crate) fn load(path: &Path, controls: &[Value]) -> (Keymap, Vec<String>) {
    let is_edit_command = |name: &str| name.parse::<Command>().is_ok();
    let (keymap, mut problems) = Keymap::load(path, &is_edit_command);
    let controls: Vec<ControlKey<'_>> = controls.iter().filter_map(control).collect();
    let (keymap, conflicts) = keymap.with_controls(&controls);
    problems.extend(conflicts);
    (keymap, problems.iter().map(ToString::to_string).collect())
}

/// The keys as others are told of them.
pub(crate) fn rows(keymap: &Keymap) -> Vec<KeyRow> {
    let rows = keymap.rows(&describe);
    rows.into_iter()
        .map(|Row { key, action, description, problem, .. }| KeyRow {
            key,
            action: action.name(),
            description,
            problem,
        })
        .collect()
}

/// All keys by what they are for, as Markdown: one row for each action.
pub(crate) fn page(keymap: &Keymap) -> String {
    let mut rows: Vec<(Row, Vec<String>)> = Vec::new();
    for row in keymap.rows(&describe) {
        let key = format!("`{}`", row.key);
        match rows
            .iter_mut()
            .find(|(known, _)| known.action == row.action && known.problem == row.problem)
        {
            Some((_, keys)) if keys.contains(&key) => {}
            Some((_, keys)) => keys.push(key),
            None => rows.push((row, vec![key])),
        }
    }
    let mut text = String::new();
    let mut group = None;
    for (row, keys) in &rows {
        if group != Some(row.group) {
            group = Some(row.group);
            let _ =
                write!(text, "\n## {}\n\n| key | what it does |\n|---|---|\n", row.group.title());
        }
        let problem = row.problem.as_ref().map(|why| format!(" **{why}**")).unwrap_or_default();
        let _ = writeln!(text, "| {} | {}{problem} |", keys.join(" "), row.description);
    }
    text
}

fn control(row: &Value) -> Option<ControlKey<'_>> {
    Some(ControlKey {
        name: row["name"].as_str()?,
        key: row["key"].as_str(),
        owner: row["owner"].as_str().unwrap_or_default(),
    })
}

fn describe(action: &Action) -> Option<String> {
    match action {
        Action::Edit(name) => {
            name.parse::<Command>().ok().map(|command| command.description().to_owned())
        }
        _ => None,
    }
}
