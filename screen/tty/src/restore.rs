//! Giving the terminal back when something goes wrong.
//!
//! Owns the way out: what a shell needs is done first, and then the message is shown. It must work
//! from any thread, at any moment, again and again, and when nothing was ever entered.

use crate::session::Session;
use crate::stderr;
use std::sync::Once;

/// Gives the terminal back at once: modes off, raw input off, and standard error is the terminal's
/// again if it was captured. For panics, and for signals that end the program (on a thread that
/// waits for them, not in a signal handler). Does nothing if there is nothing to give back.
pub fn restore_now() {
    if let Some(session) = Session::current() {
        // Whatever fails here, the rest is to be tried.
        let _ = session.leave();
    }
    stderr::give_back();
}

/// Has each panic on any thread give the terminal back before its message is printed by the hook that
/// was there. A program that catches panics and goes on finds
/// [`is_active`](crate::terminal::Terminal::is_active) false then, and may resume. Installing it
/// again does nothing.
pub fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore_now();
            previous(panic);
        }));
    });
}
