//! Markdown: titles, lists, quotes, emphasis, links, and code in fences in its own language.
//!
//! Code inside has any language but Markdown itself, so that nothing nests without a bound.

use crate::Token;
use crate::grammar::{Grammar, State};
use crate::language;
use crate::line::{Line, head};

/// The state between lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markdown {
    fence: Option<Fence>,
    comment: bool,
}

#[derive(Clone, Debug)]
struct Fence {
    mark: char,
    length: usize,
    code: Option<State>,
}

impl Markdown {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        let start = text.trim_start();
        if let Some(fence) = &mut self.fence {
            let marks = head(start, |c| c == fence.mark).len();
            if marks >= fence.length && start.get(marks..).unwrap_or("").trim().is_empty() {
                self.fence = None;
                line.take_rest(Token::Punctuation);
            } else if let Some(code) = &mut fence.code {
                code.line(line);
            }
            return;
        }
        if self.comment {
            self.comment_rest(line);
            return self.words(line);
        }
        if let Some(fence) = fence(start) {
            line.blanks();
            line.take(fence.length, Token::Punctuation);
            line.take_rest(Token::Attribute);
            self.fence = Some(fence);
            return;
        }
        let hashes = head(start, |c| c == '#').len();
        if (1..=6).contains(&hashes)
            && start.get(hashes..).is_some_and(|title| title.is_empty() || title.starts_with(' '))
        {
            return line.take_rest(Token::Heading);
        }
        if is_rule(start) {
            return line.take_rest(Token::Punctuation);
        }
        self.marks(line);
        self.words(line);
    }

    /// What stands before the words of a line: quotes, list marks, boxes.
    fn marks(&self, line: &mut Line<'_>) {
        line.blanks();
        while line.starts(">") {
            line.take_char(Token::Punctuation);
            line.blanks();
        }
        let rest = line.rest();
        let digits = head(rest, |c| c.is_ascii_digit()).len();
        let mark = match rest.get(digits..).unwrap_or("").chars().next() {
            Some('-' | '*' | '+') if digits == 0 => 1,
            Some('.' | ')') if (1..=9).contains(&digits) => digits + 1,
            _ => return,
        };
        if !rest.get(mark..).is_some_and(|after| after.is_empty() || after.starts_with(' ')) {
            return;
        }
        line.take(mark, Token::Punctuation);
        line.blanks();
        if ["[ ] ", "[x] ", "[X] "].iter().any(|done| line.starts(done)) {
            line.take(3, Token::Constant);
        }
    }

    fn words(&mut self, line: &mut Line<'_>) {
        // What was looked for on this line and does not end on it.
        let mut lone: Vec<&str> = Vec::new();
        while let Some(c) = line.peek() {
            let rest = line.rest();
            let marks = matches!(c, '`' | '*' | '_');
            let run = if marks { head(rest, |next| next == c) } else { "" };
            match c {
                '\\' => line.take(2, Token::Escape),
                '`' if !lone.contains(&run) => match code_length(rest, run) {
                    Some(len) => line.take(len, Token::String),
                    None => {
                        lone.push(run);
                        line.take(run.len(), Token::Plain);
                    }
                },
                '*' | '_' if !lone.contains(&run) && opens(line, run) => {
                    match emphasis_length(rest, run) {
                        Some(len) => {
                            let strong = run.len() > 1;
                            line.take(len, if strong { Token::Strong } else { Token::Emphasis });
                        }
                        None => {
                            lone.push(run);
                            line.take(run.len(), Token::Plain);
                        }
                    }
                }
                '[' => match link(rest) {
                    Some(len) => line.take(len, Token::Link),
                    None => line.take_char(Token::Plain),
                },
                '<' if rest.starts_with("<!--") => {
                    line.take(4, Token::Comment);
                    self.comment_rest(line);
                }
                '<' if ["<http://", "<https://", "<mailto:"]
                    .iter()
                    .any(|at| rest.starts_with(at)) =>
                {
                    line.take(rest.find('>').map_or(1, |end| end + 1), Token::Link);
                }
                'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                    line.take_while(Token::Link, |c| !c.is_whitespace() && !"<>()\"".contains(c));
                }
                '|' => line.take_char(Token::Punctuation),
                '`' | '*' | '_' => line.take(run.len(), Token::Plain),
                _ => line.take_char(Token::Plain),
            }
        }
    }

    fn comment_rest(&mut self, line: &mut Line<'_>) {
        let end = line.rest().find("-->").map(|end| end + 3);
        line.take(end.unwrap_or(line.rest().len()), Token::Comment);
        self.comment = end.is_none();
    }
}

fn fence(start: &str) -> Option<Fence> {
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = head(start, |c| c == mark).len();
    let info = start.get(length..)?;
    if length < 3 || (mark == '`' && info.contains('`')) {
        return None;
    }
    let code = language::language_of_info(info)
        .and_then(language::find)
        .filter(|language| !matches!(language.grammar, Grammar::Markdown))
        .map(|language| State::new(language.grammar));
    Some(Fence { mark, length, code })
}

/// A line of three or more `-`, `*`, `_` or `=`, and blanks.
fn is_rule(start: &str) -> bool {
    let Some(mark) = start.chars().next().filter(|c| matches!(c, '-' | '*' | '_' | '=')) else {
        return false;
    };
    start.chars().all(|c| c == mark || c.is_whitespace())
        && start.chars().filter(|c| *c == mark).count() >= 3
}

/// Whether marks of emphasis stand where words can begin.
fn opens(line: &Line<'_>, run: &str) -> bool {
    let after = line.rest().get(run.len()..).unwrap_or("");
    let glued = run.starts_with('_') && line.previous().is_some_and(char::is_alphanumeric);
    run.len() <= 3 && !glued && after.starts_with(|c: char| !c.is_whitespace())
}

/// The length of code between two runs of backticks of one length.
fn code_length(text: &str, run: &str) -> Option<usize> {
    let mut at = run.len();
    loop {
        at += text.get(at..)?.find('`')?;
        let length = head(text.get(at..)?, |c| c == '`').len();
        at += length;
        if length == run.len() {
            return Some(at);
        }
    }
}

fn emphasis_length(text: &str, run: &str) -> Option<usize> {
    let mut at = run.len();
    loop {
        at += text.get(at..)?.find(run)?;
        let before = text.get(..at)?.chars().next_back()?;
        let after = text.get(at + run.len()..)?;
        at += run.len();
        let glued = run.starts_with('_') && after.starts_with(char::is_alphanumeric);
        if !before.is_whitespace() && !glued && !after.starts_with(run) {
            return Some(at);
        }
    }
}

/// `[words](address)` and `[words][name]`; the words are short enough to be looked through each time.
fn link(text: &str) -> Option<usize> {
    const MAX_WORDS: usize = 300;
    let words = text.char_indices().take(MAX_WORDS).find(|(_, c)| *c == ']')?.0;
    let target = text.get(words + 1..)?;
    let close = match target.chars().next()? {
        '(' => ')',
        '[' => ']',
        ':' if text.starts_with('[') => return Some(words + 2),
        _ => return None,
    };
    let end = target.char_indices().take(MAX_WORDS * 4).find(|(_, c)| *c == close)?.0;
    Some(words + 1 + end + 1)
}
