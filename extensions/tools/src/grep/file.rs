//! Searches one file, line by line, with bounded memory.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use std::io::{self, Read};
use std::path::Path;

use super::Request;
use crate::paths::open_regular;
use crate::text::readable;
use crate::work::Stop;

/// The most bytes of a line that are shown.
const LINE: usize = 500;

/// How much of them stands before the match.
const BEFORE: usize = 150;

/// The longest line that is searched, in bytes; memory holds one such line for each thread.
const LONGEST: usize = 32 << 20;

/// The matches of a file.
pub(super) struct Hits {
    pub(super) lines: Vec<Line>,
    pub(super) matches: usize,
}

/// A line with a match, or one beside it.
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) is_match: bool,
    pub(super) text: String,
}

/// Searches files one after the other.
pub(super) struct FileSearch(Searcher);

impl FileSearch {
    pub(super) fn new(request: &Request, matches: usize) -> Self {
        let mut builder = SearcherBuilder::new();
        builder
            .line_number(true)
            .binary_detection(BinaryDetection::quit(0))
            .before_context(request.context)
            .after_context(request.context)
            .heap_limit(Some(LONGEST))
            .max_matches(Some(matches as u64));
        if request.crlf {
            builder.line_terminator(LineTerminator::crlf());
        }
        FileSearch(builder.build())
    }

    /// Finds the matches of a file; `None` if it is binary.
    pub(super) fn run(
        &mut self,
        path: &Path,
        matcher: &RegexMatcher,
        stop: &Stop,
    ) -> io::Result<Option<Hits>> {
        let file = open_regular(path)?;
        let mut sink =
            Gather { matcher, hits: Hits { lines: Vec::new(), matches: 0 }, binary: false };
        self.0.search_reader(matcher, Stoppable { file, stop }, &mut sink)?;
        Ok((!sink.binary).then_some(sink.hits))
    }
}

/// A file that ends when the call is cancelled.
struct Stoppable<'a> {
    file: std::fs::File,
    stop: &'a Stop,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_set() { Ok(0) } else { self.file.read(buffer) }
    }
}

struct Gather<'a> {
    matcher: &'a RegexMatcher,
    hits: Hits,
    binary: bool,
}

impl Sink for Gather<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let line = found.bytes();
        let at = self.matcher.find(line).ok().flatten().map_or(0, |found| found.start());
        self.hits.matches += 1;
        self.hits.lines.push(Line {
            number: found.line_number().unwrap_or(0),
            is_match: true,
            text: shown(line, at),
        });
        Ok(true)
    }

    fn context(&mut self, _searcher: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        self.hits.lines.push(Line {
            number: line.line_number().unwrap_or(0),
            is_match: false,
            text: shown(line.bytes(), 0),
        });
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}

/// The line, or the part around byte `at` if it is long, without its line end.
fn shown(line: &[u8], at: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() <= LINE {
        return readable(line).into_owned();
    }
    // The start may move back by a part of a character, and must not take that from the end.
    let width = LINE - 3;
    let from = at.saturating_sub(BEFORE).min(line.len() - width);
    let (start, end) = (boundary(line, from), boundary(line, from + width));
    let (before, after) =
        (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{before}{}{after}", readable(&line[start..end]))
}

/// The last place at or before `at` that is not inside a character.
fn boundary(line: &[u8], at: usize) -> usize {
    let inside = |at: usize| line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    // A character has no more than four bytes; what goes on is not UTF-8.
    (at.saturating_sub(3)..=at).rev().find(|at| !inside(*at)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_long_line_is_cut_around_the_match_on_whole_characters(
            before in "[a─]{0,600}", after in "[é\u{1F600}b]{0,600}"
        ) {
            let line = format!("{before}needle{after}\r\n");
            let text = shown(line.as_bytes(), before.len());
            prop_assert!(text.len() <= LINE + 2 * "…".len());
            prop_assert!(text.contains("needle"));
            prop_assert!(!text.contains(crate::text::REPLACEMENT));
            prop_assert!(line.contains(text.trim_matches('…')));
        }
    }
}
