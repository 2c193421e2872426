//! What `/status` makes of the conversation.

use crate::support::{Stage, stored};
use fen_contract::names::Count;
use fen_contract::price::{Dollars, Price};
use fen_contract::provider::ModelInfo;
use fen_contract::session::SessionInfo;
use fen_contract::types::{AssistantMessage, Message, StopReason, Usage};

fn answer(model: &str, usage: Usage) -> Message {
    let mut answer = AssistantMessage::new(Vec::new(), StopReason::Stop);
    answer.provider = Some("p".into());
    answer.model = Some(model.into());
    answer.usage = Some(usage);
    answer.into()
}

fn usage(input: u64, cache_read: u64, output: u64) -> Usage {
    Usage {
        input: Some(Count(input)),
        cache_read: Some(Count(cache_read)),
        output: Some(Count(output)),
        ..Usage::empty()
    }
}

fn priced() -> ModelInfo {
    let dollars = |decimal| Dollars::from_decimal(decimal).unwrap();
    let price =
        Price { input: dollars(2.0), output: dollars(10.0), cache_read: None, cache_write: None };
    ModelInfo { context_window: Some(Count(10_000)), price: Some(price), ..ModelInfo::named("big") }
}

#[test]
fn a_new_conversation_has_a_model_and_no_figures() {
    let told = Stage::on_paper().types(&["/status"]);
    assert_eq!(
        told.infos[0],
        "model     big of p\nthinking  off\nsession   new (/sessions/new)\nfolder    /home\n\
         messages  0\nstate     idle, 0 queued"
    );
}

#[test]
fn the_window_the_cache_and_the_cost_come_from_the_answers() {
    let messages = vec![answer("big", usage(1_000, 0, 100)), answer("big", usage(250, 750, 200))];
    let stage = Stage { models: vec![priced()], messages, ..Stage::on_paper() };
    stage.shelf.stored.lock().unwrap().push(stored("new", "x"));
    let text = &stage.types(&["/status"]).infos[0];
    for line in [
        "session   new, 12 kB (/sessions/new)",
        "context   1200 tokens, 12% of 10000",
        "cache     75% of the last input came from it",
        "cost      $0.0070",
    ] {
        assert!(text.lines().any(|have| have.starts_with(line.trim_end_matches('0'))), "{text}");
    }
}

#[test]
fn the_size_is_that_of_the_session_and_of_none_whose_id_begins_so() {
    let stage = Stage::on_paper();
    let longer = SessionInfo { size: Some(Count(99_000)), ..stored("newer", "x") };
    *stage.shelf.stored.lock().unwrap() = vec![longer, stored("new", "x")];
    let text = &stage.types(&["/status"]).infos[0];
    assert!(text.contains("session   new, 12 kB"), "{text}");
}

#[test]
fn a_cost_that_is_not_whole_says_so() {
    let messages = vec![answer("big", usage(1_000_000, 0, 0)), answer("other", usage(5, 0, 5))];
    let stage = Stage { models: vec![priced()], messages: messages.clone(), ..Stage::on_paper() };
    let text = &stage.types(&["/status"]).infos[0];
    assert!(text.contains("cost      $2.00 for 1 of 2 calls; the rest has no price"), "{text}");
    let unpriced = Stage { messages, ..Stage::on_paper() };
    assert!(!unpriced.types(&["/status"]).infos[0].contains("cost"));
}

#[test]
fn figures_of_any_size_are_told() {
    let huge = usage(u64::MAX, u64::MAX, u64::MAX);
    let stage =
        Stage { models: vec![priced()], messages: vec![answer("big", huge)], ..Stage::on_paper() };
    assert!(stage.types(&["/status"]).outcomes[0].is_ok());
}
