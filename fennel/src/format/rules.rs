//! Which forms are laid out in which way, by the name that they begin with: as fennel-mode and
//! fnlfmt have it.

use crate::reader::Bracket;

use super::tree::{Node, NodeKind};

/// How the parts of a form that takes several lines are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Parts below one another: a sequence, or a list that begins with no name.
    Data,
    /// Keys below one another, each with its value.
    Table,
    /// As a table, and each pair has a line of its own.
    Bindings,
    /// Arguments below the first one.
    Call,
    /// As a call, and each branch has a line of its own unless the author put it otherwise.
    If,
    /// A value behind a name, which goes on two columns further in.
    Definition,
    /// A body two columns further in, behind so many arguments.
    Body {
        /// How many arguments stand on the first line.
        heads: usize,
        /// How the lines of the body begin.
        lines: Lines,
    },
}

/// What begins a line in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Each form.
    Each,
    /// Each pattern; what follows it may stand beside it.
    Clauses,
    /// What the author put there.
    Kept,
}

/// The shape of a form in brackets.
pub(super) fn shape(node: &Node<'_>) -> Shape {
    match node.kind {
        NodeKind::Bracket(Bracket::Curly) => Shape::Table,
        NodeKind::Bracket(Bracket::Round) => list(node),
        _ => Shape::Data,
    }
}

fn list(node: &Node<'_>) -> Shape {
    let mut forms = node.forms();
    let Some(head) = forms.next().filter(|head| is_name(head)) else { return Shape::Data };
    let body = |heads| Shape::Body { heads, lines: Lines::Each };
    match head.text {
        "if" => Shape::If,
        "do" | "eval-compiler" => body(0),
        "let" | "when" | "unless" | "each" | "for" | "while" | "with-open" | "collect"
        | "icollect" | "fcollect" | "accumulate" | "faccumulate" | "doto" => body(1),
        "fn" | "lambda" | "λ" | "macro" => {
            let named = forms.next().is_some_and(|first| !is_square(first));
            body(if named { 2 } else { 1 })
        }
        "case" | "match" => Shape::Body { heads: 1, lines: Lines::Clauses },
        "case-try" | "match-try" => Shape::Body { heads: 1, lines: Lines::Kept },
        "local" | "var" | "global" | "set" => Shape::Definition,
        name if name.starts_with("with-") || name.starts_with("def") => {
            Shape::Body { heads: 1, lines: Lines::Kept }
        }
        _ => Shape::Call,
    }
}

/// Whether the second part of this form, given, holds bindings.
pub(super) fn has_bindings(node: &Node<'_>, second: &Node<'_>) -> bool {
    is_square(second)
        && node.kind == NodeKind::Bracket(Bracket::Round)
        && node.forms().next().is_some_and(|head| matches!(head.text, "let" | "with-open"))
}

fn is_square(node: &Node<'_>) -> bool {
    node.kind == NodeKind::Bracket(Bracket::Square)
}

fn is_name(node: &Node<'_>) -> bool {
    let is_text = node.text.starts_with('"') || (node.text.len() > 1 && node.text.starts_with(':'));
    node.kind == NodeKind::Atom && !is_text && !node.text.starts_with(|c: char| c.is_ascii_digit())
}
