//! Lines that the person hands over: prompts, commands, and commands of the shell.

use super::{App, Phase};
use crate::effect::Effect;
use crate::transcript::{Audience, NoteKind, ShellId};
use fen_contract::conversation::WhenBusy;

impl App {
    /// Hands over what was typed. While a turn is under way it waits in a queue.
    pub(super) fn submit(&mut self, when_busy: WhenBusy) {
        if self.editor.text().trim().is_empty() {
            return;
        }
        self.popup = None;
        let line = self.editor.take();
        self.remember(&line);
        self.transcript.go_end();
        let shell = match line.strip_prefix("!!") {
            Some(command) => Some((command, Audience::Person)),
            None => line.strip_prefix('!').map(|command| (command, Audience::Model)),
        };
        if let Some((command, audience)) = shell.filter(|(command, _)| !command.trim().is_empty()) {
            self.begin_shell(command.trim().to_owned(), audience);
            return;
        }
        if !is_command(&line) && !self.activity.is_busy() {
            self.activity.enter(Phase::Waiting, self.now);
        }
        self.wish(Effect::Submit { line, when_busy });
    }

    /// Keeps a line in the history; what keeps it from being stored is told.
    pub(super) fn remember(&mut self, line: &str) {
        if let Some(problem) = self.history.add(line) {
            self.transcript.note(NoteKind::Error, problem.as_str().into());
        }
    }

    fn begin_shell(&mut self, command: String, audience: Audience) {
        let shell = self.transcript.begin_shell(command.clone(), audience, self.now);
        self.shells += 1;
        self.wish(Effect::Shell { shell, command, audience });
    }

    pub(super) fn shell_ended(&mut self, shell: ShellId, end: Result<(), String>) {
        self.shells = self.shells.saturating_sub(1);
        self.transcript.end_shell(shell, end, self.now);
    }

    /// Keeps what a command of the person's gave for the next prompt.
    pub(super) fn hold(&mut self, command: &str, end: &Result<(), String>, text: &str) {
        let why = end.as_ref().err().map(|why| format!("\n[{why}]")).unwrap_or_default();
        let held = format!("I ran `{command}`:\n```\n{}{why}\n```", text.trim_end());
        self.wish(Effect::Hold(held));
        self.notify("its output goes with your next prompt");
    }

    pub(super) fn edited_outside(&mut self, outcome: Result<String, String>) {
        match outcome {
            Ok(text) => self.editor.set_text(text.trim_end_matches('\n')),
            Err(why) => self.complain(format!("the editor outside failed: {why}")),
        }
    }
}

/// Whether a line is a command for fen.
fn is_command(line: &str) -> bool {
    let mut letters = line.chars();
    letters.next() == Some('/') && letters.next().is_some_and(|c| c.is_ascii_lowercase())
}
