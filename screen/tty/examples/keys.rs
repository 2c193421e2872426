//! Shows what comes from the terminal, and what happens to the terminal when things go wrong.
//!
//! `cargo run -p fen-tty --example keys`, and then: `q` leaves, `e` ends with an error, `p` panics, `t`
//! panics on another thread and goes on, `r` gives the terminal back and ends, `s` writes to
//! standard error, `b` draws a big frame on a terminal that does not block, `E` runs another program
//! for a moment, `m` turns the mouse off, ctrl-z stops. The tests drive it.

#![allow(clippy::panic, reason = "to show what a panic does")]

use fen_tty::TtyError;
use fen_tty::input::{Ended, Input};
use fen_tty::modes::Modes;
use fen_tty::reader::Reader;
use fen_tty::restore::{install_panic_hook, restore_now};
use fen_tty::stderr::StderrCapture;
use fen_tty::suspend::{Waiting, continued, suspend};
use fen_tty::terminal::{Options, Terminal};
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the loop hears.
enum Event {
    Input(Input),
    Stderr(String),
    Continued,
}

fn main() -> ExitCode {
    install_panic_hook();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(TtyError::Gone) => ExitCode::from(3),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), TtyError> {
    let (tell, told) = channel();
    let mut terminal = Terminal::enter(Options::stdio()?)?;
    let lines = tell.clone();
    let _capture = StderrCapture::begin(Box::new(move |line| {
        let _ = lines.send(Event::Stderr(line.to_owned()));
    }))?;
    let inputs = tell.clone();
    let reader = Reader::start(
        terminal.device(),
        Box::new(move |heard| {
            for input in heard {
                if inputs.send(Event::Input(input)).is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        }),
    )?;
    listen_for_continue(tell)?;
    let size = terminal.size()?;
    let pid = std::process::id();
    write!(terminal, "pid {pid}. {} by {}\r\n", size.columns, size.rows)?;
    terminal.flush()?;
    serve(&mut terminal, &reader, &told)
}

/// A thread that tells of each `SIGCONT`.
fn listen_for_continue(tell: Sender<Event>) -> Result<(), TtyError> {
    let (mut heard, signal) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGCONT, signal)?;
    std::thread::spawn(move || {
        while heard.read(&mut [0; 16]).is_ok_and(|count| count > 0) {
            let _ = tell.send(Event::Continued);
        }
    });
    Ok(())
}

fn serve(terminal: &mut Terminal, reader: &Reader, told: &Receiver<Event>) -> Result<(), TtyError> {
    let wait = &mut || Waiting::Wait;
    while let Ok(event) = told.recv() {
        let text = match event {
            Event::Stderr(line) => format!("stderr {line}"),
            Event::Continued => {
                continued(terminal, reader, wait)?;
                "continued".to_owned()
            }
            Event::Input(Input::Ended(Ended::Gone)) => return Err(TtyError::Gone),
            Event::Input(Input::Key(key)) => match key.to_string().as_str() {
                "q" => return Ok(()),
                "ctrl-z" => match suspend(terminal, reader, wait) {
                    Ok(()) => "back".to_owned(),
                    Err(TtyError::NoJobControl) => TtyError::NoJobControl.to_string(),
                    Err(error) => return Err(error),
                },
                name => {
                    let name = name.to_owned();
                    match act(&name, terminal, reader)? {
                        ControlFlow::Continue(()) => format!("key {name}"),
                        ControlFlow::Break(()) => return Ok(()),
                    }
                }
            },
            Event::Input(input) => format!("{input:?}"),
        };
        write!(terminal, "{text}.\r\n")?;
        terminal.flush()?;
    }
    Ok(())
}

/// What the key is for.
fn act(key: &str, terminal: &mut Terminal, reader: &Reader) -> Result<ControlFlow<()>, TtyError> {
    match key {
        "e" => {
            return Err(TtyError::System { doing: "showing", words: "what an error does".into() });
        }
        "p" => panic!("panic of the loop"),
        "t" => {
            let _ = std::thread::spawn(|| panic!("panic of a thread")).join();
            // The panic gave the terminal back; this program goes on.
            let active = terminal.is_active();
            terminal.resume()?;
            write!(terminal, "active was {active}.\r\n")?;
        }
        "r" => {
            restore_now();
            restore_now();
            let refused = terminal.write_all(b"NEVER").and_then(|()| terminal.flush());
            println!("restored, {:?}", refused.map_err(TtyError::from));
            return Ok(ControlFlow::Break(()));
        }
        "s" => eprintln!("some noise"),
        "b" => {
            rustix::io::ioctl_fionbio(std::io::stdout(), true)
                .map_err(|errno| TtyError::from(std::io::Error::from(errno)))?;
            let row = "0123456789".repeat(10);
            for _ in 0..10_000 {
                terminal.write_all(row.as_bytes())?;
            }
            terminal.write_all(b"\r\n")?;
        }
        "E" => {
            reader.pause();
            terminal.leave()?;
            let _ = std::process::Command::new("head").arg("-n1").status();
            terminal.resume()?;
            reader.resume();
        }
        "m" => terminal.set_modes(Modes { mouse: false, ..terminal.modes() })?,
        _ => {}
    }
    Ok(ControlFlow::Continue(()))
}
