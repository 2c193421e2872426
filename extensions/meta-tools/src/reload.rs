//! `reload`: a model asks for extensions to be loaded anew, which happens once its turn is over.
//!
//! The wait matters: the tools that the model sees must not change under a turn. What came of it is
//! told to the person.

use crate::{text, tool_spec};
use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::events::{Info, ReinitPresenter};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::Exposure;
use fen_contract::record::Extra;
use fen_contract::reload::{Asker, Reloader};
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// How many reloads may wait for the end of a turn; more of them are one of everything.
const MAX_WAITING: usize = 32;

/// The extension with the tool.
pub fn extension(reloader: Arc<dyn Reloader>) -> impl Extension {
    ReloadTool(reloader)
}

struct ReloadTool(Arc<dyn Reloader>);

/// What waits for the end of the turn; `None` stands for all extensions.
type Waiting = Arc<Mutex<Vec<Option<String>>>>;

impl Extension for ReloadTool {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "reload-tool".to_owned(),
            description: "A tool with which a model asks for a reload".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let waiting = Waiting::default();
        let spec = tool_spec(
            "reload",
            Exposure::Search,
            "Load extensions of fen anew after you have changed them. Happens when your turn is \
             over; new or changed code runs only if the user agrees.",
            json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "One extension; all without it"}
                }
            }),
            Reload { waiting: waiting.clone(), reloader: self.0.clone() },
        );
        api.register(spec.into())?;
        let (reloader, told) = (self.0.clone(), api.clone());
        // The event may be delivered by another thread; reloads belong to the kernel's.
        let runtime = tokio::runtime::Handle::try_current()
            .map_err(|error| Failure::new(format!("nothing can be reloaded: {error}")))?;
        api.on(
            "agent-turn-complete",
            Arc::new(move |_| {
                let due = std::mem::take(&mut *lock(&waiting));
                if due.is_empty() {
                    return Ok(());
                }
                let (reloader, told) = (reloader.clone(), told.clone());
                runtime.spawn(async move {
                    for name in folded(due) {
                        let words = match reloader.reload(name, Asker::Model).await {
                            Ok(report) => report,
                            Err(failure) => format!("reload: {failure}"),
                        };
                        tell(&*told, words);
                    }
                });
                Ok(())
            }),
        );
        Ok(())
    }
}

fn lock(waiting: &Waiting) -> std::sync::MutexGuard<'_, Vec<Option<String>>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Each name once; all where all are wanted.
fn folded(due: Vec<Option<String>>) -> Vec<Option<String>> {
    if due.contains(&None) {
        return vec![None];
    }
    let mut names: Vec<Option<String>> = Vec::new();
    for name in due {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn tell(api: &dyn Api, words: String) {
    let info = Info { info: Some(words), text: None, extra: Extra::new() };
    for event in [info.into(), ReinitPresenter { extra: Extra::new() }.into()] {
        if let Err(failure) = api.emit(event) {
            api.log(fen_contract::api::LogLevel::Warn, &failure.message);
        }
    }
}

struct Reload {
    waiting: Waiting,
    reloader: Arc<dyn Reloader>,
}

impl Tool for Reload {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        _call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        let name = text(&arguments, "name").map(str::to_owned);
        let known = self.reloader.names();
        let result = match &name {
            Some(name) if !known.contains(name) => AgentToolResult::error(format!(
                "There is no extension `{name}` that is loaded; there are {}. A new one is found \
                 by a reload without a name.",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            )),
            _ => {
                let mut waiting = lock(&self.waiting);
                if waiting.len() >= MAX_WAITING {
                    waiting.clear();
                    waiting.push(None);
                } else {
                    waiting.push(name);
                }
                AgentToolResult::text(
                    "It will be loaded when this turn is over; the user sees what came of it.",
                )
            }
        };
        Box::pin(std::future::ready(result))
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}
