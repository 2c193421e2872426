//! What holds after any commands on any text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod support;

use fen_editor::{Command, Editor, Outcome, Vi, ViKey};
use proptest::prelude::*;
use support::run;
use unicode_segmentation::UnicodeSegmentation as _;

/// What somebody can do to an editor.
#[derive(Debug, Clone)]
enum Deed {
    Apply(Command),
    Paste(String),
    Set(String),
    View(usize, usize),
    Click(usize, usize),
    Complete(usize, String),
    Key(char),
}

/// Text in which much goes wrong: wide, joined, invisible, control and long.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c]{1,9}",
        3 => prop::sample::select(vec![
            " ", "  ", "\n", "\t", "来", "e\u{301}", "\u{301}", "👨\u{200d}👩\u{200d}👧", "🇩🇪", "🇩",
            "\u{200d}", "\u{200b}", "\u{1b}", "\u{1a}", "\r\n", "\r", "✅", "❤\u{fe0f}", "\u{600}",
            "ᄀ", "ᅡ", "각", "\u{115f}", "\u{ad}", "לא", "لا", "\u{fe0f}", "क्षि", "\u{202e}",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn pasted() -> impl Strategy<Value = String> {
    prop_oneof![
        text(),
        (11usize..14).prop_map(|lines| "line\n".repeat(lines)),
        (1_001usize..1_005).prop_map(|characters| "é".repeat(characters)),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => prop::sample::select(Command::ALL).prop_map(Deed::Apply),
        4 => text().prop_map(|text| Deed::Apply(Command::Insert(text))),
        2 => pasted().prop_map(Deed::Paste),
        1 => text().prop_map(Deed::Set),
        2 => (0usize..12, 0usize..5).prop_map(|(cells, rows)| Deed::View(cells, rows)),
        1 => (0usize..6, 0usize..12).prop_map(|(row, column)| Deed::Click(row, column)),
        1 => (0usize..6, text()).prop_map(|(bytes, text)| Deed::Complete(bytes, text)),
        4 => prop::sample::select("hjklwbe0^$gGiIaAoOxXrsDCSdcypPu123".chars().collect::<Vec<_>>())
            .prop_map(Deed::Key),
    ]
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    proptest::collection::vec(deed(), 0..30)
}

/// An editor, and a vi that stays in normal mode.
#[derive(Default)]
struct Bench {
    editor: Editor,
    vi: Vi,
}

impl Bench {
    fn does(&mut self, deed: Deed) {
        match deed {
            Deed::Apply(command) => {
                self.editor.apply(command);
            }
            Deed::Paste(text) => {
                self.editor.paste(&text);
            }
            Deed::Set(text) => self.editor.set_text(&text),
            Deed::View(cells, rows) => {
                self.editor.view(cells, rows);
            }
            Deed::Click(row, column) => {
                self.editor.place_cursor(row, column);
            }
            Deed::Complete(bytes, text) => {
                self.editor.replace_before_cursor(bytes, &text);
            }
            Deed::Key(key) => {
                if self.vi.mode_name() == "INSERT" {
                    self.vi.key(ViKey::Escape);
                }
                for command in self.vi.key(ViKey::Char(key)).unwrap_or_default() {
                    self.editor.apply(command);
                }
            }
        }
    }
}

fn is_border(text: &str, at: usize) -> bool {
    at == text.len() || text.grapheme_indices(true).any(|(start, _)| start == at)
}

proptest! {
    #[test]
    fn the_cursor_stands_between_graphemes(deeds in deeds()) {
        let mut bench = Bench::default();
        for deed in deeds {
            bench.does(deed);
            let (text, at) = (bench.editor.text(), bench.editor.cursor_byte());
            prop_assert!(text.is_char_boundary(at));
            // With pastes folded, which the cursor steps over as one.
            let before = bench.editor.text_before_cursor().to_owned();
            run(&mut bench.editor, "buffer-end");
            let folded = bench.editor.text_before_cursor().to_owned();
            prop_assert!(is_border(&folded, before.len()), "{folded:?} at {}", before.len());
            while bench.editor.text_before_cursor().len() > before.len() {
                run(&mut bench.editor, "cursor-left");
            }
            prop_assert_eq!(bench.editor.text_before_cursor(), &before);
            prop_assert_eq!(bench.editor.cursor_byte(), at);
        }
    }

    #[test]
    fn undoing_all_gives_the_first_text_and_doing_it_again_the_last(deeds in deeds()) {
        let mut bench = Bench::default();
        for deed in deeds {
            bench.does(deed);
        }
        let all = |editor: &mut Editor, command: &Command| {
            while editor.apply(command.clone()) != Outcome::Nothing {}
            (editor.text(), editor.cursor_byte())
        };
        // What the deeds themselves have undone is done again first.
        let last = all(&mut bench.editor, &Command::Redo).0;
        prop_assert_eq!(all(&mut bench.editor, &Command::Undo), (String::new(), 0));
        prop_assert_eq!(all(&mut bench.editor, &Command::Redo).0, last);
    }

    #[test]
    fn views_keep_to_their_bounds_and_hold_the_cursor(
        deeds in deeds(), cells in 0usize..10, max_rows in 0usize..6,
    ) {
        let mut bench = Bench::default();
        for deed in deeds {
            bench.does(deed);
            let view = bench.editor.view(cells, max_rows);
            prop_assert!(!view.rows.is_empty() && view.rows.len() <= max_rows.max(1));
            prop_assert!(view.rows.iter().all(|row| row.width() <= cells), "{:?}", view);
            let (row, column) = view.cursor;
            prop_assert!(row < view.rows.len() && column < cells.max(1), "{:?}", view);
            prop_assert!(view.first_row + view.rows.len() <= view.total_rows, "{:?}", view);
            let fills = view.rows.len() == max_rows.max(1) || view.rows.len() == view.total_rows;
            prop_assert!(fills, "{:?}", view);
        }
    }

    #[test]
    fn what_a_view_shows_does_not_depend_on_what_was_shown_before(
        deeds in deeds(), cells in 1usize..10,
    ) {
        let mut bench = Bench::default();
        for deed in deeds {
            bench.does(match deed {
                // Typed, so that the text can be set again without pastes.
                Deed::Paste(text) => {
                    Deed::Apply(Command::Insert(text.chars().take(60).collect()))
                }
                deed => deed,
            });
            bench.editor.view(cells, 4);
        }
        // The same text and cursor in an editor that has shown nothing yet.
        let before = bench.editor.text_before_cursor().to_owned();
        run(&mut bench.editor, "buffer-end");
        bench.editor.view(cells, 4);
        let mut fresh = Editor::new();
        fresh.set_text(&bench.editor.text());
        for editor in [&mut bench.editor, &mut fresh] {
            while editor.text_before_cursor().len() > before.len() {
                run(editor, "cursor-left");
            }
        }
        // All of it, since how far a part is scrolled does depend on what was seen before.
        let (old, new) = (bench.editor.view(cells, usize::MAX), fresh.view(cells, usize::MAX));
        prop_assert!(old == new, "{} and {} rows", old.rows.len(), new.rows.len());
    }

    #[test]
    fn every_place_of_the_text_has_a_cell_of_its_own_that_leads_to_it(
        text in text(), cells in 1usize..10,
    ) {
        let mut editor = Editor::new();
        editor.set_text(&text);
        let total = editor.view(cells, 1).total_rows;
        let mut taken = std::collections::HashSet::new();
        loop {
            let at = editor.cursor_byte();
            let view = editor.view(cells, total);
            prop_assert_eq!(view.rows.len(), total);
            prop_assert!(taken.insert(view.cursor), "{:?} is taken", view.cursor);
            editor.place_cursor(view.cursor.0, view.cursor.1);
            prop_assert_eq!(editor.cursor_byte(), at);
            if editor.apply(Command::CursorLeft) == Outcome::Nothing {
                break;
            }
        }
    }

    #[test]
    fn all_rows_together_show_every_character(text in "[a-z来é ]{0,60}", cells in 2usize..20) {
        let mut editor = Editor::new();
        editor.set_text(&text);
        let rows = editor.view(cells, 1_000).rows;
        let shown: String = rows.iter().map(fen_cells::Line::text).collect();
        prop_assert_eq!(shown, text);
    }

    #[test]
    fn pastes_expand_exactly(pieces in proptest::collection::vec(pasted(), 0..6)) {
        let mut editor = Editor::new();
        let mut expected = String::new();
        for piece in &pieces {
            // Where a piece would join a character before it, the cursor stands behind that.
            run(&mut editor, "buffer-end");
            editor.paste(piece);
            expected.push_str(&piece.replace("\r\n", "\n").replace('\r', "\n"));
        }
        prop_assert_eq!(editor.text(), &expected[..]);
        prop_assert_eq!(editor.take(), expected);
    }
}
