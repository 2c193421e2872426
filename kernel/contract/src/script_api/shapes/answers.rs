//! What the functions of the `api` table take and give.
//!
//! The fields of an answer have the types that they have when they are there: an editor cannot
//! follow that `ok` decides it, and would ask for a check at every use.

use super::{Shape, field, optional};

pub(super) const SHAPES: &[Shape] = &[
    Shape::exact(
        "Outcome",
        "How something went that can fail.",
        &[
            field("ok", "boolean", "Whether it went well. The other fields depend on it."),
            field("error", "string", "What went wrong, where `ok` is false."),
            optional("kind", "string", "What kind of failure it was, where that is known."),
        ],
    ),
    Shape::exact(
        "Registration",
        "A contribution that was made.",
        &[
            field("kind", "fen.Kind", "Its kind."),
            field("name", "string", "Its name; empty for a hook."),
            field("unregister", "fun(): boolean", "Takes it back; false if it is gone already."),
        ],
    ),
    Shape::exact(
        "Subscription",
        "What `on` gives and `off` takes.",
        &[
            field("id", "integer", "Its number."),
            field("event", "string", "The event that is heard."),
        ],
    ),
    Shape::exact(
        "FragmentOptions",
        "Where a piece of the system prompt stands.",
        &[
            optional(
                "id",
                "string",
                "Its id; another piece of the same id replaces it. The extension's name unless given.",
            ),
            optional("title", "string", "A heading above it."),
            optional("description", "string", "What it is for."),
            optional("order", "number", "Its place; lower comes first. 500 unless given."),
        ],
    ),
    Shape::exact(
        "Fragment",
        "A piece of the system prompt that was added.",
        &[
            field("id", "integer", "Its number."),
            field("unregister", "fun(): boolean", "Takes it back; false if it is gone already."),
        ],
    ),
    Shape::exact(
        "ListedRow",
        "One row of a list. What else it has depends on the list.",
        &[
            optional("name", "string", "Its name."),
            optional("owner", "string", "The extension that it comes from."),
            optional("source", "fen.Source", "Where that extension comes from."),
        ],
    )
    .open(),
    Shape::aliased(
        "EnqueueOptions",
        "What becomes of a line that is queued.",
        &[optional(
            "start-if-idle?",
            "boolean",
            "True to begin a turn with it if none is under way.",
        )],
    ),
    Shape::aliased(
        "SubmitOptions",
        "How a text is submitted.",
        &[
            optional(
                "when-busy",
                "fen.WhenBusy",
                "What becomes of it while a turn is under way; `reject` unless given.",
            ),
            optional(
                "emit-user?",
                "boolean",
                "False to keep it from being shown as the person's line.",
            ),
        ],
    ),
    Shape::exact(
        "Submitted",
        "What became of a text.",
        &[
            optional("started", "boolean", "True if a turn began with it."),
            optional("queued", "boolean", "True if it waits."),
            optional("queue", "fen.QueueName", "Where it waits."),
        ],
    )
    .of("Outcome"),
    Shape::aliased(
        "FoundBackend",
        "An auth backend as others see it.",
        &[
            field("name", "string", "Its name."),
            field("status", "string", "What it says of itself, without any secret."),
            field("owner", "string", "The extension that it comes from."),
            optional(
                "api-key",
                "fun(provider?: string): fen.FoundKey",
                "Gives the key; absent without the capability `auth:NAME`.",
            ),
        ],
    ),
    Shape::exact(
        "FoundKey",
        "The key of an auth backend.",
        &[optional("key", "string", "The key, if there is one.")],
    )
    .of("Outcome"),
    Shape::exact(
        "ModelFilter",
        "Which models to list.",
        &[optional("provider", "string", "The provider that has them.")],
    ),
    Shape::exact(
        "ModelRow",
        "A model and where it comes from.",
        &[
            field("name", "string", "Its full name, `provider/id`."),
            field("provider", "string", "The provider that has it."),
            field("model", "fen.ModelInfo", "What is known of it."),
            field("owner", "string", "The extension that the provider comes from."),
            field("source", "fen.Source", "Where that extension comes from."),
        ],
    ),
    Shape::exact(
        "ResolvedModel",
        "The model that a query means.",
        &[
            field("name", "string", "Its full name, `provider/id`."),
            field("provider", "string", "The provider that has it."),
            field("model", "fen.ModelInfo", "What is known of it."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "SessionChange",
        "What can be changed of a session.",
        &[field("title", "string", "Its title.")],
    ),
    Shape::exact(
        "SettingsDefaults",
        "The settings that an extension may change.",
        &[
            optional("provider", "string", "The provider to use."),
            optional("model", "string", "The model to use."),
            optional("thinking", "fen.ThinkingLevel", "How much models think."),
            optional("presenter", "string", "The presenter to run."),
        ],
    ),
    Shape::exact(
        "Question",
        "A question with a free answer.",
        &[
            field("text", "string", "What is asked."),
            optional("initial", "string", "The answer that is offered."),
            optional("secret", "boolean", "True to keep the answer off the screen."),
        ],
    ),
    Shape::aliased(
        "Choice",
        "A question with given answers.",
        &[
            field("choices", "(string|fen.Offer)[]", "The answers."),
            optional("title", "string", "What is asked."),
            optional("initial-query", "string", "The first filter text."),
            optional("actions", "fen.OfferAction[]", "What else may be done with an answer."),
        ],
    ),
    Shape::exact(
        "Offer",
        "One answer to choose.",
        &[
            optional("label", "string", "What is shown; the value unless given."),
            optional("value", "any", "What is given back; the offer itself unless given."),
            optional("detail", "string", "Dim words at the end of the row."),
        ],
    )
    .open(),
    Shape::exact(
        "OfferAction",
        "Something else that may be done with an answer than choosing it.",
        &[
            field("key", "string", "The key that does it, such as `ctrl-d`."),
            field("name", "string", "The name that is given back."),
            optional("label", "string", "What is shown; the name unless given."),
        ],
    ),
    Shape::exact("JsonNull", "The null of JSON. It is not nil.", &[]),
    Shape::exact("Timer", "A timer that was set.", &[field("cancel", "fun()", "Ends it.")]),
    Shape::aliased(
        "ReadOptions",
        "Which part of a file to read.",
        &[
            optional("offset", "integer", "Where to begin, in bytes."),
            optional("max-bytes", "integer", "How much to read at the most."),
        ],
    ),
    Shape::aliased(
        "FileText",
        "What was read of a file.",
        &[
            field("text", "string", "The text."),
            optional("truncated?", "boolean", "True if the file goes on."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "FileEntry",
        "One entry of a directory.",
        &[
            field("name", "string", "Its name in the directory."),
            field("type", "string", "What it is, such as `file` or `directory`."),
            field("size", "integer", "Its size in bytes."),
        ],
    ),
    Shape::aliased(
        "FileList",
        "A directory's entries.",
        &[
            field("entries", "fen.FileEntry[]", "The entries."),
            optional("truncated?", "boolean", "True if there are more."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "FileStat",
        "What a path is.",
        &[
            field("type", "string", "What it is, such as `file` or `directory`."),
            field("size", "integer", "Its size in bytes."),
            field("modified", "number", "When it was last changed."),
        ],
    )
    .of("Outcome"),
    Shape::aliased(
        "SpawnOptions",
        "How a program is started.",
        &[
            optional("cwd", "string", "The directory to run in."),
            optional("env", "table<string, string>", "Variables to set for it."),
            optional("max-bytes", "integer", "How much of its output is kept at the most."),
        ],
    ),
    Shape::aliased(
        "RunOptions",
        "How a program is run.",
        &[
            optional("stdin", "string", "What it reads."),
            optional("timeout-ms", "integer", "How long it may run, in milliseconds."),
        ],
    )
    .of("SpawnOptions"),
    Shape::aliased(
        "ProcessEnd",
        "How a program ended.",
        &[
            optional("code", "integer", "Its exit code, where it ended by itself."),
            optional("signal", "integer|string", "The signal that ended it."),
            field("stderr", "string", "What it wrote to standard error."),
            optional("truncated?", "boolean", "True if some output was left out."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "ProcessResult",
        "What a program did.",
        &[field("stdout", "string", "What it wrote to standard output.")],
    )
    .of("ProcessEnd"),
    Shape::exact(
        "Spawned",
        "A program that was started.",
        &[field("process", "fen.Process", "The program.")],
    )
    .of("Outcome"),
    Shape::aliased(
        "Process",
        "A running program.",
        &[
            field("read-line", "fun(): string?", "Waits for a line of its output; nil at the end."),
            field("write", "fun(text: string): fen.Outcome", "Writes to its input."),
            field("close-stdin", "fun()", "Ends its input."),
            field("wait", "fun(): fen.ProcessEnd", "Waits for its end."),
            field("kill", "fun()", "Ends it."),
        ],
    ),
    Shape::aliased(
        "HttpOptions",
        "How a request is sent.",
        &[
            optional("headers", "table<string, string>", "The headers."),
            optional("body", "string", "The body as it is."),
            optional("json", "any", "The body as a value, sent as JSON."),
            optional("timeout-ms", "integer", "How long the whole may take, in milliseconds."),
            optional(
                "idle-timeout-ms",
                "integer",
                "How long the server may be silent, in milliseconds.",
            ),
            optional("max-bytes", "integer", "How much of the answer is read at the most."),
        ],
    ),
    Shape::exact(
        "HttpRequest",
        "A request.",
        &[
            field("url", "string", "The address."),
            optional("method", "string", "The method, such as `POST`."),
        ],
    )
    .of("HttpOptions"),
    Shape::exact(
        "HttpAnswer",
        "An answer that was read to its end.",
        &[
            field("status", "integer", "The status code."),
            field("headers", "table<string, string>", "The headers."),
            field("body", "string", "The body."),
            field("json", "fun(): any", "Reads the body as JSON."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "HttpStreamAnswer",
        "An answer that is still coming.",
        &[
            field("status", "integer", "The status code."),
            field("headers", "table<string, string>", "The headers."),
            field("response", "fen.HttpStream", "The body, as it comes."),
        ],
    )
    .of("Outcome"),
    Shape::exact(
        "HttpStream",
        "A body that is read as it comes.",
        &[
            field("read", "fun(): string?", "Waits for the next piece; nil at the end."),
            field("lines", "fun(): fun(): string?", "Iterates over its lines."),
            field(
                "events",
                "fun(): fun(): fen.ServerEvent?",
                "Iterates over its server-sent events.",
            ),
            field("error", "fun(): string?", "What broke it off, if anything did."),
            field("close", "fun()", "Stops reading."),
        ],
    ),
    Shape::exact(
        "ServerEvent",
        "One server-sent event.",
        &[
            optional("event", "string", "Its name."),
            field("data", "string", "Its data."),
            optional("id", "string", "Its id."),
            field("complete", "boolean", "False if the stream ended within it."),
        ],
    ),
];
