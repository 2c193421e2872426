//! Which lexer a language has, and the state of that lexer between lines.
//!
//! A new kind of lexer is a variant of both enums here; most languages need none, only a table for
//! [`code`](crate::code).

use crate::Token;
use crate::code::{Code, Dialect};
use crate::diff::Diff;
use crate::line::Line;
use crate::markdown::Markdown;
use crate::markup::Markup;
use crate::recipe::{Console, Docker, Make};
use crate::shell::Shell;
use crate::styles::Styles;
use crate::yaml::Yaml;

/// The lexer of a language.
#[derive(Clone, Copy)]
pub(crate) enum Grammar {
    Code(&'static Dialect),
    Console,
    Diff,
    Docker,
    Make,
    Markdown,
    Markup,
    Shell,
    Styles,
    Yaml,
}

/// What a lexer knows after a line.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Code(Code),
    Console(Console),
    Diff(Diff),
    Docker(Docker),
    Make(Make),
    Markdown(Box<Markdown>),
    Markup(Box<Markup>),
    Shell(Shell),
    Styles(Styles),
    Yaml(Yaml),
}

impl State {
    pub(crate) fn new(grammar: Grammar) -> Self {
        match grammar {
            Grammar::Code(dialect) => Self::Code(Code::new(dialect)),
            Grammar::Console => Self::Console(Console::default()),
            Grammar::Diff => Self::Diff(Diff::default()),
            Grammar::Docker => Self::Docker(Docker::default()),
            Grammar::Make => Self::Make(Make::default()),
            Grammar::Markdown => Self::Markdown(Box::default()),
            Grammar::Markup => Self::Markup(Box::default()),
            Grammar::Shell => Self::Shell(Shell::default()),
            Grammar::Styles => Self::Styles(Styles::default()),
            Grammar::Yaml => Self::Yaml(Yaml::default()),
        }
    }

    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        if is_conflict(line.text()) && !matches!(self, Self::Diff(_) | Self::Markdown(_)) {
            return line.take_rest(Token::Invalid);
        }
        match self {
            Self::Code(state) => state.line(line),
            Self::Console(state) => state.line(line),
            Self::Diff(state) => state.line(line),
            Self::Docker(state) => state.line(line),
            Self::Make(state) => state.line(line),
            Self::Markdown(state) => state.line(line),
            Self::Markup(state) => state.line(line),
            Self::Shell(state) => state.line(line),
            Self::Styles(state) => state.line(line),
            Self::Yaml(state) => state.line(line),
        }
    }
}

/// The marks that git leaves where a merge failed. A line of `=` alone is not among them: it is also
/// an underline.
fn is_conflict(text: &str) -> bool {
    ["<<<<<<< ", "||||||| ", ">>>>>>> "].iter().any(|mark| text.starts_with(mark))
}
