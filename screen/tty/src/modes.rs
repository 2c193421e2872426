//! The modes of a full screen, as the bytes that turn them on and off.
//!
//! Owns these bytes and their order. It must never ask the terminal anything, since the answer would
//! have to be waited for and may never come, and never erase what has scrolled away.

/// What a full-screen program turns on. All of it by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes {
    /// The alternate screen, so that what was on the screen is there again afterwards.
    pub alternate_screen: bool,
    /// The kitty keyboard protocol: tells keys apart that look the same otherwise, and what shift
    /// made of a key. Terminals that do not know it ignore it.
    pub keyboard: bool,
    /// Marks around what is pasted.
    pub paste: bool,
    /// Reports of the window's focus.
    pub focus: bool,
    /// Reports of buttons, wheel and dragging.
    pub mouse: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Modes { alternate_screen: true, keyboard: true, paste: true, focus: true, mouse: true }
    }
}

/// On and off of one mode.
type Pair = (&'static str, &'static str);

const ALTERNATE_SCREEN: Pair = ("\x1b[?1049h", "\x1b[?1049l");

/// Flags 1 and 4 of the protocol: codes that cannot be mistaken, and what else is on the key.
/// The alternate screen has a stack of its own, so this comes after it.
const KEYBOARD: Pair = ("\x1b[>5u", "\x1b[<u");

const PASTE: Pair = ("\x1b[?2004h", "\x1b[?2004l");
const FOCUS: Pair = ("\x1b[?1004h", "\x1b[?1004l");

/// Buttons, dragging, and positions beyond column 223.
const MOUSE: Pair = ("\x1b[?1000h\x1b[?1002h\x1b[?1006h", "\x1b[?1006l\x1b[?1002l\x1b[?1000l");

/// What is left first, whatever a frame was doing: an open string ends, held output is shown, and
/// colours and attributes go.
const BEFORE_LEAVING: &str = "\x1b\\\x1b[?2026l\x1b[0m";

/// The cursor is seen again.
const AFTER_LEAVING: &str = "\x1b[?25h";

impl Modes {
    /// No mode at all; raw input only.
    pub const NONE: Modes = Modes {
        alternate_screen: false,
        keyboard: false,
        paste: false,
        focus: false,
        mouse: false,
    };

    fn pairs(self) -> impl DoubleEndedIterator<Item = Pair> {
        [
            (self.alternate_screen, ALTERNATE_SCREEN),
            (self.keyboard, KEYBOARD),
            (self.paste, PASTE),
            (self.focus, FOCUS),
            (self.mouse, MOUSE),
        ]
        .into_iter()
        .filter_map(|(on, pair)| on.then_some(pair))
    }

    /// The bytes that turn the modes on.
    pub fn enter(self) -> String {
        self.pairs().map(|(on, _)| on).collect()
    }

    /// The bytes that turn them off, last first, and leave colours, cursor and held output as a
    /// shell expects them.
    pub fn leave(self) -> String {
        let off = self.pairs().rev().map(|(_, off)| off);
        std::iter::once(BEFORE_LEAVING).chain(off).chain(std::iter::once(AFTER_LEAVING)).collect()
    }

    /// The bytes that turn off what `to` has not and then on what it has more, such as the mouse alone
    /// so that a person can select text with it for a while.
    pub fn change(self, to: Modes) -> String {
        let (before, after) = (self.pairs(), to.pairs());
        let (before, after): (Vec<Pair>, Vec<Pair>) = (before.collect(), after.collect());
        let off = before.iter().rev().filter(|pair| !after.contains(pair)).map(|pair| pair.1);
        let on = after.iter().filter(|pair| !before.contains(pair)).map(|pair| pair.0);
        off.chain(on).collect()
    }

    /// Whether the terminal may send something by itself, which a shell would read as typed.
    pub(crate) fn reports(self) -> bool {
        self.keyboard || self.focus || self.mouse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entering_turns_on_each_mode() {
        assert_eq!(
            Modes::default().enter(),
            "\x1b[?1049h\x1b[>5u\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1002h\x1b[?1006h"
        );
        assert_eq!(Modes::NONE.enter(), "");
    }

    #[test]
    fn leaving_is_the_reverse_and_shows_the_cursor() {
        assert_eq!(
            Modes::default().leave(),
            "\x1b\\\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\
             \x1b[<u\x1b[?1049l\x1b[?25h"
        );
        assert_eq!(Modes::NONE.leave(), "\x1b\\\x1b[?2026l\x1b[0m\x1b[?25h");
    }

    #[test]
    fn each_mode_that_is_entered_is_left_and_no_other() {
        for bits in 0..32u8 {
            let on = |bit: u8| bits & (1 << bit) != 0;
            let modes = Modes {
                alternate_screen: on(0),
                keyboard: on(1),
                paste: on(2),
                focus: on(3),
                mouse: on(4),
            };
            for (mode, (enter, leave)) in
                [ALTERNATE_SCREEN, KEYBOARD, PASTE, FOCUS, MOUSE].into_iter().enumerate()
            {
                assert_eq!(modes.enter().contains(enter), on(mode as u8));
                assert_eq!(modes.leave().contains(leave), on(mode as u8));
            }
        }
    }

    #[test]
    fn a_change_touches_what_differs_alone() {
        let all = Modes::default();
        let without = Modes { mouse: false, ..all };
        assert_eq!(all.change(without), "\x1b[?1006l\x1b[?1002l\x1b[?1000l");
        assert_eq!(without.change(all), "\x1b[?1000h\x1b[?1002h\x1b[?1006h");
        assert_eq!(all.change(all), "");
        assert_eq!(Modes::NONE.change(all), all.enter());
    }
}
