//! How keys are written: `ctrl-x`, `alt-enter`, `shift-tab`, `f5`, `ctrl-alt-left`.

use super::{Code, Key, Mods};
use std::fmt;
use std::str::FromStr;

/// The modifiers in the order that they are written in.
const MODS: [(&str, Mods); 4] =
    [("ctrl-", Mods::CTRL), ("alt-", Mods::ALT), ("shift-", Mods::SHIFT), ("super-", Mods::SUPER)];

/// The names of keys; of several for one key the first is the one that is written.
const NAMES: [(&str, Code); 23] = [
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("space", Code::Char(' ')),
    ("tab", Code::Tab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("insert", Code::Insert),
    ("ins", Code::Insert),
    ("home", Code::Home),
    ("end", Code::End),
    ("pageup", Code::PageUp),
    ("pgup", Code::PageUp),
    ("pagedown", Code::PageDown),
    ("pgdown", Code::PageDown),
    ("pgdn", Code::PageDown),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    // Written as shift-tab.
    ("backtab", Code::Tab),
];

/// A spelling that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{spelling:?} names no key: {part:?} is none; expected ctrl-, alt-, shift- or super- (any of \
     them, or none) and then one character, f1 to f35, enter, esc, space, tab, backspace, delete, \
     insert, home, end, pageup, pagedown, up, down, left or right"
)]
pub struct UnknownKey {
    /// What was written.
    pub spelling: String,
    /// The part of it that is no key.
    pub part: String,
}

impl FromStr for Key {
    type Err = UnknownKey;

    fn from_str(spelling: &str) -> Result<Key, UnknownKey> {
        let mut rest = spelling;
        let mut mods = Mods::NONE;
        while let Some((after, held)) = modifier(rest) {
            rest = after;
            mods = mods | held;
        }
        match code(rest) {
            Some(Code::Tab) if rest.eq_ignore_ascii_case("backtab") => {
                Ok(Key::new(Code::Tab, mods | Mods::SHIFT))
            }
            Some(code) => Ok(Key::new(code, mods)),
            None => Err(UnknownKey { spelling: spelling.to_owned(), part: rest.to_owned() }),
        }
    }
}

/// A modifier at the beginning, and what comes after it.
fn modifier(text: &str) -> Option<(&str, Mods)> {
    MODS.iter().find_map(|(name, held)| {
        let (first, after) = text.split_at_checked(name.len())?;
        (first.eq_ignore_ascii_case(name) && !after.is_empty()).then_some((after, *held))
    })
}

fn code(name: &str) -> Option<Code> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control()).then_some(Code::Char(c));
    }
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(*code);
    }
    let number = name.strip_prefix(['f', 'F'])?;
    let digits = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let number: u8 = number.parse().ok()?;
    (digits && (1..=35).contains(&number)).then_some(Code::F(number))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, held) in MODS {
            if self.mods.contains(held) {
                f.write_str(name)?;
            }
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(c) => write!(f, "{c}"),
            Code::F(number) => write!(f, "f{number}"),
            // Every other code has a name in the table.
            _ => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_key() -> impl Strategy<Value = Key> {
        let code = prop_oneof![
            4 => any::<char>().prop_filter("no control", |c| !c.is_control()).prop_map(Code::Char),
            4 => proptest::char::range(' ', '~').prop_map(Code::Char),
            2 => prop::sample::select(NAMES.to_vec()).prop_map(|(_, code)| code),
            1 => (1u8..=35).prop_map(Code::F),
        ];
        (code, 0u8..16).prop_map(|(code, mods)| Key::new(code, Mods(mods)))
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_the_same_key(key in any_key()) {
            prop_assert_eq!(key.to_string().parse::<Key>(), Ok(key));
            prop_assert_eq!(Key::new(key.code, key.mods), key);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,12}") {
            if let Ok(key) = text.parse::<Key>() {
                prop_assert_eq!(key.to_string().parse::<Key>(), Ok(key));
            }
        }
    }

    #[test]
    fn every_code_has_a_name() {
        for (_, code) in NAMES {
            assert_ne!(Key::plain(code).to_string(), "?");
        }
    }

    #[test]
    fn the_spelling_is_canonical() {
        for (written, canonical) in [
            ("ctrl-x", "ctrl-x"),
            ("Alt-Enter", "alt-enter"),
            ("alt-ctrl-left", "ctrl-alt-left"),
            ("backtab", "shift-tab"),
            ("shift-tab", "shift-tab"),
            ("F5", "f5"),
            ("escape", "esc"),
            (" ", "space"),
            ("pgup", "pageup"),
            ("ctrl--", "ctrl--"),
            ("-", "-"),
            ("shift-a", "A"),
            ("super-c", "super-c"),
        ] {
            assert_eq!(written.parse::<Key>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn an_unknown_spelling_is_told_with_what_was_expected() {
        for unknown in
            ["", "ctrl-", "hyper-x", "f0", "f36", "f05", "f+5", "ctrl-entre", "ab", "\u{1}"]
        {
            let error = unknown.parse::<Key>().unwrap_err();
            assert_eq!(error.spelling, unknown);
            assert!(error.to_string().contains("expected ctrl-"), "{error}");
        }
        assert_eq!("ctrl-entre".parse::<Key>().unwrap_err().part, "entre");
    }
}
