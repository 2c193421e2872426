//! From steps to what they find. A list is never made whole: its entries are made one by one, and
//! only those that are looked at.

use super::{Filter, QueryError, Step, StepKind, Test};
use serde_json::{Map, Value};
use std::ops::Range;
use std::sync::Arc;

/// A document whose parts are made when they are asked for.
pub(crate) trait Document {
    /// The names of its parts.
    fn names(&self) -> &'static [&'static str];

    /// One part; `None` where there is none of this name.
    fn part(&self, name: &str) -> Option<Part>;
}

/// One part of a document.
pub(crate) enum Part {
    /// A value.
    One(Value),
    /// A list whose entries are made one by one.
    Many(Arc<dyn List>),
}

/// A list whose entries are made when they are asked for.
pub(crate) trait List: Send + Sync {
    /// How many entries there are.
    fn len(&self) -> usize;

    /// The entry at a position from 0.
    fn get(&self, position: usize) -> Option<Value>;
}

impl List for Vec<Value> {
    fn len(&self) -> usize {
        self.len()
    }

    fn get(&self, position: usize) -> Option<Value> {
        self.as_slice().get(position).cloned()
    }
}

/// What a query found.
pub(crate) enum Found {
    /// A value that is no list.
    One(Value),
    /// Entries of a list.
    Many(Selection),
    /// Some parts of the document.
    Parts(Vec<(String, Found)>),
}

/// Some entries of a list, and what of each.
pub(crate) struct Selection {
    list: Arc<dyn List>,
    positions: Positions,
    shape: Vec<Shape>,
}

enum Positions {
    Range(Range<usize>),
    These(Vec<usize>),
}

/// What is shown of each entry.
enum Shape {
    Field(String),
    Pick(Vec<String>),
}

impl Found {
    fn of(part: Part) -> Self {
        match part {
            Part::One(Value::Array(items)) => Found::Many(Selection::whole(Arc::new(items))),
            Part::One(value) => Found::One(value),
            Part::Many(list) => Found::Many(Selection::whole(list)),
        }
    }
}

impl Selection {
    fn whole(list: Arc<dyn List>) -> Self {
        let positions = Positions::Range(0..list.len());
        Selection { list, positions, shape: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.positions {
            Positions::Range(range) => range.len(),
            Positions::These(these) => these.len(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<Value> {
        let value = self.list.get(self.position(at)?)?;
        Some(self.shape.iter().fold(value, |value, shape| match shape {
            Shape::Field(name) => field(&value, name),
            Shape::Pick(names) => pick(&value, names),
        }))
    }

    fn position(&self, at: usize) -> Option<usize> {
        match &self.positions {
            Positions::Range(range) => range.clone().nth(at),
            Positions::These(these) => these.get(at).copied(),
        }
    }

    fn slice(mut self, from: Option<i64>, to: Option<i64>) -> Self {
        let length = self.len();
        let from = from.map_or(0, |at| clamped(at, length));
        let to = to.map_or(length, |at| clamped(at, length)).max(from);
        self.positions = match self.positions {
            Positions::Range(range) => Positions::Range(range.start + from..range.start + to),
            Positions::These(these) => Positions::These(these[from..to].to_vec()),
        };
        self
    }

    fn filter(mut self, filter: &Filter) -> Self {
        let wanted = filter.value.to_lowercase();
        let keeps = |at: &usize| {
            self.get(*at).is_some_and(|value| {
                let value = filter.path.iter().fold(value, |value, name| field(&value, name));
                passes(&value, filter, &wanted)
            })
        };
        let kept: Vec<usize> = (0..self.len()).filter(keeps).collect();
        let these = kept.into_iter().filter_map(|at| self.position(at)).collect();
        self.positions = Positions::These(these);
        self
    }
}

/// A position that may count from the end, moved into the list.
fn clamped(at: i64, length: usize) -> usize {
    let magnitude = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    if at < 0 { length.saturating_sub(magnitude) } else { magnitude.min(length) }
}

/// The field of an object, or of each entry of a list; null where there is none.
fn field(value: &Value, name: &str) -> Value {
    match value {
        Value::Object(fields) => fields.get(name).cloned().unwrap_or_default(),
        Value::Array(items) => items.iter().map(|item| field(item, name)).collect(),
        _ => Value::Null,
    }
}

fn pick(value: &Value, names: &[String]) -> Value {
    match value {
        Value::Object(_) => {
            let fields: Map<String, Value> =
                names.iter().map(|name| (name.clone(), field(value, name))).collect();
            Value::Object(fields)
        }
        Value::Array(items) => items.iter().map(|item| pick(item, names)).collect(),
        _ => Value::Null,
    }
}

/// Of a list it is enough that one entry passes.
fn passes(value: &Value, filter: &Filter, wanted: &str) -> bool {
    if let Value::Array(items) = value
        && items.iter().any(|item| passes(item, filter, wanted))
    {
        return true;
    }
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match filter.test {
        Test::Equals => text == filter.value,
        Test::Contains => text.to_lowercase().contains(wanted),
    }
}

/// Follows the steps. There must be at least one.
pub(crate) fn evaluate(document: &dyn Document, steps: &[Step]) -> Result<Found, QueryError> {
    let Some((first, rest)) = steps.split_first() else {
        return Err(QueryError { position: 1, message: beginnings(document) });
    };
    let part = |name: &str| {
        document.part(name).ok_or_else(|| QueryError {
            position: first.position,
            message: format!("there is no `{name}` here; {}", beginnings(document)),
        })
    };
    let found = match &first.kind {
        StepKind::Field(name) => Found::of(part(name)?),
        StepKind::Pick(names) => {
            if let Some(next) = rest.first() {
                let message = "nothing can follow a choice of parts".to_owned();
                return Err(QueryError { position: next.position, message });
            }
            let parts: Result<Vec<_>, _> = names
                .iter()
                .map(|name| part(name).map(|part| (name.clone(), Found::of(part))))
                .collect();
            return parts.map(Found::Parts);
        }
        StepKind::Count => Found::One(document.names().len().into()),
        StepKind::Index(_) | StepKind::Slice(..) | StepKind::Filter(_) => {
            let message = format!("there is no list here; {}", beginnings(document));
            return Err(QueryError { position: first.position, message });
        }
    };
    rest.iter().try_fold(found, |found, step| {
        follow(found, &step.kind).map_err(|message| QueryError { position: step.position, message })
    })
}

fn beginnings(document: &dyn Document) -> String {
    format!("begin with one of {}", document.names().join(", "))
}

fn follow(found: Found, step: &StepKind) -> Result<Found, String> {
    match found {
        Found::One(value) => of_value(&value, step),
        Found::Many(selection) => of_list(selection, step),
        Found::Parts(_) => Err("nothing can follow a choice of parts".to_owned()),
    }
}

fn of_value(value: &Value, step: &StepKind) -> Result<Found, String> {
    let made = |value: Value| Ok(Found::of(Part::One(value)));
    match (step, value) {
        (StepKind::Field(name), Value::Object(fields)) => match fields.get(name) {
            Some(value) => made(value.clone()),
            None => Err(format!("there is no field `{name}`; {}", what(value))),
        },
        (StepKind::Pick(names), Value::Object(fields)) => {
            match names.iter().find(|name| !fields.contains_key(*name)) {
                Some(name) => Err(format!("there is no field `{name}`; {}", what(value))),
                None => made(pick(value, names)),
            }
        }
        (StepKind::Count, Value::Object(fields)) => made(fields.len().into()),
        (StepKind::Count, Value::String(text)) => made(text.chars().count().into()),
        (StepKind::Field(_) | StepKind::Pick(_), _) => {
            Err(format!("there are no fields here; {}", what(value)))
        }
        (StepKind::Count, _) => Err(format!("there is nothing to count here; {}", what(value))),
        (StepKind::Index(_) | StepKind::Slice(..) | StepKind::Filter(_), _) => {
            Err(format!("there is no list here; {}", what(value)))
        }
    }
}

fn of_list(mut selection: Selection, step: &StepKind) -> Result<Found, String> {
    match step {
        StepKind::Field(name) => {
            selection.shape.push(Shape::Field(name.clone()));
            Ok(Found::Many(selection))
        }
        StepKind::Pick(names) => {
            selection.shape.push(Shape::Pick(names.clone()));
            Ok(Found::Many(selection))
        }
        StepKind::Slice(from, to) => Ok(Found::Many(selection.slice(*from, *to))),
        StepKind::Filter(filter) => Ok(Found::Many(selection.filter(filter))),
        StepKind::Count => Ok(Found::One(selection.len().into())),
        StepKind::Index(at) => {
            let length = selection.len();
            let inside = usize::try_from(at.unsigned_abs())
                .is_ok_and(|size| if *at < 0 { size <= length } else { size < length });
            match inside.then(|| selection.get(clamped(*at, length))).flatten() {
                Some(value) => Ok(Found::of(Part::One(value))),
                None if length == 0 => Err("the list has no entries".to_owned()),
                None => Err(format!("the list has only the entries 0 to {}", length - 1)),
            }
        }
    }
}

/// How many names an error lists.
const NAMES: usize = 30;

/// What stands at a place, and what can follow.
fn what(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let names: Vec<&str> = fields.keys().take(NAMES).map(String::as_str).collect();
            format!("it has the fields {}", names.join(", "))
        }
        Value::String(_) => "it is a text, which only `.#` can follow".to_owned(),
        Value::Null => "it is null".to_owned(),
        Value::Bool(_) => "it is a truth value".to_owned(),
        Value::Number(_) => "it is a number".to_owned(),
        Value::Array(_) => "it is a list".to_owned(),
    }
}
