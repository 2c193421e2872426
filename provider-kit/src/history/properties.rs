use super::tests::{TARGET, answer, call, result, text, user};
use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

/// Few ids, so that they meet often; some are such as the map itself makes.
fn id() -> impl Strategy<Value = String> {
    let made = IdMap::default().map("a.b", IdRule::Plain { max: 40 }).into_owned();
    prop_oneof![
        Just(String::new()),
        Just("a".to_owned()),
        Just("a.b".to_owned()),
        Just("a|b".to_owned()),
        Just(made),
        "[a-zA-Z0-9]{9}",
        "[a-z.:|-]{0,80}",
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let block = prop_oneof![
        "[ a\n]{0,3}".prop_map(|words| text(&words)),
        id().prop_map(|id| call(&id)),
        Just(AssistantBlock::Thinking(ThinkingContent::new("hm"))),
    ];
    prop_oneof![
        "[ a\n]{0,3}".prop_map(|words| user(&words)),
        proptest::collection::vec(block, 0..4).prop_map(answer),
        (id(), "[ a]{0,2}").prop_map(|(id, output)| result(&id, &output)),
    ]
}

fn target() -> impl Strategy<Value = Target<'static>> {
    let rule = prop_oneof![
        Just(IdRule::Any),
        Just(IdRule::Plain { max: 40 }),
        Just(IdRule::Exactly { length: 9 })
    ];
    (rule.clone(), rule).prop_map(|(own_ids, other_ids)| Target { own_ids, other_ids, ..TARGET })
}

proptest! {
    #[test]
    fn every_call_has_its_result_and_an_id_of_its_own(
        messages in proptest::collection::vec(message(), 0..12),
        target in target(),
    ) {
        let mut seen = HashSet::new();
        for turn in fit(&messages, &target) {
            match turn {
                Turn::User(texts) => {
                    prop_assert!(!texts.is_empty());
                    prop_assert!(texts.iter().all(|text| !text.trim().is_empty()));
                }
                Turn::Assistant(turn) => {
                    let mut ids = Vec::new();
                    prop_assert!(!turn.blocks.is_empty());
                    for block in &turn.blocks {
                        match block {
                            Block::Text(text) => prop_assert!(!text.trim().is_empty()),
                            Block::Thinking(_) => {}
                            Block::Call(call) => {
                                prop_assert!(target.own_ids.fits(&call.id));
                                prop_assert!(seen.insert(call.id.clone().into_owned()));
                                ids.push(call.id.clone());
                            }
                        }
                    }
                    let results: Vec<_> = turn.results.iter().map(|r| r.id.clone()).collect();
                    prop_assert_eq!(ids, results);
                    for result in &turn.results {
                        prop_assert!(!result.text().trim().is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn a_conversation_that_grows_keeps_its_beginning(
        messages in proptest::collection::vec(message(), 1..12),
        target in target(),
    ) {
        let whole = fit(&messages, &target);
        for end in 0..messages.len() {
            // Cut where a request would end: not between a call and its results.
            let answered = matches!(messages[end], Message::ToolResult(_));
            let last_is_user = end > 0 && matches!(messages[end - 1], Message::User(_));
            if answered || !last_is_user {
                continue;
            }
            let part = fit(&messages[..end], &target);
            let stray = messages[end..]
                .iter()
                .take_while(|m| !matches!(m, Message::Assistant(_)))
                .any(|m| matches!(m, Message::ToolResult(_)));
            // White space at the end is cut only where a request ends with the assistant.
            if !stray && !matches!(part.last(), Some(Turn::Assistant(_))) {
                prop_assert_eq!(&part[..], &whole[..part.len()]);
            }
        }
    }
}
