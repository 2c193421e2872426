//! What a key can do, each with its name for the user's file and its words for help.
//!
//! It says where an action has a meaning, and never what it does: the application does it. The
//! commands of the editor and the controls of extensions have names of their own, which are only
//! carried here.

use std::fmt;
use std::str::FromStr;

/// What is in front, and so whom a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Context {
    /// The conversation and its input.
    Main,
    /// A list to choose from, with a filter that is typed.
    List,
    /// A text to read.
    Page,
    /// A question with a free answer.
    Question,
}

impl Context {
    /// All of them, as help shows them.
    pub(crate) const ALL: [Context; 4] =
        [Context::Main, Context::List, Context::Page, Context::Question];

    /// Its name in the user's file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Context::Main => "main",
            Context::List => "list",
            Context::Page => "page",
            Context::Question => "question",
        }
    }
}

use Context::{List, Main, Page, Question};

/// The part of help that an action stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    /// What starts, steers and ends things.
    Conversation,
    /// Moving through what was said.
    Reading,
    /// How things are shown.
    View,
    /// Writing.
    Editing,
    /// Choosing from lists.
    Lists,
    /// What extensions bring.
    Extensions,
}

impl Group {
    /// Its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Group::Conversation => "Conversation",
            Group::Reading => "Reading",
            Group::View => "View",
            Group::Editing => "Editing",
            Group::Lists => "Lists",
            Group::Extensions => "Extensions",
        }
    }
}

/// What comes before the name of an extension's control.
const CONTROL: &str = "control:";

macro_rules! actions {
    ($($group:ident { $($name:ident = $wire:literal in [$($context:ident),+], $text:literal;)+ })+) => {
        /// What a key can do.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub(crate) enum Action {
            $($(#[doc = $text] $name,)+)+
            /// A command of the editor, by its name.
            Edit(String),
            /// The control of that name, which an extension registered.
            Control(String),
        }

        impl Action {
            /// All that have names of their own, in the order of help.
            pub(crate) const ALL: &[Action] = &[$($(Action::$name,)+)+];

            /// Its name in the user's file.
            pub(crate) fn name(&self) -> String {
                match self {
                    $($(Action::$name => $wire.to_owned(),)+)+
                    Action::Edit(name) => name.clone(),
                    Action::Control(name) => format!("{CONTROL}{name}"),
                }
            }

            /// What it does, for help. Empty where another part of the program knows.
            pub(crate) fn description(&self) -> &'static str {
                match self {
                    $($(Action::$name => $text,)+)+
                    Action::Edit(_) | Action::Control(_) => "",
                }
            }

            /// Where it has a meaning.
            pub(crate) fn contexts(&self) -> &'static [Context] {
                match self {
                    $($(Action::$name => &[$($context),+],)+)+
                    Action::Edit(_) => &[Main, Question],
                    Action::Control(_) => &[Main],
                }
            }

            /// The part of help that it stands in.
            pub(crate) fn group(&self) -> Group {
                match self {
                    $($(Action::$name => Group::$group,)+)+
                    Action::Edit(_) => Group::Editing,
                    Action::Control(_) => Group::Extensions,
                }
            }
        }

        impl FromStr for Action {
            type Err = UnknownAction;

            /// The action of a name. The editor's commands are known to the editor alone.
            fn from_str(name: &str) -> Result<Action, UnknownAction> {
                match name {
                    $($($wire => Ok(Action::$name),)+)+
                    _ => match name.strip_prefix(CONTROL) {
                        Some(control) if !control.is_empty() => {
                            Ok(Action::Control(control.to_owned()))
                        }
                        _ => Err(UnknownAction(name.to_owned())),
                    },
                }
            }
        }
    };
}

/// A name that no action has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no action `{0}`")]
pub(crate) struct UnknownAction(pub(crate) String);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

actions! {
    Conversation {
        Submit = "submit" in [Main],
            "Send what is written; while the model works, it is told at the next step";
        FollowUp = "follow-up" in [Main],
            "Send what is written once the model has finished";
        EditQueue = "edit-queue" in [Main], "Take waiting lines back into the input";
        Cancel = "cancel" in [Main, List, Page, Question],
            "Stop the model, or close what is in front";
        Interrupt = "interrupt" in [Main],
            "Clear the input, or stop the model; twice on an empty input to leave";
        EndOfInput = "end-of-input" in [Main],
            "Leave if the input is empty, else delete the character after the cursor";
        Suspend = "suspend" in [Main, List, Page, Question], "Go to the background, to the shell";
    }
    Reading {
        ScrollUp = "scroll-up" in [Main, Page, Question], "Scroll up a little";
        ScrollDown = "scroll-down" in [Main, Page, Question], "Scroll down a little";
        PageUp = "page-up" in [Main, Page, Question], "Scroll up a page";
        PageDown = "page-down" in [Main, Page, Question], "Scroll down a page";
        GoTop = "go-top" in [Main, Page, Question], "Go to the beginning";
        GoBottom = "go-bottom" in [Main, Page, Question], "Go to the end, and stay there";
        PreviousMessage = "previous-message" in [Main], "Go to the message of yours before this";
        NextMessage = "next-message" in [Main], "Go to the message of yours after this";
        Search = "search" in [Main], "Search the conversation";
        NextMatch = "next-match" in [Main], "Go to the next finding, or begin to search";
        PreviousMatch = "previous-match" in [Main],
            "Go to the finding before, or begin to search";
        CopyAnswer = "copy-answer" in [Main], "Copy the last answer";
    }
    View {
        ToggleThinking = "toggle-thinking" in [Main], "Show or hide the model's reasoning";
        ToggleOutput = "toggle-output" in [Main], "Show the output of tools whole or in short";
        ToggleTimestamps = "toggle-timestamps" in [Main], "Show or hide when things were said";
        ToggleMouse = "toggle-mouse" in [Main, List, Page, Question],
            "Leave the mouse to the terminal, or take it back";
        ToggleVi = "toggle-vi" in [Main], "Edit as in vi, or as usual";
        ShowKeys = "show-keys" in [Main], "Show all keys";
        ShowErrors = "show-errors" in [Main], "Show what went wrong so far";
        Redraw = "redraw" in [Main, List, Page, Question], "Draw the screen anew";
    }
    Editing {
        NewLine = "newline" in [Main, Question], "Begin a new line";
        Complete = "complete" in [Main], "Complete a name, or go to the next one on offer";
        CompleteBack = "complete-back" in [Main], "Go to the name on offer before";
        SearchHistory = "search-history" in [Main], "Search what was entered before";
        ExternalEditor = "external-editor" in [Main], "Write in the editor of $EDITOR";
    }
    Lists {
        ListUp = "list-up" in [List], "Go up";
        ListDown = "list-down" in [List], "Go down";
        ListPageUp = "list-page-up" in [List], "Go up a page";
        ListPageDown = "list-page-down" in [List], "Go down a page";
        ListFirst = "list-first" in [List], "Go to the first";
        ListLast = "list-last" in [List], "Go to the last";
        Accept = "accept" in [List, Question], "Take what is chosen or written";
        ListFilterBack = "list-filter-back" in [List], "Delete the filter's last character";
        ListFilterWordBack = "list-filter-word-back" in [List], "Delete the filter's last word";
        ListFilterClear = "list-filter-clear" in [List], "Clear the filter";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_their_own_and_read_back() {
        let names: HashSet<String> = Action::ALL.iter().map(Action::name).collect();
        assert_eq!(names.len(), Action::ALL.len());
        for action in Action::ALL {
            assert_eq!(Action::from_str(&action.name()).as_ref(), Ok(action));
            assert!(!action.description().is_empty() && !action.contexts().is_empty());
        }
        assert!(names.iter().all(|name| Context::ALL.iter().all(|context| context.name() != name)));
    }

    #[test]
    fn a_control_is_written_with_its_name() {
        let control = Action::Control("my panel".to_owned());
        assert_eq!(control.name(), "control:my panel");
        assert_eq!(Action::from_str("control:my panel"), Ok(control));
        assert_eq!(Action::from_str("control:"), Err(UnknownAction("control:".to_owned())));
    }
}
