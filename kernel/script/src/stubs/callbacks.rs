//! What the callbacks of the register kinds get and give, in more detail than the contract's
//! notation has.
//!
//! What fen always passes is not optional here, even where the notation allows an implementation to
//! ignore it: an editor would ask for a check that is never needed.

/// The types of one callback.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callback {
    /// The register kind.
    pub kind: &'static str,
    /// The field.
    pub field: &'static str,
    /// The arguments, each with its type.
    pub parameters: &'static [(&'static str, &'static str)],
    /// What it gives; empty for nothing.
    pub result: &'static str,
}

impl Callback {
    /// Its type in the notation of the annotations.
    pub fn ty(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let result = if self.result.is_empty() { "" } else { ": " };
        format!("fun({}){result}{}", parameters.join(", "), self.result)
    }
}

const fn callback(
    kind: &'static str,
    field: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    result: &'static str,
) -> Callback {
    Callback { kind, field, parameters, result }
}

/// All callbacks of all kinds.
pub(super) const CALLBACKS: &[Callback] = &[
    callback("auth-backend", "api-key", &[], "string?"),
    callback("auth-backend", "login!", &[("opts", "table")], "any"),
    callback("auth-backend", "logout!", &[], "any"),
    callback("auth-backend", "status", &[], "string"),
    callback("command", "handler", &[("args", "string"), ("ctx", "fen.CommandContext")], "any"),
    callback(
        "command",
        "complete",
        &[("prefix", "string"), ("ctx", "fen.CommandContext")],
        "nil|(string|fen.Completion)[]",
    ),
    callback("control", "handler", &[("ctx", "fen.ControlContext")], "any"),
    callback(
        "hook",
        "before-tool",
        &[("tool_name", "string"), ("args", "table"), ("ctx", "fen.HookContext")],
        "fen.HookVerdict?",
    ),
    callback("introspect", "snapshot", &[("ctx", "table")], "table"),
    callback(
        "panel",
        "render",
        &[("ctx", "fen.RenderContext")],
        "string|(string|fen.PanelRow)[]|nil",
    ),
    callback("panel", "enabled?", &[("ctx", "fen.RenderContext")], "boolean?"),
    callback("panel", "height", &[("ctx", "fen.RenderContext")], "number?"),
    callback("presenter", "run", &[("ctx", "fen.PresenterContext")], ""),
    callback("presenter", "init", &[("ctx", "fen.PresenterContext")], ""),
    callback("presenter", "shutdown", &[("ctx", "fen.PresenterContext")], ""),
    callback(
        "provider",
        "build-body",
        &[("model", "string"), ("ctx", "fen.AgentContext"), ("options", "fen.CallOptions")],
        "table",
    ),
    callback(
        "provider",
        "complete",
        &[
            ("model", "string"),
            ("ctx", "fen.AgentContext"),
            ("options", "fen.CallOptions"),
            ("on_event", "fun(event: fen.StreamEvent)"),
            ("yield", "fun()"),
        ],
        "fen.AssistantMessage",
    ),
    callback("provider", "convert-messages", &[("messages", "fen.Message[]")], "table[]"),
    callback("provider", "convert-tools", &[("tools", "fen.Tool[]")], "table[]"),
    callback("provider", "map-stop-reason", &[("reason", "string")], "fen.StopReason"),
    callback("provider", "parse-response", &[("response", "table")], "fen.AssistantMessage"),
    callback("provider", "list-models", &[("options", "fen.CallOptions")], "fen.ModelInfo[]"),
    callback("session-backend", "append", &[("session", "any"), ("message", "fen.Message")], ""),
    callback("session-backend", "close", &[("session", "any")], ""),
    callback("session-backend", "find", &[("opts", "fen.SessionFilter")], "fen.SessionInfo[]"),
    callback("session-backend", "latest", &[("opts", "fen.SessionFilter")], "fen.SessionInfo?"),
    callback("session-backend", "list", &[("opts", "fen.SessionFilter")], "fen.SessionInfo[]"),
    callback("session-backend", "load", &[("path", "string"), ("opts", "table")], "fen.Message[]"),
    callback("session-backend", "open", &[("opts", "fen.SessionOpening")], "any"),
    callback(
        "session-backend",
        "open-existing",
        &[("path", "string"), ("opts", "fen.SessionOpening")],
        "any",
    ),
    callback("session-backend", "append-entry", &[("session", "any"), ("entry", "table")], "any"),
    callback("session-backend", "delete!", &[("path", "string")], "any"),
    callback("session-backend", "load-entries", &[("path", "string")], "table[]"),
    callback("session-backend", "preview", &[("path", "string")], "string"),
    callback("session-backend", "rename!", &[("session", "any"), ("title", "string")], "any"),
    callback("status", "render", &[("ctx", "fen.RenderContext")], "string|fen.Segment|nil"),
    callback(
        "tool",
        "execute",
        &[("args", "table"), ("yield", "fen.ToolYield")],
        "string|fen.ToolAnswer",
    ),
];

/// The details of a callback. A tool is known to the canonical types as well, as `AgentTool`.
pub(super) fn find(entry: &str, field: &str) -> Option<&'static Callback> {
    let kind = if entry == "AgentTool" { "tool" } else { entry };
    CALLBACKS.iter().find(|callback| callback.kind == kind && callback.field == field)
}
