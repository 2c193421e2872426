//! The user's file of keys, read into bindings. It knows names, not what else a key is bound to.

use super::action::{Action, Context};
use super::defaults::edit_commands;
use super::key::{KeyName, chord_name};
use super::{Binding, Problem};
use fen_contract::validate::did_you_mean;
use serde_json::{Map, Value};
use std::str::FromStr as _;

/// Reads the text of a file. An entry that means nothing is told and left out; a text that cannot be
/// read at all has no bindings.
pub(super) fn parse(
    text: &str,
    is_edit_command: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Binding>, Vec<Problem>), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Value::Object(entries) = value else {
        return Err("it is not an object of keys and actions".to_owned());
    };
    let mut reading = Reading { is_edit_command, bindings: Vec::new(), problems: Vec::new() };
    for (key, value) in &entries {
        match (Context::ALL.iter().find(|context| context.name() == key), value) {
            (Some(context), Value::Object(entries)) => reading.take_context(*context, entries),
            (Some(_), _) => reading.problem(key, "it is not an object of keys and actions"),
            (None, _) => reading.take(key, value, None),
        }
    }
    Ok((reading.bindings, reading.problems))
}

struct Reading<'a> {
    is_edit_command: &'a dyn Fn(&str) -> bool,
    bindings: Vec<Binding>,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    fn problem(&mut self, place: &str, text: impl Into<String>) {
        self.problems.push(Problem { place: format!("`{place}`"), text: text.into() });
    }

    fn take_context(&mut self, context: Context, entries: &Map<String, Value>) {
        for (key, value) in entries {
            self.take(key, value, Some(context));
        }
    }

    /// Takes an entry, of one context or of all where its action has a meaning.
    fn take(&mut self, key: &str, value: &Value, only: Option<Context>) {
        let place = match only {
            Some(context) => format!("{}.{key}", context.name()),
            None => key.to_owned(),
        };
        let keys = match KeyName::parse_chord(key) {
            Ok(keys) => keys,
            Err(error) => return self.problem(&place, error.to_string()),
        };
        let action = match value {
            Value::Null => None,
            Value::String(name) => match self.action(name) {
                Ok(action) => Some(action),
                Err(text) => return self.problem(&place, text),
            },
            _ => return self.problem(&place, "it is neither an action's name nor null"),
        };
        let meant = match (&action, only) {
            (_, Some(context)) => vec![context],
            (None, None) => Context::ALL.to_vec(),
            (Some(action), None) => action.contexts().to_vec(),
        };
        let mut taken = false;
        for context in meant {
            if let Some(action) = &action {
                if !action.contexts().contains(&context) {
                    let text = format!("`{action}` has no meaning in `{}`", context.name());
                    return self.problem(&place, text);
                }
                // It could not be typed any more.
                if context != Context::Page && keys.first().is_some_and(KeyName::is_typed) {
                    continue;
                }
            }
            if self.bindings.iter().any(|other| other.context == context && other.keys == keys) {
                let text = format!("`{}` is bound twice; the later one holds", chord_name(&keys));
                self.problem(&place, text);
                self.bindings.retain(|other| other.context != context || other.keys != keys);
            }
            let (keys, action) = (keys.clone(), action.clone());
            self.bindings.push(Binding { context, keys, action });
            taken = true;
        }
        if !taken {
            self.problem(&place, "this key writes a character where the action has a meaning");
        }
    }

    fn action(&self, name: &str) -> Result<Action, String> {
        if (self.is_edit_command)(name) {
            return Ok(Action::Edit(name.to_owned()));
        }
        Action::from_str(name).map_err(|error| {
            let own = Action::ALL.iter().map(Action::name);
            let known: Vec<String> = own.chain(edit_commands().map(str::to_owned)).collect();
            format!("{error}{}", did_you_mean(name, known.iter().map(String::as_str)))
        })
    }
}
