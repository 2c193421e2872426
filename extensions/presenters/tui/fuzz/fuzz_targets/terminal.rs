//! No byte of foreign text reaches the terminal unencoded, whichever way it shows and at any size.

#![no_main]

use fen_presenter_tui::fuzzing::{only_own_commands, screens};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [columns, rows, rest @ ..] = data else { return };
    // Pieces end at a byte that UTF-8 never has; the first byte of each says where it shows.
    let told: Vec<(u8, String)> = rest
        .split(|byte| *byte == 0xff)
        .take(8)
        .filter_map(|piece| {
            let (way, text) = piece.split_first()?;
            Some((*way, String::from_utf8_lossy(text).into_owned()))
        })
        .collect();
    let bytes = screens(u16::from(*columns).max(1), u16::from(*rows % 64).max(1), &told);
    assert!(only_own_commands(&bytes), "{:?}", String::from_utf8_lossy(&bytes));
});
