//! What a word of code is: looked up in the lists of its language, then told by what stands around it.

use super::dialect::Quirk;
use super::{Code, Last};
use crate::Token;
use crate::line::{Line, head};

impl Code {
    pub(super) fn word(&mut self, line: &mut Line<'_>) {
        let dialect = self.dialect;
        let len = line.peek().map_or(0, char::len_utf8);
        let more = line.rest().get(len..).unwrap_or("");
        let len = len + head(more, |c| dialect.is_word(c)).len();
        let word = line.rest().get(..len).unwrap_or("");
        let after = line.rest().get(len..).unwrap_or("");

        if self.is_keyword(word, after, line) {
            self.expects = if dialect.lists(dialect.define_functions, word) {
                Some(Token::Function)
            } else if dialect.lists(dialect.define_types, word) {
                Some(Token::Type)
            } else {
                // `pub(crate) unsafe fn` and `enum class` keep what the word before expects.
                self.expects
            };
            self.last = Last::Open;
            return line.take(len, Token::Keyword);
        }
        let owner = self.expects == Some(Token::Function) && after.starts_with(['.', ':']);
        let expected = if owner { None } else { self.expects.take() };
        let token = expected.unwrap_or_else(|| self.name(word, after, line));
        self.last = Last::Value;
        line.take(len, token);
        let macro_mark = after.starts_with('!') && !after.starts_with("!=");
        if macro_mark && dialect.has(Quirk::BangMacros) && token == Token::Function {
            line.take_char(Token::Function);
        }
        if dialect.has(Quirk::LabelConstants) && token == Token::Constant && after.starts_with(':')
        {
            line.take_char(Token::Constant);
        }
        self.last = Last::Value;
    }

    fn is_keyword(&self, word: &str, after: &str, line: &Line<'_>) -> bool {
        let dialect = self.dialect;
        if dialect.has(Quirk::Lisp) {
            return line.previous() == Some('(') && dialect.lists(dialect.keywords, word);
        }
        if is_member(line) {
            return word == "await" && dialect.lists(dialect.keywords, word);
        }
        if dialect.has(Quirk::LabelConstants) && is_label(after) {
            return false;
        }
        dialect.lists(dialect.keywords, word)
            || (dialect.lists(dialect.soft_keywords, word) && goes_on(after))
    }

    /// What a word is that is not a keyword and that nothing before it names.
    fn name(&self, word: &str, after: &str, line: &Line<'_>) -> Token {
        let dialect = self.dialect;
        let called = after.trim_start().starts_with('(') && dialect.has(Quirk::Calls);
        let member = is_member(line);
        if dialect.has(Quirk::Lisp) {
            return self.lisp_name(word, line);
        }
        if dialect.has(Quirk::BangMacros) && after.starts_with('!') && !after.starts_with("!=") {
            return Token::Function;
        }
        if dialect.has(Quirk::LabelConstants) && is_label(after) {
            return Token::Constant;
        }
        if !member {
            if dialect.lists(dialect.constants, word) {
                return Token::Constant;
            }
            if dialect.lists(dialect.types, word) {
                return Token::Type;
            }
            if dialect.lists(dialect.functions, word) {
                return Token::Function;
            }
        }
        if dialect.has(Quirk::DashedCommands) && word.contains('-') {
            return Token::Function;
        }
        let capital = word.starts_with(char::is_uppercase);
        if called && (!capital || member || dialect.has(Quirk::CapitalCalls)) {
            return Token::Function;
        }
        if capital && dialect.has(Quirk::CapitalTypes) {
            let shouted =
                word.len() > 1 && !word.contains(char::is_lowercase) && !after.starts_with('.');
            return if shouted { Token::Constant } else { Token::Type };
        }
        if dialect.has(Quirk::DefinesAtStart) && line.position() == 0 && !after.trim().is_empty() {
            return Token::Function;
        }
        Token::Plain
    }

    fn lisp_name(&self, word: &str, line: &Line<'_>) -> Token {
        let dialect = self.dialect;
        if word.starts_with(':') && word.len() > 1 || dialect.lists(dialect.constants, word) {
            Token::Constant
        } else if line.previous() == Some('(') {
            Token::Function
        } else if word.starts_with(['&', '%']) {
            Token::Variable
        } else {
            Token::Plain
        }
    }
}

/// Whether the word comes after one dot; after two it begins a range's end.
fn is_member(line: &Line<'_>) -> bool {
    let before = line.before();
    before.ends_with("?.")
        || before.ends_with("->")
        || (before.ends_with('.') && !before.ends_with(".."))
}

/// `name:` where no second colon follows.
fn is_label(after: &str) -> bool {
    after.strip_prefix(':').is_some_and(|next| next.is_empty() || next.starts_with([' ', '\t']))
}

/// Whether a word is followed by another, by text or by a block, as a statement's first word is.
fn goes_on(after: &str) -> bool {
    let next = after.trim_start();
    next.len() < after.len()
        && next.starts_with(|c: char| c.is_alphanumeric() || "_\"'`{[(*@#$".contains(c))
}
