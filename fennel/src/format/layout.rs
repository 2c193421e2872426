//! Writes the tree out, deciding where lines begin.
//!
//! A form stands on one line if the author had it so and it fits. Otherwise its shape says where
//! its parts begin lines. A part that the author began a line with always does, so a second run
//! finds each decision of the first one made.

use super::FormatOptions;
use super::rules::{Lines, Shape, has_bindings, shape};
use super::tree::{Node, NodeKind, columns};

/// How many blank lines in a row stay at the top; within a form it is one.
const BLANK_LINES_AT_TOP: usize = 2;

/// The text of a tree; `size` is about how long it will be.
pub(super) fn lay_out(top: &[Node<'_>], options: FormatOptions, size: usize) -> String {
    let mut page =
        Page { out: String::with_capacity(size + size / 8), column: 0, limit: options.columns };
    for (at, node) in top.iter().enumerate() {
        if at > 0 {
            if node.is_comment() && node.breaks_before == 0 {
                page.push(" ");
            } else {
                let blank = node.breaks_before.saturating_sub(1).min(BLANK_LINES_AT_TOP);
                page.begin_line(0, blank);
            }
        } else if node.kind == NodeKind::Prefix && page.would_begin_a_comment(node) {
            page.begin_line(0, 0);
        }
        page.node(node, 0);
    }
    if !page.out.is_empty() {
        page.out.push('\n');
    }
    page.out
}

struct Page {
    out: String,
    column: usize,
    limit: usize,
}

/// A form being laid out on several lines.
struct Block<'n, 'a> {
    node: &'n Node<'a>,
    shape: Shape,
    /// The column of its opening delimiter.
    start: usize,
    /// The column of the first argument, if it stands behind the head.
    argument: Option<usize>,
    /// Whether the shape alone decides where its parts begin lines: the author broke none.
    is_untouched: bool,
    /// Whether its parts are names, numbers and texts only.
    is_flat: bool,
    /// Delimiters that close behind the one of this form.
    closers: usize,
}

impl Page {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rfind('\n') {
            Some(at) => self.column = columns(&text[at + 1..]),
            None => self.column += columns(text),
        }
    }

    fn mark(&mut self, mark: char) {
        self.out.push(mark);
        self.column += 1;
    }

    fn begin_line(&mut self, indent: usize, blank: usize) {
        self.out.extend(std::iter::repeat_n('\n', blank + 1));
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Whether a file that began with this form would begin with `#!`, which is a comment there.
    fn would_begin_a_comment(&self, node: &Node<'_>) -> bool {
        node.text == "#" && node.children.first().is_some_and(|child| child.text.starts_with('!'))
    }

    /// Writes a node; behind it, on its last line, `closers` delimiters close.
    fn node(&mut self, node: &Node<'_>, closers: usize) {
        self.shaped(node, closers, shape);
    }

    fn shaped(&mut self, node: &Node<'_>, closers: usize, shape: fn(&Node<'_>) -> Shape) {
        match node.kind {
            NodeKind::Atom | NodeKind::Comment => self.push(node.text),
            NodeKind::Prefix => {
                self.push(node.text);
                let start = self.column;
                for (at, child) in node.children.iter().enumerate() {
                    if at > 0 {
                        self.begin_line(start, child.breaks_before.saturating_sub(1).min(1));
                    }
                    self.node(child, closers);
                }
            }
            NodeKind::Bracket(bracket) => {
                let start = self.column;
                self.mark(bracket.opener());
                if !node.is_broken && start + node.width + closers <= self.limit {
                    for (at, child) in node.children.iter().enumerate() {
                        if at > 0 {
                            self.mark(' ');
                        }
                        self.node(child, 0);
                    }
                } else {
                    self.block(Block {
                        node,
                        shape: shape(node),
                        start,
                        argument: None,
                        is_untouched: !node.has_breaks_between(),
                        is_flat: node.children.iter().all(|child| child.kind == NodeKind::Atom),
                        closers,
                    });
                }
                self.mark(bracket.closer());
            }
        }
    }

    /// Writes what is between the delimiters of a form that takes several lines.
    fn block(&mut self, mut block: Block<'_, '_>) {
        let children = &block.node.children;
        let mut form = 0;
        for (at, child) in children.iter().enumerate() {
            let last = at + 1 == children.len();
            let closers = if last { block.closers + 1 } else { 0 };
            let mut begins_line = false;
            if at > 0 {
                let indent = block.indent(form);
                begins_line = child.breaks_before > 0
                    || children[at - 1].is_comment()
                    || (!child.is_comment()
                        && (block.breaks_before(form)
                            || (indent <= self.column
                                && block.may_fill(form, child)
                                && self.overflows(&block, at, form, closers))));
                if begins_line {
                    self.begin_line(indent, child.breaks_before.saturating_sub(1).min(1));
                } else {
                    self.mark(' ');
                }
            }
            if form == 1 && !begins_line && !child.is_comment() {
                block.argument = Some(self.column);
            }
            if form == 1 && has_bindings(block.node, child) {
                self.shaped(child, closers, |_| Shape::Bindings);
            } else {
                self.node(child, closers);
            }
            form += usize::from(!child.is_comment());
        }
        if children.last().is_some_and(Node::is_comment) {
            self.begin_line(block.start, 0);
        }
    }

    /// Whether a part does not fit on the line that is being written: a key, with its value.
    fn overflows(&self, block: &Block<'_, '_>, at: usize, form: usize, closers: usize) -> bool {
        let child = &block.node.children[at];
        let value = block.node.children.get(at + 1).filter(|value| {
            block.is_key(form)
                && !child.is_broken
                && !value.is_comment()
                && value.breaks_before == 0
        });
        let mut end = self.column + 1 + child.width;
        let mut tail = child;
        let mut closers = closers;
        if let Some(value) = value {
            end += 1 + value.width;
            tail = value;
            closers = if at + 2 == block.node.children.len() { block.closers + 1 } else { 0 };
        }
        if !tail.is_broken {
            end += closers;
        }
        end > self.limit
    }
}

impl Block<'_, '_> {
    /// Whether this part, by its number among the forms, is a key.
    fn is_key(&self, form: usize) -> bool {
        matches!(self.shape, Shape::Table | Shape::Bindings) && form.is_multiple_of(2)
    }

    /// Where a line that begins with this part is indented to.
    fn indent(&self, form: usize) -> usize {
        match self.shape {
            Shape::Data | Shape::Table | Shape::Bindings => self.start + 1,
            _ if form == 0 => self.start + 1,
            Shape::Call | Shape::If => self.argument.unwrap_or(self.start + 1),
            Shape::Definition => self.start + 2,
            Shape::Body { heads, .. } if form <= heads => self.start + 4,
            Shape::Body { .. } => self.start + 2,
        }
    }

    /// Whether this part begins a line by the form's shape.
    fn breaks_before(&self, form: usize) -> bool {
        if form == 0 {
            return false;
        }
        // It was one line, which is too long.
        let was_line = !self.node.is_broken;
        match self.shape {
            Shape::Data => was_line && !self.is_flat,
            Shape::Call => was_line && form > 1,
            Shape::If => self.is_untouched && form > 1,
            Shape::Table => self.is_untouched && self.is_key(form),
            Shape::Bindings => self.is_key(form),
            Shape::Definition => false,
            Shape::Body { heads, lines } => {
                form > heads
                    && match lines {
                        Lines::Each => true,
                        Lines::Clauses => (form - heads) % 2 == 1,
                        Lines::Kept => was_line,
                    }
            }
        }
    }

    /// Whether this part may go to the next line for want of room.
    fn may_fill(&self, form: usize, child: &Node<'_>) -> bool {
        match self.shape {
            Shape::Data => true,
            Shape::Table | Shape::Bindings => self.is_key(form) || !child.is_breakable(),
            Shape::Call | Shape::If => form > 1,
            Shape::Definition => form > 1 && !child.is_breakable(),
            Shape::Body { heads, .. } => form > heads,
        }
    }
}
