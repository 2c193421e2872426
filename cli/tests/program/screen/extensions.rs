//! Extensions on the screen, and a person who answers them by keys; in both languages.

use super::{SIZE, leave};
use crate::reload::command;
use crate::support::{Place, Screen, key, load};
use serde_json::{Value, json};
use std::path::Path;

/// A conversation with one of the examples.
fn example(place: &Place, path: &str, turns: Value) -> Screen {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path);
    let path = path.canonicalize().unwrap();
    let fen = place.mocked(turns, ["--no-extensions", "--extension", path.to_str().unwrap()]);
    let screen = Screen::open(&fen, SIZE);
    screen.wait_for("Type a prompt.");
    screen
}

#[test]
fn the_clock_stands_in_the_row_of_status() {
    let place = Place::new();
    for path in ["status/clock.lua", "status/clock.fnl"] {
        let screen = example(&place, path, json!([]));
        screen.wait("the time of day", |screen| {
            let text = screen.contents();
            let row = text.lines().next().unwrap_or_default().trim_end();
            let time = row.rsplit(' ').next().unwrap_or_default().as_bytes();
            matches!(time, [a, b, b':', c, d] if [a, b, c, d].iter().all(|c| c.is_ascii_digit()))
        });
        leave(screen);
    }
}

#[test]
fn the_list_is_a_panel_while_there_is_something_to_do() {
    for path in ["panel/todo", "panel/todo-fennel"] {
        let place = Place::new();
        let call =
            |arguments: Value| json!({"tool-calls": [{"name": "todo", "arguments": arguments}]});
        let turns = json!([
            call(json!({"action": "add", "text": "wash up"})),
            {"text": "noted"},
            call(json!({"action": "done", "item": 1})),
            {"text": "ticked off"},
        ]);
        let mut screen = example(&place, path, turns);
        screen.enter("begin");
        screen.wait_for("noted");
        screen.wait_for("[ ] wash up");
        screen.wait_idle();
        screen.enter("go on");
        screen.wait_for("ticked off");
        screen.wait("the panel to go", |screen| {
            let text = screen.contents();
            !text.contains("[ ] wash up") && !text.contains("To do")
        });
        leave(screen);
    }
}

#[test]
fn a_control_is_pressed_by_its_key() {
    for path in ["control/go_on.lua", "control/go_on.fnl"] {
        let place = Place::new();
        let mut screen = example(&place, path, json!([{"text": "going on"}]));
        screen.type_keys(key::CTRL_G);
        screen.wait_for("going on");
        screen.wait_for("› Go on.");
        leave(screen);
        assert_eq!(load(&place.session())[0]["content"], "Go on.");
    }
}

#[test]
fn a_command_is_completed_and_run() {
    for path in ["command/bookmark.lua", "command/bookmark.fnl"] {
        let place = Place::new();
        let mut screen = example(&place, path, json!([{"text": "an answer to keep"}]));
        screen.enter("a prompt");
        screen.wait_for("an answer to keep");
        screen.wait_idle();
        screen.type_keys("/bookm");
        screen.wait_for("Remember a place of the conversation");
        screen.type_keys("\t");
        screen.wait_for("› /bookmark ");
        screen.wait_for("remember the last message");
        screen.type_keys("add here");
        screen.wait_for("› /bookmark add here");
        screen.type_keys(key::ENTER);
        screen.wait_for("bookmark here is at message 2");
        screen.enter("/bookmark show here");
        screen.wait_for("here, message 2: an answer to keep");
        screen.enter("/bookmark wrong");
        screen.wait_for("`wrong` is none of add NAME");
        leave(screen);
    }
}

const ASKING_LUA: &str = r#"return function(api)
  api.register("command", {
    name = "order", description = "Order a meal",
    handler = function()
      local name = api.ui.prompt({ text = "Your name?", initial = "Bo" })
      local secret = api.ui.prompt({ text = "The secret?", secret = true })
      local meal, action = api.ui.select({
        title = "Which meal?",
        choices = { "soup", { label = "Bread", value = "bread", detail = "fresh" }, "rice" },
        actions = { { key = "ctrl-r", name = "double", label = "twice of it" } },
      })
      api.ui.notify("served")
      api.emit({ type = "info", info = ("%s %s %s %s"):format(name, secret, meal, action) })
    end,
  })
end"#;

const ASKING_FENNEL: &str = r#"(fn [api]
  (fn handler []
    (let [name (api.ui.prompt {:text "Your name?" :initial "Bo"})
          secret (api.ui.prompt {:text "The secret?" :secret true})
          (meal action) (api.ui.select
                          {:title "Which meal?"
                           :choices [:soup {:label "Bread" :value :bread :detail "fresh"} :rice]
                           :actions [{:key :ctrl-r :name :double :label "twice of it"}]})]
      (api.ui.notify "served")
      (api.emit {:type :info
                 :info (: "%s %s %s %s" :format name secret meal action)})))
  (api.register :command {:name :order :description "Order a meal" : handler}))"#;

fn asking(place: &Place, file: &str, source: &str) -> Screen {
    place.configure(&format!("extensions/{file}"), source);
    let screen = Screen::open(&place.mocked(json!([]), [""; 0]), SIZE);
    screen.wait_for("Type a prompt.");
    screen
}

#[test]
fn questions_offers_and_remarks_are_shown_and_answered_by_keys() {
    for (file, source) in [("order.lua", ASKING_LUA), ("order.fnl", ASKING_FENNEL)] {
        let place = Place::new();
        let mut screen = asking(&place, file, source);
        screen.enter("/order");
        screen.wait_for("Your name?");
        screen.wait_for("Bo");
        screen.type_keys("bby");
        screen.wait_for("Bobby");
        screen.type_keys(key::ENTER);
        screen.wait_for("The secret?");
        screen.type_keys("hush");
        screen.wait_for("••••");
        assert!(!screen.text().contains("hush"), "{}", screen.text());
        screen.type_keys(key::ENTER);
        screen.wait_for("Which meal?");
        for words in ["soup", "Bread", "fresh", "rice", "twice of it"] {
            screen.wait_for(words);
        }
        screen.type_keys(key::DOWN);
        screen.type_keys(key::ENTER);
        screen.wait_for("served");
        screen.wait_for("Bobby hush bread nil");
        // The other way to choose, after narrowing.
        screen.enter("/order");
        screen.wait_for("Your name?");
        screen.type_keys(key::ENTER);
        screen.wait_for("The secret?");
        screen.type_keys(key::ENTER);
        screen.wait_for("Which meal?");
        screen.type_keys("ri");
        screen.wait_gone("soup");
        screen.type_keys("\x12");
        screen.wait_for("Bo  rice double");
        leave(screen);
    }
}

#[test]
fn esc_declines_and_the_extension_hears_nothing() {
    for (file, source) in [("order.lua", ASKING_LUA), ("order.fnl", ASKING_FENNEL)] {
        let place = Place::new();
        let mut screen = asking(&place, file, source);
        screen.enter("/order");
        for question in ["Your name?", "The secret?", "Which meal?"] {
            screen.wait_for(question);
            screen.type_keys(key::ESC);
            screen.wait_gone(question);
        }
        screen.wait_for("nil nil nil nil");
        leave(screen);
    }
}

#[test]
fn a_projects_extension_is_asked_about_before_there_is_a_screen() {
    for (answer, told) in [("o", "it runs 1."), ("n", "there is no command /words")] {
        let place = Place::new();
        place.write(".fen/extensions/words.lua", &command("words", "it runs"));
        let mut screen = Screen::open(&place.mocked(json!([]), [""; 0]), SIZE);
        screen.wait_for("Run it? [y]es and remember, [o]nce, [N]o: ");
        assert!(!screen.written().contains('\x1b'), "{}", screen.written());
        assert!(screen.is_cooked());
        screen.type_keys(&format!("{answer}\r"));
        screen.wait_for("Type a prompt.");
        screen.enter("/words");
        screen.wait_for(told);
        leave(screen);
    }
}

#[test]
fn code_that_a_model_wants_loaded_is_asked_about_on_the_screen() {
    let place = Place::new();
    place.configure("extensions/hi.lua", &command("hi", "first"));
    let turns = json!([
        {"tool-calls": [{"name": "reload", "arguments": {}}]},
        {"text": "asked for it"},
    ]);
    let mut screen = Screen::open(&place.mocked(turns, [""; 0]), SIZE);
    screen.wait_for("Type a prompt.");
    place.configure("extensions/hi.lua", &command("hi", "second"));
    screen.enter("go");
    screen.wait_for("There is the extension `hi`, which is new here.");
    screen.type_keys(key::ESC);
    screen.wait_for("not trusted: hi");
    screen.wait_gone("There is the extension `hi`");
    screen.enter("/hi");
    screen.wait_for("first 1.");
    leave(screen);
}
