//! `fen fennel repl`: a prompt for Fennel, through a pipe and at a terminal.

use crate::support::{Input, Place, Terminal};
use rustix::process::Signal;

/// What the prompt prints for these lines: results and remarks.
fn said(lines: &str) -> (String, String) {
    let outcome = Place::new().fen(["fennel", "repl"]).text(lines).run().expect(0);
    (outcome.stdout, outcome.stderr)
}

#[test]
fn a_pipe_sees_results_and_no_prompts() {
    let (results, remarks) =
        said("(+ 1 2)\n\n(local x 20)\n(fn twice [a]\n  (* a 2))\n(twice x)\n");
    let lines: Vec<&str> = results.lines().collect();
    assert_eq!((lines[0], *lines.last().unwrap()), ("3", "40"), "{results}");
    assert!(results.contains("#<function: "), "{results}");
    assert!(!results.contains(">>") && !results.contains(".."), "{results}");
    assert_eq!(remarks, "");
    let (results, _) = said("{:b [1 2] :a \"x\"} (values 1 nil :k)\n(print :out)\n7");
    assert_eq!(results, "{:a \"x\" :b [1 2]}\n1\tnil\t\"k\"\nout\n7\n");
}

#[test]
fn locals_macros_and_globals_last_until_a_reset() {
    let lines = "(local x 1) (var n 0)\n(fn add [] (set n (+ n x)) n)\n(add) (add)\n\
                 (macro inc [a] `(+ ,a 1))\n(inc n)\n(global g :kept)\ng\n,reset\nx\ng\n(+ 1 1)\n";
    let (results, remarks) = said(lines);
    let mut lines = results.lines().filter(|line| !line.starts_with('#') && *line != "nil");
    assert_eq!(lines.by_ref().take(5).collect::<Vec<_>>(), ["1", "2", "3", "\"kept\"", "2"]);
    assert!(remarks.contains("unknown identifier: x"), "{remarks}");
    assert!(remarks.contains("unknown identifier: g"), "{remarks}");
}

#[test]
fn errors_are_told_and_the_session_goes_on() {
    let (results, remarks) = said(
        "(error :boom)\n(prin 1)\n(+ 1\n  (let [y] y))\n)\n(fn f [a]\n  (+ a nil))\n(f 1)\n\u{fffd}\n(+ 2 3)\n",
    );
    assert!(results.ends_with("5\n"), "{results}");
    for words in [
        "input-",
        ":1: boom",
        "unknown identifier: prin\n    (prin 1)\n     ^^^^",
        ":2:",
        "attempt to perform arithmetic on a nil value",
    ] {
        assert!(remarks.contains(words), "{words}: {remarks}");
    }
    // The rest of an input is left after a mistake.
    let (results, _) = said("(error :a) (print :b)\n(print :c)\n");
    assert_eq!(results, "c\n");
    // So is a form that never ends.
    let (results, remarks) = said("(print :a)\n(print\n  (+ 1");
    assert_eq!(results, "a\n");
    assert!(remarks.contains("is never closed"), "{remarks}");
}

#[test]
fn commands_show_lua_and_help_and_leave() {
    let (results, remarks) = said(
        ",help\n,compile (let [x 1]\n  (+ x 1))\n,compile\n,compile (local y 5)\ny\n,nonsense\n\
         ,doc\n(fn add [a b]\n  \"Adds.\"\n  (+ a b))\n,doc add\n,doc nobody\n,exit\n(print :unreached)\n",
    );
    for words in
        [",compile FORM", ",doc NAME", ",reset", ",exit", "return x + 1", "(add a b)\n  Adds.\n"]
    {
        assert!(results.contains(words), "{words}: {results}");
    }
    assert!(!results.contains("unreached"), "{results}");
    for words in [
        ",compile takes a form",
        "unknown identifier: y",
        "there is no command ,nonsense",
        ",doc takes the name",
        "unknown identifier: nobody",
    ] {
        assert!(remarks.contains(words), "{words}: {remarks}");
    }
}

#[test]
fn what_is_shown_as_lua_binds_nothing() {
    let (results, remarks) = said(
        "(local x 1) (macro two [] 2)\n,compile (global zork (+ x (two)))\nzork\n\
         ,compile (macro three [] 3)\n(three)\n(global zork 7)\nzork\n",
    );
    assert!(results.contains("zork =") && results.ends_with("\n7\n"), "{results}");
    for words in ["unknown identifier: zork", "unknown identifier: three"] {
        assert!(remarks.contains(words), "{words}: {remarks}");
    }
}

#[test]
fn a_comment_behind_a_name_is_no_part_of_it() {
    let (results, remarks) = said("(fn add [a b]\n  \"Adds.\"\n  a)\n,doc add ;y\n");
    assert!(results.ends_with("(add a b)\n  Adds.\n"), "{results}{remarks}");
}

#[test]
fn each_form_of_a_text_keeps_its_line_and_column() {
    let (_, remarks) = said("1 (do\n 2) (prin 1)\n(do 1\n) (error :no)\n");
    assert!(
        remarks.contains(":2:6: unknown identifier: prin\n    (prin 1)\n     ^^^^"),
        "{remarks}"
    );
    assert!(remarks.contains(":2: no"), "{remarks}");
}

/// Not minutes, as they were when each line was parsed with all those before it.
#[test]
fn a_long_form_takes_no_longer_than_its_length() {
    let form = "1 ; (\n\"\\\"[\"\n".repeat(30_000);
    let (results, remarks) = said(&format!("(length [\n{form}])\n"));
    assert_eq!(results, "60000\n", "{remarks}");
}

#[test]
fn the_code_has_what_fen_run_gives() {
    let place = Place::new();
    let text = "(api.fs.write :out :text)\n(type api.register)\n(length arg)\n(os.exit)\nio\n";
    let outcome = place.fen(["fennel", "repl"]).text(text).run().expect(0);
    assert_eq!(std::fs::read_to_string(place.project("out")).unwrap(), "text");
    assert!(outcome.stdout.contains("\"function\"\n0\n"), "{}", outcome.report());
    outcome.complains(&["unknown identifier: io"]);
    // Macros of the directory can be used.
    place.write("m.fnl", "{:twice (fn [x] `(do ,x ,x))}");
    let text = "(import-macros m :m)\n(m.twice (print :x))\n";
    let outcome = place.fen(["fennel", "repl"]).text(text).run().expect(0);
    assert!(outcome.stdout.contains("x\nx\n"), "{}", outcome.report());
}

#[test]
fn a_terminal_gets_prompts_and_values() {
    let place = Place::new();
    let mut terminal = Terminal::open(&place.fen(["fennel", "repl"]), 80);
    terminal.wait_for(">> ");
    terminal.type_keys("(+ 1\r");
    terminal.wait_for(".. ");
    terminal.type_keys("  41)\r");
    terminal.wait("the sum", |screen| screen.text().contains("\n42\n>> "));
    terminal.type_keys("(error :boom)\r");
    terminal.wait_for(":1: boom");
    terminal.type_keys(",exit\r");
    assert_eq!(terminal.code(), 0);
}

#[test]
fn ctrl_c_ends_what_runs_or_drops_what_was_typed_and_ctrl_d_leaves() {
    let place = Place::new();
    let mut terminal = Terminal::open(&place.fen(["fennel", "repl"]), 80);
    terminal.wait_for(">> ");
    terminal.type_keys("(local kept 7)\r");
    terminal.wait("the next prompt", |screen| screen.text().ends_with("\nnil\n>> "));
    terminal.type_keys("(do (print :begun) (while true nil))\r");
    terminal.wait("the loop", |screen| screen.text().ends_with("\nbegun\n"));
    terminal.type_keys("\u{3}");
    terminal.wait_for("interrupted");
    terminal.type_keys("(+ kept\r");
    terminal.wait_for(".. ");
    terminal.type_keys("\u{3}");
    terminal.wait("a new prompt", |screen| screen.last_row() == ">> ");
    terminal.type_keys("(* kept 6)\r");
    terminal.wait("the product", |screen| screen.text().contains("\n42\n>> "));
    terminal.type_keys("\u{4}");
    assert_eq!(terminal.code(), 0);
}

#[test]
fn signals_end_a_session_that_nobody_types_into() {
    let place = Place::new();
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut running = place.fen(["fennel", "repl"]).input(Input::Held).start();
        running.write("(print :begun)\n");
        running.wait_stdout("the beginning", |text| text.contains("begun"));
        running.signal(signal);
        running.finish().expect(code);
    }
    let mut running = place.fen(["fennel", "repl"]).input(Input::Held).start();
    running.write("(do (print :begun) (while true nil))\n");
    running.wait_stdout("the loop", |text| text.contains("begun"));
    running.signal(Signal::TERM);
    running.finish().expect(143);
}
