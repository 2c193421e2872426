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

/// The rows of help, one for each action, with all keys that do it.
fn by_action(keymap: &Keymap) -> Vec<(Row, Vec<String>)> {
    let mut rows: Vec<(Row, Vec<String>)> = Vec::new();
    for row in keymap.rows(&describe) {
        let key = row.key.clone();
        let known = rows
            .iter_mut()
            .find(|(known, _)| known.action == row.action && known.problem == row.problem);
        match known {
            Some((_, keys)) if keys.contains(&key) => {}
            Some((_, keys)) => keys.push(key),
            None => rows.push((row, vec![key])),
        }
    }
    rows
}

/// The keys as others are told of them.
pub(crate) fn rows(keymap: &Keymap) -> Vec<KeyRow> {
    by_action(keymap)
        .into_iter()
        .map(|(row, keys)| KeyRow {
            key: keys.join(" "),
            action: row.action.name(),
            description: row.description,
            problem: row.problem,
        })
        .collect()
}

/// All keys by what they are for, as Markdown.
pub(crate) fn page(keymap: &Keymap) -> String {
    let mut text = String::new();
    let mut group = None;
    for (row, keys) in by_action(keymap) {
        if group != Some(row.group) {
            group = Some(row.group);
            let title = row.group.title();
            let _ =
                write!(text, "\n## {title}\n\n| key | what it does | its name |\n|---|---|---|\n");
        }
        let problem = row.problem.as_ref().map(|why| format!(" **{why}**")).unwrap_or_default();
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let (keys, name) = (keys.join(" "), row.action.name());
        let _ = writeln!(text, "| {keys} | {}{problem} | {name} |", row.description);
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
        Action::Control(name) => Some(format!("What `{name}` of an extension does")),
        Action::Edit(name) => {
            name.parse::<Command>().ok().map(|command| command.description().to_owned())
        }
        _ => None,
    }
}
