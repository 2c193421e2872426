//! What is seen of a text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod support;

use fen_cells::Join;
use fen_editor::{Editor, View};
use support::{editor, run, shown};

fn texts(view: &View) -> Vec<String> {
    view.rows.iter().map(fen_cells::Line::text).collect()
}

#[test]
fn an_empty_text_is_one_row() {
    let view = Editor::new().view(10, 5);
    assert_eq!((texts(&view), view.cursor, view.total_rows), (vec![String::new()], (0, 0), 1));
}

#[test]
fn lines_break_softly_and_say_so() {
    let mut editor = editor("the quick brown fox\nend|");
    let view = editor.view(11, 9);
    assert_eq!(texts(&view), ["the quick ", "brown fox", "end"]);
    let joins: Vec<Join> = view.rows.iter().map(|row| row.join).collect();
    assert_eq!(joins, [Join::Break, Join::Glue, Join::Break]);
    assert_eq!((view.cursor, view.first_row, view.total_rows), ((2, 3), 0, 3));
}

#[test]
fn the_view_follows_the_cursor_by_as_little_as_possible() {
    let text: Vec<String> = (0..9).map(|line| line.to_string()).collect();
    let mut editor = editor(&(text.join("\n") + "|"));
    let view = editor.view(10, 3);
    assert_eq!((texts(&view), view.cursor.0, view.first_row), (strings("678"), 2, 6));
    run(&mut editor, "cursor-up cursor-up");
    let view = editor.view(10, 3);
    assert_eq!((texts(&view), view.cursor.0, view.first_row), (strings("678"), 0, 6));
    run(&mut editor, "cursor-up");
    let view = editor.view(10, 3);
    assert_eq!((texts(&view), view.cursor.0, view.first_row), (strings("567"), 0, 5));
    run(&mut editor, "buffer-start");
    let view = editor.view(10, 3);
    assert_eq!((texts(&view), view.cursor.0, view.first_row), (strings("012"), 0, 0));
}

#[test]
fn no_row_stays_empty_that_could_show_text() {
    let mut editor = editor("0\n1\n2\n3\n4|");
    assert_eq!(texts(&editor.view(10, 3)), ["2", "3", "4"]);
    run(&mut editor, "kill-to-line-start kill-to-line-start");
    assert_eq!(texts(&editor.view(10, 3)), ["1", "2", "3"]);
    assert_eq!(texts(&editor.view(10, 9)), ["0", "1", "2", "3"]);
}

#[test]
fn a_click_leads_to_the_character_in_the_cell() {
    let mut editor = editor("|the quick brown\n来来\n\tx");
    editor.view(11, 9);
    for (row, column, expected) in [
        (0, 4, "the |quick brown\n来来\n\tx"),
        (0, 99, "the quick| brown\n来来\n\tx"),
        (1, 99, "the quick brown|\n来来\n\tx"),
        (2, 1, "the quick brown\n|来来\n\tx"),
        (2, 2, "the quick brown\n来|来\n\tx"),
        (3, 3, "the quick brown\n来来\n|\tx"),
        (3, 4, "the quick brown\n来来\n\t|x"),
        (9, 0, "the quick brown\n来来\n|\tx"),
    ] {
        editor.place_cursor(row, column);
        assert_eq!(shown(&editor), expected, "{row} {column}");
    }
}

#[test]
fn clicks_count_rows_from_the_beginning_of_the_text() {
    let mut editor = editor("0\n1\n2\n3\n4|");
    assert_eq!(editor.view(10, 2).first_row, 3);
    editor.place_cursor(3, 0);
    assert_eq!(shown(&editor), "0\n1\n2\n|3\n4");
    editor.place_cursor(0, 0);
    assert_eq!(shown(&editor), "|0\n1\n2\n3\n4");
}

#[test]
fn controls_are_marks_of_one_place_each() {
    let mut editor = editor("a\u{1b}[2J\u{7}|");
    let view = editor.view(20, 1);
    assert_eq!((texts(&view), view.cursor), (vec!["a␛[2J␇".to_owned()], (0, 6)));
    run(&mut editor, "buffer-start cursor-right cursor-right delete-back");
    assert_eq!(shown(&editor), "a|[2J\u{7}");
}

#[test]
fn no_width_means_rows_without_cells() {
    let view = editor("ab|").view(0, 0);
    assert_eq!((texts(&view), view.cursor), (vec![String::new()], (0, 0)));
}

fn strings(digits: &str) -> Vec<String> {
    digits.chars().map(String::from).collect()
}
