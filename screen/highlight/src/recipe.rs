//! Files that say how something is made, and consoles: lines of their own with a shell inside.
//!
//! Owns what is around the commands (targets, instructions, prompts); the commands are the
//! shell's.

use crate::Token;
use crate::code::variable_length;
use crate::line::{Line, head};
use crate::shell::Shell;

/// Makefiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Make {
    shell: Shell,
    continued: bool,
}

const DIRECTIVES: &[&str] = &[
    "include", "-include", "sinclude", "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif",
    "define", "endef", "export", "unexport", "override", "vpath", "undefine", "set", "import",
    "alias", "mod",
];

impl Make {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        let continued = std::mem::replace(&mut self.continued, text.ends_with('\\'));
        if text.starts_with(['\t', ' ']) && !continued {
            line.blanks();
            line.take_while(Token::Operator, |c| matches!(c, '@' | '-' | '+'));
            return self.shell.line(line);
        }
        self.shell = Shell::default();
        if continued {
            return references(line, Token::Plain);
        }
        let word = head(text, |c| !c.is_whitespace());
        if text.starts_with('#') {
            return line.take_rest(Token::Comment);
        }
        if DIRECTIVES.contains(&word) {
            line.take(word.len(), Token::Keyword);
            return references(line, Token::Plain);
        }
        let equals = text.find('=');
        let colon =
            text.find(':').filter(|at| !text.get(*at..).is_some_and(|t| t.starts_with(":=")));
        if let Some(at) = equals.filter(|at| colon.is_none_or(|colon| *at < colon)) {
            let signs = text.get(..at).unwrap_or("");
            let name = signs.trim_end_matches([':', '+', '?', '!']);
            line.take(name.len(), Token::Variable);
            line.take(signs.len() - name.len() + 1, Token::Operator);
        } else if let Some(at) = colon {
            let target = if text.starts_with('.') { Token::Attribute } else { Token::Function };
            line.part(at, |part| references(part, target));
            line.take_while(Token::Operator, |c| c == ':');
        }
        references(line, Token::Plain);
    }
}

/// `$(NAME)`, `$@` and comments; the rest is what `token` says.
fn references(line: &mut Line<'_>, token: Token) {
    while let Some(c) = line.peek() {
        match c {
            '$' => {
                let len = match line.rest().strip_prefix("$(") {
                    Some(inside) => inside.find(')').map_or(2, |end| end + 3),
                    None if line.second().is_some_and(|c| matches!(c, '@' | '<' | '^' | '%')) => 2,
                    None => variable_length(line.rest()).unwrap_or(1),
                };
                line.take(len, Token::Variable);
            }
            '#' if line.previous().is_none_or(char::is_whitespace) => {
                line.take_rest(Token::Comment);
            }
            '"' => line.take_char(Token::String),
            _ => line.take_char(token),
        }
    }
}

/// Dockerfiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docker {
    shell: Shell,
    /// The instruction goes on, and whether its lines are commands.
    continued: Option<Rest>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Command,
    Words,
}

const INSTRUCTIONS: &[&str] = &[
    "FROM",
    "RUN",
    "CMD",
    "LABEL",
    "MAINTAINER",
    "EXPOSE",
    "ENV",
    "ADD",
    "COPY",
    "ENTRYPOINT",
    "VOLUME",
    "USER",
    "WORKDIR",
    "ARG",
    "ONBUILD",
    "STOPSIGNAL",
    "HEALTHCHECK",
    "SHELL",
];

impl Docker {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        if text.trim_start().starts_with('#') {
            return line.take_rest(Token::Comment);
        }
        let rest = self.continued.take().unwrap_or_else(|| {
            self.shell = Shell::default();
            line.blanks();
            let mut rest = Rest::Words;
            loop {
                let word = head(line.rest(), char::is_alphabetic);
                let upper = word.to_ascii_uppercase();
                if !INSTRUCTIONS.contains(&upper.as_str()) {
                    break rest;
                }
                line.take(word.len(), Token::Keyword);
                line.blanks();
                if upper == "RUN" {
                    rest = Rest::Command;
                }
                if matches!(upper.as_str(), "CMD" | "ENTRYPOINT") && !line.starts("[") {
                    rest = Rest::Command;
                }
            }
        });
        self.continued = text.ends_with('\\').then_some(rest);
        match rest {
            Rest::Command => {
                while line.starts("--") {
                    line.take_while(Token::Attribute, |c| !c.is_whitespace());
                    line.blanks();
                }
                self.shell.line(line);
            }
            Rest::Words => words(line),
        }
    }
}

fn words(line: &mut Line<'_>) {
    while let Some(c) = line.peek() {
        let rest = line.rest();
        match c {
            '"' => {
                let inside = rest.get(1..).unwrap_or("");
                line.take(inside.find('"').map_or(rest.len(), |end| end + 2), Token::String);
            }
            '$' => line.take(variable_length(rest).unwrap_or(1), Token::Variable),
            '\\' => line.take(2, Token::Escape),
            '[' | ']' | ',' => line.take_char(Token::Punctuation),
            '=' => line.take_char(Token::Operator),
            _ if c.is_whitespace() => line.blanks(),
            _ => {
                let word = head(rest, |c| !c.is_whitespace() && !"\"$\\[],=".contains(c));
                let token = match word {
                    "AS" | "as" => Token::Keyword,
                    _ if word.starts_with("--") => Token::Attribute,
                    _ if word.bytes().all(|b| b.is_ascii_digit()) => Token::Number,
                    _ => Token::Plain,
                };
                line.take(word.len(), token);
            }
        }
    }
}

/// A console: lines with a prompt are commands, all others what they printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Console {
    shell: Shell,
    continued: bool,
}

impl Console {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        let prompt = ["$ ", "# ", "% ", "> ", "❯ ", "PS> "]
            .iter()
            .find(|prompt| text.trim_start().starts_with(*prompt));
        if let Some(prompt) = prompt {
            self.shell = Shell::default();
            line.blanks();
            line.take(prompt.len(), Token::Punctuation);
        } else if !self.continued {
            return;
        }
        self.shell.line(line);
        self.continued = text.ends_with('\\');
    }
}
