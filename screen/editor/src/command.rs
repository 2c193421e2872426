//! The editor's vocabulary: what it can be told, and what came of it.
//!
//! Commands have names since the bindings of keys are data. Nothing is carried out here.

use crate::vi_edit::ViCommand;
use std::str::FromStr;

/// What came of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The text is another one.
    Changed,
    /// The text is the same and the cursor stands elsewhere.
    Moved,
    /// All is as it was.
    Nothing,
}

/// No command has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no command of the editor")]
pub struct UnknownCommand(pub String);

macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $command:ident = $name:literal,)+) => {
        /// What the editor can be told.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Command {
            /// Put in a text as if it were typed.
            Insert(String),
            /// Do what vi does.
            Vi(ViCommand),
            $($(#[doc = $doc])+ $command,)+
        }

        impl Command {
            /// All commands that a key can be bound to by name.
            pub const ALL: &[Command] = &[$(Command::$command),+];

            /// Its name. `insert` and `vi` need more than a name, so that no key can be bound to them.
            pub fn name(&self) -> &'static str {
                match self {
                    Command::Insert(_) => "insert",
                    Command::Vi(_) => "vi",
                    $(Command::$command => $name,)+
                }
            }

            /// What it does, in words.
            pub fn description(&self) -> &'static str {
                match self {
                    Command::Insert(_) => "Put in a text",
                    Command::Vi(_) => "Do what vi does",
                    $(Command::$command => concat!($($doc),+).trim_ascii().trim_suffix_stop(),)+
                }
            }
        }

        impl FromStr for Command {
            type Err = UnknownCommand;

            fn from_str(name: &str) -> Result<Command, UnknownCommand> {
                match name {
                    $($name => Ok(Command::$command),)+
                    _ => Err(UnknownCommand(name.to_owned())),
                }
            }
        }
    };
}

/// Documentation ends in a full stop, and a row of a table does not.
trait WithoutStop {
    fn trim_suffix_stop(&self) -> &str;
}

impl WithoutStop for str {
    fn trim_suffix_stop(&self) -> &str {
        self.strip_suffix('.').unwrap_or(self)
    }
}

commands! {
    /// Begin a new line.
    Newline = "newline",
    /// Move back by a character.
    CursorLeft = "cursor-left",
    /// Move on by a character.
    CursorRight = "cursor-right",
    /// Move to the beginning of the word.
    CursorWordLeft = "cursor-word-left",
    /// Move to the end of the word.
    CursorWordRight = "cursor-word-right",
    /// Move to the beginning of the line.
    CursorLineStart = "cursor-line-start",
    /// Move to the end of the line.
    CursorLineEnd = "cursor-line-end",
    /// Move up by a row.
    CursorUp = "cursor-up",
    /// Move down by a row.
    CursorDown = "cursor-down",
    /// Move to the beginning of the text.
    BufferStart = "buffer-start",
    /// Move to the end of the text.
    BufferEnd = "buffer-end",
    /// Move up by a row, and from the first one to the entry before in the history.
    CursorUpOrHistory = "cursor-up-or-history",
    /// Move down by a row, and from the last one to the next entry of the history.
    CursorDownOrHistory = "cursor-down-or-history",
    /// Take the entry before from the history.
    HistoryPrevious = "history-previous",
    /// Take the next entry of the history.
    HistoryNext = "history-next",
    /// Delete the character before the cursor.
    DeleteBack = "delete-back",
    /// Delete the character at the cursor.
    DeleteForward = "delete-forward",
    /// Cut back to the beginning of the word.
    DeleteWordBack = "delete-word-back",
    /// Cut back to the blank before.
    DeleteToBlankBack = "delete-to-blank-back",
    /// Cut to the end of the word.
    DeleteWordForward = "delete-word-forward",
    /// Cut to the end of the line, and there the line end.
    KillToLineEnd = "kill-to-line-end",
    /// Cut back to the beginning of the line, and there the line end before it.
    KillToLineStart = "kill-to-line-start",
    /// Cut the whole line.
    KillLine = "kill-line",
    /// Put in what was cut last.
    Yank = "yank",
    /// Right after that, put in what was cut before it instead.
    YankPop = "yank-pop",
    /// Undo the last change.
    Undo = "undo",
    /// Do again what was undone.
    Redo = "redo",
    /// Exchange the characters around the cursor.
    TransposeChars = "transpose-chars",
    /// Write the word in capitals.
    UpcaseWord = "upcase-word",
    /// Write the word in small letters.
    DowncaseWord = "downcase-word",
    /// Write the word with a capital.
    CapitalizeWord = "capitalize-word",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_by_its_name_and_has_words() {
        for command in Command::ALL {
            assert_eq!(command.name().parse().as_ref(), Ok(command));
            assert!(command.name().bytes().all(|c| c == b'-' || c.is_ascii_lowercase()));
            assert!(!command.description().is_empty() && !command.description().ends_with('.'));
        }
    }

    #[test]
    fn a_name_that_means_nothing_is_told() {
        let error = "insert".parse::<Command>().unwrap_err();
        assert_eq!(error.to_string(), "`insert` is no command of the editor");
    }
}
