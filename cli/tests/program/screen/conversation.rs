//! Prompts, answers and tool calls, and how one looks back at them.

use super::{WAITING, bash, leave, open, quit};
use crate::support::{Place, appears, ends, key, load};
use serde_json::{Value, json};

fn roles(place: &Place) -> Vec<Value> {
    load(&place.session()).iter().map(|message| message["role"].clone()).collect()
}

fn prompts(place: &Place) -> Vec<Value> {
    let messages = load(&place.session());
    let of_user = messages.iter().filter(|message| message["role"] == "user");
    of_user.map(|message| message["content"].clone()).collect()
}

#[test]
fn a_prompt_is_answered_while_it_streams_and_leaving_keeps_the_answer_and_the_way_back() {
    let place = Place::new();
    // The last piece takes longer than anybody waits.
    let turns = json!([
        {"text": "alpha beta gamma", "chunk": 6, "delta-delay-ms": 30},
        {"text": "omega and more", "chunk": 6, "delta-delay-ms": 1_000_000},
    ]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("my prompt");
    screen.wait_for("alpha beta gamma");
    screen.wait_for("› my prompt");
    screen.wait_idle();
    screen.enter("another");
    screen.wait_for("omega");
    screen.wait_for("answering");
    screen.type_keys(key::ESC);
    screen.wait_for("cancelled");
    let screen = quit(screen);
    let session = place.session();
    let (_, id) = session.file_stem().unwrap().to_str().unwrap().split_once('_').unwrap();
    let left = screen.text();
    assert!(left.contains("omega"), "{left}");
    assert!(left.contains(&format!("fen --resume {id}")), "{left}");
    assert!(!left.contains("my prompt"), "the full screen is gone: {left}");
    assert_eq!(prompts(&place), ["my prompt", "another"]);
}

#[test]
fn without_a_conversation_nothing_is_left_on_the_terminal() {
    let place = Place::new();
    let screen = quit(open(&place, json!([]), &[]));
    assert_eq!(screen.text().trim(), "");
    assert!(place.sessions().is_empty());
}

#[test]
fn a_tool_call_is_shown_running_and_done_and_unfolds() {
    let place = Place::new();
    let turns = json!([bash(WAITING), {"text": "all done"}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("go on");
    appears(&place.project("shell.pid"));
    screen.wait("the call and what it put out so far", |screen| {
        let text = screen.contents();
        ["◐ bash echo $$", "│ begun", "running bash"].iter().all(|words| text.contains(words))
    });
    place.write("go", "");
    screen.wait("the end", |screen| {
        let text = screen.contents();
        ["✓ bash echo $$", "2 lines", "all done"].iter().all(|words| text.contains(words))
    });
    screen.wait_idle();
    assert!(!screen.text().contains("│ finished"), "{}", screen.text());
    screen.type_keys(key::CTRL_O);
    screen.wait_for("│ finished");
    screen.type_keys(key::CTRL_O);
    screen.wait_gone("│ finished");
    leave(screen);
    assert_eq!(roles(&place), ["user", "assistant", "tool-result", "assistant"]);
}

#[test]
fn lines_wait_while_it_is_busy_and_can_be_taken_back() {
    let place = Place::new();
    let turns = json!([bash(WAITING), {"text": "first."}, {"text": "second."}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("begin");
    appears(&place.project("shell.pid"));
    screen.enter("to the left");
    screen.wait_for("↳ next  to the left");
    screen.type_keys("afterwards");
    screen.wait_for("› afterwards");
    screen.type_keys(key::ALT_ENTER);
    screen.wait_for("↳ later afterwards");
    screen.type_keys("never");
    screen.wait_for("› never");
    screen.type_keys(key::ALT_ENTER);
    screen.wait_for("↳ later never");
    screen.type_keys(key::ALT_Q);
    screen.wait_for("delete removes");
    screen.type_keys("\x1b[3~");
    screen.wait_gone("never");
    screen.type_keys(key::ESC);
    screen.wait_gone("delete removes");
    place.write("go", "");
    screen.wait_for("second.");
    screen.wait_gone("↳");
    leave(screen);
    assert_eq!(prompts(&place), ["begin", "to the left", "afterwards"]);
}

#[test]
fn esc_cancels_the_turn_with_its_command() {
    let place = Place::new();
    let turns = json!([bash("echo $$ > shell.pid; exec sleep 1000"), {"text": "well again"}]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("begin");
    let shell = appears(&place.project("shell.pid"));
    screen.wait_for("esc cancels");
    screen.type_keys(key::ESC);
    ends(shell);
    screen.wait_for("· cancelled");
    screen.wait_idle();
    screen.enter("again");
    screen.wait_for("well again");
    leave(screen);
}

#[test]
fn one_can_scroll_and_search_in_what_was_said() {
    let place = Place::new();
    let lines: Vec<String> = (1..=80).map(|number| format!("- row number {number}\n")).collect();
    let mut screen = open(&place, json!([{"text": lines.concat()}]), &[]);
    screen.enter("count");
    screen.wait_for("row number 80");
    screen.wait_idle();
    assert!(!screen.text().contains("row number 3\n"), "{}", screen.text());
    screen.type_keys(key::PAGE_UP);
    screen.wait_gone("row number 80");
    screen.type_keys(key::CTRL_HOME);
    screen.wait_for("› count");
    screen.type_keys(key::PAGE_DOWN);
    screen.wait_gone("› count");
    screen.type_keys(key::CTRL_END);
    screen.wait_for("row number 80");
    screen.type_keys(key::CTRL_F);
    screen.wait_for("find: ");
    screen.type_keys("number 7");
    // 7 and 70 to 79.
    screen.wait_for("of 11");
    screen.wait_for("row number 79");
    for found in 2..=11 {
        screen.type_keys(key::ENTER);
        screen.wait_for(&format!("{found} of 11"));
    }
    screen.wait("the oldest finding", |screen| {
        screen.contents().lines().any(|row| row.contains("row number 7 "))
            || screen.contents().contains("row number 7\n")
    });
    screen.type_keys(key::ESC);
    screen.wait_gone("find: ");
    screen.type_keys(key::CTRL_END);
    screen.wait_for("row number 80");
    leave(screen);
}

#[test]
fn a_failed_turn_is_told_and_the_conversation_goes_on() {
    let place = Place::new();
    let turns = json!([
        {"error": {"kind": "auth", "message": "bad key"}},
        {"text": "well again"},
    ]);
    let mut screen = open(&place, turns, &[]);
    screen.enter("one");
    screen.wait_for("bad key");
    screen.wait_idle();
    screen.enter("two");
    screen.wait_for("well again");
    leave(screen);
}

#[test]
fn a_command_of_the_persons_runs_aside_and_its_output_is_shown() {
    let place = Place::new();
    let mut screen = open(&place, json!([]), &[]);
    screen.type_keys("!!echo four and twenty | tr a-z A-Z");
    screen.wait_for("tr a-z A-Z");
    screen.type_keys(key::ENTER);
    screen.wait_for("FOUR AND TWENTY");
    leave(screen);
    assert!(place.sessions().is_empty(), "the model heard nothing");
}
