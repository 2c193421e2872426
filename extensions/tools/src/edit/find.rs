//! Finds the place that an edit means: exactly; else with typographic characters taken for plain
//! ones; else as whole lines with blanks that differ. The first way that finds anything decides;
//! more than one place is never chosen from.

use std::ops::Range;

use super::view::{View, places, squeezed};

/// How many places are told apart; more are only said to be many.
const MOST: usize = 1_000;

/// Which of the places an edit is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// The only one there is.
    TheOnly,
    /// All of them.
    All,
}

/// Where an edit applies.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The bytes of the file to replace, first to last, without overlap.
    pub(super) ranges: Vec<Range<usize>>,
    /// How exact the match was.
    pub(super) way: Way,
}

/// How a place was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// Byte for byte, line ends apart.
    Exact,
    /// Quotes, dashes or kinds of spaces differed.
    Characters,
    /// Blanks differed. The file's lines begin with `file` where the edit's begin with `edit`.
    Lines { edit: String, file: String },
}

/// Why an edit does not apply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    Nowhere,
    /// The places where it would, as byte positions in the file.
    Several(Vec<usize>),
}

/// Finds `old`, which has LF line ends, in the file's content.
pub(super) fn find(content: &[u8], old: &str, new: &str, meant: Meant) -> Result<Found, Lost> {
    let exact = View::of_line_feeds(content);
    if let Some(found) = substring(&exact, old.as_bytes(), meant, Way::Exact) {
        return found;
    }
    let characters = View::of_plain_characters(content);
    let plain_old = View::of_plain_characters(old.as_bytes()).bytes;
    if let Some(found) = substring(&characters, &plain_old, meant, Way::Characters) {
        return found;
    }
    whole_lines(content, old, new, meant).unwrap_or(Err(Lost::Nowhere))
}

fn substring(view: &View, old: &[u8], meant: Meant, way: Way) -> Option<Result<Found, Lost>> {
    let original = |start: usize| view.original(start)..view.original(start + old.len());
    if meant == Meant::All {
        let ranges: Vec<_> = memchr::memmem::find_iter(&view.bytes, old).map(original).collect();
        return (!ranges.is_empty()).then_some(Ok(Found { ranges, way }));
    }
    match places(&view.bytes, old, MOST).as_slice() {
        [] => None,
        [one] => Some(Ok(Found { ranges: vec![original(*one)], way })),
        several => {
            Some(Err(Lost::Several(several.iter().map(|place| view.original(*place)).collect())))
        }
    }
}

/// The file's lines, each with its line end.
pub(super) fn lines(content: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', content) {
        lines.push(start..end + 1);
        start = end + 1;
    }
    if start < content.len() {
        lines.push(start..content.len());
    }
    lines
}

fn whole_lines(content: &[u8], old: &str, new: &str, meant: Meant) -> Option<Result<Found, Lost>> {
    let all = meant == Meant::All;
    let wanted: Vec<String> = old.lines().map(|line| squeezed(line.as_bytes())).collect();
    if wanted.iter().all(String::is_empty) {
        return None;
    }
    let file = lines(content);
    let squeezed_file: Vec<String> =
        file.iter().map(|line| squeezed(&content[line.clone()])).collect();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut indents: Vec<(String, String)> = Vec::new();
    for first in 0..(squeezed_file.len() + 1).saturating_sub(wanted.len()) {
        let place = first..first + wanted.len();
        if squeezed_file[place.clone()] != wanted[..] {
            continue;
        }
        let Some(indent) = indent(content, &file[place.clone()], old, new) else { continue };
        let end = file[place.end - 1].end;
        let end = if old.ends_with('\n') { end } else { without_line_end(content, end) };
        let range = file[first].start..end;
        // Places may overlap; that makes them several, but all of them cannot be replaced.
        if !all || ranges.last().is_none_or(|last| last.end <= range.start) {
            ranges.push(range);
            indents.push(indent);
        }
    }
    if ranges.len() > 1 && !(all && indents.iter().all(|indent| *indent == indents[0])) {
        return Some(Err(Lost::Several(ranges.iter().map(|range| range.start).collect())));
    }
    let (edit, file) = indents.into_iter().next()?;
    Some(Ok(Found { ranges, way: Way::Lines { edit, file } }))
}

fn without_line_end(content: &[u8], end: usize) -> usize {
    let line = &content[..end];
    let line =
        line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
    line.len()
}

fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The one exchange of beginnings that leads from the edit's indentation to the file's on every
/// line, and that can be done on the new lines too. `None` if there is none: a guess could put
/// code into another block.
fn indent(
    content: &[u8],
    place: &[Range<usize>],
    old: &str,
    new: &str,
) -> Option<(String, String)> {
    let mut exchange: Option<(String, String)> = None;
    for (line, old_line) in place.iter().zip(old.lines()) {
        if old_line.trim().is_empty() {
            continue;
        }
        let line = String::from_utf8_lossy(&content[line.clone()]);
        let (theirs, ours) = (indent_of(&line), indent_of(old_line));
        let (from, to) = exchange.get_or_insert_with(|| {
            let common = theirs.chars().rev().zip(ours.chars().rev());
            let common: usize = common.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            (ours[..ours.len() - common].to_owned(), theirs[..theirs.len() - common].to_owned())
        });
        if theirs.strip_prefix(to.as_str())? != ours.strip_prefix(from.as_str())? {
            return None;
        }
    }
    let (from, _) = exchange.as_ref()?;
    let can = new.lines().all(|line| line.trim().is_empty() || line.starts_with(from.as_str()));
    if can { exchange } else { None }
}
