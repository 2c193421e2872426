//! From tokens to forms, with an explicit stack: nesting costs no stack of the machine.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::diagnostic::{Fault, MOST_FAULTS};
use crate::form::{Form, Kind, Symbol};
use crate::source::{FileId, Span};

use super::Reading;
use super::lexer::{Bracket, Lexer, Prefix, Text, Token, TokenKind, is_space};
use super::text::unescape;
use super::word::{Word, classify};

/// How deep forms may nest; prefixes count.
const DEEPEST_BRACKETS: usize = 500;

/// Reads a text of less than 4 GiB.
pub(super) fn parse(text: &str, file: FileId) -> Reading {
    let mut parser = Parser {
        text,
        file,
        names: FxHashMap::default(),
        forms: Vec::new(),
        frames: Vec::new(),
        unescaped: Vec::new(),
        faults: Vec::new(),
        is_wrong: false,
        ends_early: false,
        unindented: None,
        has_comma: false,
        long_text: None,
    };
    for token in Lexer::new(text) {
        if !parser.take(token) {
            break;
        }
    }
    parser.finish()
}

/// A form that is not complete yet.
struct Frame {
    kind: FrameKind,
    token: Token,
    /// Where its parts begin among the forms.
    base: usize,
}

#[derive(Clone, Copy)]
enum FrameKind {
    Bracket(Bracket),
    Prefix(Prefix),
}

/// Whether a table whose last key has no value is reported: not if its end is a guess.
#[derive(PartialEq, Eq)]
enum Parity {
    Checked,
    Free,
}

struct Parser<'a> {
    text: &'a str,
    file: FileId,
    names: FxHashMap<&'a str, Rc<str>>,
    /// The complete forms at the top, and the parts of the frames so far.
    forms: Vec<Form>,
    frames: Vec<Frame>,
    unescaped: Vec<u8>,
    faults: Vec<Fault>,
    /// Whether something is wrong that no further text can mend.
    is_wrong: bool,
    /// Whether something is missing at the end.
    ends_early: bool,
    /// The line of the first opener at the left margin although an outer form is open: likely the
    /// place before which that form should have been closed.
    unindented: Option<u32>,
    /// Whether a comma stood where none can.
    has_comma: bool,
    /// The line of the first text that goes over the end of a line.
    long_text: Option<u32>,
}

impl<'a> Parser<'a> {
    fn span(&self, token: Token) -> Span {
        Span { file: self.file, line: token.line, start: token.start, end: token.end }
    }

    /// The place of a byte at a token's edge.
    fn place(&self, token: Token, byte: u32) -> Span {
        Span { start: byte, end: byte, ..self.span(token) }
    }

    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn record(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }

    fn wrong(&mut self, fault: Fault) {
        self.is_wrong = true;
        self.record(fault);
    }

    /// Takes one token; false if reading ends here.
    fn take(&mut self, token: Token) -> bool {
        match token.kind {
            TokenKind::Open(bracket) => {
                self.watch_margin(token);
                self.want_space(bracket, token);
                return self.open(FrameKind::Bracket(bracket), token);
            }
            TokenKind::Prefix(prefix) => {
                if self.text.as_bytes().get(token.end as usize).is_some_and(|&b| is_space(b)) {
                    let fault = Fault::new(self.span(token), "white space follows a prefix");
                    let help = match prefix {
                        Prefix::Unquote => "parts have white space between them and no comma; a \
                             comma stands right before what it unquotes"
                            .to_owned(),
                        _ => format!("write {} right before a form", self.slice(token)),
                    };
                    // Whoever writes one comma so writes many.
                    if prefix != Prefix::Unquote || !std::mem::replace(&mut self.has_comma, true) {
                        self.wrong(fault.help(help));
                    }
                }
                return self.open(FrameKind::Prefix(prefix), token);
            }
            TokenKind::Close(bracket) => self.close(bracket, token),
            TokenKind::Text(text) => self.take_text(text, token),
            TokenKind::Word(traits) => {
                let word = self.slice(token);
                let span = self.span(token);
                let (word, malformed) = classify(word, traits);
                if let Some(malformed) = malformed {
                    let fault = Fault::new(span, malformed.message).help(malformed.help);
                    if malformed.cut_short && token.end as usize == self.text.len() {
                        self.ends_early = true;
                        self.record(fault);
                    } else {
                        self.wrong(fault);
                    }
                }
                let kind = match word {
                    Word::Constant(kind) => kind,
                    Word::Text(text) => Kind::Str(text.as_bytes().into()),
                    Word::Name(name) => self.symbol(name),
                };
                self.push(Form::new(kind, span));
            }
            TokenKind::Comment => {}
            TokenKind::Unreadable => {
                let byte = self.text.as_bytes()[token.start as usize];
                let fault = Fault::new(
                    self.span(token),
                    format!("the control character U+{byte:04X} stands between forms"),
                );
                self.wrong(fault.help(format!("delete it; in a string, write \\x{byte:02x}")));
            }
        }
        true
    }

    fn symbol(&mut self, name: &'a str) -> Kind {
        let name = self.names.entry(name).or_insert_with(|| name.into()).clone();
        Kind::Symbol(Symbol { name, quoted: None })
    }

    fn take_text(&mut self, text: Text, token: Token) {
        let slice = self.slice(token).as_bytes();
        let span = self.span(token);
        if self.long_text.is_none() && text != Text::Unterminated && slice.contains(&b'\n') {
            self.long_text = Some(token.line);
        }
        let value = match text {
            Text::Plain => &slice[1..slice.len() - 1],
            Text::Unterminated => {
                self.ends_early = true;
                let fault = Fault::new(span, "this string is never closed");
                self.record(fault.help(match self.long_text {
                    Some(line) => format!(
                        "write \" at its end; or at that of the string on line {line}, which goes over \
                         the end of the line"
                    ),
                    None => "write \" at its end, or \\\" for a quotation mark within".to_owned(),
                }));
                &[]
            }
            Text::Escaped => {
                let mut value = std::mem::take(&mut self.unescaped);
                value.clear();
                let (mut line, mut counted) = (token.line, 0);
                unescape(&slice[1..slice.len() - 1], &mut value, |escape| {
                    self.is_wrong = true;
                    if self.faults.len() >= MOST_FAULTS {
                        return;
                    }
                    let inside = token.start as usize + 1;
                    let between = &slice[1 + counted..=escape.start];
                    line += between.iter().filter(|&&byte| byte == b'\n').count() as u32;
                    counted = escape.start;
                    let span = Span {
                        line,
                        start: (inside + escape.start) as u32,
                        end: (inside + escape.end) as u32,
                        ..span
                    };
                    self.faults.push(Fault::new(span, escape.message).help(escape.help));
                });
                self.unescaped = value;
                &self.unescaped
            }
        };
        let kind = Kind::Str(value.into());
        self.push(Form::new(kind, span));
    }

    /// Within a form, an opener stands apart from what is before it.
    fn want_space(&mut self, bracket: Bracket, token: Token) {
        let Some(Frame { kind: FrameKind::Bracket(_), token: outer, .. }) = self.frames.last()
        else {
            return;
        };
        let before = token.start as usize - 1;
        if outer.end != token.start && !is_space(self.text.as_bytes()[before]) {
            let opener = bracket.opener();
            let fault =
                Fault::new(self.span(token), format!("white space is missing before {opener}"));
            self.wrong(fault.help(format!("write a space before {opener}")));
        }
    }

    fn watch_margin(&mut self, token: Token) {
        let start = token.start as usize;
        if !self.frames.is_empty()
            && self.unindented.is_none()
            && (start == 0 || self.text.as_bytes()[start - 1] == b'\n')
        {
            self.unindented = Some(token.line);
        }
    }

    fn open(&mut self, kind: FrameKind, token: Token) -> bool {
        if self.frames.len() == DEEPEST_BRACKETS {
            let fault = Fault::new(
                self.span(token),
                format!("forms are nested more than {DEEPEST_BRACKETS} deep"),
            );
            self.wrong(fault.help("give parts of it a name of their own"));
            self.forms.truncate(self.frames[0].base);
            self.frames.clear();
            return false;
        }
        if self.frames.is_empty() {
            self.unindented = None;
        }
        self.frames.push(Frame { kind, token, base: self.forms.len() });
        true
    }

    /// Adds a complete form, and closes the prefixes that waited for it.
    fn push(&mut self, mut form: Form) {
        while let Some(&Frame { kind: FrameKind::Prefix(prefix), token, .. }) = self.frames.last() {
            self.frames.pop();
            let mark = self.span(token);
            let head = Form::new(self.symbol(prefix.head()), mark);
            let span = mark.to(form.span);
            form = Form::list([head, form], span);
        }
        self.forms.push(form);
    }

    /// What to do about a prefix with nothing behind it.
    fn behind(&self, token: Token) -> String {
        match self.slice(token) {
            "'" => "strings are written in double quotes: \"text\"".to_owned(),
            prefix => format!("write one right behind {prefix}"),
        }
    }

    /// Drops the prefixes that a closer follows.
    fn drop_prefixes(&mut self) {
        while let Some(&Frame { kind: FrameKind::Prefix(_), token, .. }) = self.frames.last() {
            self.frames.pop();
            let fault = Fault::new(self.span(token), "no form follows this prefix");
            self.wrong(fault.help(self.behind(token)));
        }
    }

    fn close(&mut self, bracket: Bracket, token: Token) {
        self.drop_prefixes();
        let closer = bracket.closer();
        let Some(&Frame { kind: FrameKind::Bracket(open), token: opener, .. }) = self.frames.last()
        else {
            let fault = Fault::new(self.span(token), format!("{closer} closes nothing"));
            self.wrong(fault.help("delete it, or look for one too many before it"));
            return;
        };
        if open == bracket {
            self.complete(self.place(token, token.end), Parity::Checked);
            return;
        }
        let fault =
            Fault::new(self.span(token), format!("{closer} does not close {}", open.opener()));
        let help = format!(
            "the {} of line {} is still open: write {}",
            open.opener(),
            opener.line,
            open.closer()
        );
        self.wrong(fault.help(help));
        // If it closes an outer form, what is within ends before it. Otherwise it was meant for the
        // innermost one.
        let is_opener =
            |frame: &Frame| matches!(frame.kind, FrameKind::Bracket(kind) if kind == bracket);
        if self.frames.iter().any(is_opener) {
            while self.frames.last().is_some_and(|frame| !is_opener(frame)) {
                self.complete(self.place(token, token.start), Parity::Free);
            }
        }
        self.complete(self.place(token, token.end), Parity::Free);
    }

    /// Makes a form of the innermost frame, which ends at this place.
    fn complete(&mut self, end: Span, parity: Parity) {
        let Some(Frame { kind, token, base }) = self.frames.pop() else { return };
        let FrameKind::Bracket(bracket) = kind else { return };
        let span = self.span(token).to(end);
        let kind = match bracket {
            Bracket::Round => Kind::List(self.forms.drain(base..).collect()),
            Bracket::Square => Kind::Sequence(self.forms.drain(base..).collect()),
            Bracket::Curly => {
                if (self.forms.len() - base) % 2 == 1 {
                    if parity == Parity::Checked {
                        self.report_odd(span);
                    }
                    self.forms.push(Form::new(Kind::Nil, end));
                }
                Kind::Table(self.entries(base))
            }
        };
        self.push(Form::new(kind, span));
    }

    fn report_odd(&mut self, span: Span) {
        let fault = Fault::new(span, "a table wants a value for each key: a form is missing");
        let last = self.forms.last().map_or(span.line, |form| form.span.line);
        let help = format!("count from its start to line {last}, or write [ ] for a sequence");
        self.wrong(fault.help(help));
    }

    fn entries(&mut self, base: usize) -> Rc<[(Form, Form)]> {
        let mut parts = self.forms.drain(base..);
        let count = parts.len() / 2;
        (0..count)
            .filter_map(|_| {
                let (key, value) = (parts.next()?, parts.next()?);
                let Some(":") = key.as_symbol() else { return Some((key, value)) };
                let text = match &value.kind {
                    Kind::Symbol(symbol) => &*symbol.name,
                    Kind::Nil => "nil",
                    _ => return Some((key, value)),
                };
                let key = Form::string(text, key.span);
                Some((key, value))
            })
            .collect()
    }

    fn finish(mut self) -> Reading {
        if !self.frames.is_empty() {
            if !self.ends_early {
                self.report_open();
            }
            self.ends_early = true;
        }
        let start = self.text.len() as u32;
        let line = 1 + self.text.bytes().filter(|&byte| byte == b'\n').count() as u32;
        let end = Span { file: self.file, line, start, end: start };
        while let Some(frame) = self.frames.last() {
            match frame.kind {
                FrameKind::Prefix(_) => drop(self.frames.pop()),
                FrameKind::Bracket(_) => self.complete(end, Parity::Free),
            }
        }
        Reading {
            forms: self.forms,
            faults: self.faults,
            incomplete: self.ends_early && !self.is_wrong,
        }
    }

    /// Reports that the file ends within forms: at the one that was likely left open.
    fn report_open(&mut self) {
        let frame = match self.unindented {
            Some(_) => self.frames.iter().find(|frame| matches!(frame.kind, FrameKind::Bracket(_))),
            None => self.frames.last(),
        };
        let Some(&Frame { kind, token, .. }) = frame else { return };
        let span = self.span(token);
        let fault = match kind {
            FrameKind::Prefix(_) => {
                Fault::new(span, "no form follows this prefix").help(self.behind(token))
            }
            FrameKind::Bracket(bracket) => {
                let message = format!("this {} is never closed", bracket.opener());
                let closer = bracket.closer();
                let others = self.frames.len() - 1;
                Fault::new(span, message).help(match (self.unindented, self.frames.first()) {
                    (Some(line), _) => {
                        format!(
                            "line {line} begins a form at the left margin: write {closer} before it"
                        )
                    }
                    (None, Some(outer)) if others > 0 => format!(
                        "write {closer} for it, and close what is around it, from line {}",
                        outer.token.line
                    ),
                    _ => format!("write {closer} at its end"),
                })
            }
        };
        self.record(fault);
    }
}
