//! Lua's pattern matching with a bound on its work.
//!
//! It answers as Lua 5.4's own matcher does, error messages included; only a match that takes more
//! than [`STEPS`] steps ends in an error of its own. Lua's cannot be interrupted, and a pattern such
//! as `.-.-.-.-b` makes it run for hours. Positions are byte offsets from 0.

mod class;

use std::fmt;

use class::{bracket_class, class};

/// Steps of one call: about 20 ms.
pub const STEPS: u32 = 4_000_000;
/// Captures of a pattern, as in Lua.
const MAX_CAPTURES: usize = 32;
/// Nested matches, as in Lua.
const MAX_DEPTH: u32 = 200;

/// Why a match could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// Lua's own words.
    Malformed(String),
    /// The bound on steps.
    TooMuchWork,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Malformed(words) => f.write_str(words),
            PatternError::TooMuchWork => write!(
                f,
                "the pattern needs more than {STEPS} steps on this text; make it more specific"
            ),
        }
    }
}

type Matched = Result<Option<usize>, PatternError>;

fn malformed<T>(words: &str) -> Result<T, PatternError> {
    Err(PatternError::Malformed(words.to_owned()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Unfinished,
    Position,
    Of(usize),
}

/// One captured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// The bytes from, and up to but not with.
    Text(usize, usize),
    /// A position, from 1.
    Position(usize),
}

/// A subject, a pattern and the work that may still be done on them.
pub struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    depth: u32,
    captures: [(usize, Length); MAX_CAPTURES],
    level: usize,
    steps: u32,
}

impl<'a> Matcher<'a> {
    /// A matcher; `pattern` comes without its anchor.
    pub fn new(text: &'a [u8], pattern: &'a [u8]) -> Self {
        Matcher {
            text,
            pattern,
            depth: 0,
            captures: [(0, Length::Unfinished); MAX_CAPTURES],
            level: 0,
            steps: STEPS,
        }
    }

    /// Matches at exactly this offset; gives the end of the match.
    pub fn match_at(&mut self, at: usize) -> Matched {
        self.depth = MAX_DEPTH;
        self.level = 0;
        self.run(at, 0)
    }

    /// The first match at or after `at` whose end is not `not_end`: its start and end.
    pub fn search(
        &mut self,
        at: usize,
        not_end: Option<usize>,
        anchored: bool,
    ) -> Result<Option<(usize, usize)>, PatternError> {
        let mut start = at;
        while start <= self.text.len() {
            if let Some(end) = self.match_at(start)?
                && Some(end) != not_end
            {
                return Ok(Some((start, end)));
            }
            if anchored {
                break;
            }
            start += 1;
        }
        Ok(None)
    }

    /// The captures of the last match, or the whole match where the pattern has none.
    pub fn captures(&self, start: usize, end: usize) -> Result<Vec<Capture>, PatternError> {
        (0..self.level.max(1)).map(|index| self.capture(index, start, end)).collect()
    }

    /// The captures alone.
    pub fn own_captures(&self) -> Result<Vec<Capture>, PatternError> {
        (0..self.level).map(|index| self.capture(index, 0, 0)).collect()
    }

    /// Capture `index` from 0; index 0 of a pattern without captures is the whole match.
    pub fn capture(&self, index: usize, start: usize, end: usize) -> Result<Capture, PatternError> {
        if index >= self.level {
            if index != 0 {
                return malformed(&format!("invalid capture index %{}", index + 1));
            }
            return Ok(Capture::Text(start, end));
        }
        match self.captures[index] {
            (_, Length::Unfinished) => malformed("unfinished capture"),
            (from, Length::Position) => Ok(Capture::Position(from + 1)),
            (from, Length::Of(length)) => Ok(Capture::Text(from, from + length)),
        }
    }

    fn spend(&mut self, steps: usize) -> Result<(), PatternError> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => {
                self.steps = 0;
                Err(PatternError::TooMuchWork)
            }
        }
    }

    /// The pattern's byte; Lua's strings end in a zero that its matcher reads.
    fn byte(&self, at: usize) -> u8 {
        self.pattern.get(at).copied().unwrap_or(0)
    }

    fn class_end(&mut self, mut at: usize) -> Result<usize, PatternError> {
        let first = self.byte(at);
        at += 1;
        match first {
            b'%' => {
                if at == self.pattern.len() {
                    return malformed("malformed pattern (ends with '%')");
                }
                Ok(at + 1)
            }
            b'[' => {
                let opened = at;
                if self.byte(at) == b'^' {
                    at += 1;
                }
                loop {
                    if at == self.pattern.len() {
                        return malformed("malformed pattern (missing ']')");
                    }
                    let here = self.byte(at);
                    at += 1;
                    if here == b'%' && at < self.pattern.len() {
                        at += 1;
                    }
                    if self.byte(at) == b']' && at < self.pattern.len() {
                        break;
                    }
                }
                self.spend((at - opened) / 2)?;
                Ok(at + 1)
            }
            _ => Ok(at),
        }
    }

    fn bracket(&mut self, byte: u8, at: usize, last: usize) -> Result<bool, PatternError> {
        self.spend((last - at) / 2)?;
        Ok(bracket_class(byte, self.pattern, at, last))
    }

    fn single(&mut self, at: usize, item: usize, item_end: usize) -> Result<bool, PatternError> {
        self.spend(1)?;
        let Some(&byte) = self.text.get(at) else { return Ok(false) };
        Ok(match self.byte(item) {
            b'.' => true,
            b'%' => class(byte, self.byte(item + 1)),
            b'[' => self.bracket(byte, item, item_end - 1)?,
            literal => literal == byte,
        })
    }

    fn balance(&mut self, mut at: usize, item: usize) -> Matched {
        if item + 1 >= self.pattern.len() {
            return malformed("malformed pattern (missing arguments to '%b')");
        }
        let (open, close) = (self.byte(item), self.byte(item + 1));
        // At the end of the text Lua's matcher reads the zero that ends its strings.
        if self.text.get(at).copied().unwrap_or(0) != open {
            return Ok(None);
        }
        let mut depth = 1_usize;
        let began = at;
        at += 1;
        while let Some(&byte) = self.text.get(at) {
            at += 1;
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    self.spend(at - began)?;
                    return Ok(Some(at));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        self.spend(at - began)?;
        Ok(None)
    }

    fn greedy(&mut self, at: usize, item: usize, item_end: usize) -> Matched {
        let mut count = 0;
        while self.single(at + count, item, item_end)? {
            count += 1;
        }
        loop {
            if let Some(end) = self.run(at + count, item_end + 1)? {
                return Ok(Some(end));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    fn lazy(&mut self, mut at: usize, item: usize, item_end: usize) -> Matched {
        loop {
            if let Some(end) = self.run(at, item_end + 1)? {
                return Ok(Some(end));
            }
            if !self.single(at, item, item_end)? {
                return Ok(None);
            }
            at += 1;
        }
    }

    fn open_capture(&mut self, at: usize, item: usize, length: Length) -> Matched {
        if self.level >= MAX_CAPTURES {
            return malformed("too many captures");
        }
        self.captures[self.level] = (at, length);
        self.level += 1;
        let matched = self.run(at, item)?;
        if matched.is_none() {
            self.level -= 1;
        }
        Ok(matched)
    }

    fn close_capture(&mut self, at: usize, item: usize) -> Matched {
        let open = (0..self.level).rev().find(|&i| self.captures[i].1 == Length::Unfinished);
        let Some(open) = open else { return malformed("invalid pattern capture") };
        self.captures[open].1 = Length::Of(at - self.captures[open].0);
        let matched = self.run(at, item)?;
        if matched.is_none() {
            self.captures[open].1 = Length::Unfinished;
        }
        Ok(matched)
    }

    fn back_reference(&mut self, at: usize, digit: u8) -> Matched {
        let index = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let words = || format!("invalid capture index %{}", i32::from(digit) - i32::from(b'0'));
        if index >= self.level {
            return malformed(&words());
        }
        match self.captures[index] {
            (_, Length::Unfinished) => malformed(&words()),
            // Lua reads the length of a position capture as one that no text has.
            (_, Length::Position) => Ok(None),
            (from, Length::Of(length)) => {
                self.spend(length / 16)?;
                let captured = &self.text[from..from + length];
                let here = self.text.get(at..at + length);
                Ok((here == Some(captured)).then_some(at + length))
            }
        }
    }

    fn run(&mut self, at: usize, item: usize) -> Matched {
        if self.depth == 0 {
            return malformed("pattern too complex");
        }
        self.depth -= 1;
        let matched = self.follow(at, item)?;
        self.depth += 1;
        Ok(matched)
    }

    fn follow(&mut self, mut at: usize, mut item: usize) -> Matched {
        while item < self.pattern.len() {
            self.spend(1)?;
            match self.byte(item) {
                b'(' if self.byte(item + 1) == b')' => {
                    return self.open_capture(at, item + 2, Length::Position);
                }
                b'(' => return self.open_capture(at, item + 1, Length::Unfinished),
                b')' => return self.close_capture(at, item + 1),
                b'$' if item + 1 == self.pattern.len() => {
                    return Ok((at == self.text.len()).then_some(at));
                }
                b'%' if self.byte(item + 1) == b'b' => match self.balance(at, item + 2)? {
                    Some(end) => (at, item) = (end, item + 4),
                    None => return Ok(None),
                },
                b'%' if self.byte(item + 1) == b'f' => {
                    item += 2;
                    if self.byte(item) != b'[' {
                        return malformed("missing '[' after '%f' in pattern");
                    }
                    let end = self.class_end(item)?;
                    let before = if at == 0 { 0 } else { self.text[at - 1] };
                    let here = self.text.get(at).copied().unwrap_or(0);
                    if self.bracket(before, item, end - 1)? || !self.bracket(here, item, end - 1)? {
                        return Ok(None);
                    }
                    item = end;
                }
                b'%' if self.byte(item + 1).is_ascii_digit() => {
                    match self.back_reference(at, self.byte(item + 1))? {
                        Some(end) => (at, item) = (end, item + 2),
                        None => return Ok(None),
                    }
                }
                _ => {
                    let end = self.class_end(item)?;
                    let suffix = self.byte(end);
                    if !self.single(at, item, end)? {
                        if !matches!(suffix, b'*' | b'?' | b'-') {
                            return Ok(None);
                        }
                        item = end + 1;
                        continue;
                    }
                    match suffix {
                        b'?' => {
                            if let Some(found) = self.run(at + 1, end + 1)? {
                                return Ok(Some(found));
                            }
                            item = end + 1;
                        }
                        b'+' => return self.greedy(at + 1, item, end),
                        b'*' => return self.greedy(at, item, end),
                        b'-' => return self.lazy(at, item, end),
                        _ => (at, item) = (at + 1, end),
                    }
                }
            }
        }
        Ok(Some(at))
    }
}
