//! What the application is told, beside keys.

use crate::app::LongPlace;
use crate::facts::Facts;
use crate::keymap::Keymap;
use crate::transcript::{Audience, Runs, ShellId};
use fen_cells::Line;
use fen_contract::command::Completion;
use fen_contract::conversation::Submitted;
use fen_contract::events::Event;
use fen_contract::failure::Failure;
use fen_contract::types::Message;
use fen_contract::ui::{Choice, Page, PanelView, Picked, Question, StatusView};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Something that happened outside of the screen.
pub(crate) enum Input {
    /// The bus told of something.
    Event(Arc<Event>),
    /// How things are: model, session, waiting lines.
    Facts(Box<Facts>),
    /// The whole conversation, where it was replaced.
    Conversation(Vec<Message>),
    /// What became of a line.
    Submitted {
        /// The line.
        line: String,
        /// How it went.
        outcome: Submitted,
    },
    /// What extensions contribute to the screen.
    Contributions(Vec<PanelView>, Vec<StatusView>),
    /// Offers for the line that was being typed.
    Completions {
        /// Which request this answers.
        ticket: u64,
        /// What is offered.
        offers: Vec<Completion>,
    },
    /// More is known of the project's files.
    FilesChanged,
    /// Somebody asks the person, or the screen, for something.
    Ask(Ask),
    /// A command of the person's has put something out.
    ShellOutput(ShellId, String),
    /// A command of the person's is over: how, and what the model is to read.
    ShellEnd {
        /// Which run it was.
        shell: ShellId,
        /// The command.
        command: String,
        /// Who sees what it gave.
        audience: Audience,
        /// How it ended.
        end: Result<(), String>,
        /// What it wrote, bounded.
        text: String,
    },
    /// Colours of some code.
    Inked {
        /// Which code.
        key: u64,
        /// The colours.
        runs: Runs,
    },
    /// The rows of a long text.
    LaidOut {
        /// Which text, and how wide.
        place: LongPlace,
        /// The rows.
        rows: Arc<[Line]>,
    },
    /// The keys, and what is wrong with the person's file.
    Keys(Box<Keymap>, Vec<String>),
    /// Something to read that was made outside.
    Page(Page),
    /// The preview of an offer.
    Preview {
        /// Which request this answers.
        ticket: u64,
        /// The rows.
        text: String,
    },
    /// What became of a copy to the clipboard.
    Copied(Result<usize, String>),
    /// The text as the editor outside left it.
    Edited(Result<String, String>),
    /// A control has run.
    Pressed(Option<Result<(), Failure>>),
    /// Something was written to standard error; a line of it.
    Stderr(String),
    /// The window has another size.
    Resized,
    /// Somebody outside asks the program to stop, as ctrl-z does.
    Stop,
    /// The program was stopped and goes on.
    Continued,
    /// The run is over.
    Over,
}

/// A request to the person or to the screen.
pub(crate) enum Ask {
    /// A question with a free answer.
    Prompt(Question, oneshot::Sender<Option<String>>),
    /// A yes or no.
    Confirm(Question, oneshot::Sender<Option<bool>>),
    /// Offers to choose from.
    Pick(Choice, oneshot::Sender<Option<Picked>>),
    /// A remark.
    Notify(String),
    /// A text to read.
    Show(Page),
    /// Text for the clipboard.
    Copy(String),
    /// Unfold or fold the newest output.
    Expand,
    /// Show reasoning, or fold it.
    Thinking(crate::transcript::Fold),
    /// Draw everything anew.
    Redraw,
    /// Another theme, which exists.
    Theme(String),
}
