//! Lines that a person types: which are commands, and running those.
//!
//! It knows the form of a command and none by name. The conversation's handle calls it.

use crate::guard::guarded;
use crate::shared::{Shared, lock};
use fen_contract::command::{CommandContext, Completion};
use fen_contract::events;
use fen_contract::failure::{Failure, Fault};
use fen_contract::kinds::{CommandSpec, Contribution, Kind};
use fen_contract::record::Extra;
use fen_contract::validate::nearest_name;
use std::sync::Arc;

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// `/name arguments`.
    Command { name: &'a str, arguments: &'a str },
    /// Anything else; a doubled slash at the beginning is one slash.
    Prompt(&'a str),
}

/// Tells commands from prompts. A command's first word is `/[a-z][a-z0-9-]*`, so that paths are
/// prompts; the arguments are what follows the name and one space, unchanged.
pub(crate) fn classify(line: &str) -> Line<'_> {
    let Some(rest) = line.strip_prefix('/') else { return Line::Prompt(line) };
    if rest.starts_with('/') {
        return Line::Prompt(rest);
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (name, tail) = rest.split_at(end);
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !fits {
        return Line::Prompt(line);
    }
    let arguments = tail.strip_prefix(' ').unwrap_or(tail);
    Line::Command { name, arguments }
}

impl Shared {
    /// Runs a command. A failure is emitted as `error` and given back.
    pub(crate) async fn dispatch(
        self: &Arc<Self>,
        name: &str,
        arguments: &str,
    ) -> Result<(), Failure> {
        let outcome = self.run_command(name, arguments).await;
        if let Err(failure) = &outcome {
            self.emit_error(failure.message.clone());
        }
        outcome
    }

    async fn run_command(self: &Arc<Self>, name: &str, arguments: &str) -> Result<(), Failure> {
        let snapshot = self.registry.snapshot();
        let Some(entry) = snapshot.find(Kind::Command, name) else {
            let names: Vec<&str> =
                snapshot.of_kind(Kind::Command).map(|entry| entry.contribution.name()).collect();
            let hint = match nearest_name(name, names.iter().copied()) {
                Some(near) => format!("did you mean /{near}?"),
                None if names.is_empty() => "there is none at all".to_owned(),
                None => format!("there are /{}", names.join(", /")),
            };
            return Err(Failure::caller(format!("there is no command /{name}; {hint}")));
        };
        let Contribution::Command(spec) = &entry.contribution else {
            return Err(Failure::caller(format!("there is no command /{name}")));
        };
        if arguments.trim() == "help" {
            self.bus.emit(events::Info {
                info: Some(usage(spec)),
                text: None,
                extra: Extra::new(),
            });
            return Ok(());
        }
        let busy = lock(&self.inbox).busy;
        if busy && spec.idle_only == Some(true) {
            return Err(Failure::caller(format!(
                "/{name} has to wait until the agent is idle; cancel the turn first, or try later"
            )));
        }
        let context = self.command_context();
        let ran = guarded(|| spec.command.run(arguments, &context)).await;
        match ran {
            Ok(Ok(())) => Ok(()),
            Ok(Err(failure)) => Err(Failure { message: format!("/{name}: {failure}"), ..failure }),
            Err(failure) => {
                self.report_callback(&entry.by.owner, "handler", &failure.message);
                Err(Failure {
                    fault: Fault::Runtime,
                    message: format!("/{name} of extension `{}`: {failure}", entry.by.owner),
                })
            }
        }
    }
}

impl Shared {
    fn command_context(self: &Arc<Self>) -> CommandContext {
        CommandContext {
            busy: lock(&self.inbox).busy,
            agent: self.agent(),
            session: self.session_info(),
        }
    }

    /// Offers completions of a line that begins with `/`.
    pub(crate) async fn complete(self: &Arc<Self>, line: &str) -> Vec<Completion> {
        let Some(rest) = line.strip_prefix('/') else { return Vec::new() };
        let snapshot = self.registry.snapshot();
        let commands = snapshot.of_kind(Kind::Command).filter_map(|entry| {
            let Contribution::Command(spec) = &entry.contribution else { return None };
            Some((&entry.by.owner, spec))
        });
        let Some((name, prefix)) = rest.split_once(' ') else {
            let mut offers: Vec<Completion> = commands
                .filter(|(_, spec)| spec.name.starts_with(rest))
                .map(|(_, spec)| Completion {
                    label: format!("/{}", spec.name),
                    value: format!("/{}", spec.name),
                    description: spec.description.clone(),
                })
                .collect();
            offers.sort_by(|a, b| a.label.cmp(&b.label));
            return offers;
        };
        let Some((owner, spec)) = commands.into_iter().find(|(_, spec)| spec.name == name) else {
            return Vec::new();
        };
        let context = self.command_context();
        match guarded(|| spec.command.complete(prefix, &context)).await {
            Ok(offers) => offers,
            Err(failure) => {
                self.report_callback(owner, "complete", &failure.message);
                Vec::new()
            }
        }
    }
}

/// How a command is called and what it does.
fn usage(spec: &CommandSpec) -> String {
    let mut text = format!("/{}", spec.name);
    if let Some(usage) = &spec.usage {
        // Some write the name into it.
        let usage = usage.strip_prefix(&text).map_or(usage.as_str(), str::trim_start);
        text.push(' ');
        text.push_str(usage);
    }
    if let Some(description) = &spec.description {
        text.push_str(" — ");
        text.push_str(description);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_word_after_the_slash_is_a_command() {
        let command = |name, arguments| Line::Command { name, arguments };
        assert_eq!(classify("/model gpt  5 "), command("model", "gpt  5 "));
        assert_eq!(classify("/help"), command("help", ""));
        assert_eq!(classify("/note\nline"), command("note", "\nline"));
        assert_eq!(classify("//help"), Line::Prompt("/help"));
        for prompt in ["/usr/bin is full", "/", "/ x", "/Help", "/1st", " /help", "hi"] {
            assert_eq!(classify(prompt), Line::Prompt(prompt));
        }
    }
}
