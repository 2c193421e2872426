//! What comes from a terminal, as values.

use crate::key::{Key, Mods};

/// One thing that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed or repeats.
    Key(Key),
    /// Text that was pasted, or came faster than anybody types. Line ends are `\n`; of the control
    /// characters there are none but that and the tab.
    Paste(String),
    /// The paste before this was longer than [`PASTE_LIMIT`](crate::decoder::PASTE_LIMIT).
    PasteCut {
        /// The bytes that were dropped at its end.
        dropped: usize,
    },
    /// The mouse did something.
    Mouse(Mouse),
    /// The terminal's window gained or lost the focus.
    Focus(Focus),
    /// The terminal told that its size is another one now. Most terminals say so by `SIGWINCH`
    /// alone, which the program has to hear itself.
    Resize,
    /// No more will come. The decoder never makes this; the reader does.
    Ended(Ended),
}

/// Where the keyboard goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Focus {
    /// To this window.
    Gained,
    /// Elsewhere.
    Lost,
}

/// Something that the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mouse {
    /// What it did.
    pub kind: MouseKind,
    /// The column in cells, from 0.
    pub column: u16,
    /// The row in cells, from 0.
    pub row: u16,
    /// What was held down on the keyboard.
    pub mods: Mods,
}

/// What a mouse can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseKind {
    /// A button went down.
    Press(Button),
    /// A button went up.
    Release(Button),
    /// The mouse moved while a button was down.
    Drag(Button),
    /// The mouse moved.
    Move,
    /// The wheel turned away from the person.
    ScrollUp,
    /// The wheel turned towards the person.
    ScrollDown,
    /// The wheel went to the left.
    ScrollLeft,
    /// The wheel went to the right.
    ScrollRight,
}

/// A button of a mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Button {
    /// The left one.
    Left,
    /// The one in the middle.
    Middle,
    /// The right one.
    Right,
}

/// Why no more input will come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The terminal is gone: it was closed or hung up.
    Gone,
    /// Reading failed; the system's words.
    Failed(String),
}
