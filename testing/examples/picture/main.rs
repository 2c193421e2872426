//! Takes a picture of a program of the terminal, as an SVG or as text.
//!
//! ```sh
//! cargo run -p fen-testing --example picture -- SCRIPT OUT PROGRAM [ARGUMENT]...
//! ```
//!
//! The program runs in a terminal of its own, in a folder that goes afterwards and is also its home.
//! SCRIPT says how large the terminal is, which files there are and what is typed; see [`script`]. OUT
//! is text if it ends in `.txt`. In an argument, `{script}` stands for SCRIPT's folder.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool of the documentation, which fails with what is wrong"
)]

mod script;
mod svg;
mod terminal;

use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [script, out, program, rest @ ..] = &arguments[..] else {
        eprintln!("usage: picture SCRIPT OUT PROGRAM [ARGUMENT]...");
        std::process::exit(2);
    };
    let text = std::fs::read_to_string(script).expect("the script is read");
    let folder = Path::new(script).parent().unwrap_or(Path::new("."));
    let folder = std::path::absolute(folder).expect("the script's folder");
    let rest: Vec<String> =
        rest.iter().map(|word| word.replace("{script}", &folder.to_string_lossy())).collect();
    let screen = terminal::play(&script::parse(&text), program, &rest);
    let made = match out.ends_with(".txt") {
        true => svg::text(&screen),
        false => svg::picture(&screen),
    };
    std::fs::write(out, made).expect("the picture is written");
}
