//! From text to tokens.
//!
//! Splits bytes, judges nothing: whether a word is a number or a name, and whether a text's escapes
//! mean something, is for the parser. White space is what lies between tokens, so that the tokens
//! and their gaps are the whole text. Called by the parser and by the formatter.

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The first byte.
    pub(crate) start: u32,
    /// The byte after the last one.
    pub(crate) end: u32,
    /// The line of the first byte, from 1.
    pub(crate) line: u32,
}

/// The kinds of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open(Bracket),
    Close(Bracket),
    Prefix(Prefix),
    /// `"…"`
    Text(Text),
    /// A name, a number or a `:text`, with what its bytes have in common.
    Word(Traits),
    /// `; …` without the line's end, or a first line `#!…`.
    Comment,
    /// Control characters that belong to nothing.
    Unreadable,
}

/// The three pairs of delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Round,
    Square,
    Curly,
}

impl Bracket {
    pub(crate) fn opener(self) -> char {
        match self {
            Bracket::Round => '(',
            Bracket::Square => '[',
            Bracket::Curly => '{',
        }
    }

    pub(crate) fn closer(self) -> char {
        match self {
            Bracket::Round => ')',
            Bracket::Square => ']',
            Bracket::Curly => '}',
        }
    }
}

/// What stands before a form in place of a list around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefix {
    /// `#`
    Hashfn,
    /// `` ` `` and `'`
    Quote,
    /// `,`
    Unquote,
}

impl Prefix {
    /// The head of the list that it is short for.
    pub(crate) fn head(self) -> &'static str {
        match self {
            Prefix::Hashfn => "hashfn",
            Prefix::Quote => "quote",
            Prefix::Unquote => "unquote",
        }
    }
}

/// How a text in quotation marks looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// Its bytes are its value.
    Plain,
    /// It has escapes.
    Escaped,
    /// The file ends within it.
    Unterminated,
}

/// What is among the bytes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traits(u8);

impl Traits {
    /// Has a dot or a colon.
    pub(crate) fn has_separator(self) -> bool {
        self.0 & SEPARATOR != 0
    }

    /// Has `~` or `@`, which names may not have.
    pub(crate) fn has_reserved(self) -> bool {
        self.0 & RESERVED != 0
    }

    /// Has characters beyond ASCII.
    pub(crate) fn has_wide(self) -> bool {
        self.0 & WIDE != 0
    }
}

const STOP: u8 = 1;
const SEPARATOR: u8 = 2;
const RESERVED: u8 = 4;
const WIDE: u8 = 8;
const SPACE: u8 = 16;
const CONTROL: u8 = 32;

/// What each byte is.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r' => STOP | SPACE,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b';' | b'`' | b',' => STOP,
            0..0x20 | 0x7f => STOP | CONTROL,
            b'.' | b':' => SEPARATOR,
            b'~' | b'@' => RESERVED,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

/// Whether it separates forms.
pub(crate) fn is_space(byte: u8) -> bool {
    class(byte) & SPACE != 0
}

/// Whether a colon before these characters makes them a text.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| class(byte) & (STOP | RESERVED) == 0)
        && text.chars().all(|c| c.is_ascii() || !is_invisible(c))
}

/// Whether a character beyond ASCII looks like nothing or like a space, or turns the text around it.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Walks through a text of less than 4 GiB.
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Lexer { bytes: text.as_bytes(), at: 0, line: 1 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if class(byte) & SPACE == 0 {
                break;
            }
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        if self.bytes[self.at - 1] == b'\r' && self.at < self.bytes.len() {
            self.at -= 1;
        }
    }

    /// From behind the opening quotation mark to behind the closing one.
    fn skip_text(&mut self) -> Text {
        let mut kind = Text::Plain;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => return kind,
                b'\n' => self.line += 1,
                b'\\' => {
                    kind = Text::Escaped;
                    if let Some(escaped) = self.peek() {
                        self.line += u32::from(escaped == b'\n');
                        self.at += 1;
                    }
                }
                _ => {}
            }
        }
        Text::Unterminated
    }

    fn skip_word(&mut self) -> Traits {
        let mut traits = 0;
        while let Some(byte) = self.peek() {
            let class = class(byte);
            if class & STOP != 0 {
                break;
            }
            traits |= class;
            self.at += 1;
        }
        Traits(traits)
    }

    /// Whether `#` at this place is a name: nothing that it could prefix follows.
    fn hash_stands_alone(&self) -> bool {
        self.bytes
            .get(self.at + 1)
            .is_none_or(|&next| is_space(next) || matches!(next, b')' | b']' | b'}'))
    }

    fn scan(&mut self, first: u8) -> TokenKind {
        let single = match first {
            b'(' => TokenKind::Open(Bracket::Round),
            b'[' => TokenKind::Open(Bracket::Square),
            b'{' => TokenKind::Open(Bracket::Curly),
            b')' => TokenKind::Close(Bracket::Round),
            b']' => TokenKind::Close(Bracket::Square),
            b'}' => TokenKind::Close(Bracket::Curly),
            b'`' | b'\'' => TokenKind::Prefix(Prefix::Quote),
            b',' => TokenKind::Prefix(Prefix::Unquote),
            b'#' if !self.hash_stands_alone() => TokenKind::Prefix(Prefix::Hashfn),
            b';' => {
                self.at += 1;
                self.skip_line();
                return TokenKind::Comment;
            }
            b'"' => {
                self.at += 1;
                return TokenKind::Text(self.skip_text());
            }
            _ if class(first) & CONTROL != 0 => {
                while self.peek().is_some_and(|byte| class(byte) & CONTROL != 0) {
                    self.at += 1;
                }
                return TokenKind::Unreadable;
            }
            _ => return TokenKind::Word(self.skip_word()),
        };
        self.at += 1;
        single
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if self.at == 0 {
            if self.bytes.starts_with(BYTE_ORDER_MARK) {
                self.at = BYTE_ORDER_MARK.len();
            }
            if self.bytes[self.at..].starts_with(b"#!") {
                let start = self.at as u32;
                self.at += 2;
                self.skip_line();
                return Some(Token {
                    kind: TokenKind::Comment,
                    start,
                    end: self.at as u32,
                    line: self.line,
                });
            }
        }
        self.skip_space();
        let first = self.peek()?;
        let (start, line) = (self.at as u32, self.line);
        let kind = self.scan(first);
        Some(Token { kind, start, end: self.at as u32, line })
    }
}
