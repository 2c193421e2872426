//! Keys as data: which key does what, wherever one is.
//!
//! A [`Keymap`] is made of the built-in keys, the user's file and the controls of extensions, and
//! answers what the keys pressed so far mean. It runs nothing and draws nothing. The application asks
//! it for every key, and help for its rows.
//!
//! The user's file, `keybindings.json`, is an object of keys and actions:
//!
//! ```json
//! {
//!   "ctrl-g": "external-editor",
//!   "ctrl-x ctrl-s": "submit",
//!   "ctrl-t": null,
//!   "f6": "control:todo",
//!   "list": { "ctrl-j": "list-down" }
//! }
//! ```
//!
//! A key is bound wherever its action has a meaning; an object under `main`, `list`, `page` or
//! `question` binds there alone. `null` takes a key's meaning away. Several keys with blanks between
//! them are pressed one after the other. An action is one of fen's, a command of the editor, or
//! `control:` and the name of an extension's control. A key that writes a character can be bound for
//! pages only.
//!
//! The user's file comes before the built-in keys, and those before controls. Where a key has an
//! action and also begins a chord, the one of more weight holds, and of equals the key.

mod action;
mod defaults;
mod file;
mod key;
mod rows;

pub(crate) use action::{Action, Context};
pub(crate) use key::{KeyName, chord_name};
pub(crate) use rows::Row;

use crate::user_file;
use std::collections::BTreeMap;
use std::fmt;
use std::ops;
use std::path::Path;

/// Something about keys that a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The key, file or control.
    pub(crate) place: String,
    /// What is wrong with it.
    pub(crate) text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// What the keys pressed so far mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// This is to be done.
    Action(Action),
    /// More keys can follow.
    Prefix,
    /// Nothing; a key that writes, writes.
    Nothing,
}

/// The key of an extension's control, as it was registered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ControlKey<'a> {
    /// The control's name.
    pub(crate) name: &'a str,
    /// Its key, if it asks for one.
    pub(crate) key: Option<&'a str>,
    /// The extension.
    pub(crate) owner: &'a str,
}

/// One entry of the user's file in one context.
#[derive(Debug, Clone)]
struct Binding {
    context: Context,
    keys: Vec<KeyName>,
    /// `None` where the key is to mean nothing.
    action: Option<Action>,
}

/// Whose a binding is; the lesser has more weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    User,
    BuiltIn,
}

#[derive(Debug, Clone)]
struct Bound {
    action: Option<Action>,
    source: Source,
}

type Table = BTreeMap<Vec<KeyName>, Bound>;

/// A binding that does not hold, and why.
#[derive(Debug, Clone)]
struct Lost {
    context: Context,
    keys: String,
    action: Action,
    why: String,
}

/// A control as far as keys go.
#[derive(Debug, Clone)]
struct ControlRow {
    name: String,
    owner: String,
    keys: Vec<KeyName>,
    /// The key as it was asked for, and why it does not hold.
    lost: Option<(String, String)>,
}

/// All keys and what they do.
#[derive(Debug, Clone)]
pub(crate) struct Keymap {
    /// By the order of the contexts.
    tables: [Table; Context::ALL.len()],
    lost: Vec<Lost>,
    controls: Vec<ControlRow>,
}

impl Keymap {
    /// The built-in keys alone.
    pub(crate) fn built_in() -> Keymap {
        Keymap::of(&[]).0
    }

    /// The built-in keys, and what the user's file makes of them. A file that cannot be read leaves
    /// the built-in ones. `is_edit_command` knows the editor's commands.
    pub(crate) fn load(
        path: &Path,
        is_edit_command: &dyn Fn(&str) -> bool,
    ) -> (Keymap, Vec<Problem>) {
        let read = match user_file::read(path) {
            Ok(None) => return (Keymap::built_in(), Vec::new()),
            Ok(Some(text)) => file::parse(&text, is_edit_command),
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok((bindings, mut problems)) => {
                let (keymap, conflicts) = Keymap::of(&bindings);
                problems.extend(conflicts);
                (keymap, problems)
            }
            Err(text) => {
                let text = format!("{text}; the built-in keys hold");
                let problem = Problem { place: path.display().to_string(), text };
                (Keymap::built_in(), vec![problem])
            }
        }
    }

    fn of(bindings: &[Binding]) -> (Keymap, Vec<Problem>) {
        let mut tables: [Table; Context::ALL.len()] = Default::default();
        for (context, keys, action) in defaults::bindings() {
            let bound = Bound { action: Some(action), source: Source::BuiltIn };
            tables[context as usize].insert(keys, bound);
        }
        for Binding { context, keys, action } in bindings {
            let bound = Bound { action: action.clone(), source: Source::User };
            tables[*context as usize].insert(keys.clone(), bound);
        }
        let mut lost = Vec::new();
        for (table, context) in tables.iter_mut().zip(Context::ALL) {
            settle_beginnings(table, context, &mut lost);
        }
        let mut problems: Vec<Problem> = Vec::new();
        for Lost { keys, action, why, .. } in &lost {
            let place = format!("`{keys}`");
            let text = format!("{why}; `{action}` cannot be reached by it");
            let problem = Problem { place, text };
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        (Keymap { tables, lost, controls: Vec::new() }, problems)
    }

    /// The same with the keys of these controls instead of those of earlier ones. What is told are
    /// the controls that do not get their key.
    pub(crate) fn with_controls(mut self, controls: &[ControlKey<'_>]) -> (Keymap, Vec<Problem>) {
        self.controls.clear();
        let mut problems = Vec::new();
        for control in controls {
            let mut row = ControlRow {
                name: control.name.to_owned(),
                owner: control.owner.to_owned(),
                keys: Vec::new(),
                lost: None,
            };
            if let Some(key) = control.key {
                match self.place(key) {
                    Placed::Free(keys) => row.keys = keys,
                    Placed::Users => {}
                    Placed::Lost(_) if self.has_key(control.name) => {}
                    Placed::Lost(why) => {
                        let place = format!("control `{}` of {}", control.name, control.owner);
                        let hint = format!("bind it as `control:{}`", control.name);
                        let text = format!("its key `{key}` {why}; {hint} in keybindings.json");
                        problems.push(Problem { place, text });
                        row.lost = Some((key.to_owned(), why));
                    }
                }
            }
            self.controls.push(row);
        }
        (self, problems)
    }

    /// Whether the user's file gives the control a key.
    fn has_key(&self, control: &str) -> bool {
        !self.keys_of(Context::Main, &Action::Control(control.to_owned())).is_empty()
    }

    /// Whether a control can have a key.
    fn place(&self, key: &str) -> Placed {
        let keys = match KeyName::parse_chord(key) {
            Ok(keys) => keys,
            Err(error) => return Placed::Lost(format!("is none: {error}")),
        };
        if keys.first().is_some_and(KeyName::is_typed) {
            return Placed::Lost("writes a character".to_owned());
        }
        let touches = |other: &[KeyName]| other.starts_with(&keys) || keys.starts_with(other);
        let table = &self.tables[Context::Main as usize];
        let mut touched = table.iter().filter(|(other, _)| touches(other));
        if touched.clone().any(|(_, bound)| bound.source == Source::User) {
            return Placed::Users;
        }
        if let Some((other, Bound { action: Some(action), .. })) = touched.next() {
            return Placed::Lost(format!("is that of `{action}` of fen (`{}`)", chord_name(other)));
        }
        let mut controls = self.controls.iter().filter(|row| !row.keys.is_empty());
        match controls.find(|row| touches(&row.keys)) {
            Some(ControlRow { name, owner, .. }) => {
                Placed::Lost(format!("is that of the control `{name}` of {owner}"))
            }
            None => Placed::Free(keys),
        }
    }

    /// What the keys pressed so far mean.
    pub(crate) fn lookup(&self, context: Context, pending: &[KeyName]) -> Found {
        if pending.is_empty() {
            return Found::Nothing;
        }
        let table = &self.tables[context as usize];
        if let Some(action) = table.get(pending).and_then(|bound| bound.action.clone()) {
            return Found::Action(action);
        }
        let follows = |keys: &[KeyName]| keys.len() > pending.len() && keys.starts_with(pending);
        // All that begins with the keys stands together after them.
        let mut after =
            table.range::<[KeyName], _>((ops::Bound::Included(pending), ops::Bound::Unbounded));
        let mut begins = after
            .by_ref()
            .take_while(|(keys, _)| keys.starts_with(pending))
            .any(|(keys, bound)| follows(keys) && bound.action.is_some());
        if context == Context::Main {
            if let Some(control) = self.controls.iter().find(|row| row.keys == pending) {
                return Found::Action(Action::Control(control.name.clone()));
            }
            begins |= self.controls.iter().any(|row| follows(&row.keys));
        }
        if begins { Found::Prefix } else { Found::Nothing }
    }

    /// The keys of an action in a context, for hints: the shortest first.
    pub(crate) fn keys_of(&self, context: Context, action: &Action) -> Vec<String> {
        let table = &self.tables[context as usize];
        let bound = table.iter().filter(|(_, bound)| bound.action.as_ref() == Some(action));
        let mut keys: Vec<String> = bound.map(|(keys, _)| chord_name(keys)).collect();
        keys.sort_by_key(String::len);
        keys
    }
}

/// What becomes of a control's wish for a key.
enum Placed {
    /// It has these keys.
    Free(Vec<KeyName>),
    /// The user's file says what the key does.
    Users,
    /// Something else has it, in words that go on from the key.
    Lost(String),
}

/// Takes out what cannot be reached since a key both does something and begins a chord.
fn settle_beginnings(table: &mut Table, context: Context, lost: &mut Vec<Lost>) {
    let mut out: Vec<(Vec<KeyName>, String)> = Vec::new();
    for (keys, long) in
        table.iter().filter(|(keys, bound)| keys.len() > 1 && bound.action.is_some())
    {
        for end in 1..keys.len() {
            let Some((short_keys, short)) = table.get_key_value(&keys[..end]) else { continue };
            let (Some(long_does), Some(short_does)) = (&long.action, &short.action) else {
                continue;
            };
            let (lost, kept, why) = if short.source <= long.source {
                (keys, short_keys, format!("is bound to `{short_does}`"))
            } else {
                (short_keys, keys, format!("is bound to `{long_does}`"))
            };
            out.push((lost.clone(), format!("`{}` {why}", chord_name(kept))));
        }
    }
    for (keys, why) in out {
        if let Some(Bound { action: Some(action), .. }) = table.remove(&keys) {
            lost.push(Lost { context, keys: chord_name(&keys), action, why });
        }
    }
}

#[cfg(test)]
mod tests;
