//! What the provider is given: the system prompt, the messages and the tools.

use crate::support::{Answer, ScriptedTool, World, call, extension, shape};
use fen_contract::api::{FragmentText, PromptFragment};
use fen_contract::failure::Failure;
use fen_contract::kinds::Exposure;
use fen_contract::types::ErrorKind;
use serde_json::json;

fn fragment(
    id: &str,
    order: f64,
    text: impl Fn() -> Result<Option<String>, Failure> + Send + Sync + 'static,
) -> PromptFragment {
    PromptFragment { id: id.to_owned(), title: None, order, text: FragmentText::made(text) }
}

fn words(id: &str, order: f64) -> PromptFragment {
    let text = format!("{id}.");
    fragment(id, order, move || Ok(Some(text.clone())))
}

#[tokio::test]
async fn fragments_stand_by_order_then_id_whatever_was_loaded_first() {
    let mut prompts = Vec::new();
    for owners in [["x", "y"], ["y", "x"]] {
        let world = World::answering([]);
        for owner in owners {
            world.load(extension(owner, move |api| {
                api.prompt(words(&format!("{owner}-late"), 900.0));
                api.prompt(words(&format!("{owner}-b"), 10.0));
                api.prompt(words(&format!("{owner}-a"), 10.0));
                let named = format!("of {owner}");
                api.prompt(fragment("same", 20.0, move || Ok(Some(named.clone()))));
                Ok(())
            }));
        }
        prompts.push(world.kernel.system_prompt().await.unwrap());
    }
    assert_eq!(&*prompts[0], "x-a.\n\nx-b.\n\ny-a.\n\ny-b.\n\nof x\n\nof y\n\nx-late.\n\ny-late.");
    assert_eq!(prompts[0], prompts[1]);
}

#[tokio::test]
async fn a_fragment_has_its_title_replaces_its_namesake_and_may_be_empty() {
    let world = World::answering([]);
    let api = world.api_of("x");
    api.prompt(words("old", 1.0));
    api.prompt(fragment("old", 1.0, || Ok(Some("new\n".to_owned()))));
    api.prompt(PromptFragment { title: Some("Title".to_owned()), ..words("titled", 2.0) });
    api.prompt(fragment("none", 3.0, || Ok(None)));
    api.prompt(fragment("blank", 4.0, || Ok(Some(" \n".to_owned()))));
    assert_eq!(&*world.kernel.system_prompt().await.unwrap(), "new\n\n# Title\ntitled.");
}

#[tokio::test(start_paused = true)]
async fn a_failing_fragment_leaves_a_note_and_names_its_extension() {
    let world = World::answering([Answer::text("hello")]);
    let api = world.api_of("x");
    api.prompt(words("good", 1.0));
    api.prompt(fragment("bad", 2.0, || Err(Failure::new("no git"))));
    api.prompt(fragment("worse", 3.0, || panic!("no brain")));
    world.prompt("hi").await;
    let prompt = world.provider.asked()[0].system_prompt.clone().unwrap();
    assert!(prompt.starts_with("good.") && prompt.contains("`bad`") && prompt.contains("`worse`"));
    let errors = world.record.of("extension-error");
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error["owner"] == "x" && error["event"] == "prompt"));
    assert_eq!(errors[0]["error"], "no git");
}

#[tokio::test(start_paused = true)]
async fn two_requests_carry_the_same_prompt_and_the_same_tools_in_order_of_registration() {
    let world =
        World::answering([Answer::calls([call("1", "zeta", json!({}))]), Answer::text("done")])
            .with_tool(ScriptedTool::echo("zeta"))
            .with_tool(ScriptedTool::echo("alpha"));
    world.api_of("x").prompt(words("w", 1.0));
    world.prompt("hi").await;
    let asked = world.provider.asked();
    assert_eq!(asked[0].tools, ["zeta", "alpha"]);
    assert_eq!(asked[0].tools, asked[1].tools);
    assert_eq!(asked[0].system_prompt, asked[1].system_prompt);
}

#[tokio::test(start_paused = true)]
async fn each_request_begins_with_the_messages_of_the_one_before() {
    let world = World::answering([
        Answer::calls([call("1", "echo", json!({}))]),
        Answer::text("one"),
        Answer::text("two"),
    ])
    .with_tool(ScriptedTool::echo("echo"));
    world
        .run(|stage| async move {
            stage.say("a").await;
            stage.say("b").await;
        })
        .await;
    let asked = world.provider.asked();
    for pair in asked.windows(2) {
        let (before, after) = (&pair[0].messages, &pair[1].messages);
        assert!(before.len() < after.len());
        assert_eq!(before[..], after[..before.len()]);
    }
    assert_eq!(shape(&asked[2].messages), "u:a a(1) r(1) a:one u:b");
}

#[tokio::test(start_paused = true)]
async fn failed_turns_are_left_out_and_aborted_text_is_kept() {
    let world = World::answering([
        Answer::failed(ErrorKind::Auth, "no").and_text("par"),
        Answer::text("half").streamed().until_cancelled(),
        Answer::text("whole"),
    ]);
    world
        .run(|stage| async move {
            stage.say("a").await;
            stage.submit("b");
            stage.until("text-end").await;
            stage.conversation.cancel();
            stage.until("agent-turn-complete").await;
            stage.say("c").await;
        })
        .await;
    assert_eq!(shape(&world.provider.asked()[2].messages), "u:a u:b a:half~ u:c");
    assert_eq!(shape(&world.sessions.messages("s1")), "u:a a:par! u:b a:half~ u:c a:whole");
}

#[tokio::test(start_paused = true)]
async fn a_tool_on_offer_has_its_line_in_the_prompt_before_the_facts_that_change() {
    let world = World::answering([Answer::text("hello")]);
    let api = world.api_of("x");
    api.prompt(words("first", 1.0));
    api.prompt(words("date", 900.0));
    for (name, exposure) in [("on-offer", Exposure::Always), ("hidden", Exposure::Search)] {
        let mut spec = ScriptedTool::echo(name).spec();
        spec.snippet = Some(format!("Use `{name}` for names.\n"));
        spec.exposure = Some(exposure);
        api.register(spec.into()).unwrap();
    }
    world.prompt("hi").await;
    let prompt = world.provider.asked()[0].system_prompt.clone().unwrap();
    assert_eq!(&*prompt, "first.\n\n# Tools\n- Use `on-offer` for names.\n\ndate.");
}
