//! What holds for every language and every text.

use std::cell::Cell;
use std::path::Path;

use fen_highlight::{
    Highlighter, MAX_BYTES, MAX_LINE_BYTES, MAX_LINES, Run, Token, language_of_info,
    language_of_path, languages,
};
use proptest::prelude::*;

/// Pieces that mean something in one language or another, and some that mean nothing anywhere.
const PIECES: &[&str] = &[
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "''",
    "\\",
    "\\u{",
    "\\x",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "{-",
    "-}",
    "(*",
    "*)",
    "[[",
    "]]",
    "[==[",
    "]==]",
    "--[[",
    "${",
    "#{",
    "\\(",
    "$(",
    "$",
    "$x",
    "${x}",
    "{",
    "}",
    "{{",
    "}}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<<EOF",
    "<<<EOT",
    "<<~'SQL'",
    "EOF",
    "EOT",
    "SQL",
    "```",
    "```rust",
    "~~~",
    "**",
    "_",
    "@",
    "@x",
    "@@ -1,2 +1 @@",
    "+",
    "-",
    "--- ",
    "+++ ",
    "<<<<<<< ",
    ":",
    ": ",
    ":x",
    "= ",
    "=begin",
    "=end",
    "|",
    "|\n  ",
    ">-",
    "- ",
    "&x",
    "*x",
    "!x",
    "%",
    ";",
    ",",
    ".",
    "..",
    "?.",
    "::",
    "->",
    "=>",
    "/",
    "/x/",
    "r#\"",
    "\"#",
    "f\"",
    "@\"",
    "$\"",
    "R\"(",
    ")\"",
    "if",
    "fn",
    "def",
    "class",
    "return",
    "function",
    "end",
    "do",
    "in",
    "import",
    "#include <",
    "#[",
    "#![x]",
    "[x]",
    "FROM ",
    "RUN ",
    "\t",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "é",
    "λ",
    "日本",
    "🦀",
    "e\u{301}",
    "\u{202e}",
    "0",
    "1.5e-3",
    "0x",
    "1'0",
    "X",
    "Xy",
    "XY",
    "x",
    "x!",
    "x(",
    "'a",
    "'a'",
    "'\\n'",
    "\u{7f}",
    "\u{1b}[31m",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => soup(), 1 => any::<String>(), 1 => "[ -~\n]{0,200}"]
}

fn language() -> impl Strategy<Value = &'static str> {
    prop::sample::select(languages().collect::<Vec<_>>())
}

/// Whether the runs of a line are what they promise to be.
fn check(line: &str, runs: &[Run]) {
    let mut at = 0;
    for run in runs {
        assert!(run.len > 0, "an empty run in {line:?}");
        at += run.len;
        assert!(line.is_char_boundary(at), "a run ends inside a character of {line:?}");
    }
    assert_eq!(at, line.len(), "the runs do not cover {line:?}");
    assert!(runs.windows(2).all(|pair| pair[0].token != pair[1].token), "{runs:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn runs_cover_each_line_of_any_text_in_any_language(language in language(), text in text()) {
        let lines = Highlighter::new().block(language, &text, &|| false);
        prop_assert_eq!(lines.len(), text.lines().count());
        for (line, runs) in text.lines().zip(&lines) {
            check(line, runs);
        }
    }

    #[test]
    fn line_by_line_gives_what_the_whole_block_gives(language in language(), text in text()) {
        let mut highlighter = Highlighter::new();
        let whole = highlighter.block(language, &text, &|| false);
        let mut session = highlighter.open(language).unwrap();
        let lines: Vec<_> = text.lines().map(|line| session.line(line)).collect();
        prop_assert_eq!(whole, lines);
    }

    #[test]
    fn a_line_ending_is_covered_and_changes_nothing_else(language in language(), text in text()) {
        let mut bare = Highlighter::new().open(language).unwrap();
        let mut ended = bare.clone();
        for line in text.split_inclusive('\n') {
            let stripped = line.lines().next().unwrap_or("");
            let runs = ended.line(line);
            check(line, &runs);
            let mut expected = bare.line(stripped);
            match (expected.last_mut(), line.len() - stripped.len()) {
                (_, 0) => {}
                (Some(last), more) if last.token == Token::Plain => last.len += more,
                (_, more) => expected.push(Run { len: more, token: Token::Plain }),
            }
            prop_assert_eq!(runs, expected);
        }
    }

    #[test]
    fn any_info_and_any_path_has_a_known_language_or_none(text in text()) {
        for language in [language_of_info(&text), language_of_path(Path::new(&text))] {
            prop_assert!(language.is_none_or(Highlighter::knows));
        }
    }
}

#[test]
fn an_unknown_language_is_plain() {
    let text = "if x { 1 }\n\n\"y\"";
    for language in ["", "text", "no-such-language", &"x".repeat(10_000)] {
        assert!(!Highlighter::knows(language));
        assert!(Highlighter::new().open(language).is_none());
        let lines = Highlighter::new().block(language, text, &|| false);
        let plain = |len| vec![Run { len, token: Token::Plain }];
        assert_eq!(lines, [plain(10), Vec::new(), plain(3)]);
    }
}

#[test]
fn names_are_known_in_any_case() {
    for name in ["Rust", "RS", "TypeScript", "C++", "Dockerfile", "YAML", "zsh", "tsx"] {
        assert!(Highlighter::knows(name), "{name}");
    }
}

fn is_plain(runs: &[Run]) -> bool {
    runs.iter().all(|run| run.token == Token::Plain)
}

#[test]
fn a_line_that_is_too_long_stays_plain_and_the_next_does_not() {
    let most = format!("if{}", " ".repeat(MAX_LINE_BYTES - 2));
    let text = format!("{most}\n{most} \nif");
    let lines = Highlighter::new().block("rust", &text, &|| false);
    assert!(!is_plain(&lines[0]));
    assert!(is_plain(&lines[1]));
    assert!(!is_plain(&lines[2]));
}

#[test]
fn lines_after_the_last_that_counts_stay_plain() {
    let lines = Highlighter::new().block("rust", &"if\n".repeat(MAX_LINES + 2), &|| false);
    assert_eq!(lines.len(), MAX_LINES + 2);
    assert!(!is_plain(&lines[MAX_LINES - 1]));
    assert!(is_plain(&lines[MAX_LINES]));
}

#[test]
fn bytes_beyond_the_budget_stay_plain() {
    let line = format!("if {}\n", "x".repeat(997));
    let full = MAX_BYTES.div_ceil(line.len() - 1);
    assert!(full < MAX_LINES);
    let lines = Highlighter::new().block("rust", &line.repeat(full + 1), &|| false);
    assert!(!is_plain(&lines[full - 1]));
    assert!(is_plain(&lines[full]));
}

#[test]
fn every_language_survives_every_piece_over_and_over() {
    for language in languages() {
        for piece in PIECES {
            let line = piece.replace(['\n', '\r'], " ");
            let line = line.repeat(300 / line.len().max(1));
            let text = format!("{line}\n{line}\n");
            for (line, runs) in
                text.lines().zip(Highlighter::new().block(language, &text, &|| false))
            {
                check(line, &runs);
            }
        }
    }
}

#[test]
fn lines_after_a_cancellation_are_plain() {
    let asked = Cell::new(0);
    let cancelled = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let lines = Highlighter::new().block("rust", "if\nif\nif\nif", &cancelled);
    assert_eq!(
        lines.iter().map(|line| is_plain(line)).collect::<Vec<_>>(),
        [false, false, true, true]
    );
    assert_eq!(asked.get(), 3);
}

#[test]
fn what_follows_a_fence_names_a_language() {
    for (info, language) in [
        ("rust", Some("rust")),
        ("rust,ignore", Some("rust")),
        (" rust {.numberLines}", Some("rust")),
        ("{.python}", Some("python")),
        ("{.python .number}", Some("python")),
        ("c++", Some("cpp")),
        ("js title=\"x\"", Some("javascript")),
        ("TypeScript", Some("typescript")),
        ("language-rust", Some("rust")),
        ("rust:src/main.rs", Some("rust")),
        ("src/main.rs", Some("rust")),
        ("python=", Some("python")),
        ("text", None),
        ("", None),
        ("   ", None),
    ] {
        assert_eq!(language_of_info(info), language, "{info:?}");
    }
}

#[test]
fn the_name_of_a_file_tells_its_language() {
    for (path, language) in [
        ("src/main.rs", Some("rust")),
        ("a/b.TSX", Some("tsx")),
        ("Dockerfile", Some("dockerfile")),
        ("Dockerfile.dev", Some("dockerfile")),
        ("GNUmakefile", Some("makefile")),
        ("CMakeLists.txt", Some("cmake")),
        ("Cargo.lock", Some("toml")),
        ("home/.bashrc", Some("bash")),
        (".env.local", Some("dotenv")),
        ("config.toml.example", Some("toml")),
        ("page.html.j2", Some("html")),
        ("notes.txt", None),
        ("LICENSE", None),
        ("rust", None),
        ("", None),
        ("..", None),
    ] {
        assert_eq!(language_of_path(Path::new(path)), language, "{path:?}");
    }
}
