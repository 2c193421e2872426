use super::tests::{Record, origin};
use super::*;
use fen_contract::types::AssistantBlock;
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Step {
    Text(String),
    Thinking(String),
    Tool(u64, Option<String>, Option<String>, String),
    EndTool(u64),
    EndOpen,
}

fn step() -> impl Strategy<Value = Step> {
    let piece = || "[a-z{}\":0-9 ]{0,4}";
    let id = proptest::option::of("[a-c]{0,1}");
    let name = proptest::option::of("[f-h]{0,2}");
    prop_oneof![
        piece().prop_map(Step::Text),
        piece().prop_map(Step::Thinking),
        (0_u64..3, id, name, prop_oneof![piece().prop_map(|p| p), Just("{}".to_owned())])
            .prop_map(|(key, id, name, piece)| Step::Tool(key, id, name, piece)),
        (0_u64..3).prop_map(Step::EndTool),
        Just(Step::EndOpen),
    ]
}

#[derive(Debug, Clone, Copy)]
enum End {
    Finish,
    Abort,
}

/// One block as the events tell it.
#[derive(Debug, Default)]
struct Told {
    pieces: String,
    ended: Option<AssistantBlock>,
}

/// What the events of a stream add up to, with their order checked.
fn replay(events: &[Event]) -> Result<Vec<Told>, TestCaseError> {
    let mut blocks: Vec<Told> = Vec::new();
    let mut events = events.iter();
    if let Some(first) = events.next() {
        prop_assert_eq!(first.name(), "start");
    }
    for event in events {
        let value = serde_json::to_value(event).unwrap();
        let Some(index) = value["content-index"].as_u64() else {
            prop_assert_eq!(event.name(), "done");
            continue;
        };
        if event.name().ends_with("-start") {
            blocks.push(Told::default());
            prop_assert_eq!(index, blocks.len() as u64);
        }
        let block = &mut blocks[index as usize - 1];
        prop_assert!(block.ended.is_none(), "an event after the end of its block");
        match event {
            Event::TextEnd(end) => {
                block.ended = Some(AssistantBlock::Text(TextContent::new(end.content.clone())));
            }
            Event::ThinkingEnd(end) => {
                let thought = ThinkingContent::new(end.content.clone());
                block.ended = Some(AssistantBlock::Thinking(thought));
            }
            Event::ToolCallEnd(end) => {
                block.ended = Some(AssistantBlock::ToolCall(end.tool_call.clone()));
            }
            _ => block.pieces.push_str(value["delta"].as_str().unwrap_or_default()),
        }
    }
    Ok(blocks)
}

proptest! {
    #[test]
    fn the_events_add_up_to_the_message(
        steps in proptest::collection::vec(step(), 0..24),
        end in prop_oneof![Just(End::Finish), Just(End::Abort)],
    ) {
        let sink = Record::default();
        let mut answer = Assembler::new(&sink, origin());
        for step in &steps {
            match step {
                Step::Text(piece) => answer.text(piece),
                Step::Thinking(piece) => answer.thinking(piece),
                Step::Tool(key, id, name, piece) => {
                    answer.tool_delta(*key, id.as_deref(), name.as_deref(), piece);
                }
                Step::EndTool(key) => answer.end_tool(*key),
                Step::EndOpen => answer.end_open(),
            }
        }
        let message = match end {
            End::Finish => answer.finish(StopReason::Stop),
            End::Abort => answer.abort(),
        };
        let told = replay(&sink.events())?;
        for block in &told {
            match &block.ended {
                Some(AssistantBlock::Text(text)) => prop_assert_eq!(&text.text, &block.pieces),
                Some(AssistantBlock::Thinking(t)) => prop_assert_eq!(&t.thinking, &block.pieces),
                Some(AssistantBlock::ToolCall(call)) if call.invalid.is_none() => {
                    let (arguments, _) = read_arguments(&block.pieces);
                    prop_assert_eq!(&call.arguments, &arguments);
                }
                Some(AssistantBlock::ToolCall(_)) | None => {}
            }
        }
        let ended: Vec<_> = told.into_iter().filter_map(|block| block.ended).collect();
        prop_assert_eq!(&ended, &message.content);
        let ids: HashSet<_> = message.tool_calls().map(|call| call.id.clone()).collect();
        prop_assert_eq!(ids.len(), message.tool_calls().count());
    }
}
