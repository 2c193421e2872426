//! The interfaces: which methods a contribution of some kinds must offer. The Rust traits are
//! [`Provider`](crate::provider::Provider), [`AuthBackend`](crate::auth::AuthBackend) and
//! [`SessionBackend`](crate::session::SessionBackend).

use crate::doc::{Entry, Member, MemberKind, Section};

const fn method(name: &'static str, summary: &'static str) -> Member {
    Member { name, kind: MemberKind::Method, summary }
}

const fn optional(name: &'static str, summary: &'static str) -> Member {
    Member { name, kind: MemberKind::OptionalMethod, summary }
}

/// The entries of this section.
pub(crate) const ENTRIES: &[&Entry] = &[
    &Entry {
        section: Section::Interfaces,
        name: "auth-backend",
        summary: "What a credential backend offers.",
        fields: &[],
        members: &[
            method("api-key", "Gives the key to send, or nothing."),
            optional("login!", "Obtains credentials, asking the person where needed."),
            optional("logout!", "Forgets the stored credentials."),
        ],
    },
    &Entry {
        section: Section::Interfaces,
        name: "provider",
        summary: "What a model provider offers; the register kind of this name has the details.",
        fields: &[],
        members: &[
            method("complete", "Runs one call and gives the canonical answer."),
            method("convert-messages", "Puts canonical messages into the wire format."),
            method("convert-tools", "Puts canonical tools into the wire format."),
            method("map-stop-reason", "Translates a stop reason of the wire."),
            method("parse-response", "Reads an answer that was not streamed."),
            method("build-body", "Makes the body of a request."),
        ],
    },
    &Entry {
        section: Section::Interfaces,
        name: "session-backend",
        summary: "What a store of conversations offers.",
        fields: &[],
        members: &[
            method("open", "Begins a session for a new run."),
            method("open-existing", "Opens a stored session to add to it."),
            method("append", "Stores one message."),
            method("close", "Releases what an open session holds."),
            method("load", "Reads a stored session's messages."),
            method("find", "Looks sessions up by filters."),
            method("list", "Lists sessions in a stable order."),
            method("latest", "Gives the newest session that fits."),
        ],
    },
];
