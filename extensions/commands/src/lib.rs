//! The built-in slash commands. They say what they have to say as `info` events, so that every
//! presenter has them; where there is a screen they open pickers and pages there. [`reload`] is an
//! extension of its own, since it needs one who loads.

mod conversation;
mod copy;
mod expand;
mod extensions;
mod help;
mod model;
mod reference;
pub mod reload;
mod screen;
mod session_picker;
mod session_row;
mod sessions;
mod status;
mod thinking;

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::command::{Command, CommandContext, Completion};
use fen_contract::conversation::Conversation;
use fen_contract::events::Info;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::CommandSpec;
use fen_contract::record::Extra;
use fen_contract::ui::{Page, PageFormat, Ui};
use std::sync::Arc;

/// The extension that registers the commands.
pub fn extension() -> impl Extension {
    Commands
}

struct Commands;

impl Extension for Commands {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "commands".to_owned(),
            description: "The built-in slash commands".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let all = [
            help::commands(),
            status::commands(),
            model::commands(),
            thinking::commands(),
            conversation::commands(),
            sessions::commands(),
            copy::commands(),
            expand::commands(),
            screen::commands(),
            extensions::commands(),
            reference::commands(),
            conversation::leaving(),
        ];
        for (order, definition) in all.into_iter().flatten().enumerate() {
            let spec = CommandSpec {
                name: definition.name.to_owned(),
                description: Some(definition.description.to_owned()),
                idle_only: definition.idle_only.then_some(true),
                order: Some(order as f64 * 10.0),
                person_only: None,
                subcommands: None,
                usage: (!definition.usage.is_empty()).then(|| definition.usage.to_owned()),
                command: Arc::new(Bound {
                    api: api.clone(),
                    run: definition.run,
                    complete: definition.complete,
                }),
            };
            api.register(spec.into())?;
        }
        Ok(())
    }
}

/// What a command's function works with.
struct Call<'a> {
    api: &'a dyn Api,
    arguments: &'a str,
    context: &'a CommandContext,
}

impl Call<'_> {
    fn say(&self, text: impl Into<String>) -> Result<(), Failure> {
        let info = Info { info: Some(text.into()), text: None, extra: Extra::new() };
        self.api.emit(info.into())
    }

    fn conversation(&self) -> Result<Arc<dyn Conversation>, Failure> {
        self.api.conversation().ok_or_else(|| Failure::caller("no conversation is running"))
    }

    /// Where questions go, if anybody can be asked.
    fn ui(&self) -> Option<Arc<dyn Ui>> {
        self.api.conversation().and_then(|conversation| conversation.ui())
    }

    /// The same, where pickers and pages may be opened.
    fn screen(&self) -> Option<Arc<dyn Ui>> {
        self.ui().filter(|ui| ui.has_screen())
    }

    /// Shows lines on a page, or says them where there is none.
    fn page(&self, title: &str, text: String) -> Result<(), Failure> {
        match self.screen() {
            Some(ui) => ui.show(Page { title: title.to_owned(), text, format: PageFormat::Plain }),
            None => self.say(text),
        }
    }
}

type Run = for<'a> fn(Call<'a>) -> BoxFuture<'a, Result<(), Failure>>;

/// How a command completes its argument.
#[derive(Clone, Copy)]
enum Complete {
    /// It does not.
    Nothing,
    /// From what is at hand.
    AtOnce(fn(&dyn Api, &str) -> Vec<Completion>),
    /// From what has to be looked up.
    Later(for<'a> fn(&'a dyn Api, &'a str) -> BoxFuture<'a, Vec<Completion>>),
}

/// One command.
struct Definition {
    name: &'static str,
    usage: &'static str,
    description: &'static str,
    idle_only: bool,
    run: Run,
    complete: Complete,
}

/// Those of the words that begin with the prefix.
fn begun<'a>(words: impl IntoIterator<Item = &'a str>, prefix: &str) -> Vec<Completion> {
    words.into_iter().filter(|word| word.starts_with(prefix)).map(offer).collect()
}

/// A completion whose value is what is shown.
fn offer(value: impl Into<String>) -> Completion {
    let value = value.into();
    Completion { label: value.clone(), value, description: None }
}

struct Bound {
    api: Arc<dyn Api>,
    run: Run,
    complete: Complete,
}

impl Command for Bound {
    fn run<'a>(
        &'a self,
        arguments: &'a str,
        context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        (self.run)(Call { api: &*self.api, arguments: arguments.trim(), context })
    }

    fn complete<'a>(
        &'a self,
        prefix: &'a str,
        _context: &'a CommandContext,
    ) -> BoxFuture<'a, Vec<Completion>> {
        match self.complete {
            Complete::Nothing => Box::pin(std::future::ready(Vec::new())),
            Complete::AtOnce(complete) => {
                Box::pin(std::future::ready(complete(&*self.api, prefix)))
            }
            Complete::Later(complete) => complete(&*self.api, prefix),
        }
    }
}
