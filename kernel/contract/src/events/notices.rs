//! Requests to the presenter, and what went wrong or was loaded.

use crate::names::Owner;
use crate::record::record;

record! {
    /// Asks the presenter to close what lies open above the transcript.
    Events "dismiss"
    pub struct Dismiss;
    tag "type" = "dismiss" {
        /// Names the event: `dismiss`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// Something failed that the person should see: a command, an input, a turn.
    Events "error"
    pub struct Error;
    tag "type" = "error" {
        /// Names the event: `error`.
    }
    required {
        /// What went wrong, in words for a person.
        error: String = "error", "string";
    }
    optional {}
    additive {}
}

record! {
    /// A callback of an extension failed. A failing handler of this event does not cause another.
    Events "extension-error"
    pub struct ExtensionError;
    tag "type" = "extension-error" {
        /// Names the event: `extension-error`.
    }
    required {
        /// What went wrong, in words for a person.
        error: String = "error", "string";
    }
    optional {
        /// The event or callback that was being served.
        event: String = "event", "keyword|string";
        /// The extension, where it is known.
        owner: Owner = "owner", "keyword|string";
    }
    additive {}
}

record! {
    /// An extension was loaded.
    Events "extension-loaded"
    pub struct ExtensionLoaded;
    tag "type" = "extension-loaded" {
        /// Names the event: `extension-loaded`.
    }
    required {
        /// The name in its manifest.
        name: String = "name", "string";
    }
    optional {
        /// True for an extension that comes with fen.
        first_party: bool = "first-party?", "boolean";
    }
    additive {}
}

record! {
    /// A passing remark for the person.
    Events "info"
    pub struct Info;
    tag "type" = "info" {
        /// Names the event: `info`.
    }
    required {}
    optional {
        /// The remark.
        info: String = "info", "string";
        /// The remark under its other name.
        text: String = "text", "string";
    }
    additive {}
}

record! {
    /// Asks the presenter to draw contributed panels and status items anew.
    Events "redraw"
    pub struct Redraw;
    tag "type" = "redraw" {
        /// Names the event: `redraw`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// Asks the presenter to set its screen up from the beginning.
    Events "reinit-presenter"
    pub struct ReinitPresenter;
    tag "type" = "reinit-presenter" {
        /// Names the event: `reinit-presenter`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// Asks for an empty conversation in a new session.
    Events "reset-conversation"
    pub struct ResetConversation;
    tag "type" = "reset-conversation" {
        /// Names the event: `reset-conversation`.
    }
    required {}
    optional {}
    additive {}
}

record! {
    /// Shows a passing line of status, or clears it.
    Events "set-status-info"
    pub struct SetStatusInfo;
    tag "type" = "set-status-info" {
        /// Names the event: `set-status-info`.
    }
    required {}
    optional {
        /// The line; absent to clear it.
        info: String = "info", "string|nil";
    }
    additive {}
}
