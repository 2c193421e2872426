//! From text to steps.

use super::QueryError;

/// The longest query, in characters.
const LONGEST: usize = 4096;

/// One step of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Where it stands, in characters from 1.
    pub position: usize,
    /// What it does.
    pub kind: StepKind,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// `.name`
    Field(String),
    /// `{a,b}`
    Pick(Vec<String>),
    /// `[n]`
    Index(i64),
    /// `[a:b]`
    Slice(Option<i64>, Option<i64>),
    /// `[path=value]`, `[path~value]`
    Filter(Filter),
    /// `.#`
    Count,
}

/// Which entries of a list stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The way to the value; empty for the entry itself.
    pub path: Vec<String>,
    /// How it is compared.
    pub test: Test,
    /// With what.
    pub value: String,
}

/// How a filter compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    /// The same text.
    Equals,
    /// The text is in it, in any case.
    Contains,
}

/// Reads a query. A blank one has no steps.
pub(crate) fn parse(text: &str) -> Result<Vec<Step>, QueryError> {
    let characters: Vec<char> = text.trim_end().chars().collect();
    let mut reader = Reader { characters, at: 0 };
    if reader.characters.len() > LONGEST {
        reader.at = LONGEST;
        return Err(reader.error(&format!("a query has at most {LONGEST} characters")));
    }
    reader.skip_blanks();
    let mut steps = Vec::new();
    // The first field needs no dot.
    if reader.peek().is_some_and(|c| !matches!(c, '.' | '[' | '{')) {
        let position = reader.position();
        steps.push(Step { position, kind: StepKind::Field(reader.name()?) });
    }
    while reader.peek().is_some() {
        let position = reader.position();
        steps.push(Step { position, kind: reader.step()? });
    }
    Ok(steps)
}

struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn position(&self) -> usize {
        self.at + 1
    }

    fn error(&self, message: &str) -> QueryError {
        QueryError { position: self.position(), message: message.to_owned() }
    }

    /// Takes this character if it comes next.
    fn takes(&mut self, wanted: char) -> bool {
        let fits = self.peek() == Some(wanted);
        self.at += usize::from(fits);
        fits
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn step(&mut self) -> Result<StepKind, QueryError> {
        if self.takes('[') {
            return self.bracket();
        }
        if self.takes('{') {
            return self.pick();
        }
        if !self.takes('.') {
            return Err(self.error("expected `.name`, `.#`, `[…]`, `{…}` or the end"));
        }
        if self.takes('#') {
            return match self.peek() {
                None => Ok(StepKind::Count),
                Some(_) => Err(self.error("nothing can follow `.#`")),
            };
        }
        if self.takes('{') {
            return self.pick();
        }
        self.name().map(StepKind::Field)
    }

    fn name(&mut self) -> Result<String, QueryError> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let start = self.at;
        while self.peek().is_some_and(is_of_name) {
            self.at += 1;
        }
        if self.at == start {
            return Err(
                self.error("expected a field's name, in quotes if it has . [ ] { } , : = ~ #")
            );
        }
        Ok(self.characters[start..self.at].iter().collect())
    }

    fn quoted(&mut self) -> Result<String, QueryError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(character) = self.peek() {
            self.at += 1;
            match character {
                '"' => return Ok(text),
                '\\' => match self.peek() {
                    Some(escaped @ ('"' | '\\')) => {
                        self.at += 1;
                        text.push(escaped);
                    }
                    _ => return Err(self.error("after `\\` expected `\"` or `\\`")),
                },
                other => text.push(other),
            }
        }
        self.at = start;
        Err(self.error("this quote has no end"))
    }

    fn pick(&mut self) -> Result<StepKind, QueryError> {
        let mut names = Vec::new();
        loop {
            self.skip_blanks();
            names.push(self.name()?);
            self.skip_blanks();
            if self.takes('}') {
                return Ok(StepKind::Pick(names));
            }
            if !self.takes(',') {
                return Err(self.error("expected `,` and a name, or `}`"));
            }
        }
    }

    fn bracket(&mut self) -> Result<StepKind, QueryError> {
        self.skip_blanks();
        let kind = match self.peek() {
            Some('-' | ':' | '0'..='9') => self.positions()?,
            Some(_) => StepKind::Filter(self.filter()?),
            None => {
                return Err(
                    self.error("expected `n`, `a:b`, `name=value` or `name~text`, then `]`")
                );
            }
        };
        self.skip_blanks();
        if self.takes(']') { Ok(kind) } else { Err(self.error("expected `]`")) }
    }

    fn positions(&mut self) -> Result<StepKind, QueryError> {
        let from = self.integer()?;
        self.skip_blanks();
        if self.takes(':') {
            self.skip_blanks();
            return Ok(StepKind::Slice(from, self.integer()?));
        }
        from.map(StepKind::Index).ok_or_else(|| self.error("expected a whole number"))
    }

    /// A whole number; none where no digit and no sign comes.
    fn integer(&mut self) -> Result<Option<i64>, QueryError> {
        let start = self.at;
        self.takes('-');
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Ok(None);
        }
        let digits: String = self.characters[start..self.at].iter().collect();
        match digits.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => {
                self.at = start;
                Err(self.error("expected a whole number of up to 18 digits"))
            }
        }
    }

    fn filter(&mut self) -> Result<Filter, QueryError> {
        let mut path = Vec::new();
        if !matches!(self.peek(), Some('=' | '~')) {
            path.push(self.name()?);
            while self.takes('.') {
                path.push(self.name()?);
            }
            self.skip_blanks();
        }
        let test = if self.takes('=') {
            Test::Equals
        } else if self.takes('~') {
            Test::Contains
        } else {
            return Err(self.error("expected `=value` or `~text`"));
        };
        self.skip_blanks();
        if self.peek() == Some('"') {
            return Ok(Filter { path, test, value: self.quoted()? });
        }
        let start = self.at;
        while self.peek().is_some_and(|c| c != ']') {
            self.at += 1;
        }
        let value: String = self.characters[start..self.at].iter().collect();
        Ok(Filter { path, test, value: value.trim_end().to_owned() })
    }
}

fn is_of_name(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(c, '.' | '[' | ']' | '{' | '}' | ',' | ':' | '=' | '~' | '#' | '"')
}
