//! Puts the new text in place of the old, line by line, so that lines which the edit does not
//! change keep their bytes, and changed lines the line ends of those that they replace.

use std::ops::Range;

use super::find::Way;

/// The bytes that come in place of `content[range]`, whose edit says `old` and `new`; both have LF
/// line ends. `crlf` is the line end of a text that has none to go by.
pub(super) fn replacement(
    content: &[u8],
    range: &Range<usize>,
    old: &str,
    new: &str,
    way: &Way,
    crlf: bool,
) -> Vec<u8> {
    let matched = &content[range.clone()];
    let theirs: Vec<&[u8]> = matched.split_inclusive(|byte| *byte == b'\n').collect();
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new: Vec<&str> = new.split_inclusive('\n').collect();
    // A matched last line may lack the line end that the edit gives it; so will the new one.
    let bare_end = old.len() == theirs.len()
        && old.last().is_some_and(|line| line.ends_with('\n'))
        && theirs.last().is_some_and(|line| !line.ends_with(b"\n"));

    // Where old and matched lines differ in number there is nothing to pair.
    let paired = old.len() == theirs.len();
    let most = if paired { old.len().min(new.len()) } else { 0 };
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = old.iter().zip(&new).take(most).take_while(same).count();
    let after = old.iter().rev().zip(new.iter().rev()).take(most - before).take_while(same).count();

    let ends: Vec<bool> =
        theirs[before..theirs.len() - after].iter().filter_map(|line| line_end(line)).collect();
    // A line that is only added goes by its neighbours.
    let beside = || {
        let (head, tail) = (&theirs[..before], &theirs[theirs.len() - after..]);
        head.last().and_then(|line| line_end(line)).or(tail.first().and_then(|line| line_end(line)))
    };
    let last_end =
        ends.last().copied().or_else(beside).or_else(|| end_around(content, range)).unwrap_or(crlf);
    let mut text: Vec<u8> = theirs[..before].concat();
    let middle = before..new.len() - after;
    for (index, line) in new.drain(middle).enumerate() {
        let (line, ended) = match line.strip_suffix('\n') {
            Some(line) => (line, true),
            None => (line, false),
        };
        text.extend_from_slice(indented(line, way).as_bytes());
        if ended {
            let crlf = ends.get(index).copied().unwrap_or(last_end);
            text.extend_from_slice(if crlf { b"\r\n" } else { b"\n" });
        }
    }
    if bare_end && after == 0 && text.ends_with(b"\n") {
        text.pop();
        if text.ends_with(b"\r") {
            text.pop();
        }
    }
    text.extend_from_slice(&theirs[theirs.len() - after..].concat());
    text
}

/// Whether the line ends with CRLF; `None` if it has no end.
fn line_end(line: &[u8]) -> Option<bool> {
    line.ends_with(b"\n").then(|| line.ends_with(b"\r\n"))
}

/// The end of the line that the range stands in, or of the one before.
fn end_around(content: &[u8], range: &Range<usize>) -> Option<bool> {
    let next = memchr::memchr(b'\n', &content[range.end..]).map(|at| range.end + at);
    let end = next.or_else(|| memchr::memrchr(b'\n', &content[..range.start]))?;
    line_end(&content[..=end])
}

fn indented(line: &str, way: &Way) -> String {
    match way {
        Way::Lines { edit, file } if !line.trim().is_empty() => {
            format!("{file}{}", line.strip_prefix(edit.as_str()).unwrap_or(line))
        }
        _ => line.to_owned(),
    }
}
