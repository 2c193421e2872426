//! Lines that the person hands over: prompts, commands, and commands of the shell.

use super::{App, Phase};
use crate::effect::Effect;
use crate::transcript::{Audience, NoteKind, ShellId};
use fen_contract::conversation::WhenBusy;

/// How many outputs wait for the next prompt at the most.
const HELD: usize = 8;

impl App {
    /// Hands over what was typed. While a turn is under way it waits in a queue.
    pub(super) fn submit(&mut self, when_busy: WhenBusy) {
        if self.editor.text().trim().is_empty() {
            return;
        }
        self.popup = None;
        let has_no_command = |text: &str| text.trim_start_matches('!').trim().is_empty();
        if self.editor.text().starts_with('!') && has_no_command(&self.editor.text()) {
            return self.complain("a command comes after the !");
        }
        let line = self.editor.take();
        self.remember(&line);
        self.transcript.go_end();
        self.notice = None;
        let shell = match line.strip_prefix("!!") {
            Some(command) => Some((command, Audience::Person)),
            None => line.strip_prefix('!').map(|command| (command, Audience::Model)),
        };
        if let Some((command, audience)) = shell.filter(|(command, _)| !command.trim().is_empty()) {
            self.begin_shell(command.trim().to_owned(), audience);
            return;
        }
        if is_command(&line) {
            self.wish(Effect::Submit { line, when_busy });
            return;
        }
        if !self.activity.is_busy() {
            self.activity.enter(Phase::Waiting, self.now);
        }
        // What commands gave stands before the words about it.
        let line = match self.held.is_empty() {
            true => line,
            false => {
                let words = line.strip_prefix('/').filter(|rest| rest.starts_with('/'));
                self.held.push(words.unwrap_or(&line).to_owned());
                std::mem::take(&mut self.held).join("\n\n")
            }
        };
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
        match self.held.len() < HELD {
            true => {
                self.held.push(held);
                self.notify("its output goes with your next prompt");
            }
            false => self.complain("too much goes with your next prompt already"),
        }
    }

    pub(super) fn edited_outside(&mut self, outcome: Result<String, String>) {
        match outcome {
            Ok(text) => self.editor.set_text(text.trim_end_matches('\n')),
            Err(why) => self.complain(format!("the text stays as it was: {why}")),
        }
    }
}

/// Whether a line is a command for fen: its first word is `/name`.
fn is_command(line: &str) -> bool {
    let name = line.split_whitespace().next().and_then(|word| word.strip_prefix('/'));
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    })
}
