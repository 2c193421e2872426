//! A text to read: pages of help, of the reference, of what went wrong.

use super::{Reaction, Sheet, Touch};
use crate::keymap::Action;
use fen_cells::{Line, Prefix, Role, Span, wrap_words};
use fen_contract::ui::{Page, PageFormat};

/// A page and how far it is scrolled.
pub(crate) struct PageView {
    page: Page,
    /// The rows, for the width that they were made for.
    rows: Vec<Line>,
    width: usize,
    top: usize,
    height: usize,
}

impl PageView {
    pub fn new(page: Page) -> PageView {
        PageView { page, rows: Vec::new(), width: 0, top: 0, height: 1 }
    }

    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        let page = self.height.saturating_sub(1).max(1) as isize;
        match touch {
            Touch::Act(Action::Cancel) | Touch::Key("q") => return Reaction::Close,
            Touch::Act(Action::ScrollUp) | Touch::Key("k") => self.scroll(-1),
            Touch::Act(Action::ScrollDown) | Touch::Key("j") => self.scroll(1),
            Touch::Act(Action::PageUp) | Touch::Key("b") => self.scroll(-page),
            Touch::Act(Action::PageDown) | Touch::Key("space") => self.scroll(page),
            Touch::Act(Action::GoTop) | Touch::Key("g") => self.top = 0,
            Touch::Act(Action::GoBottom) | Touch::Key("G") => self.scroll(isize::MAX / 2),
            Touch::Wheel(rows) => self.scroll(*rows),
            _ => return Reaction::Pass,
        }
        Reaction::Stay
    }

    fn scroll(&mut self, rows: isize) {
        let last = self.rows.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(rows).min(last);
    }

    pub fn sheet(&mut self, cells: usize, rows: usize) -> Sheet {
        if self.width != cells {
            self.width = cells;
            self.rows = match self.page.format {
                PageFormat::Markdown => {
                    fen_markdown::layout(&self.page.text, cells, &fen_markdown::Plain)
                }
                PageFormat::Plain => plain(&self.page.text, cells),
            };
        }
        self.height = rows.max(1);
        self.top = self.top.min(self.rows.len().saturating_sub(self.height));
        let shown = self.rows.iter().skip(self.top).take(rows).cloned().collect();
        let end = (self.top + rows).min(self.rows.len());
        let hint = match self.rows.len() > rows {
            true => format!("{}–{end} of {} · ↑↓ · esc", self.top + 1, self.rows.len()),
            false => "esc".to_owned(),
        };
        Sheet { title: self.page.title.clone(), rows: shown, cursor: None, selected: None, hint }
    }
}

fn plain(text: &str, cells: usize) -> Vec<Line> {
    let lines = text.lines();
    lines
        .flat_map(|line| wrap_words(&[Span::new(line, Role::Text)], cells, &Prefix::default()))
        .collect()
}
