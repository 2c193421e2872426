//! `fen fennel`: the compiler, the checks and the formatter, by what a person sees. The prompt is in
//! `fennel_repl`.

use crate::support::{Input, Place};
use serde_json::{Value, json};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt};

/// Laid out otherwise than the formatter does.
const UNTIDY: &str = "(fn   add [a b]\n(+ a b))\n{: add}\n";
const TIDY: &str = "(fn add [a b]\n  (+ a b))\n{: add}\n";

fn read(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.project(path)).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lua_comes_out_of_a_file_a_pipe_and_several_files() {
    let place = Place::new();
    place.write("a.fnl", TIDY);
    let lua = "local function add(a, b)\n  return a + b\nend\nreturn {add = add}\n";
    assert_eq!(place.fen(["fennel", "compile", "a.fnl"]).run().expect(0).stdout, lua);
    for arguments in [&["fennel", "compile"][..], &["fennel", "compile", "-"]] {
        assert_eq!(place.fen(arguments).text(TIDY).run().expect(0).stdout, lua);
    }
    place.write("b.fnl", "(print 1)");
    let both = place.fen(["fennel", "compile", "a.fnl", "b.fnl"]).run().expect(0).stdout;
    assert_eq!(both, format!("-- a.fnl\n{lua}-- b.fnl\nreturn print(1)\n"));
    // Into files: one, or a folder of them, which is made.
    place.fen(["fennel", "compile", "a.fnl", "-o", "x.lua"]).run().expect(0);
    assert_eq!(read(&place, "x.lua"), lua);
    place.fen(["fennel", "compile", "a.fnl", "b.fnl", "-o", "out/lua"]).run().expect(0);
    assert_eq!(read(&place, "out/lua/a.lua"), lua);
    assert_eq!(read(&place, "out/lua/b.lua"), "return print(1)\n");
    place.fen(["fennel", "compile", "b.fnl", "-o", "made/"]).run().expect(0);
    assert_eq!(read(&place, "made/b.lua"), "return print(1)\n");
    // A name of what is open already is written through.
    let through = place.fen(["fennel", "compile", "b.fnl", "-o", "/dev/stdout"]).run().expect(0);
    assert_eq!(through.stdout, "return print(1)\n");
    // What was compiled runs.
    place.write("c.fnl", "(print (.. :six (string.rep \"!\" 2)))");
    place.fen(["fennel", "compile", "c.fnl", "--output", "c.lua"]).run().expect(0);
    assert_eq!(place.fen(["run", "c.lua"]).run().expect(0).stdout, "six!!\n");
}

#[test]
fn nothing_is_written_where_it_would_be_lost() {
    let place = Place::new();
    place.write("a.fnl", TIDY);
    place.write("sub/a.fnl", TIDY);
    let refused = |arguments: &[&str], words: &[&str]| {
        place.fen(["fennel", "compile"]).arguments(arguments).run().refused(words);
    };
    refused(&["a.fnl", "-o", "a.fnl"], &["a.fnl is the source"]);
    refused(&["a.fnl", "-o", "./sub/../a.fnl"], &["is the source"]);
    refused(&["a.fnl", "sub/a.fnl", "-o", "out"], &["two files", "out/a.lua"]);
    refused(&["sub"], &["sub is a folder"]);
    refused(&["nowhere.fnl"], &["nowhere.fnl: No such file"]);
    refused(&["a.fnl", "-o", "a.fnl/x.lua"], &["cannot be written"]);
    assert_eq!(read(&place, "a.fnl"), TIDY);
    // A program that does not compile leaves the former Lua.
    place.write("x.lua", "former");
    place.write("bad.fnl", "(let [x] x)");
    place.fen(["fennel", "compile", "bad.fnl", "-o", "x.lua"]).run().expect(1);
    assert_eq!(read(&place, "x.lua"), "former");
}

#[test]
fn a_map_tells_where_lines_are_from() {
    let place = Place::new();
    place.write("m.fnl", "{:twice (fn [x] `(do ,x ,x))}");
    place.write("a.fnl", "(import-macros m :m)\n\n(m.twice (print 1))\n");
    let map = json!({"files": ["a.fnl"], "lines": [[0, 3], [0, 3]]});
    let given = place.fen(["fennel", "compile", "--map", "a.fnl"]).run().expect(0).json();
    assert_eq!(given, json!({"file": "a.fnl", "lua": "print(1)\nreturn print(1)\n", "map": map}));
    place.fen(["fennel", "compile", "--map", "a.fnl", "-o", "a.lua"]).run().expect(0);
    assert_eq!(serde_json::from_str::<Value>(&read(&place, "a.lua.map")).unwrap(), map);
    assert_eq!(read(&place, "a.lua"), "print(1)\nreturn print(1)\n");
    // Lines of an included file are its own.
    place.write("words.fnl", "\n(print :included)");
    let program = "(print 1)\n(include :words)";
    let outcome = place.fen(["fennel", "compile", "--map"]).text(program).run().expect(0);
    let map = outcome.json()["map"].clone();
    assert_eq!(map["files"], json!(["stdin", "words.fnl"]));
    assert!(map["lines"].as_array().unwrap().contains(&json!([1, 2])), "{map}");
}

#[test]
fn modules_are_found_beside_the_file_then_in_the_directory_and_nowhere_else() {
    let place = Place::new();
    place.write("lib/own.fnl", "{:name (fn [] \"beside\")}");
    place.write("own.fnl", "{:name (fn [] \"here\")}");
    place.write("shared/deep.fnl", "{:name (fn [] \"deep\")}");
    place.write("words.fnl", "(print :included)");
    place.write(
        "lib/a.fnl",
        "(import-macros own :own deep :shared.deep)\n(include :words)\n[(own.name) (deep.name)]",
    );
    let lua = place.fen(["fennel", "compile", "lib/a.fnl"]).run().expect(0).stdout;
    for words in ["\"beside\", \"deep\"", "print(\"included\")"] {
        assert!(lua.contains(words), "{words} in {lua}");
    }
    // A way out of the folders is none, by name or by link.
    place.write("secret.fnl", "{:name (fn [] \"secret\")}");
    let inner = place.project("lib");
    let compile = |text: &str| {
        place.fen(["fennel", "compile", "-"]).within(&inner).text(text).run().expect(1)
    };
    for name in ["secret", "../secret", "..secret", "/etc/passwd", ".secret"] {
        compile(&format!("(import-macros s {name:?})\n(s.name)")).complains(&["stdin:1:", name]);
    }
    std::os::unix::fs::symlink(place.project("secret.fnl"), inner.join("link.fnl")).unwrap();
    compile("(import-macros s :link)").complains(&["link.fnl", "out of its folder"]);
}

#[test]
fn unknown_globals_are_mistakes_unless_they_are_named() {
    let place = Place::new();
    let compile = |arguments: &[&str]| {
        let fen = place.fen(["fennel", "compile"]).arguments(arguments);
        fen.text("(api.log :x)\n(vim.print arg io.write)\n(frob)").run()
    };
    compile(&[]).expect(1).complains(&["stdin:2:2: unknown identifier: vim", "stdin:3:2:", "frob"]);
    compile(&["--globals", "vim"]).expect(1).complains(&["frob"]);
    compile(&["--globals", "vim,frob"]).expect(0);
    compile(&["--globals=vim", "--globals=frob"]).expect(0);
    compile(&["--no-check-globals"]).expect(0);
    // Fennel's own module is required, here as where the program runs.
    let outcome = place.fen(["fennel", "compile"]).text("(fennel.view 1)").run().expect(1);
    outcome.complains(&["stdin:1:2: unknown identifier: fennel"]);
    compile(&["--no-check-globals", "--globals=x"]).refused(&["--globals"]);
}

#[test]
fn mistakes_are_shown_with_their_lines_and_the_others_are_compiled() {
    let place = Place::new();
    place.write("a.fnl", "(print 1)\n(prin 2)\n(let [x] x)\n");
    place.write("b.fnl", "(print 1)");
    let fen = place.fen(["fennel", "compile", "a.fnl", "nowhere.fnl", "b.fnl"]);
    let outcome = fen.run().expect(2).complains(&[
        "a.fnl:2:2: unknown identifier: prin\n    (prin 2)\n     ^^^^\n  help: did you mean print?",
        "a.fnl:3:",
        "nowhere.fnl: No such file",
    ]);
    assert!(outcome.stdout.ends_with("return print(1)\n"), "{}", outcome.report());
    // An endless macro is stopped; what is wrong elsewhere is told all the same.
    let text = "(macro m [] (while true nil))\n(m)\n(prin 1)";
    place
        .fen(["fennel", "compile"])
        .text(text)
        .run()
        .expect(1)
        .complains(&["stdin:2:1: the macro ran longer than 2 s", "stdin:3:2:"]);
    std::fs::write(place.project("c.fnl"), b"(print\n \"a\xff\")").unwrap();
    for command in ["compile", "fmt"] {
        let outcome = place.fen(["fennel", command, "c.fnl"]).run().expect(1);
        outcome.complains(&["c.fnl:2:4: the byte ff is not UTF-8"]);
    }
}

#[test]
fn a_check_names_every_mistake_in_every_file() {
    let place = Place::new();
    place.write("ok.fnl", "(local m (require :m))\n(print m)");
    place.write("src/a.fnl", "(prin 1)\n(let [x] x)");
    place.write("src/b.fnl", "(local unused 1)\n(fn f [x _y] nil)\nf");
    place.write("src/open.fnl", "(print (+ 1 2)");
    place.write("src/macros.fnl", "{:twice (fn [x] `(do ,x ,x))}");
    place.write("src/user.fnl", "(import-macros m :macros)\n(m.twice (print 1))");
    place.write("src/more.fnlm", "{:once (fn [x] `(do ,x ,y))}");
    place.write("src/ignored.fnl", "(((");
    place.write("src/.hidden.fnl", "(((");
    place.write(".gitignore", "ignored.fnl\n");
    place.write("src/notes.txt", "(((");
    let outcome = place.fen(["fennel", "check", "src", "ok.fnl"]).run().expect(1);
    for words in [
        "src/a.fnl:1:2: unknown identifier: prin",
        "src/a.fnl:2:",
        "warning: src/b.fnl:1:8: the local unused is never used",
        "warning: src/b.fnl:2:8: the local x is never used",
        "src/more.fnlm:1:25: unknown identifier: y",
        "src/open.fnl:1:1: this ( is never closed",
    ] {
        assert!(outcome.stdout.contains(words), "{words}\n{}", outcome.report());
    }
    for words in ["ignored", "hidden", "notes", "macros.fnl", "user.fnl", "ok.fnl", "local _y"] {
        assert!(!outcome.stdout.contains(words), "{words}\n{}", outcome.report());
    }
    assert!(outcome.stderr.starts_with("7 files: "), "{}", outcome.report());
    let rows = lines(&place.fen(["fennel", "check", "src", "--json"]).run().expect(1).stdout);
    assert_eq!(
        rows[0],
        json!({
            "severity": "error", "file": "src/a.fnl", "line": 1, "column": 2, "width": 4,
            "message": "unknown identifier: prin", "help": "did you mean print?",
        })
    );
    assert!(rows.iter().any(|row| row["severity"] == "warning"), "{rows:?}");
    // A file named by itself is checked, whatever the ignore files say.
    place.fen(["fennel", "check", "src/ignored.fnl"]).run().expect(1);
    // Warnings alone are no failure, and macros are no program.
    let warned = place.fen(["fennel", "check", "src/b.fnl"]).run().expect(0);
    assert_eq!(warned.stderr, "1 file: 0 errors, 2 warnings\n");
    let files = ["ok.fnl", "src/macros.fnl", "src/user.fnl"];
    let quiet = place.fen(["fennel", "check"]).arguments(files).run().expect(0);
    assert_eq!(
        (quiet.stdout.as_str(), quiet.stderr.as_str()),
        ("", "3 files: 0 errors, 0 warnings\n")
    );
    let piped = place.fen(["fennel", "check"]).text("(prin 1)").run().expect(1);
    assert!(piped.stdout.starts_with("stdin:1:2:"), "{}", piped.report());
}

#[test]
fn a_check_goes_on_past_what_cannot_be_read() {
    let place = Place::new();
    place.write("a.fnl", "(prin 1)");
    let outcome = place.fen(["fennel", "check", "nowhere", "a.fnl"]).run().expect(2);
    assert!(outcome.stdout.contains("a.fnl:1:2:"), "{}", outcome.report());
    outcome.complains(&["nowhere: No such file", "1 file: 1 error, 0 warnings"]);
    std::fs::create_dir(place.project("empty")).unwrap();
    place.fen(["fennel", "check", "empty"]).run().refused(&["no .fnl file in empty"]);
    std::fs::write(place.project("c.fnl"), b"\xff").unwrap();
    let outcome = place.fen(["fennel", "check", "c.fnl"]).run().expect(1);
    assert!(outcome.stdout.contains("c.fnl:1:1: the byte ff"), "{}", outcome.report());
    // What an author writes cannot steer the terminal.
    place.write("d.fnl", "(print \"\u{1b}[2J\" oops\u{9b})");
    let outcome = place.fen(["fennel", "check", "d.fnl"]).run().expect(1);
    assert!(!outcome.stdout.contains('\u{9b}'), "{}", outcome.report());
}

#[test]
fn files_are_laid_out_in_place_and_keep_what_is_theirs() {
    let place = Place::new();
    place.write("a.fnl", UNTIDY);
    place.write("b.fnl", TIDY);
    place.write("src/c.fnl", UNTIDY);
    let (a, b) = (place.project("a.fnl"), place.project("b.fnl"));
    std::fs::set_permissions(&a, PermissionsExt::from_mode(0o751)).unwrap();
    let before = b.metadata().unwrap();
    std::os::unix::fs::symlink("a.fnl", place.project("link.fnl")).unwrap();
    let fen = place.fen(["fennel", "fmt", "link.fnl", "b.fnl", "src"]);
    let outcome = fen.run().expect(0).complains(&["2 files laid out"]);
    assert_eq!(outcome.stdout, "");
    assert_eq!((read(&place, "a.fnl"), read(&place, "src/c.fnl")), (TIDY.into(), TIDY.into()));
    assert_eq!(a.metadata().unwrap().mode() & 0o7777, 0o751);
    assert!(place.project("link.fnl").symlink_metadata().unwrap().is_symlink());
    let after = b.metadata().unwrap();
    let identity = |file: &std::fs::Metadata| (file.ino(), file.mtime(), file.mtime_nsec());
    assert_eq!(identity(&before), identity(&after));
    // Nothing is left of the work, and there is nothing more to do.
    let names = std::fs::read_dir(place.project("")).unwrap().count();
    assert_eq!(names, 4);
    let again = place.fen(["fennel", "fmt", "."]).run().expect(0);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("", ""));
}

#[test]
fn a_file_that_is_no_program_stays_and_the_others_are_laid_out() {
    let place = Place::new();
    place.write("a.fnl", "(print 1))\n(  x  )\n");
    place.write("b.fnl", UNTIDY);
    place.write("c.fnl", UNTIDY);
    std::fs::set_permissions(place.project("c.fnl"), PermissionsExt::from_mode(0o444)).unwrap();
    let fen = place.fen(["fennel", "fmt", "a.fnl", "nowhere.fnl", "c.fnl", "b.fnl"]);
    fen.run().expect(2).complains(&["a.fnl:1:10:", "nowhere.fnl", "c.fnl cannot be written"]);
    assert_eq!(read(&place, "a.fnl"), "(print 1))\n(  x  )\n");
    assert_eq!((read(&place, "b.fnl"), read(&place, "c.fnl")), (TIDY.into(), UNTIDY.into()));
    place.fen(["fennel", "fmt", "a.fnl"]).run().expect(1);
}

#[test]
fn links_and_pipes_below_a_folder_are_no_files_of_it() {
    let place = Place::new();
    place.write("outside/a.fnl", UNTIDY);
    place.write("src/b.fnl", UNTIDY);
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(place.project(to), place.project(from)).unwrap();
    };
    link("outside/a.fnl", "src/link.fnl");
    link("outside", "src/folder");
    let pipe = place.project("src/pipe.fnl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    place.fen(["fennel", "check", "src"]).run().expect(0).complains(&["1 file: 0 errors"]);
    place.fen(["fennel", "fmt", "src"]).run().expect(0).complains(&["1 file laid out"]);
    assert_eq!(
        (read(&place, "src/b.fnl"), read(&place, "outside/a.fnl")),
        (TIDY.into(), UNTIDY.into())
    );
    // Nor is what has no end to read a text, by any name.
    for command in ["check", "fmt", "compile"] {
        let outcome = place.fen(["fennel", command, "src/pipe.fnl", "/dev/null"]).run();
        outcome.refused(&["src/pipe.fnl is a device or a pipe", "/dev/null is a device"]);
    }
    // A link that is named is meant.
    place.fen(["fennel", "fmt", "src/link.fnl"]).run().expect(0);
    assert_eq!(read(&place, "outside/a.fnl"), TIDY);
}

#[test]
fn a_file_is_looked_at_once_whatever_its_names() {
    let place = Place::new();
    place.write("src/a.fnl", "(local unused 1)");
    std::os::unix::fs::symlink("src/a.fnl", place.project("link.fnl")).unwrap();
    let names = ["src/a.fnl", "./src/../src/a.fnl", "src", "link.fnl", "-", "-"];
    let outcome = place.fen(["fennel", "check"]).arguments(names).text("").run().expect(0);
    outcome.complains(&["2 files: 0 errors, 1 warning"]);
}

#[test]
fn a_folder_that_cannot_be_read_is_told_and_the_others_are_done() {
    let place = Place::new();
    place.write("src/a.fnl", UNTIDY);
    place.write("src/z.fnl", UNTIDY);
    // Its path is longer than the system takes, for any user.
    let deep = "name=$(printf %0200d 0)\nfor _ in $(seq 25); do mkdir $name; cd -P $name; done";
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", deep]).current_dir(place.project("src")).status().unwrap().success());
    let outcome = place.fen(["fennel", "fmt", "src"]).run().expect(2);
    outcome.complains(&["File name too long", "2 files laid out"]);
    assert_eq!((read(&place, "src/a.fnl"), read(&place, "src/z.fnl")), (TIDY.into(), TIDY.into()));
}

#[test]
fn only_what_is_imported_or_named_so_is_a_module_of_macros() {
    let place = Place::new();
    let check = |files: &[&str]| place.fen(["fennel", "check"]).arguments(files).run();
    // A quotation makes no module of macros, and nothing of a program is taken on trust.
    place.write("quoting.fnl", "(prnt 1)\n(print `[1 2])");
    let outcome = check(&["quoting.fnl"]).expect(1);
    assert!(
        outcome.stdout.contains("quoting.fnl:1:2: unknown identifier: prnt"),
        "{}",
        outcome.report()
    );
    let macros = "(fn twice [x] `(do ,x ,y))\n{: twice}";
    place.write("init-macros.fnl", macros);
    place.write("a.b.fnlm", macros);
    for file in ["init-macros.fnl", "a.b.fnlm"] {
        let outcome = check(&[file]).expect(1);
        let words = format!("{file}:1:24: unknown identifier: y");
        assert!(outcome.stdout.starts_with(&words), "{}", outcome.report());
    }
    place.write("my-init-macros.fnl", "(prnt 1)");
    assert!(check(&["my-init-macros.fnl"]).expect(1).stdout.contains("unknown identifier: prnt"));
    // What is wrong with a module as a whole is told of its file.
    place.write("seven.fnlm", "7");
    let outcome = check(&["seven.fnlm"]).expect(1);
    assert!(outcome.stdout.starts_with("seven.fnlm:1:1: "), "{}", outcome.report());
}

#[test]
fn a_check_ends_with_its_thousandth_warning() {
    let place = Place::new();
    place.write("a.fnl", &"(fn [] (local unused 1))\n".repeat(1_200));
    let outcome = place.fen(["fennel", "check", "a.fnl"]).run().expect(0);
    assert_eq!(outcome.stdout.matches("warning: ").count(), 1_000);
    outcome.complains(&["200 more warnings are not shown", "1 file: 0 errors, 1200 warnings"]);
}

#[test]
fn what_foreign_code_hides_is_shown() {
    let place = Place::new();
    place
        .write("a.fnl", "(print \"\u{202e}x\" oops)\n(macro m [] (print \"\u{200b}said\") 1)\n(m)");
    for command in ["check", "compile"] {
        let report = place.fen(["fennel", command, "a.fnl"]).run().expect(1).report();
        assert!(report.contains("<U+202E>x") && report.contains("<U+200B>said"), "{report}");
        assert!(!report.contains(['\u{202e}', '\u{200b}']), "{report}");
    }
    place.fen(["run", "a.fnl"]).run().expect(1).complains(&["<U+202E>x"]);
    // A file's name is one line of a difference.
    place.write("b\n+++ c.fnl", UNTIDY);
    let outcome = place.fen(["fennel", "fmt", "--check", "b\n+++ c.fnl"]).run().expect(1);
    assert!(
        outcome.stdout.starts_with("--- b +++ c.fnl\n+++ b +++ c.fnl\n@@"),
        "{}",
        outcome.report()
    );
}

#[test]
fn a_check_of_the_layout_shows_what_would_change_and_changes_nothing() {
    let place = Place::new();
    place.write("a.fnl", UNTIDY);
    place.write("b.fnl", TIDY);
    let outcome = place.fen(["fennel", "fmt", "--check", "."]).run().expect(1);
    assert_eq!(
        outcome.stdout,
        "--- a.fnl\n+++ a.fnl\n@@ -1,3 +1,3 @@\n-(fn   add [a b]\n-(+ a b))\n+(fn add [a b]\n+  (+ a b))\n {: add}\n"
    );
    assert_eq!(outcome.stderr, "1 file would change\n");
    assert_eq!(read(&place, "a.fnl"), UNTIDY);
    assert_eq!(place.fen(["fennel", "fmt", "--check", "b.fnl"]).run().expect(0).stdout, "");
    for arguments in [&["fennel", "fmt"][..], &["fennel", "fmt", "-"]] {
        assert_eq!(place.fen(arguments).text(UNTIDY).run().expect(0).stdout, TIDY);
        place.fen(arguments).text("(x").run().expect(1).complains(&["stdin:1:1:"]);
    }
    place.fen(["fennel", "fmt", "--check"]).text(UNTIDY).run().expect(1);
}

#[test]
fn a_reader_that_leaves_does_not_matter() {
    let place = Place::new();
    place.write("a.fnl", &"(print :a-line-of-code)\n".repeat(20_000));
    place.write("b.fnl", &"(print   :a-line-of-code)\n".repeat(5_000));
    for (arguments, code) in [
        (&["fennel", "compile", "a.fnl"][..], 0),
        (&["fennel", "compile", "--map", "a.fnl"], 0),
        (&["fennel", "fmt", "--check", "b.fnl"], 1),
        (&["fennel", "--help"], 0),
    ] {
        let mut running = place.fen(arguments).start();
        running.close_output();
        let outcome = running.finish().expect(code);
        assert!(!outcome.stderr.contains("standard output"), "{}", outcome.report());
    }
    let mut running = place.fen(["fennel", "repl"]).input(Input::Held).start();
    running.write("(print 1)\n");
    running.close_output();
    running.write("(print 2)\n");
    running.finish().expect(0);
}

#[test]
fn files_and_code_in_fennel_run_with_the_api() {
    let place = Place::new();
    let eval = |code: &str| place.fen(["eval", "--fennel", code]).run();
    assert_eq!(
        eval("(values (+ 1 2) :two {:a [1 2]})").expect(0).stdout,
        "3\ntwo\n{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"
    );
    assert_eq!(eval("api.name").expect(0).stdout, "run\n");
    eval("(error :b)").expect(1).complains(&["eval.fnl:1: b"]);
    eval("(prin 1)\n(let [x] x)").expect(1).complains(&["eval.fnl:1:2:", "eval.fnl:2:"]);
    place.write("s.fnl", "#!/usr/bin/env -S fen run\n(print (length arg) ...)\n\n(error :no)");
    let outcome = place.fen(["run", "s.fnl", "-p"]).run().expect(1).complains(&["s.fnl:4: no"]);
    assert_eq!(outcome.stdout, "1\t-p\n");
    assert_eq!(
        place.fen(["run", "--fennel", "-"]).text("(print 7) 8").run().expect(0).stdout,
        "7\n"
    );
    for name in ["plain", "my.tool"] {
        // What the last form gives is nobody's.
        place.write(name, "(print (.. :a :b)) {}");
        assert_eq!(place.fen(["run", "--fennel", name]).run().expect(0).stdout, "ab\n");
    }
    // Behind the file, the words are the script's.
    place.write("arguments.lua", "return ...");
    assert_eq!(
        place.fen(["run", "arguments.lua", "--fennel"]).run().expect(0).stdout,
        "--fennel\n"
    );
}

#[test]
fn a_program_may_use_the_files_of_its_folder_and_no_others() {
    let place = Place::new();
    place.write("tool/lib/shapes.fnl", "(local names (require :lib.names))\n{:name (names.one)}");
    place.write("tool/lib/names.lua", "return { one = function() return 'square' end }");
    place.write("tool/lib/macros.fnlm", "{:twice (fn [x] `(.. ,x ,x))}");
    place.write("tool/words.fnl", "(print :included)");
    place.write("tool/broken.fnl", "\n(nope)");
    place.write("tool/main.fnl", "(import-macros {: twice} :lib.macros)\n(include :words)\n\
                                  (print (twice (. (require :lib.shapes) :name)))\n(print (require :broken))");
    place.write("tool/main.lua", "print(require('lib.shapes').name, require('lib.names').one())");
    let outcome = place.fen(["run", "tool/main.fnl"]).run().expect(1);
    assert_eq!(outcome.stdout, "included\nsquaresquare\n");
    outcome.complains(&["main.fnl:4: broken.fnl:2:2: unknown identifier: nope"]);
    let outcome = place.fen(["run", "tool/main.lua"]).run().expect(0);
    assert_eq!(outcome.stdout, "square\tsquare\n");
    // It is the folder that the file is really in.
    std::os::unix::fs::symlink("tool/main.lua", place.project("link.lua")).unwrap();
    place.fen(["run", "link.lua"]).run().expect(0);
    // Nothing leads out of it: no name, no link, and no other kind of code.
    place.write("secret.fnl", "{:told 1}");
    place.write("tool/notes.txt", "{:told 1}");
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(place.project(to), place.project(from)).unwrap();
    };
    link("secret.fnl", "tool/link.fnl");
    link("tool/lib/names.lua", "tool/inner.lua");
    let file = place.project("tool/x.fnl");
    let run = |code: &str| {
        std::fs::write(&file, code).unwrap();
        place.fen(["run", "tool/x.fnl"]).run()
    };
    for name in ["secret", "..secret", "../secret", "/etc/passwd", "notes.txt", "x\\0y"] {
        run(&format!("(print (require \"{name}\"))")).expect(1).complains(&["x.fnl:1: ", "module"]);
        run(&format!("(import-macros m \"{name}\")"))
            .expect(1)
            .complains(&["x.fnl:1:", "not found"]);
    }
    for code in ["(require :link)", "(import-macros m :link)"] {
        run(code).expect(1).complains(&["link.fnl is a link that leads out of its folder"]);
    }
    for path in ["../secret.fnl", "/etc/passwd", "lib/../../secret.fnl", "notes.txt"] {
        run(&format!("((. (require :fennel) :dofile) {path:?})"))
            .expect(1)
            .complains(&["cannot open"]);
    }
    assert_eq!(run("(print ((. (require :inner) :one)))").expect(0).stdout, "square\n");
    run("(require :missing)").expect(1).complains(&["missing.lua", "missing/init.fnl", "tool"]);
    // Code that is in no file has no files beside it.
    let within = place.project("tool");
    let outcome = place.fen(["eval", "--fennel", "(require :words)"]).within(&within).run();
    outcome.expect(1).complains(&["module 'words' not found"]);
    let piped = place.fen(["run", "--fennel", "-"]).within(&within).text("(require :words)").run();
    piped.expect(1).complains(&["module 'words' not found"]);
}

#[test]
fn a_local_that_nothing_reads_can_be_renamed_as_the_advice_says() {
    let place = Place::new();
    let advice = |text: &str| {
        let outcome = place.fen(["fennel", "check"]).text(text).run().expect(0);
        let (_, help) = outcome.stdout.rsplit_once("help: ").unwrap();
        help.to_owned()
    };
    let written = "take it out, or write {:depth _depth}\n";
    assert_eq!(advice("(fn [{: depth}] nil)"), written);
    assert_eq!(advice("(let [{:a b :\n depth} {}] (print b))"), written);
    assert_eq!(advice("(fn [{:a depth}] nil)"), "take it out, or call it _depth\n");
    assert_eq!(advice("(fn [depth] nil)"), "take it out, or call it _depth\n");
}

#[test]
fn completions_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.fen(["completions", shell]).run().expect(0).stdout;
        for words in ["fennel", "compile", "repl", "no-check-globals"] {
            assert!(script.contains(words), "{shell}: {words}");
        }
    }
}
