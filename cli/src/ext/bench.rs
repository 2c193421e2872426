//! The bench of one test: a kernel aside with the extension in it, a model that plays what the test
//! says, and a conversation that nobody sees.

use super::aside::{Aside, NoTerminal};
use super::conversation::{NAME, Person, Stage, locked};
use crate::mock_script;
use fen_contract::api::Source;
use fen_contract::conversation::{Conversation, Submitted, WhenBusy};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::tool::ToolCallContext;
use fen_contract::types::{ToolCall, joined_text};
use fen_contract::ui::RenderContext;
use fen_core::RunSetup;
use fen_core::tools::{Prepared, ToolFilter, ToolRunner};
use fen_provider_mock::{MockRequest, Script};
use fen_script::answers::Answers;
use fen_script::host::Program;
use fen_script::testing::{Bench, Said};
use fen_transport::retry::Policy;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// How long a test waits for the extension to handle what happened.
const SETTLING: Duration = Duration::from_secs(10);
/// How long the end of a test waits for the script thread.
const LAST_WAIT: Duration = Duration::from_millis(200);
/// The screen that is pretended.
const SCREEN: RenderContext = RenderContext { width: 80, height: 24, busy: false };

/// What the model plays, and how many requests it has answered of it.
#[derive(Default)]
struct Playing {
    script: Script,
    answered: usize,
}

/// See the module.
pub struct OwnBench {
    aside: Aside,
    program: Arc<Program>,
    playing: Arc<Mutex<Playing>>,
    person: Arc<Person>,
    events: Arc<Mutex<Vec<Value>>>,
    /// How many turns are over.
    turns: watch::Receiver<usize>,
    conversation: Arc<dyn Conversation>,
}

/// The script that plays whatever the test has set last. Each one counts its requests anew.
fn replaceable(playing: Arc<Mutex<Playing>>) -> Script {
    Script::later(move |request| {
        let (script, number) = {
            let mut playing = locked(&playing);
            playing.answered += 1;
            (playing.script.clone(), playing.answered - 1)
        };
        let context = request.context.clone();
        Box::pin(async move { script.turn(&MockRequest { number, context: &context }).await })
    })
}

impl OwnBench {
    /// Loads the extension and begins the conversation.
    pub async fn open(program: &Arc<Program>) -> Result<Arc<OwnBench>, Failure> {
        let playing = Arc::<Mutex<Playing>>::default();
        let aside = Aside::new(replaceable(playing.clone()), Arc::new(NoTerminal))?;
        let events = Arc::<Mutex<Vec<Value>>>::default();
        let (over, turns) = watch::channel(0);
        let heard = events.clone();
        aside.kernel.api().on(
            "*",
            Arc::new(move |event| {
                locked(&heard).push(json!(**event));
                if event.name() == "agent-turn-complete" {
                    over.send_modify(|turns| *turns += 1);
                }
                Ok(())
            }),
        );
        let person = Arc::<Person>::default();
        let (stage, mut begun) = Stage::new(person.clone());
        aside.kernel.load(&stage, Source::Bundled)?;
        aside.host.load((**program).clone()).await?;
        let kernel = aside.kernel.clone();
        let setup = setup(aside.cwd.clone());
        tokio::spawn(async move { kernel.run(setup).await });
        let conversation = begun.wait_for(Option::is_some).await.ok().and_then(|now| now.clone());
        let conversation =
            conversation.ok_or_else(|| Failure::new("the test's conversation did not begin"))?;
        let program = program.clone();
        Ok(Arc::new(OwnBench { aside, program, playing, person, events, turns, conversation }))
    }

    /// Ends the conversation and the extension.
    pub async fn close(&self) {
        self.aside.kernel.quit();
        self.settle().await;
        self.aside.host.shutdown(LAST_WAIT);
    }

    async fn settle(&self) {
        self.aside.host.settle(SETTLING).await;
    }

    fn heard(&self) -> usize {
        locked(&self.events).len()
    }

    fn events_since(&self, first: usize) -> Vec<Value> {
        locked(&self.events).get(first..).unwrap_or_default().to_vec()
    }
}

fn setup(cwd: PathBuf) -> RunSetup {
    RunSetup {
        // A failure that a test plays is final, so that no test waits.
        retry: Policy { max_attempts: 1, ..Policy::default() },
        ..RunSetup::new(NAME, "mock", "script", cwd)
    }
}

/// The words of the events of a name.
fn words(events: &[Value], name: &str, field: &str) -> Vec<String> {
    let named = events.iter().filter(|event| event["type"] == name);
    named.filter_map(|event| event[field].as_str().map(str::to_owned)).collect()
}

impl Bench for OwnBench {
    fn cwd(&self) -> PathBuf {
        self.aside.cwd.clone()
    }

    fn call_tool(&self, name: String, arguments: Value) -> BoxFuture<'_, Result<Value, Failure>> {
        Box::pin(async move {
            let (runner, registry) = (ToolRunner::default(), self.aside.kernel.registry());
            let call = ToolCall::new("test", name, arguments);
            let context = ToolCallContext {
                call_id: call.id.clone(),
                ..ToolCallContext::detached(self.cwd())
            };
            let result = match runner.prepare(&registry, &ToolFilter::default(), &call, &context) {
                Prepared::Refused(result) => result,
                Prepared::Ready(ready) => runner.run(&registry, *ready, &context).await.0,
            };
            self.settle().await;
            let mut row = json!(result);
            row["text"] = joined_text(&result.content).into();
            // Absent means no, and a test asks for it plainly.
            row["is-error?"] = result.is_error.into();
            Ok(row)
        })
    }

    fn command(&self, line: String) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        Box::pin(async move {
            let first = self.heard();
            self.conversation.dispatch(line).await?;
            self.settle().await;
            let events = self.events_since(first);
            let said = events.iter().filter(|event| event["type"] == "info");
            let text = |event: &Value| {
                event["info"].as_str().or(event["text"].as_str()).map(str::to_owned)
            };
            Ok(said.filter_map(text).collect())
        })
    }

    fn mock(&self, answers: Answers) -> Result<(), Failure> {
        let script = mock_script::script(answers).map_err(Failure::caller)?;
        *locked(&self.playing) = Playing { script, answered: 0 };
        Ok(())
    }

    fn prompt(&self, text: String) -> BoxFuture<'_, Result<Value, Failure>> {
        Box::pin(async move {
            let first = self.heard();
            let before = self.conversation.agent().0.message_count();
            let mut turns = self.turns.clone();
            let over = *turns.borrow_and_update();
            match self.conversation.submit_prompt(text, WhenBusy::Reject) {
                Submitted::Rejected(failure) => return Err(failure),
                Submitted::Command(outcome) => outcome?,
                Submitted::Started | Submitted::Queued(_) => {}
            }
            let gone = |_| Failure::new("the conversation is over");
            turns.wait_for(|now| *now > over).await.map_err(gone)?;
            // What waits in a queue begins a turn of its own.
            while self.conversation.is_busy() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            self.settle().await;
            let agent = self.conversation.agent();
            let messages: Vec<Value> = (before..agent.0.message_count())
                .filter_map(|position| agent.0.message(position))
                .map(|message| json!(message))
                .collect();
            let events = self.events_since(first);
            let text = words(&events, "assistant-text", "text").pop().unwrap_or_default();
            let error = words(&events, "error", "error").pop();
            Ok(json!({"text": text, "messages": messages, "events": events, "error": error}))
        })
    }

    fn status(&self, name: String) -> BoxFuture<'_, Result<Option<Said>, Failure>> {
        Box::pin(async move {
            let owner = self.program.manifest.name.as_str();
            let known = self.aside.kernel.list("status")?;
            if !known.iter().any(|row| row["name"] == name && row["owner"] == owner) {
                return Err(Failure::caller(format!("the extension has no status `{name}`")));
            }
            let items = self.aside.kernel.api().status_items(SCREEN).await;
            let item =
                items.into_iter().find(|item| item.name == name && item.owner.as_str() == owner);
            Ok(item.map(|item| Said { text: item.segment.text, style: item.segment.style }))
        })
    }

    fn panel(&self, name: String) -> BoxFuture<'_, Result<Option<Vec<String>>, Failure>> {
        Box::pin(async move {
            let owner = self.program.manifest.name.as_str();
            let known = self.aside.kernel.list("panels")?;
            if !known.iter().any(|row| row["name"] == name && row["owner"] == owner) {
                return Err(Failure::caller(format!("the extension has no panel `{name}`")));
            }
            let panels = self.aside.kernel.api().panels(SCREEN).await;
            let panel = panels
                .into_iter()
                .find(|panel| panel.name == name && panel.owner.as_str() == owner);
            let text = |row: Vec<fen_contract::ui::Segment>| -> String {
                row.into_iter().map(|segment| segment.text).collect()
            };
            Ok(panel.map(|panel| panel.rows.into_iter().map(text).collect()))
        })
    }

    fn press(&self, key: String) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            let pressed = self.aside.kernel.api();
            match pressed.press(&key).await {
                Some(outcome) => outcome?,
                None => return Err(Failure::caller(format!("no control has the key `{key}`"))),
            }
            self.settle().await;
            Ok(())
        })
    }

    fn answer(&self, answer: Value) {
        self.person.prepare(answer);
    }

    fn notices(&self) -> Vec<String> {
        self.person.seen()
    }

    fn events(&self) -> BoxFuture<'_, Vec<Value>> {
        Box::pin(async move {
            self.settle().await;
            self.events_since(0)
        })
    }

    fn reload(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            self.aside.host.load((*self.program).clone()).await?;
            Ok(())
        })
    }
}
