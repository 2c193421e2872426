//! The files of sessions: private, and no reason to fail.

use crate::support::{Place, files_below, load};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn files_and_folders_are_the_persons_alone() {
    for umask in ["002", "022", "000", "077"] {
        let place = Place::new();
        let run = |arguments: &[&str]| {
            let fen = place.fen(["--provider", "mock", "-p", "x"]).arguments(arguments);
            fen.after(&format!("umask {umask}")).run().expect(0);
        };
        run(&[]);
        let session = place.session();
        assert_eq!(mode(&session), 0o600);
        assert_eq!(mode(session.parent().unwrap()), 0o700);
        assert_eq!(mode(&place.sessions_folder()), 0o700);
        // One that others could read is closed to them when it is used again.
        std::fs::set_permissions(&session, std::fs::Permissions::from_mode(0o644)).unwrap();
        run(&["--continue"]);
        assert_eq!(mode(&session), 0o600);
        for file in files_below(&place.home("")) {
            assert_eq!(mode(&file) & 0o077, 0, "{}", file.display());
        }
    }
}

#[test]
fn an_answer_is_printed_though_it_cannot_be_stored() {
    let place = Place::new();
    // A file stands where the folder would be, which stops root as well.
    std::fs::create_dir_all(place.home(".local/state")).unwrap();
    std::fs::write(place.home(".local/state/fen"), "").unwrap();
    for presenter in ["print", "json", "json-stream"] {
        let fen = place.fen(["--provider", "mock", "--presenter", presenter, "-p", "the words"]);
        let outcome = fen.run().expect(0);
        assert!(outcome.stdout.contains("the words"), "{}", outcome.report());
        if presenter == "json" {
            assert_eq!(outcome.json().get("error"), None, "{}", outcome.report());
        }
        match presenter {
            "json-stream" => {
                let errors = outcome.events().into_iter().filter(|event| event["type"] == "error");
                assert!(errors.count() >= 2);
            }
            _ => {
                // Told for each message.
                let told = outcome.stderr.matches("this message is not saved").count();
                assert_eq!(told, 2, "{}", outcome.report());
            }
        }
    }
    assert_eq!(std::fs::read(place.home(".local/state/fen")).unwrap(), b"");
}

#[test]
fn a_disk_that_fills_up_leaves_no_half_line() {
    let place = Place::new();
    let turns = json!([
        {"text": "short", "tool-calls": [{"name": "ls"}]},
        {"text": format!("long {}", "x".repeat(200_000))},
    ]);
    // In blocks of 512 or 1,024 bytes, by the shell.
    let fen = place.mocked(turns, ["-p", "go"]).after("ulimit -f 64");
    let outcome = fen.run().expect(0).complains(&["this message is not saved"]);
    assert!(outcome.stdout.starts_with("long xxx"), "the answer is printed");
    let session = place.session();
    assert!(std::fs::read_to_string(&session).unwrap().ends_with('\n'));
    assert_eq!(load(&session).len(), 3);
    place.fen(["--continue", "-p", "on"]).run();
    assert!(load(&session).len() > 3);
}

#[test]
fn a_session_that_was_torn_off_goes_on() {
    let place = Place::new();
    let message = json!({"role": "user", "content": "whole", "timestamp": 1});
    let session = place.store_session("torn-2", "mock", &[message]);
    let torn = std::fs::read_to_string(&session).unwrap() + "{\"type\":\"mess";
    std::fs::write(&session, &torn).unwrap();
    let outcome = place.fen(["--resume", "torn-2", "-p", "next"]).run().expect(0);
    assert!(outcome.stderr.contains("fen: "), "{}", outcome.report());
    let again = place.fen(["--resume", "torn-2", "--json-stream", "-p", "last"]).run().expect(0);
    let events = again.events();
    assert_eq!(events[0]["agent"]["message-count"], 3, "{}", events[0]);
    let text = std::fs::read_to_string(&session).unwrap();
    assert!(text.starts_with(&torn), "nothing of it was taken away");
}
