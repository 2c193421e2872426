//! The register kinds: what an extension can contribute.
//!
//! Each kind is declared once: its data fields become a struct, its callbacks are the methods of
//! one trait, and both are documented in the kind's [`Entry`]. Scripts register the same kinds
//! through the same validation; [`Contribution::fields`] is what both sides are judged by.

use crate::auth::AuthBackend;
use crate::command::Command;
use crate::doc::{Entry, Field, Origin, Section};
use crate::hook::Hook;
use crate::introspect::Introspect;
use crate::names::ModelId;
use crate::presenter::Presenter;
use crate::provider::{ModelInfo, Provider};
use crate::session::SessionBackend;
use crate::tool::Tool;
use crate::ui::{Control, Panel, StatusItem};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The value of one field of a registration.
#[derive(Debug, Clone, PartialEq)]
pub enum SpecValue {
    /// Data.
    Json(Value),
    /// A callback.
    Function,
}

/// Data fields become JSON; a value that cannot is a mistake of this crate, and reads as null.
fn spec_value<T: Serialize>(value: &T) -> SpecValue {
    SpecValue::Json(serde_json::to_value(value).unwrap_or(Value::Null))
}

macro_rules! kind {
    (
        $(#[doc = $doc:literal])+
        $wire:literal pub struct $name:ident by $behaviour:ident : $trait:ty;
        required { $( $(#[doc = $rdoc:literal])+ $rfield:ident : $rty:ty = $rwire:literal, $rtext:literal; )* }
        optional { $( $(#[doc = $odoc:literal])+ $ofield:ident : $oty:ty = $owire:literal, $otext:literal; )* }
        callbacks { $( $(#[doc = $cdoc:literal])+ $cwire:literal, $ctext:literal; )* }
        optional_callbacks { $( $(#[doc = $pdoc:literal])+ $pwire:literal, $ptext:literal; )* }
        additive { $( $(#[doc = $adoc:literal])+ $afield:ident : $aty:ty = $awire:literal, $atext:literal; )* }
        additive_callbacks { $( $(#[doc = $qdoc:literal])+ $qwire:literal, $qtext:literal; )* }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone)]
        pub struct $name {
            $( $(#[doc = $rdoc])+ pub $rfield: $rty, )*
            $( $(#[doc = $odoc])+ pub $ofield: Option<$oty>, )*
            $( $(#[doc = $adoc])+ pub $afield: Option<$aty>, )*
            /// The callbacks.
            pub $behaviour: Arc<$trait>,
        }

        impl $name {
            /// Its documentation.
            pub const ENTRY: Entry = Entry {
                section: Section::RegisterKinds,
                name: $wire,
                summary: concat!($($doc),+).trim_ascii(),
                fields: &[
                    $( kind!(@field $rwire, $rtext, true, Contract, concat!($($rdoc),+)), )*
                    $( kind!(@field $cwire, $ctext, true, Contract, concat!($($cdoc),+)), )*
                    $( kind!(@field $owire, $otext, false, Contract, concat!($($odoc),+)), )*
                    $( kind!(@field $pwire, $ptext, false, Contract, concat!($($pdoc),+)), )*
                    $( kind!(@field $awire, $atext, false, Additive, concat!($($adoc),+)), )*
                    $( kind!(@field $qwire, $qtext, false, Additive, concat!($($qdoc),+)), )*
                ],
                members: &[],
            };

            fn fields(&self) -> Vec<(&'static str, SpecValue)> {
                #[allow(unused_mut, reason = "kinds without data fields")]
                let mut fields = vec![
                    $( ($rwire, spec_value(&self.$rfield)), )*
                    $( ($cwire, SpecValue::Function), )*
                ];
                $( if let Some(value) = &self.$ofield { fields.push(($owire, spec_value(value))); } )*
                $( if let Some(value) = &self.$afield { fields.push(($awire, spec_value(value))); } )*
                fields
            }
        }
    };
    (@field $name:literal, $ty:literal, $required:literal, $origin:ident, $summary:expr) => {
        Field {
            name: $name,
            ty: $ty,
            required: $required,
            origin: Origin::$origin,
            summary: $summary.trim_ascii(),
        }
    };
}

kind! {
    /// A source of credentials for the providers that name it.
    "auth-backend" pub struct AuthBackendSpec by backend: dyn AuthBackend;
    required {
        /// The name that providers and `--login` give.
        name: String = "name", "keyword|string";
    }
    optional {}
    callbacks {
        /// Gives the key to send now, renewed where that is needed, or nothing.
        "api-key", "() -> string|nil";
    }
    optional_callbacks {
        /// Runs for `fen --login NAME`.
        "login!", "(opts) -> any";
        /// Runs for `fen --logout NAME`.
        "logout!", "() -> any";
    }
    additive {}
    additive_callbacks {
        /// Says what was found, without any secret.
        "status", "() -> string";
    }
}

kind! {
    /// A slash command: a line `/name arguments` that a person types.
    "command" pub struct CommandSpec by command: dyn Command;
    required {
        /// The name, without the slash.
        name: String = "name", "keyword|string";
    }
    optional {
        /// A line of help.
        description: String = "description", "string";
        /// True if it must not run while a turn is under way.
        idle_only: bool = "idle-only?", "boolean";
        /// Its place in `/help`; lower comes first.
        order: f64 = "order", "number";
    }
    callbacks {
        /// Runs the command with the text after its name and the caller's state.
        "handler", "(args caller-state) -> any";
    }
    optional_callbacks {}
    additive {
        /// True if only a person may run it, and no extension on their behalf.
        person_only: bool = "person-only?", "boolean";
        /// The subcommands that it knows.
        subcommands: Vec<String> = "subcommands", "[string]";
        /// The arguments, as `/name help` shows them.
        usage: String = "usage", "string";
    }
    additive_callbacks {
        /// Offers completions for the beginning of an argument.
        "complete", "(prefix ctx) -> any";
    }
}

kind! {
    /// A key that does something in presenters which have keys.
    "control" pub struct ControlSpec by control: dyn Control;
    required {
        /// The name under which help shows it.
        name: String = "name", "keyword|string";
    }
    optional {
        /// What it does.
        description: String = "description", "string";
    }
    callbacks {
        /// Runs when the key is pressed.
        "handler", "(ctx) -> any";
    }
    optional_callbacks {}
    additive {
        /// The key, such as `ctrl-g`, `alt-t` or `f5`.
        key: String = "key", "string";
    }
    additive_callbacks {}
}

kind! {
    /// A look at each tool call before it runs, with the power to veto it.
    "hook" pub struct HookSpec by hook: dyn Hook;
    required {}
    optional {}
    callbacks {
        /// Gives nothing to let the call pass, or `{:block true :reason string}` to stop it.
        "before-tool", "(tool-name args ctx) -> any";
    }
    optional_callbacks {}
    additive {}
    additive_callbacks {}
}

kind! {
    /// A read-only view of an extension's state, made when somebody asks.
    "introspect" pub struct IntrospectSpec by introspect: dyn Introspect;
    required {
        /// The snapshot's name; each extension has its own names.
        name: String = "name", "keyword|string";
    }
    optional {
        /// What the snapshot tells.
        description: String = "description", "string";
    }
    callbacks {
        /// Gives JSON-like data: cheap, without side effects and without secrets.
        "snapshot", "(ctx) -> table";
    }
    optional_callbacks {}
    additive {}
    additive_callbacks {}
}

/// Where a panel stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Just above the input.
    #[default]
    AboveInput,
    /// Under the status row.
    BelowStatus,
}

kind! {
    /// Some rows of the screen that stay beside the conversation.
    "panel" pub struct PanelSpec by panel: dyn Panel;
    required {
        /// The panel's name.
        name: String = "name", "keyword|string";
    }
    optional {
        /// A heading, for presenters that draw one.
        title: String = "title", "string";
    }
    callbacks {
        /// Gives the rows.
        "render", "(ctx) -> any";
    }
    optional_callbacks {
        /// Says whether the panel is shown at present.
        "enabled?", "(ctx) -> boolean";
    }
    additive {
        /// Its place among the panels; lower comes first.
        order: f64 = "order", "number";
        /// `above-input` or `below-status`.
        placement: Placement = "placement", "keyword";
    }
    additive_callbacks {
        /// Gives the number of rows that it wants; 0 hides it.
        "height", "(ctx) -> number";
    }
}

kind! {
    /// The driver of input and output. Exactly one runs.
    "presenter" pub struct PresenterSpec by presenter: dyn Presenter;
    required {
        /// The name that `--presenter` gives.
        name: String = "name", "keyword|string";
    }
    optional {}
    callbacks {
        /// Takes input and shows output until the run is over.
        "run", "(ctx) -> nil";
    }
    optional_callbacks {
        /// Runs before the loop.
        "init", "(ctx) -> nil";
        /// Gives back the terminal and whatever else it held.
        "shutdown", "(ctx) -> nil";
    }
    additive {
        /// True if it runs one prompt and ends: the turn's failure is then the program's.
        one_shot: bool = "one-shot?", "boolean";
    }
    additive_callbacks {
        /// Functions `notify`, `prompt` and `select` by which extensions reach the person.
        "ui", "table";
    }
}

kind! {
    /// A service with models. See the interface of the same name.
    "provider" pub struct ProviderSpec by provider: dyn Provider;
    required {
        /// The protocol family, such as `openai-completions`; several providers may share one.
        api: String = "api", "keyword";
        /// The name that settings and `--provider` give.
        name: String = "name", "keyword|string";
    }
    optional {}
    callbacks {
        /// Makes the body of a request from a model, a context and options.
        "build-body", "(model ctx options) -> table";
        /// Runs one call and gives the canonical answer; stream events go out as they come.
        "complete", "(model ctx options ?on-event ?yield-fn) -> AssistantMessage";
        /// Puts canonical messages into the wire format.
        "convert-messages", "([Message]) -> [WireMessage]";
        /// Puts canonical tools into the wire format.
        "convert-tools", "([Tool]) -> [WireTool]";
        /// Translates a stop reason of the wire.
        "map-stop-reason", "(string) -> StopReason";
        /// Reads an answer that was not streamed.
        "parse-response", "(WireResponse) -> AssistantMessage";
    }
    optional_callbacks {}
    additive {
        /// The auth backend that has its key.
        auth: String = "auth", "string";
        /// Where its service is.
        base_url: String = "base-url", "string";
        /// The model to take where none is named.
        default_model: ModelId = "default-model", "string";
        /// The models that are known without asking.
        models: Vec<ModelInfo> = "models", "any";
        /// How to set it up, for people who lack what it needs.
        setup: String = "setup", "string";
    }
    additive_callbacks {
        /// Asks the service which models it has.
        "list-models", "(options) -> any";
    }
}

kind! {
    /// A store of conversations. See the interface of the same name.
    "session-backend" pub struct SessionBackendSpec by backend: dyn SessionBackend;
    required {
        /// The name that `--session` gives.
        name: String = "name", "keyword|string";
    }
    optional {}
    callbacks {
        /// Stores one message.
        "append", "(session message) -> nil";
        /// Releases what an open session holds.
        "close", "(session) -> nil";
        /// Looks sessions up by filters.
        "find", "(opts) -> [SessionInfo]";
        /// Gives the newest session that fits, if there is one.
        "latest", "(opts) -> SessionInfo|nil";
        /// Lists sessions in a stable order.
        "list", "(opts) -> [SessionInfo]";
        /// Reads the messages of a stored session.
        "load", "(path opts) -> [Message]";
        /// Begins a session for a new run.
        "open", "(opts) -> session";
        /// Opens a stored session to add to it.
        "open-existing", "(path opts) -> session";
    }
    optional_callbacks {}
    additive {}
    additive_callbacks {
        /// Stores an entry that is not a message.
        "append-entry", "(session entry) -> any";
        /// Deletes a stored session.
        "delete!", "(path) -> any";
        /// Reads the entries that are not messages.
        "load-entries", "(path) -> any";
        /// Tells the beginning and the end of a stored conversation in a few lines.
        "preview", "(path) -> any";
        /// Gives a session a title.
        "rename!", "(session title) -> any";
    }
}

/// Which end of the status row an item stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The beginning.
    #[default]
    Left,
    /// The end.
    Right,
}

kind! {
    /// A few words in the status row.
    "status" pub struct StatusSpec by item: dyn StatusItem;
    required {
        /// The item's name.
        name: String = "name", "keyword|string";
    }
    optional {
        /// Its place on its side; lower comes first.
        order: f64 = "order", "number";
    }
    callbacks {
        /// Gives the present words, or nothing to hide the item.
        "render", "(ctx) -> string|nil";
    }
    optional_callbacks {}
    additive {
        /// `left` or `right`.
        side: Side = "side", "keyword";
    }
    additive_callbacks {}
}

/// When a tool is offered to models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exposure {
    /// In every request.
    #[default]
    Always,
    /// Once a search has found it.
    Search,
    /// While there is a tool that a search has yet to find. For the tools that do the finding.
    Finder,
}

kind! {
    /// Something that a model can call.
    "tool" pub struct ToolSpec by tool: dyn Tool;
    required {
        /// When and how a model should call it.
        description: String = "description", "string";
        /// The name that calls give, unique among the tools.
        name: String = "name", "string";
        /// The JSON Schema of the arguments; an object at the top.
        parameters: Value = "parameters", "JSONSchema";
    }
    optional {
        /// A short caption for people.
        label: String = "label", "string";
    }
    callbacks {
        /// Runs with decoded arguments and gives what the model is to read.
        "execute", "(args ?yield-fn) -> AgentToolResult";
    }
    optional_callbacks {}
    additive {
        /// `search` to stay out of requests until a search has found it, `finder` for the search itself.
        exposure: Exposure = "exposure", "keyword";
        /// How many calls of it may run at once.
        parallel_cap: u32 = "parallel-cap", "number";
        /// True if its calls may run beside others.
        parallel_safe: bool = "parallel-safe?", "boolean";
        /// A line for the system prompt while the tool is on offer.
        snippet: String = "snippet", "string";
    }
    additive_callbacks {}
}

/// One of the eleven kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is documented by its entry")]
pub enum Kind {
    AuthBackend,
    Command,
    Control,
    Hook,
    Introspect,
    Panel,
    Presenter,
    Provider,
    SessionBackend,
    Status,
    Tool,
}

impl Kind {
    /// All kinds in alphabetical order.
    pub const ALL: [Kind; 11] = [
        Kind::AuthBackend,
        Kind::Command,
        Kind::Control,
        Kind::Hook,
        Kind::Introspect,
        Kind::Panel,
        Kind::Presenter,
        Kind::Provider,
        Kind::SessionBackend,
        Kind::Status,
        Kind::Tool,
    ];

    /// The kind's documentation.
    pub fn entry(self) -> &'static Entry {
        match self {
            Kind::AuthBackend => &AuthBackendSpec::ENTRY,
            Kind::Command => &CommandSpec::ENTRY,
            Kind::Control => &ControlSpec::ENTRY,
            Kind::Hook => &HookSpec::ENTRY,
            Kind::Introspect => &IntrospectSpec::ENTRY,
            Kind::Panel => &PanelSpec::ENTRY,
            Kind::Presenter => &PresenterSpec::ENTRY,
            Kind::Provider => &ProviderSpec::ENTRY,
            Kind::SessionBackend => &SessionBackendSpec::ENTRY,
            Kind::Status => &StatusSpec::ENTRY,
            Kind::Tool => &ToolSpec::ENTRY,
        }
    }

    /// The kind's name, such as `session-backend`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a name is looked up among all extensions, or only within the one that gave it.
    pub fn scope(self) -> NameScope {
        match self {
            Kind::Hook => NameScope::None,
            Kind::Status | Kind::Panel | Kind::Introspect => NameScope::PerOwner,
            _ => NameScope::Global,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a contribution's name reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameScope {
    /// One contribution of this name in the whole program.
    Global,
    /// One of this name in each extension.
    PerOwner,
    /// No names; all are kept.
    None,
}

/// The entries of this section.
pub(crate) const ENTRIES: &[&Entry] = &[
    &AuthBackendSpec::ENTRY,
    &CommandSpec::ENTRY,
    &ControlSpec::ENTRY,
    &HookSpec::ENTRY,
    &IntrospectSpec::ENTRY,
    &PanelSpec::ENTRY,
    &PresenterSpec::ENTRY,
    &ProviderSpec::ENTRY,
    &SessionBackendSpec::ENTRY,
    &StatusSpec::ENTRY,
    &ToolSpec::ENTRY,
];

/// One contribution of an extension.
#[derive(Clone)]
#[expect(missing_docs, reason = "each is documented by its entry")]
pub enum Contribution {
    AuthBackend(AuthBackendSpec),
    Command(CommandSpec),
    Control(ControlSpec),
    Hook(HookSpec),
    Introspect(IntrospectSpec),
    Panel(PanelSpec),
    Presenter(PresenterSpec),
    Provider(ProviderSpec),
    SessionBackend(SessionBackendSpec),
    Status(StatusSpec),
    Tool(ToolSpec),
}

impl Contribution {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Contribution::AuthBackend(_) => Kind::AuthBackend,
            Contribution::Command(_) => Kind::Command,
            Contribution::Control(_) => Kind::Control,
            Contribution::Hook(_) => Kind::Hook,
            Contribution::Introspect(_) => Kind::Introspect,
            Contribution::Panel(_) => Kind::Panel,
            Contribution::Presenter(_) => Kind::Presenter,
            Contribution::Provider(_) => Kind::Provider,
            Contribution::SessionBackend(_) => Kind::SessionBackend,
            Contribution::Status(_) => Kind::Status,
            Contribution::Tool(_) => Kind::Tool,
        }
    }

    /// Its name; empty for a hook.
    pub fn name(&self) -> &str {
        match self {
            Contribution::AuthBackend(spec) => &spec.name,
            Contribution::Command(spec) => &spec.name,
            Contribution::Control(spec) => &spec.name,
            Contribution::Hook(_) => "",
            Contribution::Introspect(spec) => &spec.name,
            Contribution::Panel(spec) => &spec.name,
            Contribution::Presenter(spec) => &spec.name,
            Contribution::Provider(spec) => &spec.name,
            Contribution::SessionBackend(spec) => &spec.name,
            Contribution::Status(spec) => &spec.name,
            Contribution::Tool(spec) => &spec.name,
        }
    }

    /// Its fields in the contract's spelling, callbacks included.
    pub fn fields(&self) -> Vec<(&'static str, SpecValue)> {
        match self {
            Contribution::AuthBackend(spec) => spec.fields(),
            Contribution::Command(spec) => spec.fields(),
            Contribution::Control(spec) => spec.fields(),
            Contribution::Hook(spec) => spec.fields(),
            Contribution::Introspect(spec) => spec.fields(),
            Contribution::Panel(spec) => spec.fields(),
            Contribution::Presenter(spec) => spec.fields(),
            Contribution::Provider(spec) => spec.fields(),
            Contribution::SessionBackend(spec) => spec.fields(),
            Contribution::Status(spec) => spec.fields(),
            Contribution::Tool(spec) => spec.fields(),
        }
    }
}

macro_rules! from_spec {
    ($($variant:ident($spec:ident)),+ $(,)?) => { $(
        impl From<$spec> for Contribution {
            fn from(spec: $spec) -> Self {
                Contribution::$variant(spec)
            }
        }
    )+ };
}

from_spec!(
    AuthBackend(AuthBackendSpec),
    Command(CommandSpec),
    Control(ControlSpec),
    Hook(HookSpec),
    Introspect(IntrospectSpec),
    Panel(PanelSpec),
    Presenter(PresenterSpec),
    Provider(ProviderSpec),
    SessionBackend(SessionBackendSpec),
    Status(StatusSpec),
    Tool(ToolSpec),
);

impl fmt::Debug for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind(), self.name())
    }
}
