//! What the decoder makes of bytes that terminals, people and others send.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

use fen_tty::decoder::{ALT_WAIT, BURST_GAP, Decoder, ESC_WAIT, PASTE_LIMIT, SILENCE};
use fen_tty::input::{Button, Focus, Input, Mouse, MouseKind};
use fen_tty::key::{Key, Mods};
use std::time::{Duration, Instant};

/// A decoder with a clock of its own.
struct Stream {
    decoder: Decoder,
    now: Instant,
}

impl Stream {
    fn new() -> Self {
        Stream { decoder: Decoder::new(), now: Instant::now() }
    }

    fn feed(&mut self, bytes: impl AsRef<[u8]>) -> Vec<Input> {
        self.decoder.feed(bytes.as_ref(), self.now)
    }

    /// Time passes without a byte.
    fn pass(&mut self, time: Duration) -> Vec<Input> {
        self.now += time;
        self.decoder.expire(self.now)
    }
}

fn key(text: &str) -> Input {
    Input::Key(text.parse().unwrap())
}

fn keys(names: &str) -> Vec<Input> {
    names.split_whitespace().map(key).collect()
}

fn paste(text: &str) -> Vec<Input> {
    vec![Input::Paste(text.to_owned())]
}

/// The inputs of these bytes, and nothing is left over.
fn decoded(bytes: impl AsRef<[u8]>) -> Vec<Input> {
    let mut stream = Stream::new();
    let mut inputs = stream.feed(bytes);
    assert_eq!(stream.decoder.due(), None);
    inputs.extend(stream.decoder.finish());
    inputs
}

#[test]
fn keys_of_old_terminals_are_known() {
    for (bytes, name) in [
        ("\r", "enter"),
        ("\n", "ctrl-j"),
        ("\t", "tab"),
        ("\x7f", "backspace"),
        ("\x08", "ctrl-h"),
        ("\0", "ctrl-space"),
        ("\x01", "ctrl-a"),
        ("\x1a", "ctrl-z"),
        ("\x1c", "ctrl-\\"),
        ("\x1f", "ctrl-_"),
        ("\x1b[A", "up"),
        ("\x1bOA", "up"),
        ("\x1bOP", "f1"),
        ("\x1b[15~", "f5"),
        ("\x1b[24~", "f12"),
        ("\x1b[[A", "f1"),
        ("\x1b[1~", "home"),
        ("\x1b[H", "home"),
        ("\x1bOF", "end"),
        ("\x1b[3~", "delete"),
        ("\x1b[5~", "pageup"),
        ("\x1b[Z", "shift-tab"),
        ("\x1b[1;5D", "ctrl-left"),
        ("\x1b[1;3A", "alt-up"),
        ("\x1b[1;2R", "shift-f3"),
        ("\x1b[3;5~", "ctrl-delete"),
        ("\x1bO5P", "ctrl-f1"),
        ("\x1bOa", "ctrl-up"),
        ("\x1bOM", "enter"),
        ("\x1bOp", "0"),
        ("\x1bOk", "+"),
    ] {
        assert_eq!(decoded(bytes), keys(name), "{bytes:?}");
    }
}

#[test]
fn an_escape_before_a_key_is_alt() {
    for (bytes, name) in [
        ("\x1bx", "alt-x"),
        ("\x1bX", "alt-X"),
        ("\x1bé", "alt-é"),
        ("\x1b\r", "alt-enter"),
        ("\x1b\n", "ctrl-alt-j"),
        ("\x1b\x7f", "alt-backspace"),
        ("\x1b\x01", "ctrl-alt-a"),
        ("\x1b ", "alt-space"),
        ("\x1b\x1b[A", "alt-up"),
        ("\x1b\x1bOD", "alt-left"),
        ("\x1b\x1b[Z", "alt-shift-tab"),
        ("\x1b]x", "alt-] x"),
        ("\x1b^", "alt-^"),
    ] {
        assert_eq!(decoded(bytes), keys(name), "{bytes:?}");
    }
}

#[test]
fn keys_of_the_kitty_protocol_are_known() {
    for (bytes, names) in [
        ("\x1b[27u", "esc"),
        ("\x1b[122;5u", "ctrl-z"),
        ("\x1b[106;5u", "ctrl-j"),
        ("\x1b[13u", "enter"),
        ("\x1b[13;2u", "shift-enter"),
        ("\x1b[13;3u", "alt-enter"),
        ("\x1b[109;5u", "enter"),
        ("\x1b[91;5u", "esc"),
        ("\x1b[9;2u", "shift-tab"),
        ("\x1b[97;6u", "ctrl-shift-a"),
        ("\x1b[97:65;6u", "ctrl-shift-a"),
        ("\x1b[97:65;4u", "alt-A"),
        ("\x1b[49:33;4u", "alt-!"),
        ("\x1b[97;2u", "A"),
        ("\x1b[99;9u", "super-c"),
        // The key of `c` on a keyboard of another script.
        ("\x1b[1089::99;5u", "ctrl-c"),
        ("\x1b[1089;5u", "ctrl-с"),
        // Caps lock and num lock say nothing.
        ("\x1b[97;197u", "ctrl-a"),
        ("\x1b[57414u", "enter"),
        ("\x1b[57376u", "f13"),
        // Repeats are presses; releases, and modifiers by themselves, are nothing.
        ("\x1b[97;5:1u\x1b[97;5:2u\x1b[97;5:3u", "ctrl-a ctrl-a"),
        ("\x1b[1;1:3A", ""),
        ("\x1b[57441;2u", ""),
        ("\x1b[57358u", ""),
        // Keys that no binding can name.
        ("\x1b[97;17u\x1b[97;33u", ""),
        ("\x1b[1;1:1A", "up"),
        ("\x1b[5;5:2~", "ctrl-pageup"),
    ] {
        assert_eq!(decoded(bytes), keys(names), "{bytes:?}");
    }
}

#[test]
fn keys_of_modify_other_keys_are_known() {
    for (bytes, names) in [
        ("\x1b[27;5;106~", "ctrl-j"),
        ("\x1b[27;6;65~", "ctrl-shift-a"),
        ("\x1b[27;2;13~", "shift-enter"),
        ("\x1b[27;3;97~", "alt-a"),
    ] {
        assert_eq!(decoded(bytes), keys(names), "{bytes:?}");
    }
}

#[test]
fn the_mouse_is_known() {
    let mouse = |kind, column, row, mods| Input::Mouse(Mouse { kind, column, row, mods });
    let (none, left) = (Mods::NONE, Button::Left);
    for (bytes, expected) in [
        ("\x1b[<0;1;1M", mouse(MouseKind::Press(left), 0, 0, none)),
        ("\x1b[<0;300;2m", mouse(MouseKind::Release(left), 299, 1, none)),
        ("\x1b[<2;5;6M", mouse(MouseKind::Press(Button::Right), 4, 5, none)),
        ("\x1b[<32;5;6M", mouse(MouseKind::Drag(left), 4, 5, none)),
        ("\x1b[<35;5;6M", mouse(MouseKind::Move, 4, 5, none)),
        ("\x1b[<64;5;6M", mouse(MouseKind::ScrollUp, 4, 5, none)),
        ("\x1b[<65;5;6M", mouse(MouseKind::ScrollDown, 4, 5, none)),
        ("\x1b[<16;5;6M", mouse(MouseKind::Press(left), 4, 5, Mods::CTRL)),
        ("\x1b[M !!", mouse(MouseKind::Press(left), 0, 0, none)),
    ] {
        assert_eq!(decoded(bytes), vec![expected], "{bytes:?}");
    }
}

#[test]
fn a_mouse_at_impossible_places_is_at_the_border() {
    for (bytes, column, row) in
        [("\x1b[<0;0;0M", 0, 0), ("\x1b[<0;99999;70000M", u16::MAX - 1, u16::MAX - 1)]
    {
        let inputs = decoded(bytes);
        let [Input::Mouse(mouse)] = inputs.as_slice() else { panic!("{inputs:?}") };
        assert_eq!((mouse.column, mouse.row), (column, row));
    }
}

#[test]
fn focus_and_size_are_told() {
    assert_eq!(
        decoded("\x1b[I\x1b[O\x1b[48;24;80;0;0t"),
        vec![Input::Focus(Focus::Gained), Input::Focus(Focus::Lost), Input::Resize]
    );
}

#[test]
fn replies_of_the_terminal_are_never_text() {
    for reply in [
        "\x1b[?62;22c",
        "\x1b[>0;276;0c",
        "\x1b[24;80R",
        "\x1b[1;80R",
        "\x1b[?5u",
        "\x1b[?2026;2$y",
        "\x1b[0n",
        "\x1b[8;24;80t",
        "\x1b[?997;1n",
        "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1b]52;c;cm0gLXJm\x07",
        "\x1bP>|XTerm(370)\x1b\\",
        "\x1bP1+r544e=787465726d\x1b\\",
        "\x1b_Gi=1;OK\x1b\\",
        "\x1b[5;6;7M",
        "\x1b[<1;2",
        "\x1b[1;2;3;4;5x",
    ] {
        // The one that is not finished is broken off by what follows.
        assert_eq!(decoded(format!("{reply}\x1b[A")), keys("up"), "{reply:?}");
    }
}

#[test]
fn a_reply_without_an_end_does_not_swallow_what_is_typed_later() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("\x1b]11;rgb:ff"), vec![]);
    assert_eq!(stream.pass(SILENCE), vec![]);
    assert_eq!(stream.feed("a"), keys("a"));
    // A control character belongs to no reply.
    assert_eq!(decoded("\x1b]11;rgb:ff\x03x"), keys("ctrl-c x"));
    assert_eq!(decoded("\x1b]11;rgb:ff\x1b[Ax"), keys("up x"));
}

#[test]
fn an_escape_alone_is_the_escape_key() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("\x1b"), vec![]);
    assert_eq!(stream.decoder.due(), Some(stream.now + ESC_WAIT));
    assert_eq!(stream.pass(ESC_WAIT - Duration::from_millis(1)), vec![]);
    assert_eq!(stream.pass(Duration::from_millis(1)), keys("esc"));
    assert_eq!(stream.decoder.due(), None);
    assert_eq!(stream.feed("\x1b"), vec![]);
    assert_eq!(stream.feed("\x1b"), vec![]);
    assert_eq!(stream.pass(ESC_WAIT), keys("esc esc"));
}

#[test]
fn an_escape_whose_sequence_comes_later_is_no_key() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("\x1b"), vec![]);
    stream.now += Duration::from_secs(1);
    assert_eq!(stream.feed("[A"), keys("up"), "nobody said that it expired");
}

#[test]
fn keys_with_alt_that_begin_sequences_need_a_moment() {
    for (bytes, name) in [("\x1b[", "alt-["), ("\x1bO", "alt-O"), ("\x1b]", "alt-]")] {
        let mut stream = Stream::new();
        assert_eq!(stream.feed(bytes), vec![]);
        assert_eq!(stream.pass(ESC_WAIT), vec![]);
        assert_eq!(stream.pass(ALT_WAIT - ESC_WAIT), keys(name));
    }
}

#[test]
fn an_unfinished_sequence_is_given_up_and_is_never_text() {
    for bytes in ["\x1b[1;5", "\x1b[<0;1", "\x1b[M !", "\x1bO1", "\u{e9}"] {
        let mut stream = Stream::new();
        let bytes = bytes.strip_suffix('\u{e9}').map_or(bytes.as_bytes(), |_| b"\xc3");
        assert_eq!(stream.feed(bytes), vec![]);
        assert_eq!(stream.pass(SILENCE), vec![], "{bytes:?}");
        assert_eq!(stream.decoder.due(), None);
        assert_eq!(stream.feed("a"), keys("a"));
    }
}

#[test]
fn characters_split_over_reads_are_whole() {
    let mut stream = Stream::new();
    let mut inputs = Vec::new();
    for byte in "aé漢🦀z".bytes() {
        inputs.extend(stream.feed([byte]));
    }
    assert_eq!(inputs, keys("a é 漢 🦀 z"));
}

#[test]
fn bytes_that_are_no_text_are_marked_and_stall_nothing() {
    assert_eq!(decoded(b"a\xffb\xc3(c"), keys("a \u{fffd} b \u{fffd} ( c"));
    assert_eq!(decoded("a\u{9b}2Jb"), keys("a 2 J b"), "control characters of C1 are dropped");
}

#[test]
fn a_line_in_one_read_is_typed() {
    assert_eq!(decoded("hello\r"), keys("h e l l o enter"));
    assert_eq!(decoded("\r\r\r"), keys("enter enter enter"), "the key is held down");
}

#[test]
fn a_paste_has_line_feeds_and_sends_nothing() {
    assert_eq!(decoded("\x1b[200~a\rb\r\nc\n\x1b[201~"), paste("a\nb\nc\n"));
    assert_eq!(decoded("\x1b[200~\x1b[201~"), paste(""));
    assert_eq!(decoded("\x1b[200~a\tb\x1b[201~"), paste("a\tb"));
}

#[test]
fn marks_split_over_reads_are_marks() {
    let mut stream = Stream::new();
    let mut inputs = Vec::new();
    for piece in ["\x1b[20", "0~abc", "\x1b[2", "01~"] {
        inputs.extend(stream.feed(piece));
        stream.now += Duration::from_millis(100);
    }
    assert_eq!(inputs, paste("abc"));
}

#[test]
fn control_characters_of_a_paste_are_dropped() {
    assert_eq!(
        decoded("\x1b[200~a\x03b\x1bc\x00d\x7fe\u{9b}2Jf\x1b[200~g\x1b[20x\x1b\x1b[201~"),
        paste("abcde2Jf[200~g[20x")
    );
}

#[test]
fn a_paste_that_holds_an_end_mark_runs_nothing() {
    for hostile in ["rm\r", "rm\x03\x04\r", "rm\x1b[13u", "\x1b[Arm\x1bOM", "\x1b[<0;1;1Mrm\n"] {
        let inputs = decoded(format!("\x1b[200~x\x1b[201~{hostile}\x1b[201~"));
        assert!(matches!(inputs.as_slice(), [Input::Paste(_)]), "{hostile:?}: {inputs:?}");
    }
    assert_eq!(decoded("\x1b[200~x\x1b[201~rm\r\x1b[201~"), paste("xrm\n"));
    assert_eq!(decoded("\x1b[201~rm\r\x1b[I")[0], paste("rm\n")[0], "without a beginning, too");
}

#[test]
fn what_comes_in_the_next_read_right_after_a_paste_belongs_to_it() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("\x1b[200~x\x1b[201~"), paste("x"));
    stream.now += BURST_GAP;
    assert_eq!(stream.feed("rm\r"), vec![]);
    assert_eq!(stream.pass(BURST_GAP), paste("rm\n"));
    stream.now += BURST_GAP;
    assert_eq!(stream.feed("ok\r"), keys("o k enter"), "and what comes later is typed");
}

#[test]
fn a_paste_whose_end_never_comes_is_delivered_and_typing_goes_on() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("\x1b[200~abc\r"), vec![]);
    assert_eq!(stream.decoder.due(), Some(stream.now + SILENCE));
    assert_eq!(stream.pass(SILENCE), paste("abc\n"));
    assert_eq!(stream.decoder.due(), None);
    stream.now += Duration::from_secs(1);
    assert_eq!(stream.feed("x"), keys("x"));
}

#[test]
fn the_rest_of_a_paste_that_was_held_up_is_not_typed() {
    let mut stream = Stream::new();
    stream.feed("\x1b[200~abc");
    assert_eq!(stream.pass(SILENCE), paste("abc"));
    stream.now += SILENCE;
    assert_eq!(stream.feed("rm\r\x1b[201~"), paste("rm\n"));
    stream.now += SILENCE;
    assert_eq!(stream.feed("ok\r"), keys("o k enter"));
    stream.feed("\x1b[200~abc");
    assert_eq!(stream.pass(SILENCE), paste("abc"));
    assert_eq!(stream.feed("x\x1b[200~y\x1b[201~"), [keys("x"), paste("y")].concat());
}

#[test]
fn what_is_longer_than_the_bound_is_dropped_and_told() {
    let mut stream = Stream::new();
    stream.feed("\x1b[200~");
    // A character of three bytes, so that the bound is within one.
    let piece = "漢".repeat(1 << 20);
    for _ in 0..6 {
        assert_eq!(stream.feed(&piece), vec![]);
    }
    let inputs = stream.feed("\x1b[201~");
    let [Input::Paste(text), Input::PasteCut { dropped }] = inputs.as_slice() else {
        panic!("{} inputs", inputs.len())
    };
    assert_eq!(text.len(), PASTE_LIMIT / 3 * 3);
    assert_eq!(text.len() + dropped, 6 * piece.len());
    assert!(text.chars().all(|c| c == '漢'));
}

#[test]
fn lines_that_come_at_once_are_a_paste() {
    let mut stream = Stream::new();
    assert_eq!(stream.feed("one\rtwo\r"), vec![]);
    assert_eq!(stream.decoder.due(), Some(stream.now + BURST_GAP));
    assert_eq!(stream.pass(BURST_GAP), paste("one\ntwo\n"));
}

#[test]
fn a_big_burst_over_many_reads_is_one_paste() {
    let mut stream = Stream::new();
    let text = "some words\r".repeat(5_000);
    for piece in text.as_bytes().chunks(4_096) {
        assert_eq!(stream.feed(piece), vec![]);
        stream.now += Duration::from_millis(3);
    }
    assert_eq!(stream.pass(BURST_GAP), paste(&text.replace('\r', "\n")));
}

#[test]
fn nobody_types_a_hundred_characters_without_a_gap() {
    let mut stream = Stream::new();
    let mut inputs = Vec::new();
    for _ in 0..150 {
        inputs.extend(stream.feed("x"));
        stream.now += Duration::from_millis(5);
    }
    inputs.extend(stream.feed("\r"));
    inputs.extend(stream.pass(BURST_GAP));
    let (typed, rest) = inputs.split_at(99);
    assert!(typed.iter().all(|input| *input == key("x")));
    assert_eq!(rest, paste(&("x".repeat(51) + "\n")));
}

#[test]
fn a_key_after_a_burst_comes_after_it() {
    assert_eq!(decoded("a\rb\x1b[A"), [paste("a\nb"), keys("up")].concat());
}

#[test]
fn keys_are_read_between_pastes() {
    let mut stream = Stream::new();
    assert_eq!(
        stream.feed("ab\x1b[200~x\x1b[201~\x1b[200~y\x1b[201~"),
        [keys("a b"), paste("x"), paste("y")].concat()
    );
    stream.now += BURST_GAP * 2;
    assert_eq!(stream.feed("\x1b[A"), keys("up"));
}

#[test]
fn finishing_leaves_nothing_due() {
    for bytes in ["\x1b", "\x1b[", "\x1b[200~abc", "\x1b]1", "a\rb", "\x1b[200~x\x1b[201~\x1b"] {
        let mut stream = Stream::new();
        stream.feed(bytes);
        stream.decoder.finish();
        assert_eq!(stream.decoder.due(), None, "{bytes:?}");
    }
}

#[test]
fn a_character_does_not_go_on_behind_a_mark() {
    assert_eq!(decoded(b"\x1b[200~\xc3\x1b[201~\xa9"), paste("\u{fffd}\u{fffd}"));
    let mut stream = Stream::new();
    assert_eq!(stream.feed(b"a\nb\xc2\x1b[201~\x80"), vec![]);
    assert_eq!(stream.pass(BURST_GAP), paste("a\nb\u{fffd}\u{fffd}"));
}

#[test]
fn a_typed_key_is_the_canonical_one() {
    assert_eq!(decoded("A"), vec![Input::Key("shift-a".parse::<Key>().unwrap())]);
}
