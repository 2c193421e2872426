//! The script of a picture: one step a line.
//!
//! ```text
//! # A remark.
//! size 80x24
//! file src/main.rs
//! | fn main() {}
//! wait words that are to be on the screen
//! type some text
//! key ctrl-o
//! pause 200
//! ```
//!
//! `pause` is in milliseconds, for what no words tell.

/// A step.
pub enum Step {
    /// Columns and rows.
    Size(u16, u16),
    /// A file in the working directory, and its text.
    File(String, String),
    /// Wait until these words are on the screen.
    Wait(String),
    /// Type this.
    Type(String),
    /// Press this key.
    Key(String),
    /// Let so many milliseconds go by.
    Pause(u64),
}

/// Reads a script.
pub fn parse(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        steps.push(match word {
            "|" => {
                let Some(Step::File(_, text)) = steps.last_mut() else {
                    panic!("`|` belongs to a file: {line}");
                };
                text.push_str(rest);
                text.push('\n');
                continue;
            }
            "size" => {
                let (columns, rows) = rest.split_once('x').expect("a size such as 80x24");
                Step::Size(columns.parse().expect("columns"), rows.parse().expect("rows"))
            }
            "file" => Step::File(rest.to_owned(), String::new()),
            "wait" => Step::Wait(rest.to_owned()),
            "type" => Step::Type(rest.to_owned()),
            "key" => Step::Key(rest.to_owned()),
            "pause" => Step::Pause(rest.parse().expect("milliseconds")),
            _ => panic!("there is no step `{word}`"),
        });
    }
    steps
}

/// What a terminal sends for a key.
pub fn bytes_of(key: &str) -> Vec<u8> {
    let named: &[u8] = match key {
        "enter" => b"\r",
        "tab" => b"\t",
        "esc" => b"\x1b",
        "backspace" => b"\x7f",
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "pageup" => b"\x1b[5~",
        "pagedown" => b"\x1b[6~",
        "f1" => b"\x1bOP",
        _ => &[],
    };
    if !named.is_empty() {
        return named.to_vec();
    }
    if let Some(rest) = key.strip_prefix("alt-") {
        return [b"\x1b", &bytes_of(rest)[..]].concat();
    }
    match (key.strip_prefix("ctrl-").map(str::as_bytes), key.as_bytes()) {
        (Some([letter]), _) => vec![letter & 0x1f],
        (None, [_]) => key.as_bytes().to_vec(),
        _ => panic!("there is no key `{key}`"),
    }
}
