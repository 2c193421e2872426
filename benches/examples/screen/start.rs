//! Starts: the first frame, a key typed at once, a stored session resumed, and the program's size.

use crate::place::{LAST_WORDS, Length, Place};
use crate::pty::Screen;
use crate::table::{Row, Times};
use std::time::Duration;

const RUNS: usize = 60;
const RESUMES: usize = 15;
const WARM_UP: usize = 5;

/// Until the first frame, side by side with the least that could do the same.
pub fn first_frame(place: &Place) -> Vec<Row> {
    let shown = |mut screen: Screen| {
        screen.until("the first frame", |rows| rows.is_first_frame()) - screen.begun()
    };
    let (mut fen, mut bare) = (Vec::new(), Vec::new());
    for run in 0..WARM_UP + RUNS {
        let times =
            (shown(place.start(&place.home(), &[])), shown(place.start_bare(&place.home())));
        if run >= WARM_UP {
            fen.push(times.0);
            bare.push(times.1);
        }
    }
    let (fen, bare) = (Times::new(fen), Times::new(bare));
    let ratio = fen.median().as_secs_f64() / bare.median().as_secs_f64();
    vec![
        Row::new("first frame", fen.words(), "≤ 10 ms"),
        Row::new("the least program's first frame", bare.words(), ""),
        Row::new("the one by the other", format!("{ratio:.2}"), "≤ 1.5"),
    ]
}

/// Until a key is shown that was typed as soon as the program was started.
pub fn early_key(place: &Place) -> Vec<Row> {
    let mut times = Vec::new();
    for run in 0..WARM_UP + RUNS {
        let home = place.home();
        let mut screen = place.start(&home, &[]);
        screen.type_keys("Q");
        // What the terminal itself echoes before the screen is taken has no sign before it.
        let shown = screen.until("the early key", |rows| rows.has_input("Q"));
        if run >= WARM_UP {
            times.push(shown - screen.begun());
        }
    }
    vec![Row::new("a key typed at the start shown", Times::new(times).words(), "≤ 15 ms")]
}

/// A session of 25 MB, from the command line and inside a run.
pub fn resume(place: &Place) -> Vec<Row> {
    let stored = place.store(&Length::Bytes(25 << 20));
    let size = format!("{:.1} MB, {} messages", stored.bytes as f64 / 1e6, stored.messages);
    let (mut flag, mut listed, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..2 + RESUMES {
        let home = place.home_with(&stored);
        let mut screen = place.start(&home, &["--resume", &stored.id]);
        let shown = screen
            .until("the resumed session", |rows| rows.is_first_frame() && rows.has(LAST_WORDS));
        let from_flag = shown - screen.begun();
        drop(screen);

        let mut screen = place.start(&home, &[]);
        screen.until("the first frame", |rows| rows.is_first_frame());
        screen.type_keys("/resume");
        screen.until("the command", |rows| rows.has_input("/resume"));
        screen.watch(Duration::from_millis(200));
        let at = screen.type_keys("\r");
        let list = screen.until("the picker", |rows| rows.has(" · esc")) - at;
        screen.watch(Duration::from_millis(100));
        let at = screen.type_keys("\r");
        let inside = screen.until("the chosen session", |rows| rows.has(LAST_WORDS)) - at;
        if run >= 2 {
            flag.push(from_flag);
            listed.push(list);
            chosen.push(inside);
        }
    }
    vec![
        Row::new(format!("`--resume`, {size}"), Times::new(flag).words(), "≤ 150 ms"),
        Row::new("`/resume`: the list", Times::new(listed).words(), ""),
        Row::new(
            format!("`/resume`: chosen and shown, {size}"),
            Times::new(chosen).words(),
            "≤ 150 ms",
        ),
    ]
}

/// The names and times of the steps of one start, as fen itself tells them.
pub fn marks(place: &Place) -> Vec<Row> {
    let home = place.home();
    let mut screen = place.start(&home, &[]);
    screen.until("the first frame", |rows| rows.is_first_frame());
    screen.watch(Duration::from_millis(100));
    let told = screen.farewell();
    let steps = told.lines().filter_map(|line| line.trim().split_once(" ms  "));
    steps.map(|(time, name)| Row::new(name, format!("{time} ms"), "")).collect()
}

/// The program's size.
pub fn size(place: &Place) -> Vec<Row> {
    let bytes = std::fs::metadata(&place.fen).unwrap().len();
    vec![Row::new("the program", format!("{:.2} MB", bytes as f64 / 1e6), "≤ 16 MB")]
}
