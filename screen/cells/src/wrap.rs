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
    let mut rows = Rows::new(spans, prefix, before);
    let mut column = 0;
    let (words, pieces) = words(spans);
    for word in &words {
        let wide = word.width;
        if word.is_blank {
            // Kept within a row, dropped where it breaks.
            if column + wide <= room {
                pieces[word.pieces.clone()].iter().for_each(|piece| rows.push(piece));
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
            pieces[word.pieces.clone()].iter().for_each(|piece| rows.push(piece));
            column += wide;
            continue;
        }
        for piece in &pieces[word.pieces.clone()] {
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
                rows.push(&Piece { span: piece.span, start: at, end: at + len });
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
    let mut rows = Rows::new(spans, prefix, before);
    let mut column = 0;
    for (number, span) in spans.iter().enumerate() {
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
            rows.push(&Piece { span: number, start: at, end: at + len });
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
    /// Those of its pieces, in the list of all.
    pieces: std::ops::Range<usize>,
    is_blank: bool,
    width: usize,
}

/// A part of one span.
struct Piece {
    span: usize,
    start: usize,
    end: usize,
}

/// Words and the blanks between them; a character of two cells is a word of its own, as scripts with
/// such characters break anywhere.
fn words(spans: &[Span]) -> (Vec<Word>, Vec<Piece>) {
    let mut words: Vec<Word> = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
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
            let word = words.last_mut().filter(|_| fits);
            match pieces.last_mut() {
                Some(piece) if fits && piece.span == number => piece.end = end,
                _ => pieces.push(Piece { span: number, start, end }),
            }
            match word {
                Some(word) => {
                    word.width += unit.width;
                    word.pieces.end = pieces.len();
                }
                None => {
                    let pieces = pieces.len() - 1..pieces.len();
                    words.push(Word { pieces, is_blank, width: unit.width });
                }
            }
        }
    }
    (words, pieces)
}

/// The rows that are being made.
struct Rows<'a> {
    spans: &'a [Span],
    prefix: &'a Prefix,
    before: usize,
    done: Vec<Line>,
    /// What is in the row after its prefix.
    open: Vec<Part>,
    join: Join,
    due: Option<Join>,
}

/// A part of a row that is being made.
enum Part {
    Piece(Piece),
    /// Stands for a character that is too wide.
    Mark,
}

impl<'a> Rows<'a> {
    fn new(spans: &'a [Span], prefix: &'a Prefix, before: usize) -> Self {
        let (done, open) = (Vec::new(), Vec::new());
        Rows { spans, prefix, before, done, open, join: Join::Break, due: None }
    }

    fn push(&mut self, piece: &Piece) {
        self.end_due();
        match self.open.last_mut() {
            Some(Part::Piece(last)) if (last.span, last.end) == (piece.span, piece.start) => {
                last.end = piece.end;
            }
            _ => self.open.push(Part::Piece(Piece { ..*piece })),
        }
    }

    fn push_mark(&mut self) {
        self.end_due();
        self.open.push(Part::Mark);
    }

    fn break_due(&mut self, join: Join) {
        self.due = Some(join);
    }

    fn end_due(&mut self) {
        if let Some(join) = self.due.take() {
            self.end(join);
        }
    }

    fn ends_blank(&self) -> bool {
        let ends_blank = |part: &Part| match part {
            Part::Piece(piece) => self.text(piece).ends_with(' '),
            Part::Mark => false,
        };
        self.due.is_some() || self.open.last().is_some_and(ends_blank)
    }

    fn text(&self, piece: &Piece) -> &'a str {
        &self.spans[piece.span].text()[piece.start..piece.end]
    }

    fn end(&mut self, next: Join) {
        self.due = None;
        let mut parts = std::mem::take(&mut self.open);
        if next == Join::Space {
            while let Some(Part::Piece(last)) = parts.last_mut() {
                last.end = last.start + self.text(last).trim_end_matches(' ').len();
                if last.end > last.start {
                    break;
                }
                parts.pop();
            }
        }
        let mut spans = self.prefix.before(self.done.is_empty(), self.before);
        let lead = spans.len();
        for part in &parts {
            let made = match part {
                Part::Piece(piece) => {
                    let span = &self.spans[piece.span];
                    let is_whole = (piece.start, piece.end) == (0, span.text().len());
                    if is_whole { span.clone() } else { span.part(piece.start..piece.end) }
                }
                Part::Mark => Span::new("…", Look::of(Role::Dim).decoration()),
            };
            // Neighbours of one look are one span: fewer to paint.
            match spans[lead..].last_mut() {
                Some(last) if last.look == made.look => {
                    *last = Span::new(&(last.text().to_owned() + made.text()), made.look);
                }
                _ => spans.push(made),
            }
        }
        let join = std::mem::replace(&mut self.join, next);
        self.done.push(Line { spans, join, fill: None });
    }

    fn finish(mut self) -> Vec<Line> {
        if self.done.is_empty() || !self.open.is_empty() {
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
