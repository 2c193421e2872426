//! Which locals are told to be of no use.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

use fennel::{Options, compile};

/// The names that are told, with their lines.
fn told(program: &str) -> Vec<String> {
    let options = Options { warnings: true, ..Options::default() };
    let output = compile("a.fnl", program, &options).unwrap();
    output.warnings.iter().map(|one| format!("{}: {}", one.line, one.message)).collect()
}

#[test]
fn what_nothing_reads_is_told_at_its_line() {
    let program = "(let [x 1\n y 2]\n (print y))\n(fn f [a _b] 1)\n(f)";
    assert_eq!(told(program), ["1: the local x is never used", "4: the local a is never used"]);
}

#[test]
fn a_name_of_a_pattern_is_used_by_its_guard_or_its_body() {
    for program in [
        "(fn f [x] (case x (where {: a : b} (< a 10)) (print a b) _ nil)) (f)",
        "(fn f [x] (case x (where [a b] a) b _ 2)) (f)",
        "(fn f [x y] (case (values x y) (where (a b) (= a 1)) (print b))) (f)",
        "(fn f [x] (case x (where c (c:match :y)) 1)) (f)",
        "(fn f [x] (case x (where (or [a 1] [a 2]) (> a 0)) 1)) (f)",
    ] {
        assert_eq!(told(program), [""; 0], "{program}");
    }
    assert_eq!(told("(fn f [x] (case x (where [a b] a) 1)) (f)"), ["1: the local b is never used"]);
}

#[test]
fn a_name_that_stands_twice_in_a_pattern_compares() {
    for program in [
        "(fn f [x] (match x [a a] true)) (f)",
        "(fn f [x] (match x {:l a :r a} true)) (f)",
        "(fn f [x] (case x [a a] true)) (f)",
    ] {
        assert_eq!(told(program), [""; 0], "{program}");
    }
}
