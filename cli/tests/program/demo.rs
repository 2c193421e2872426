//! `fen demo`.

use crate::support::{Outcome, Place, Screen, Terminal, key, load};
use serde_json::Value;
use std::path::PathBuf;

fn path(outcome: &Outcome, label: &str) -> PathBuf {
    let line = outcome.stdout.lines().find(|line| line.starts_with(label));
    PathBuf::from(line.unwrap_or_else(|| panic!("{}", outcome.report())).trim_start_matches(label))
}

#[test]
fn it_mends_the_project_without_a_home_or_a_network() {
    let place = Place::new();
    let fen = place.fen(["demo"]).without_env("HOME").env("HTTP_PROXY", "http://127.0.0.1:1");
    let outcome = fen.env("HTTPS_PROXY", "http://127.0.0.1:1").run().expect(0);
    let project = path(&outcome, "Project: ");
    assert!(project.starts_with(place.tmp("").canonicalize().unwrap()), "{}", project.display());
    let mended = std::fs::read_to_string(project.join("average.sh")).unwrap();
    assert!(mended.contains("sum / $#)"), "{mended}");
    let messages = load(&path(&outcome, "Session: "));
    let failed: Vec<bool> = messages
        .iter()
        .filter(|message| message["role"] == "tool-result")
        .map(|message| message["is-error?"] == true)
        .collect();
    // ls, read twice, the red test, edit, the green test.
    assert_eq!(failed, [false, false, false, true, false, false]);
    assert!(outcome.stdout.contains("The test passes"), "{}", outcome.report());
    outcome.complains(&["→ edit average.sh", "FAIL"]);
    assert_eq!(std::fs::read_dir(place.home("")).unwrap().count(), 0);
}

#[test]
fn without_the_means_it_fails_and_says_so() {
    let place = Place::new();
    for flags in [&["--deny-tools", "edit"][..], &["--no-tools"], &["--tools", "read,bash"]] {
        let outcome = place.fen(["demo"]).arguments(flags).run().expect(1);
        assert!(outcome.stdout.contains("The test still fails"), "{}", outcome.report());
        assert!(path(&outcome, "Project: ").exists() && path(&outcome, "Session: ").exists());
        let stopped: Vec<Value> = load(&path(&outcome, "Session: "));
        assert!(stopped.iter().any(|message| message["is-error?"] == true));
    }
    place.fen(["demo", "--deny-tools", "edt"]).run().refused(&["`edt`"]);
}

#[test]
fn a_broken_configuration_does_not_stop_it() {
    let place = Place::new();
    place.configure("settings.json", "{");
    place.configure("models.json", "{");
    place.fen(["demo"]).run().expect(0);
}

#[test]
fn it_can_be_watched_in_a_narrow_terminal_that_shows_lines_alone() {
    let place = Place::new();
    let mut terminal = Terminal::open(&place.fen(["demo"]), 40);
    assert_eq!(terminal.code(), 0);
    terminal.wait("the outcome", |screen| screen.unbroken().contains("The test passes"));
    assert!(!terminal.written().contains('\u{1b}'));
}

#[test]
fn on_a_full_screen_it_stays_until_the_person_leaves_and_then_tells_the_outcome() {
    let place = Place::new();
    let mut screen = Screen::open(&place.fen(["demo"]), (100, 30));
    screen.wait_for("the demo is over · ctrl-d leaves");
    screen.wait_for("all three checks pass");
    screen.wait_idle();
    screen.type_keys(key::CTRL_D);
    screen.ends_with(0);
    let left = screen.text();
    for words in [
        "A project with a failing test: ",
        "all three checks pass",
        "To go on: fen",
        "The test passes",
    ] {
        assert!(left.contains(words), "{words} in {left}");
    }
    assert!(!left.contains("--resume"), "no session of the person's: {left}");
    assert!(!place.home(".local").exists() && !place.home(".config").exists());
}

#[test]
fn on_a_full_screen_ctrl_c_cancels_it_first_and_the_outcome_is_told_as_it_is() {
    let place = Place::new();
    // Commands are looked for here first: the test that the demo runs first goes on for ever.
    let waiting = "#!/bin/sh\n[ \"$1\" = test.sh ] && mkdir \"$HOME/begun\" 2>/dev/null && exec sleep 1000\n\
                   exec /bin/sh \"$@\"\n";
    let shell = place.home("bin/sh");
    std::fs::create_dir(place.home("bin")).unwrap();
    std::fs::write(&shell, waiting).unwrap();
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", place.home("bin").display(), std::env::var("PATH").unwrap());
    let mut screen = Screen::open(&place.fen(["demo"]).env("PATH", &path), (100, 30));
    screen.wait_for("running bash");
    screen.wait("the test to wait", |_| place.home("begun").exists());
    screen.type_keys(key::CTRL_C);
    screen.wait_for("the demo is over · ctrl-d leaves");
    screen.wait_for("cancelled");
    screen.wait_idle();
    screen.type_keys(key::CTRL_D);
    screen.ends_with(1);
    assert!(screen.text().contains("The test still fails"), "{}", screen.text());
}
