//! A screen that nobody touches: what it writes, how often it wakes up, and its memory.

use crate::place::{LAST_WORDS, Length, Place};
use crate::pty::Screen;
use crate::table::Row;
use std::fs;
use std::time::Duration;

/// How long a program has to come to rest; threads for work that blocks are kept for 10 s.
const REST: Duration = Duration::from_secs(12);
const SECONDS: u32 = 10;

pub fn idle(place: &Place) -> Vec<Row> {
    let home = place.home();
    let mut screen = place.start(&home, &[]);
    screen.until("the first frame", |rows| rows.is_first_frame());
    let mut rows = watched(&mut screen, "a new session", "≤ 10 MB");
    drop(screen);

    let stored = place.store(&Length::Messages(10_000));
    let home = place.home_with(&stored);
    let mut screen = place.start(&home, &["--resume", &stored.id]);
    screen.until("the resumed session", |rows| rows.has(LAST_WORDS));
    let what = format!("{} messages, {:.1} MB", stored.messages, stored.bytes as f64 / 1e6);
    rows.extend(watched(&mut screen, &what, "≤ 60 MB"));
    rows
}

fn watched(screen: &mut Screen, what: &str, memory: &str) -> Vec<Row> {
    screen.watch(REST);
    let process = screen.process();
    let before = switches(process);
    let bytes = screen.watch(Duration::from_secs(1) * SECONDS);
    let woken = switches(process) - before;
    let each = f64::from(u32::try_from(woken).unwrap_or(u32::MAX)) / f64::from(SECONDS);
    vec![
        Row::new(format!("idle, {what}: written in {SECONDS} s"), format!("{bytes} bytes"), "0"),
        Row::new(format!("idle, {what}: wake-ups a second"), format!("{each:.1}"), "0"),
        Row::new(format!("idle, {what}: memory (PSS)"), pss(process), memory),
    ]
}

/// How often all threads together went to sleep by themselves.
fn switches(process: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    tasks
        .map(|task| {
            let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap();
            number(&status, "voluntary_ctxt_switches:")
        })
        .sum()
}

/// The memory that is the program's, with its share of what it shares. Where it is closed to this user,
/// which it is to all but root, all that is resident is told instead.
fn pss(process: u32) -> String {
    let megabytes = |kib: u64| format!("{:.1} MB", kib as f64 * 1.024e-3);
    match fs::read_to_string(format!("/proc/{process}/smaps_rollup")) {
        Ok(rollup) => megabytes(number(&rollup, "Pss:")),
        Err(_) => {
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
            format!("{} resident; PSS needs root", megabytes(number(&status, "VmRSS:")))
        }
    }
}

fn number(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()).unwrap().parse().unwrap()
}
