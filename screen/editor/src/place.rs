//! What each grapheme of the text is on the screen: the cells that it takes, and what stands in them.
//!
//! Every grapheme has one place, so that the cursor can stand on each: controls are marks, what is
//! invisible is shown by its number, and a folded paste is its mark. Rows are made of places; where
//! they break is not decided here.

use crate::buffer::after;
use crate::fragment::Fragment;
use fen_cells::{Line, Look, Printable, Role, clip, width};
use std::borrow::Cow;

/// How a place takes part in breaking rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A row may break before it and behind it, and it may stand at a row's end.
    Blank,
    /// A part of a word.
    Letter,
    /// A word of its own.
    Alone,
}

/// Where a grapheme stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where its text begins.
    pub(crate) start: usize,
    /// Where its text ends.
    pub(crate) end: usize,
    /// How many cells it takes: 1 or more, and no more than a row has.
    pub(crate) width: usize,
    pub(crate) kind: Kind,
}

/// The place of the grapheme at `at`, which begins in a column of a row of so many cells.
pub(crate) fn place(content: &Fragment, at: usize, column: usize, cells: usize) -> Place {
    let text = content.text();
    // The plain case, in which nothing has to be looked up.
    if let Some([0x21..0x7f, 0..0x80] | [0x21..0x7f]) =
        text.as_bytes().get(at..text.len().min(at + 2))
    {
        return Place { start: at, end: at + 1, width: 1, kind: Kind::Letter };
    }
    let end = after(text, at);
    let shown = shown(content, at, end, column, cells);
    let width = width(&shown.text).max(1);
    let kind = match &*shown.text {
        blank if blank.trim_start_matches(' ').is_empty() => Kind::Blank,
        _ if width == 1 => Kind::Letter,
        _ => Kind::Alone,
    };
    Place { start: at, end, width, kind }
}

/// What is seen of a grapheme.
pub(crate) struct Shown<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) look: Look,
}

/// What is seen of the grapheme from `at` to `end`. Text and width are those of [`place`].
pub(crate) fn shown(
    content: &Fragment,
    at: usize,
    end: usize,
    column: usize,
    cells: usize,
) -> Shown<'_> {
    let grapheme = content.text().get(at..end).unwrap_or_default();
    if let [b' '..0x7f] = grapheme.as_bytes() {
        return Shown { text: Cow::Borrowed(grapheme), look: Look::of(Role::Text) };
    }
    if let Some(paste) = content.paste_at(at) {
        return fitting(Cow::Borrowed(paste.mark()), Role::Accent, cells);
    }
    if grapheme == "\t" {
        // Stops are counted from the row's beginning, so that what is above a row never moves it.
        let stop = width(&Printable::new("\t")).max(1);
        let blanks = (stop - column % stop).min(cells.max(1));
        return Shown { text: Cow::Owned(" ".repeat(blanks)), look: Look::of(Role::Text) };
    }
    let is_control = grapheme.chars().any(char::is_control);
    let printable = Printable::new(grapheme);
    let (text, role) = match printable.is_empty() {
        true => (Printable::strict(grapheme), Role::Dim),
        false if is_control => (printable, Role::Dim),
        false => (printable, Role::Text),
    };
    fitting(Cow::Owned(text.to_string()), role, cells)
}

/// What is wider than a row ends in an ellipsis.
fn fitting(text: Cow<'_, str>, role: Role, cells: usize) -> Shown<'_> {
    let cells = cells.max(1);
    let text = match width(&text) > cells {
        true => Cow::Owned(clip(Line::of(&text, role), cells).text()),
        false => text,
    };
    Shown { text, look: Look::of(role) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::Paste;

    fn seen(content: &Fragment, at: usize, column: usize, cells: usize) -> (String, usize, Kind) {
        let place = place(content, at, column, cells);
        let shown = shown(content, at, place.end, column, cells);
        assert_eq!(width(&shown.text), place.width);
        (shown.text.into_owned(), place.width, place.kind)
    }

    #[test]
    fn every_grapheme_is_seen() {
        for (text, shown, cells, kind) in [
            ("a", "a", 1, Kind::Letter),
            (" ", " ", 1, Kind::Blank),
            ("\u{1b}", "␛", 1, Kind::Letter),
            ("\u{200b}", "<U+200B>", 8, Kind::Alone),
            ("来", "来", 2, Kind::Alone),
            ("e\u{301}", "e\u{301}", 1, Kind::Letter),
        ] {
            assert_eq!(seen(&Fragment::plain(text), 0, 0, 80), (shown.to_owned(), cells, kind));
        }
    }

    #[test]
    fn tabs_reach_the_next_stop_of_the_row() {
        let tab = Fragment::plain("\t");
        assert_eq!(seen(&tab, 0, 0, 80).1, 4);
        assert_eq!(seen(&tab, 0, 6, 80).1, 2);
        assert_eq!(seen(&tab, 0, 0, 3).1, 3);
    }

    #[test]
    fn what_is_wider_than_a_row_is_clipped() {
        let paste = Fragment::folded(Paste::fold(&"x\n".repeat(42), 1).unwrap());
        assert_eq!(seen(&paste, 0, 0, 80).0, "[paste 1: 42 lines]");
        assert_eq!(seen(&paste, 0, 0, 8).0, "[paste …");
        assert_eq!(seen(&Fragment::plain("来"), 0, 0, 1).0, "…");
    }
}
