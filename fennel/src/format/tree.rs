//! The text as a tree of its tokens, comments among them: nothing is lost but white space.

use crate::reader::{Bracket, Lexer, TokenKind};

/// A form or a comment.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: NodeKind,
    /// The text of an atom, a comment or a prefix.
    pub(super) text: &'a str,
    /// How many line breaks there were before it: 0 is "on the same line", 2 is "a blank line".
    pub(super) breaks_before: usize,
    pub(super) children: Vec<Node<'a>>,
    /// Whether it takes several lines in any layout: the author broke it, or has a comment in it.
    pub(super) is_broken: bool,
    /// How many columns it takes if it stands on one line; if it is broken, up to its first break.
    pub(super) width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A name, a number or a text.
    Atom,
    Comment,
    Bracket(Bracket),
    /// One form, and comments before it.
    Prefix,
}

impl<'a> Node<'a> {
    pub(super) fn is_comment(&self) -> bool {
        self.kind == NodeKind::Comment
    }

    /// Its parts without the comments.
    pub(super) fn forms(&self) -> impl Iterator<Item = &Node<'a>> {
        self.children.iter().filter(|child| !child.is_comment())
    }

    /// Whether it can be laid out on several lines.
    pub(super) fn is_breakable(&self) -> bool {
        match self.kind {
            NodeKind::Bracket(_) => !self.children.is_empty(),
            NodeKind::Prefix => self.children.last().is_some_and(Node::is_breakable),
            NodeKind::Atom | NodeKind::Comment => false,
        }
    }

    /// Whether any part behind the first one begins a line.
    pub(super) fn has_breaks_between(&self) -> bool {
        self.children.windows(2).any(|pair| breaks_between(&pair[0], &pair[1]))
    }

    fn measure(&mut self) {
        let closer = match self.kind {
            NodeKind::Atom => {
                let first_line = self.text.split('\n').next().unwrap_or_default();
                self.is_broken = first_line.len() < self.text.len();
                self.width = columns(first_line);
                return;
            }
            NodeKind::Comment => {
                self.is_broken = true;
                return;
            }
            NodeKind::Prefix => 0,
            NodeKind::Bracket(_) => 1,
        };
        self.width = 1;
        for (at, child) in self.children.iter().enumerate() {
            if at > 0 {
                if breaks_between(&self.children[at - 1], child) {
                    self.is_broken = true;
                    return;
                }
                self.width += 1;
            }
            self.width += child.width;
            if child.is_broken {
                self.is_broken = true;
                return;
            }
        }
        self.width += closer;
    }
}

/// Whether the author broke the line between two neighbours, or has to.
fn breaks_between(before: &Node<'_>, after: &Node<'_>) -> bool {
    after.breaks_before > 0 || before.is_comment()
}

/// How many columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The tree of a text that reads without faults.
pub(super) fn grow(source: &str) -> Vec<Node<'_>> {
    let mut open: Vec<Node<'_>> = Vec::new();
    let mut top = Vec::new();
    let mut end = 0;
    for token in Lexer::new(source) {
        let (start, gap) = (token.start as usize, &source[end..token.start as usize]);
        end = token.end as usize;
        let kind = match token.kind {
            TokenKind::Open(bracket) => NodeKind::Bracket(bracket),
            TokenKind::Prefix(_) => NodeKind::Prefix,
            TokenKind::Comment => NodeKind::Comment,
            TokenKind::Close(_) => {
                if let Some(node) = open.pop() {
                    place(node, &mut open, &mut top);
                }
                continue;
            }
            TokenKind::Text(_) | TokenKind::Word(_) | TokenKind::Unreadable => NodeKind::Atom,
        };
        let text = &source[start..end];
        let node = Node {
            kind,
            text: if kind == NodeKind::Comment { text.trim_ascii_end() } else { text },
            breaks_before: gap.bytes().filter(|&byte| byte == b'\n').count(),
            children: Vec::new(),
            is_broken: false,
            width: 0,
        };
        match kind {
            NodeKind::Bracket(_) | NodeKind::Prefix => open.push(node),
            NodeKind::Atom | NodeKind::Comment => place(node, &mut open, &mut top),
        }
    }
    top
}

/// Puts a complete node into the one that it is part of, and completes the prefixes before it.
fn place<'a>(mut node: Node<'a>, open: &mut Vec<Node<'a>>, top: &mut Vec<Node<'a>>) {
    node.measure();
    let is_form = !node.is_comment();
    while let Some(mut outer) = open.pop() {
        outer.children.push(node);
        if outer.kind != NodeKind::Prefix || !is_form {
            open.push(outer);
            return;
        }
        outer.measure();
        node = outer;
    }
    top.push(node);
}
