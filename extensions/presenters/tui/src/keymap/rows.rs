//! The keys as help shows them.

use super::action::{Action, Context, Group};
use super::key::chord_name;
use super::{Keymap, Source};

/// One key and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// The part of help that it stands in.
    pub(crate) group: Group,
    /// Where it holds.
    pub(crate) contexts: Vec<Context>,
    /// The key or chord; empty where the action has none.
    pub(crate) key: String,
    /// What it does.
    pub(crate) action: Action,
    /// The same in words.
    pub(crate) description: String,
    /// Whether the user's file says so.
    pub(crate) is_users: bool,
    /// Why it does not hold.
    pub(crate) problem: Option<String>,
}

impl Keymap {
    /// All keys by groups, in the order of the actions, and then the actions that have none.
    /// `describe` knows the words for the editor's commands and for controls.
    pub(crate) fn rows(&self, describe: &dyn Fn(&Action) -> Option<String>) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut add = |context, key: String, action: &Action, is_users, problem: Option<String>| {
            let same = |row: &&mut Row| {
                row.key == key
                    && row.action == *action
                    && row.problem == problem
                    && row.is_users == is_users
            };
            if let Some(row) = rows.iter_mut().find(same) {
                row.contexts.push(context);
                return;
            }
            let own = Some(action.description()).filter(|words| !words.is_empty());
            let description = own.map(str::to_owned).or_else(|| describe(action));
            rows.push(Row {
                group: action.group(),
                contexts: vec![context],
                key,
                action: action.clone(),
                description: description.unwrap_or_else(|| action.name()),
                is_users,
                problem,
            });
        };
        for (table, context) in self.tables.iter().zip(Context::ALL) {
            for (keys, bound) in table {
                if let Some(action) = &bound.action {
                    add(context, chord_name(keys), action, bound.source == Source::User, None);
                }
            }
        }
        for lost in &self.lost {
            add(lost.context, lost.keys.clone(), &lost.action, false, Some(lost.why.clone()));
        }
        for control in &self.controls {
            let action = Action::Control(control.name.clone());
            let lost = control.lost.clone();
            let (key, why) = lost.map_or((chord_name(&control.keys), None), |(key, why)| {
                let why = format!("the key {why}");
                (key, Some(why))
            });
            if !self.has_key(&control.name) || !control.keys.is_empty() {
                add(Context::Main, key, &action, false, why);
            }
        }
        let unbound = |action: &&Action| !rows.iter().any(|row| row.action == **action);
        let unbound: Vec<Row> = Action::ALL
            .iter()
            .filter(unbound)
            .map(|action| Row {
                group: action.group(),
                contexts: action.contexts().to_vec(),
                key: String::new(),
                action: action.clone(),
                description: action.description().to_owned(),
                is_users: false,
                problem: None,
            })
            .collect();
        rows.extend(unbound);
        let place = |action: &Action| Action::ALL.iter().position(|other| other == action);
        rows.sort_by_cached_key(|row| {
            let place = place(&row.action).unwrap_or(usize::MAX);
            (row.group, place, row.action.name(), row.contexts[0], row.key.len(), row.key.clone())
        });
        rows
    }
}
