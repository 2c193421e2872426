//! The `api` table as data: every group and every member, with its types and what it is for.
//!
//! The editor's annotations and the reference are both made from [`GROUPS`]; a member that is not
//! here does not exist for either.

use super::{FirstWord, Group, Member, MemberShape, Parameter, Presence};

const fn given(name: &'static str, ty: &'static str) -> Parameter {
    Parameter { name, ty, presence: Presence::Required }
}

const fn maybe(name: &'static str, ty: &'static str) -> Parameter {
    Parameter { name, ty, presence: Presence::Optional }
}

const fn value(name: &'static str, ty: &'static str, summary: &'static str) -> Member {
    Member { name, summary, shape: MemberShape::Value(ty) }
}

const fn call(
    name: &'static str,
    parameters: &'static [Parameter],
    result: &'static str,
    summary: &'static str,
) -> Member {
    let by_first_word = FirstWord::Plain;
    Member { name, summary, shape: MemberShape::Function { parameters, result, by_first_word } }
}

const fn call_by(
    by_first_word: FirstWord,
    name: &'static str,
    parameters: &'static [Parameter],
    result: &'static str,
    summary: &'static str,
) -> Member {
    Member { name, summary, shape: MemberShape::Function { parameters, result, by_first_word } }
}

/// All groups; the first one is the table itself.
pub const GROUPS: &[Group] = &[
    Group {
        name: "",
        summary: "What an extension can ask of fen.",
        capability: None,
        members: &[
            value("name", "string", "The extension's own name."),
            value("state", "table", "A table of the extension's own that outlives its reloads."),
            call_by(
                FirstWord::Kind,
                "register",
                &[given("kind", "fen.Kind"), given("spec", "table")],
                "fen.Registration",
                "Contributes something. The kind decides the fields of the spec, as `fen.ToolSpec` has those of a tool; an error names the field that does not fit.",
            ),
            call_by(
                FirstWord::Event,
                "on",
                &[given("event", "string"), given("handler", "fun(event: fen.Event)")],
                "fen.Subscription",
                "Hears an event; `*` stands for all of them and is served after the named ones.",
            ),
            call(
                "off",
                &[given("subscription", "fen.Subscription")],
                "boolean",
                "Ends what `on` began. Gives false if it had ended before.",
            ),
            call(
                "emit",
                &[given("event", "fen.Emitted")],
                "fen.Outcome",
                "Emits a request, something to show, or an event of the extension's own named `owner/what`.",
            ),
            call(
                "log",
                &[given("level", "fen.LogLevel"), given("message", "string|table")],
                "",
                "Writes to the log, without what looks like a secret. A table is written as JSON.",
            ),
            call(
                "prompt",
                &[
                    given("text", "string|(fun(): string?)"),
                    maybe("options", "fen.FragmentOptions"),
                ],
                "fen.Fragment",
                "Adds a piece to the system prompt. A function is asked anew for each request; nil leaves the piece out.",
            ),
            call(
                "list",
                &[given("surface", "fen.Surface")],
                "fen.ListedRow[]",
                "Lists what is registered or known, each row a copy with its owner and source.",
            ),
            call(
                "enqueue",
                &[
                    given("queue", "fen.QueueName"),
                    given("text", "string"),
                    maybe("options", "fen.EnqueueOptions"),
                ],
                "fen.Submitted",
                "Puts a line into a queue of the conversation.",
            ),
            call(
                "load",
                &[given("name", "string")],
                "any",
                "Gives the value of another file of this extension: what a Lua file returns, or what a JSON file says.",
            ),
        ],
    },
    Group {
        name: "auth",
        summary: "Credentials.",
        capability: None,
        members: &[call(
            "find-backend",
            &[given("name", "string")],
            "fen.FoundBackend?",
            "Looks an auth backend up. Its key can be had with the capability `auth:NAME` only.",
        )],
    },
    Group {
        name: "commands",
        summary: "Slash commands.",
        capability: None,
        members: &[call(
            "dispatch",
            &[given("line", "string")],
            "fen.Outcome",
            "Runs a line such as `/model gpt` and waits for its end.",
        )],
    },
    Group {
        name: "diagnostics",
        summary: "What went wrong so far.",
        capability: None,
        members: &[
            call("list-errors", &[], "fen.ListedRow[]", "The errors in the log, oldest first."),
            call("error-log-path", &[], "string?", "Where the log file is, if there is one."),
        ],
    },
    Group {
        name: "introspect",
        summary: "How the extensions are.",
        capability: None,
        members: &[call(
            "collect",
            &[maybe("owner", "string")],
            "fen.ListedRow[]",
            "Takes the snapshots of all extensions or of one; a failing one is a row with `error`.",
        )],
    },
    Group {
        name: "models",
        summary: "The models that are known without asking a service.",
        capability: None,
        members: &[
            call(
                "list",
                &[maybe("options", "fen.ModelFilter")],
                "fen.ModelRow[]",
                "Lists the models, of one provider if `provider` names it.",
            ),
            call(
                "resolve",
                &[given("query", "string")],
                "fen.ResolvedModel",
                "Finds the one model that a full name, an id or a part of a name means.",
            ),
            call(
                "canonical-id",
                &[given("provider", "string"), given("id", "string")],
                "string",
                "Makes the full name `provider/id`.",
            ),
        ],
    },
    Group {
        name: "session",
        summary: "The stored conversation.",
        capability: None,
        members: &[
            call(
                "info",
                &[],
                "fen.SessionInfo?",
                "What is known of the session; nil if nothing is stored.",
            ),
            call(
                "set-info!",
                &[given("info", "fen.SessionChange")],
                "fen.Outcome",
                "Gives the session a title.",
            ),
            call("active-backend", &[], "string?", "The name of the session backend in use."),
            call(
                "append-state!",
                &[given("state", "any")],
                "fen.Outcome",
                "Stores JSON-like state of this extension in the session.",
            ),
            call(
                "latest-state",
                &[],
                "any",
                "The state that this extension stored last in this session, or nil.",
            ),
        ],
    },
    Group {
        name: "settings",
        summary: "The person's settings; secrets are never among them.",
        capability: None,
        members: &[
            call("load!", &[], "table", "Reads the settings."),
            call(
                "set-defaults!",
                &[given("defaults", "fen.SettingsDefaults")],
                "fen.Outcome",
                "Changes some defaults; the other settings are the person's own.",
            ),
            call(
                "set-thinking-default!",
                &[given("level", "fen.ThinkingLevel")],
                "fen.Outcome",
                "Changes how much models think unless told otherwise.",
            ),
        ],
    },
    Group {
        name: "turn",
        summary: "The conversation's turns.",
        capability: None,
        members: &[
            call(
                "submit!",
                &[
                    given("ctx", "table?"),
                    given("text", "string"),
                    maybe("options", "fen.SubmitOptions"),
                ],
                "fen.Submitted",
                "Begins a turn with a text. `when-busy` says what becomes of it while another is under way. The context that a callback got comes first and may be nil.",
            ),
            call("cancel!", &[], "boolean", "Cancels the turn. Gives false if there was none."),
            call("busy?", &[], "boolean", "Whether a turn is under way."),
        ],
    },
    Group {
        name: "ui",
        summary: "Remarks and questions to the person.",
        capability: None,
        members: &[
            call("has-ui?", &[], "boolean", "Whether the presenter can ask questions."),
            call(
                "notify",
                &[given("text", "string"), maybe("options", "table")],
                "",
                "Shows a remark; on standard error where there is no UI.",
            ),
            call(
                "prompt",
                &[given("question", "string|fen.Question")],
                "string?",
                "Asks for a line of text; nil if the person declined or cannot be asked.",
            ),
            call(
                "select",
                &[given("choice", "fen.Choice")],
                "any",
                "Offers answers and gives the chosen one's value, and the name of the action where one was taken; nil if the person declined or cannot be asked.",
            ),
        ],
    },
    Group {
        name: "json",
        summary: "JSON text, and tables whose kind JSON has to be told.",
        capability: None,
        members: &[
            value("null", "fen.JsonNull", "The null of JSON, for tables that must keep it."),
            call(
                "array",
                &[maybe("t", "table")],
                "table",
                "Marks a table, or a new one, as an array even if it is empty.",
            ),
            call(
                "object",
                &[maybe("t", "table")],
                "table",
                "Marks a table, or a new one, as an object even if it is empty.",
            ),
            call(
                "encode",
                &[given("value", "any")],
                "string",
                "Writes a value as JSON. Raises an error if it has no form in JSON.",
            ),
            call(
                "decode",
                &[given("text", "string")],
                "any",
                "Reads JSON. Raises an error that says where the text is wrong.",
            ),
        ],
    },
    Group {
        name: "timer",
        summary: "Waiting. Timers end with the extension, also when it is reloaded.",
        capability: None,
        members: &[
            call("sleep", &[given("ms", "number")], "", "Waits this many milliseconds."),
            call(
                "after",
                &[given("ms", "number"), given("callback", "fun()")],
                "fen.Timer",
                "Calls a function once, after this many milliseconds.",
            ),
            call(
                "every",
                &[given("ms", "number"), given("callback", "fun()")],
                "fen.Timer",
                "Calls a function again and again, this many milliseconds after it was done.",
            ),
        ],
    },
    Group {
        name: "fs",
        summary: "Files.",
        capability: Some("fs"),
        members: &[
            call(
                "read",
                &[given("path", "string"), maybe("options", "fen.ReadOptions")],
                "fen.FileText",
                "Reads a file or a part of it.",
            ),
            call(
                "write",
                &[given("path", "string"), given("text", "string")],
                "fen.Outcome",
                "Writes a file; what it held is gone.",
            ),
            call(
                "append",
                &[given("path", "string"), given("text", "string")],
                "fen.Outcome",
                "Adds to the end of a file.",
            ),
            call("mkdir", &[given("path", "string")], "fen.Outcome", "Makes a directory."),
            call(
                "remove",
                &[given("path", "string")],
                "fen.Outcome",
                "Removes a file or a directory.",
            ),
            call(
                "rename",
                &[given("from", "string"), given("to", "string")],
                "fen.Outcome",
                "Gives a file another name or place.",
            ),
            call("list", &[given("path", "string")], "fen.FileList", "Lists a directory."),
            call("stat", &[given("path", "string")], "fen.FileStat", "Tells what a path is."),
            call(
                "exists?",
                &[given("path", "string")],
                "boolean",
                "Whether there is something at the path.",
            ),
        ],
    },
    Group {
        name: "process",
        summary: "Programs, run without a shell.",
        capability: Some("process"),
        members: &[
            call(
                "run",
                &[given("argv", "string[]"), maybe("options", "fen.RunOptions")],
                "fen.ProcessResult",
                "Runs a program to its end.",
            ),
            call(
                "spawn",
                &[given("argv", "string[]"), maybe("options", "fen.SpawnOptions")],
                "fen.Spawned",
                "Starts a program to talk with.",
            ),
        ],
    },
    Group {
        name: "http",
        summary: "Requests to web services.",
        capability: Some("http"),
        members: &[
            call(
                "request",
                &[given("request", "fen.HttpRequest")],
                "fen.HttpAnswer",
                "Sends a request and reads the whole answer.",
            ),
            call(
                "get",
                &[given("url", "string"), maybe("options", "fen.HttpOptions")],
                "fen.HttpAnswer",
                "Asks for what is at an address.",
            ),
            call(
                "post",
                &[given("url", "string"), maybe("options", "fen.HttpOptions")],
                "fen.HttpAnswer",
                "Sends a body to an address.",
            ),
            call(
                "stream",
                &[given("request", "fen.HttpRequest")],
                "fen.HttpStreamAnswer",
                "Sends a request and reads the answer while it comes.",
            ),
        ],
    },
    Group {
        name: "env",
        summary: "Environment variables.",
        capability: Some("env"),
        members: &[
            call("get", &[given("name", "string")], "string?", "The variable's value, or nil."),
            call("list", &[], "string[]", "The names of the variables that may be read."),
        ],
    },
];
