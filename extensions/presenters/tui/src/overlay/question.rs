//! Questions: one with a free answer, one with yes or no.

use super::asked::Asked;
use super::{Reaction, Sheet, Touch};
use crate::keymap::Action;
use fen_cells::{Line, Look, Role, Span};
use fen_contract::ui::Question;
use fen_editor::{Command, Editor};
use tokio::sync::oneshot;

/// A question with a free answer.
pub(crate) struct Prompt {
    asked: Asked,
    is_secret: bool,
    answer: Option<oneshot::Sender<Option<String>>>,
    editor: Editor,
}

impl Prompt {
    pub fn new(question: Question, answer: oneshot::Sender<Option<String>>) -> Prompt {
        let mut editor = Editor::default();
        editor.set_text(question.initial.as_deref().unwrap_or_default());
        Prompt {
            asked: Asked::new(&question.text),
            is_secret: question.secret,
            answer: Some(answer),
            editor,
        }
    }

    pub fn is_abandoned(&self) -> bool {
        self.answer.as_ref().is_some_and(oneshot::Sender::is_closed)
    }

    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        match touch {
            Touch::Act(Action::Accept) => {
                if let Some(answer) = self.answer.take() {
                    // Whoever asked may have given up.
                    let _ = answer.send(Some(self.editor.take()));
                }
                Reaction::Close
            }
            Touch::Act(Action::Cancel) => Reaction::Close,
            Touch::Act(Action::Edit(command)) => {
                if let Ok(command) = command.parse::<Command>() {
                    self.editor.apply(command);
                }
                Reaction::Stay
            }
            Touch::Paste(text) => {
                self.editor.paste(text);
                Reaction::Stay
            }
            Touch::Act(Action::NewLine) => {
                self.editor.apply(Command::Newline);
                Reaction::Stay
            }
            _ => self.asked.touch(touch),
        }
    }

    /// Types a character.
    pub fn insert(&mut self, text: &str) {
        self.editor.apply(Command::Insert(text.into()));
    }

    pub fn sheet(&mut self, cells: usize, rows: usize) -> Sheet {
        let mut lines = self.asked.rows(cells, rows.saturating_sub(1)).to_vec();
        let first = lines.len();
        let cursor = if self.is_secret {
            // Not even how long it is.
            let shown = if self.editor.is_empty() { "" } else { "••••••••" };
            lines.push(Line::of(shown, Role::Accent));
            (first, fen_cells::width(shown).min(cells.saturating_sub(1)))
        } else {
            let view = self.editor.view(cells, rows.saturating_sub(first).max(1));
            lines.extend(view.rows.iter().cloned());
            (first + view.cursor.0, view.cursor.1)
        };
        Sheet {
            title: "A question".to_owned(),
            rows: lines,
            cursor: Some(cursor),
            selected: None,
            hint: "enter answers · esc declines".to_owned(),
        }
    }
}

/// A question with yes or no.
pub(crate) struct Confirm {
    asked: Asked,
    answer: Option<oneshot::Sender<Option<bool>>>,
    is_yes: bool,
    /// The row of the two answers, for the mouse.
    answers: usize,
}

impl Confirm {
    pub fn new(question: Question, answer: oneshot::Sender<Option<bool>>) -> Confirm {
        Confirm {
            asked: Asked::new(&question.text),
            answer: Some(answer),
            is_yes: false,
            answers: 0,
        }
    }

    fn decide(&mut self, yes: bool) -> Reaction {
        if let Some(answer) = self.answer.take() {
            // Whoever asked may have given up.
            let _ = answer.send(Some(yes));
        }
        Reaction::Close
    }

    pub fn is_abandoned(&self) -> bool {
        self.answer.as_ref().is_some_and(oneshot::Sender::is_closed)
    }

    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        match touch {
            Touch::Key("y" | "Y") => return self.decide(true),
            Touch::Key("n" | "N") => return self.decide(false),
            Touch::Key("left" | "right" | "tab" | "h" | "l") => self.is_yes = !self.is_yes,
            Touch::Act(Action::Accept) => return self.decide(self.is_yes),
            Touch::Act(Action::Cancel) => return Reaction::Close,
            Touch::Click(row) if *row == self.answers => self.is_yes = !self.is_yes,
            _ => return self.asked.touch(touch),
        }
        Reaction::Stay
    }

    pub fn sheet(&mut self, cells: usize, rows: usize) -> Sheet {
        let mut lines = self.asked.rows(cells, rows.saturating_sub(2)).to_vec();
        lines.push(Line::default());
        self.answers = lines.len();
        let chosen =
            |is_chosen: bool| Look::of(if is_chosen { Role::Selection } else { Role::Dim });
        lines.push(Line::from(vec![
            Span::new("  No  ", chosen(!self.is_yes)),
            Span::new("  ", Role::Text),
            Span::new("  Yes  ", chosen(self.is_yes)),
        ]));
        let more = if self.asked.is_longer() { " · ↑↓ reads on" } else { "" };
        Sheet {
            title: "A question".to_owned(),
            rows: lines,
            cursor: None,
            selected: None,
            hint: format!("y · n · ←→ enter · esc declines{more}"),
        }
    }
}
