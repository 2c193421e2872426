//! A key as people name it and as tables of bindings hold it.
//!
//! Owns the canonical form: one key that a person presses is one value, whichever protocol the
//! terminal speaks, as far as terminals can tell keys apart at all. It must never know a binding.
//! The decoder makes keys; tables of bindings parse them.

mod spelling;

pub use spelling::UnknownKey;

use std::ops::BitOr;

/// What is on the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character, such as `a`, `A`, `é` or the space.
    Char(char),
    /// Enter or return.
    Enter,
    /// Escape.
    Esc,
    /// Tab; back-tab is this with shift.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete forward.
    Delete,
    /// Insert.
    Insert,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// A function key, from 1 to 35.
    F(u8),
}

/// The keys that are held down along with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Mods(u8);

impl Mods {
    /// None of them.
    pub const NONE: Mods = Mods(0);
    /// Control.
    pub const CTRL: Mods = Mods(1);
    /// Alt, also called option or meta.
    pub const ALT: Mods = Mods(2);
    /// Shift.
    pub const SHIFT: Mods = Mods(4);
    /// Super, the key with a logo.
    pub const SUPER: Mods = Mods(8);

    /// Whether all of these are held.
    pub fn contains(self, other: Mods) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether one of these is held.
    pub fn intersects(self, other: Mods) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether none is held.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These but for the others.
    #[must_use]
    pub fn without(self, other: Mods) -> Mods {
        Mods(self.0 & !other.0)
    }
}

impl BitOr for Mods {
    type Output = Mods;

    fn bitor(self, other: Mods) -> Mods {
        Mods(self.0 | other.0)
    }
}

/// A key with what was held down. [`Key::new`] gives the canonical form, and so do parsing and the
/// decoder; two keys that are the same to a person are then equal.
///
/// * Shift and a letter are the upper letter: `A`, `alt-A`. Shift on a character that was typed
///   without control or alt is no part of the key.
/// * With control a letter is lower case; shift stays: `ctrl-a`, `ctrl-shift-a`.
/// * `ctrl-i`, `ctrl-m` and `ctrl-[` are tab, enter and esc, and `ctrl-@` is `ctrl-space`, as they are
///   one key in most terminals. `ctrl-j` and enter are two, and so are `ctrl-h` and backspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// What is on the key.
    pub code: Code,
    /// What was held down.
    pub mods: Mods,
}

impl Key {
    /// The canonical form of a key.
    pub fn new(code: Code, mods: Mods) -> Key {
        let Code::Char(c) = code else { return Key { code, mods } };
        if mods.contains(Mods::CTRL) {
            return control(c, mods);
        }
        if !mods.contains(Mods::SHIFT) {
            return Key { code, mods };
        }
        let upper = only(c.to_uppercase()).unwrap_or(c);
        let chord = mods.intersects(Mods::ALT | Mods::SUPER);
        let spent = !chord || upper != c || upper.is_uppercase();
        let mods = if spent { mods.without(Mods::SHIFT) } else { mods };
        Key { code: Code::Char(upper), mods }
    }

    /// A key by itself.
    pub fn plain(code: Code) -> Key {
        Key::new(code, Mods::NONE)
    }

    /// The character that this key types, if it types one.
    pub fn text(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.mods.intersects(Mods::CTRL | Mods::ALT | Mods::SUPER) => Some(c),
            _ => None,
        }
    }
}

/// The canonical form of a character with control.
fn control(c: char, mods: Mods) -> Key {
    let without = mods.without(Mods::CTRL);
    let lower = only(c.to_lowercase()).unwrap_or(c);
    let shifted = mods.contains(Mods::SHIFT);
    let (code, mods) = match lower {
        'i' if !shifted => (Code::Tab, without),
        'm' if !shifted => (Code::Enter, without),
        '[' if !shifted => (Code::Esc, without),
        '@' => (Code::Char(' '), mods.without(Mods::SHIFT)),
        lower => (Code::Char(lower), mods),
    };
    Key { code, mods }
}

/// The one character that there is; letters whose other case are two characters stay as they are.
fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        text.parse().unwrap()
    }

    #[test]
    fn shift_and_a_letter_are_the_upper_letter() {
        assert_eq!(Key::new(Code::Char('a'), Mods::SHIFT), key("A"));
        assert_eq!(Key::new(Code::Char('A'), Mods::SHIFT), key("A"));
        assert_eq!(Key::new(Code::Char('é'), Mods::SHIFT | Mods::ALT), key("alt-É"));
        assert_eq!(Key::new(Code::Char('A'), Mods::SHIFT | Mods::ALT), key("alt-A"));
        assert_eq!(key("shift-x"), key("X"));
    }

    #[test]
    fn control_has_lower_letters() {
        assert_eq!(key("ctrl-X"), key("ctrl-x"));
        assert_eq!(key("ctrl-x").code, Code::Char('x'));
        assert_ne!(key("ctrl-shift-x"), key("ctrl-x"));
        assert_eq!(key("ctrl-shift-X"), key("ctrl-shift-x"));
    }

    #[test]
    fn keys_that_terminals_cannot_tell_apart_are_one() {
        assert_eq!(key("ctrl-i"), key("tab"));
        assert_eq!(key("ctrl-m"), key("enter"));
        assert_eq!(key("ctrl-alt-m"), key("alt-enter"));
        assert_eq!(key("ctrl-["), key("esc"));
        assert_eq!(key("ctrl-@"), key("ctrl-space"));
        assert_ne!(key("ctrl-j"), key("enter"));
        assert_ne!(key("ctrl-h"), key("backspace"));
    }

    #[test]
    fn only_what_types_has_text() {
        assert_eq!(key("A").text(), Some('A'));
        assert_eq!(key("space").text(), Some(' '));
        assert_eq!(key("shift-space").text(), Some(' '));
        assert_eq!(key("alt-a").text(), None);
        assert_eq!(key("ctrl-a").text(), None);
        assert_eq!(key("enter").text(), None);
    }
}
