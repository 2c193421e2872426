//! From bytes of a terminal to [`Input`]s.
//!
//! Owns the division of the stream into keys, pastes, events and replies. It is pure: bytes and
//! times in, inputs out; it must never read, wait or look at a clock. The
//! [`Reader`](crate::reader::Reader) feeds it.
//!
//! Three rules go by time, since bytes alone do not tell:
//!
//! * An escape character is the escape key when nothing has followed it for [`ESC_WAIT`]. What else
//!   is unfinished for [`SILENCE`] is given up: text of a paste is delivered, replies are dropped.
//! * Text that comes faster than anybody types is a paste, so that its line ends send nothing: when
//!   text follows a line end in one read, or from the [`BURST`]th character on that came within
//!   [`BURST_GAP`] of the one before. `hello` and enter in one read are typed.
//! * What comes within [`BURST_GAP`] after the end mark of a paste belongs to the paste: its text is
//!   content and its keys are dropped. So a paste that holds an end mark itself runs nothing.

mod content;
mod meaning;
mod sequence;

pub use content::PASTE_LIMIT;

use crate::input::Input;
use crate::key::{Code, Key, Mods};
use content::{Content, Stretch};
use meaning::Meaning;
use sequence::Frame;
use std::time::{Duration, Instant};

/// How long an escape character may be the beginning of something else.
pub const ESC_WAIT: Duration = Duration::from_millis(25);

/// How long an escape character and one more may be the beginning of something else than a key with
/// alt. Longer than [`ESC_WAIT`], since few bind these keys and a sequence cut here would be typed.
pub const ALT_WAIT: Duration = Duration::from_millis(100);

/// How long the rest of a sequence or a paste is waited for.
pub const SILENCE: Duration = Duration::from_millis(500);

/// The gap that ends a burst.
pub const BURST_GAP: Duration = Duration::from_millis(10);

/// The characters of a burst that nobody typed.
pub const BURST: usize = 100;

/// The longest reply of a terminal that is waited for, in bytes.
const LONGEST_REPLY: usize = 1 << 20;

/// Where in the stream the decoder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between things.
    Ground,
    /// In a bracketed paste.
    Paste,
    /// In the text of a reply, of which so many bytes have come.
    Reply(usize),
}

/// What the bytes that come without a gap are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Somebody types.
    Typing,
    /// Text comes too fast for that.
    Burst,
    /// A paste ended just now.
    AfterPaste,
}

/// The state between reads. See the module for the rules.
///
/// The caller hands over each read with [`feed`](Decoder::feed), and calls
/// [`expire`](Decoder::expire) when [`due`](Decoder::due) comes and nothing can be read; nothing
/// expires by itself, so that bytes that a busy program reads late still belong together.
#[derive(Debug)]
pub struct Decoder {
    place: Place,
    flow: Flow,
    /// The beginning of a sequence or of a character.
    held: Vec<u8>,
    /// The paste or burst that is not delivered yet.
    content: Option<Content>,
    /// A paste was given up, and its end mark has not come since.
    interrupted: bool,
    /// The characters typed without a gap.
    typed: usize,
    /// When bytes came last.
    last: Option<Instant>,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// A decoder at the beginning of a stream.
    pub fn new() -> Decoder {
        Decoder {
            place: Place::Ground,
            flow: Flow::Typing,
            held: Vec::new(),
            content: None,
            interrupted: false,
            typed: 0,
            last: None,
        }
    }

    /// The inputs of one read that ended at `now`.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) -> Vec<Input> {
        let mut into = Vec::new();
        if bytes.is_empty() {
            return into;
        }
        let gap = self.last.is_none_or(|last| now.saturating_duration_since(last) > BURST_GAP);
        if gap && self.place != Place::Paste {
            self.settle(&mut into);
        }
        self.last = Some(now);
        if self.held.is_empty() {
            self.read(bytes, &mut into);
        } else {
            let mut all = std::mem::take(&mut self.held);
            all.extend_from_slice(bytes);
            self.read(&all, &mut into);
        }
        into
    }

    /// When [`expire`](Decoder::expire) is to be called, if nothing comes before.
    pub fn due(&self) -> Option<Instant> {
        let wait = match self.place {
            Place::Paste | Place::Reply(_) => SILENCE,
            Place::Ground if self.content.is_some() => BURST_GAP,
            Place::Ground => self.patience()?,
        };
        self.last?.checked_add(wait)
    }

    /// How long what is held is waited for.
    fn patience(&self) -> Option<Duration> {
        match self.held.as_slice() {
            [] => None,
            [0x1b] | [0x1b, 0x1b] => Some(ESC_WAIT),
            [0x1b, _] => Some(ALT_WAIT),
            _ => Some(SILENCE),
        }
    }

    /// What the silence until `now` says about what is unfinished.
    pub fn expire(&mut self, now: Instant) -> Vec<Input> {
        let mut into = Vec::new();
        // After a burst there may be something held, which has its own time.
        while self.due().is_some_and(|due| due <= now) {
            self.give_up(&mut into);
        }
        into
    }

    /// What there is, when nothing more will come for a while; nothing is due after that.
    pub fn finish(&mut self) -> Vec<Input> {
        let mut into = Vec::new();
        while self.due().is_some() {
            self.give_up(&mut into);
        }
        into
    }

    /// Gives up to wait for the one thing that is due.
    fn give_up(&mut self, into: &mut Vec<Input>) {
        match self.place {
            Place::Paste => {
                self.place = Place::Ground;
                self.interrupted = true;
                self.deliver(into);
            }
            Place::Reply(_) => {
                self.place = Place::Ground;
                self.held.clear();
            }
            Place::Ground if self.content.is_some() => self.deliver(into),
            Place::Ground => {
                let held = std::mem::take(&mut self.held);
                match held.as_slice() {
                    [0x1b] => self.key(meaning::of_byte(0x1b), into),
                    [0x1b, 0x1b] => {
                        self.key(meaning::of_byte(0x1b), into);
                        self.key(meaning::of_byte(0x1b), into);
                    }
                    [0x1b, byte @ b' '..=b'~'] => {
                        self.key(Key::new(Code::Char(char::from(*byte)), Mods::ALT), into);
                    }
                    // The beginning of a sequence or of a character means nothing.
                    _ => {}
                }
            }
        }
    }

    /// A gap ended what came before it.
    fn settle(&mut self, into: &mut Vec<Input>) {
        self.deliver(into);
        self.flow = Flow::Typing;
        self.typed = 0;
    }

    fn deliver(&mut self, into: &mut Vec<Input>) {
        if let Some(content) = self.content.take() {
            content.deliver(into);
        }
    }

    /// Reads all bytes; the beginning of something at their end is held.
    fn read(&mut self, bytes: &[u8], into: &mut Vec<Input>) {
        if self.interrupted && content::has_end_mark(bytes) {
            // The rest of a paste that a slow connection held up, not something typed.
            self.interrupted = false;
            self.place = Place::Paste;
        }
        let mut rest = bytes;
        let mut paste_ended = false;
        while let Some(&first) = rest.first() {
            let taken = match self.place {
                Place::Paste => {
                    let taken = self.paste(rest);
                    paste_ended |= self.place == Place::Ground;
                    taken
                }
                Place::Reply(length) => match self.reply(rest, length) {
                    0 if self.place == Place::Ground => continue,
                    taken => taken,
                },
                Place::Ground if first == 0x1b => self.escape(rest, into),
                Place::Ground if is_text(first) => self.text(rest, into),
                Place::Ground => {
                    self.key(meaning::of_byte(first), into);
                    1
                }
            };
            if taken == 0 {
                self.held = rest.to_vec();
                break;
            }
            rest = rest.get(taken..).unwrap_or_default();
        }
        // A whole paste is delivered at once, with what came right after it.
        if paste_ended && self.place == Place::Ground {
            self.deliver(into);
        }
    }

    fn paste(&mut self, bytes: &[u8]) -> usize {
        match self.content.get_or_insert_default().until_mark(bytes) {
            Stretch::Open => bytes.len(),
            Stretch::Ended(length) => {
                self.place = Place::Ground;
                self.flow = Flow::AfterPaste;
                length
            }
        }
    }

    /// The text of a reply ends with BEL or ST. Anything that no reply holds breaks it off, and is
    /// looked at again as the key or the sequence that it is.
    fn reply(&mut self, bytes: &[u8], before: usize) -> usize {
        let length = bytes.iter().position(|&byte| byte < b' ').unwrap_or(bytes.len());
        if length > 0 {
            let total = before.saturating_add(length);
            self.place = if total > LONGEST_REPLY { Place::Ground } else { Place::Reply(total) };
            return length;
        }
        let (taken, place) = match bytes {
            [0x1b] => (0, self.place),
            [0x1b, b'\\', ..] => (2, Place::Ground),
            [0x07, ..] => (1, Place::Ground),
            _ => (0, Place::Ground),
        };
        self.place = place;
        taken
    }

    /// Text up to the next thing that is none.
    fn text(&mut self, bytes: &[u8], into: &mut Vec<Input>) -> usize {
        let end = bytes.iter().position(|&byte| !is_text(byte));
        let run = &bytes[..end.unwrap_or(bytes.len())];
        let held = if end.is_none() { unfinished(run) } else { 0 };
        let run = &run[..run.len() - held];
        if self.flow == Flow::Typing && !self.is_typed(run) {
            self.flow = Flow::Burst;
        }
        if self.flow == Flow::Typing {
            for chunk in run.utf8_chunks() {
                into.extend(chunk.valid().chars().filter_map(typed));
                if !chunk.invalid().is_empty() {
                    into.extend(typed(char::REPLACEMENT_CHARACTER));
                }
            }
        } else if !run.is_empty() {
            let content = self.content.get_or_insert_default();
            content.take(run);
            if end.is_some() {
                content.seal();
            }
        }
        run.len()
    }

    /// Whether somebody can have typed this.
    fn is_typed(&mut self, run: &[u8]) -> bool {
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let lines_follow = run
            .iter()
            .position(is_end)
            .is_some_and(|end| run[end..].iter().any(|byte| !is_end(byte)));
        // Continuation bytes are no characters of their own.
        let characters = run.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.typed = self.typed.saturating_add(characters);
        !lines_follow && self.typed < BURST
    }

    /// What begins with an escape character; 0 if more is needed.
    fn escape(&mut self, bytes: &[u8], into: &mut Vec<Input>) -> usize {
        match sequence::frame(bytes) {
            Frame::Unfinished => 0,
            Frame::Esc => {
                self.key(meaning::of_byte(0x1b), into);
                1
            }
            Frame::Control(length) => {
                self.mean(meaning::of_control(&bytes[..length]), into);
                length
            }
            Frame::Function(length) => {
                self.mean(meaning::of_function(&bytes[..length]), into);
                length
            }
            Frame::Alt => self.alt(bytes, into),
            Frame::Text(length) => {
                self.place = Place::Reply(0);
                length
            }
            Frame::Broken(length) => length,
        }
    }

    /// An escape character that stands for alt.
    fn alt(&mut self, bytes: &[u8], into: &mut Vec<Input>) -> usize {
        let after = &bytes[1..];
        let meaning = match after {
            [0x1b, ..] => match sequence::frame(after) {
                Frame::Unfinished => return 0,
                Frame::Control(length) => (meaning::of_control(&after[..length]), length),
                Frame::Function(length) => (meaning::of_function(&after[..length]), length),
                _ => (Meaning::Nothing, 0),
            },
            [byte, ..] if !is_text(*byte) || byte.is_ascii_control() => {
                (Meaning::Input(Input::Key(meaning::of_byte(*byte))), 1)
            }
            _ => {
                // No character is longer.
                let start = &after[..after.len().min(4)];
                if unfinished(start) == after.len() {
                    return 0;
                }
                let chunk = start.utf8_chunks().next();
                match chunk.and_then(|chunk| chunk.valid().chars().next()) {
                    Some(c) if c.is_control() => (Meaning::Nothing, c.len_utf8()),
                    Some(c) => {
                        let key = Key::plain(Code::Char(c));
                        (Meaning::Input(Input::Key(key)), c.len_utf8())
                    }
                    None => (Meaning::Nothing, 0),
                }
            }
        };
        match meaning {
            (Meaning::Input(Input::Key(key)), length) => {
                self.key(Key::new(key.code, key.mods | Mods::ALT), into);
                1 + length
            }
            // Not a key: the escape is one by itself.
            _ => {
                self.key(meaning::of_byte(0x1b), into);
                1
            }
        }
    }

    fn mean(&mut self, meaning: Meaning, into: &mut Vec<Input>) {
        match meaning {
            Meaning::Input(Input::Key(key)) => self.key(key, into),
            Meaning::Input(Input::Mouse(_)) if self.flow == Flow::AfterPaste => {}
            Meaning::Input(input) => {
                self.deliver(into);
                into.push(input);
            }
            Meaning::PasteStart => {
                self.deliver(into);
                self.content = Some(Content::default());
                self.interrupted = false;
                self.place = Place::Paste;
            }
            // The end of a paste that was given up, or one in a paste after the mark that it held.
            Meaning::PasteEnd => self.flow = Flow::AfterPaste,
            Meaning::Nothing => {}
        }
    }

    fn key(&mut self, key: Key, into: &mut Vec<Input>) {
        // Whoever wrote the paste wrote this, too.
        if self.flow == Flow::AfterPaste {
            return;
        }
        self.deliver(into);
        into.push(Input::Key(key));
    }
}

/// Whether a byte belongs to text, line ends and tabs among it.
fn is_text(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b'\t') || (byte >= b' ' && byte != 0x7f)
}

/// The key of a character of typed text.
fn typed(c: char) -> Option<Input> {
    let key = match c {
        '\r' | '\n' | '\t' => meaning::of_byte(c as u8),
        c if c.is_control() => return None,
        c => Key::plain(Code::Char(c)),
    };
    Some(Input::Key(key))
}

/// The bytes at the end that may be the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(3);
    (from..bytes.len())
        .find(|&at| {
            bytes[at] >= 0xc0
                && std::str::from_utf8(&bytes[at..])
                    .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .map_or(0, |at| bytes.len() - at)
}
