//! Texts with the cursor written as `|`.

#![allow(dead_code, reason = "not every test needs all of it")]

use fen_editor::{Command, Editor};

/// An editor with this text, the cursor where `|` is.
pub fn editor(text: &str) -> Editor {
    let (before, after) = text.split_once('|').expect("no cursor");
    let mut editor = Editor::new();
    editor.set_text(&format!("{before}{after}"));
    editor.apply(Command::BufferStart);
    while editor.text_before_cursor().len() < before.len() {
        editor.apply(Command::CursorRight);
    }
    assert_eq!(editor.text_before_cursor(), before, "the cursor cannot stand there");
    editor
}

/// The text of an editor with its cursor.
pub fn shown(editor: &Editor) -> String {
    let mut text = editor.text();
    text.insert(editor.cursor_byte(), '|');
    text
}

/// A text after commands, by their names.
pub fn after(text: &str, commands: &str) -> String {
    let mut editor = editor(text);
    run(&mut editor, commands);
    shown(&editor)
}

/// Carries out commands by their names.
pub fn run(editor: &mut Editor, commands: &str) {
    for name in commands.split_whitespace() {
        editor.apply(name.parse().expect("no such command"));
    }
}

/// Types a text character by character.
pub fn type_text(editor: &mut Editor, text: &str) {
    for c in text.chars() {
        editor.apply(Command::Insert(c.to_string()));
    }
}
