//! What each command does.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod support;

use fen_editor::{Command, Editor, FOLD, Outcome};
use support::{after, editor, run, shown, type_text};

#[test]
fn what_is_typed_stands_before_the_cursor() {
    let mut editor = editor("a|d");
    assert_eq!(editor.apply(Command::Insert("b".into())), Outcome::Changed);
    assert_eq!(editor.apply(Command::Insert("ç\r\n".into())), Outcome::Changed);
    assert_eq!(editor.apply(Command::Newline), Outcome::Changed);
    assert_eq!(shown(&editor), "abç\n\n|d");
    assert_eq!(editor.apply(Command::Insert(String::new())), Outcome::Nothing);
}

#[test]
fn characters_are_graphemes() {
    assert_eq!(after("a👨\u{200d}👩\u{200d}👧|b", "cursor-left"), "a|👨\u{200d}👩\u{200d}👧b");
    assert_eq!(after("|e\u{301}b", "cursor-right"), "e\u{301}|b");
    assert_eq!(after("ae\u{301}|b", "delete-back"), "a|b");
    assert_eq!(after("a|🇩🇪b", "delete-forward"), "a|b");
    assert_eq!(after("a\n|b", "cursor-left"), "a|\nb");
    assert_eq!(after("a|\nb", "delete-forward"), "a|b");
}

#[test]
fn commands_at_the_ends_of_the_text_do_nothing() {
    for (text, names) in [
        (
            "|ab c",
            "cursor-left cursor-word-left cursor-line-start buffer-start cursor-up delete-back \
             delete-word-back delete-to-blank-back kill-to-line-start transpose-chars undo redo \
             yank yank-pop history-previous history-next",
        ),
        (
            "ab c|",
            "cursor-right cursor-word-right cursor-line-end buffer-end cursor-down delete-forward \
             delete-word-forward kill-to-line-end upcase-word downcase-word capitalize-word",
        ),
    ] {
        for name in names.split_whitespace() {
            let mut editor = editor(text);
            // Putting the text there is nothing to undo for this test.
            if name == "undo" {
                editor = Editor::new();
            }
            let before = shown(&editor);
            let revision = editor.revision();
            assert_eq!(editor.apply(name.parse().unwrap()), Outcome::Nothing, "{name}");
            assert_eq!((shown(&editor), editor.revision()), (before, revision), "{name}");
        }
    }
}

#[test]
fn words_are_those_of_readline() {
    assert_eq!(after("one two-three|", "cursor-word-left"), "one two-|three");
    assert_eq!(after("one two-|three", "cursor-word-left"), "one |two-three");
    assert_eq!(after("|one two-three", "cursor-word-right"), "one| two-three");
    assert_eq!(after("one|, (two)", "cursor-word-right"), "one, (two|)");
    assert_eq!(after("one\n|two", "cursor-word-left"), "|one\ntwo");
}

#[test]
fn lines_and_the_text_have_ends() {
    assert_eq!(after("ab\ncd|ef\ngh", "cursor-line-start"), "ab\n|cdef\ngh");
    assert_eq!(after("ab\ncd|ef\ngh", "cursor-line-end"), "ab\ncdef|\ngh");
    assert_eq!(after("ab\ncd|ef\ngh", "buffer-start"), "|ab\ncdef\ngh");
    assert_eq!(after("ab\ncd|ef\ngh", "buffer-end"), "ab\ncdef\ngh|");
}

#[test]
fn moving_by_rows_keeps_the_wished_column() {
    assert_eq!(after("abcdef\nx\nghijkl|", "cursor-up"), "abcdef\nx|\nghijkl");
    assert_eq!(after("abcdef\nx\nghijk|l", "cursor-up cursor-up"), "abcde|f\nx\nghijkl");
    assert_eq!(after("abcd|ef\n\n来来来", "cursor-down cursor-down"), "abcdef\n\n来来|来");
    // Another command ends the wish.
    assert_eq!(
        after("abcd|e\nx\nghijk", "cursor-down cursor-left cursor-down"),
        "abcde\nx\n|ghijk"
    );
    assert_eq!(after("ab\nc|d", "cursor-up-or-history"), "a|b\ncd");
    assert_eq!(after("a|b\ncd", "cursor-down-or-history"), "ab\nc|d");
}

#[test]
fn rows_of_one_long_line_are_moved_through() {
    let mut editor = editor("one two three four|");
    editor.view(10, 5);
    run(&mut editor, "cursor-up");
    assert_eq!(shown(&editor), "one two thre|e four");
    assert!(!editor.is_on_last_row() && !editor.is_on_first_row());
    run(&mut editor, "buffer-end");
    assert!(editor.is_on_last_row() && !editor.is_on_first_row());
    run(&mut editor, "buffer-start");
    assert!(editor.is_on_first_row() && !editor.is_on_last_row());
}

#[test]
fn words_are_cut() {
    assert_eq!(after("one two-three|", "delete-word-back"), "one two-|");
    assert_eq!(after("one two-three |", "delete-to-blank-back"), "one |");
    assert_eq!(after("one\n  |two", "delete-to-blank-back"), "|two");
    assert_eq!(after("|one two", "delete-word-forward"), "| two");
    assert_eq!(after("one| (two)", "delete-word-forward"), "one|)");
}

#[test]
fn lines_are_cut() {
    assert_eq!(after("ab\nc|d\nef", "kill-to-line-end"), "ab\nc|\nef");
    assert_eq!(after("ab\nc|\nef", "kill-to-line-end"), "ab\nc|ef");
    assert_eq!(after("ab\nc|d", "kill-to-line-start"), "ab\n|d");
    assert_eq!(after("ab\n|cd", "kill-to-line-start"), "ab|cd");
    assert_eq!(after("ab\nc|d\nef", "kill-line"), "ab\n|ef");
    assert_eq!(after("ab\nc|d", "kill-line"), "ab\n|");
}

#[test]
fn what_was_cut_comes_back_and_cuts_in_a_row_are_one() {
    assert_eq!(
        after("|one two three", "delete-word-forward delete-word-forward yank"),
        "one two| three"
    );
    assert_eq!(after("one two three|", "delete-word-back delete-word-back yank"), "one two three|");
    assert_eq!(after("a b|c d", "kill-to-line-end kill-to-line-start yank"), "a bc d|");
    // Anything between two cuts makes two of them, and those can be turned through.
    let cuts = "delete-word-back cursor-left delete-to-blank-back";
    assert_eq!(after("one two|", &format!("{cuts} yank")), "one| ");
    assert_eq!(after("one two|", &format!("{cuts} yank yank-pop")), "two| ");
    assert_eq!(after("one two|", &format!("{cuts} yank yank-pop yank-pop")), "one| ");
    assert_eq!(after("one two|", &format!("{cuts} yank cursor-left yank-pop")), "on|e ");
}

#[test]
fn deleting_is_not_cutting() {
    assert_eq!(after("abc|d", "delete-back delete-forward yank"), "ab|");
}

#[test]
fn a_step_is_a_word_that_was_typed() {
    let mut editor = Editor::new();
    type_text(&mut editor, "one two");
    run(&mut editor, "undo");
    assert_eq!(shown(&editor), "one |");
    run(&mut editor, "undo");
    assert_eq!(shown(&editor), "|");
    assert_eq!(editor.apply(Command::Undo), Outcome::Nothing);
    run(&mut editor, "redo redo");
    assert_eq!(shown(&editor), "one two|");
    assert_eq!(editor.apply(Command::Redo), Outcome::Nothing);
}

#[test]
fn a_move_ends_a_step() {
    let mut editor = Editor::new();
    type_text(&mut editor, "ac");
    run(&mut editor, "cursor-left");
    type_text(&mut editor, "b");
    run(&mut editor, "undo");
    assert_eq!(shown(&editor), "a|c");
}

#[test]
fn characters_that_are_deleted_in_a_row_come_back_together() {
    assert_eq!(after("abcd|e", "delete-back delete-back delete-forward undo"), "abcd|e");
}

#[test]
fn setting_the_text_can_be_undone_and_taking_it_cannot() {
    let mut editor = editor("draf|t");
    editor.set_text("other");
    assert_eq!(shown(&editor), "other|");
    run(&mut editor, "undo");
    assert_eq!(shown(&editor), "draf|t");
    assert_eq!(editor.take(), "draft");
    assert!(editor.is_empty());
    assert_eq!(editor.apply(Command::Undo), Outcome::Nothing);
    assert_eq!(editor.apply(Command::Redo), Outcome::Nothing);
}

#[test]
fn what_was_cut_is_there_after_the_text_was_taken() {
    let mut editor = editor("one|");
    run(&mut editor, "delete-word-back");
    editor.take();
    run(&mut editor, "yank");
    assert_eq!(shown(&editor), "one|");
}

#[test]
fn characters_are_exchanged() {
    assert_eq!(after("ab|cd", "transpose-chars"), "acb|d");
    assert_eq!(after("abcd|", "transpose-chars"), "abdc|");
    assert_eq!(after("ab|\ncd", "transpose-chars"), "ba|\ncd");
    assert_eq!(after("ab\n|cd", "transpose-chars"), "ab\n|cd");
    assert_eq!(after("a|", "transpose-chars"), "a|");
    assert_eq!(after("ae\u{301}|b", "transpose-chars"), "abe\u{301}|");
    assert_eq!(after("aa|b", "cursor-left transpose-chars"), "aa|b");
}

#[test]
fn words_are_written_in_another_way() {
    assert_eq!(after("|one two", "upcase-word"), "ONE| two");
    assert_eq!(after("o|ne", "upcase-word"), "oNE|");
    assert_eq!(after("one| straße", "upcase-word"), "one STRASSE|");
    assert_eq!(after("|ÉTÉ", "downcase-word"), "été|");
    assert_eq!(after("| -oNE tWO", "capitalize-word capitalize-word"), " -One Two|");
    assert_eq!(after("|ONE x", "upcase-word"), "ONE| x");
}

fn long() -> String {
    (0..42).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn a_long_paste_is_one_character_that_expands_exactly() {
    let mut editor = editor("see |!");
    assert_eq!(editor.paste(&long()), Outcome::Changed);
    assert_eq!(editor.view(80, 3).rows[0].text(), "see [paste 1: 42 lines]!");
    assert_eq!(editor.text(), format!("see {}!", long()));
    assert_eq!(editor.text_before_cursor(), format!("see {FOLD}"));
    assert_eq!(editor.cursor_byte(), "see ".len() + long().len());
    run(&mut editor, "cursor-left");
    assert_eq!(editor.cursor_byte(), "see ".len());
    run(&mut editor, "delete-forward");
    assert_eq!(shown(&editor), "see |!");
    run(&mut editor, "undo");
    assert_eq!(editor.text(), format!("see {}!", long()));
}

#[test]
fn pastes_are_counted_until_the_text_is_taken() {
    let mut editor = Editor::new();
    editor.paste(&long());
    editor.paste("short");
    editor.paste(&"x".repeat(1_001));
    assert_eq!(
        editor.view(80, 1).rows[0].text(),
        "[paste 1: 42 lines]short[paste 2: 1,001 characters]"
    );
    assert_eq!(editor.take(), format!("{}short{}", long(), "x".repeat(1_001)));
    editor.paste(&long());
    assert_eq!(editor.view(80, 1).rows[0].text(), "[paste 1: 42 lines]");
}

#[test]
fn a_paste_is_cut_exchanged_and_put_in_whole() {
    let mut editor = editor("a|b");
    editor.paste(&long());
    run(&mut editor, "upcase-word transpose-chars");
    run(&mut editor, "delete-word-back yank yank");
    let text = editor.text();
    assert_eq!(text.matches(&long()).count(), 2, "{text}");
    run(&mut editor, "buffer-start upcase-word");
    assert!(editor.text().contains(&long()));
}

#[test]
fn what_would_make_the_text_too_long_changes_nothing() {
    let mut editor = Editor::new();
    let most = "x".repeat(Editor::LIMIT - 1);
    assert_eq!(editor.paste(&most), Outcome::Changed);
    assert_eq!(editor.apply(Command::Insert("é".into())), Outcome::Nothing);
    assert_eq!(editor.apply(Command::Insert("y".into())), Outcome::Changed);
    assert_eq!(editor.apply(Command::Newline), Outcome::Nothing);
    assert_eq!(editor.paste("z"), Outcome::Nothing);
    assert_eq!(editor.text(), most + "y");
}

#[test]
fn of_a_text_that_is_too_long_the_beginning_is_set() {
    let mut editor = Editor::new();
    editor.set_text(&("x".repeat(Editor::LIMIT - 1) + "éé"));
    assert_eq!(editor.text().len(), Editor::LIMIT - 1);
}

#[test]
fn completions_replace_what_is_before_the_cursor() {
    let mut editor = editor("see @li| please");
    assert_eq!(editor.text_before_cursor(), "see @li");
    assert_eq!(editor.replace_before_cursor(2, "src/lib.rs"), Outcome::Changed);
    assert_eq!(shown(&editor), "see @src/lib.rs| please");
    assert_eq!(editor.replace_before_cursor(99, "x"), Outcome::Nothing);
    editor.set_text("é");
    assert_eq!(editor.replace_before_cursor(1, "x"), Outcome::Nothing);
    assert_eq!(shown(&editor), "é|");
}

#[test]
fn revisions_tell_changes_of_the_text_alone() {
    let mut editor = editor("ab|");
    let mut seen = vec![editor.revision()];
    editor.apply(Command::CursorLeft);
    assert_eq!(editor.revision(), seen[0]);
    editor.apply(Command::DeleteBack);
    seen.push(editor.revision());
    editor.apply(Command::Undo);
    seen.push(editor.revision());
    editor.take();
    seen.push(editor.revision());
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
}
