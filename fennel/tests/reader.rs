//! What a text reads as, and what is said of one that is wrong.

use fennel::{Form, Kind, Span, decode, parse};
use proptest::prelude::*;

/// Whether two forms are the same, wherever they stand.
fn eq_ignoring_spans(left: &Form, right: &Form) -> bool {
    let same = |left: &[Form], right: &[Form]| {
        left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| eq_ignoring_spans(left, right))
    };
    match (&left.kind, &right.kind) {
        (Kind::Nil, Kind::Nil) | (Kind::Varg, Kind::Varg) => true,
        (Kind::Bool(left), Kind::Bool(right)) => left == right,
        (Kind::Integer(left), Kind::Integer(right)) => left == right,
        (Kind::Float(left), Kind::Float(right)) => left.to_bits() == right.to_bits(),
        (Kind::Str(left), Kind::Str(right)) => left == right,
        (Kind::Symbol(left), Kind::Symbol(right)) => left.name == right.name,
        (Kind::List(left), Kind::List(right)) | (Kind::Sequence(left), Kind::Sequence(right)) => {
            same(left, right)
        }
        (Kind::Table(left), Kind::Table(right)) => {
            left.len() == right.len()
                && left.iter().zip(&**right).all(|((key, value), (other_key, other))| {
                    eq_ignoring_spans(key, other_key) && eq_ignoring_spans(value, other)
                })
        }
        _ => false,
    }
}

/// The forms of a sound text, printed with a space between them.
fn read(text: &str) -> String {
    let parsed = parse("x.fnl", text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {}", parsed.diagnostics[0]);
    assert!(!parsed.incomplete, "{text}");
    parsed.forms.iter().map(Form::to_string).collect::<Vec<_>>().join(" ")
}

/// Where and what the faults of a text are.
fn faults(text: &str) -> Vec<String> {
    parse("x", text).diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn each_kind_of_syntax_is_read() {
    let cases = [
        ("(a)[b]{c d}", "(a) [b] {c d}"),
        ("a\"b\"c", "a :b c"),
        ("a(b)'c`d,e", "a (b) `c `d ,e"),
        ("{: a : b.c : nil 1 2}", "{:a a :b.c b.c :nil nil 1 2}"),
        ("{: \"a\" : true}", "{: :a : true}"),
        ("[: a]", "[: a]"),
        ("(: a :b)", "(: a :b)"),
        ("#x ##x #(x) #[1] #{} #... #\"s\"", "#x ##x #(x) #[1] #{} #... #:s"),
        ("(#) [#] # x", "(#) [#] # x"),
        ("(##)", "(##)"),
        ("`;c\n x", "`x"),
        (". .. ?. -> -?>> $ $1 $... & &as ~= : ...", ". .. ?. -> -?>> $ $1 $... & &as ~= : ..."),
        (".a a. a.b.c a.b:c a.1 nil.x -nil", ".a a. a.b.c a.b:c a.1 nil.x -nil"),
        ("é aéb \\ a\\b a#b a# ! ^ | %", "é aéb \\ a\\b a#b a# ! ^ | %"),
        (":a :a.b :1 :... :a..b :: :a: :é :#", ":a :a.b :1 :... :a..b :: :a: :é :#"),
        ("nil true false", "nil true false"),
        ("-5a .5.5 -inf nan _1", "-5a .5.5 -inf nan _1"),
        ("1_000 0xff .5 -.inf", "1000 255 0.5 -.inf"),
        ("a ; b\nc ;; d", "a c"),
        ("#!/usr/bin/fen\na", "a"),
        ("\u{feff}#!/usr/bin/fen\na", "a"),
        ("\u{feff}a", "a"),
        (" #!x", "(hashfn !x)"),
        ("a\r\nb;c\r\nd\x0ce\x0bf\tg", "a b d e f g"),
        ("\"a\r\nb\nc\"", "\"a\\r\\nb\\nc\""),
        ("", ""),
        ("; only a comment", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn a_colon_before_a_name_in_a_table_is_the_name_as_key() {
    let table = parse("x", "{: a}").forms[0].clone();
    let (key, value) = &table.as_table().unwrap()[0];
    assert_eq!(key.as_str_bytes(), Some(&b"a"[..]));
    assert!(value.is_symbol("a"));
}

#[test]
fn equal_names_share_their_text() {
    let forms = parse("x", "name (name)").forms;
    let Kind::Symbol(first) = &forms[0].kind else { panic!() };
    let Kind::Symbol(second) = &forms[1].as_list().unwrap()[0].kind else { panic!() };
    assert!(std::rc::Rc::ptr_eq(&first.name, &second.name));
}

#[test]
fn each_mistake_is_named_at_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("(a]", &["x:1:3: ] does not close ("]),
        ("(a [b)", &["x:1:6: ) does not close ["]),
        ("{(a}", &["x:1:4: } does not close ("]),
        ("a)", &["x:1:2: ) closes nothing"]),
        ("(a\n b", &["x:1:1: this ( is never closed"]),
        ("(a\n [b", &["x:2:2: this [ is never closed"]),
        ("(fn a []\n  (b)\n\n(fn c [])\n(d)", &["x:1:1: this ( is never closed"]),
        ("(a \"b\n c)", &["x:1:4: this string is never closed"]),
        ("{a}", &["x:1:1: a table wants a value for each key: a form is missing"]),
        ("(a\n {1 2 3})", &["x:2:2: a table wants a value for each key: a form is missing"]),
        ("\"a\n\\q\"", &["x:2:1: there is no such escape"]),
        (r#""\x4""#, &[r"x:1:2: the escape \x wants two hexadecimal digits"]),
        (r#""\300""#, &["x:1:2: a decimal escape is larger than a byte"]),
        (r#""\u41""#, &[r"x:1:2: the escape \u wants a number in braces"]),
        ("1x ", &["x:1:1: 1x is not a number"]),
        ("0x ", &["x:1:1: 0x is not a number"]),
        ("a..b", &["x:1:1: a part of the name a..b is missing"]),
        ("(a:)", &["x:1:2: a part of the name a: is missing"]),
        ("a:b.c", &["x:1:1: in the name a:b.c a part follows the method"]),
        ("....", &["x:1:1: a part of the name .... is missing"]),
        ("a~b", &["x:1:1: a name may not have ~ in it: a~b"]),
        (",@a", &["x:1:2: a name may not have @ in it: @a"]),
        ("a\u{a0}b", &["x:1:1: a name may not have the invisible character U+00A0 in it"]),
        ("a\u{202e}b", &["x:1:1: a name may not have the invisible character U+202E in it"]),
        ("(a[b])", &["x:1:3: white space is missing before ["]),
        ("(\"a\"{})", &["x:1:5: white space is missing before {"]),
        ("` x", &["x:1:1: white space follows a prefix"]),
        ("(`)", &["x:1:2: no form follows this prefix"]),
        ("é \u{1}", &["x:1:3: the control character U+0001 stands between forms"]),
        (
            "(a 1x)\n(b]\n(c",
            &[
                "x:1:4: 1x is not a number",
                "x:2:3: ] does not close (",
                "x:3:1: this ( is never closed",
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(faults(text), *expected, "{text}");
    }
}

#[test]
fn advice_names_the_line_of_the_open_form() {
    let help = |text: &str| parse("x", text).diagnostics[0].help.clone().unwrap();
    assert_eq!(help("(a\n b]"), "the ( of line 1 is still open: write )");
    assert_eq!(
        help("(fn a []\n  (b)\n\n(fn c [])"),
        "line 4 begins a form at the left margin: write ) before it"
    );
}

#[test]
fn after_a_mistake_the_rest_is_read() {
    let cases = [
        ("(a]) b", "(a) b"),
        ("(let [a 1) b", "(let [a 1]) b"),
        ("\"\\q\" b", "\"\" b"),
        ("1x b", "0 b"),
        ("a) b", "a b"),
        ("(a (b", "(a (b))"),
        ("(a `) b", "(a) b"),
    ];
    for (text, expected) in cases {
        let parsed = parse("x", text);
        assert!(!parsed.diagnostics.is_empty(), "{text}");
        let forms = parsed.forms.iter().map(Form::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(forms, expected, "{text}");
    }
}

#[test]
fn a_text_is_incomplete_only_if_more_text_could_mend_it() {
    for text in ["(", "(a", "\"a", "\"\\", "\"\\x4", "`", "(a ,", "{a", "a:", "a.b:", "0x", "1e"] {
        assert!(parse("x", text).incomplete, "{text}");
    }
    for text in ["", "a", "a)", "(a]", "1x (", "(a..b", "\"\\q\" (", "0x ", "a: ", "1x", "{a}"] {
        assert!(!parse("x", text).incomplete, "{text}");
    }
}

#[test]
fn fifty_faults_of_a_file_are_reported() {
    assert_eq!(faults(&")".repeat(1000)).len(), 50);
    assert_eq!(faults(&r#""\q\q""#.repeat(1000)).len(), 50);
    assert!(!parse("x", &format!("{}(", ")".repeat(50))).incomplete);
}

#[test]
fn forms_nest_500_deep_and_no_deeper() {
    let nested = |depth: usize| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(faults(&nested(500)), Vec::<String>::new());
    assert_eq!(faults(&nested(501)), ["x:1:501: forms are nested more than 500 deep"]);
    assert_eq!(faults(&"(".repeat(1 << 20)), ["x:1:501: forms are nested more than 500 deep"]);
    assert_eq!(faults(&"`".repeat(1 << 20)), ["x:1:501: forms are nested more than 500 deep"]);
}

#[test]
fn a_text_of_64_mib_is_refused() {
    let text = " ".repeat(64 << 20);
    assert_eq!(faults(&text), ["x:1:1: a file of 64 MiB or more is not read as a program"]);
}

#[test]
fn spans_are_exact() {
    let forms = parse("x", "a\n(b \"c\nd\" #e)").forms;
    let place = |form: &Form| (form.span.line, form.span.start, form.span.end);
    assert_eq!(place(&forms[0]), (1, 0, 1));
    assert_eq!(place(&forms[1]), (2, 2, 14));
    let parts = forms[1].as_list().unwrap();
    assert_eq!(place(&parts[0]), (2, 3, 4));
    assert_eq!(place(&parts[1]), (2, 5, 10));
    assert_eq!(place(&parts[2]), (3, 11, 13));
    let hashed = parts[2].as_list().unwrap();
    assert_eq!(place(&hashed[0]), (3, 11, 12));
    assert_eq!(place(&hashed[1]), (3, 12, 13));
}

#[test]
fn what_is_not_utf8_is_refused_at_its_place() {
    assert_eq!(decode("x", "(é)".as_bytes()).unwrap(), "(é)");
    let error = decode("x", b"a\n(\xc3\xa9 \xff)\nb").unwrap_err();
    assert_eq!(error.to_string(), "x:2:4: the byte ff is not UTF-8");
    assert_eq!(error.source_line, "(é \u{fffd})");
    assert!(decode("x", b"\xe2\x82").is_err());
}

/// Names as a person would write them, and odd ones.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z?!*<>=$&_é-][a-z0-9?!*é-]{0,6}",
        "[a-z]{1,3}(\\.[a-z0-9]{1,3}){1,2}",
        "[a-z]{1,3}:[a-z]{1,3}",
        Just("...".to_owned()),
        Just("#".to_owned()),
        Just("~=".to_owned()),
        Just("..".to_owned()),
        Just("quote".to_owned()),
        Just("hashfn".to_owned()),
    ]
}

/// The symbol of a name, unless it reads as something else.
fn named(name: &str) -> Kind {
    parse("x", name).forms[0].kind.clone()
}

fn form() -> impl Strategy<Value = Form> {
    let at = Span::default();
    let atom = prop_oneof![
        Just(Kind::Nil),
        Just(Kind::Varg),
        any::<bool>().prop_map(Kind::Bool),
        any::<i64>().prop_map(Kind::Integer),
        any::<u64>().prop_map(|bits| {
            let value = f64::from_bits(bits);
            Kind::Float(if value.is_nan() { f64::NAN } else { value })
        }),
        any::<Vec<u8>>().prop_map(|text| Kind::Str(text.into())),
        any::<String>().prop_map(|text| Kind::Str(text.as_bytes().into())),
        name().prop_map(|name| named(&name)),
    ];
    atom.prop_map(move |kind| Form::new(kind, at)).prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(move |parts| Form::list(parts, at)),
            prop::collection::vec(inner.clone(), 0..6)
                .prop_map(move |parts| Form::sequence(parts, at)),
            prop::collection::vec((inner.clone(), inner.clone()), 0..4)
                .prop_map(move |entries| Form::new(Kind::Table(entries.into()), at)),
            inner.prop_map(move |inner| Form::call("quote", [inner], at)),
        ]
    })
}

/// Text made of what the reader minds.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[()\\[\\]{}\"#`',;:~@.\\\\a0x\n\r \u{0}-\u{20}éβ-]{1,8}",
        2 => name(),
        1 => any::<String>(),
        2 => form().prop_map(|form| form.to_string()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Whether the spans of forms lie in `start..end`, in order, and do not overlap.
fn spans_nest(forms: &[&Form], text: &str, start: u32, end: u32) -> bool {
    let mut from = start;
    forms.iter().all(|form| {
        let span = form.span;
        let sound = from <= span.start
            && span.start <= span.end
            && span.end <= end
            && text.get(span.start as usize..span.end as usize).is_some()
            && span.line as usize == text[..span.start as usize].matches('\n').count() + 1;
        from = span.end;
        let parts: Vec<&Form> = match &form.kind {
            Kind::List(parts) | Kind::Sequence(parts) => parts.iter().collect(),
            Kind::Table(entries) => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
            _ => Vec::new(),
        };
        sound && spans_nest(&parts, text, span.start, span.end)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn printed_forms_read_as_the_same_forms(forms in prop::collection::vec(form(), 0..4)) {
        let text = forms.iter().map(Form::to_string).collect::<Vec<_>>().join("\n");
        let parsed = parse("x", &text);
        prop_assert!(parsed.diagnostics.is_empty(), "{}: {}", text, parsed.diagnostics[0]);
        prop_assert_eq!(parsed.forms.len(), forms.len(), "{}", text);
        for (read, form) in parsed.forms.iter().zip(&forms) {
            prop_assert!(eq_ignoring_spans(read, form), "{} became {}", form, read);
        }
    }

    #[test]
    fn any_text_is_read_and_its_spans_nest(text in soup()) {
        let parsed = parse("x", &text);
        prop_assert!(parsed.diagnostics.len() <= 50);
        prop_assert!(!parsed.incomplete || !parsed.diagnostics.is_empty());
        let forms: Vec<&Form> = parsed.forms.iter().collect();
        prop_assert!(spans_nest(&forms, &text, 0, text.len() as u32), "{:?}", text);
        for diagnostic in parsed.diagnostics {
            diagnostic.rendered();
        }
    }

    #[test]
    fn any_bytes_are_text_or_refused(bytes in any::<Vec<u8>>()) {
        prop_assert_eq!(decode("x", &bytes).ok(), std::str::from_utf8(&bytes).ok());
    }

    #[test]
    fn the_beginning_of_a_program_is_complete_or_incomplete(
        forms in prop::collection::vec(form(), 1..3),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = forms.iter().map(Form::to_string).collect::<Vec<_>>().join(" ");
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let beginning = &text[..ends[cut.index(ends.len())]];
        let parsed = parse("x", beginning);
        prop_assert!(
            parsed.incomplete || parsed.diagnostics.is_empty(),
            "{}: {}", beginning, parsed.diagnostics[0]
        );
    }
}
