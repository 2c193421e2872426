//! How programs are laid out, and what formatting never changes.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

use fennel::{Form, FormatOptions, format, parse};
use proptest::prelude::*;

fn formatted(text: &str) -> String {
    format("x", text, FormatOptions::default()).unwrap()
}

/// Checks a layout in narrow columns, and that it stays as it is.
fn lays_out(text: &str, expected: &str) {
    let options = FormatOptions { columns: 30 };
    let once = format("x", text, options).unwrap();
    assert_eq!(once, expected, "\n{once}\ninstead of\n{expected}");
    assert_eq!(format("x", &once, options).unwrap(), once, "a second run changes it");
}

#[test]
fn white_space_becomes_what_it_should_be() {
    let cases = [
        ("", ""),
        (" \n\n", ""),
        ("a", "a\n"),
        ("( a   b\t)  \r\n\r\n", "(a b)\n"),
        ("(a\n b\n )", "(a\n b)\n"),
        ("(\n a)", "(a)\n"),
        ("a b", "a\nb\n"),
        ("a\"b\"c", "a\n\"b\"\nc\n"),
        ("(a\"b\"'c)", "(a \"b\" 'c)\n"),
        ("a\n\n\n\n\nb", "a\n\n\nb\n"),
        ("(a b\n\n\n\nc)", "(a b\n\n   c)\n"),
        ("\u{feff}a", "a\n"),
        ("\"a  \n  b\"", "\"a  \n  b\"\n"),
        (" #!x", "\n#!x\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn bodies_are_two_columns_further_in() {
    lays_out(
        "(fn name [a b] \"Says what.\" (print a) (print b))",
        "(fn name [a b]\n  \"Says what.\"\n  (print a)\n  (print b))\n",
    );
    lays_out("(fn [a]\n(print a))", "(fn [a]\n  (print a))\n");
    lays_out("(λ [a]\n(print a))", "(λ [a]\n  (print a))\n");
    lays_out("(when (ready?) (go)\n(stop))", "(when (ready?)\n  (go)\n  (stop))\n");
    lays_out("(do (a)\n(b))", "(do\n  (a)\n  (b))\n");
    lays_out("(each [_ v (ipairs t)]\n(print v))", "(each [_ v (ipairs t)]\n  (print v))\n");
    lays_out("(icollect [_ v (ipairs t)]\n(f v))", "(icollect [_ v (ipairs t)]\n  (f v))\n");
    lays_out("(macro m [x & body]\n`(do ,x))", "(macro m [x & body]\n  `(do ,x))\n");
    lays_out("(while true\n(f))", "(while true\n  (f))\n");
    lays_out("(with-thing x\n(f))", "(with-thing x\n  (f))\n");
    lays_out("(fn\nname\n[x]\nx)", "(fn\n    name\n    [x]\n  x)\n");
}

#[test]
fn bindings_stand_below_one_another() {
    lays_out("(let [a 1 b 2]\n(+ a b))", "(let [a 1 b 2]\n  (+ a b))\n");
    lays_out("(let [a 1\nb 2] (+ a b))", "(let [a 1\n      b 2]\n  (+ a b))\n");
    lays_out(
        "(let [first (one two) second (three four)] first)",
        "(let [first (one two)\n      second (three four)]\n  first)\n",
    );
    lays_out(
        "(let [first (one-name two-name three)] first)",
        "(let [first (one-name two-name\n                      three)]\n  first)\n",
    );
}

#[test]
fn branches_and_arguments_are_aligned() {
    lays_out("(if a\nb\nc)", "(if a\n    b\n    c)\n");
    lays_out("(if a b\nc d\ne)", "(if a b\n    c d\n    e)\n");
    lays_out("(if a (do (b)\n(c)) d)", "(if a\n    (do\n      (b)\n      (c))\n    d)\n");
    lays_out("(print a\nb\nc)", "(print a\n       b\n       c)\n");
    lays_out("(print\na\nb)", "(print\n a\n b)\n");
    lays_out(
        "(print aaaaaaaa bbbbbbbb cccccccc ddd)",
        "(print aaaaaaaa\n       bbbbbbbb\n       cccccccc\n       ddd)\n",
    );
    lays_out(
        "(map :n (fn [] (go)\n(stop)))",
        "(map :n (fn []\n          (go)\n          (stop)))\n",
    );
    lays_out("(-> a\n(b)\n(c))", "(-> a\n    (b)\n    (c))\n");
}

#[test]
fn clauses_begin_lines() {
    lays_out("(case x\n1 :a 2 :b\n_ :c)", "(case x\n  1 :a\n  2 :b\n  _ :c)\n");
    lays_out("(match x\n1\n:a\n_ (f))", "(match x\n  1\n  :a\n  _ (f))\n");
}

#[test]
fn tables_are_aligned() {
    lays_out("{:a 1\n:b 2}", "{:a 1\n :b 2}\n");
    lays_out(
        "{:first 1 :second 2 :third 3 :fourth 4}",
        "{:first 1\n :second 2\n :third 3\n :fourth 4}\n",
    );
    lays_out("[1 2\n3 4]", "[1 2\n 3 4]\n");
    lays_out("[1111111 2222222 3333333 4444444 5]", "[1111111 2222222 3333333\n 4444444 5]\n");
    lays_out("[[1111111 2222222] [3333333 4444444]]", "[[1111111 2222222]\n [3333333 4444444]]\n");
    lays_out(
        "(local t {:first 1 :second 2 :third 3})",
        "(local t {:first 1\n          :second 2\n          :third 3})\n",
    );
    lays_out(
        "(set some.long.name.of.it another-name)",
        "(set some.long.name.of.it\n  another-name)\n",
    );
}

#[test]
fn comments_keep_their_places() {
    let cases = [
        ("; a\n;; b", "; a\n;; b\n"),
        ("(a) ; b  \n(c)", "(a) ; b\n(c)\n"),
        ("(a)   ; b", "(a) ; b\n"),
        ("(a ; b\n)", "(a ; b\n)\n"),
        ("(a\n ; b\nc)", "(a\n ; b\n c)\n"),
        ("(a b ; c\nd)", "(a b ; c\n   d)\n"),
        ("(fn f []\n; c\n(a))", "(fn f []\n  ; c\n  (a))\n"),
        ("(fn f [] (a)\n; c\n)", "(fn f []\n  (a)\n  ; c\n)\n"),
        ("{; c\n:a 1}", "{; c\n :a 1}\n"),
        ("{\n; c\n:a 1}", "{; c\n :a 1}\n"),
        ("`;c\n\n;d\n   x", "`;c\n\n ;d\n x\n"),
        ("#!/usr/bin/fen\na", "#!/usr/bin/fen\na\n"),
        (";a\r\n;b\r\n", ";a\n;b\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
        assert_eq!(formatted(expected), expected, "{text:?}");
    }
}

#[test]
fn what_cannot_be_read_is_reported() {
    let faults = format("x", "(a", FormatOptions::default()).unwrap_err();
    assert_eq!(faults[0].to_string(), "x:1:1: this ( is never closed");
}

/// The forms of a text, which tell all but where they stand.
fn forms(text: &str) -> String {
    let parsed = parse("x", text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {}", parsed.diagnostics[0]);
    parsed.forms.iter().map(Form::to_string).collect::<Vec<_>>().join("\n")
}

/// The comments of a text that has no semicolons elsewhere.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find(';').map(|at| line[at..].trim_ascii_end())).collect()
}

fn atom() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,12}",
        1 => prop::sample::select(vec![
            "fn", "let", "if", "when", "do", "case", "local", "with-open", "each", "defx", "match-try",
            "nil", "...", "#", "1.5", "~=", "!",
        ]).prop_map(str::to_owned),
        1 => ":[a-z]{1,6}",
        1 => "\"[a-z \n\\\\n]{0,12}\"".prop_map(|text| text.replace('\\', "\\\\")),
    ]
}

/// Code in its author's layout, whatever that is; its first line is no `#!` comment.
fn code() -> impl Strategy<Value = String> {
    let gap = prop_oneof![
        6 => Just(" "),
        2 => Just("\n"),
        1 => Just("\n\n\n\n"),
        1 => Just(" ; remark  \n"),
        1 => Just("\n;; remark\n"),
        1 => Just(" ;a\n ;b\n"),
    ];
    let inner_gap = prop_oneof![8 => Just(""), 1 => gap.clone()];
    let joined = move |parts: Vec<(String, &'static str)>| {
        parts.into_iter().flat_map(|(part, gap)| [part, gap.to_owned()]).collect::<String>()
    };
    let form = atom().prop_recursive(5, 48, 7, move |inner| {
        let part = (inner.clone(), gap.clone());
        let parts = (inner_gap.clone(), prop::collection::vec(part.clone(), 0..7))
            .prop_map(move |(gap, parts)| gap.to_owned() + &joined(parts));
        let pairs = (inner_gap.clone(), prop::collection::vec((part.clone(), part), 0..4))
            .prop_map(move |(gap, pairs)| {
                let parts = pairs.into_iter().flat_map(|(key, value)| [key, value]).collect();
                gap.to_owned() + &joined(parts)
            });
        prop_oneof![
            4 => parts.clone().prop_map(|parts| std::format!("({parts})")),
            2 => parts.prop_map(|parts| std::format!("[{parts}]")),
            2 => pairs.prop_map(|parts| std::format!("{{{parts}}}")),
            1 => ("[`',#]", prop_oneof![4 => Just(""), 1 => Just(";x\n")], inner)
                .prop_filter("a name of its own", |(_, _, form)| !form.starts_with('#'))
                .prop_map(|(prefix, comment, form)| std::format!("{prefix}{comment}{form}")),
        ]
    });
    (Just(" "), prop::collection::vec((form, "( |\n|\n\n| ;c\n|\n;c\n)"), 0..4)).prop_map(
        |(start, parts)| {
            parts.into_iter().fold(start.to_owned(), |text, (form, gap)| text + &form + &gap)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn formatting_keeps_the_forms_and_comments_and_is_done_at_once(
        text in code(),
        columns in 1_usize..60,
    ) {
        let options = FormatOptions { columns };
        let once = format("x", &text, options).unwrap();
        prop_assert_eq!(forms(&once), forms(&text));
        prop_assert_eq!(comments(&once), comments(&text));
        prop_assert!(once.is_empty() || (once.ends_with('\n') && !once.ends_with("\n\n")));
        let twice = format("x", &once, options).unwrap();
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn any_text_is_formatted_or_refused(
        pieces in prop::collection::vec("[()\\[\\]{}\"#`',;:!\\\\a1\n\r\t ]{1,4}|\\PC", 0..16),
    ) {
        let text = pieces.concat();
        if let Ok(once) = format("x", &text, FormatOptions::default()) {
            prop_assert_eq!(forms(&once), forms(&text));
            prop_assert_eq!(format("x", &once, FormatOptions::default()).unwrap(), once);
        } else {
            prop_assert!(!parse("x", &text).diagnostics.is_empty());
        }
    }
}

#[test]
fn the_deepest_form_is_formatted() {
    for (open, close) in [("(", ")"), ("[a\n", "]"), ("`", ""), ("(fn f [] ", ")")] {
        let depth = if close.is_empty() { 499 } else { 500 };
        let text = std::format!("{}a{}", open.repeat(depth - 1), close.repeat(depth - 1));
        let once = formatted(&text);
        assert_eq!(formatted(&once), once);
    }
}
