//! Where an escape sequence ends.
//!
//! Owns the division of bytes into sequences, by the forms of ECMA-48 and what terminals made of
//! them. It must never need to know what a sequence means, but for where a key with alt and the
//! beginning of a reply look the same: there the next byte decides.

/// The longest sequence that is waited for; none that means something is nearly as long.
const LONGEST: usize = 256;

/// What begins with an escape character.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// More bytes may belong to it.
    Unfinished,
    /// An escape key, and then something else; one byte.
    Esc,
    /// A control sequence (`CSI`) of so many bytes.
    Control(usize),
    /// A function key in the form `SS3`, of so many bytes.
    Function(usize),
    /// The escape stands for alt, with what comes after it.
    Alt,
    /// A reply with text in it begins (`OSC`, `DCS`, `APC`); the length of its beginning.
    Text(usize),
    /// Nothing that means anything, of so many bytes.
    Broken(usize),
}

/// What `bytes`, which begin with an escape character, are.
pub(super) fn frame(bytes: &[u8]) -> Frame {
    let Some(&second) = bytes.get(1) else { return Frame::Unfinished };
    let third = bytes.get(2).copied();
    match (second, third) {
        (0x1b, None) => Frame::Unfinished,
        (0x1b, Some(b'[' | b'O')) => Frame::Alt,
        (0x1b, Some(_)) => Frame::Esc,
        (b'[', _) => control(bytes),
        (b'O', _) => function(bytes),
        (b']' | b'P' | b'_', None) => Frame::Unfinished,
        (b']', Some(b'0'..=b'9'))
        | (b'P', Some(b'0'..=b'9' | b'>' | b'!' | b'$' | b'+'))
        | (b'_', Some(b'G')) => Frame::Text(3),
        _ => Frame::Alt,
    }
}

fn control(bytes: &[u8]) -> Frame {
    match bytes.get(2) {
        // Function keys of the Linux console: one letter after a second bracket.
        Some(b'[') => return at(bytes, 3, 4),
        // The mouse without a protocol that counts: three bytes, whatever they are.
        Some(b'M') if bytes.len() < 6 => return Frame::Unfinished,
        Some(b'M') => return Frame::Control(6),
        _ => {}
    }
    for (index, byte) in bytes.iter().enumerate().skip(2) {
        match byte {
            0x20..=0x3f if index < LONGEST => {}
            0x40..=0x7e => return Frame::Control(index + 1),
            // Anything else breaks the sequence off and is looked at by itself.
            _ => return Frame::Broken(index),
        }
    }
    Frame::Unfinished
}

fn function(bytes: &[u8]) -> Frame {
    for (index, byte) in bytes.iter().enumerate().skip(2) {
        match byte {
            b'0'..=b'9' | b';' if index < LONGEST => {}
            0x40..=0x7e => return Frame::Function(index + 1),
            _ if index == 2 => return Frame::Alt,
            _ => return Frame::Broken(index),
        }
    }
    Frame::Unfinished
}

/// A control sequence of this length if the byte at `index` has come and is printable.
fn at(bytes: &[u8], index: usize, length: usize) -> Frame {
    match bytes.get(index) {
        None => Frame::Unfinished,
        Some(0x20..=0x7e) => Frame::Control(length),
        Some(_) => Frame::Broken(index),
    }
}
