//! One line on its way through a lexer: what is left of it, and the runs that were made of it.
//!
//! Every lexer reads and colours through this type, so it is the one place that keeps the promises of
//! [`Run`]: no gaps, no overlap, borders only between characters. Whatever length a lexer asks for is
//! cut to what there is.

use crate::{Run, Token};

pub(crate) struct Line<'a> {
    text: &'a str,
    at: usize,
    runs: Vec<Run>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, runs: Vec::new() }
    }

    /// The whole line.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// How many bytes have a token.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// What has no token yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// What has a token already.
    pub(crate) fn before(&self) -> &'a str {
        self.text.get(..self.at).unwrap_or("")
    }

    pub(crate) fn starts(&self, with: &str) -> bool {
        self.rest().starts_with(with)
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next one.
    pub(crate) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// The last character that has a token.
    pub(crate) fn previous(&self) -> Option<char> {
        self.before().chars().next_back()
    }

    /// Gives the next bytes a token; a length inside a character is stretched to its end.
    pub(crate) fn take(&mut self, bytes: usize, token: Token) {
        let mut end = self.at.saturating_add(bytes).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let len = end - self.at;
        self.at = end;
        if len == 0 {
            return;
        }
        match self.runs.last_mut() {
            Some(run) if run.token == token => run.len += len,
            _ => self.runs.push(Run { len, token }),
        }
    }

    pub(crate) fn take_char(&mut self, token: Token) {
        self.take(1, token);
    }

    pub(crate) fn take_rest(&mut self, token: Token) {
        self.take(self.rest().len(), token);
    }

    /// Gives a token to the longest start whose characters all hold, which may be nothing.
    pub(crate) fn take_while(&mut self, token: Token, holds: impl Fn(char) -> bool) -> &'a str {
        let taken = head(self.rest(), holds);
        self.take(taken.len(), token);
        taken
    }

    pub(crate) fn blanks(&mut self) {
        self.take_while(Token::Plain, char::is_whitespace);
    }

    /// Lets a lexer colour the next bytes as if they were a line of their own.
    pub(crate) fn part(&mut self, bytes: usize, lex: impl FnOnce(&mut Line<'a>)) {
        let rest = self.rest();
        let mut end = bytes.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let mut part = Line::new(rest.get(..end).unwrap_or(""));
        lex(&mut part);
        for run in part.finish() {
            self.take(run.len, run.token);
        }
    }

    /// The runs; what nobody coloured is plain.
    pub(crate) fn finish(mut self) -> Vec<Run> {
        self.take_rest(Token::Plain);
        self.runs
    }
}

/// The longest start of `text` whose characters all hold.
pub(crate) fn head(text: &str, holds: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !holds(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_with_one_token_are_one_run() {
        let mut line = Line::new("abcd");
        line.take(1, Token::Number);
        line.take(2, Token::Number);
        assert_eq!(
            line.finish(),
            [Run { len: 3, token: Token::Number }, Run { len: 1, token: Token::Plain }]
        );
    }

    #[test]
    fn a_length_inside_a_character_is_stretched_and_one_past_the_end_is_cut() {
        let mut line = Line::new("aé");
        line.take(2, Token::Number);
        assert_eq!(line.finish(), [Run { len: 3, token: Token::Number }]);
        let mut line = Line::new("aé");
        line.take(usize::MAX, Token::Number);
        assert_eq!(line.finish(), [Run { len: 3, token: Token::Number }]);
    }
}
