//! Markdown as rows: one window of a text, from what the parser says of it.
//!
//! What a block looks like depends on nothing that comes after it. Whether a blank row stands before it
//! is said by the lines above it alone, and a list is not looser for what its later items are. This is
//! what lets a text be laid out block by block.

mod leaves;

use crate::code::Ending;
use crate::containers::Containers;
use crate::fence::Fence;
use crate::inline::Inline;
use crate::pages::Page;
use crate::table::Table;
use fen_cells::{Join, Line, Look, Role, clip, wrap_words};
use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd,
};
use std::ops::Range;

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES);

/// Where a text can be parted: before a block that stands in no other, or an item of such a list.
pub(crate) struct Mark {
    /// The start of its line in the text.
    pub(crate) at: usize,
    /// The first of its rows.
    pub(crate) row: usize,
    /// The number of the item, in a list that has numbers.
    pub(crate) number: Option<u64>,
    /// Whether there were blocks before it.
    pub(crate) follows: bool,
}

/// What a window of a text became.
pub(crate) struct Rendered {
    pub(crate) rows: Vec<Line>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) fences: Vec<Fence>,
    /// Definitions of references: where they end, name and target.
    pub(crate) definitions: Vec<(usize, String, String)>,
    /// Whether colours may come for code among it.
    pub(crate) awaits_colours: bool,
}

/// A part of a text, and what is known of the part before it.
pub(crate) struct Window<'a> {
    /// The text as far as the window goes.
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) ending: Ending,
    /// The number that the list has reached that the window begins in.
    pub(crate) number: Option<u64>,
    /// Whether there are blocks before it.
    pub(crate) follows: bool,
}

/// Lays a window out.
pub(crate) fn render(window: &Window<'_>, page: &Page<'_>) -> Rendered {
    let target = |link: BrokenLink<'_>| {
        let target = page.definitions.target(&link.reference)?;
        Some((CowStr::from(target.to_owned()), CowStr::from("")))
    };
    let part = window.text.get(window.from..).unwrap_or_default();
    let parser = Parser::new_with_broken_link_callback(part, OPTIONS, Some(target));
    let mut definitions: Vec<_> = parser
        .reference_definitions()
        .iter()
        .map(|(name, it)| (window.from + it.span.end, name.to_owned(), it.dest.to_string()))
        .collect();
    definitions.sort_unstable();
    let mut renderer = Renderer::new(window, page);
    for (event, range) in parser.into_offset_iter() {
        let range = window.from + range.start..window.from + range.end;
        if !renderer.event(event, range) {
            break;
        }
    }
    renderer.flush();
    let Renderer { rows, marks, fences, awaits_colours, .. } = renderer;
    Rendered { rows, marks, fences, definitions, awaits_colours }
}

/// Text of a block that is no paragraph.
enum Raw {
    Code { language: String, block: Range<usize>, text: String },
    Html(String),
}

struct Renderer<'a> {
    window: &'a Window<'a>,
    page: &'a Page<'a>,
    rows: Vec<Line>,
    marks: Vec<Mark>,
    fences: Vec<Fence>,
    awaits_colours: bool,
    containers: Containers,
    inline: Option<Inline>,
    raw: Option<Raw>,
    table: Option<Table>,
    number: Option<u64>,
    is_after_task: bool,
    /// Whether the parser tells of a fenced block that was laid out already.
    is_in_fence: bool,
}

impl<'a> Renderer<'a> {
    fn new(window: &'a Window<'a>, page: &'a Page<'a>) -> Self {
        let containers = Containers::after(window.follows, page.cells);
        Renderer {
            window,
            page,
            rows: Vec::new(),
            marks: Vec::new(),
            fences: Vec::new(),
            awaits_colours: false,
            containers,
            inline: None,
            raw: None,
            table: None,
            number: window.number,
            is_after_task: false,
            is_in_fence: false,
        }
    }

    /// Takes in an event; whether it is of use to go on.
    fn event(&mut self, event: Event<'_>, range: Range<usize>) -> bool {
        if self.is_in_fence {
            self.is_in_fence = !matches!(event, Event::End(TagEnd::CodeBlock));
            return true;
        }
        let is_after_task = matches!(event, Event::TaskListMarker(_));
        let is_useful = self.handle(event, range);
        self.is_after_task = is_after_task;
        is_useful
    }

    fn handle(&mut self, event: Event<'_>, range: Range<usize>) -> bool {
        match event {
            Event::Start(tag) => return self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) => match &mut self.raw {
                Some(Raw::Code { text: raw, .. } | Raw::Html(raw)) => raw.push_str(&text),
                None => self.inline(range).text(&text),
            },
            Event::InlineHtml(text) => self.inline(range).text(&text),
            Event::Code(text) => self.inline(range).code(&text),
            Event::FootnoteReference(name) => self.inline(range).text(&format!("[^{name}]")),
            Event::SoftBreak => self.inline(range).soft_break(),
            Event::HardBreak => self.inline(range).hard_break(),
            Event::Rule => {
                self.begin_block(&range);
                let (_, room) = self.containers.prefix_ahead().share(self.page.cells);
                let dashes = "─".repeat(room);
                self.put(vec![Line::of(&dashes, Look::of(Role::Border).decoration())]);
            }
            Event::TaskListMarker(is_done) => {
                let mark = if is_done { "[x] " } else { "[ ] " };
                self.inline(range).text(mark);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline(range).text(&text),
        }
        true
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) -> bool {
        match tag {
            // Where the list is loose the text of a task is a paragraph behind its mark.
            Tag::Paragraph if self.is_after_task => {}
            Tag::Paragraph => {
                self.begin_block(&range);
                self.inline = Some(Inline::new(self.containers.look()));
            }
            Tag::Heading { .. } => {
                self.begin_heading(&range);
                self.inline = Some(Inline::new(Look::of(Role::Heading).bold()));
            }
            Tag::BlockQuote(_) => {
                self.begin_block(&range);
                self.containers.open_quote();
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.begin_block(&range);
                if self.containers.is_outside()
                    && let Some(fence) = self.open_fence(&range)
                {
                    return self.fence(fence, &range);
                }
                let language = info.split_whitespace().next().unwrap_or_default().to_owned();
                self.raw = Some(Raw::Code { language, block: range, text: String::new() });
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => {
                self.begin_block(&range);
                let (language, text) = (String::new(), String::new());
                self.raw = Some(Raw::Code { language, block: range, text });
            }
            Tag::HtmlBlock => {
                self.begin_block(&range);
                self.raw = Some(Raw::Html(String::new()));
            }
            Tag::List(first) => {
                self.begin_block(&range);
                // A list that began before the window counts on.
                let before = self.window.text.get(self.window.from..range.start);
                let is_first = before.is_some_and(|before| before.trim_ascii().is_empty());
                let number = self.number.take().filter(|_| is_first).or(first);
                let number = first.and(number);
                self.containers.open_list(number);
            }
            Tag::Item => {
                self.flush();
                if self.containers.depth() == 1 {
                    self.mark(&range);
                }
                self.begin_in_container(&range);
                self.containers.open_item();
            }
            Tag::FootnoteDefinition(name) => {
                self.begin_block(&range);
                self.containers.open_labelled(&format!("[^{name}]: "), 2);
            }
            Tag::Table(alignments) => {
                self.begin_block(&range);
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.begin_row();
                }
            }
            Tag::TableCell => {
                let is_header = self.table.as_ref().is_some_and(Table::is_in_header);
                let look = self.containers.look();
                self.inline = Some(Inline::new(if is_header { look.bold() } else { look }));
            }
            Tag::Emphasis => self.inline(range).open_emphasis(),
            Tag::Strong => self.inline(range).open_strong(),
            Tag::Strikethrough => self.inline(range).open_struck(),
            Tag::Link { link_type, dest_url, id, .. } => {
                let address = self.address(link_type, &dest_url, &id).to_owned();
                self.inline(range).open_link(&address);
            }
            Tag::Image { link_type, dest_url, id, .. } => {
                let address = self.address(link_type, &dest_url, &id).to_owned();
                self.inline(range).open_image(&address);
            }
            // Of extensions that are off.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
        true
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.show_unseen();
                self.containers.close_quote();
            }
            TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush();
                self.show_unseen();
                self.containers.close();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => match self.raw.take() {
                Some(Raw::Code { language, block, text }) => self.code(&language, block, &text),
                Some(Raw::Html(text)) => self.html(&text),
                None => {}
            },
            TagEnd::TableCell => {
                let cell = self.inline.take().map_or_else(Vec::new, Inline::into_lines);
                if let Some(table) = &mut self.table {
                    table.push_cell(cell.concat());
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    let (_, room) = self.containers.prefix_ahead().share(self.page.cells);
                    self.put(table.lines(room));
                }
            }
            TagEnd::Emphasis => self.with_inline(Inline::close_emphasis),
            TagEnd::Strong => self.with_inline(Inline::close_strong),
            TagEnd::Strikethrough => self.with_inline(Inline::close_struck),
            TagEnd::Link => self.with_inline(Inline::close_link),
            TagEnd::Image => self.with_inline(Inline::close_image),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Where a link leads. What was defined first counts, wherever the window begins.
    fn address<'b>(&'b self, kind: LinkType, address: &'b str, name: &str) -> &'b str {
        match kind {
            LinkType::Inline | LinkType::Autolink | LinkType::Email => address,
            _ => self.page.definitions.target(name).unwrap_or(address),
        }
    }

    /// The text of the block that is open. In a tight item text begins without a paragraph.
    fn inline(&mut self, range: Range<usize>) -> &mut Inline {
        if self.inline.is_none() {
            self.begin_block(&range);
        }
        let look = self.containers.look();
        self.inline.get_or_insert_with(|| Inline::new(look))
    }

    fn with_inline(&mut self, change: impl FnOnce(&mut Inline)) {
        if let Some(inline) = &mut self.inline {
            change(inline);
        }
    }

    fn begin_block(&mut self, range: &Range<usize>) {
        self.flush();
        if self.containers.is_outside() {
            self.mark(range);
        }
        self.begin_in_container(range);
    }

    fn begin_heading(&mut self, range: &Range<usize>) {
        self.flush();
        if self.containers.is_outside() {
            self.mark(range);
        }
        if self.containers.begin_block() {
            self.gap();
        }
    }

    fn begin_in_container(&mut self, range: &Range<usize>) {
        if self.containers.begin_block() && is_blank_above(self.window.text, range.start) {
            self.gap();
        }
    }

    fn gap(&mut self) {
        self.rows.push(clip(Line::from(self.containers.between()), self.page.cells));
    }

    /// Remembers that the text can be parted here, if this begins its line.
    fn mark(&mut self, range: &Range<usize>) {
        let before = self.window.text.get(..range.start).unwrap_or_default();
        let at = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |end| end + 1);
        let is_start = before[at..].trim_ascii().is_empty() && !before[at..].contains('\r');
        if is_start && at > self.window.from && self.marks.last().is_none_or(|last| last.at < at) {
            let follows = self.containers.follows();
            let number = self.containers.outer_number();
            self.marks.push(Mark { at, row: self.rows.len(), number, follows });
        }
    }

    /// Makes rows of the text that was gathered.
    fn flush(&mut self) {
        let Some(inline) = self.inline.take() else { return };
        for line in inline.into_lines() {
            let prefix = self.containers.prefix();
            self.rows.extend(wrap_words(&line, self.page.cells, &prefix));
        }
    }

    /// An empty item, or an empty quote, is seen all the same.
    fn show_unseen(&mut self) {
        if self.containers.is_unseen() {
            let prefix = self.containers.prefix();
            self.rows.extend(wrap_words(&[], self.page.cells, &prefix));
        }
    }

    /// Puts rows below what is there that fit beside what stands before them.
    fn put(&mut self, lines: Vec<Line>) {
        for mut line in lines {
            let prefix = self.containers.prefix();
            let (before, _) = prefix.share(self.page.cells);
            let spans = if line.join == Join::Break { prefix.first } else { prefix.rest };
            let mut spans = clip(Line::from(spans), before).spans;
            spans.append(&mut line.spans);
            self.rows.push(Line { spans, ..line });
        }
    }
}

/// Whether the line above that of this place is blank; marks of quotes count as nothing.
pub(crate) fn is_blank_above(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at.min(text.len())];
    let Some(end) = memchr::memrchr(b'\n', before) else { return false };
    let above = before[..end].iter().rev().take_while(|byte| **byte != b'\n');
    above.into_iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'>'))
}
