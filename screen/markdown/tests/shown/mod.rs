//! What a reader sees of rows, and what is copied of them.

#![allow(dead_code, reason = "not every file of tests needs all of it")]

use fen_cells::{Join, Line};

/// The rows as text, without blanks at their ends.
pub fn shown(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
}

/// What is copied: the content of the rows, put together as they say.
pub fn copied(lines: &[Line]) -> String {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        match line.join {
            Join::Break if number > 0 => text.push('\n'),
            Join::Break | Join::Glue => {}
            Join::Space => text.push(' '),
        }
        text.push_str(&line.content());
    }
    text
}
