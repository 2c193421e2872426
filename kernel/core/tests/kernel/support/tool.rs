//! Tools that are closures, and a record of which ran beside which.

use fen_contract::failure::BoxFuture;
use fen_contract::kinds::ToolSpec;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Body = dyn Fn(Value, ToolCallContext) -> BoxFuture<'static, AgentToolResult> + Send + Sync;
type Beside = dyn Fn(&Value) -> Concurrency + Send + Sync;

/// A tool whose behaviour is a closure.
pub struct ScriptedTool {
    spec: ToolSpec,
    body: Arc<Body>,
    beside: Arc<Beside>,
}

struct Behaviour {
    body: Arc<Body>,
    beside: Arc<Beside>,
}

impl ScriptedTool {
    /// A serial tool that takes any object.
    pub fn new<R>(
        name: &str,
        body: impl Fn(Value, ToolCallContext) -> R + Send + Sync + 'static,
    ) -> ScriptedTool
    where
        R: Future<Output = AgentToolResult> + Send + 'static,
    {
        let body: Arc<Body> = Arc::new(move |arguments, call| Box::pin(body(arguments, call)));
        let beside: Arc<Beside> = Arc::new(|_| Concurrency::Serial);
        let behaviour = Behaviour { body: body.clone(), beside: beside.clone() };
        ScriptedTool {
            spec: ToolSpec {
                description: format!("The tool {name}"),
                name: name.to_owned(),
                parameters: json!({"type": "object"}),
                label: None,
                exposure: None,
                parallel_cap: None,
                parallel_safe: None,
                snippet: None,
                tool: Arc::new(behaviour),
            },
            body,
            beside,
        }
    }

    /// A tool that gives its arguments back as text.
    pub fn echo(name: &str) -> ScriptedTool {
        ScriptedTool::new(name, |arguments, _| async move {
            AgentToolResult::text(arguments.to_string())
        })
    }

    /// A tool that takes `ms` milliseconds and notes its `name` at both ends.
    pub fn slow(name: &str, timeline: &Timeline) -> ScriptedTool {
        let timeline = timeline.clone();
        ScriptedTool::new(name, move |arguments, _| {
            let timeline = timeline.clone();
            async move {
                let label = arguments["name"].as_str().unwrap_or("?").to_owned();
                timeline.note(&format!("+{label}"));
                let wait = arguments["ms"].as_u64().unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(wait)).await;
                timeline.note(&format!("-{label}"));
                AgentToolResult::text(label)
            }
        })
    }

    /// A tool that waits for the cancellation, and then gives what it has.
    pub fn until_cancelled(name: &str) -> ScriptedTool {
        ScriptedTool::new(name, |_, call| async move {
            call.cancel.cancelled().await;
            AgentToolResult::text("half of it")
        })
    }

    /// A tool that panics.
    pub fn panicking(name: &str) -> ScriptedTool {
        ScriptedTool::new(name, |_, _| async { panic!("out of cheese") })
    }

    /// The same tool with this concurrency.
    pub fn beside(
        mut self,
        beside: impl Fn(&Value) -> Concurrency + Send + Sync + 'static,
    ) -> Self {
        self.beside = Arc::new(beside);
        self.spec.tool =
            Arc::new(Behaviour { body: self.body.clone(), beside: self.beside.clone() });
        self
    }

    /// The same tool, fit to run beside any other.
    pub fn parallel(self) -> Self {
        self.beside(|_| Concurrency::Parallel)
    }

    /// The same tool with this schema.
    pub fn taking(mut self, schema: Value) -> Self {
        self.spec.parameters = schema;
        self
    }

    /// The same tool with changes to its registration.
    pub fn but(mut self, change: impl FnOnce(&mut ToolSpec)) -> Self {
        change(&mut self.spec);
        self
    }

    /// Its registration.
    pub fn spec(self) -> ToolSpec {
        self.spec
    }
}

impl Tool for Behaviour {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        (self.body)(arguments, call.clone())
    }

    fn concurrency(&self, arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        (self.beside)(arguments)
    }
}

/// What happened when, in words.
#[derive(Clone, Default)]
pub struct Timeline(Arc<Mutex<Vec<String>>>);

impl Timeline {
    pub fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    /// All notes in order.
    pub fn told(&self) -> String {
        self.0.lock().unwrap().join(" ")
    }
}
