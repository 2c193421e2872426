//! What the manual says of keys, names and roles is what the program knows.
//!
//! `FEN_UPDATE_DOCS=1 cargo test -p fen-presenter-tui` writes the tables of `docs/tui.md` anew.

use crate::keymap::{Action, Context, Keymap};
use crate::settings::Settings;
use crate::theme::{Depth, Themes};
use fen_cells::Role;
use fen_editor::Command;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/tui.md")
}

/// Tests run side by side, and some of them may write.
static FILE: Mutex<()> = Mutex::new(());

fn manual() -> String {
    let _one = FILE.lock();
    fs::read_to_string(path()).unwrap()
}

/// What stands between the marks of that name.
fn part<'a>(manual: &'a str, name: &str) -> &'a str {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (_, after) = manual.split_once(&begin).unwrap_or_else(|| panic!("no mark {begin}"));
    after.split_once(&end).unwrap_or_else(|| panic!("no mark {end}")).0
}

/// The code of a part that is one block of code.
fn code<'a>(manual: &'a str, name: &str) -> &'a str {
    let part = part(manual, name).trim();
    let inner = part.strip_prefix("```json\n").and_then(|part| part.strip_suffix("```"));
    inner.unwrap_or_else(|| panic!("{name} is no block of JSON"))
}

/// Holds a table of the manual against what it is to be, or writes it.
fn holds(name: &str, table: &str) {
    let _one = FILE.lock();
    let manual = fs::read_to_string(path()).unwrap();
    let shown = part(&manual, name);
    let expected = format!("\n{table}\n\n");
    if shown != expected && std::env::var_os("FEN_UPDATE_DOCS").is_some() {
        let begin = format!("<!-- {name} -->\n");
        let (before, after) = manual.split_once(&begin).unwrap();
        let rest = &after[shown.len()..];
        return fs::write(path(), format!("{before}{begin}{expected}{rest}")).unwrap();
    }
    assert_eq!(shown, expected, "FEN_UPDATE_DOCS=1 writes it anew");
}

/// The words of a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn edits(action: &Action) -> Option<String> {
    match action {
        Action::Edit(name) => name.parse::<Command>().ok().map(|it| it.description().to_owned()),
        _ => None,
    }
}

#[test]
fn the_manual_has_all_keys() {
    struct Shown {
        action: Action,
        contexts: Vec<Context>,
        keys: Vec<String>,
        words: String,
    }
    let mut table = String::new();
    let rows = Keymap::built_in().rows(&edits);
    for group in rows.chunk_by(|one, next| one.group == next.group) {
        let title = group[0].group.title();
        let _ = write!(
            table,
            "\n**{title}**\n\n| key | where | action | what it does |\n|---|---|---|---|\n"
        );
        let mut shown: Vec<Shown> = Vec::new();
        for row in group {
            let key = format!("`{}`", row.key);
            match shown.iter_mut().find(|it| it.action == row.action && it.contexts == row.contexts)
            {
                Some(known) => known.keys.push(key),
                None => shown.push(Shown {
                    action: row.action.clone(),
                    contexts: row.contexts.clone(),
                    keys: if row.key.is_empty() { Vec::new() } else { vec![key] },
                    words: row.description.clone(),
                }),
            }
        }
        for Shown { action, contexts, keys, words } in shown {
            let places = match contexts.len() == Context::ALL.len() {
                true => "everywhere".to_owned(),
                false => contexts.iter().map(|it| it.name()).collect::<Vec<_>>().join(", "),
            };
            let (keys, words) = (cell(&keys.join(" ")), cell(&words));
            let _ = writeln!(table, "| {keys} | {places} | `{action}` | {words} |");
        }
    }
    holds("keys", table.trim());
}

#[test]
fn the_manual_has_the_commands_of_the_editor_that_no_key_has() {
    let rows = Keymap::built_in().rows(&edits);
    let is_bound = |name: &str| rows.iter().any(|row| row.action.name() == name);
    let mut table = "| action | what it does |\n|---|---|\n".to_owned();
    for command in Command::ALL.iter().filter(|command| !is_bound(command.name())) {
        let _ = writeln!(table, "| `{}` | {} |", command.name(), cell(command.description()));
    }
    holds("further actions", table.trim());
}

#[test]
fn the_manual_has_all_roles() {
    let mut table = "| role | what it is |\n|---|---|\n".to_owned();
    for role in Role::ALL {
        let _ = writeln!(table, "| `{}` | {} |", role.name(), cell(role.meaning()));
    }
    holds("roles", table.trim());
}

#[test]
fn the_manual_names_all_themes() {
    let (themes, _) = Themes::load(None, Depth::True);
    let names: Vec<String> = themes.names().iter().map(|name| format!("`{name}`")).collect();
    holds("themes", &format!("Built in are {}.", names.join(", ")));
}

#[test]
fn the_manuals_example_of_a_theme_is_one() {
    let manual = manual();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("harbour.json"), code(&manual, "example of a theme")).unwrap();
    let (mut themes, problems) = Themes::load(Some(folder.path()), Depth::True);
    assert_eq!(problems, Vec::<String>::new());
    let theme = themes.get("harbour").unwrap();
    assert_ne!(*theme, *themes.get("dark").unwrap());
}

#[test]
fn the_manuals_example_of_keys_holds() {
    let manual = manual();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keybindings.json");
    fs::write(&file, code(&manual, "example of keys")).unwrap();
    let (keymap, problems) = crate::keys::load(&file, &[]);
    assert_eq!(problems, Vec::<String>::new());
    assert!(keymap.rows(&edits).iter().any(|row| row.is_users));
}

#[test]
fn the_manual_shows_how_mistakes_in_keys_are_told() {
    let manual = manual();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keybindings.json");
    fs::write(&file, r#"{"ctrl-x": "submit", "f7": "sbmit", "x": "submit"}"#).unwrap();
    let control = serde_json::json!({"name": "next", "key": "ctrl-t", "owner": "todo"});
    let (_, problems) = crate::keys::load(&file, &[control]);
    // The manual breaks lines as the screen does.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = words(part(&manual, "mistakes in keys"));
    assert_eq!(problems.len(), 4);
    for problem in problems {
        assert!(shown.contains(&words(&problem)), "{problem}");
    }
}

#[test]
fn the_manuals_example_of_settings_is_read() {
    let manual = manual();
    let all = serde_json::from_str(code(&manual, "example of settings")).unwrap();
    let (settings, problem) = Settings::read(&all);
    assert_eq!(problem, None);
    assert_ne!(settings, Settings::default());
}
