//! What the application wants done outside of the screen. It never does it itself.

use crate::transcript::{Audience, ShellId};
use fen_contract::conversation::{QueueName, WhenBusy};
use fen_contract::events::Event;
use fen_contract::ui::Preview;
use serde_json::Value;

/// Something to do.
pub(crate) enum Effect {
    /// Hand a line over: a prompt or a command.
    Submit {
        /// The line.
        line: String,
        /// What to do with it while a turn is under way.
        when_busy: WhenBusy,
    },
    /// Cancel the turn.
    Cancel,
    /// Leave.
    Quit,
    /// Remove a waiting line.
    RemoveQueued(QueuedLine),
    /// Take a waiting line back into the input.
    TakeBack(QueuedLine),
    /// Offer completions of a command line.
    Complete {
        /// Comes back with the offers.
        ticket: u64,
        /// The line up to the cursor.
        line: String,
    },
    /// Offer files.
    CompleteFile {
        /// Comes back with the offers.
        ticket: u64,
        /// What was typed of the name.
        query: String,
    },
    /// Run a command aside.
    Shell {
        /// Which run it is.
        shell: ShellId,
        /// The command.
        command: String,
        /// Who sees what it gives.
        audience: Audience,
    },
    /// End the commands that run aside.
    CancelShells,
    /// Run the control of this key.
    Press(String),
    /// Run the control of this name.
    PressNamed(String),
    /// Tell everybody.
    Emit(Event),
    /// Put text into the clipboard.
    Copy(String),
    /// Let the person edit a text in their own editor.
    Edit(String),
    /// Stop the program, as ctrl-z does.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Ask panels and status items anew.
    Refresh,
    /// Ask how things are.
    AskFacts,
    /// Read the conversation anew.
    Reload,
    /// Show the errors that were logged.
    /// Beside these, which the person was told of.
    ShowErrors(Vec<String>),
    /// Make the preview of an offer.
    Preview {
        /// Comes back with it.
        ticket: u64,
        /// What makes it.
        make: Preview,
        /// The offer.
        value: Value,
    },
    /// Let the terminal report the mouse, or leave it alone.
    Mouse(Mouse),
    /// Read the person's keys anew.
    ReadKeys,
    /// Tell others which keys and themes there are.
    Publish,
}

/// A line that waits, as it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueuedLine {
    /// Where it waits.
    pub queue: QueueName,
    /// Its place there.
    pub position: usize,
    /// What it says.
    pub text: String,
}

/// Whether the terminal reports the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mouse {
    /// Clicks, drags and the wheel come to fen.
    Reported,
    /// The terminal keeps them, for its own marking.
    Left,
}
