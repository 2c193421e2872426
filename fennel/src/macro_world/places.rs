//! Where the code of macros is from: errors in it name chunks of Lua, and people know their files.

use std::cell::RefCell;

use crate::options::LineMap;

/// How chunks are called, with a number behind it.
const CHUNK: &str = "macro~";

/// The chunks that were loaded, by their number.
#[derive(Default)]
pub(super) struct Places {
    maps: RefCell<Vec<LineMap>>,
}

impl Places {
    /// Enters a chunk and gives the name to load it with.
    pub(super) fn enter(&self, map: LineMap) -> String {
        let mut maps = self.maps.borrow_mut();
        maps.push(map);
        format!("={CHUNK}{}", maps.len() - 1)
    }

    /// The source file and line of a chunk's line.
    pub(super) fn origin(&self, chunk: &str, line: u32) -> (String, u32) {
        let maps = self.maps.borrow();
        let map =
            chunk.strip_prefix(CHUNK).and_then(|number| maps.get(number.parse::<usize>().ok()?));
        match map.and_then(|map| map.origin(line)) {
            Some((file, line)) => (file.to_owned(), line),
            None => (chunk.to_owned(), line),
        }
    }

    /// A message with the positions of chunks put right.
    pub(super) fn told(&self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        let mut rest = message;
        while let Some(at) = rest.find(CHUNK) {
            out.push_str(&rest[..at]);
            let behind = &rest[at..];
            let position = behind.split_once(':').and_then(|(chunk, behind)| {
                let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
                let line = behind[..digits].parse().ok()?;
                Some((self.origin(chunk, line), &behind[digits..]))
            });
            match position {
                Some(((file, line), behind)) => {
                    out.push_str(&format!("{file}:{line}"));
                    rest = behind;
                }
                None => {
                    out.push_str(CHUNK);
                    rest = &behind[CHUNK.len()..];
                }
            }
        }
        out.push_str(rest);
        out
    }
}
