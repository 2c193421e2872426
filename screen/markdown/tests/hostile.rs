//! Whatever the text and the width: rows that fit, in bounded work.

mod markdown;
mod shown;

use fen_markdown::{Plain, Stream, layout};
use markdown::{markdown, pieces};
use proptest::prelude::*;
use shown::copied;

fn alphanumeric(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Lays a text out, whole and streamed, and asks that it is the same and fits.
fn assert_sound(text: &str, cells: usize, lens: &[usize]) {
    let whole = layout(text, cells, &Plain);
    assert!(whole.iter().all(|row| row.width() <= cells));
    let mut stream = Stream::new();
    for piece in pieces(text, lens) {
        stream.push(piece);
        assert!(stream.rows(cells, &Plain).iter().all(|row| row.width() <= cells));
    }
    stream.finish();
    assert!(stream.rows(cells, &Plain).iter().eq(&whole), "streamed otherwise");
}

#[test]
fn repeated_marks_of_any_number_are_sound() {
    let marks = [
        "[", "*", "> ", ">", "`", "|", "![", "- ", "1. ", "_a", "<", "~~", "[a](", "a|", "\\", "&",
        "<!--", "[^", "[a]: ", "\t", " ", "\r", "# ", "```", "~", "来", "\u{301}", "**a ", "`a``",
        "]", "[[]", "<a ",
    ];
    for mark in marks {
        assert_sound(&mark.repeat(40_000 / mark.len()), 40, &[9000]);
    }
}

#[test]
fn repeated_lines_of_any_number_are_sound() {
    let lines = [
        "> x\n",
        "| a |\n",
        "-\n",
        "<b\n",
        "[x\n",
        "`` a\n",
        "**a b\n",
        "a\r",
        "- a\n\n",
        "\n",
        "```\n",
        "~~~ x\n",
        "  - a\n",
        "[a]: b\n",
        "<!--\n",
        "===\n",
        "---\n",
        "    a\n",
        "[^a]: b\n",
        "a\\\n",
    ];
    for line in lines {
        assert_sound(&line.repeat(40_000 / line.len()), 40, &[9000]);
    }
}

#[test]
fn blocks_of_any_depth_are_sound() {
    assert_sound(&(">".repeat(10_000) + " x"), 40, &[3000]);
    assert_sound(&("- ".repeat(10_000) + "x"), 40, &[3000]);
    let nested: String = (0..250).map(|depth| " ".repeat(2 * depth) + "- x\n").collect();
    assert_sound(&nested, 40, &[3000]);
}

#[test]
fn a_block_that_is_too_long_goes_on_as_it_is_written() {
    let item =
        "- outer\n".to_owned() + &"  - **inner** item\n".repeat(4000) + "\nA **new** block.\n";
    let rows = layout(&item, 80, &Plain);
    let texts: Vec<String> = rows.iter().map(|row| row.text()).collect();
    assert_eq!(texts[1], "  - inner item");
    assert_eq!(texts[texts.len() - 3], "  - **inner** item");
    assert_eq!(texts[texts.len() - 1], "A new block.");
    assert_eq!(rows.len(), 4003);
    assert_sound(&item, 30, &[4000]);
}

#[test]
fn a_list_and_a_fence_have_no_limit() {
    let list: String = (1..6000).map(|number| format!("{number}. an *item* here\n")).collect();
    let rows = layout(&list, 80, &Plain);
    assert_eq!(rows[5998].text(), "5999. an item here");
    let code = "```\n".to_owned() + &"*a*\n".repeat(20_000) + "```\n*b*";
    let rows = layout(&code, 80, &Plain);
    assert_eq!((rows.len(), rows[20_000].text()), (20_001, "b".to_owned()));
    assert_sound(&list, 30, &[4000]);
    assert_sound(&code, 30, &[4000]);
}

#[test]
fn a_paragraph_of_any_length_keeps_all_its_words() {
    let text = "some words without end ".repeat(9000);
    assert_eq!(copied(&layout(&text, 37, &Plain)).trim(), text.trim());
    assert_sound(&text, 37, &[4000]);
}

proptest! {
    #[test]
    fn any_text_fits_any_width(text: String, cells in 0usize..=130) {
        let rows = layout(&text, cells, &Plain);
        prop_assert!(rows.iter().all(|row| row.width() <= cells.max(1)));
    }

    #[test]
    fn any_markdown_fits_any_width(text in markdown(), cells in 0usize..=130) {
        let rows = layout(&text, cells, &Plain);
        prop_assert!(rows.iter().all(|row| row.width() <= cells.max(1)), "{:?}", rows);
    }

    #[test]
    fn all_letters_and_digits_of_a_paragraph_survive_in_order(
        words in proptest::collection::vec("[a-zA-Zäß来עا]{1,9}[0-9]{0,3}[,.]?", 1..40),
        cells in 2usize..=130,
    ) {
        let text = words.join(" ");
        let rows = layout(&text, cells, &Plain);
        prop_assert_eq!(alphanumeric(&copied(&rows)), alphanumeric(&text));
        prop_assert_eq!(copied(&rows), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn long_markdown_streams_as_it_is_laid_out(
        parts in proptest::collection::vec((markdown(), 1usize..400), 1..8),
        lens in proptest::collection::vec(500usize..6000, 1..6),
        cells in 2usize..100,
    ) {
        let text: String = parts.iter().map(|(part, count)| part.repeat(*count)).collect();
        assert_sound(&text, cells, &lens);
    }
}
