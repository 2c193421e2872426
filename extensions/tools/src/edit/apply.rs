//! Applies the edits of one call to a file's bytes: each to the result of the one before, all or
//! none.

use super::find::{Lost, Meant, Way, find, lines};
use super::replace::replacement;
use super::view::squeezed;
use crate::bounds::clip;
use crate::refusal::Refusal;
use crate::text::readable;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How many lines are named where an edit has several places.
const NAMED: usize = 8;

/// How much of a line a hint quotes, in bytes.
const QUOTED: usize = 160;

/// One replacement.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) meant: Meant,
}

/// What came of the edits.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) content: Vec<u8>,
    pub(super) replacements: usize,
    /// The numbers, from 1, of the edits that matched only with differences.
    pub(super) inexact: Vec<usize>,
}

/// Applies all edits, or says which one does not apply and why.
pub(super) fn apply(file: &[u8], edits: &[Edit], name: &str) -> Result<Applied, Refusal> {
    if edits.is_empty() {
        return Err(Refusal::new("There are no edits."));
    }
    let (bom, mut content) = match file.strip_prefix(BOM) {
        Some(rest) => (BOM, rest.to_vec()),
        None => (&[] as &[u8], file.to_vec()),
    };
    let mut applied = Applied { content: Vec::new(), replacements: 0, inexact: Vec::new() };
    for (index, edit) in edits.iter().enumerate() {
        let number = index + 1;
        let refused = |words: String| {
            let which = match edits.len() {
                1 => String::new(),
                all => format!("Edit {number} of {all}: "),
            };
            Refusal(format!("{which}{words} Nothing was changed."))
        };
        let crlf = edit.new.contains("\r\n");
        let (old, new) = (line_feeds(&edit.old, bom), line_feeds(&edit.new, bom));
        if edit.old.is_empty() {
            return Err(refused("old_string is empty; use write to make a file.".into()));
        }
        if edit.old == edit.new {
            return Err(refused("old_string and new_string are the same.".into()));
        }
        if old == new {
            return Err(refused(
                "old_string and new_string differ only in line ends or byte order mark, which \
                 edit keeps as they are."
                    .into(),
            ));
        }
        let found = find(&content, &old, &new, edit.meant).map_err(|lost| {
            refused(match lost {
                Lost::Nowhere => nowhere(&content, &old, name),
                Lost::Several(places) => several(&content, &places, name),
            })
        })?;
        let mut next = Vec::with_capacity(content.len());
        let mut from = 0;
        for range in &found.ranges {
            next.extend_from_slice(&content[from..range.start]);
            next.extend(replacement(&content, range, &old, &new, &found.way, crlf));
            from = range.end;
        }
        next.extend_from_slice(&content[from..]);
        content = next;
        applied.replacements += found.ranges.len();
        if found.way != Way::Exact {
            applied.inexact.push(number);
        }
    }
    applied.content = [bom, &content].concat();
    if applied.content == file {
        return Err(Refusal::new(format!("The edits leave {name} as it is. Nothing was changed.")));
    }
    Ok(applied)
}

/// The text with LF line ends, and without the mark that the file keeps for itself.
fn line_feeds(text: &str, bom: &[u8]) -> String {
    let text = if bom.is_empty() { text } else { text.strip_prefix('\u{FEFF}').unwrap_or(text) };
    text.replace("\r\n", "\n")
}

fn line_of(content: &[u8], position: usize) -> usize {
    memchr::memchr_iter(b'\n', &content[..position]).count() + 1
}

fn several(content: &[u8], places: &[usize], name: &str) -> String {
    let named: Vec<String> =
        places.iter().take(NAMED).map(|place| line_of(content, *place).to_string()).collect();
    let more = if places.len() > NAMED { ", …" } else { "" };
    format!(
        "old_string matches {} places in {name}, at lines {}{more}. Add lines around it to make \
         it unique, or set replace_all.",
        places.len(),
        named.join(", ")
    )
}

/// The hint for text that is not there: the line that comes nearest.
fn nowhere(content: &[u8], old: &str, name: &str) -> String {
    let missing = format!("old_string was not found in {name}.");
    let wanted: Vec<String> = old.lines().map(|line| squeezed(line.as_bytes())).collect();
    let Some(anchor) = wanted.iter().position(|line| !line.is_empty()) else {
        return format!("{missing} It has nothing but blanks.");
    };
    let file = lines(content);
    let quote = |line: usize| {
        let text = readable(&content[file[line].clone()]);
        clip(text.trim_end(), QUOTED).to_owned()
    };
    // The place where most lines are as wanted, beginning with the first; its first other line
    // is the one to show.
    let mut best: Option<(usize, usize)> = None;
    for start in 0..file.len() {
        if squeezed(&content[file[start].clone()]) != wanted[anchor] {
            continue;
        }
        let same = wanted[anchor..]
            .iter()
            .zip(&file[start..])
            .take_while(|(wanted, line)| squeezed(&content[(*line).clone()]) == **wanted)
            .count();
        if best.is_none_or(|(_, most)| same > most) {
            best = Some((start, same));
        }
    }
    if let Some((start, same)) = best {
        let line = start + same;
        let differs = old.lines().nth(anchor + same);
        return match differs {
            Some(wanted) if line < file.len() => format!(
                "{missing} It begins like line {}, but line {} is `{}` and not `{}`.",
                start + 1,
                line + 1,
                quote(line),
                clip(wanted, QUOTED)
            ),
            Some(_) => format!(
                "{missing} It begins like line {}, but the file ends after line {}.",
                start + 1,
                file.len()
            ),
            None => format!(
                "{missing} It is like line {}, but indented in another way: `{}`.",
                start + 1,
                quote(start)
            ),
        };
    }
    match nearest(content, &file, &wanted[anchor]) {
        Some(line) => {
            format!("{missing} The nearest line is {}: `{}`.", line + 1, quote(line))
        }
        None => format!("{missing} Read the file again."),
    }
}

/// The line that shares the most words, at least half of them.
fn nearest(content: &[u8], file: &[std::ops::Range<usize>], wanted: &str) -> Option<usize> {
    let split = |c: char| !(c.is_alphanumeric() || c == '_');
    let words: Vec<&str> = wanted.split(split).filter(|word| !word.is_empty()).collect();
    let mut best = None;
    for (index, line) in file.iter().enumerate() {
        let line = squeezed(&content[line.clone()]);
        let theirs: Vec<&str> = line.split(split).filter(|word| !word.is_empty()).collect();
        let shared = words.iter().filter(|word| theirs.contains(word)).count();
        let score = (2 * shared * 100).checked_div(words.len() + theirs.len()).unwrap_or(0);
        if score >= 50 && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, index));
        }
    }
    best.map(|(_, index)| index)
}
