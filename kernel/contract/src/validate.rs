//! Judges values and registrations by the contract's declarations.

use crate::doc::{Entry, MemberKind, Section, find};
use crate::failure::Failure;
use crate::kinds::{Contribution, Kind, SpecValue};
use crate::names::Owner;
use crate::type_expr::TypeExpr;
use serde_json::Value;
use std::fmt;

/// A value or a registration that breaks the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError {
    /// The kind, type or event that was expected, such as `tool` or `AssistantMessage`.
    pub kind: String,
    /// The extension that gave it, where it is known.
    pub owner: Option<Owner>,
    /// The path of the field, such as `content[2].text`; empty for the whole value.
    pub field: String,
    /// What should stand there.
    pub expected: String,
    /// What stood there.
    pub got: String,
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(owner) = &self.owner {
            write!(f, " of extension `{owner}`")?;
        }
        if !self.field.is_empty() {
            write!(f, ": field `{}`", self.field)?;
        }
        write!(f, ": expected {}, got {}", self.expected, self.got)
    }
}

impl std::error::Error for ContractError {}

impl From<ContractError> for Failure {
    /// An extension that breaks the contract fails; the person who runs it made no mistake.
    fn from(error: ContractError) -> Self {
        Failure::new(error.to_string())
    }
}

/// A field that nothing will read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// The field's name.
    pub field: String,
    /// A known field with a name much like it.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown field `{}`", self.field)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

/// Judges a Rust contribution. See [`check_registration`].
pub fn check_contribution(
    owner: &Owner,
    contribution: &Contribution,
) -> Result<Vec<UnknownField>, ContractError> {
    let fields = contribution.fields();
    check_registration(
        contribution.kind(),
        owner,
        fields.iter().map(|(name, value)| (*name, value)),
    )
}

/// Judges a registration by its fields. A missing required field, a wrong type or a name that
/// cannot be used is an error; unknown fields are given back as warnings.
pub fn check_registration<'a>(
    kind: Kind,
    owner: &Owner,
    fields: impl IntoIterator<Item = (&'a str, &'a SpecValue)>,
) -> Result<Vec<UnknownField>, ContractError> {
    let entry = kind.entry();
    let fields: Vec<(&str, &SpecValue)> = fields.into_iter().collect();
    let error = |field: &str, expected: String, got: String| ContractError {
        kind: kind.name().to_owned(),
        owner: Some(owner.clone()),
        field: field.to_owned(),
        expected,
        got,
    };
    for field in entry.fields {
        let found = fields.iter().find(|(name, _)| *name == field.name).map(|(_, value)| *value);
        match found {
            None | Some(SpecValue::Json(Value::Null)) if field.required => {
                return Err(error(field.name, field.ty.to_owned(), "nothing".to_owned()));
            }
            None | Some(SpecValue::Json(Value::Null)) => {}
            Some(value) => check_spec_value(value, field.ty)
                .map_err(|got| error(field.name, field.ty.to_owned(), got))?,
        }
        if field.name == "name"
            && let Some(SpecValue::Json(Value::String(name))) = found
            && let Some(rule) = broken_name_rule(kind, name)
        {
            return Err(error("name", rule.to_owned(), format!("\"{name}\"")));
        }
    }
    Ok(fields
        .iter()
        .filter(|(name, _)| entry.field(name).is_none())
        .map(|(name, _)| UnknownField { field: (*name).to_owned(), nearest: nearest(entry, name) })
        .collect())
}

/// The rule that a name breaks, if it breaks one.
fn broken_name_rule(kind: Kind, name: &str) -> Option<&'static str> {
    let allowed = |extra: &str| {
        !name.is_empty()
            && name.len() <= 64
            && name.chars().all(|c| c.is_ascii_alphanumeric() || extra.contains(c))
    };
    match kind {
        // The narrowest rule of the model services.
        Kind::Tool => (!allowed("_-")).then_some("1 to 64 letters, digits, `_` or `-`"),
        Kind::Command => {
            let first = name.chars().next().is_some_and(|c| c.is_ascii_lowercase());
            let rest =
                name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            (!(first && rest && name.len() <= 64))
                .then_some("a lower-case letter, then lower-case letters, digits or `-`")
        }
        _ => (!allowed("_-.:/?!")).then_some("1 to 64 letters, digits or `_-.:/?!`"),
    }
}

fn check_spec_value(value: &SpecValue, ty: &str) -> Result<(), String> {
    match (value, TypeExpr::parse(ty)) {
        (SpecValue::Function, TypeExpr::Function | TypeExpr::Any) => Ok(()),
        (SpecValue::Function, _) => Err("function".to_owned()),
        (SpecValue::Json(value), TypeExpr::Function) => Err(describe(value)),
        (SpecValue::Json(value), ty) => match check(value, &ty, &mut Vec::new()) {
            Ok(()) => Ok(()),
            Err(problem) if problem.path.is_empty() => Err(problem.got),
            Err(problem) => {
                Err(format!("{} at {} (expected {})", problem.got, problem.path, problem.expected))
            }
        },
    }
}

/// Judges a value by a type of the contract, such as `AssistantMessage`.
pub fn check_type(name: &str, value: &Value) -> Result<(), ContractError> {
    check_entry_value(Section::Types, name, value)
}

/// Judges an event by its declaration; its name is taken from the field `type`.
pub fn check_event(value: &Value) -> Result<(), ContractError> {
    match value.get("type").and_then(Value::as_str) {
        Some(name) => check_entry_value(Section::Events, name, value),
        None => Err(ContractError {
            kind: "event".to_owned(),
            owner: None,
            field: "type".to_owned(),
            expected: "string".to_owned(),
            got: value.get("type").map_or("nothing".to_owned(), describe),
        }),
    }
}

fn check_entry_value(section: Section, name: &str, value: &Value) -> Result<(), ContractError> {
    let error = |problem: Problem| ContractError {
        kind: name.to_owned(),
        owner: None,
        field: problem.path,
        expected: problem.expected,
        got: problem.got,
    };
    match find(section, name) {
        Some(entry) => check_entry(value, entry, &mut Vec::new()).map_err(error),
        None => Err(error(Problem {
            path: String::new(),
            expected: format!("a name among the {}", section.name()),
            got: format!("\"{name}\""),
        })),
    }
}

struct Problem {
    path: String,
    expected: String,
    got: String,
}

fn problem(path: &[String], expected: impl Into<String>, got: impl Into<String>) -> Problem {
    let mut joined = String::new();
    for part in path {
        if !joined.is_empty() && !part.starts_with('[') {
            joined.push('.');
        }
        joined.push_str(part);
    }
    Problem { path: joined, expected: expected.into(), got: got.into() }
}

fn check_entry(value: &Value, entry: &Entry, path: &mut Vec<String>) -> Result<(), Problem> {
    let members: Vec<_> = entry.members.iter().filter(|m| m.kind == MemberKind::Variant).collect();
    if !members.is_empty() {
        let variants =
            members.iter().map(|member| TypeExpr::parse(member.name)).collect::<Vec<_>>();
        return check(value, &TypeExpr::Union(variants), path);
    }
    if entry.members.iter().any(|member| member.kind == MemberKind::Enum) {
        return match value.as_str() {
            Some(text) if entry.members.iter().any(|member| member.name == text) => Ok(()),
            _ => {
                let names: Vec<_> =
                    entry.members.iter().map(|m| format!("\"{}\"", m.name)).collect();
                Err(problem(path, names.join(" or "), describe_short(value)))
            }
        };
    }
    let Some(fields) = value.as_object() else {
        return Err(problem(path, entry.name, describe(value)));
    };
    for field in entry.fields {
        path.push(field.name.to_owned());
        match fields.get(field.name) {
            None | Some(Value::Null) if field.required && field.ty != "any" => {
                return Err(problem(path, field.ty, "nothing"));
            }
            None | Some(Value::Null) => {}
            Some(found) => check(found, &TypeExpr::parse(field.ty), path)?,
        }
        path.pop();
    }
    Ok(())
}

fn check(value: &Value, ty: &TypeExpr, path: &mut Vec<String>) -> Result<(), Problem> {
    let fits = match ty {
        TypeExpr::Any => true,
        TypeExpr::Nil => value.is_null(),
        TypeExpr::String => value.is_string(),
        TypeExpr::Number => value.is_number(),
        TypeExpr::Boolean => value.is_boolean(),
        TypeExpr::Table => value.is_object() || value.as_array().is_some_and(Vec::is_empty),
        TypeExpr::JsonSchema | TypeExpr::Agent => value.is_object(),
        TypeExpr::Literal(text) => value.as_str() == Some(text),
        TypeExpr::Function => false,
        TypeExpr::List(inner) => {
            let Some(items) = value.as_array() else {
                return Err(problem(path, "a list", describe(value)));
            };
            for (index, item) in items.iter().enumerate() {
                path.push(format!("[{index}]"));
                check(item, inner, path)?;
                path.pop();
            }
            true
        }
        TypeExpr::Named(name) => match find(Section::Types, name) {
            Some(entry) => return check_entry(value, entry, path),
            None => true,
        },
        TypeExpr::Union(options) => return check_union(value, options, path),
    };
    let got = match ty {
        TypeExpr::Literal(_) => describe_short(value),
        _ => describe(value),
    };
    if fits { Ok(()) } else { Err(problem(path, type_name(ty), got)) }
}

/// A union's complaint is the one of the variant whose tag fits, so that it names the real field.
fn check_union(value: &Value, options: &[TypeExpr], path: &mut Vec<String>) -> Result<(), Problem> {
    let depth = path.len();
    let mut nearest: Option<Problem> = None;
    for option in options {
        match check(value, option, path) {
            Ok(()) => return Ok(()),
            Err(found) => {
                let related = match option {
                    TypeExpr::Named(name) => tag_fits(value, name),
                    TypeExpr::List(_) => value.is_array(),
                    _ => false,
                };
                if related {
                    nearest = Some(found);
                }
                path.truncate(depth);
            }
        }
    }
    Err(nearest.unwrap_or_else(|| {
        let names: Vec<String> = options.iter().map(type_name).collect();
        problem(path, names.join(" or "), describe(value))
    }))
}

fn tag_fits(value: &Value, type_name: &str) -> bool {
    let Some(entry) = find(Section::Types, type_name) else {
        return false;
    };
    entry.fields.iter().any(|field| match TypeExpr::parse(field.ty) {
        TypeExpr::Literal(text) => {
            value.get(field.name).and_then(Value::as_str) == Some(text.as_str())
        }
        _ => false,
    })
}

fn type_name(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Any => "anything".to_owned(),
        TypeExpr::Nil => "nil".to_owned(),
        TypeExpr::String => "string".to_owned(),
        TypeExpr::Number => "number".to_owned(),
        TypeExpr::Boolean => "boolean".to_owned(),
        TypeExpr::Table => "table".to_owned(),
        TypeExpr::JsonSchema => "JSONSchema".to_owned(),
        TypeExpr::Literal(text) => format!("\"{text}\""),
        TypeExpr::List(inner) => format!("[{}]", type_name(inner)),
        TypeExpr::Union(options) => options.iter().map(type_name).collect::<Vec<_>>().join("|"),
        TypeExpr::Function => "function".to_owned(),
        TypeExpr::Named(name) => (*name).to_owned(),
        TypeExpr::Agent => "Agent".to_owned(),
    }
}

/// The type of a value in the contract's words.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "table",
    }
    .to_owned()
}

/// Short text is shown itself, since it tells more than its type.
fn describe_short(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() <= 40 => format!("\"{text}\""),
        other => describe(other),
    }
}

fn nearest(entry: &Entry, name: &str) -> Option<&'static str> {
    nearest_name(name, entry.fields.iter().map(|field| field.name))
}

/// The candidate most like `name`, if one is like it at all.
pub fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1) + 1;
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The end of a sentence that says there is no `name`: the candidate that may be meant, or nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest_name(name, candidates) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

/// Levenshtein distance in characters; names are short, so the plain row-by-row form will do.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(128).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().take(128).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
