//! What the keys of vi do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod support;

use fen_editor::{Command, Editor, Vi, ViKey};
use support::{editor, shown};

/// Presses keys, escape written as `⎋` and `ctrl-r` as `®`, as somebody would who has the vi mode on.
fn press(vi: &mut Vi, editor: &mut Editor, keys: &str) {
    for c in keys.chars() {
        let key = match c {
            '⎋' => ViKey::Escape,
            '®' => ViKey::Ctrl('r'),
            c => ViKey::Char(c),
        };
        match vi.key(key) {
            Some(commands) => commands.into_iter().for_each(|command| {
                editor.apply(command);
            }),
            None if c == '⎋' || c == '®' => {}
            None => {
                editor.apply(Command::Insert(c.to_string()));
            }
        }
    }
}

/// A text after keys in normal mode. The cursor is before the character that it stands on.
fn after(text: &str, keys: &str) -> String {
    let mut editor = editor(text);
    let mut vi = Vi::default();
    // Leaving the insert mode steps back.
    vi.key(ViKey::Escape);
    press(&mut vi, &mut editor, keys);
    shown(&editor)
}

#[test]
fn the_mode_is_told_and_changes() {
    let mut vi = Vi::default();
    assert_eq!(vi.mode_name(), "INSERT");
    assert_eq!(vi.key(ViKey::Char('d')), None);
    assert!(vi.key(ViKey::Escape).is_some());
    assert_eq!(vi.mode_name(), "NORMAL");
    assert_eq!(vi.key(ViKey::Escape), None);
    assert!(vi.key(ViKey::Char('i')).is_some());
    assert_eq!(vi.mode_name(), "INSERT");
}

#[test]
fn escape_steps_back_onto_the_last_character() {
    let mut editor = Editor::new();
    press(&mut Vi::default(), &mut editor, "ab⎋");
    assert_eq!(shown(&editor), "a|b");
}

#[test]
fn motions() {
    for (text, keys, expected) in [
        ("ab|c", "h", "a|bc"),
        ("a|bc", "l", "ab|c"),
        ("ab|c", "l", "ab|c"),
        ("|ab\ncd", "j", "ab\n|cd"),
        ("ab\nc|d", "k", "a|b\ncd"),
        ("|one two-three", "w", "one |two-three"),
        ("|one two-three", "3w", "one two-|three"),
        ("one two-|three", "b", "one two|-three"),
        ("|one two", "e", "on|e two"),
        ("|one two", "2e", "one tw|o"),
        ("  on|e", "0", "|  one"),
        ("  on|e", "^", "  |one"),
        ("|one\ntwo", "$", "on|e\ntwo"),
        ("a\nb\n |c", "gg", "|a\nb\n c"),
        ("|a\nb\n c", "G", "a\nb\n |c"),
        ("|a\nb\n c", "2G", "a\n|b\n c"),
        ("a\nb\n |c", "2gg", "a\n|b\n c"),
        ("|abcdefghijklm", "10l", "abcdefghij|klm"),
        ("|abc", "9999l", "ab|c"),
    ] {
        assert_eq!(after(text, keys), expected, "{keys}");
    }
}

#[test]
fn ways_to_begin_writing() {
    for (text, keys, expected) in [
        ("a|b", "ix", "ax|b"),
        ("a|b", "ax", "abx|"),
        ("  a|b", "Ix", "  x|ab"),
        ("|ab\nc", "Ax", "abx|\nc"),
        ("|ab\nc", "ox", "ab\nx|\nc"),
        ("ab\n|c", "Ox", "ab\nx|\nc"),
        ("a|bc", "sx", "ax|c"),
        ("a|bc\nd", "Cx", "ax|\nd"),
        ("a|bc\nd", "Sx", "x|\nd"),
        ("a|bc\nd", "ccx", "x|\nd"),
        ("|a b", "ax⎋", "a|x b"),
    ] {
        assert_eq!(after(text, keys), expected, "{keys}");
    }
}

#[test]
fn deleting_and_changing() {
    for (text, keys, expected) in [
        ("a|bc", "x", "a|c"),
        ("ab|c", "x", "a|b"),
        ("a|bcd", "2x", "a|d"),
        ("ab|c", "X", "a|c"),
        ("a|bc", "rx", "a|xc"),
        ("|abc", "2rx", "x|xc"),
        ("a|bc", "9rx", "a|bc"),
        ("a|bc\nd", "D", "|a\nd"),
        ("|one two", "dw", "|two"),
        ("|one two three", "d2w", "|three"),
        ("|one two three", "2dw", "|three"),
        ("one |two\nthree", "dw", "one| \nthree"),
        ("one t|wo", "db", "one |wo"),
        ("|one two", "de", "| two"),
        ("one t|wo", "d0", "|wo"),
        ("one |two", "d$", "one| "),
        ("one t|wo three", "diw", "one | three"),
        ("|one two", "cwx", "x| two"),
        ("|a two", "cwx", "x| two"),
        ("|one two three", "c2wx", "x| three"),
        ("one t|wo three", "ciwx", "one x| three"),
        ("one t|wo", "c0x", "x|wo"),
        ("one t|wo", "cbx", "one x|wo"),
        ("a\n|b\nc", "dd", "a\n|c"),
        ("a\n|b", "dd", "|a"),
        ("|a\nb\nc", "2dd", "|c"),
        ("|a\nb\nc", "9dd", "|"),
    ] {
        assert_eq!(after(text, keys), expected, "{keys}");
    }
}

#[test]
fn copying_and_putting_in() {
    for (text, keys, expected) in [
        ("a|b\nc", "yyp", "ab\n|ab\nc"),
        ("a\n|b", "yyP", "a\n|b\nb"),
        ("|a\nb", "ddp", "b\n|a"),
        ("|ab", "xp", "b|a"),
        ("|ab", "x3p", "baa|a"),
        ("a|b", "xP", "|ba"),
        ("|one two", "yw$p", "one twoone| "),
        ("one tw|o", "yb0P", "t|wone two"),
        ("one t|wo", "yiwP", "one tw|otwo"),
        ("|ab", "y$P", "a|bab"),
        ("|a\nb", "2yyGp", "a\nb\n|a\nb"),
    ] {
        assert_eq!(after(text, keys), expected, "{keys}");
    }
}

#[test]
fn undoing() {
    assert_eq!(after("|abc", "xxu"), "|bc");
    assert_eq!(after("|abc", "xx2u"), "|abc");
    assert_eq!(after("|abc", "xx2u®"), "|bc");
}

#[test]
fn a_command_can_be_given_up_and_unknown_keys_do_nothing() {
    for keys in ["d⎋", "dz", "diz", "gz", "Q", "d2⎋", "d®", "3⎋", "dj"] {
        assert_eq!(after("a|b", keys), "a|b", "{keys}");
        // What was begun is over: the next key begins anew.
        assert_eq!(after("a|b", &format!("{keys}x")), "|a", "{keys}");
    }
}

#[test]
fn enter_ends_what_was_begun_and_is_free_otherwise() {
    let mut vi = Vi::default();
    assert!(!vi.takes_enter());
    vi.key(ViKey::Escape);
    assert_eq!(vi.key(ViKey::Other), None);
    vi.key(ViKey::Char('d'));
    assert!(vi.takes_enter());
    assert_eq!(vi.key(ViKey::Other), Some(Vec::new()));
    assert!(!vi.takes_enter());
}

#[test]
fn keys_are_known_by_their_names() {
    for (name, text, key) in [
        ("esc", None, ViKey::Escape),
        ("backspace", None, ViKey::Backspace),
        ("space", Some(' '), ViKey::Char(' ')),
        ("A", Some('A'), ViKey::Char('A')),
        ("ctrl-r", None, ViKey::Ctrl('r')),
        ("ctrl-left", None, ViKey::Other),
        ("f5", None, ViKey::Other),
    ] {
        assert_eq!(ViKey::named(name, text), key, "{name}");
    }
}

#[test]
fn backspace_moves_between_commands() {
    let mut editor = editor("ab|c");
    let mut vi = Vi::default();
    vi.key(ViKey::Escape);
    for command in vi.key(ViKey::Backspace).unwrap() {
        editor.apply(command);
    }
    assert_eq!(shown(&editor), "a|bc");
}
