//! The keys that hold where the user's file says nothing else.
//!
//! Editing follows readline. Fen has other uses for `ctrl-t`, `ctrl-o`, `ctrl-f`, `ctrl-r`, `ctrl-j`,
//! `ctrl-l`, `ctrl-z` and `ctrl-c`, and `alt-c` copies, so that `alt-C` is what writes a word with a
//! capital.

use super::action::Action::{self, *};
use super::action::Context::{self, List, Main, Page, Question};
use super::key::KeyName;

/// What a row of a table does: an action, or a command of the editor by its name.
enum Does {
    This(Action),
    Edits(&'static str),
}

use Does::{Edits, This};

type Row = (&'static [&'static str], Does);

/// The keys of the conversation.
const MAIN: &[Row] = &[
    (&["enter"], This(Submit)),
    (&["alt-enter"], This(FollowUp)),
    (&["alt-q"], This(EditQueue)),
    (&["esc"], This(Cancel)),
    (&["ctrl-c"], This(Interrupt)),
    (&["ctrl-d"], This(EndOfInput)),
    (&["alt-up"], This(PreviousMessage)),
    (&["alt-down"], This(NextMessage)),
    (&["ctrl-f"], This(Search)),
    (&["f3"], This(NextMatch)),
    (&["shift-f3"], This(PreviousMatch)),
    (&["alt-c"], This(CopyAnswer)),
    (&["ctrl-t"], This(ToggleThinking)),
    (&["ctrl-o"], This(ToggleOutput)),
    (&["alt-t"], This(ToggleTimestamps)),
    (&["f1"], This(ShowKeys)),
    (&["alt-e"], This(ShowErrors)),
    (&["tab"], This(Complete)),
    (&["shift-tab"], This(CompleteBack)),
    (&["ctrl-r"], This(SearchHistory)),
    (&["ctrl-x ctrl-e"], This(ExternalEditor)),
    (&["up", "ctrl-p"], Edits("cursor-up-or-history")),
    (&["down", "ctrl-n"], Edits("cursor-down-or-history")),
];

/// The keys of questions.
const QUESTION: &[Row] = &[
    (&["enter"], This(Accept)),
    (&["alt-enter"], This(NewLine)),
    (&["esc", "ctrl-c"], This(Cancel)),
    (&["up", "ctrl-p"], Edits("cursor-up")),
    (&["down", "ctrl-n"], Edits("cursor-down")),
    (&["ctrl-d"], Edits("delete-forward")),
];

/// The keys of all that is written in.
const WRITING: &[Row] = &[
    (&["shift-enter", "ctrl-j"], This(NewLine)),
    (&["shift-up"], This(ScrollUp)),
    (&["shift-down"], This(ScrollDown)),
    (&["pageup"], This(PageUp)),
    (&["pagedown"], This(PageDown)),
    (&["ctrl-home"], This(GoTop)),
    (&["ctrl-end"], This(GoBottom)),
    (&["left", "ctrl-b"], Edits("cursor-left")),
    (&["right"], Edits("cursor-right")),
    (&["ctrl-left", "alt-left", "alt-b"], Edits("cursor-word-left")),
    (&["ctrl-right", "alt-right", "alt-f"], Edits("cursor-word-right")),
    (&["home", "ctrl-a"], Edits("cursor-line-start")),
    (&["end", "ctrl-e"], Edits("cursor-line-end")),
    (&["alt-<"], Edits("buffer-start")),
    (&["alt->"], Edits("buffer-end")),
    (&["backspace", "ctrl-h", "shift-backspace"], Edits("delete-back")),
    (&["delete"], Edits("delete-forward")),
    (&["alt-backspace", "ctrl-backspace"], Edits("delete-word-back")),
    (&["ctrl-w"], Edits("delete-to-blank-back")),
    (&["alt-d", "ctrl-delete"], Edits("delete-word-forward")),
    (&["ctrl-k"], Edits("kill-to-line-end")),
    (&["ctrl-u"], Edits("kill-to-line-start")),
    (&["ctrl-y"], Edits("yank")),
    (&["alt-y"], Edits("yank-pop")),
    // Some terminals send for `ctrl-_` and `ctrl-/` what others take for `ctrl-7`.
    (&["ctrl-/", "ctrl-_", "ctrl-7"], Edits("undo")),
    (&["alt-/"], Edits("redo")),
    (&["alt-u"], Edits("upcase-word")),
    (&["alt-l"], Edits("downcase-word")),
    (&["alt-C"], Edits("capitalize-word")),
];

/// The keys of lists. What else is typed is the filter.
const LIST: &[Row] = &[
    (&["up", "ctrl-p", "shift-tab"], This(ListUp)),
    (&["down", "ctrl-n", "tab"], This(ListDown)),
    (&["pageup"], This(ListPageUp)),
    (&["pagedown"], This(ListPageDown)),
    (&["home", "ctrl-home"], This(ListFirst)),
    (&["end", "ctrl-end"], This(ListLast)),
    (&["enter"], This(Accept)),
    (&["esc", "ctrl-c"], This(Cancel)),
    (&["backspace", "ctrl-h"], This(ListFilterBack)),
    (&["ctrl-w", "alt-backspace"], This(ListFilterWordBack)),
    (&["ctrl-u"], This(ListFilterClear)),
];

/// The keys of pages, as in programs that show text.
const PAGE: &[Row] = &[
    (&["up", "k", "shift-up"], This(ScrollUp)),
    (&["down", "j", "shift-down"], This(ScrollDown)),
    (&["pageup", "b"], This(PageUp)),
    (&["pagedown", "space"], This(PageDown)),
    (&["home", "g", "ctrl-home"], This(GoTop)),
    (&["end", "G", "ctrl-end"], This(GoBottom)),
    (&["esc", "q", "ctrl-c"], This(Cancel)),
];

/// The keys that hold wherever one is.
const EVERYWHERE: &[Row] =
    &[(&["ctrl-z"], This(Suspend)), (&["ctrl-l"], This(Redraw)), (&["alt-m"], This(ToggleMouse))];

/// All of them: where, the keys after one another, and what they do.
pub(super) fn bindings() -> impl Iterator<Item = (Context, Vec<KeyName>, Action)> {
    [
        (&[Main][..], MAIN),
        (&[Question], QUESTION),
        (&[Main, Question], WRITING),
        (&[List], LIST),
        (&[Page], PAGE),
        (&Context::ALL, EVERYWHERE),
    ]
    .into_iter()
    .flat_map(|(contexts, rows)| contexts.iter().map(move |context| (*context, rows)))
    .flat_map(|(context, rows)| rows.iter().map(move |row| (context, row)))
    .flat_map(|(context, (chords, does))| {
        chords.iter().map(move |chord| {
            let keys = chord.split(' ').map(KeyName::canonical).collect();
            let action = match does {
                This(action) => action.clone(),
                Edits(command) => Edit((*command).to_owned()),
            };
            (context, keys, action)
        })
    })
}

/// The commands of the editor that have keys.
pub(super) fn edit_commands() -> impl Iterator<Item = &'static str> {
    [MAIN, QUESTION, WRITING].into_iter().flatten().filter_map(|(_, does)| match does {
        Edits(command) => Some(*command),
        This(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn names_of_keys_are_canonical() {
        for (_, keys, _) in bindings() {
            for key in keys {
                assert_eq!(KeyName::parse(key.as_str()), Ok(key));
            }
        }
    }

    #[test]
    fn no_key_does_two_things_and_none_begins_a_chord() {
        let mut all = HashMap::new();
        for (context, keys, action) in bindings() {
            if let Some(other) = all.insert((context, keys.clone()), action.clone()) {
                panic!("{keys:?} in {context:?}: {other} and {action}");
            }
        }
        for (context, keys) in all.keys() {
            for end in 1..keys.len() {
                assert!(!all.contains_key(&(*context, keys[..end].to_vec())), "{keys:?}");
            }
        }
    }

    #[test]
    fn keys_are_bound_where_their_action_has_a_meaning() {
        for (context, keys, action) in bindings() {
            assert!(action.contexts().contains(&context), "{keys:?}: {action} in {context:?}");
        }
    }

    #[test]
    fn all_actions_but_one_have_a_key() {
        let bound: Vec<Action> = bindings().map(|(_, _, action)| action).collect();
        let unbound: Vec<&Action> =
            Action::ALL.iter().filter(|action| !bound.contains(action)).collect();
        assert_eq!(unbound, [&ToggleVi]);
    }
}
