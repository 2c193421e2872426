//! Standard input beside a prompt, and as the prompt.

use crate::support::{Input, Place};

const ECHO: [&str; 2] = ["--provider", "mock"];

#[test]
fn a_prompt_goes_on_without_standard_input() {
    let place = Place::new();
    for input in [Input::Closed, Input::Empty, Input::Held] {
        let fen = place.fen(ECHO).arguments(["-p", "hi"]).input(input.clone());
        let outcome = fen.run().expect(0);
        assert_eq!(outcome.stdout, "hi\n");
        let told = outcome.stderr.contains("standard input stays open and empty");
        assert_eq!(told, input == Input::Held, "{}", outcome.report());
    }
}

#[test]
fn standard_input_is_added_to_a_prompt() {
    let place = Place::new();
    let fen = place.fen(ECHO).arguments(["-p", "hi"]).text("a diff\nof two lines\n");
    assert_eq!(fen.run().expect(0).stdout, "hi\n\na diff\nof two lines\n\n");
    let blank = place.fen(ECHO).arguments(["-p", "hi"]).text(" \n\n");
    assert_eq!(blank.run().expect(0).stdout, "hi\n");
}

#[test]
fn without_a_prompt_standard_input_is_the_prompt() {
    let place = Place::new();
    for arguments in [&["-p"][..], &[]] {
        let fen = place.fen(ECHO).arguments(arguments).text("from a pipe");
        assert_eq!(fen.run().expect(0).stdout, "from a pipe\n");
        let fen = place.fen(ECHO).arguments(arguments).input(Input::Empty);
        fen.run().refused(&["the prompt on standard input is empty"]);
        let fen = place.fen(ECHO).arguments(arguments).input(Input::Closed);
        fen.run().refused(&["the prompt on standard input is empty"]);
    }
    // A prompt that comes late is waited for.
    let mut running = place.fen(ECHO).arguments(["-p"]).input(Input::Held).start();
    running.write("first half, ");
    running.write("second half");
    running.end_input();
    assert_eq!(running.finish().expect(0).stdout, "first half, second half\n");
}

#[test]
fn a_missing_key_is_told_before_standard_input_is_waited_for() {
    let place = Place::new();
    let fen = place.fen(["-p"]).input(Input::Held);
    fen.run().refused(&["no provider is set up", "ANTHROPIC_API_KEY"]);
    let fen = place.fen(["--provider", "openai", "-p"]).input(Input::Held);
    fen.run().refused(&["there is no key for the provider `openai`", "OPENAI_API_KEY"]);
}

#[test]
fn too_much_on_standard_input_is_refused_with_advice() {
    let place = Place::new();
    let fen = place.fen(ECHO).arguments(["-p", "hi"]).text(&"x".repeat(11 << 20));
    fen.run().refused(&["more than 10 MiB", "file"]);
}

#[test]
fn input_that_is_not_utf_8_does_not_stop_it() {
    let place = Place::new();
    let fen = place.fen(ECHO).arguments(["-p", "hi"]).after("printf 'a\\377b' > f; exec < f");
    assert_eq!(fen.run().expect(0).stdout, "hi\n\na\u{fffd}b\n");
}
