//! Random Markdown: lines of what has a meaning, in any order and at any indent.

#![allow(dead_code, reason = "not every file of tests needs all of it")]

use proptest::prelude::*;

const STARTS: &[&str] = &[
    "", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", "> ", ">", "> > ", "- ", "* ", "+ ",
    "1. ", "2. ", "7) ", "10. ", "- [ ] ", "- [x] ", "# ", "### ", "- - ", "> - ", "-   ",
    "[^1]: ", "-",
];

const WORDS: &[&str] = &[
    "word",
    "two words",
    "**strong**",
    "*em",
    "*",
    "**",
    "_x_",
    "`code`",
    "`",
    "``",
    "~~gone~~",
    "~~",
    "[link](http://x.y)",
    "[a]",
    "[a][b]",
    "![i](p)",
    "<http://a.b>",
    "&amp;",
    "\\*",
    "|",
    "| a | b |",
    "|---|:-:|",
    "a|b",
    "-|-",
    "---",
    "***",
    "- - -",
    "===",
    "-",
    "=",
    "```",
    "```rust",
    "~~~",
    "````",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<b>",
    "<pre>",
    "</pre>",
    "<?",
    "?>",
    "[",
    "]",
    "(",
    ")",
    "![",
    "来自上游",
    "👨\u{200d}👩",
    "שלום",
    "e\u{301}",
    "  ",
    "[^1]",
    "x\u{1b}[31m",
    "#",
    "1.",
    ":",
    "\\",
];

const DEFINITIONS: &[&str] = &["[a]: http://one", "[b]: <two> 'title'", "[a]: /late", "[^1]: note"];

const ENDS: &[&str] = &["\n", "\n", "\n", "\n\n", "\n\n", "  \n", "\r\n", "\n\n\n", " \n", "\n \n"];

fn line(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let select = proptest::sample::select;
    (select(STARTS), proptest::collection::vec(select(words), 0..4), select(ENDS))
        .prop_map(|(start, words, end)| format!("{start}{}{end}", words.join(" ")))
}

/// Without definitions of references.
pub fn markdown() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(WORDS), 0..24).prop_map(|lines| lines.concat())
}

/// With definitions of references among it.
pub fn with_definitions() -> impl Strategy<Value = String> {
    let any = prop_oneof![6 => line(WORDS), 1 => line(DEFINITIONS)];
    proptest::collection::vec(any, 0..24).prop_map(|lines| lines.concat())
}

/// A text in pieces of so many characters, by turns.
pub fn pieces<'a>(text: &'a str, lens: &'a [usize]) -> impl Iterator<Item = &'a str> {
    let mut rest = text;
    let mut lens = lens.iter().copied().cycle();
    std::iter::from_fn(move || {
        let len = lens.next().unwrap_or(1).max(1);
        let end = rest.char_indices().nth(len).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}
