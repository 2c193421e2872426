//! The table of a language: all that the lexer of code needs to know of it.
//!
//! Word lists are one string with blanks between, as they are read rarely and weigh least so.

use crate::Token;

/// A language as the lexer of code sees it.
#[derive(Debug)]
pub(crate) struct Dialect {
    pub keywords: &'static str,
    /// Keywords only where another word or a block follows; names elsewhere.
    pub soft_keywords: &'static str,
    pub types: &'static str,
    pub constants: &'static str,
    /// Functions that come with the language.
    pub functions: &'static str,
    /// Keywords after which the name of a function follows.
    pub define_functions: &'static str,
    /// Keywords after which the name of a type follows.
    pub define_types: &'static str,
    /// What may begin a word besides a letter and `_`.
    pub word_start: &'static str,
    /// What a word may have further on besides a letter, a digit and `_`.
    pub word_more: &'static str,
    pub line_comments: &'static [&'static str],
    pub block_comments: &'static [(&'static str, &'static str)],
    pub strings: &'static [Quote],
    pub quirks: &'static [Quirk],
}

impl Dialect {
    pub(crate) const NONE: Self = Self {
        keywords: "",
        soft_keywords: "",
        types: "",
        constants: "",
        functions: "",
        define_functions: "",
        define_types: "",
        word_start: "",
        word_more: "",
        line_comments: &[],
        block_comments: &[],
        strings: &[],
        quirks: &[],
    };

    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    pub(crate) fn starts_word(&self, c: char) -> bool {
        c.is_alphabetic() || c == '_' || self.word_start.contains(c)
    }

    pub(crate) fn is_word(&self, c: char) -> bool {
        c.is_alphanumeric() || c == '_' || self.word_more.contains(c)
    }

    /// Whether one of the table's lists has a word, in the way that the language compares them.
    pub(crate) fn lists(&self, list: &str, word: &str) -> bool {
        let mut words = list.split_ascii_whitespace();
        if self.has(Quirk::IgnoreCase) {
            words.any(|one| one.eq_ignore_ascii_case(word))
        } else {
            words.any(|one| one == word)
        }
    }
}

/// What is special about a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quirk {
    /// `@name` is an attribute.
    AtAttributes,
    /// `@name` is a function of the language.
    AtFunctions,
    /// `@name` is a variable.
    AtVariables,
    /// `\name` is a function.
    BackslashWords,
    /// `name!` is a macro.
    BangMacros,
    /// `[Name]` at the start of a line is an attribute.
    BracketAttributes,
    /// `Name(` is a call, though a capital begins it.
    CapitalCalls,
    /// A capital begins the name of a type.
    CapitalTypes,
    /// `name(` is a call.
    Calls,
    /// `'x'` is a character; a `'` that closes nothing is not.
    Characters,
    /// `:name` is a constant.
    ColonSymbols,
    /// `Verb-Noun` is a function.
    DashedCommands,
    /// A word at the start of a line is what the line defines.
    DefinesAtStart,
    /// `$name` and `${name}` are variables.
    DollarVariables,
    /// `#[...]` is an attribute.
    HashAttributes,
    /// `<<NAME` and `<<<NAME` begin text that ends with a line `NAME`.
    Heredocs,
    /// Words are the same in both cases.
    IgnoreCase,
    /// Elements stand where a value may.
    Jsx,
    /// Text before a `:` is a key.
    KeysBeforeColon,
    /// A word before a `=` at the start of a line is a key.
    KeysBeforeEquals,
    /// `name: ` is a constant.
    LabelConstants,
    /// `'name` without a closing `'` is a lifetime.
    Lifetimes,
    /// The word after `(` is called, and nearly every sign is part of a word.
    Lisp,
    /// `[[`, `[=[` and so on begin text, and after `--` a comment.
    LongBrackets,
    /// A comment that begins inside a comment must end there too.
    NestedComments,
    /// `#name` at the start of a line is an instruction to the compiler.
    Preprocessor,
    /// `/.../` is a regular expression where a value may stand.
    RegularExpressions,
    /// `[name]` at the start of a line is a title.
    Sections,
    /// What follows the key of a line is text.
    TextValues,
}

/// One way to write text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    pub open: &'static str,
    pub close: &'static str,
    /// Words that may stand right before it, in any case of letters.
    pub prefixes: Prefixes,
    pub escape: Escape,
    pub span: Span,
    pub holes: Holes,
    /// What the text is; nearly always a string.
    pub token: Token,
}

/// The words before a quote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Prefixes {
    /// Whatever stands before it is not part of it.
    None,
    /// It begins with one of these.
    Needed(&'static str),
    /// It begins with one of these, and between it and the quote are as many `#` as at its end.
    Hashes(&'static str),
}

/// How text says a character that it cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    None,
    Backslash,
    /// The closing quote is written twice.
    Doubled,
}

/// How far text may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// To the end of the line, or of the next one after a `\`.
    Line,
    Lines,
}

/// Where code stands inside text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holes {
    None,
    /// `${code}`
    DollarBrace,
    /// `$name` and `${code}`
    Dollar,
    /// `#{code}`
    HashBrace,
    /// `{code}`, and `{{` for a brace
    Brace,
    /// `\(code)`
    BackslashParenthesis,
    /// `$(code)` and `$name`
    DollarParenthesis,
}

impl Quote {
    /// Text between two `"`, with escapes, on one line.
    pub(crate) const DOUBLE: Self = Self {
        open: "\"",
        close: "\"",
        prefixes: Prefixes::None,
        escape: Escape::Backslash,
        span: Span::Line,
        holes: Holes::None,
        token: Token::String,
    };
    /// Text between two `'`, with escapes, on one line.
    pub(crate) const SINGLE: Self = Self { open: "'", close: "'", ..Self::DOUBLE };
    /// Text between two `"` on any number of lines.
    pub(crate) const DOUBLE_LINES: Self = Self { span: Span::Lines, ..Self::DOUBLE };
    /// Text between two `'` on any number of lines.
    pub(crate) const SINGLE_LINES: Self = Self { span: Span::Lines, ..Self::SINGLE };
    /// Text between two `"""`.
    pub(crate) const TRIPLE_DOUBLE: Self =
        Self { open: "\"\"\"", close: "\"\"\"", span: Span::Lines, ..Self::DOUBLE };
    /// Text between two `'''`.
    pub(crate) const TRIPLE_SINGLE: Self =
        Self { open: "'''", close: "'''", span: Span::Lines, ..Self::DOUBLE };
    /// Text between two backticks, as it is, on any number of lines.
    pub(crate) const BACKTICK: Self =
        Self { open: "`", close: "`", escape: Escape::None, span: Span::Lines, ..Self::DOUBLE };
}
