//! The full screen, watched from outside in a terminal of its own: how soon it is there, how fast it
//! answers a key, what it costs while nothing happens. `screen [WHAT…] [PATH OF FEN]`, where WHAT is one
//! of `first`, `key`, `stream`, `idle`, `resume`, `size`, `marks`; without it, all but the last.
//!
//! Without a path it measures the program that was built beside it. The clock runs from before the fork,
//! or from before a key is written to the terminal, until what is waited for was read from the terminal.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement that fails may say so and stop"
)]

mod idle;
mod place;
mod pty;
mod start;
mod stream;
mod table;

use place::Place;
use std::path::PathBuf;
use table::Row;

type Measure = fn(&Place) -> Vec<Row>;

const ALL: [(&str, Measure); 7] = [
    ("first", start::first_frame),
    ("key", start::early_key),
    ("stream", stream::keys),
    ("idle", idle::idle),
    ("resume", start::resume),
    ("size", start::size),
    ("marks", start::marks),
];

fn main() {
    let own = std::env::current_exe().expect("the path of this program");
    let examples = own.parent().expect("a folder");
    let mut fen = examples.with_file_name("fen");
    let mut wanted = Vec::new();
    for argument in std::env::args().skip(1) {
        match ALL.iter().find(|(name, _)| *name == argument) {
            Some(measure) => wanted.push(measure),
            None if argument.contains('/') => fen = PathBuf::from(argument),
            None => panic!("`{argument}` is neither a path nor a measurement"),
        }
    }
    if wanted.is_empty() {
        wanted.extend(ALL.iter().filter(|(name, _)| *name != "marks"));
    }
    let place = Place::new(fen, examples.join("bare_screen"));
    for path in [&place.fen, &place.bare] {
        assert!(path.exists(), "{} is to be built first", path.display());
    }
    let mut rows = Vec::new();
    for (name, measure) in wanted {
        eprintln!("measuring: {name}");
        rows.extend(measure(&place));
    }
    table::print(&rows);
}
