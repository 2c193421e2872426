//! Each construct as it is seen, at several widths.

mod shown;

use fen_cells::{Look, Role};
use fen_markdown::{Plain, layout};
use shown::{copied, shown};

#[track_caller]
fn assert_shown(text: &str, cells: usize, expected: &[&str]) {
    let rows = layout(text, cells, &Plain);
    assert_eq!(shown(&rows), expected, "{cells} cells");
    assert!(rows.iter().all(|row| row.width() <= cells));
}

/// The looks of all spans with this text.
fn looks(text: &str, part: &str) -> Vec<Look> {
    let rows = layout(text, 80, &Plain);
    let spans = rows.iter().flat_map(|row| &row.spans);
    spans.filter(|span| span.text() == part).map(|span| span.look).collect()
}

#[test]
fn headings_lose_their_marks_and_stand_apart() {
    let text = "# One\nbelow\n## Two\n\nafter\n\nThree\n=====\n";
    let rows = ["One", "below", "", "Two", "", "after", "", "Three"];
    assert_shown(text, 80, &rows);
    assert_shown(text, 20, &rows);
    assert_shown("## Some heading", 5, &["Some", "headi", "ng"]);
    assert_eq!(looks("# a `b`", "a "), [Look::of(Role::Heading).bold()]);
    assert_eq!(looks("# a `b`", "b"), [Look::of(Role::Code).bold()]);
}

#[test]
fn paragraphs_are_wrapped_by_words_and_hard_breaks_stay() {
    let text = "The quick brown fox jumps over\nthe lazy dog.  \nNext line.\n\nNext paragraph.";
    assert_shown(
        text,
        80,
        &["The quick brown fox jumps over the lazy dog.", "Next line.", "", "Next paragraph."],
    );
    assert_shown(
        text,
        20,
        &[
            "The quick brown fox",
            "jumps over the lazy",
            "dog.",
            "Next line.",
            "",
            "Next paragraph.",
        ],
    );
    assert_shown("The quick", 5, &["The", "quick"]);
    assert_eq!(
        copied(&layout(text, 9, &Plain)),
        "The quick brown fox jumps over the lazy dog.\nNext line.\n\nNext paragraph."
    );
}

#[test]
fn emphasis_and_code_are_looks() {
    let text = "*a* **b** ***c*** ~~d~~ `e`";
    assert_shown(text, 80, &["a b c d e"]);
    let plain = Look::of(Role::Text);
    assert_eq!(looks(text, "a"), [plain.italic()]);
    assert_eq!(looks(text, "b"), [plain.bold()]);
    assert_eq!(looks(text, "c"), [plain.bold().italic()]);
    assert_eq!(looks(text, "d"), [plain.struck()]);
    assert_eq!(looks(text, "e"), [Look::of(Role::Code)]);
}

#[test]
fn links_show_where_they_lead_unless_they_say_it() {
    assert_shown("See [the page](https://x.org/y).", 80, &["See the page (https://x.org/y)."]);
    assert_shown("See [the page](https://x.org/y).", 20, &["See the page", "(https://x.org/y)."]);
    assert_shown("<https://x.org> <a@b.org> [x](x)", 80, &["https://x.org a@b.org x"]);
    assert_shown("[a][b] [b]\n\n[b]: /target", 80, &["a (/target) b (/target)"]);
    assert_eq!(looks("[a](b)", "a"), [Look::of(Role::Link).underlined()]);
    assert_eq!(looks("[a](b)", " (b)"), [Look::of(Role::Dim)]);
    // No address can hold what a terminal obeys.
    assert_shown("[a](<b\u{1b}]8;;x>)", 80, &["a (b␛]8;;x)"]);
}

#[test]
fn images_are_named() {
    assert_shown("![a *cat*](cat.png)", 80, &["[image: a cat] (cat.png)"]);
    assert_shown("[![i](p)](u)", 80, &["[image: i] (p) (u)"]);
}

#[test]
fn lists_have_hanging_indents() {
    let text = "- one two three\n- four\n  - five six\n\n  more\n- [ ] open\n- [x] done";
    assert_shown(
        text,
        80,
        &["- one two three", "- four", "  - five six", "", "  more", "- [ ] open", "- [x] done"],
    );
    assert_shown(
        "- one two three\n  - five six",
        9,
        &["- one two", "  three", "  - five", "    six"],
    );
    assert_shown("- ab\n  - cd\n    - ef", 5, &["- ab", "  - c", "  d", "  - e", "  f"]);
    assert_eq!(
        copied(&layout("- one two three\n  - five six", 9, &Plain)),
        "- one two three\n  - five six"
    );
}

#[test]
fn numbers_count_on_from_the_first() {
    assert_shown(
        "9. a\n9. b\n9. c\n\nx\n\n1) d",
        40,
        &["9. a", "10. b", "11. c", "", "x", "", "1. d"],
    );
}

#[test]
fn empty_items_and_quotes_are_seen() {
    assert_shown("-\n- a\n-", 40, &["-", "- a", "-"]);
    assert_shown("a\n\n>\n\nb", 40, &["a", "", "│", "", "b"]);
}

#[test]
fn quotes_have_bars_which_are_not_copied() {
    let text = "> one two three\n>\n> > four\n\nfive";
    assert_shown(text, 80, &["│ one two three", "│", "│ │ four", "", "five"]);
    assert_shown(text, 9, &["│ one two", "│ three", "│", "│ │ four", "", "five"]);
    assert_eq!(copied(&layout(text, 9, &Plain)), "one two three\n\nfour\n\nfive");
    assert_eq!(looks("> a", "a"), [Look::of(Role::Quote)]);
}

#[test]
fn rules_reach_to_the_end() {
    assert_shown("a\n\n---\n\n> ***", 9, &["a", "", "─────────", "", "│ ───────"]);
}

#[test]
fn code_keeps_its_blanks_and_fills_its_rows() {
    let text = "```rust\nfn a() {\n\n\tb();\n}\n```";
    assert_shown(text, 80, &["rust", "fn a() {", "", "    b();", "}"]);
    assert_shown(text, 5, &["rust", "fn a(", ") {", "", "    b", "();", "}"]);
    let rows = layout(text, 80, &Plain);
    assert!(rows.iter().all(|row| row.fill == Some(Role::CodeBlock)));
    assert_eq!(copied(&rows[1..]), "fn a() {\n\n    b();\n}");
    assert!(rows[0].content().is_empty());
}

#[test]
fn code_may_be_indented_or_stand_in_lists() {
    assert_shown("    a\n\n      b", 20, &["a", "", "  b"]);
    assert_shown("- x\n  ```c\n  a\n   b\n  ```", 20, &["- x", "  c", "  a", "   b"]);
    assert_eq!(copied(&layout("1. x\n   ```\n   a\n   b\n   ```", 20, &Plain)), "1. x\n   a\n   b");
    assert_shown("  ~~~\n  a\n b\n   c\n  ~~~~\nd", 20, &["a", "b", " c", "d"]);
}

#[test]
fn a_fence_without_an_end_is_code_and_an_empty_one_is_seen() {
    assert_shown("```\na\n", 20, &["a"]);
    assert_shown("```\n```", 20, &[""]);
    assert_eq!(layout("```\n```", 20, &Plain)[0].fill, Some(Role::CodeBlock));
}

#[test]
fn tables_share_the_width() {
    let text =
        "| Name | Size | What |\n|:--|--:|:-:|\n| a | 1 | some long words |\n| bb | 22 | x |";
    assert_shown(
        text,
        80,
        &[
            "Name │ Size │      What",
            "─────┼──────┼────────────────",
            "a    │    1 │ some long words",
            "bb   │   22 │        x",
        ],
    );
    assert_shown(
        text,
        24,
        &[
            "Name │ Size │    What",
            "─────┼──────┼───────────",
            "a    │    1 │ some long",
            "     │      │   words",
            "bb   │   22 │     x",
        ],
    );
    assert_shown(
        text,
        20,
        &[
            "Name: a",
            "Size: 1",
            "What: some long",
            "  words",
            "",
            "Name: bb",
            "Size: 22",
            "What: x",
        ],
    );
}

#[test]
fn a_table_without_room_becomes_lines_with_names() {
    assert_shown("|a|b|\n|-|-|\n|long|words|", 5, &["a:", "  lon", "  g", "b:", "  wor", "  ds"]);
    assert_shown("|a|b|\n|-|-|", 3, &["a", "b"]);
}

#[test]
fn html_is_text() {
    assert_shown(
        "<div>\n  a <b>c</b>\n</div>\n\nx <br> y",
        40,
        &["<div>", "  a <b>c</b>", "</div>", "", "x <br> y"],
    );
}

#[test]
fn footnotes_are_text() {
    assert_shown("A[^n].\n\n[^n]: Note\n    more", 40, &["A[^n].", "", "[^n]: Note more"]);
}

#[test]
fn entities_and_escapes_are_decoded() {
    assert_shown("&lt;a&gt; &copy; &#x41; \\* \\_ &nope;", 40, &["<a> © A * _ &nope;"]);
}

#[test]
fn long_words_break() {
    assert_shown("https://example.org/long", 9, &["https://e", "xample.or", "g/long"]);
}

#[test]
fn wide_and_reordered_scripts_keep_to_the_width() {
    assert_shown("来自上游渠道 👨\u{200d}👩 x", 7, &["来自上", "游渠道", "👨\u{200d}👩 x"]);
    assert_shown("- שלום עולם", 7, &["- שלום", "  עולם"]);
    assert_shown("|来|🇩🇪|\n|-|-|\n|a|e\u{301}|", 9, &["来 │ 🇩🇪", "───┼───", "a  │ e\u{301}"]);
}

#[test]
fn what_a_terminal_obeys_is_only_shown() {
    assert_shown("a\u{1b}[31mb\u{7}", 20, &["a␛[31mb␇"]);
    assert_shown("```\n\u{1b}]0;x\u{7}\n```", 20, &["␛]0;x␇"]);
}

#[test]
fn nothing_gives_no_row() {
    assert_shown("", 20, &[]);
    assert_shown("\n \n", 20, &[]);
}
