//! Who has the terminal, in one process. There can be one owner, so the tests take turns.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

use fen_tty::modes::Modes;
use fen_tty::restore::restore_now;
use fen_tty::terminal::{Options, Size, Terminal};
use fen_tty::{Device, TtyError};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal's other side, and itself.
fn pty() -> (std::fs::File, OwnedFd) {
    let other = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&other).unwrap();
    unlockpt(&other).unwrap();
    let name = ptsname(&other, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let own = rustix::fs::open(name.as_c_str(), flags, Mode::empty()).unwrap();
    (std::fs::File::from(other), own)
}

fn options(own: &OwnedFd, modes: Modes) -> Options {
    let device = Device::new(own.try_clone().unwrap(), own.try_clone().unwrap());
    Options { device, modes }
}

fn is_cooked(own: &OwnedFd) -> bool {
    tcgetattr(own).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ISIG)
}

#[test]
fn there_is_one_owner_and_the_next_may_come_after_it() {
    let _turn = turn();
    let (_other, own) = pty();
    let first = Terminal::enter(options(&own, Modes::NONE)).unwrap();
    let refused = Terminal::enter(options(&own, Modes::NONE)).unwrap_err();
    assert_eq!(refused, TtyError::AlreadyEntered);
    assert!(!is_cooked(&own), "the refused one changed nothing");
    drop(first);
    assert!(is_cooked(&own));
    drop(Terminal::enter(options(&own, Modes::NONE)).unwrap());
    assert!(is_cooked(&own));
}

#[test]
fn leaving_resuming_and_restoring_may_be_repeated() {
    let _turn = turn();
    let (mut other, own) = pty();
    let terminal = Terminal::enter(options(&own, Modes::default())).unwrap();
    terminal.resume().unwrap();
    for _ in 0..2 {
        terminal.leave().unwrap();
        terminal.leave().unwrap();
        restore_now();
        assert!(!terminal.is_active());
        assert!(is_cooked(&own));
        terminal.resume().unwrap();
        terminal.resume().unwrap();
        assert!(terminal.is_active());
        assert!(!is_cooked(&own));
    }
    drop(terminal);
    restore_now();
    let round = Modes::default().enter() + &Modes::default().leave();
    let mut written = vec![0; round.len() * 3];
    other.read_exact(&mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), round.repeat(3));
}

#[test]
fn something_that_is_no_terminal_cannot_be_entered_and_is_not_owned() {
    let _turn = turn();
    let (input, output) = std::io::pipe().unwrap();
    let device = Device::new(input.into(), output.into());
    Terminal::enter(Options { device, modes: Modes::NONE }).unwrap_err();
    let (_other, own) = pty();
    drop(Terminal::enter(options(&own, Modes::NONE)).unwrap());
}

#[test]
fn the_size_is_the_terminals_or_that_of_old_ones() {
    let _turn = turn();
    let (_other, own) = pty();
    let terminal = Terminal::enter(options(&own, Modes::NONE)).unwrap();
    assert_eq!(terminal.size().unwrap(), Size { columns: 80, rows: 24 });
    let size = Winsize { ws_row: 7, ws_col: 133, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&own, size).unwrap();
    assert_eq!(terminal.size().unwrap(), Size { columns: 133, rows: 7 });
}

#[test]
fn nothing_is_written_before_the_flush_and_all_of_it_then() {
    let _turn = turn();
    let (mut other, own) = pty();
    let terminal = Terminal::enter(options(&own, Modes::NONE)).unwrap();
    let mut output = terminal.output();
    output.write_all(b"later").unwrap();
    let mut sooner = terminal.output();
    sooner.write_all(b"sooner ").unwrap();
    sooner.flush().unwrap();
    output.flush().unwrap();
    let mut written = [0; 12];
    other.read_exact(&mut written).unwrap();
    assert_eq!(&written, b"sooner later");
}

#[test]
fn a_terminal_that_takes_nothing_is_given_back_all_the_same() {
    let _turn = turn();
    let (mut other, own) = pty();
    let terminal = Terminal::enter(options(&own, Modes::NONE)).unwrap();
    let mut output = terminal.output();
    let drawing = std::thread::spawn(move || {
        output.write_all(&[b'x'; 1 << 20]).unwrap();
        output.flush().map_err(TtyError::from)
    });
    // The drawing is stuck when something of it can be read and more would come.
    let mut first = [0; 1];
    other.read_exact(&mut first).unwrap();
    restore_now();
    assert!(is_cooked(&own));
    // Now that there is room the frame does not go on for ever.
    let draining = std::thread::spawn(move || {
        let mut sink = [0; 4096];
        let mut total = 1;
        while let Ok(count @ 1..) = other.read(&mut sink) {
            total += count;
        }
        total
    });
    assert_eq!(drawing.join().unwrap(), Err(TtyError::Left));
    drop(terminal);
    drop(own);
    assert!(draining.join().unwrap() < 1 << 20);
}

#[test]
fn a_closed_terminal_is_told_by_its_kind() {
    let _turn = turn();
    let (other, own) = pty();
    let mut terminal = Terminal::enter(options(&own, Modes::default())).unwrap();
    drop(other);
    terminal.write_all(b"x").unwrap();
    assert_eq!(terminal.flush().map_err(TtyError::from), Err(TtyError::Gone));
    assert!(terminal.leave().is_err());
    terminal.leave().unwrap();
}
