//! What each language looks like: a sample, and what parts of it must be.

use std::collections::HashSet;

use fen_highlight::Token::*;
use fen_highlight::{Highlighter, Token, languages};

/// A language or alias, its sample, and parts of the sample with what they are.
type Sample = (&'static str, &'static str, &'static [(&'static str, Token)]);

#[rustfmt::skip]
const SAMPLES: &[Sample] = &[
    ("nasm", "section .text\nmain: mov rax, 60 ; leave", &[("mov", Function), ("rax", Type), ("60", Number), ("; leave", Comment)]),
    ("awk", "BEGIN { print $1 } /x y/ { n++ } # c", &[("BEGIN", Keyword), ("$1", Variable), ("/x y/", String), ("# c", Comment)]),
    ("bat", "REM note\nif exist %FILE% goto end", &[("REM note", Comment), ("exist", Keyword), ("%FILE%", Variable)]),
    ("c", "#include <stdio.h>\nint main(void) { return printf(\"a\\n\"); }", &[("#include", Attribute), ("<stdio.h>", String), ("int", Type), ("printf", Function), ("\\n", Escape)]),
    ("clj", "(defn add [x] (inc x)) ; c", &[("defn", Keyword), ("add", Function), ("inc", Function), ("; c", Comment)]),
    ("edn", "{:key \"text\"}", &[(":key", Constant), ("\"text\"", String)]),
    ("c++", "template<typename T> class Box : public Base { auto s = R\"(a \" b)\"; };", &[("template", Keyword), ("Box", Type), ("R\"(a \" b)\"", String)]),
    ("glsl", "void main() { float x = 1.0; }", &[("void", Type), ("1.0", Number)]),
    ("c#", "[Test]\npublic async Task Run() { Log($\"a {x} b\"); }", &[("[Test]", Attribute), ("async", Keyword), ("Run", Function), ("$\"a ", String)]),
    ("d", "import std.stdio; /* c */ void main() { writeln(`raw`); }", &[("import", Keyword), ("/* c */", Comment), ("`raw`", String)]),
    ("dart", "final x = 'a $name ${1 + 2}';", &[("final", Keyword), ("$name", Variable), ("2", Number)]),
    ("dot", "digraph g { a -> b [label=\"x\"]; }", &[("digraph", Keyword), ("\"x\"", String)]),
    ("ebnf", "rule = \"a\" | other ; (* c *)", &[("rule", Function), ("\"a\"", String)]),
    ("elixir", "def go(x), do: {:ok, \"a #{x}\"}", &[("def", Keyword), ("go", Function), ("do:", Constant), (":ok", Constant)]),
    ("elm", "main = text \"x\" -- c", &[("main", Function), ("-- c", Comment)]),
    ("erl", "go(X) -> X + 1. % c", &[("go", Function), ("X", Type), ("% c", Comment)]),
    ("fennel", "(fn add [a] (+ a 1)) ; c", &[("fn", Keyword), ("add", Function), ("+", Function), ("; c", Comment)]),
    ("f90", "INTEGER :: x ! c\nCALL go(x)", &[("INTEGER", Type), ("! c", Comment), ("CALL", Keyword), ("go", Function)]),
    ("fs", "let x = $\"a {y}\" // c", &[("let", Keyword), ("$\"a ", String), ("// c", Comment)]),
    ("gd", "func _ready() -> void:\n\tprint(\"x\")", &[("func", Keyword), ("_ready", Function), ("void", Type)]),
    ("gleam", "pub fn main() { Ok(1) }", &[("pub", Keyword), ("main", Function), ("Ok", Type)]),
    ("golang", "func (s *Server) Run() error { fmt.Println(`raw`) }", &[("func", Keyword), ("Server", Type), ("Run", Function), ("Println", Function), ("`raw`", String)]),
    ("go.mod", "require example.com/x v1 // indirect", &[("// indirect", Comment)]),
    ("graphql", "type User { id: ID! } # c", &[("type", Keyword), ("User", Type), ("# c", Comment)]),
    ("gradle", "def x = \"a ${b}\"", &[("def", Keyword), ("\"a ", String)]),
    ("hs", "main :: IO ()\nmain = print 'c' {- {- c -} -}", &[("main", Function), ("'c'", String), ("{- {- c -} -}", Comment)]),
    ("tf", "resource \"a\" \"b\" {\n  name = \"x-${var.y}\"\n}", &[("resource", Keyword), ("name", Property), ("\"x-", String)]),
    ("java", "@Override public int size() { return 0x1F; }", &[("@Override", Attribute), ("int", Type), ("size", Function), ("0x1F", Number)]),
    ("jsx", "return <Box size={1}>it's {name}</Box>;", &[("Box", Tag), ("size", Attribute), ("1", Number), ("return", Keyword)]),
    ("js", "const re = /a[/]b/g; // c", &[("const", Keyword), ("/a[/]b/", String), ("// c", Comment)]),
    ("jsonc", "{ \"key\": [1, \"b\", null] } // c", &[("\"key\"", Property), ("\"b\"", String), ("null", Constant), ("// c", Comment)]),
    ("jl", "function f(x)::Int; @time g!(x) end", &[("function", Keyword), ("f", Function), ("Int", Type), ("@time", Function)]),
    ("kt", "fun String.go() = \"a $x\"", &[("fun", Keyword), ("go", Function), ("$x", Variable)]),
    ("scheme", "(define (f x) (* x 2)) ; c", &[("define", Keyword), ("f", Function), ("2", Number)]),
    ("elisp", "(defun go (x) \"doc\" (message x))", &[("defun", Keyword), ("go", Function), ("message", Function)]),
    ("lua", "local x = [==[ a ]] ]==] -- c", &[("local", Keyword), ("[==[ a ]] ]==]", String), ("-- c", Comment)]),
    ("mermaid", "graph TD\nA --> B %% c", &[("graph", Keyword), ("%% c", Comment)]),
    ("nginx", "server { listen 80; # c\n}", &[("server", Keyword), ("80", Number), ("# c", Comment)]),
    ("nim", "proc go(x: int) = echo \"x\"", &[("proc", Keyword), ("go", Function), ("int", Type)]),
    ("nix", "{\n  name = \"a ${x}\"; # c\n}", &[("name", Property), ("\"a ", String), ("# c", Comment)]),
    ("objc", "@interface Foo : NSObject\n[self go:@\"x\"];", &[("@interface", Function), ("Foo", Type), ("\"x\"", String)]),
    ("ml", "let rec f x = Some x (* (* c *) *)", &[("let", Keyword), ("Some", Type), ("(* (* c *) *)", Comment)]),
    ("pas", "BEGIN WriteLn('it''s') END. { c }", &[("BEGIN", Keyword), ("WriteLn", Function), ("{ c }", Comment)]),
    ("perl", "my $x = \"a $y\"; # c", &[("my", Keyword), ("$x", Variable), ("$y", Variable), ("# c", Comment)]),
    ("php", "<?php public function go(?int $x): string {}", &[("public", Keyword), ("go", Function), ("$x", Variable), ("int", Type)]),
    ("ps1", "function Get-It { Get-Item $x } # c", &[("function", Keyword), ("Get-It", Function), ("Get-Item", Function), ("$x", Variable)]),
    ("proto", "message User { string name = 1; }", &[("message", Keyword), ("User", Type), ("string", Type), ("1", Number)]),
    ("py", "@dec\nasync def go(x) -> int:\n    return f\"a {x!r} {{}}\"", &[("@dec", Attribute), ("async", Keyword), ("go", Function), ("int", Type), ("f\"a ", String), ("{{}}", Escape)]),
    ("starlark", "cc_library(name = \"x\")", &[("cc_library", Function), ("\"x\"", String)]),
    ("r", "x <- c(1, NA) # c", &[("c", Function), ("NA", Constant), ("# c", Comment)]),
    ("rb", "def go(a: 1) = puts \"a #{@b}\"", &[("def", Keyword), ("go", Function), ("a:", Constant), ("@b", Variable)]),
    ("rs", "#[test]\nfn go<'a>(x: &'a str) { r#\"a \" b\"#; println!(\"{}\", '\\n'); }", &[("#[test]", Attribute), ("fn", Keyword), ("go", Function), ("'a", Attribute), ("str", Type), ("r#\"a \" b\"#", String), ("println!", Function), ("\\n", Escape)]),
    ("scala", "def go(x: Int) = s\"a $x\"", &[("def", Keyword), ("go", Function), ("Int", Type), ("$x", Variable)]),
    ("sol", "contract Box { function go() public {} }", &[("contract", Keyword), ("Box", Type), ("go", Function)]),
    ("postgres", "SELECT count(*) FROM t WHERE a = 'it''s' -- c", &[("SELECT", Keyword), ("count", Function), ("''", Escape), ("-- c", Comment)]),
    ("swift", "func go() { print(\"a \\(x + 1) b\") }", &[("func", Keyword), ("go", Function), ("1", Number)]),
    ("tcl", "proc go {x} { puts \"a $x\" }", &[("proc", Keyword), ("go", Function), ("$x", Variable)]),
    ("latex", "\\section{A} % c", &[("\\section", Function), ("% c", Comment)]),
    ("tsx", "const a = (x: number) => <div key=\"1\">it's</div>;", &[("number", Type), ("div", Tag), ("\"1\"", String)]),
    ("ts", "interface Box<T> { readonly x: string; }\nexport async function go<T>(a: T): Promise<T[]> { return `a ${b}`; }", &[("interface", Keyword), ("Box", Type), ("readonly", Keyword), ("string", Type), ("go", Function), ("Promise", Type), ("return", Keyword)]),
    ("vim", "let x = 'a' \" c", &[("let", Keyword), ("'a'", String)]),
    ("vb", "Dim x As Integer ' c", &[("Dim", Keyword), ("Integer", Type), ("' c", Comment)]),
    ("wgsl", "@vertex fn main() -> vec4<f32> {}", &[("@vertex", Attribute), ("main", Function), ("f32", Type)]),
    ("zig", "const std = @import(\"std\"); // c", &[("const", Keyword), ("@import", Function), ("\"std\"", String)]),
    ("cmake", "add_library(x ${SRC}) # c", &[("add_library", Function), ("${SRC}", Variable), ("# c", Comment)]),
    ("env", "export A=some text\nB=\"x $A\"", &[("A", Property), ("some text", String), ("$A", Variable)]),
    ("ini", "[main]\nkey = it's text ; c\nn=3", &[("[main]", Heading), ("key", Property), ("it's text", String), ("; c", Comment), ("3", Number)]),
    ("toml", "[a.b]\nkey = \"x\" # c\nn = [1,\n  2]\nd = true", &[("[a.b]", Heading), ("key", Property), ("\"x\"", String), ("# c", Comment), ("true", Constant)]),
    ("zsh", "NAME=\"x $(date)\" # c\nfor f in *; do echo \"$f\" | grep -v 'a'; done", &[("NAME", Variable), ("date", Function), ("# c", Comment), ("do", Keyword), ("$f", Variable), ("-v", Attribute)]),
    ("sh", "cat <<'EOF'\n$not a variable\nEOF\nls", &[("$not a variable", String), ("ls", Function)]),
    ("console", "$ ls -l\ntotal 0", &[("ls", Function), ("-l", Attribute)]),
    ("scss", ".a:hover { color: #fff; margin: -1px $x; } // c", &[(".a", Type), (":hover", Attribute), ("color", Property), ("#fff", Number), ("-1px", Number), ("$x", Variable)]),
    ("diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- gone\n+++ come\n same", &[("--- a/x", Heading), ("@@ -1,2 +1,2 @@", Attribute), ("--- gone", Removed), ("+++ come", Added)]),
    ("patch", "@@\n-old\n+new", &[("-old", Removed), ("+new", Added)]),
    ("docker", "FROM a AS b\nRUN apt-get \\\n  -y && ls", &[("FROM", Keyword), ("AS", Keyword), ("apt-get", Function), ("-y", Attribute), ("ls", Function)]),
    ("html", "<a href=\"x\">A &amp; b</a><!-- c -->\n<script>const x = 1;</script>", &[("a", Tag), ("href", Attribute), ("\"x\"", String), ("&amp;", Escape), ("<!-- c -->", Comment), ("const", Keyword)]),
    ("make", "all: $(OBJ)\n\techo \"x\" # c", &[("all", Function), ("$(OBJ)", Variable), ("echo", Function)]),
    ("md", "# Title\n- **a** `b` [c](d)\n```rust\nfn go() {}\n```", &[("# Title", Heading), ("**a**", Strong), ("`b`", String), ("[c](d)", Link), ("fn", Keyword)]),
    ("yml", "key: |\n  text: x\nother: [1, \"a\"] # c\n- &x true", &[("key", Property), ("  text: x", String), ("other", Property), ("1", Number), ("\"a\"", String), ("# c", Comment), ("&x", Variable), ("true", Constant)]),
    ("rust", "<<<<<<< ours\nlet x = 1;", &[("<<<<<<< ours", Invalid), ("let", Keyword)]),
];

/// The parts of a text with their tokens, in order.
fn parts(language: &str, text: &str) -> Vec<(std::string::String, Token)> {
    let lines = Highlighter::new().block(language, text, &|| false);
    let mut parts = Vec::new();
    for (line, runs) in text.lines().zip(lines) {
        let mut at = 0;
        for run in runs {
            parts.push((line[at..at + run.len].to_owned(), run.token));
            at += run.len;
        }
    }
    parts
}

#[test]
fn every_sample_has_the_parts_that_are_said() {
    let mut failures = Vec::new();
    for (language, sample, expected) in SAMPLES {
        assert!(Highlighter::knows(language), "{language}");
        let parts = parts(language, sample);
        for (part, token) in *expected {
            let found =
                parts.iter().any(|(text, found)| text.trim() == part.trim() && found == token);
            if !found {
                failures.push(format!("{language}: {part:?} is not {token:?} in {parts:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_language_has_a_sample() {
    let sampled: HashSet<_> = SAMPLES
        .iter()
        .map(|(language, ..)| fen_highlight::language_of_info(language).unwrap())
        .collect();
    for language in languages() {
        assert!(sampled.contains(language), "{language} has no sample");
    }
}

#[test]
fn text_comments_and_documents_go_on_over_lines() {
    for (language, text) in [
        ("rust", "/* a\nb\n*/ 1"),
        ("rust", "\"a\nb\n\" 1"),
        ("rust", "r##\"a\"#\nb\n\"## 1"),
        ("python", "\"\"\"a\nb\n\"\"\" 1"),
        ("js", "`a\n${\nb}\n` 1"),
        ("lua", "--[[ a\nb\n]] 1"),
        ("php", "<<<EOT\na\nEOT . 1"),
        ("ruby", "<<~EOT\na\nEOT\n1"),
        ("html", "<!-- a\nb --><a b=1>1"),
        ("css", "/* a\n*/ a { b: 1 }"),
        ("sql", "'a\nb' 1"),
    ] {
        let parts = parts(language, text);
        let (last, token) = parts.iter().rfind(|(text, _)| text.contains('1')).unwrap();
        assert!(matches!(token, Number | Plain | String), "{language}: {last:?} is {token:?}");
        let (first, token) = &parts[0];
        assert!(matches!(token, Comment | String), "{language}: {first:?} is {token:?}");
    }
}

#[test]
fn text_on_one_line_does_not_leak_into_the_next() {
    for language in ["c", "js", "python", "go", "java", "json", "lua"] {
        let parts = parts(language, "\"never closed\n12");
        assert_eq!(parts.last().unwrap(), &("12".to_owned(), Number), "{language}");
    }
}
