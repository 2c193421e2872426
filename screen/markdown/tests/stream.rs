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
    fn definitions_that_come_late_are_heeded_at_the_end(
        text in with_definitions(),
        lens in proptest::collection::vec(1usize..30, 1..6),
    ) {
        assert_same(&text, &lens, 40);
    }
}
