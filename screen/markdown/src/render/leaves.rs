//! Blocks whose text is no Markdown: code and HTML.

use super::Renderer;
use crate::code::{Ending, LineColours, block_rows, code_spans};
use crate::colours::CodeBlock;
use crate::fence::{Fence, title};
use crate::pages::LIMIT;
use fen_cells::{Join, Look, Role, Span, wrap_words};
use std::ops::Range;

impl Renderer<'_> {
    pub(super) fn open_fence(&self, range: &Range<usize>) -> Option<Fence> {
        let before = self.window.text.get(..range.start)?;
        let at = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |end| end + 1);
        Fence::open(self.window.text, at.max(self.window.from), self.window.ending, LIMIT)
    }

    /// Lays a fenced block out that stands in no other; `false` where it ends elsewhere than the parser
    /// says, so that what follows is not to be trusted.
    pub(super) fn fence(&mut self, mut fence: Fence, block: &Range<usize>) -> bool {
        let (text, cells) = (self.window.text, self.page.cells);
        self.rows.extend(fence.title(text, cells));
        fence.read(text, self.window.ending, &mut self.rows, self.page);
        let mut end = fence.next();
        if fence.is_open() {
            self.rows.extend(fence.open_rows(text, cells));
            end = text.len();
        }
        self.fences.push(fence);
        self.is_in_fence = true;
        let between = text.get(end.min(block.end)..end.max(block.end));
        between.is_some_and(|between| between.trim_ascii().is_empty())
    }

    pub(super) fn code(&mut self, language: &str, block: Range<usize>, text: &str) {
        let mut runs = None;
        if !language.is_empty() {
            let is_open = block.end == self.window.text.len() && self.window.ending == Ending::Open;
            let block = CodeBlock { language, code: text, at: block.start, is_open };
            runs = self.page.colours.runs(&block);
            self.awaits_colours |= runs.is_none();
        }
        let cells = self.page.cells;
        let (_, room) = self.containers.prefix_ahead().share(cells);
        if let Some(title) = title(language, room) {
            self.put(vec![title]);
        }
        let text = text.strip_suffix('\n').unwrap_or(text);
        if text.is_empty() && !language.is_empty() {
            return;
        }
        for (number, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let colours = LineColours::of(runs.as_ref(), number, 0);
            let spans = code_spans(line, colours, Look::of(Role::CodeBlock));
            let prefix = self.containers.prefix();
            self.rows.extend(block_rows(&spans, cells, &prefix, Join::Break));
        }
    }

    pub(super) fn html(&mut self, text: &str) {
        for line in text.trim_end_matches(['\n', '\r']).split('\n') {
            let line = Span::new(line.strip_suffix('\r').unwrap_or(line), self.containers.look());
            let prefix = self.containers.prefix();
            self.rows.extend(wrap_words(&[line], self.page.cells, &prefix));
        }
    }
}
