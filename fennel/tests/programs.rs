//! The corpus: programs in Fennel with what they give, print, or are refused for.
//!
//! Each file in `tests/programs` holds programs on one topic; `corpus/format.rs` tells how they are
//! written. What they should do was confirmed with the reference compiler (`confirm.lua` there).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

#[path = "corpus/format.rs"]
mod format;
#[path = "corpus/run.rs"]
mod run;

use format::Program;

/// Runs all programs of a file and reports every one that did something else.
fn check(topic: &str) {
    let path = format!("{}/tests/programs/{topic}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let programs = format::programs(&text);
    assert!(!programs.is_empty(), "{path} holds no programs");
    let failures: Vec<String> = programs
        .iter()
        .filter_map(|program: &Program| {
            let problem = run::problem(program)?;
            Some(format!("== {} (line {})\n{problem}\n", program.title, program.line))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} programs on {topic}:\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}

macro_rules! topics {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        #[test]
        fn every_file_of_programs_is_run() {
            let known = [$(stringify!($name)),*];
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
            for entry in std::fs::read_dir(folder).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if let Some(topic) = name.strip_suffix(".txt") {
                    assert!(known.contains(&topic), "{name} is not in the list of tests/programs.rs");
                }
            }
        }
    };
}

topics! {
    arithmetic
    bindings
    calls
    case
    case_guards
    case_positions
    case_try
    compiler_environment
    comprehensions
    destructuring
    evaluation_order
    expression_position
    fennel_module
    functions
    literals
    loops
    macro_modules
    macros
    malformed_forms
    matching
    modules
    names
    partial_and_lambda
    quotation
    refusals
    run_time_errors
    scope
    tables
    threading
    varargs
    view_strings
    view_tables
    whole_programs
    with_open
}
