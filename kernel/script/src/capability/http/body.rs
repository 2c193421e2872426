//! A body that is read piece by piece, on demand, and that tells a proper end from a broken one.
//!
//! Between two reads it lies with the script; during one it is with the runtime, and a read that is
//! given up takes the connection with it. Two reads at once are refused.

use std::cell::RefCell;
use std::collections::VecDeque;

use fen_transport::http::{Response, SseStream};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;

use super::super::answer::{Kind, Refusal};
use super::super::lines::Lines;
use super::super::remote;

/// An event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) event: String,
    pub(super) data: String,
    pub(super) id: String,
    /// Not so for a last one that the stream did not end properly: its data may be cut.
    pub(super) complete: bool,
}

/// The body of one answer.
pub(super) struct Body {
    runtime: Handle,
    /// The longest line or event.
    longest: usize,
    state: RefCell<State>,
}

struct State {
    source: Source,
    lines: Lines,
    events: VecDeque<Event>,
    slot: Option<OwnedSemaphorePermit>,
}

/// Where the next bytes come from.
enum Source {
    Bytes(Box<Response>),
    Events(Box<SseStream>),
    /// A read is under way.
    Away,
    /// All was read, or it was closed.
    Ended,
    Failed(Refusal),
}

/// Puts the end of a read that was given up in the place of its source.
struct Trip<'b>(&'b Body);

impl Drop for Trip<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.borrow_mut();
        if matches!(state.source, Source::Away) {
            state.source = Source::Failed(Refusal::new(Kind::Cancelled, "reading was cancelled"));
            state.slot = None;
        }
    }
}

impl Body {
    pub(super) fn new(
        runtime: Handle,
        response: Response,
        longest: usize,
        slot: OwnedSemaphorePermit,
    ) -> Self {
        let state = State {
            source: Source::Bytes(Box::new(response)),
            lines: Lines::new(longest),
            events: VecDeque::new(),
            slot: Some(slot),
        };
        Body { runtime, longest, state: RefCell::new(state) }
    }

    /// Why reading failed, if it did.
    pub(super) fn failure(&self) -> Option<Refusal> {
        match &self.state.borrow().source {
            Source::Failed(refusal) => Some(refusal.clone()),
            _ => None,
        }
    }

    /// Gives up what is left; reading finds the end from then on.
    pub(super) fn close(&self) {
        let source = {
            let state = &mut *self.state.borrow_mut();
            state.events.clear();
            state.lines.rest();
            state.slot = None;
            std::mem::replace(&mut state.source, Source::Ended)
        };
        drop(source);
    }

    /// The next bytes as they come, `None` at the proper end.
    pub(super) async fn read(&self) -> Result<Option<Vec<u8>>, Refusal> {
        if let Some(rest) = self.state.borrow_mut().lines.rest() {
            return Ok(Some(rest));
        }
        self.more_bytes().await
    }

    /// The next line without its end, `None` at the proper end.
    pub(super) async fn line(&self) -> Result<Option<Vec<u8>>, Refusal> {
        loop {
            let line = self.state.borrow_mut().lines.next();
            match line {
                Ok(Some(line)) => return Ok(Some(line)),
                Ok(None) => {}
                Err(refusal) => return Err(self.fail(refusal)),
            }
            match self.more_bytes().await? {
                Some(bytes) => self.state.borrow_mut().lines.push(&bytes),
                None => return Ok(self.state.borrow_mut().lines.rest()),
            }
        }
    }

    /// The next event, `None` at the proper end.
    pub(super) async fn event(&self) -> Result<Option<Event>, Refusal> {
        loop {
            if let Some(event) = self.state.borrow_mut().events.pop_front() {
                return Ok(Some(event));
            }
            let stream = match self.set_out()? {
                Source::Ended => return Ok(None),
                Source::Events(stream) => stream,
                Source::Bytes(response) => Box::new(SseStream::new(*response, self.longest)),
                other => return Err(self.arrive(other)),
            };
            if !self.state.borrow().lines.is_empty() {
                return Err(self.fail(misused("the body was begun to be read as lines")));
            }
            let _trip = Trip(self);
            let (read, events) = remote::run(&self.runtime, batch(stream)).await?;
            let state = &mut *self.state.borrow_mut();
            if matches!(state.source, Source::Away) {
                state.events.extend(events);
                state.settle(read);
            }
        }
    }

    async fn more_bytes(&self) -> Result<Option<Vec<u8>>, Refusal> {
        let mut response = match self.set_out()? {
            Source::Ended => return Ok(None),
            Source::Bytes(response) => response,
            Source::Events(stream) => {
                self.arrive(Source::Events(stream));
                return Err(misused("the body is being read as events"));
            }
            other => return Err(self.arrive(other)),
        };
        let _trip = Trip(self);
        let read = remote::run(&self.runtime, async move {
            Ok(match response.next_chunk().await {
                Ok(Some(chunk)) => (Source::Bytes(response), Some(chunk.to_vec())),
                Ok(None) => (Source::Ended, None),
                Err(error) => (Source::Failed(super::refusal(&error)), None),
            })
        });
        let (source, chunk) = read.await?;
        let state = &mut *self.state.borrow_mut();
        if matches!(state.source, Source::Away) {
            state.settle(source);
        }
        match &state.source {
            Source::Failed(refusal) => Err(refusal.clone()),
            _ => Ok(chunk),
        }
    }

    /// Takes the source for a read; an end or a failure stays where it is.
    fn set_out(&self) -> Result<Source, Refusal> {
        let state = &mut *self.state.borrow_mut();
        match &state.source {
            Source::Ended => Ok(Source::Ended),
            Source::Failed(refusal) => Err(refusal.clone()),
            Source::Away => Err(misused("the body is being read already")),
            Source::Bytes(_) | Source::Events(_) => {
                Ok(std::mem::replace(&mut state.source, Source::Away))
            }
        }
    }

    /// Puts a source back that is not read after all.
    fn arrive(&self, source: Source) -> Refusal {
        self.state.borrow_mut().source = source;
        misused("the body cannot be read so")
    }

    fn fail(&self, refusal: Refusal) -> Refusal {
        let state = &mut *self.state.borrow_mut();
        state.settle(Source::Failed(refusal.clone()));
        refusal
    }
}

impl State {
    fn settle(&mut self, source: Source) {
        if matches!(source, Source::Ended | Source::Failed(_)) {
            self.slot = None;
        }
        self.source = source;
    }
}

fn misused(words: &str) -> Refusal {
    Refusal::new(Kind::Invalid, words)
}

/// Reads until there is an event, or no more will come. Events before a failure count.
async fn batch(mut stream: Box<SseStream>) -> Result<(Source, VecDeque<Event>), Refusal> {
    let mut events = VecDeque::new();
    loop {
        let read = stream.next_batch(|event| {
            events.push_back(Event {
                event: event.event.to_owned(),
                data: event.data.to_owned(),
                id: event.id.to_owned(),
                complete: event.complete,
            });
        });
        match read.await {
            Ok(true) if events.is_empty() => {}
            Ok(true) => return Ok((Source::Events(stream), events)),
            Ok(false) => return Ok((Source::Ended, events)),
            Err(error) => return Ok((Source::Failed(super::refusal(&error)), events)),
        }
    }
}
