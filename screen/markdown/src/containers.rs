//! What blocks stand in: quotes, lists and their items. They make what stands before each row.

use fen_cells::{Look, Prefix, Role, Span};

/// Deeper than this, nothing is indented any further; nor where indents would take more than half of the
/// width.
const DEEPEST: usize = 24;

/// A quote, a list, an item, a footnote.
struct Container {
    /// Before its first row, such as a bullet.
    first: Option<Span>,
    /// Before its other rows: as it is copied, and on rows that only go on from the one above.
    rest: Option<(Span, Span)>,
    /// The number of the next item.
    number: Option<u64>,
    has_rows: bool,
    has_blocks: bool,
}

/// The containers that are open, from the outside.
#[derive(Default)]
pub(crate) struct Containers {
    open: Vec<Container>,
    quotes: usize,
    cells: usize,
    /// Whether blocks were laid out that stand in no container.
    has_blocks: bool,
}

impl Containers {
    /// None yet, in rows of so many cells; whether there were blocks before.
    pub(crate) fn after(has_blocks: bool, cells: usize) -> Containers {
        Containers { has_blocks, cells, ..Containers::default() }
    }

    /// Whether blocks were laid out that stand in no container.
    pub(crate) fn follows(&self) -> bool {
        self.has_blocks
    }

    pub(crate) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// How many are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// How text looks that has no look of its own.
    pub(crate) fn look(&self) -> Look {
        Look::of(if self.quotes > 0 { Role::Quote } else { Role::Text })
    }

    pub(crate) fn open_quote(&mut self) {
        let bar = Span::new("│ ", Look::of(Role::Border).decoration());
        self.quotes += 1;
        self.push(Some(bar.clone()), Some((bar.clone(), bar)), None);
    }

    pub(crate) fn close_quote(&mut self) {
        self.quotes = self.quotes.saturating_sub(1);
        self.open.pop();
    }

    /// A list: of numbered items, or of others.
    pub(crate) fn open_list(&mut self, number: Option<u64>) {
        self.push(None, None, number);
    }

    /// An item of the innermost list.
    pub(crate) fn open_item(&mut self) {
        let number = self.open.last_mut().and_then(|list| list.number.as_mut());
        let bullet = match number {
            Some(number) => {
                let bullet = format!("{number}. ");
                *number = number.saturating_add(1);
                bullet
            }
            None => "- ".to_owned(),
        };
        self.open_labelled(&bullet, bullet.len());
    }

    /// Something with a label before it and an indent below that.
    pub(crate) fn open_labelled(&mut self, label: &str, indent: usize) {
        let blank = " ".repeat(indent);
        let copied = Span::new(&blank, Role::Text);
        let quiet = Span::new(&blank, Look::of(Role::Text).decoration());
        self.push(Some(Span::new(label, Role::Dim)), Some((copied, quiet)), None);
    }

    fn push(&mut self, first: Option<Span>, rest: Option<(Span, Span)>, number: Option<u64>) {
        let indents = self.open.iter().take(DEEPEST).filter_map(|outer| outer.rest.as_ref());
        let taken: usize = indents.map(|(indent, _)| indent.width()).sum();
        let is_fitting = |(indent, _): &(Span, Span)| {
            self.open.len() < DEEPEST && taken + indent.width() <= self.cells / 2
        };
        let rest = rest.filter(is_fitting);
        self.open.push(Container { first, rest, number, has_rows: false, has_blocks: false });
    }

    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// Whether the innermost has had no row yet, not even of its label.
    pub(crate) fn is_unseen(&self) -> bool {
        self.open.last().is_some_and(|container| !container.has_rows && container.first.is_some())
    }

    /// The number that the next item of the outermost list has.
    pub(crate) fn outer_number(&self) -> Option<u64> {
        self.open.first().and_then(|list| list.number)
    }

    /// Says that a block begins in the innermost; whether there was one before it.
    pub(crate) fn begin_block(&mut self) -> bool {
        let place = match self.open.last_mut() {
            Some(container) => &mut container.has_blocks,
            None => &mut self.has_blocks,
        };
        std::mem::replace(place, true)
    }

    /// What stands before the rows of the next block. From then on each has been seen.
    pub(crate) fn prefix(&mut self) -> Prefix {
        let prefix = self.prefix_ahead();
        self.open.iter_mut().for_each(|container| container.has_rows = true);
        prefix
    }

    /// What is going to stand before the rows of the next block.
    pub(crate) fn prefix_ahead(&self) -> Prefix {
        let mut prefix = Prefix::default();
        for container in &self.open {
            let rest = container.rest.as_ref();
            let first = match container.first.as_ref() {
                Some(first) if !container.has_rows => Some(first),
                _ => rest.map(|rest| &rest.0),
            };
            prefix.first.extend(first.cloned());
            prefix.rest.extend(rest.map(|rest| rest.1.clone()));
        }
        prefix
    }

    /// What stands before a row of its own between two blocks: the bars of quotes.
    pub(crate) fn between(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = self
            .open
            .iter()
            .filter_map(|container| Some(container.rest.as_ref()?.1.clone()))
            .collect();
        while spans.last().is_some_and(|span| span.text().trim().is_empty()) {
            spans.pop();
        }
        spans
    }
}
