//! Standard error while it is captured. It belongs to the process, so the tests take turns.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

use fen_tty::TtyError;
use fen_tty::restore::restore_now;
use fen_tty::stderr::{Lines, StderrCapture};
use std::io::Write;
use std::process::Command;
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Past the test harness, which keeps what the macros print.
fn write(bytes: impl AsRef<[u8]>) {
    std::io::stderr().write_all(bytes.as_ref()).unwrap();
}

fn begin() -> StderrCapture {
    StderrCapture::begin(Box::new(|_| {})).unwrap()
}

/// What standard error is, as far as two of them can be told apart.
fn identity() -> (u64, u64) {
    let stat = rustix::fs::fstat(rustix::stdio::stderr()).unwrap();
    (stat.st_dev, stat.st_ino)
}

#[test]
fn nothing_is_lost_at_the_end() {
    let _turn = turn();
    for round in 0..50 {
        let capture = begin();
        for line in 0..20 {
            write(format!("{round} {line}\n"));
        }
        write("without a line end");
        let mut expected: Vec<String> = (0..20).map(|line| format!("{round} {line}")).collect();
        expected.push("without a line end".to_owned());
        assert_eq!(capture.end(), Lines { lines: expected, dropped: 0 });
    }
}

#[test]
fn each_line_is_told_when_it_is_whole() {
    let _turn = turn();
    let (tell, told) = channel();
    let capture =
        StderrCapture::begin(Box::new(move |line| tell.send(line.to_owned()).unwrap())).unwrap();
    write("be");
    write("gin\r\nnext");
    assert_eq!(told.recv().unwrap(), "begin");
    write("\n");
    assert_eq!(told.recv().unwrap(), "next");
    drop(capture);
    assert!(told.recv().is_err());
}

#[test]
fn what_is_kept_is_bounded_and_counted() {
    let _turn = turn();
    let capture = begin();
    for line in 0..1_500 {
        write(format!("{line}\n"));
    }
    write(b"\xff".repeat(5_000));
    let Lines { lines, dropped } = capture.end();
    assert_eq!(lines.len(), 1_000);
    // The long line is two of them.
    assert_eq!(dropped, 502);
    assert_eq!(lines[0], "502");
    assert_eq!(lines[999].chars().filter(|&c| c == '\u{fffd}').count(), 5_000 - 4_096);
}

#[test]
fn a_child_that_inherits_it_is_captured_and_holds_nothing_up() {
    let _turn = turn();
    let capture = begin();
    let mut child =
        Command::new("sh").args(["-c", "echo noise >&2; exec sleep 600"]).spawn().unwrap();
    while capture.lines().lines.is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(capture.end().lines, ["noise"]);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn there_is_one_capture_at_a_time_and_the_real_one_comes_back() {
    let _turn = turn();
    let before = identity();
    let capture = begin();
    assert_ne!(identity(), before);
    let refused = StderrCapture::begin(Box::new(|_| {})).unwrap_err();
    assert_eq!(refused, TtyError::AlreadyEntered);
    assert_ne!(identity(), before);
    drop(capture);
    assert_eq!(identity(), before);
}

#[test]
fn restoring_gives_it_back_at_once_and_again_does_no_harm() {
    let _turn = turn();
    let before = identity();
    restore_now();
    let capture = begin();
    write("kept\n");
    restore_now();
    assert_eq!(identity(), before);
    restore_now();
    // One that begins meanwhile is not ended along with the first.
    let second = begin();
    assert_eq!(capture.end().lines, ["kept"]);
    assert_ne!(identity(), before);
    drop(second);
    assert_eq!(identity(), before);
}
