//! Text inside code: strings with their escapes and holes, characters, regular expressions, long
//! brackets and documents that end with a word.

use super::dialect::{Escape, Holes, Prefixes, Quirk, Quote};
use super::{Code, Frame, Last, variable_length};
use crate::Token;
use crate::line::{Line, head};

/// The word at the end of a document; a longer one is not taken for one.
const MAX_WORD: usize = 64;

impl Code {
    pub(super) fn begin_text(&mut self, line: &mut Line<'_>) -> bool {
        for quote in self.dialect.strings {
            let Some((len, hashes)) = opening(quote, line.rest()) else { continue };
            let key = self.dialect.has(Quirk::KeysBeforeColon) && is_key(line.rest(), quote);
            let token = if key { Token::Property } else { quote.token };
            if !self.push(Frame::Text { quote, hashes, token }) {
                return false;
            }
            line.take(len, token);
            self.expects = None;
            return true;
        }
        false
    }

    /// The inside of what the innermost frame says.
    pub(super) fn text(&mut self, line: &mut Line<'_>) {
        match self.frames.last() {
            Some(&Frame::Text { quote, hashes, token }) => self.quoted(line, quote, hashes, token),
            Some(&Frame::Long { level, token }) => self.long(line, level, token),
            Some(Frame::Heredoc { word }) => {
                let ends = line.position() == 0
                    && line.text().trim_start().strip_prefix(word.as_str()).is_some_and(|after| {
                        !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    });
                if ends {
                    let len = line.text().len() - line.text().trim_start().len() + word.len();
                    self.frames.pop();
                    self.last = Last::Value;
                    line.take(len, Token::String);
                } else {
                    line.take_rest(Token::String);
                }
            }
            _ => {}
        }
    }

    fn quoted(&mut self, line: &mut Line<'_>, quote: &'static Quote, hashes: usize, token: Token) {
        while !line.done() {
            let rest = line.rest();
            if let Some(after) = rest.strip_prefix(quote.close) {
                let marks = head(after, |c| c == '#').len();
                if quote.escape == Escape::Doubled && after.starts_with(quote.close) {
                    line.take(quote.close.len() * 2, Token::Escape);
                    continue;
                }
                if marks >= hashes {
                    self.frames.pop();
                    self.last = Last::Value;
                    return line.take(quote.close.len() + hashes, token);
                }
            }
            if self.hole(line, quote.holes) {
                return;
            }
            if let Some(len) = variable_in(rest, quote.holes) {
                line.take(len, Token::Variable);
            } else if quote.holes == Holes::Brace
                && (rest.starts_with("{{") || rest.starts_with("}}"))
            {
                line.take(2, Token::Escape);
            } else if quote.escape == Escape::Backslash && rest.starts_with('\\') {
                line.take(escape_length(rest), Token::Escape);
            } else {
                line.take_char(token);
            }
        }
    }

    fn hole(&mut self, line: &mut Line<'_>, holes: Holes) -> bool {
        let (opening, open, close) = match holes {
            Holes::None => return false,
            Holes::DollarBrace | Holes::Dollar => ("${", '{', '}'),
            Holes::HashBrace => ("#{", '{', '}'),
            Holes::Brace if line.starts("{{") => return false,
            Holes::Brace => ("{", '{', '}'),
            Holes::BackslashParenthesis => ("\\(", '(', ')'),
            Holes::DollarParenthesis => ("$(", '(', ')'),
        };
        if !line.starts(opening) || !self.push(Frame::Hole { open, close, depth: 0 }) {
            return false;
        }
        line.take(opening.len(), Token::Punctuation);
        self.last = Last::Open;
        true
    }

    pub(super) fn begin_long(&mut self, line: &mut Line<'_>) -> bool {
        if !self.dialect.has(Quirk::LongBrackets) {
            return false;
        }
        let (dashes, token) =
            if line.starts("--") { (2, Token::Comment) } else { (0, Token::String) };
        let bracket = line.rest().get(dashes..).unwrap_or("");
        let Some(levels) = bracket.strip_prefix('[') else { return line_comment(line, dashes) };
        let level = head(levels, |c| c == '=').len();
        if !levels.get(level..).is_some_and(|next| next.starts_with('['))
            || !self.push(Frame::Long { level, token })
        {
            return line_comment(line, dashes);
        }
        line.take(dashes + level + 2, token);
        true
    }

    fn long(&mut self, line: &mut Line<'_>, level: usize, token: Token) {
        while !line.done() {
            if let Some(levels) = line.rest().strip_prefix(']') {
                let marks = head(levels, |c| c == '=').len();
                if marks == level && levels.get(marks..).is_some_and(|next| next.starts_with(']')) {
                    line.take(level + 2, token);
                    self.frames.pop();
                    self.last = Last::Value;
                    return;
                }
            }
            line.take_char(token);
        }
    }

    /// `'x'`, or a lifetime, or a sign that only looks like them.
    pub(super) fn character(&mut self, line: &mut Line<'_>) -> bool {
        let inside = line.rest().get(1..).unwrap_or("");
        let len = if inside.starts_with('\\') {
            escape_length(inside)
        } else {
            inside.chars().next().map_or(0, char::len_utf8)
        };
        if len > 0 && inside.get(len..).is_some_and(|end| end.starts_with('\'')) {
            line.take_char(Token::String);
            line.take(len, if inside.starts_with('\\') { Token::Escape } else { Token::String });
            line.take_char(Token::String);
            self.became(Last::Value);
            return true;
        }
        let name = head(inside, |c| c.is_alphanumeric() || c == '_').len();
        if name == 0 || !self.dialect.has(Quirk::Lifetimes) {
            return false;
        }
        line.take(1 + name, Token::Attribute);
        true
    }

    /// `/.../flags` where a value may begin; ends on its line or is none.
    pub(super) fn expression(&mut self, line: &mut Line<'_>) -> bool {
        if self.last == Last::Value || self.lone_slash {
            return false;
        }
        let Some(len) = expression_length(line.rest()) else {
            self.lone_slash = true;
            return false;
        };
        line.take(len, Token::String);
        line.take_while(Token::Keyword, |c| c.is_ascii_alphabetic());
        self.became(Last::Value);
        true
    }

    pub(super) fn begin_heredoc(&mut self, line: &mut Line<'_>) -> bool {
        let rest = line.rest();
        let signs = if rest.starts_with("<<<") { 3 } else { 2 };
        let marks = rest.get(signs..).unwrap_or("").trim_start_matches(['~', '-']);
        let name = marks.trim_start_matches(['"', '\'']);
        let word = head(name, |c| c.is_alphanumeric() || c == '_');
        let quoted = name.len() < marks.len();
        if !rest.starts_with("<<")
            || word.is_empty()
            || word.len() > MAX_WORD
            || !word.starts_with(|c: char| c.is_uppercase() || c == '_')
        {
            return false;
        }
        if !self.push(Frame::Heredoc { word: word.to_owned() }) {
            return false;
        }
        let len = rest.len() - name.len() + word.len() + usize::from(quoted);
        line.take(len, Token::String);
        // The document begins on the next line; the rest of this one is code.
        let document = self.frames.pop();
        while !line.done() {
            let before = line.position();
            if matches!(self.frames.last(), None | Some(Frame::Hole { .. })) {
                line.blanks();
                if let Some(c) = line.peek() {
                    if self.dialect.starts_word(c) {
                        self.word(line);
                    } else if !self.begin_text(line) && !self.begin_comment(line) {
                        self.sign(line, c);
                    }
                }
            } else {
                self.text(line);
            }
            if line.position() == before {
                line.take_char(Token::Plain);
            }
        }
        self.frames.extend(document);
        true
    }
}

/// How long the opening of a quote is at the start of `text`, and how many `#` are in it.
fn opening(quote: &Quote, text: &str) -> Option<(usize, usize)> {
    let (prefixes, with_hashes) = match quote.prefixes {
        Prefixes::None => return text.starts_with(quote.open).then_some((quote.open.len(), 0)),
        Prefixes::Needed(prefixes) => (prefixes, false),
        Prefixes::Hashes(prefixes) => (prefixes, true),
    };
    prefixes.split_ascii_whitespace().find_map(|prefix| {
        let start = text.get(..prefix.len())?;
        let after = text.get(prefix.len()..).filter(|_| start.eq_ignore_ascii_case(prefix))?;
        let hashes = if with_hashes { head(after, |c| c == '#').len() } else { 0 };
        let opens = after.get(hashes..)?.starts_with(quote.open);
        opens.then_some((prefix.len() + hashes + quote.open.len(), hashes))
    })
}

/// Whether the text that begins here ends on its line with a `:` after it.
fn is_key(text: &str, quote: &Quote) -> bool {
    let mut inside = text.get(quote.open.len()..).unwrap_or("");
    loop {
        let Some(at) = inside.find(['\\', '"', '\'']) else { return false };
        let found = inside.get(at..).unwrap_or("");
        if let Some(after) = found.strip_prefix(quote.close) {
            return after.trim_start().starts_with(':');
        }
        let skipped = if found.starts_with('\\') { escape_length(found) } else { 1 };
        inside = found.get(skipped..).unwrap_or("");
    }
}

/// `$name` inside text that has holes of that kind.
fn variable_in(text: &str, holes: Holes) -> Option<usize> {
    if !matches!(holes, Holes::Dollar | Holes::DollarParenthesis) {
        return None;
    }
    let name = text.strip_prefix('$')?;
    if name.starts_with('{') {
        return variable_length(text);
    }
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| variable_length(text))?
}

/// How many bytes an escape has that begins `text`: `\n`, `\x41`, `\u{1F600}`.
pub(super) fn escape_length(text: &str) -> usize {
    let mut chars = text.chars();
    chars.next();
    let Some(kind) = chars.next() else { return text.len().min(1) };
    let digits = chars.as_str();
    let more = match kind {
        'u' if digits.starts_with('{') => {
            head(digits, |c| c == '{' || c.is_ascii_hexdigit() || c == '_').len() + 1
        }
        'u' | 'U' | 'x' => {
            let most = if kind == 'x' { 2 } else { 4 };
            head(digits, |c| c.is_ascii_hexdigit()).len().min(most)
        }
        _ => 0,
    };
    (1 + kind.len_utf8() + more).min(text.len())
}

/// How many bytes `/.../` has, if it ends at all.
fn expression_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    let mut class = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return (at > 1).then_some(at + 1),
            _ => {}
        }
    }
    None
}

/// What begins with two dashes and no bracket goes to the end of its line.
fn line_comment(line: &mut Line<'_>, dashes: usize) -> bool {
    if dashes > 0 {
        line.take_rest(Token::Comment);
    }
    dashes > 0
}
