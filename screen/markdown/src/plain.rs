//! Text that is no Markdown: what a tool gave, or a file.

use crate::code::{Ending, LineColours, code_spans, piece};
use crate::colours::{CodeBlock, Colours};
use fen_cells::{Join, Line, Look, Prefix, Role, Span, wrap_code};

/// How the rows of [`code_rows`] look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeLooks {
    /// Text that has no colour of its own.
    pub text: Look,
    /// What fills the rows to their ends.
    pub fill: Option<Role>,
    /// The number of the first line, where lines have numbers. They are decorations.
    pub first_number: Option<usize>,
}

/// The lines of a text, with all their blanks, wrapped where they are too wide. An empty `language` has
/// no colours. Numbers are left out where they would take more than half of the width.
pub fn code_rows(
    text: &str,
    language: &str,
    cells: usize,
    colours: &dyn Colours,
    looks: &CodeLooks,
) -> Vec<Line> {
    let cells = cells.max(1);
    let runs = match language {
        "" => None,
        _ => colours.runs(&CodeBlock { language, code: text, at: 0, is_open: false }),
    };
    let lines = text.lines().count();
    let gutter = looks.first_number.map(|first| Gutter::new(first.saturating_add(lines), cells));
    let mut number = looks.first_number.unwrap_or_default();
    let mut rows = Vec::with_capacity(lines);
    let (mut at, mut line, mut from) = (0, 0, 0);
    while let Some(found) = piece(&text[at..], Ending::Final) {
        let is_more = from > 0;
        if found.len > 0 || !is_more {
            let label = (!is_more).then_some(number);
            let prefix = gutter.as_ref().map_or_else(Prefix::default, |it| it.prefix(label));
            let colours = LineColours::of(runs.as_ref(), line, from);
            let spans = code_spans(&text[at..at + found.len], colours, looks.text);
            let first = rows.len();
            rows.extend(wrap_code(&spans, cells, &prefix));
            rows[first..].iter_mut().for_each(|row| row.fill = looks.fill);
            if is_more {
                rows[first..].iter_mut().take(1).for_each(|row| row.join = Join::Glue);
            }
        }
        at += found.step;
        from = if found.ends { 0 } else { from + found.len };
        if found.ends {
            line += 1;
            number = number.saturating_add(1);
        }
    }
    rows
}

/// The column of line numbers.
pub(crate) struct Gutter {
    width: usize,
}

impl Gutter {
    /// For numbers up to this one, beside text in so many cells.
    pub(crate) fn new(last: usize, cells: usize) -> Gutter {
        let width = last.to_string().len() + 1;
        Gutter { width: if width <= cells / 2 { width } else { 0 } }
    }

    /// What stands before the rows of a line.
    pub(crate) fn prefix(&self, number: Option<usize>) -> Prefix {
        let Some(digits) = self.width.checked_sub(1) else { return Prefix::default() };
        let look = Look::of(Role::Dim).decoration();
        let blank = Span::new(&" ".repeat(self.width), look);
        let first = match number {
            Some(number) => Span::new(&format!("{number:>digits$} "), look),
            None => blank.clone(),
        };
        Prefix { first: vec![first], rest: vec![blank] }
    }
}
