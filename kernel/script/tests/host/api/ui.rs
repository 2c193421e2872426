//! `ui`, with a person and without.

use crate::doubles::Person;
use crate::kit::World;
use serde_json::json;
use std::sync::Arc;

const ASKS: &str = r#"
  api.register("command", { name = "ask", handler = function()
    seen.has = api.ui["has-ui?"]()
    api.ui.notify("careful", { style = "warning" })
    seen.prompt = api.ui.prompt({ text = "Name?", initial = "Bo", ["secret?"] = true }) or "nothing"
    seen.select = api.ui.select({ choices = { "one", { label = "Two", value = 2 } }, initial_query = "t", title = "Which?" }) or "nothing"
  end })
"#;

async fn ask(world: &World) {
    world.watches("asker", ASKS).await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/ask".to_owned()).await.unwrap();
        })
        .await;
}

#[tokio::test]
async fn with_a_ui_the_person_hears_and_answers() {
    let world = World::new();
    let person = Arc::new(Person::default());
    *world.person.lock().unwrap() = Some(person.clone());
    ask(&world).await;
    assert_eq!(
        world.seen("asker").await,
        json!({"has": true, "prompt": "an answer", "select": 2}),
        "{:?}",
        world.errors()
    );
    assert_eq!(
        *person.heard.lock().unwrap(),
        [
            json!({"notify": "careful"}),
            json!({"prompt": "Name?", "initial": "Bo", "secret": true}),
            json!({"select": "Which?", "labels": ["one", "Two"], "initial-query": "t"}),
        ]
    );
    assert_eq!(*world.terminal.notes.lock().unwrap(), [""; 0]);
}

#[tokio::test]
async fn an_offer_has_a_detail_and_an_action_gives_its_name_too() {
    let world = World::new();
    let person = Arc::new(Person::default());
    *world.person.lock().unwrap() = Some(person.clone());
    let asks = r#"
      api.register("command", { name = "ask", handler = function()
        seen.acted = { api.ui.select({ title = "Which?",
          choices = { "one", { label = "Two", value = 2, detail = "the second" } },
          actions = { { key = "ctrl-r", name = "rename", label = "Rename" }, { key = "ctrl-d", name = "delete" } } }) }
        seen.plain = { api.ui.select({ choices = { "x" } }) }
        seen.wrong = { pcall(api.ui.select, { choices = { "x" }, actions = { { key = "a" } } }) }
        seen.wrong[2] = tostring(seen.wrong[2])
      end })
    "#;
    world.watches("asker", asks).await;
    world
        .run(|context| async move {
            context.conversation.dispatch("/ask".to_owned()).await.unwrap();
        })
        .await;
    let seen = world.seen("asker").await;
    assert_eq!(seen["acted"], json!([2, "delete"]), "{:?}", world.errors());
    assert_eq!(seen["plain"], json!(["x"]));
    assert_eq!(seen["wrong"][0], false);
    assert!(seen["wrong"][1].as_str().unwrap().contains("name"), "{seen}");
    let heard = person.heard.lock().unwrap();
    assert_eq!(heard[0], json!({"details": [null, "the second"]}));
    assert_eq!(heard[1], json!({"key": "ctrl-d", "name": "delete", "label": "delete"}));
}

#[tokio::test]
async fn without_a_ui_remarks_go_to_the_console_and_questions_give_nothing_and_say_so_there() {
    let world = World::new();
    ask(&world).await;
    assert_eq!(
        world.seen("asker").await,
        json!({"has": false, "prompt": "nothing", "select": "nothing"})
    );
    let notes = world.terminal.notes.lock().unwrap();
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert_eq!(notes[0], "asker: careful");
    assert!(notes[1].contains("asker") && notes[1].contains("Name?"), "{notes:?}");
    assert!(notes[2].contains("asker") && notes[2].contains("Which?"), "{notes:?}");
}

#[tokio::test]
async fn a_question_of_the_wrong_form_raises() {
    let world = World::new();
    world
        .watches(
            "asker",
            r#"seen.prompt = { pcall(api.ui.prompt, 7) }
               seen.select = { pcall(api.ui.select, {}) }
               seen.prompt[2], seen.select[2] = tostring(seen.prompt[2]), tostring(seen.select[2])"#,
        )
        .await;
    let seen = world.seen("asker").await;
    assert_eq!((&seen["prompt"][0], &seen["select"][0]), (&json!(false), &json!(false)));
    assert!(seen["select"][1].as_str().unwrap().contains("choices"), "{seen}");
}
