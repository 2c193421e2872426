//! What callbacks get and may give.

use super::{Shape, field, optional};

pub(super) const SHAPES: &[Shape] = &[
    Shape::aliased(
        "Agent",
        "The running agent. Each look tells its state at that moment.",
        &[
            field("id", "string", "The agent's id, unique within the run."),
            optional("session-id", "string", "The session that the conversation is stored in."),
            field("provider", "string", "The provider in use."),
            field("model", "string", "The model in use."),
            field("cwd", "string", "The working directory."),
            field("message-count", "integer", "How many messages the conversation has."),
            field("messages", "fen.Message[]", "The messages, read as they are looked at."),
        ],
    ),
    Shape::exact(
        "JsonSchema",
        "A JSON Schema. At the top of a tool's parameters it is an object.",
        &[
            optional("type", "string|string[]", "The kind of value, such as `object`."),
            optional("description", "string", "What the value means."),
            optional("properties", "table<string, fen.JsonSchema>", "An object's fields."),
            optional("required", "string[]", "The fields that must be there."),
            optional("items", "fen.JsonSchema", "An array's elements."),
            optional("enum", "any[]", "The values that are allowed."),
        ],
    )
    .open(),
    Shape::exact(
        "Segment",
        "Some text in one style.",
        &[
            field("text", "string", "The text."),
            optional("style", "fen.Style", "What it is, which decides how it looks."),
        ],
    ),
    Shape::exact(
        "PanelRow",
        "One row of a panel: a text in one style, or several segments side by side.",
        &[
            optional("text", "string", "The text, before the segments."),
            optional("style", "fen.Style", "The style of the text and of plain segments."),
            optional("segments", "(string|fen.Segment)[]", "The segments in order."),
        ],
    ),
    Shape::aliased(
        "RenderContext",
        "What a rendering callback is told.",
        &[
            field("width", "integer", "Columns of the screen."),
            field("height", "integer", "Rows of the screen."),
            field("busy?", "boolean", "Whether a turn is under way."),
        ],
    ),
    Shape::aliased(
        "CommandContext",
        "What a command is told of its caller.",
        &[
            field("busy?", "boolean", "Whether a turn is under way."),
            field("cwd", "string", "The working directory."),
            field("model", "string", "The model in use."),
            field("provider", "string", "The provider in use."),
            optional("session", "fen.SessionInfo", "The session, where the conversation is stored."),
            field("messages", "fen.Message[]", "The conversation, read as it is looked at."),
        ],
    ),
    Shape::exact(
        "Completion",
        "One offer of a completion.",
        &[
            field("label", "string", "What is shown."),
            optional("value", "string", "What is inserted; the label unless given."),
            optional("description", "string", "What it means."),
        ],
    ),
    Shape::aliased(
        "ControlContext",
        "What a control is told when its key is pressed.",
        &[field("busy?", "boolean", "Whether a turn is under way.")],
    ),
    Shape::aliased(
        "HookContext",
        "What a hook is told beside the tool's name and the arguments.",
        &[
            field("cwd", "string", "The working directory."),
            field("tool", "string", "The tool's name."),
            field("source", "fen.Source", "Where the tool comes from."),
            field("call-id", "string", "The call's id."),
        ],
    ),
    Shape::exact(
        "HookVerdict",
        "A hook's answer. Nothing at all, or `allow`, lets the call pass.",
        &[
            optional("allow", "boolean", "True to let the call pass."),
            optional("block", "boolean", "True to stop it."),
            optional("reason", "string", "Why it is stopped, in words for the model and the person."),
        ],
    ),
    Shape::aliased(
        "ToolYield",
        "What a tool knows of its call. Calling it lets others run, raises an error once the call is cancelled, and shows a text as live output.",
        &[
            field("cwd", "string", "The working directory."),
            field("call-id", "string", "The call's id."),
            optional("session-id", "string", "The session, where the conversation is stored."),
        ],
    )
    .called("fun(text?: string)"),
    Shape::aliased(
        "ToolAnswer",
        "What a tool hands back. A plain text stands for one block of text without an error.",
        &[
            field("content", "(string|fen.TextContent)[]", "What the model gets to read."),
            optional("is-error?", "boolean", "True where the tool failed."),
            optional("details", "any", "Data for presenters; models never see it."),
        ],
    ),
    Shape::aliased(
        "PresenterContext",
        "What a presenter can do.",
        &[
            field("next-event", "fun(): fen.Event?", "Waits for the next event; nil once the run is over."),
            field("try-next-event", "fun(): fen.Event?", "The next event if one is waiting."),
            field("busy?", "fun(): boolean", "Whether a turn is under way."),
            field("ending?", "fun(): boolean", "Whether the run is ending."),
            field("quit", "fun()", "Ends the run."),
            field("submit", "fun(text: string): fen.Submitted", "Takes a line as a person typed it."),
            field("cancel", "fun()", "Cancels the turn."),
            field("read-line", "fun(prompt?: string): string?", "Reads a line of input; nil at its end."),
            field("write", "fun(text: string)", "Writes to the output."),
            field("dispatch", "fun(line: string): fen.Outcome", "Runs a slash command."),
        ],
    ),
    Shape::exact(
        "PresenterUi",
        "How a presenter puts questions to the person.",
        &[
            optional("notify", "fun(text: string)", "Shows a remark."),
            optional("prompt", "fun(question: fen.Question): string?", "Asks for a line of text."),
            optional("select", "fun(choice: fen.Choice): any", "Offers answers and gives the chosen one's value."),
        ],
    ),
    Shape::exact(
        "CallOptions",
        "What may vary from one provider call to the next.",
        &[
            optional("thinking", "fen.ThinkingLevel", "How much the model is to think."),
            optional("api-key", "string", "The credential to send."),
            optional("session-id", "string", "The session, for services that cache by it."),
        ],
    )
    .open(),
    Shape::exact(
        "ModelInfo",
        "What is known of a model.",
        &[
            field("id", "string", "The identifier that requests carry."),
            optional("name", "string", "A name for people."),
            optional("context-window", "integer", "How many tokens the model's window holds."),
            optional("max-tokens", "integer", "How many tokens one answer may have."),
            optional("reasoning", "boolean", "Whether the model can be asked to think."),
            optional("price", "fen.Price", "What its tokens cost."),
        ],
    ),
    Shape::exact(
        "Price",
        "US dollars for a million tokens of each sort.",
        &[
            field("input", "number", "Tokens that the model reads."),
            field("output", "number", "Tokens that the model writes."),
            optional("cache-read", "number", "Tokens found in the cache; as `input` unless given."),
            optional("cache-write", "number", "Tokens put into the cache; as `input` unless given."),
        ],
    ),
    Shape::exact(
        "SessionInfo",
        "What is known of a session without reading its messages.",
        &[
            field("id", "string", "The session's id."),
            field("path", "string", "Where it is stored."),
            field("cwd", "string", "The directory that it was begun in."),
            field("timestamp", "integer", "When it was begun, in milliseconds since the Unix epoch."),
            optional("title", "string", "Its title."),
            field("message-count", "integer", "How many messages it has."),
            field("version", "integer", "The version of its format."),
            optional("size", "integer", "How many bytes it takes where it is stored."),
            optional(
                "modified",
                "integer",
                "When it was last added to, in milliseconds since the Unix epoch.",
            ),
        ],
    ),
    Shape::exact(
        "SessionFilter",
        "Which sessions to look for; an absent field fits all.",
        &[
            optional("cwd", "string", "The directory that the session was begun in."),
            optional("id", "string", "The beginning of the id."),
            optional("text", "string", "Words of the title."),
            optional("limit", "integer", "How many to give at the most."),
        ],
    ),
    Shape::exact(
        "SessionOpening",
        "How to begin or open a session.",
        &[
            optional("cwd", "string", "The working directory."),
            optional("provider", "string", "The provider in use."),
            optional("model", "string", "The model in use."),
        ],
    ),
    Shape::exact(
        "OwnEvent",
        "An event of an extension, named `owner/what`, with fields of its own.",
        &[field("type", "string", "Names the event.")],
    )
    .open(),
];
