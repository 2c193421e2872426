//! What one whole sequence means.
//!
//! Owns the difference between keys, marks, the mouse and replies, and brings the forms of several
//! protocols into the one that the library of key codes reads. It must never let a reply of the
//! terminal become a key or text.

use crate::input::{Button, Focus, Input, Mouse, MouseKind};
use crate::key::{Code, Key, Mods};
use terminput::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
    ScrollDirection,
};

/// What a sequence is to the decoder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Something to hand on.
    Input(Input),
    /// A paste begins.
    PasteStart,
    /// A paste ends.
    PasteEnd,
    /// A reply, the release of a key, or something unknown.
    Nothing,
}

/// The largest mask of modifiers that means something: all eight bits, and one.
const LARGEST_MASK: u32 = 256;

/// What a whole control sequence means, from its escape character to its last byte.
pub(super) fn of_control(bytes: &[u8]) -> Meaning {
    let (Some(body), Some(&last)) = (bytes.get(2..), bytes.last()) else {
        return Meaning::Nothing;
    };
    match body {
        b"200~" => return Meaning::PasteStart,
        b"201~" => return Meaning::PasteEnd,
        b"I" => return Meaning::Input(Input::Focus(Focus::Gained)),
        b"O" => return Meaning::Input(Input::Focus(Focus::Lost)),
        [b'M', _, _, _] | [b'[', _] => return parsed(bytes),
        _ => {}
    }
    let parameters = &body[..body.len().saturating_sub(1)];
    if last == b'M' || last == b'm' {
        return parameters.strip_prefix(b"<").map_or(Meaning::Nothing, |rest| mouse(rest, last));
    }
    let Some(parameters) = Parameters::read(parameters) else { return Meaning::Nothing };
    match last {
        b'u' => key_by_codepoint(&parameters),
        // XTerm's modifyOtherKeys: 27, modifiers, code point.
        b'~' if parameters.number(0) == Some(27) && parameters.number(2).is_some() => {
            let (code, mask) = (parameters.number(2), parameters.number(1));
            by_codepoint(code.unwrap_or_default(), mask.unwrap_or(1), 1)
        }
        // A terminal tells its size by itself, where that mode is on.
        b't' if parameters.number(0) == Some(48) => Meaning::Input(Input::Resize),
        // A report of the cursor looks like F3 with modifiers. Those are at most 16.
        b'R' if !parameters.is_empty() => match (parameters.number(0), parameters.number(1)) {
            (Some(1), Some(2..=16)) => parsed(bytes),
            _ => Meaning::Nothing,
        },
        b'A'..=b'F' | b'H' | b'P'..=b'S' | b'Z' | b'~'
            if parameters.number(1).is_none_or(|mask| mask < LARGEST_MASK) =>
        {
            parsed(bytes)
        }
        _ => Meaning::Nothing,
    }
}

/// What a whole `SS3` sequence means.
pub(super) fn of_function(bytes: &[u8]) -> Meaning {
    let key = match bytes.get(2..) {
        // The keypad in application mode.
        Some(b"M") => Key::plain(Code::Enter),
        Some(b"X") => Key::plain(Code::Char('=')),
        Some([letter @ b'j'..=b'y']) => Key::plain(Code::Char(char::from(letter - b'j' + b'*'))),
        // Arrows with control as rxvt has them.
        Some(b"a") => Key::new(Code::Up, Mods::CTRL),
        Some(b"b") => Key::new(Code::Down, Mods::CTRL),
        Some(b"c") => Key::new(Code::Right, Mods::CTRL),
        Some(b"d") => Key::new(Code::Left, Mods::CTRL),
        Some([_]) => return parsed(bytes),
        // Old terminals put modifiers between; the form with CSI means the same.
        Some(rest) => return parsed(&[b"\x1b[1;", &rest[rest.len().saturating_sub(2)..]].concat()),
        None => return Meaning::Nothing,
    };
    Meaning::Input(Input::Key(key))
}

/// The key of a control character by itself.
pub(super) fn of_byte(byte: u8) -> Key {
    let control = |c| Key::new(Code::Char(c), Mods::CTRL);
    match byte {
        b'\r' => Key::plain(Code::Enter),
        b'\t' => Key::plain(Code::Tab),
        0x1b => Key::plain(Code::Esc),
        0x7f => Key::plain(Code::Backspace),
        0 => control(' '),
        0x01..=0x1a => control(char::from(byte - 1 + b'a')),
        0x1c..=0x1f => control(char::from(byte - 0x1c + b'\\')),
        _ => Key::plain(Code::Char(char::from(byte))),
    }
}

/// The numbers of a control sequence; each may have some of its own after colons.
struct Parameters(Vec<Vec<Option<u32>>>);

impl Parameters {
    fn read(bytes: &[u8]) -> Option<Parameters> {
        let text = std::str::from_utf8(bytes).ok()?;
        if !text.bytes().all(|byte| matches!(byte, b'0'..=b';')) {
            return None;
        }
        let group = |group: &str| group.split(':').map(|number| number.parse().ok()).collect();
        Some(Parameters(text.split(';').map(group).collect()))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().flatten().all(Option::is_none)
    }

    fn number(&self, group: usize) -> Option<u32> {
        self.sub(group, 0)
    }

    fn sub(&self, group: usize, index: usize) -> Option<u32> {
        self.0.get(group)?.get(index).copied().flatten()
    }
}

/// The kitty keyboard protocol: code point : shifted : base layout ; modifiers : kind of event.
fn key_by_codepoint(parameters: &Parameters) -> Meaning {
    let Some(mut code) = parameters.number(0) else { return Meaning::Nothing };
    let mask = parameters.number(1).unwrap_or(1);
    let held = mask.saturating_sub(1);
    let kind = parameters.sub(1, 1).unwrap_or(1);
    let (shift, chord) = (held & 1 != 0, held & 0b1110 != 0);
    let ascii = |code: u32| code < 128;
    if let Some(base) = parameters.sub(0, 2)
        && chord
        && !ascii(code)
        && ascii(base)
    {
        // On a keyboard of another script ctrl and the key of `c` are meant as ctrl-c.
        code = base;
    } else if let Some(shifted) = parameters.sub(0, 1)
        && shift
        && held & 0b100 == 0
    {
        // What shift types is in the character; shift goes, or `alt-!` would not be one key.
        return by_codepoint(shifted, (held & !1) + 1, kind);
    }
    by_codepoint(code, mask, kind)
}

fn by_codepoint(code: u32, mask: u32, kind: u32) -> Meaning {
    let mask = mask.clamp(1, LARGEST_MASK - 1);
    parsed(format!("\x1b[{code};{mask}:{kind}u").as_bytes())
}

/// The mouse by numbers (`SGR`): button, column, row from 1.
fn mouse(parameters: &[u8], last: u8) -> Meaning {
    let Some(parameters) = Parameters::read(parameters) else { return Meaning::Nothing };
    let (Some(button), Some(column), Some(row)) =
        (parameters.number(0), parameters.number(1), parameters.number(2))
    else {
        return Meaning::Nothing;
    };
    // Terminals that count in pixels, or wrongly, may say 0 or more than there are cells.
    let cell = |place: u32| place.clamp(1, u32::from(u16::MAX));
    let (column, row, last) = (cell(column), cell(row), char::from(last));
    parsed(format!("\x1b[<{button};{column};{row}{last}").as_bytes())
}

/// What the library of key codes makes of a sequence in a form that it knows.
fn parsed(bytes: &[u8]) -> Meaning {
    let input = match Event::parse_from(bytes) {
        Ok(Some(Event::Key(event))) => key(event).map(Input::Key),
        Ok(Some(Event::Mouse(event))) => mouse_kind(event.kind).map(|kind| {
            let (column, row) = (event.column, event.row);
            let mods = mods(event.modifiers).unwrap_or_default();
            Input::Mouse(Mouse { kind, column, row, mods })
        }),
        _ => None,
    };
    input.map_or(Meaning::Nothing, Meaning::Input)
}

fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let code = match event.code {
        KeyCode::Char(c) if c.is_control() => return None,
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    };
    Some(Key::new(code, mods(event.modifiers)?))
}

/// Our modifiers; none for keys with one that no binding can name.
fn mods(held: KeyModifiers) -> Option<Mods> {
    if held.intersects(KeyModifiers::HYPER | KeyModifiers::META) {
        return None;
    }
    let each = [
        (KeyModifiers::CTRL, Mods::CTRL),
        (KeyModifiers::ALT, Mods::ALT),
        (KeyModifiers::SHIFT, Mods::SHIFT),
        (KeyModifiers::SUPER, Mods::SUPER),
    ];
    let of = |(theirs, ours)| if held.contains(theirs) { ours } else { Mods::NONE };
    Some(each.into_iter().map(of).fold(Mods::NONE, |all, one| all | one))
}

fn mouse_kind(kind: MouseEventKind) -> Option<MouseKind> {
    let button = |button| match button {
        MouseButton::Left => Some(Button::Left),
        MouseButton::Middle => Some(Button::Middle),
        MouseButton::Right => Some(Button::Right),
        MouseButton::Unknown => None,
    };
    Some(match kind {
        MouseEventKind::Down(pressed) => MouseKind::Press(button(pressed)?),
        MouseEventKind::Up(released) => MouseKind::Release(button(released)?),
        MouseEventKind::Drag(held) => MouseKind::Drag(button(held)?),
        MouseEventKind::Moved => MouseKind::Move,
        MouseEventKind::Scroll(ScrollDirection::Up) => MouseKind::ScrollUp,
        MouseEventKind::Scroll(ScrollDirection::Down) => MouseKind::ScrollDown,
        MouseEventKind::Scroll(ScrollDirection::Left) => MouseKind::ScrollLeft,
        MouseEventKind::Scroll(ScrollDirection::Right) => MouseKind::ScrollRight,
    })
}
