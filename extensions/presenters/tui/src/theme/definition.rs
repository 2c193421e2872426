//! A theme's file: names of colours, and for each role what it changes.
//!
//! It turns text into a [`Definition`], lays one over another, and settles it into styles. Whatever
//! it does not know is an error that names the place. It reads no file; the themes call it.

use super::colour::{self, ANSI_NAMES, Depth};
use fen_cells::Role;
use fen_contract::validate::did_you_mean;
use ratatui::style::{Color, Modifier, Style};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The fields of a theme.
const FIELDS: [&str; 4] = ["name", "extends", "colours", "roles"];

/// What a role can switch on or off.
const SWITCHES: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
    ("strike", Modifier::CROSSED_OUT),
];

/// How many names a colour may go through; more is a circle.
const HOPS: usize = 16;

/// What is wrong with a theme's text, and where: `roles.user.fg`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// It is not JSON.
    #[error("it is not JSON: {0}")]
    Syntax(String),
    /// Something in it does not mean anything.
    #[error("{place}: {text}")]
    At {
        /// The path to it.
        place: String,
        /// What is wrong.
        text: String,
    },
}

fn fault(place: impl Into<String>, text: impl Into<String>) -> Fault {
    Fault::At { place: place.into(), text: text.into() }
}

/// What a theme says, before its colours are looked up.
#[derive(Debug, Clone, Default)]
pub(super) struct Definition {
    /// What it calls itself.
    pub(super) name: Option<String>,
    /// The theme that it changes.
    pub(super) extends: Option<String>,
    colours: BTreeMap<String, String>,
    roles: BTreeMap<&'static str, Change>,
}

/// What a theme says of one role.
#[derive(Debug, Clone, Default)]
struct Change {
    fg: Option<String>,
    bg: Option<String>,
    on: Modifier,
    off: Modifier,
}

impl Definition {
    /// Reads the text of a theme.
    pub(super) fn parse(text: &str) -> Result<Definition, Fault> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Fault::Syntax(error.to_string()))?;
        let Value::Object(fields) = value else {
            return Err(Fault::Syntax("it is not an object".to_owned()));
        };
        let mut definition = Definition::default();
        for (field, value) in &fields {
            match field.as_str() {
                "name" => definition.name = Some(text_of(field, value)?),
                "extends" => definition.extends = Some(text_of(field, value)?),
                "colours" => definition.colours = read_colours(object_of(field, value)?)?,
                "roles" => definition.roles = read_roles(object_of(field, value)?)?,
                unknown => {
                    let near = did_you_mean(unknown, FIELDS);
                    return Err(fault(unknown, format!("there is no such field{near}")));
                }
            }
        }
        Ok(definition)
    }

    /// Lays what this one says over what another one says, which may stand on a third.
    pub(super) fn over(self, mut base: Definition) -> Definition {
        base.colours.extend(self.colours);
        for (role, change) in self.roles {
            let below = base.roles.entry(role).or_default();
            below.fg = change.fg.or(below.fg.take());
            below.bg = change.bg.or(below.bg.take());
            below.on = (below.on - change.off) | change.on;
        }
        base.name = self.name;
        base
    }

    /// The style of each role, by the order of the roles.
    pub(super) fn settle(&self, depth: Depth) -> Result<[Style; Role::ALL.len()], Fault> {
        // All are looked up, so that a mistake does not wait for its first use.
        for name in self.colours.keys() {
            self.colour(name).map_err(|text| fault(format!("colours.{name}"), text))?;
        }
        let mut styles = [Style::new(); Role::ALL.len()];
        for (style, role) in styles.iter_mut().zip(Role::ALL) {
            let Some(change) = self.roles.get(role.name()) else { continue };
            let look_up = |field: &str, name: &Option<String>| {
                let place = || format!("roles.{}.{field}", role.name());
                name.as_deref()
                    .map(|name| self.colour(name).map_err(|text| fault(place(), text)))
                    .transpose()
            };
            let (fg, bg) = (look_up("fg", &change.fg)?, look_up("bg", &change.bg)?);
            (style.fg, style.bg) = colour::reduce_pair(fg, bg, depth);
            style.add_modifier = change.on;
        }
        Ok(styles)
    }

    fn colour(&self, name: &str) -> Result<Color, String> {
        let mut at = name;
        for _ in 0..HOPS {
            match self.colours.get(at) {
                Some(next) if next != at => at = next,
                _ => {
                    return colour::parse(at).ok_or_else(|| {
                        let named = self.colours.keys().map(String::as_str);
                        let known = named.chain(ANSI_NAMES).chain(["default"]);
                        let near = did_you_mean(at, known);
                        format!("there is no colour `{at}`{near}")
                    });
                }
            }
        }
        Err(format!("the colour `{name}` is named after itself"))
    }
}

fn read_colours(colours: &Map<String, Value>) -> Result<BTreeMap<String, String>, Fault> {
    let mut read = BTreeMap::new();
    for (name, value) in colours {
        let place = format!("colours.{name}");
        // The names of ANSI can be given another meaning, as a scheme of a terminal does.
        if colour::parse(name).is_some() && !ANSI_NAMES.contains(&name.as_str()) {
            return Err(fault(place, "this name means a colour already; choose another one"));
        }
        read.insert(name.clone(), text_of(&place, value)?);
    }
    Ok(read)
}

fn read_roles(roles: &Map<String, Value>) -> Result<BTreeMap<&'static str, Change>, Fault> {
    let mut read = BTreeMap::new();
    for (name, value) in roles {
        let place = format!("roles.{name}");
        let names = || Role::ALL.iter().map(|role| role.name());
        let Some(role) = names().find(|known| known == name) else {
            let near = did_you_mean(name, names());
            return Err(fault(place, format!("there is no role `{name}`{near}")));
        };
        read.insert(role, read_change(&place, object_of(&place, value)?)?);
    }
    Ok(read)
}

fn read_change(place: &str, fields: &Map<String, Value>) -> Result<Change, Fault> {
    let mut change = Change::default();
    for (field, value) in fields {
        let place = format!("{place}.{field}");
        match field.as_str() {
            "fg" => change.fg = Some(text_of(&place, value)?),
            "bg" => change.bg = Some(text_of(&place, value)?),
            _ => {
                let Some((_, switch)) = SWITCHES.iter().find(|(name, _)| name == field) else {
                    let known = SWITCHES.iter().map(|(name, _)| *name).chain(["fg", "bg"]);
                    let near = did_you_mean(field, known);
                    return Err(fault(place, format!("there is no such field{near}")));
                };
                match value {
                    Value::Bool(true) => change.on |= *switch,
                    Value::Bool(false) => change.off |= *switch,
                    _ => return Err(fault(place, "it is not true or false")),
                }
            }
        }
    }
    Ok(change)
}

fn text_of(place: &str, value: &Value) -> Result<String, Fault> {
    match value {
        Value::String(text) => Ok(text.clone()),
        // A colour by its number.
        Value::Number(number) if number.is_u64() => Ok(number.to_string()),
        _ => Err(fault(place, "it is not a text")),
    }
}

fn object_of<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Fault> {
    value.as_object().ok_or_else(|| fault(place, "it is not an object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(text: &str) -> Result<[Style; Role::ALL.len()], String> {
        let definition = Definition::parse(text).map_err(|fault| fault.to_string())?;
        definition.settle(Depth::True).map_err(|fault| fault.to_string())
    }

    #[test]
    fn what_is_unknown_is_named_with_its_place_and_what_is_near() {
        for (text, told) in [
            (r#"{"colors": {}}"#, "colors: there is no such field; did you mean `colours`?"),
            (
                r#"{"roles": {"usr": {}}}"#,
                "roles.usr: there is no role `usr`; did you mean `user`?",
            ),
            (
                r##"{"colours": {"accent": "#fff"}, "roles": {"user": {"fg": "acent"}}}"##,
                "roles.user.fg: there is no colour `acent`; did you mean `accent`?",
            ),
            (
                r#"{"roles": {"user": {"bald": true}}}"#,
                "roles.user.bald: there is no such field; did you mean `bold`?",
            ),
            (r#"{"roles": {"user": {"bold": 1}}}"#, "roles.user.bold: it is not true or false"),
            (r#"{"roles": {"user": []}}"#, "roles.user: it is not an object"),
            (r#"{"colours": {"a": null}}"#, "colours.a: it is not a text"),
            (r##"{"colours": {"a": "#12"}}"##, "colours.a: there is no colour `#12`"),
            (
                r#"{"colours": {"a": "b", "b": "a"}}"#,
                "colours.a: the colour `a` is named after itself",
            ),
            (
                r#"{"colours": {"default": "blue"}}"#,
                "colours.default: this name means a colour already; choose another one",
            ),
            ("[]", "it is not JSON: it is not an object"),
        ] {
            assert_eq!(settled(text).unwrap_err(), told);
        }
        let told = settled("{\n  \"name\": \"x\",\n}").unwrap_err();
        assert!(told.contains("line 3 column 1"), "{told}");
    }

    #[test]
    fn a_name_of_ansi_can_mean_another_colour() {
        let text = r##"{"colours": {"red": "#ff0001", "blue": "blue"},
            "roles": {"user": {"fg": "red", "bg": "blue"}}}"##;
        let style = settled(text).unwrap()[Role::User as usize];
        assert_eq!(style, Style::new().fg(Color::Rgb(255, 0, 1)).bg(Color::Blue));
    }

    #[test]
    fn a_theme_changes_only_what_it_names() {
        let base = Definition::parse(
            r##"{"colours": {"accent": "#111111"},
                "roles": {"user": {"fg": "accent", "bg": "0", "bold": true, "dim": true}}}"##,
        )
        .unwrap();
        let above = Definition::parse(
            r##"{"name": "mine", "colours": {"accent": "#222222"},
                "roles": {"user": {"bg": 7, "bold": false, "italic": true}}}"##,
        )
        .unwrap();
        let styles = above.over(base).settle(Depth::True).unwrap();
        let expected = Style::new()
            .fg(Color::Rgb(0x22, 0x22, 0x22))
            .bg(Color::Indexed(7))
            .add_modifier(Modifier::DIM | Modifier::ITALIC);
        assert_eq!(styles[Role::User as usize], expected);
        assert_eq!(styles[Role::Text as usize], Style::new());
    }
}
