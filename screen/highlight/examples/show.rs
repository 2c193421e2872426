//! Prints files in the colours of their tokens: `cargo run -p fen-highlight --example show -- file…`.

use std::io::{Read, Write};
use std::path::Path;

use fen_highlight::{Highlighter, Token, language_of_path};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for name in std::env::args().skip(1) {
        let mut text = String::new();
        std::fs::File::open(&name)?.read_to_string(&mut text)?;
        let language = language_of_path(Path::new(&name)).unwrap_or("");
        let lines = Highlighter::new().block(language, &text, &|| false);
        for (line, runs) in text.lines().zip(lines) {
            let mut at = 0;
            for run in runs {
                let part = line.get(at..at + run.len).unwrap_or("");
                write!(out, "\x1b[{}m{part}\x1b[0m", colour(run.token))?;
                at += run.len;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn colour(token: Token) -> &'static str {
    match token {
        Token::Plain => "0",
        Token::Keyword | Token::Tag => "35",
        Token::Function => "34",
        Token::Type => "33",
        Token::String => "32",
        Token::Escape | Token::Link => "36",
        Token::Number | Token::Constant => "93",
        Token::Comment => "90",
        Token::Operator | Token::Punctuation => "37",
        Token::Attribute => "95",
        Token::Variable => "91",
        Token::Property => "94",
        Token::Added => "92",
        Token::Removed => "31",
        Token::Heading | Token::Strong => "1",
        Token::Emphasis => "3",
        Token::Invalid => "41",
    }
}
