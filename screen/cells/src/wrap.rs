//! Where lines break.

use crate::line::{Join, Line, Span};
use crate::look::{Look, Role};
use crate::width::{cut, units};

/// What stands before each row of a wrapped text, such as a bullet and the indent under it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefix {
    /// Before the first row.
    pub first: Vec<Span>,
    /// Before all others.
    pub rest: Vec<Span>,
}

impl Prefix {
    /// The same before each row.
    pub fn each(spans: Vec<Span>) -> Prefix {
        Prefix { first: spans.clone(), rest: spans }
    }

    /// Cells that both need at the most.
    pub fn width(&self) -> usize {
        let sum = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
        sum(&self.first).max(sum(&self.rest))
    }

    /// How the prefix and its text share the width: cells for the prefix, cells for the text. The text
    /// has at least one, so a prefix that is too wide is cut.
    pub fn share(&self, cells: usize) -> (usize, usize) {
        let text = cells.saturating_sub(self.width()).max(1);
        (cells.saturating_sub(text), text)
    }

    fn before(&self, is_first: bool, room: usize) -> Vec<Span> {
        let spans = if is_first { &self.first } else { &self.rest };
        if spans.iter().map(Span::width).sum::<usize>() <= room {
            return spans.clone();
        }
        clip(Line::from(spans.clone()), room).spans
    }
}

/// Breaks a line between words; a word that is longer than a row is broken anywhere. Gives at least
/// one row, and each fits into `cells` where that is 2 or more (a wide character needs two).
pub fn wrap_words(spans: &[Span], cells: usize, prefix: &Prefix) -> Vec<Line> {
    let (before, room) = prefix.share(cells);
    let mut rows = Rows::new(prefix, before);
    let mut column = 0;
    for word in words(spans) {
        let wide = word.width();
        if word.is_blank {
            // Kept within a row, dropped where it breaks.
            if column + wide <= room {
                rows.push(spans, &word);
            } else {
                rows.break_due(Join::Space);
            }
            column += wide;
            continue;
        }
        if column > 0 && column + wide > room {
            rows.end(if rows.ends_blank() || column > room { Join::Space } else { Join::Glue });
            column = 0;
        }
        if wide <= room {
            rows.push(spans, &word);
            column += wide;
            continue;
        }
        for piece in &word.pieces {
            let mut at = piece.start;
            let text = spans[piece.span].text();
            while at < piece.end {
                let (len, taken) = cut(&text[at..piece.end], room - column.min(room));
                if len == 0 && column == 0 {
                    // Too narrow even for one character: it is left out rather than overflow.
                    let first =
                        units(&text[at..piece.end]).next().map_or(1, |unit| unit.text.len());
                    at += first;
                    rows.push_mark();
                    rows.end(Join::Glue);
                    continue;
                }
                if len == 0 {
                    rows.end(Join::Glue);
                    column = 0;
                    continue;
                }
                rows.push_part(spans[piece.span].part(at..at + len));
                at += len;
                column += taken;
            }
        }
    }
    rows.finish()
}

/// Breaks a line at the very end of each row and keeps all blanks: for code and output.
pub fn wrap_code(spans: &[Span], cells: usize, prefix: &Prefix) -> Vec<Line> {
    let (before, room) = prefix.share(cells);
    let mut rows = Rows::new(prefix, before);
    let mut column = 0;
    for span in spans {
        let text = span.text();
        let mut at = 0;
        while at < text.len() {
            let (len, taken) = cut(&text[at..], room.saturating_sub(column));
            if len == 0 && column == 0 {
                at += units(&text[at..]).next().map_or(1, |unit| unit.text.len());
                rows.push_mark();
                rows.end(Join::Glue);
                continue;
            }
            if len == 0 {
                rows.end(Join::Glue);
                column = 0;
                continue;
            }
            rows.push_part(if (at, len) == (0, text.len()) {
                span.clone()
            } else {
                span.part(at..at + len)
            });
            at += len;
            column += taken;
        }
    }
    rows.finish()
}

/// The line as far as it fits; where it does not, it ends in an ellipsis.
pub fn clip(line: Line, cells: usize) -> Line {
    if line.width() <= cells {
        return line;
    }
    let mut spans = Vec::new();
    let mut left = cells.saturating_sub(1);
    let mut look = Look::default();
    for span in &line.spans {
        let (len, taken) = cut(span.text(), left);
        look = span.look;
        if len > 0 {
            spans.push(span.part(0..len));
        }
        left -= taken;
        if len < span.text().len() {
            break;
        }
    }
    if cells > 0 {
        spans.push(Span::new("…", look));
    }
    Line { spans, ..line }
}

/// A stretch of one line without a place to break in it.
struct Word {
    pieces: Vec<Piece>,
    is_blank: bool,
    width: usize,
}

impl Word {
    fn width(&self) -> usize {
        self.width
    }
}

/// A part of one span.
struct Piece {
    span: usize,
    start: usize,
    end: usize,
}

/// Words and the blanks between them; a character of two cells is a word of its own, as scripts with
/// such characters break anywhere.
fn words(spans: &[Span]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut may_continue = false;
    for (number, span) in spans.iter().enumerate() {
        let mut at = 0;
        let mut last_wide = false;
        for unit in units(span.text()) {
            let (start, end) = (at, at + unit.text.len());
            at = end;
            let is_blank = unit.text == " ";
            let is_wide = unit.width == 2;
            let fits = may_continue
                && !is_wide
                && !last_wide
                && words.last().is_some_and(|word| word.is_blank == is_blank);
            last_wide = is_wide;
            may_continue = true;
            if fits && let Some(word) = words.last_mut() {
                word.width += unit.width;
                match word.pieces.last_mut() {
                    Some(piece) if piece.span == number => piece.end = end,
                    _ => word.pieces.push(Piece { span: number, start, end }),
                }
            } else {
                let pieces = vec![Piece { span: number, start, end }];
                words.push(Word { pieces, is_blank, width: unit.width });
            }
        }
    }
    words
}

/// The rows that are being made.
struct Rows<'a> {
    prefix: &'a Prefix,
    before: usize,
    done: Vec<Line>,
    open: Vec<Span>,
    join: Join,
    due: Option<Join>,
}

impl<'a> Rows<'a> {
    fn new(prefix: &'a Prefix, before: usize) -> Self {
        let open = prefix.before(true, before);
        Rows { prefix, before, done: Vec::new(), open, join: Join::Break, due: None }
    }

    fn push(&mut self, spans: &[Span], word: &Word) {
        for piece in &word.pieces {
            let span = &spans[piece.span];
            let is_whole = (piece.start, piece.end) == (0, span.text().len());
            self.push_part(if is_whole { span.clone() } else { span.part(piece.start..piece.end) });
        }
    }

    fn push_part(&mut self, part: Span) {
        if let Some(join) = self.due.take() {
            self.end(join);
        }
        // Neighbours of one look are one span: fewer to paint.
        match self.open.last_mut() {
            Some(last) if last.look == part.look => {
                *last = Span::new(&(last.text().to_owned() + part.text()), part.look);
            }
            _ => self.open.push(part),
        }
    }

    fn push_mark(&mut self) {
        self.push_part(Span::new("…", Look::of(Role::Dim).decoration()));
    }

    fn break_due(&mut self, join: Join) {
        self.due = Some(join);
    }

    fn ends_blank(&self) -> bool {
        self.due.is_some() || self.open.last().is_some_and(|span| span.text().ends_with(' '))
    }

    fn end(&mut self, next: Join) {
        self.due = None;
        let mut spans = std::mem::replace(&mut self.open, self.prefix.before(false, self.before));
        if next == Join::Space
            && let Some(last) = spans.last_mut()
            && !last.look.is_decoration()
        {
            let kept = last.text().trim_end_matches(' ').len();
            *last = last.part(0..kept);
            if kept == 0 {
                spans.pop();
            }
        }
        let join = std::mem::replace(&mut self.join, next);
        self.done.push(Line { spans, join, fill: None });
    }

    fn finish(mut self) -> Vec<Line> {
        if self.done.is_empty() || self.open.iter().any(|span| !span.look.is_decoration()) {
            self.end(Join::Break);
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::width;
    use proptest::prelude::*;

    fn rows(text: &str, cells: usize) -> Vec<String> {
        let lines = wrap_words(&[Span::new(text, Role::Text)], cells, &Prefix::default());
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(rows("the quick brown fox", 10), ["the quick", "brown fox"]);
        assert_eq!(rows("the quick brown fox", 9), ["the quick", "brown fox"]);
        assert_eq!(rows("", 9), [""]);
        assert_eq!(rows("  indented text", 10), ["  indented", "text"]);
    }

    #[test]
    fn a_long_word_is_broken_and_joins_again() {
        assert_eq!(rows("ab cdefghijkl", 5), ["ab", "cdefg", "hijkl"]);
        let lines = wrap_words(&[Span::new("ab cdefghijkl", Role::Text)], 5, &Prefix::default());
        let joins: Vec<Join> = lines.iter().map(|line| line.join).collect();
        assert_eq!(joins, [Join::Break, Join::Space, Join::Glue]);
    }

    #[test]
    fn wide_characters_break_anywhere_and_never_overflow() {
        assert_eq!(rows("来自上游渠道", 5), ["来自", "上游", "渠道"]);
        assert_eq!(rows("来", 1), ["…"]);
    }

    #[test]
    fn a_prefix_stands_before_each_row_and_gives_way_where_there_is_no_room() {
        let bullet = Prefix {
            first: vec![Span::new("- ", Look::of(Role::Dim).decoration())],
            rest: vec![Span::new("  ", Look::of(Role::Dim).decoration())],
        };
        let texts = |cells| -> Vec<String> {
            let lines = wrap_words(&[Span::new("one two", Role::Text)], cells, &bullet);
            lines.iter().map(Line::text).collect()
        };
        assert_eq!(texts(5), ["- one", "  two"]);
        assert_eq!(texts(1), ["o", "n", "e", "t", "w", "o"]);
    }

    #[test]
    fn code_keeps_its_blanks() {
        let lines = wrap_code(&[Span::new("a  bc  d", Role::Code)], 3, &Prefix::default());
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(texts, ["a  ", "bc ", " d"]);
    }

    #[test]
    fn a_clipped_line_ends_in_an_ellipsis() {
        assert_eq!(clip(Line::of("来自上游", Role::Text), 5).text(), "来自…");
        assert_eq!(clip(Line::of("abc", Role::Text), 3).text(), "abc");
        assert_eq!(clip(Line::of("abc", Role::Text), 0).text(), "");
    }

    fn joined(lines: &[Line]) -> String {
        let mut text = String::new();
        for line in lines {
            match line.join {
                Join::Break => {}
                Join::Space => text.push(' '),
                Join::Glue => {}
            }
            text.push_str(&line.content());
        }
        text
    }

    fn squeezed(text: &str) -> String {
        text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    proptest! {
        #[test]
        fn rows_fit_and_hold_the_text(a: String, b: String, cells in 2usize..30) {
            let spans = [Span::new(&a, Role::Text), Span::new(&b, Role::Code)];
            let whole: String = spans.iter().map(Span::text).collect();
            for lines in [
                wrap_words(&spans, cells, &Prefix::default()),
                wrap_code(&spans, cells, &Prefix::default()),
            ] {
                prop_assert!(!lines.is_empty());
                for line in &lines {
                    prop_assert!(line.width() <= cells, "{:?}", line);
                }
                prop_assert_eq!(squeezed(&joined(&lines)), squeezed(&whole));
            }
        }

        #[test]
        fn a_clipped_line_fits(text: String, cells in 0usize..30) {
            prop_assert!(width(&clip(Line::of(&text, Role::Text), cells).text()) <= cells);
        }
    }
}
