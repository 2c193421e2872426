//! Syntax highlighting of code blocks for a terminal.
//!
//! A line of code goes in, runs of [`Token`]s come out; what colours they get is a theme's business.
//! The lexers are written by hand and driven by tables: they look at one line and a small state, so
//! there is nothing to load, the work grows with the bytes of a line and with nothing else, and a
//! growing block costs only its new lines.
//!
//! It recognises what a lexer can see: words, text, numbers, comments, the shape of calls and
//! definitions. It does not parse, so a wrong or half-written program is highlighted like a right one.
//!
//! This crate knows nothing of fen, does no I/O and has no dependencies.
//!
//! ```
//! use fen_highlight::{Highlighter, Token, language_of_info};
//!
//! let language = language_of_info("rust,ignore").unwrap();
//! let lines = Highlighter::new().block(language, "let x = 1;\n// done", &|| false);
//! assert_eq!(lines[0][0].token, Token::Keyword);
//! assert_eq!(lines[1][0].token, Token::Comment);
//! ```

mod code;
mod diff;
mod grammar;
mod highlighter;
mod language;
mod line;
mod markdown;
mod markup;
mod recipe;
mod shell;
mod styles;
mod yaml;

pub use highlighter::{Highlighter, MAX_BYTES, MAX_LINE_BYTES, MAX_LINES, Session};
pub use language::{language_of_info, language_of_path, languages};

/// What a piece of code is; a theme makes colours of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// Nothing in particular, and everything of a language that is not known.
    Plain,
    /// A word of the language: `if`, `class`, `SELECT`.
    Keyword,
    /// The name of what is called or defined: a function, a macro, a command.
    Function,
    /// The name of a type.
    Type,
    /// Text: strings, characters, regular expressions.
    String,
    /// What stands for something else inside text: `\n`, `{{`.
    Escape,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// A name with a fixed value: `true`, `nil`, `MAX_SIZE`, `:symbol`.
    Constant,
    /// A sign that computes, compares or assigns.
    Operator,
    /// Brackets, commas and what else only separates.
    Punctuation,
    /// A note to the compiler or a setting of a thing: `#[test]`, `@Override`, `--option`, `href`.
    Attribute,
    /// A variable that its spelling shows: `$HOME`, `@name`.
    Variable,
    /// A key of data: of JSON, YAML, TOML, a property of CSS.
    Property,
    /// The name of an element of HTML or XML, or of a selector.
    Tag,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
    /// A title: of a text, of a section of settings, of a file in a diff.
    Heading,
    /// Slanted words of a text.
    Emphasis,
    /// Heavy words of a text.
    Strong,
    /// A link of a text, or its address.
    Link,
    /// What cannot be right where it is: the marks of a merge conflict.
    Invalid,
}

/// A run of bytes of one line with one token.
///
/// The runs of a line cover it without gaps, none is empty, neighbours differ in their token, and
/// each ends at the border of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many bytes it is long.
    pub len: usize,
    /// What these bytes are.
    pub token: Token,
}
