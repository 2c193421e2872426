//! `/reload [name]`: loads extensions anew while the conversation goes on.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::command::{Command, CommandContext, Completion};
use fen_contract::events::{Info, ReinitPresenter};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::CommandSpec;
use fen_contract::record::Extra;
use fen_contract::reload::{Asker, Reloader};
use std::sync::Arc;

/// The extension that registers the command.
pub fn extension(reloader: Arc<dyn Reloader>) -> impl Extension {
    Reload(reloader)
}

struct Reload(Arc<dyn Reloader>);

impl Extension for Reload {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "reload".to_owned(),
            description: "Loads extensions anew".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = CommandSpec {
            name: "reload".to_owned(),
            description: Some(
                "Load one extension, or all, anew; one that does not load leaves its former self in \
                 force"
                    .to_owned(),
            ),
            idle_only: None,
            order: Some(145.0),
            // Else an extension could bring in code that nobody has seen.
            person_only: Some(true),
            subcommands: None,
            usage: Some("[name]".to_owned()),
            command: Arc::new(ReloadCommand { api: api.clone(), reloader: self.0.clone() }),
        };
        api.register(spec.into())?;
        Ok(())
    }
}

struct ReloadCommand {
    api: Arc<dyn Api>,
    reloader: Arc<dyn Reloader>,
}

impl Command for ReloadCommand {
    fn run<'a>(
        &'a self,
        arguments: &'a str,
        _context: &'a CommandContext,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let name = Some(arguments.trim()).filter(|name| !name.is_empty());
            let report = self.reloader.reload(name.map(str::to_owned), Asker::Person).await?;
            let info = Info { info: Some(report), text: None, extra: Extra::new() };
            self.api.emit(info.into())?;
            self.api.emit(ReinitPresenter { extra: Extra::new() }.into())
        })
    }

    fn complete<'a>(
        &'a self,
        prefix: &'a str,
        _context: &'a CommandContext,
    ) -> BoxFuture<'a, Vec<Completion>> {
        let names = self.reloader.names();
        let offers = names
            .into_iter()
            .filter(|name| name.starts_with(prefix))
            .map(|name| Completion { label: name.clone(), value: name, description: None })
            .collect();
        Box::pin(std::future::ready(offers))
    }
}
