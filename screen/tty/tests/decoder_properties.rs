//! What holds for the decoder whatever comes, and however the reads split it.

use fen_tty::decoder::Decoder;
use fen_tty::input::Input;
use fen_tty::key::Key;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Pieces of which streams are made that are about to mean something.
const PIECES: [&[u8]; 40] = [
    b"\x1b",
    b"\x1b[",
    b"\x1bO",
    b"\x1b]",
    b"\x1bP",
    b"\x1b_G",
    b"\x1b[200~",
    b"\x1b[201~",
    b"\x1b[20",
    b"0~",
    b"1~",
    b"\x1b\\",
    b"\x07",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x03",
    b"\x7f",
    b"\x1b[A",
    b"\x1b[1;5D",
    b"\x1b[97;5u",
    b"\x1b[97:65;6:2;1u",
    b"\x1b[27;5;106~",
    b"\x1b[<0;1;1M",
    b"\x1b[<0;0;0m",
    b"\x1b[M",
    b"\x1b[I",
    b"\x1b[24;80R",
    b"\x1b[?62c",
    b"\x1b]11;rgb",
    b"a",
    b"xyz",
    b"[",
    b"9;",
    "é".as_bytes(),
    "漢".as_bytes(),
    b"\xc3",
    b"\xff",
    b"\xc2\x9b",
];

fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(PIECES.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..8),
        1 => prop::collection::vec(Just(b'q'), 0..150),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// The stream in pieces of these lengths, over and over.
fn split<'a>(bytes: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut rest = bytes;
    let mut pieces = Vec::new();
    let mut lengths = lengths.iter().cycle();
    while !rest.is_empty() {
        let length = lengths.next().map_or(1, |length| (*length).clamp(1, rest.len()));
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// What a person gets, whether text came as keys or as a paste, which goes by time: text with single
/// line ends, and everything else between.
#[derive(Debug, PartialEq)]
enum Got {
    Text(String),
    Other(Input),
}

fn got(inputs: Vec<Input>) -> Vec<Got> {
    let mut all = Vec::new();
    for input in inputs {
        let text = match &input {
            Input::Paste(text) => text.clone(),
            Input::Key(key) => match key.to_string().as_str() {
                "enter" | "ctrl-j" => "\n".to_owned(),
                "tab" => "\t".to_owned(),
                _ => key.text().map(String::from).unwrap_or_default(),
            },
            _ => String::new(),
        };
        let is_text = !text.is_empty() || matches!(input, Input::Paste(_));
        match all.last_mut() {
            _ if !is_text => all.push(Got::Other(input)),
            Some(Got::Text(before)) => before.push_str(&text),
            _ => all.push(Got::Text(text)),
        }
    }
    for one in &mut all {
        if let Got::Text(text) = one {
            while text.contains("\n\n") {
                *text = text.replace("\n\n", "\n");
            }
        }
    }
    all.retain(|one| *one != Got::Text(String::new()));
    all
}

fn decode(pieces: &[&[u8]]) -> Vec<Got> {
    let now = Instant::now();
    let mut decoder = Decoder::new();
    let mut inputs: Vec<Input> = pieces.iter().flat_map(|piece| decoder.feed(piece, now)).collect();
    inputs.extend(decoder.finish());
    got(inputs)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn splits_make_no_difference_but_for_time(
        bytes in stream(),
        lengths in prop::collection::vec(1usize..12, 1..6),
    ) {
        prop_assert_eq!(decode(&split(&bytes, &lengths)), decode(&[&bytes]));
    }

    #[test]
    fn no_control_character_comes_through_and_nothing_stalls(
        bytes in stream(),
        lengths in prop::collection::vec(1usize..12, 1..6),
        gaps in prop::collection::vec(0u64..600, 1..6),
    ) {
        let mut now = Instant::now();
        let mut decoder = Decoder::new();
        let mut inputs = Vec::new();
        let mut gaps = gaps.iter().cycle();
        for piece in split(&bytes, &lengths) {
            inputs.extend(decoder.feed(piece, now));
            now += gaps.next().map_or(Duration::ZERO, |gap| Duration::from_millis(*gap));
            inputs.extend(decoder.expire(now));
        }
        inputs.extend(decoder.expire(now + Duration::from_secs(1)));
        prop_assert_eq!(decoder.due(), None);
        for input in inputs {
            match input {
                Input::Paste(text) => {
                    let bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
                    prop_assert!(!text.contains(bad), "{:?}", text);
                }
                Input::Key(key) => {
                    prop_assert_eq!(key.to_string().parse::<Key>(), Ok(key));
                    prop_assert!(key.text().is_none_or(|c| !c.is_control()));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_paste_runs_nothing_whatever_is_in_it(
        bytes in stream(),
        lengths in prop::collection::vec(1usize..12, 1..6),
    ) {
        let whole = [b"\x1b[200~", bytes.as_slice(), b"\x1b[201~"].concat();
        let now = Instant::now();
        let mut decoder = Decoder::new();
        let mut inputs = Vec::new();
        for piece in split(&whole, &lengths) {
            inputs.extend(decoder.feed(piece, now));
        }
        inputs.extend(decoder.finish());
        for input in inputs {
            let runs = matches!(input, Input::Key(_) | Input::Mouse(_));
            prop_assert!(!runs, "{:?}", input);
        }
    }
}
