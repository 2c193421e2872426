//! Text within one block: its looks, links and images.

use fen_cells::{Look, Role, Span};

/// The text of a block while its parts come in.
pub(crate) struct Inline {
    lines: Vec<Vec<(String, Look)>>,
    /// All of the text, to compare a link's with its target.
    flat: String,
    base: Look,
    strong: usize,
    emphasis: usize,
    struck: usize,
    links: usize,
    targets: Vec<Target>,
}

/// Where an open link or image leads.
struct Target {
    text_from: usize,
    address: String,
}

impl Inline {
    pub(crate) fn new(base: Look) -> Inline {
        Inline {
            lines: vec![Vec::new()],
            flat: String::new(),
            base,
            strong: 0,
            emphasis: 0,
            struck: 0,
            links: 0,
            targets: Vec::new(),
        }
    }

    /// Its lines; hard breaks are between them.
    pub(crate) fn into_lines(self) -> Vec<Vec<Span>> {
        let spans = |line: Vec<(String, Look)>| {
            line.into_iter().map(|(text, look)| Span::new(&text, look)).collect()
        };
        self.lines.into_iter().map(spans).collect()
    }

    fn look(&self) -> Look {
        let mut look = self.base;
        if self.strong > 0 {
            look = look.bold();
        }
        if self.emphasis > 0 {
            look = look.italic();
        }
        if self.struck > 0 {
            look = look.struck();
        }
        if self.links > 0 {
            look = look.in_role(Role::Link).underlined();
        }
        look
    }

    pub(crate) fn text(&mut self, text: &str) {
        let look = self.look();
        self.put(text, look);
    }

    pub(crate) fn code(&mut self, text: &str) {
        let look = self.look().in_role(Role::Code);
        self.put(text, look);
    }

    pub(crate) fn soft_break(&mut self) {
        self.text(" ");
    }

    pub(crate) fn hard_break(&mut self) {
        self.flat.push(' ');
        self.lines.push(Vec::new());
    }

    fn put(&mut self, text: &str, look: Look) {
        self.flat.push_str(text);
        let Some(line) = self.lines.last_mut() else { return };
        // What came in parts is one text, also for marks that stand on the character before them.
        match line.last_mut() {
            Some((last, same)) if *same == look => last.push_str(text),
            _ if text.is_empty() => {}
            _ => line.push((text.to_owned(), look)),
        }
    }

    pub(crate) fn open_strong(&mut self) {
        self.strong += 1;
    }

    pub(crate) fn close_strong(&mut self) {
        self.strong = self.strong.saturating_sub(1);
    }

    pub(crate) fn open_emphasis(&mut self) {
        self.emphasis += 1;
    }

    pub(crate) fn close_emphasis(&mut self) {
        self.emphasis = self.emphasis.saturating_sub(1);
    }

    pub(crate) fn open_struck(&mut self) {
        self.struck += 1;
    }

    pub(crate) fn close_struck(&mut self) {
        self.struck = self.struck.saturating_sub(1);
    }

    pub(crate) fn open_link(&mut self, address: &str) {
        self.links += 1;
        self.targets.push(Target { text_from: self.flat.len(), address: address.to_owned() });
    }

    pub(crate) fn close_link(&mut self) {
        self.links = self.links.saturating_sub(1);
        let Some(target) = self.targets.pop() else { return };
        let text = self.flat.get(target.text_from..).unwrap_or_default().trim();
        let address = target.address.strip_prefix("mailto:").unwrap_or(&target.address);
        if text != address {
            self.address(&target.address);
        }
    }

    pub(crate) fn open_image(&mut self, address: &str) {
        self.dim("[image: ");
        self.targets.push(Target { text_from: self.flat.len(), address: address.to_owned() });
    }

    pub(crate) fn close_image(&mut self) {
        self.dim("]");
        if let Some(target) = self.targets.pop() {
            self.address(&target.address);
        }
    }

    fn address(&mut self, address: &str) {
        if !address.is_empty() {
            self.dim(" (");
            self.dim(address);
            self.dim(")");
        }
    }

    fn dim(&mut self, text: &str) {
        self.put(text, self.base.in_role(Role::Dim));
    }
}
