//! The lexer of code, driven by the table of a language.
//!
//! Owns what is between text, comments and elements: words, numbers, signs, and the stack that says
//! which of them the line is in. The table says how words and text look; a quirk of it switches on what
//! only some languages have. Called for each line by [`State`](crate::grammar::State) and by the lexers
//! of documents that have code inside.

mod dialect;
pub(crate) mod dialects;
mod jsx;
mod lead;
mod text;
mod word;

pub(crate) use dialect::Dialect;
use dialect::{Quirk, Quote};

use crate::Token;
use crate::line::{Line, head};

/// Nothing opens deeper than this; what would is read as part of what it is in.
const MAX_DEPTH: usize = 48;

/// The state between lines.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    dialect: &'static Dialect,
    frames: Vec<Frame>,
    last: Last,
    expects: Option<Token>,
    /// Whether a `/` on this line was looked at as the start of an expression that never ends.
    lone_slash: bool,
}

/// What the line is in.
#[derive(Clone, Debug)]
enum Frame {
    /// Code inside text or an element, up to its closing bracket.
    Hole {
        open: char,
        close: char,
        depth: u32,
    },
    Text {
        quote: &'static Quote,
        hashes: usize,
        token: Token,
    },
    Long {
        level: usize,
        token: Token,
    },
    Heredoc {
        word: String,
    },
    Comment {
        open: &'static str,
        close: &'static str,
        depth: u32,
    },
    /// Inside `<name ...>`.
    Element {
        named: Named,
    },
    /// Inside `</name>`.
    ElementEnd,
    /// Between the tags of an element.
    Children,
}

/// Whether an element's name was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Not,
    Yes,
}

/// What came before, as far as it decides what may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// After which a value may begin: the start, a sign, an opening bracket, a keyword.
    Open,
    /// After which one may not.
    Value,
}

impl Code {
    pub(crate) fn new(dialect: &'static Dialect) -> Self {
        Self { dialect, frames: Vec::new(), last: Last::Open, expects: None, lone_slash: false }
    }

    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        self.lone_slash = false;
        self.lead(line);
        while !line.done() {
            let before = line.position();
            match self.frames.last() {
                None | Some(Frame::Hole { .. }) => self.code(line),
                Some(Frame::Comment { .. }) => self.comment(line),
                Some(Frame::Element { .. } | Frame::ElementEnd) => self.element(line),
                Some(Frame::Children) => self.children(line),
                Some(_) => self.text(line),
            }
            // The promise that a line ends, whatever a lexer forgot.
            if line.position() == before {
                line.take_char(Token::Plain);
            }
        }
        self.end_line(line);
    }

    /// Opens a frame; `false` if it would be too deep.
    fn push(&mut self, frame: Frame) -> bool {
        let fits = self.frames.len() < MAX_DEPTH;
        if fits {
            self.frames.push(frame);
        }
        fits
    }

    fn code(&mut self, line: &mut Line<'_>) {
        line.blanks();
        let Some(c) = line.peek() else { return };
        if self.begin_comment(line)
            || self.begin_text(line)
            || self.begin_long(line)
            || self.number(line, c)
            || self.special(line, c)
        {
            return;
        }
        if self.dialect.starts_word(c) {
            return self.word(line);
        }
        // `function M.name`, `def self.name` go on after the sign.
        if !matches!(c, '.' | ':') {
            self.expects = None;
        }
        self.sign(line, c);
    }

    fn begin_comment(&mut self, line: &mut Line<'_>) -> bool {
        let dialect = self.dialect;
        for (open, close) in dialect.block_comments {
            // A mark that is a word is one only at the start of a line.
            let anchored = open.starts_with('=');
            if line.starts(open)
                && (!anchored || line.position() == 0)
                && self.push(Frame::Comment { open, close, depth: 0 })
            {
                line.take(open.len(), Token::Comment);
                return true;
            }
        }
        if dialect.has(Quirk::HashAttributes) && line.starts("#[") {
            return false;
        }
        if dialect.line_comments.iter().any(|mark| line.starts(mark)) {
            line.take_rest(Token::Comment);
            return true;
        }
        false
    }

    fn comment(&mut self, line: &mut Line<'_>) {
        let nested = self.dialect.has(Quirk::NestedComments);
        let Some(Frame::Comment { open, close, depth }) = self.frames.last_mut() else { return };
        while !line.done() {
            if line.starts(close) {
                line.take(close.len(), Token::Comment);
                if *depth == 0 {
                    self.frames.pop();
                    return;
                }
                *depth -= 1;
            } else if nested && line.starts(open) {
                line.take(open.len(), Token::Comment);
                *depth = depth.saturating_add(1);
            } else {
                line.take_char(Token::Comment);
            }
        }
    }

    fn number(&mut self, line: &mut Line<'_>, c: char) -> bool {
        let rest = line.rest();
        let signed = self.dialect.has(Quirk::Lisp) && matches!(c, '-' | '+');
        let digits = rest.get(1..).filter(|_| signed || c == '.').unwrap_or(rest);
        if !digits.starts_with(|c: char| c.is_ascii_digit())
            || (c == '.' && (self.last == Last::Value || line.previous() == Some('.')))
        {
            return false;
        }
        line.take(number_length(rest), Token::Number);
        self.became(Last::Value);
        true
    }

    /// What begins with a sign and is a word or a value all the same.
    fn special(&mut self, line: &mut Line<'_>, c: char) -> bool {
        let token = match c {
            '@' if self.dialect.has(Quirk::AtAttributes) => Token::Attribute,
            '@' if self.dialect.has(Quirk::AtFunctions) => Token::Function,
            '@' if self.dialect.has(Quirk::AtVariables) => Token::Variable,
            '\\' if self.dialect.has(Quirk::BackslashWords) => Token::Function,
            '$' if self.dialect.has(Quirk::DollarVariables) => return self.variable(line),
            '#' if self.dialect.has(Quirk::HashAttributes) => return attribute(line),
            '\'' if self.dialect.has(Quirk::Characters) => return self.character(line),
            ':' if self.dialect.has(Quirk::ColonSymbols) => Token::Constant,
            '/' if self.dialect.has(Quirk::RegularExpressions) => return self.expression(line),
            '<' if self.dialect.has(Quirk::Jsx) => return self.begin_element(line),
            '<' if self.dialect.has(Quirk::Heredocs) => return self.begin_heredoc(line),
            _ => return false,
        };
        let signs = if line.starts("@@") { 2 } else { 1 };
        let name = line.rest().get(signs..).unwrap_or("");
        let dialect = self.dialect;
        let dotted = token == Token::Attribute;
        if !name.starts_with(|c| dialect.starts_word(c))
            || (c == ':' && line.previous().is_some_and(|c| c == ':' || dialect.is_word(c)))
        {
            return false;
        }
        let len = head(name, |c| dialect.is_word(c) || (dotted && c == '.')).len();
        line.take(signs + len, token);
        self.became(if dotted { Last::Open } else { Last::Value });
        true
    }

    fn variable(&mut self, line: &mut Line<'_>) -> bool {
        let rest = line.rest();
        let Some(len) = variable_length(rest) else { return false };
        line.take(len, Token::Variable);
        self.became(Last::Value);
        true
    }

    fn sign(&mut self, line: &mut Line<'_>, c: char) {
        let open = matches!(c, '(' | '[' | '{');
        let close = matches!(c, ')' | ']' | '}');
        if let Some(Frame::Hole { open, close, depth }) = self.frames.last_mut() {
            if c == *open {
                *depth = depth.saturating_add(1);
            } else if c == *close {
                match depth.checked_sub(1) {
                    Some(less) => *depth = less,
                    None => {
                        self.frames.pop();
                        line.take_char(Token::Punctuation);
                        return;
                    }
                }
            }
        }
        // After a block a statement begins; a value in braces is rarely divided.
        self.last = if close && c != '}' { Last::Value } else { Last::Open };
        let token = match c {
            _ if open || close => Token::Punctuation,
            ',' | ';' | '.' => Token::Punctuation,
            '+' | '-' | '*' | '/' | '%' | '=' | '<' | '>' | '!' | '&' | '|' | '^' | '~' | '?'
            | ':' | '@' => Token::Operator,
            _ => Token::Plain,
        };
        line.take_char(token);
    }

    /// Notes what was just read; no name of a definition is expected any more.
    fn became(&mut self, last: Last) {
        self.last = last;
        self.expects = None;
    }
}

/// How many bytes a number has that begins `text`.
fn number_length(text: &str) -> usize {
    let mut end = 0;
    let mut before = ' ';
    let radix = text.starts_with("0x") || text.starts_with("0X");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let part = match c {
            '.' => next.is_ascii_digit() && before != '.',
            '\'' => next.is_ascii_hexdigit() && before.is_ascii_alphanumeric(),
            '+' | '-' => {
                end == 0 || (matches!(before, 'e' | 'E') && !radix && next.is_ascii_digit())
            }
            _ => c.is_ascii_alphanumeric() || c == '_',
        };
        if !part {
            break;
        }
        before = c;
        end += c.len_utf8();
    }
    end
}

/// How many bytes `$name`, `${name}` or `$1` has, if `text` begins with one.
pub(crate) fn variable_length(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    if let Some(braced) = name.strip_prefix('{') {
        return braced.find('}').map(|end| end + 3);
    }
    let len = head(name, |c| c.is_alphanumeric() || c == '_').len();
    match name.chars().next()? {
        '?' | '!' | '$' | '#' | '@' | '*' | '-' => Some(2),
        _ if len > 0 => Some(len + 1),
        _ => None,
    }
}

/// `#[...]` and `#![...]`, up to the bracket that closes it or to the end of the line.
fn attribute(line: &mut Line<'_>) -> bool {
    if !line.starts("#[") && !line.starts("#![") {
        return false;
    }
    let mut depth = 0_usize;
    let mut len = line.rest().len();
    for (at, c) in line.rest().char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth <= 1 => {
                len = at + 1;
                break;
            }
            ']' => depth -= 1,
            _ => {}
        }
    }
    line.take(len, Token::Attribute);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_deeper_than_the_bound() {
        let openers: [(&'static Dialect, &str); 6] = [
            (&dialects::TYPESCRIPT, "`${"),
            (&dialects::JAVASCRIPT, "<a>"),
            (&dialects::JAVASCRIPT, "<a b={"),
            (&dialects::PYTHON, "f\"{"),
            (&dialects::SWIFT, "\"\"\"\\("),
            (&dialects::RUBY, "\"#{"),
        ];
        for (dialect, opener) in openers {
            let mut code = Code::new(dialect);
            let text = opener.repeat(MAX_DEPTH * 2);
            for _ in 0..3 {
                code.line(&mut Line::new(&text));
                assert!(code.frames.len() <= MAX_DEPTH, "{opener}");
            }
        }
    }

    #[test]
    fn a_number_ends_where_it_cannot_go_on() {
        for (text, len) in [
            ("12 ", 2),
            ("1..2", 1),
            ("1.5e-3+4", 6),
            ("0x1e-3", 4),
            ("1_000u32;", 8),
            ("1'000'000", 9),
            ("1.max(2)", 1),
            ("-5 ", 2),
        ] {
            assert_eq!(number_length(text), len, "{text}");
        }
    }
}
