//! A key by its name, as files write it and as a terminal's input is put into words.
//!
//! It is pure text: which key gives which name is the matter of the terminal's input. Some keys are
//! one to older terminals: `ctrl-i` and `tab`, `ctrl-m` and `enter`, `ctrl-[` and `esc`; here they are
//! two.

use fen_contract::validate::did_you_mean;
use std::borrow::Cow;
use std::fmt;

/// The named keys, and what else they are called.
const NAMED: [(&str, &[&str]); 16] = [
    ("esc", &["escape"]),
    ("enter", &["return", "ret", "cr"]),
    ("tab", &[]),
    ("space", &["spc"]),
    ("backspace", &["bs", "back-space"]),
    ("delete", &["del"]),
    ("insert", &["ins"]),
    ("home", &[]),
    ("end", &[]),
    ("pageup", &["pgup", "page-up", "prior"]),
    ("pagedown", &["pgdown", "pgdn", "page-down", "next"]),
    ("up", &[]),
    ("down", &[]),
    ("left", &[]),
    ("right", &[]),
    ("menu", &[]),
];

/// What the modifiers are called.
const MODIFIERS: [(&str, Modifier); 10] = [
    ("ctrl", Modifier::Ctrl),
    ("control", Modifier::Ctrl),
    ("c", Modifier::Ctrl),
    ("alt", Modifier::Alt),
    ("meta", Modifier::Alt),
    ("option", Modifier::Alt),
    ("m", Modifier::Alt),
    ("a", Modifier::Alt),
    ("shift", Modifier::Shift),
    ("s", Modifier::Shift),
];

/// The highest function key.
const LAST_FUNCTION: u8 = 24;
/// How many keys a chord can have.
const LONGEST_CHORD: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Modifier {
    Ctrl,
    Alt,
    Shift,
}

/// A key's canonical name: `ctrl-x`, `alt-enter`, `shift-tab`, `f5`, `esc`, `a`, `A`. Modifiers stand
/// in the order ctrl, alt, shift; an upper-case letter is shift and the letter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyName(Cow<'static, str>);

/// Why a text is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeyError {
    /// There is no text, or no key after the modifiers.
    #[error("a key is expected, such as `ctrl-x`, `alt-enter`, `f5` or `a`")]
    Missing,
    /// A word before a hyphen is no modifier.
    #[error("there is no modifier `{name}`{near}")]
    Modifier {
        /// The word.
        name: String,
        /// What may be meant, as the end of the sentence.
        near: String,
    },
    /// The word at the end is no key.
    #[error("there is no key `{name}`{near}")]
    Key {
        /// The word.
        name: String,
        /// What may be meant, as the end of the sentence.
        near: String,
    },
    /// A chord has too many keys.
    #[error("a chord has {LONGEST_CHORD} keys at most")]
    Chord,
}

impl KeyName {
    /// A name that is canonical already.
    pub(super) const fn canonical(name: &'static str) -> KeyName {
        KeyName(Cow::Borrowed(name))
    }

    /// Reads a key: also by other names that are in use, with `+` for `-`, and with `C-` and `M-`.
    pub(crate) fn parse(text: &str) -> Result<KeyName, KeyError> {
        // A single character is itself, the hyphen among them.
        let mut rest = if text.chars().count() == 1 { text } else { text.trim() };
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        if let Some(after) = rest.strip_prefix('^').filter(|after| after.chars().count() == 1) {
            (ctrl, rest) = (true, after);
        }
        while let Some((word, after)) = split_modifier(rest) {
            let lower = word.to_lowercase();
            let modifier = MODIFIERS.iter().find(|(name, _)| *name == lower);
            let Some((_, modifier)) = modifier else {
                if named(&rest.to_lowercase()).is_some() {
                    break;
                }
                let near = did_you_mean(&lower, ["ctrl", "alt", "shift"]);
                return Err(KeyError::Modifier { name: word.to_owned(), near });
            };
            match modifier {
                Modifier::Ctrl => ctrl = true,
                Modifier::Alt => alt = true,
                Modifier::Shift => shift = true,
            }
            rest = after;
        }
        let base = base(rest, ctrl, &mut shift)?;
        let mut name = String::with_capacity(24);
        for (is_held, modifier) in [(ctrl, "ctrl-"), (alt, "alt-"), (shift, "shift-")] {
            name.push_str(if is_held { modifier } else { "" });
        }
        name.push_str(&base);
        Ok(KeyName(Cow::Owned(name)))
    }

    /// Reads a key, or several after one another with blanks between them.
    pub(crate) fn parse_chord(text: &str) -> Result<Vec<KeyName>, KeyError> {
        let keys = match text.split_whitespace().count() {
            // A blank alone is the space bar.
            0 => vec![KeyName::parse(text)?],
            1..=LONGEST_CHORD => {
                text.split_whitespace().map(KeyName::parse).collect::<Result<_, _>>()?
            }
            _ => return Err(KeyError::Chord),
        };
        Ok(keys)
    }

    /// The name.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the key alone writes a character.
    pub(crate) fn is_typed(&self) -> bool {
        self.0.chars().count() == 1 || self.0 == "space" || self.0 == "shift-space"
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Keys in a row as one text.
pub(crate) fn chord_name(keys: &[KeyName]) -> String {
    keys.iter().map(KeyName::as_str).collect::<Vec<_>>().join(" ")
}

/// The word before the first hyphen or plus, where something stands on both sides of it.
fn split_modifier(text: &str) -> Option<(&str, &str)> {
    let at = text.find(['-', '+']).filter(|at| *at > 0)?;
    let (word, after) = (text.get(..at)?, text.get(at + 1..)?);
    (!after.is_empty()).then_some((word, after))
}

/// The canonical name of a key without its modifiers.
fn base(text: &str, ctrl: bool, shift: &mut bool) -> Result<Cow<'static, str>, KeyError> {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return Err(KeyError::Missing) };
    if chars.next().is_none() {
        return single(first, ctrl, shift);
    }
    let lower = text.to_lowercase();
    if lower == "backtab" {
        *shift = true;
        return Ok(Cow::Borrowed("tab"));
    }
    if let Some(name) = named(&lower) {
        return Ok(Cow::Borrowed(name));
    }
    let number = lower.strip_prefix('f').filter(|digits| !digits.starts_with(['0', '+']));
    if let Some(number) = number.and_then(|digits| digits.parse::<u8>().ok())
        && (1..=LAST_FUNCTION).contains(&number)
    {
        return Ok(Cow::Owned(format!("f{number}")));
    }
    let near = did_you_mean(&lower, NAMED.iter().map(|(name, _)| *name).chain(["f1", "f12"]));
    Err(KeyError::Key { name: text.to_owned(), near })
}

/// The name of the key that writes a character.
fn single(c: char, ctrl: bool, shift: &mut bool) -> Result<Cow<'static, str>, KeyError> {
    if c == ' ' || (ctrl && c == '@') {
        // Terminals send the same for the two.
        return Ok(Cow::Borrowed("space"));
    }
    if c.is_control() || c.is_whitespace() {
        return Err(KeyError::Missing);
    }
    if ctrl {
        // With ctrl, a terminal tells no case; shift counts where it is said.
        let mut lower = c.to_lowercase();
        let alone = lower.next().filter(|_| lower.next().is_none());
        return Ok(Cow::Owned(alone.unwrap_or(c).to_string()));
    }
    let mut upper = c.to_uppercase();
    if *shift
        && c.is_lowercase()
        && let (Some(upper), None) = (upper.next(), upper.next())
    {
        *shift = false;
        return Ok(Cow::Owned(upper.to_string()));
    }
    if c.is_uppercase() {
        *shift = false;
    }
    Ok(Cow::Owned(c.to_string()))
}

fn named(lower: &str) -> Option<&'static str> {
    let found = NAMED.iter().find(|(name, others)| *name == lower || others.contains(&lower));
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_key_has_one_name_however_it_is_written() {
        for (texts, name) in [
            (&["ctrl-x", "Ctrl+X", "C-x", "control-x", "^x", "^X", "ctrl-X"][..], "ctrl-x"),
            (&["alt-enter", "M-Return", "meta+ret", "option-cr"], "alt-enter"),
            (&["shift-tab", "backtab", "S-Tab", "shift-backtab"], "shift-tab"),
            (&["esc", "Escape"], "esc"),
            (&["pageup", "pgup", "Page-Up"], "pageup"),
            (&["ctrl-pagedown", "C-page-down", "ctrl-pgdn"], "ctrl-pagedown"),
            (&["backspace", "bs", "back-space"], "backspace"),
            (&["ctrl-alt-left", "alt-ctrl-left", "M-C-Left"], "ctrl-alt-left"),
            (&["ctrl-alt-shift-x", "shift-alt-ctrl-X"], "ctrl-alt-shift-x"),
            (&["a"], "a"),
            (&["A", "shift-a", "shift-A", "S-a"], "A"),
            (&["alt-A", "alt-shift-a"], "alt-A"),
            (&["space", " ", "SPC"], "space"),
            (&["ctrl-space", "ctrl-@", "^@"], "ctrl-space"),
            (&["-"], "-"),
            (&["ctrl--", "C--"], "ctrl--"),
            (&["ctrl-+", "ctrl++"], "ctrl-+"),
            (&["+"], "+"),
            (&["^"], "^"),
            (&["ctrl-/"], "ctrl-/"),
            (&["ctrl-_"], "ctrl-_"),
            (&["f5", "F5"], "f5"),
            (&["shift-f12"], "shift-f12"),
            (&["ä"], "ä"),
            (&["shift-ä"], "Ä"),
            (&["shift-ß"], "shift-ß"),
        ] {
            for text in texts {
                assert_eq!(
                    KeyName::parse(text).map(|key| key.to_string()),
                    Ok(name.to_owned()),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_key_is_told_with_what_is_near() {
        for (text, told) in [
            ("", "a key is expected, such as `ctrl-x`, `alt-enter`, `f5` or `a`"),
            ("ctrl-entr", "there is no key `entr`; did you mean `enter`?"),
            ("ctlr-x", "there is no modifier `ctlr`; did you mean `ctrl`?"),
            ("super-x", "there is no modifier `super`"),
            ("f25", "there is no key `f25`; did you mean `f1`?"),
            ("f01", "there is no key `f01`; did you mean `f1`?"),
            ("\u{7}", "a key is expected, such as `ctrl-x`, `alt-enter`, `f5` or `a`"),
        ] {
            assert_eq!(KeyName::parse(text).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn a_chord_is_keys_in_a_row() {
        let keys = KeyName::parse_chord(" C-x  ctrl-E ").unwrap();
        assert_eq!(chord_name(&keys), "ctrl-x ctrl-e");
        assert_eq!(chord_name(&KeyName::parse_chord(" ").unwrap()), "space");
        assert_eq!(KeyName::parse_chord("a b c d e"), Err(KeyError::Chord));
        assert!(KeyName::parse_chord("").is_err());
        assert!(KeyName::parse_chord("  ").is_err());
    }

    #[test]
    fn keys_that_write_are_known() {
        for (key, is_typed) in [
            ("a", true),
            ("A", true),
            ("space", true),
            ("ctrl-a", false),
            ("f1", false),
            ("esc", false),
        ] {
            assert_eq!(KeyName::parse(key).unwrap().is_typed(), is_typed, "{key}");
        }
    }

    proptest! {
        #[test]
        fn a_canonical_name_is_its_own(
            modifiers in proptest::sample::subsequence(vec!["ctrl", "alt", "shift", "C", "m"], 0..5),
            key in prop_oneof![
                Just("Enter".to_owned()), Just("pgup".to_owned()), Just("f7".to_owned()),
                Just("-".to_owned()), Just("+".to_owned()), "\\PC",
            ],
        ) {
            let text = modifiers.iter().map(|name| format!("{name}-")).collect::<String>() + &key;
            if let Ok(name) = KeyName::parse(&text) {
                prop_assert_eq!(KeyName::parse(name.as_str()), Ok(name.clone()));
            }
        }

        #[test]
        fn any_text_is_a_key_or_told(text: String) {
            if let Ok(keys) = KeyName::parse_chord(&text) {
                prop_assert_eq!(KeyName::parse_chord(&chord_name(&keys)), Ok(keys));
            }
        }
    }
}
