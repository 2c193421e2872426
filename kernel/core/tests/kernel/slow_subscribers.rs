//! Subscribers that do not keep up.

use crate::support::World;
use fen_contract::api::RegistrationId;
use fen_contract::events::{self, Event};
use fen_contract::names::Count;
use fen_contract::record::Extra;
use fen_core::bus::{Bus, QUEUE_LIMIT, Subscription};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn delta(index: u64, text: &str) -> Event {
    events::TextDelta { content_index: Count(index), delta: text.into(), extra: Extra::new() }
        .into()
}

fn mirror(text: &str) -> Event {
    events::AssistantTextDelta { delta: text.into(), extra: Extra::new() }.into()
}

fn arguments(index: u64, text: &str) -> Event {
    events::ToolCallDelta { content_index: Count(index), delta: text.into(), extra: Extra::new() }
        .into()
}

fn info(text: &str) -> Event {
    Event::Info(events::Info { info: Some(text.to_owned()), text: None, extra: Extra::new() })
}

/// All that waits, in short.
async fn rest(subscription: &Subscription) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(event) = subscription.next().await {
        told.push(match &*event {
            Event::TextDelta(delta) => format!("t{}:{}", delta.content_index, delta.delta),
            Event::AssistantTextDelta(delta) => format!("m:{}", delta.delta),
            Event::ToolCallDelta(delta) => format!("c{}:{}", delta.content_index, delta.delta),
            Event::Info(info) => format!("i:{}", info.info.clone().unwrap_or_default()),
            other => other.name().to_owned(),
        });
    }
    told
}

#[tokio::test]
async fn a_subscriber_that_keeps_up_gets_each_delta_as_it_came() {
    let bus = Bus::default();
    let quick = bus.subscribe("quick".into());
    for text in ["a", "b", "c"] {
        bus.emit(delta(1, text));
    }
    bus.close();
    assert_eq!(rest(&quick).await, ["t1:a", "t1:b", "t1:c"]);
}

#[tokio::test]
async fn deltas_of_one_block_are_merged_for_a_slow_subscriber_and_nothing_is_lost() {
    let bus = Bus::default();
    let slow = bus.subscribe("slow".into());
    let mut text = String::new();
    for number in 0..2000 {
        let piece = format!("{number},");
        text.push_str(&piece);
        bus.emit(delta(1, &piece));
        bus.emit(mirror(&piece));
    }
    bus.close();
    let told = rest(&slow).await;
    assert!(told.len() < 100, "{}", told.len());
    for mark in ["t1:", "m:"] {
        let joined: String = told.iter().filter_map(|event| event.strip_prefix(mark)).collect();
        assert_eq!(joined, text);
    }
}

#[tokio::test]
async fn nothing_else_is_merged_dropped_or_reordered() {
    let bus = Bus::default();
    let slow = bus.subscribe("slow".into());
    for number in 0..100 {
        bus.emit(info(&number.to_string()));
    }
    let stream = [
        delta(1, "a"),
        delta(1, "b"),
        delta(2, "c"),
        info("x"),
        delta(2, "d"),
        arguments(3, "{"),
        arguments(3, "}"),
        arguments(4, "["),
        mirror("e"),
        delta(1, "f"),
    ];
    for event in stream {
        bus.emit(event);
    }
    bus.close();
    let told = rest(&slow).await;
    let numbers: Vec<String> = (0..100).map(|number| format!("i:{number}")).collect();
    assert_eq!(told[..100], numbers);
    assert_eq!(told[100..], ["t1:ab", "t2:c", "i:x", "t2:d", "c3:{}", "c4:[", "m:e", "t1:f"]);
}

#[tokio::test]
async fn merging_for_one_subscriber_leaves_the_others_alone() {
    let bus = Bus::default();
    let (one, two) = (bus.subscribe("one".into()), bus.subscribe("two".into()));
    for _ in 0..80 {
        bus.emit(info("x"));
    }
    for _ in 0..80 {
        two.next().await.unwrap();
    }
    bus.emit(delta(1, "a"));
    bus.emit(delta(1, "b"));
    bus.close();
    assert_eq!(rest(&one).await[80..], ["t1:ab"]);
    assert_eq!(rest(&two).await, ["t1:a", "t1:b"]);
}

#[tokio::test]
async fn a_subscriber_at_its_bound_is_cut_off_and_its_owner_is_named() {
    for last in [
        info("x"),
        events::ExtensionError { error: "x".into(), event: None, owner: None, extra: Extra::new() }
            .into(),
    ] {
        let bus = Bus::default();
        let errors = Arc::new(Mutex::new(Vec::new()));
        let note = errors.clone();
        bus.on(
            RegistrationId(1),
            "watcher".into(),
            "extension-error",
            Arc::new(move |event| {
                if let Event::ExtensionError(error) = &**event
                    && let Some(owner) = &error.owner
                {
                    note.lock().unwrap().push((owner.to_string(), error.error.clone()));
                }
                Ok(())
            }),
        );
        let stuck = bus.subscribe("stuck".into());
        let quick = bus.subscribe("quick".into());
        for _ in 0..QUEUE_LIMIT {
            bus.emit(info("x"));
            quick.next().await.unwrap();
        }
        assert!(errors.lock().unwrap().is_empty());
        bus.emit(last);
        bus.emit(info("y"));
        let errors = errors.lock().unwrap().clone();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].0, "stuck");
        assert!(errors[0].1.contains(&QUEUE_LIMIT.to_string()), "{errors:?}");
        assert_eq!(rest(&stuck).await.len(), QUEUE_LIMIT, "what it had is still its");
        bus.close();
        assert_eq!(rest(&quick).await.len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_producer_that_asks_is_held_back_until_the_subscriber_has_room() {
    let bus = Arc::new(Bus::default());
    let slow = bus.subscribe("slow".into());
    bus.ready().await;
    for _ in 0..QUEUE_LIMIT - 1 {
        bus.emit(info("x"));
    }
    let start = tokio::time::Instant::now();
    let reading = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for _ in 0..QUEUE_LIMIT {
            if slow.next().await.is_none() {
                break;
            }
        }
    };
    tokio::select! {
        () = bus.ready() => {}
        () = reading => panic!("the producer was not let go"),
    }
    assert_eq!(start.elapsed(), Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_producer_is_not_held_back_for_ever() {
    let bus = Bus::default();
    let _stuck = bus.subscribe("stuck".into());
    for _ in 0..QUEUE_LIMIT - 1 {
        bus.emit(info("x"));
    }
    let start = tokio::time::Instant::now();
    bus.ready().await;
    assert_eq!(start.elapsed(), Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_subscription_holds_nobody_back() {
    let world = World::answering([]);
    let subscription = world.kernel.subscribe("gone".into());
    let api = world.api_of("x");
    drop(subscription);
    for _ in 0..QUEUE_LIMIT + 10 {
        api.emit(info("x")).unwrap();
    }
    assert!(world.record.of("extension-error").is_empty());
}
