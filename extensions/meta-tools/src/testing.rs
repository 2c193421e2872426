//! A kernel whose presenter calls one tool and ends.

use crate::tool_spec;
use fen_contract::api::{Api, Extension, Manifest, Source};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::{Contribution, Exposure, Kind, PresenterSpec};
use fen_contract::names::Owner;
use fen_contract::presenter::{Presenter, PresenterContext};
use fen_contract::tool::{Tool, ToolCallContext};
use fen_contract::types::{AgentToolResult, Message, joined_text};
use fen_core::tools::ToolFilter;
use fen_core::{Kernel, RunSetup};
use fen_transport::retry::Policy;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};

struct Given {
    name: String,
    contributions: Vec<Contribution>,
}

impl Extension for Given {
    fn manifest(&self) -> Manifest {
        Manifest { name: self.name.clone(), ..Manifest::default() }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        for contribution in &self.contributions {
            api.register(contribution.clone())?;
        }
        Ok(())
    }
}

/// A kernel with the meta-tools.
pub(crate) fn kernel() -> Kernel {
    let kernel = Kernel::new();
    kernel.load(&crate::extension(), Source::Bundled).unwrap();
    kernel
}

/// Loads an extension of this name with one contribution.
pub(crate) fn contribute(kernel: &Kernel, name: &str, contribution: impl Into<Contribution>) {
    let contributions = vec![contribution.into()];
    kernel.load(&Given { name: name.to_owned(), contributions }, Source::User).unwrap();
}

/// Adds a tool that a search can find, in an extension of its name.
pub(crate) fn add_tool(kernel: &Kernel, name: &str, description: &str, parameters: &[&str]) {
    let fields: Map<String, Value> =
        parameters.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    let schema = json!({"type": "object", "properties": fields});
    contribute(kernel, name, tool_spec(name, Exposure::Search, description, schema, Idle));
}

struct Idle;

impl Tool for Idle {
    fn execute<'a>(
        &'a self,
        _arguments: Value,
        _call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(std::future::ready(AgentToolResult::text("ok")))
    }
}

/// Calls a tool and keeps its result.
struct Caller {
    kernel: Kernel,
    tool: String,
    arguments: Value,
    result: Mutex<Option<AgentToolResult>>,
}

impl Presenter for Caller {
    fn run<'a>(&'a self, _context: &'a PresenterContext) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let registry = self.kernel.registry();
            let entry = registry.find(Kind::Tool, &self.tool).unwrap();
            let Contribution::Tool(spec) = &entry.contribution else { panic!("not a tool") };
            let call = ToolCallContext::detached("/");
            let result = spec.tool.execute(self.arguments.clone(), &call).await;
            *self.result.lock().unwrap() = Some(result);
            Ok(())
        })
    }
}

/// Calls a tool in an empty conversation.
pub(crate) fn run(kernel: &Kernel, tool: &str, arguments: Value) -> AgentToolResult {
    run_in(kernel, ToolFilter::default(), Vec::new(), tool, arguments)
}

/// Calls a tool in a run of its own, with these tools and messages.
pub(crate) fn run_in(
    kernel: &Kernel,
    tools: ToolFilter,
    messages: Vec<Message>,
    tool: &str,
    arguments: Value,
) -> AgentToolResult {
    let caller = Arc::new(Caller {
        kernel: kernel.clone(),
        tool: tool.to_owned(),
        arguments,
        result: Mutex::default(),
    });
    // The presenter of the call before.
    kernel.unload(&Owner::from("caller"));
    let presenter =
        PresenterSpec { name: "caller".to_owned(), one_shot: None, presenter: caller.clone() };
    contribute(kernel, "caller", presenter);
    let setup = RunSetup {
        presenter: "caller".to_owned(),
        provider: "nobody".into(),
        model: "m-1".into(),
        thinking: Default::default(),
        max_tokens: None,
        api_key: None,
        tools,
        pinned_tools: Vec::new(),
        cwd: "/home".into(),
        session: None,
        messages,
        queue: Default::default(),
        prompt: None,
        retry: Policy::default(),
        max_model_calls: 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outcome = runtime.block_on(kernel.run(setup));
    assert_eq!(outcome.failure, None);
    let result = caller.result.lock().unwrap().take();
    result.unwrap()
}

/// The text of a result, which must be an error or not.
pub(crate) fn text_of(result: &AgentToolResult, is_error: bool) -> String {
    let text = joined_text(&result.content);
    assert_eq!(result.is_error, is_error, "{text}");
    text
}
