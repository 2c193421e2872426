//! When the reader reads, and how it ends. It reads a pipe here, which is as good as a terminal.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

use fen_tty::Device;
use fen_tty::input::{Ended, Input};
use fen_tty::reader::Reader;
use std::io::{PipeWriter, Write, pipe};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

fn keys(text: &str) -> Vec<Input> {
    text.chars().map(|c| Input::Key(c.to_string().parse().unwrap())).collect()
}

/// A device, and what is typed on it.
fn device() -> (Arc<Device>, PipeWriter) {
    let (input, typed) = pipe().unwrap();
    let (_, output) = pipe().unwrap();
    (Arc::new(Device::new(input.into(), output.into())), typed)
}

fn start(device: Arc<Device>) -> (Reader, Receiver<Vec<Input>>) {
    let (tell, told) = channel();
    let sink = move |inputs| match tell.send(inputs) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    (Reader::start(device, Box::new(sink)).unwrap(), told)
}

#[test]
fn what_is_typed_is_told_and_so_is_the_end() {
    let (device, mut typed) = device();
    let (_reader, told) = start(device);
    typed.write_all(b"a").unwrap();
    assert_eq!(told.recv().unwrap(), keys("a"));
    typed.write_all(b"\x1b").unwrap();
    assert_eq!(told.recv().unwrap(), vec![Input::Key("esc".parse().unwrap())], "by time alone");
    drop(typed);
    assert_eq!(told.recv().unwrap(), vec![Input::Ended(Ended::Gone)]);
    assert!(told.recv().is_err(), "and nothing after it");
}

#[test]
fn what_is_unfinished_at_the_end_is_told_before_it() {
    let (device, mut typed) = device();
    typed.write_all(b"\x1b[200~abc").unwrap();
    drop(typed);
    let (_reader, told) = start(device);
    let inputs: Vec<Input> = told.iter().flatten().collect();
    assert_eq!(inputs, vec![Input::Paste("abc".to_owned()), Input::Ended(Ended::Gone)]);
}

#[test]
fn a_paused_reader_leaves_the_bytes_to_others() {
    let (device, mut typed) = device();
    let (reader, told) = start(device.clone());
    for round in 0..50 {
        reader.pause();
        typed.write_all(b"x").unwrap();
        assert!(told.try_recv().is_err(), "round {round}");
        reader.resume();
        assert_eq!(told.recv().unwrap(), keys("x"));
    }
    reader.pause();
    reader.pause();
    typed.write_all(b"y").unwrap();
    drop(reader);
    assert!(told.recv().is_err(), "dropping a paused reader reads nothing more");
}

#[test]
fn pausing_tells_what_was_held_first() {
    let (device, mut typed) = device();
    let (reader, told) = start(device);
    // The key says that the bytes before the pause were read.
    typed.write_all(b"a\x1b[200~abc").unwrap();
    assert_eq!(told.recv().unwrap(), keys("a"));
    reader.pause();
    assert_eq!(told.try_recv().unwrap(), vec![Input::Paste("abc".to_owned())]);
}

#[test]
fn a_sink_can_pause_its_own_reader() {
    let (device, mut typed) = device();
    let own = Arc::new(Mutex::new(None::<Reader>));
    let (tell, told) = channel();
    let slot = own.clone();
    let sink = move |inputs| {
        if let Some(reader) = &*slot.lock().unwrap() {
            reader.pause();
        }
        tell.send(inputs).unwrap();
        ControlFlow::Continue(())
    };
    *own.lock().unwrap() = Some(Reader::start(device, Box::new(sink)).unwrap());
    typed.write_all(b"a").unwrap();
    assert_eq!(told.recv().unwrap(), keys("a"));
    typed.write_all(b"b").unwrap();
    own.lock().unwrap().as_ref().unwrap().pause();
    assert!(told.try_recv().is_err());
    own.lock().unwrap().as_ref().unwrap().resume();
    assert_eq!(told.recv().unwrap(), keys("b"));
}

#[test]
fn a_sink_can_end_its_reader_and_pausing_does_not_wait_for_it() {
    let (device, mut typed) = device();
    let (reader, told) = start(device);
    drop(told);
    typed.write_all(b"a").unwrap();
    reader.pause();
    reader.resume();
    reader.pause();
}

#[test]
fn a_sink_that_panics_ends_its_reader_and_nobody_waits_for_it() {
    let (device, mut typed) = device();
    let sink = |_| panic!("meant to be: the sink of a test panics");
    let reader = Reader::start(device, Box::new(sink)).unwrap();
    typed.write_all(b"a").unwrap();
    reader.pause();
    drop(reader);
}
