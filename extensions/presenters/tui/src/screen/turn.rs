//! The screen's loop: keys first, then what has happened, then a frame if one is due.

use super::carry_out::Worker;
use super::frame::Frame;
use crate::app::App;
use crate::config::Mark;
use crate::input::Input;
use crate::mailbox::{Lost, Wake};
use crate::presenter::Link;
use fen_contract::failure::Failure;
use fen_tty::input::Input as Typed;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a frame stands before the next one, unless a key comes.
const FRAME: Duration = Duration::from_millis(16);
/// How much time changes may take before keys are looked at again.
const SLICE: Duration = Duration::from_millis(2);

/// The loop and what it works with.
pub(crate) struct Turn<'a> {
    pub app: &'a mut App,
    pub frame: &'a mut Frame,
    pub worker: &'a mut Worker,
    pub link: Arc<Link>,
    pub mark: Mark,
    /// When the last frame was drawn.
    drawn: Option<Instant>,
}

impl<'a> Turn<'a> {
    pub fn new(
        app: &'a mut App,
        frame: &'a mut Frame,
        worker: &'a mut Worker,
        link: Arc<Link>,
        mark: Mark,
    ) -> Turn<'a> {
        Turn { app, frame, worker, link, mark, drawn: None }
    }

    /// Goes on until the screen is to be left.
    pub fn run(&mut self) -> Result<(), Failure> {
        let link = self.link.clone();
        loop {
            self.carry_out()?;
            if self.app.is_over() {
                return Ok(());
            }
            let due = self.drawn.map(|drawn| drawn + FRAME).filter(|due| *due > Instant::now());
            if self.app.is_dirty() && due.is_none() {
                self.draw()?;
            }
            let mail = match self.app.is_dirty() {
                true => link.mailbox.take(due, Wake::Keys),
                false => link.mailbox.take(self.app.next_tick(), Wake::Any),
            };
            self.feel(mail.keys)?;
            self.hear(mail.others)?;
            self.tell_lost(mail.lost);
            self.app.tick(Instant::now());
        }
    }

    /// Keys are shown at once.
    fn feel(&mut self, keys: VecDeque<Typed>) -> Result<(), Failure> {
        if keys.is_empty() {
            return Ok(());
        }
        for key in keys {
            self.app.feel(&key, Instant::now());
            self.carry_out()?;
        }
        if self.app.is_dirty() { self.draw() } else { Ok(()) }
    }

    /// What each brings about is done before the next is heard: the order is theirs.
    fn hear(&mut self, inputs: VecDeque<Input>) -> Result<(), Failure> {
        let mut slice = Instant::now();
        for input in inputs {
            if matches!(input, Input::Continued) {
                self.worker.continued(self.app, self.frame);
            }
            if matches!(input, Input::Resized | Input::Continued) {
                self.look_at_size();
            }
            self.app.hear(input, Instant::now());
            self.carry_out()?;
            if slice.elapsed() > SLICE {
                let keys = self.link.mailbox.take_keys();
                self.feel(keys)?;
                slice = Instant::now();
            }
        }
        Ok(())
    }

    fn carry_out(&mut self) -> Result<(), Failure> {
        while self.app.has_effects() {
            for effect in self.app.take_effects() {
                self.worker.carry_out(effect, self.app, self.frame)?;
            }
        }
        Ok(())
    }

    /// The window's size at this moment.
    fn look_at_size(&mut self) {
        let (columns, rows) = self.frame.size();
        self.link.set_size(columns, rows);
        self.app.resize(columns, rows);
    }

    fn draw(&mut self) -> Result<(), Failure> {
        if self.frame.was_away() {
            self.look_at_size();
        }
        self.app.take_dirty();
        let app = &mut *self.app;
        self.frame.draw(app.size, |buffer| crate::view::draw(app, buffer))?;
        if self.drawn.is_none() {
            (self.mark)("first frame");
        }
        self.drawn = Some(Instant::now());
        self.worker.make(self.app);
        Ok(())
    }

    fn tell_lost(&mut self, lost: Lost) {
        if lost.keys > 0 {
            self.app.complain(format!("{} keys came too fast and are lost", lost.keys));
        } else if lost.pieces > 0 {
            self.app.complain(format!("{} pieces of output are not shown", lost.pieces));
        }
    }
}
