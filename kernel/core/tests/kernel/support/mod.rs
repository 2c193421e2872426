//! A stage for the kernel without network, disk or terminal: a scripted provider, scripted tools,
//! sessions in memory, a presenter that is a closure, and a record of every event.

mod extension;
mod provider;
mod record;
mod session;
mod stage;
mod tool;

pub use extension::{TestExtension, extension, from, hook};
pub use provider::{Answer, ScriptedProvider, call};
pub use record::Record;
pub use session::{MemorySessions, Shelved};
pub use stage::Stage;
pub use tool::{ScriptedTool, Timeline};

use fen_contract::api::{Api, Extension, Source};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, PresenterSpec};
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::types::{AgentContext, Message};
use fen_core::{Kernel, RunOutcome, RunSetup};
use std::sync::Arc;

/// A kernel with a scripted provider, and what became of it.
pub struct World {
    pub kernel: Kernel,
    pub provider: Arc<ScriptedProvider>,
    pub sessions: Arc<MemorySessions>,
    pub record: Record,
}

impl World {
    /// A world whose model answers as the closure says, from the number of the call (counted from
    /// 1) and its context.
    pub fn new(script: impl Fn(usize, &AgentContext) -> Answer + Send + Sync + 'static) -> World {
        let kernel = Kernel::new();
        let record = Record::start(&kernel);
        let provider = ScriptedProvider::new(script);
        let world = World { kernel, provider, sessions: MemorySessions::new(), record };
        world.contribute("scripts", world.provider.spec("scripted"));
        world
    }

    /// A world whose model gives these answers one after the other.
    pub fn answering(answers: impl IntoIterator<Item = Answer>) -> World {
        let answers: Vec<Answer> = answers.into_iter().collect();
        World::new(move |number, _| {
            answers.get(number - 1).cloned().unwrap_or_else(|| panic!("no answer {number}"))
        })
    }

    /// The same world with this tool, in an extension of the tool's name.
    pub fn with_tool(self, tool: ScriptedTool) -> World {
        let spec = tool.spec();
        self.contribute(&spec.name.clone(), spec);
        self
    }

    /// Loads a bundled extension of this name with one contribution.
    pub fn contribute(&self, owner: &str, contribution: impl Into<Contribution>) {
        let contribution = contribution.into();
        self.load(extension(owner, move |api| {
            api.register(contribution.clone())?;
            Ok(())
        }));
    }

    /// Loads a bundled extension that has to load well.
    pub fn load(&self, extension: TestExtension) {
        self.kernel.load(&extension, Source::Bundled).unwrap();
    }

    /// What a run begins with unless a test says otherwise.
    pub fn setup(&self) -> RunSetup {
        RunSetup {
            session: Some((self.sessions.clone(), self.sessions.begin())),
            ..RunSetup::new("stage", "scripted", "m", "/home")
        }
    }

    /// Runs to the end with a presenter that does what the closure says.
    pub async fn run<F, R>(&self, drive: F) -> RunOutcome
    where
        F: Fn(Stage) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        self.run_with(self.setup(), drive).await
    }

    /// The same with another beginning.
    pub async fn run_with<F, R>(&self, setup: RunSetup, drive: F) -> RunOutcome
    where
        F: Fn(Stage) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let drive = Arc::new(drive);
        let outcome = self
            .present(setup, move |context| {
                let drive = drive.clone();
                Box::pin(async move {
                    drive(Stage::new(context)).await;
                    Ok(())
                })
            })
            .await;
        // The kernel catches panics, those of assertions too.
        if let Some(failure) = &outcome.failure
            && failure.message.contains("panicked")
        {
            panic!("the presenter failed: {failure}");
        }
        for error in self.record.texts("extension-error", "error") {
            assert!(!error.contains("assertion"), "{error}");
        }
        outcome
    }

    /// The same with a presenter that may fail.
    pub async fn present(
        &self,
        setup: RunSetup,
        drive: impl Fn(PresenterContext) -> BoxFuture<'static, Result<(), Failure>>
        + Send
        + Sync
        + 'static,
    ) -> RunOutcome {
        self.contribute(
            "stage",
            PresenterSpec {
                name: "stage".to_owned(),
                one_shot: None,
                presenter: Arc::new(Closure(drive)),
            },
        );
        self.kernel.run(setup).await
    }

    /// Runs one prompt to its end and gives the events, `agent-started` to `agent-shutdown`.
    pub async fn prompt(&self, text: &'static str) -> String {
        self.run(move |stage| async move { stage.say(text).await }).await;
        self.record.order()
    }

    /// The extension surface of an extension without contributions.
    pub fn api_of(&self, owner: &str) -> Arc<dyn Api> {
        let kept = Arc::new(std::sync::OnceLock::new());
        let keep = kept.clone();
        self.load(extension(owner, move |api| {
            let _ = keep.set(api.clone());
            Ok(())
        }));
        kept.get().unwrap().clone()
    }

    /// Loads an extension of this source; the words of its failure are given back.
    pub fn try_load(&self, extension: &dyn Extension, source: Source) -> Result<(), String> {
        self.kernel.load(extension, source).map_err(|failure| failure.message)
    }
}

struct Closure<F>(F);

impl<F> Presenter for Closure<F>
where
    F: Fn(PresenterContext) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync,
{
    fn run<'a>(&'a self, context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        (self.0)(context.clone())
    }
}

/// The messages in short: `u:text`, `a:text`, `a(id,id)`, `r(id)`, with `!` for what failed and `~`
/// for what was aborted.
pub fn shape(messages: &[Message]) -> String {
    use fen_contract::types::StopReason;
    let one = |message: &Message| match message {
        Message::User(user) => format!("u:{}", user.content.text()),
        Message::ToolResult(result) => {
            let mark = if result.is_error { "!" } else { "" };
            format!("r({}){mark}", result.tool_call_id)
        }
        Message::Assistant(answer) => {
            let calls: Vec<&str> = answer.tool_calls().map(|call| call.id.as_str()).collect();
            let mark = match answer.stop_reason {
                Some(StopReason::Error) => "!",
                Some(StopReason::Aborted) => "~",
                _ => "",
            };
            match (answer.text(), calls.as_slice()) {
                (text, []) => format!("a:{}{mark}", text.unwrap_or_default()),
                (_, calls) => format!("a({}){mark}", calls.join(",")),
            }
        }
    };
    messages.iter().map(one).collect::<Vec<_>>().join(" ")
}
