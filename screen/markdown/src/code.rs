//! Lines of code as spans and rows. Long lines are taken piece by piece, so that the work for one that
//! is still growing has a bound.

use crate::colours::Runs;
use fen_cells::{Join, Line, Look, Prefix, Printable, Role, Span, units, wrap_code};
use std::sync::Arc;

/// A line that is longer, in bytes, is laid out in pieces of this length.
pub(crate) const PIECE: usize = 4096;

/// How a text's next piece ends.
pub(crate) struct Piece {
    /// Bytes of it, without the end of the line.
    pub(crate) len: usize,
    /// Bytes up to the next one.
    pub(crate) step: usize,
    /// Whether the line ends with it.
    pub(crate) ends: bool,
}

/// Whether a text may still go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// More may come, even to its last line.
    Open,
    /// That was all.
    Final,
}

/// The next piece of a text; `None` where it is empty, or may still grow.
pub(crate) fn piece(rest: &str, ending: Ending) -> Option<Piece> {
    let bytes = rest.as_bytes();
    let head = bytes.get(..=PIECE).unwrap_or(bytes);
    if let Some(at) = memchr::memchr(b'\n', head) {
        let len = if at > 0 && bytes[at - 1] == b'\r' { at - 1 } else { at };
        return Some(Piece { len, step: at + 1, ends: true });
    }
    if bytes.len() > PIECE {
        let len = rest.floor_char_boundary(PIECE);
        return Some(Piece { len, step: len, ends: false });
    }
    (ending == Ending::Final && !rest.is_empty()).then_some(Piece {
        len: bytes.len(),
        step: bytes.len(),
        ends: true,
    })
}

/// The colours of one line, from a byte of it on.
#[derive(Clone, Copy)]
pub(crate) struct LineColours<'a> {
    pub(crate) runs: &'a [(usize, Role)],
    pub(crate) from: usize,
}

impl LineColours<'_> {
    pub(crate) fn of(runs: Option<&Arc<Runs>>, line: usize, from: usize) -> LineColours<'_> {
        let runs = runs.and_then(|runs| runs.get(line)).map_or(&[][..], Vec::as_slice);
        LineColours { runs, from }
    }
}

/// A part of a line of code in its colours.
pub(crate) fn code_spans(text: &str, colours: LineColours<'_>, look: Look) -> Vec<Span> {
    let runs = colours.runs.iter().map(|&(len, role)| (len, look.in_role(role)));
    spans_of_runs(text, runs, colours.from, look)
}

/// A part of a line, from a byte of it on, in runs of looks, and what they do not cover in another.
pub(crate) fn spans_of_runs(
    text: &str,
    runs: impl IntoIterator<Item = (usize, Look)>,
    from: usize,
    look: Look,
) -> Vec<Span> {
    let mut spans = Vec::new();
    let (mut at, mut column, mut run_end) = (0, 0, 0usize);
    for (len, look) in runs {
        if at == text.len() {
            break;
        }
        run_end = run_end.saturating_add(len);
        let end = border(text, run_end.saturating_sub(from).min(text.len()), at);
        push(&mut spans, &text[at..end], look, &mut column);
        at = end;
    }
    push(&mut spans, &text[at..], look, &mut column);
    spans
}

/// The first border between characters from `wish` on: what a terminal draws as one stays together.
/// `from` is such a border before it.
fn border(text: &str, wish: usize, from: usize) -> usize {
    let bytes = text.as_bytes();
    if wish <= from {
        return from;
    }
    let is_plain = |at: usize| bytes.get(at).is_none_or(u8::is_ascii);
    if is_plain(wish) && is_plain(wish - 1) {
        return wish;
    }
    let mut at = from;
    for unit in units(&text[from..]) {
        if at >= wish {
            break;
        }
        at += unit.text.len();
    }
    at
}

fn push(spans: &mut Vec<Span>, text: &str, look: Look, column: &mut usize) {
    if text.is_empty() {
        return;
    }
    let span = Span::printable(Printable::from_column(text, *column), look);
    *column += span.width();
    spans.push(span);
}

/// Rows of a block of code, filled to their ends. The first goes on from what is above as `join` says.
pub(crate) fn block_rows(spans: &[Span], cells: usize, prefix: &Prefix, join: Join) -> Vec<Line> {
    let mut rows = wrap_code(spans, cells, prefix);
    for row in &mut rows {
        row.fill = Some(Role::CodeBlock);
    }
    if let Some(first) = rows.first_mut() {
        first.join = join;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_cells::width;
    use proptest::prelude::*;

    const LOOK: Look = Look::of(Role::CodeBlock);

    fn shown(text: &str, runs: &[(usize, Role)]) -> Vec<(String, Role)> {
        let spans = code_spans(text, LineColours { runs, from: 0 }, LOOK);
        spans.iter().map(|span| (span.text().to_owned(), span.look.role)).collect()
    }

    #[test]
    fn runs_colour_a_line_and_the_rest_is_plain() {
        let runs = [(2, Role::Keyword), (1, Role::CodeBlock), (1, Role::Type)];
        let expected = [
            ("fn".to_owned(), Role::Keyword),
            (" ".to_owned(), Role::CodeBlock),
            ("x".to_owned(), Role::Type),
            ("()".to_owned(), Role::CodeBlock),
        ];
        assert_eq!(shown("fn x()", &runs), expected);
    }

    #[test]
    fn tabs_reach_the_same_stops_in_colours() {
        let whole: String = shown("a\tb\tc", &[(1, Role::Type), (2, Role::Keyword)])
            .into_iter()
            .map(|s| s.0)
            .collect();
        assert_eq!(whole, "a   b   c");
    }

    #[test]
    fn a_run_that_ends_within_a_character_takes_all_of_it() {
        assert_eq!(shown("e\u{301}x", &[(1, Role::Type)])[0].0, "e\u{301}");
        assert_eq!(shown("来x", &[(1, Role::Type)])[0].0, "来");
    }

    #[test]
    fn a_long_line_comes_in_pieces_that_do_not_depend_on_what_follows() {
        let line = "x".repeat(PIECE + 5);
        let first = piece(&line, Ending::Open).unwrap();
        assert_eq!((first.len, first.ends), (PIECE, false));
        assert!(piece(&line[PIECE..], Ending::Open).is_none());
        assert_eq!(piece(&line[PIECE..], Ending::Final).unwrap().len, 5);
        let full = "x".repeat(PIECE) + "\r\n";
        assert_eq!(piece(&full, Ending::Open).unwrap().len, PIECE);
    }

    proptest! {
        #[test]
        fn colours_do_not_change_the_text(
            text in "[a-z\\t来e\u{301}🇩🇪\u{200b}\u{200d}👨]{0,20}",
            lens in proptest::collection::vec(0usize..6, 0..6),
        ) {
            let runs: Vec<_> = lens.into_iter().map(|len| (len, Role::Type)).collect();
            let whole: String = shown(&text, &runs).into_iter().map(|s| s.0).collect();
            let plain = Span::new(&text, LOOK);
            prop_assert_eq!(whole.chars().filter(|c| c.is_alphanumeric()).collect::<String>(),
                plain.text().chars().filter(|c| c.is_alphanumeric()).collect::<String>());
            if text.is_ascii() {
                prop_assert_eq!(width(&whole), plain.width());
            }
        }
    }
}
