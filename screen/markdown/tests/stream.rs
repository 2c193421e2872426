//! A growing text, in any pieces, ends as the whole text is laid out.

mod markdown;

use fen_cells::Line;
use fen_markdown::{Plain, Stream, layout};
use markdown::{markdown, pieces, with_definitions};
use proptest::prelude::*;

/// Streams a text and gives its rows at the end, after checking each moment on the way.
fn streamed(text: &str, lens: &[usize], cells: usize) -> Vec<Line> {
    let mut stream = Stream::new();
    let mut settled: Vec<Line> = Vec::new();
    for piece in pieces(text, lens) {
        stream.push(piece);
        let rows = stream.rows(cells, &Plain);
        assert!(rows.iter().all(|row| row.width() <= cells.max(2)), "{text:?}");
        assert_eq!(rows.settled[..settled.len()], settled, "settled rows changed in {text:?}");
        assert_eq!(rows.changed, settled.len());
        settled = rows.settled.to_vec();
    }
    stream.finish();
    stream.rows(cells, &Plain).iter().cloned().collect()
}

fn assert_same(text: &str, lens: &[usize], cells: usize) {
    let (streamed, whole) = (streamed(text, lens, cells), layout(text, cells, &Plain));
    if streamed != whole {
        let texts = |rows: &[Line]| rows.iter().map(Line::text).collect::<Vec<_>>().join("\n");
        assert_eq!(texts(&streamed), texts(&whole), "{text:?}");
        assert_eq!(streamed, whole, "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_pieces_give_what_the_whole_gives(
        text in markdown(),
        lens in proptest::collection::vec(1usize..30, 1..6),
        cells in 1usize..100,
    ) {
        assert_same(&text, &lens, cells);
    }

    #[test]
    fn any_marks_in_any_order_give_what_the_whole_gives(
        text in r#"[\[\]:<>()'"a来\n \t*_`|~!^#=+.1&;\\\r/-]{0,60}"#,
        lens in proptest::collection::vec(1usize..9, 1..6),
    ) {
        assert_same(&text, &lens, 20);
    }

    #[test]
    fn definitions_that_come_late_are_heeded_at_the_end(
        text in with_definitions(),
        lens in proptest::collection::vec(1usize..30, 1..6),
    ) {
        assert_same(&text, &lens, 40);
    }
}

fn texts(stream: &mut Stream, cells: usize) -> Vec<String> {
    stream.rows(cells, &Plain).iter().map(Line::text).collect()
}

#[test]
fn half_arrived_marks_are_text_and_settle_later() {
    let mut stream = Stream::new();
    stream.push("a **bol");
    assert_eq!(texts(&mut stream, 40), ["a **bol"]);
    stream.push("d** `cod");
    assert_eq!(texts(&mut stream, 40), ["a bold `cod"]);
    stream.push("e`");
    assert_eq!(texts(&mut stream, 40), ["a bold code"]);
}

#[test]
fn a_table_is_text_until_the_row_below_its_header_came() {
    let mut stream = Stream::new();
    stream.push("| a | b |\n|--");
    assert_eq!(texts(&mut stream, 40), ["| a | b | |--"]);
    stream.push("|--|\n| c |");
    assert_eq!(texts(&mut stream, 40)[0], "a │ b");
}

#[test]
fn an_open_fence_is_code_and_the_beginning_of_its_end_is_not_shown() {
    let mut stream = Stream::new();
    stream.push("```sh\nls\n``");
    assert_eq!(texts(&mut stream, 40), ["sh", "ls"]);
    stream.push("`\n\nAfter.");
    assert_eq!(texts(&mut stream, 40), ["sh", "ls", "", "After."]);
}

#[test]
fn settled_rows_are_not_made_anew() {
    let mut stream = Stream::new();
    stream.push("one\n\n- two\n- three\n");
    assert_eq!(stream.rows(40, &Plain).settled.len(), 1);
    stream.push("- four\n");
    assert_eq!(stream.rows(40, &Plain).settled.len(), 3);
    stream.push("\n```\na\nb\nc");
    let rows = stream.rows(40, &Plain);
    assert_eq!((rows.changed, rows.settled.len(), rows.open.len()), (3, 8, 1));
    assert_eq!(rows.get(8).map(Line::text).as_deref(), Some("c"));
    assert!(rows.get(9).is_none() && !rows.is_empty());
}

#[test]
fn another_width_and_dropped_rows_lay_out_anew() {
    let mut stream = Stream::new();
    stream.push("one two\n\nthree");
    assert_eq!(texts(&mut stream, 40), ["one two", "", "three"]);
    assert_eq!(stream.rows(5, &Plain).changed, 0);
    assert_eq!(texts(&mut stream, 5), ["one", "two", "", "three"]);
    stream.drop_rows();
    assert_eq!(texts(&mut stream, 5), ["one", "two", "", "three"]);
}

#[test]
fn after_its_end_nothing_is_taken() {
    let mut stream = Stream::new();
    stream.push("a");
    stream.finish();
    stream.push("b");
    assert_eq!(texts(&mut stream, 5), ["a"]);
    assert_eq!(stream.text(), "a");
    assert_eq!(stream.into_text(), "a");
}

#[test]
fn a_link_leads_where_a_later_definition_says() {
    let mut stream = Stream::new();
    stream.push("[a]\n\nnext\n\n");
    assert_eq!(texts(&mut stream, 40)[0], "[a]");
    stream.push("[a]: /b\n\nlast [A]");
    assert_eq!(texts(&mut stream, 40), ["[a]", "", "next", "", "last A (/b)"]);
    stream.finish();
    assert_eq!(texts(&mut stream, 40), ["a (/b)", "", "next", "", "last A (/b)"]);
}
