use super::*;
use proptest::prelude::*;

fn is_edit_command(name: &str) -> bool {
    defaults::edit_commands().any(|command| command == name)
}

fn load(text: &str) -> (Keymap, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keybindings.json");
    std::fs::write(&path, text).unwrap();
    let (keymap, problems) = Keymap::load(&path, &is_edit_command);
    let folder = format!("{}/", folder.path().display());
    (keymap, problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect())
}

/// A keymap of a file without mistakes.
fn good(text: &str) -> Keymap {
    let (keymap, problems) = load(text);
    assert_eq!(problems, Vec::<String>::new());
    keymap
}

fn find(keymap: &Keymap, context: Context, chord: &str) -> Found {
    keymap.lookup(context, &KeyName::parse_chord(chord).unwrap())
}

fn does(action: Action) -> Found {
    Found::Action(action)
}

fn edits(command: &str) -> Found {
    Found::Action(Action::Edit(command.to_owned()))
}

fn control<'a>(name: &'a str, key: &'a str, owner: &'a str) -> ControlKey<'a> {
    ControlKey { name, key: Some(key), owner }
}

fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}

#[test]
fn the_built_in_keys_hold_without_a_file() {
    let (keymap, problems) = Keymap::load(Path::new("/nowhere/keybindings.json"), &is_edit_command);
    assert!(problems.is_empty());
    for (context, chord, found) in [
        (Context::Main, "enter", does(Action::Submit)),
        (Context::Main, "ctrl-j", does(Action::NewLine)),
        (Context::Main, "ctrl-a", edits("cursor-line-start")),
        (Context::Main, "ctrl-x", Found::Prefix),
        (Context::Main, "ctrl-x ctrl-e", does(Action::ExternalEditor)),
        (Context::Main, "ctrl-x ctrl-q", Found::Nothing),
        (Context::Main, "ctrl-x ctrl-e ctrl-e", Found::Nothing),
        (Context::Main, "a", Found::Nothing),
        (Context::List, "enter", does(Action::Accept)),
        (Context::List, "ctrl-a", Found::Nothing),
        (Context::Page, "q", does(Action::Cancel)),
        (Context::Question, "q", Found::Nothing),
        (Context::Question, "ctrl-a", edits("cursor-line-start")),
    ] {
        assert_eq!(find(&keymap, context, chord), found, "{chord} in {context:?}");
    }
    assert_eq!(keymap.lookup(Context::Main, &[]), Found::Nothing);
    assert_eq!(keymap.keys_of(Context::Main, &Action::NewLine), ["ctrl-j", "shift-enter"]);
}

#[test]
fn a_key_is_bound_wherever_its_action_has_a_meaning() {
    let keymap = good(
        r#"{"C-g": "newline", "ctrl-x k": "cancel", "Ctrl+A": "kill-to-line-end",
            "j": "cancel", "f6": "control:todo list"}"#,
    );
    for context in [Context::Main, Context::Question] {
        assert_eq!(find(&keymap, context, "ctrl-g"), does(Action::NewLine));
        assert_eq!(find(&keymap, context, "ctrl-a"), edits("kill-to-line-end"));
        assert_eq!(find(&keymap, context, "j"), Found::Nothing);
    }
    for context in Context::ALL {
        assert_eq!(find(&keymap, context, "ctrl-x k"), does(Action::Cancel));
    }
    assert_eq!(find(&keymap, Context::List, "ctrl-g"), Found::Nothing);
    assert_eq!(find(&keymap, Context::Page, "j"), does(Action::Cancel));
    let todo = does(Action::Control("todo list".to_owned()));
    assert_eq!(find(&keymap, Context::Main, "f6"), todo);
}

#[test]
fn null_takes_a_keys_meaning_away() {
    let keymap =
        good(r#"{"ctrl-t": null, "ctrl-x ctrl-e": null, "page": {"q": null}, "f9": null}"#);
    assert_eq!(find(&keymap, Context::Main, "ctrl-t"), Found::Nothing);
    assert_eq!(find(&keymap, Context::Main, "ctrl-x"), Found::Nothing);
    assert_eq!(find(&keymap, Context::Page, "q"), Found::Nothing);
    assert_eq!(find(&keymap, Context::Page, "esc"), does(Action::Cancel));
}

#[test]
fn an_object_of_a_context_binds_there_alone() {
    let keymap = good(r#"{"list": {"ctrl-j": "list-down", "ctrl-l": "cancel"}}"#);
    assert_eq!(find(&keymap, Context::List, "ctrl-j"), does(Action::ListDown));
    assert_eq!(find(&keymap, Context::Main, "ctrl-j"), does(Action::NewLine));
    assert_eq!(find(&keymap, Context::Main, "ctrl-l"), does(Action::Redraw));
}

#[test]
fn what_means_nothing_is_told_and_the_rest_holds() {
    let (keymap, problems) = load(
        r#"{"ctrl-q": "sumbit", "ctrl-entr": "submit", "ctrl-b": "cursor-lefft", "f2": 3,
            "list": {"f2": "submit"}, "page": [], "a": "submit", "main": {"b": "scroll-up"},
            "ctrl-g": "submit", "C-g": "follow-up"}"#,
    );
    assert_eq!(
        problems,
        [
            "`ctrl-q`: there is no action `sumbit`; did you mean `submit`?",
            "`ctrl-entr`: there is no key `entr`; did you mean `enter`?",
            "`ctrl-b`: there is no action `cursor-lefft`; did you mean `cursor-left`?",
            "`f2`: it is neither an action's name nor null",
            "`list.f2`: `submit` has no meaning in `list`",
            "`page`: it is not an object of keys and actions",
            "`a`: this key writes a character where the action has a meaning",
            "`main.b`: this key writes a character where the action has a meaning",
            "`C-g`: `ctrl-g` is bound twice; the later one holds",
        ]
    );
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), does(Action::FollowUp));
    assert_eq!(find(&keymap, Context::Main, "ctrl-b"), edits("cursor-left"));
    assert_eq!(find(&keymap, Context::Main, "a"), Found::Nothing);
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_built_in_keys() {
    let (keymap, problems) = load("{\n  \"ctrl-g\": \"submit\",\n}");
    let [problem] = &problems[..] else { panic!("{problems:?}") };
    assert!(problem.starts_with("keybindings.json: "), "{problem}");
    assert!(problem.ends_with("line 3 column 1; the built-in keys hold"), "{problem}");
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), Found::Nothing);
    assert_eq!(find(&keymap, Context::Main, "enter"), does(Action::Submit));
    let (_, problems) = load("[]");
    assert!(problems[0].contains("it is not an object of keys and actions"), "{problems:?}");
    let folder = tempfile::tempdir().unwrap();
    let (_, problems) = Keymap::load(folder.path(), &is_edit_command);
    assert!(problems[0].text.starts_with("it is not a file"), "{problems:?}");
}

#[test]
fn a_key_that_begins_a_chord_and_does_something_is_told() {
    let (keymap, problems) = load(r#"{"ctrl-x": "submit"}"#);
    assert_eq!(
        problems,
        [
            "`ctrl-x ctrl-e`: `ctrl-x` is bound to `submit`; `external-editor` cannot be reached by it"
        ]
    );
    assert_eq!(find(&keymap, Context::Main, "ctrl-x"), does(Action::Submit));
    assert_eq!(find(&keymap, Context::Question, "ctrl-x"), Found::Nothing);

    let (keymap, problems) = load(r#"{"ctrl-t ctrl-t": "submit"}"#);
    let told =
        "`ctrl-t`: `ctrl-t ctrl-t` is bound to `submit`; `toggle-thinking` cannot be reached by it";
    assert_eq!(problems, [told]);
    assert_eq!(find(&keymap, Context::Main, "ctrl-t"), Found::Prefix);

    let (keymap, problems) = load(r#"{"f5 f5": "submit", "f5": "follow-up"}"#);
    assert_eq!(problems.len(), 1);
    assert_eq!(find(&keymap, Context::Main, "f5"), does(Action::FollowUp));

    good(r#"{"ctrl-x": "submit", "ctrl-x ctrl-e": null}"#);
    good(r#"{"ctrl-t": null, "ctrl-t ctrl-t": "submit"}"#);
}

#[test]
fn a_control_gets_its_key_where_it_is_free() {
    let controls = [control("todo", "C-g", "tasks"), control("two", "f5 f5", "tasks")];
    let (keymap, problems) = Keymap::built_in().with_controls(&controls);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), does(Action::Control("todo".to_owned())));
    assert_eq!(find(&keymap, Context::Main, "f5"), Found::Prefix);
    assert_eq!(find(&keymap, Context::Main, "f5 f5"), does(Action::Control("two".to_owned())));
    assert_eq!(find(&keymap, Context::List, "ctrl-g"), Found::Nothing);
    let (keymap, _) = keymap.with_controls(&[]);
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), Found::Nothing);
}

#[test]
fn a_control_whose_key_is_taken_is_told_with_both_owners() {
    let controls = [
        control("todo", "ctrl-t", "tasks"),
        control("one", "ctrl-g", "tasks"),
        control("two", "ctrl-g", "others"),
        control("chord", "ctrl-x", "others"),
        control("letter", "x", "others"),
        control("odd", "hyper-x", "others"),
        ControlKey { name: "keyless", key: None, owner: "others" },
    ];
    let (keymap, problems) = Keymap::built_in().with_controls(&controls);
    let hint = |name: &str| format!("; bind it as `control:{name}` in keybindings.json");
    assert_eq!(
        told(&problems),
        [
            "control `todo` of tasks: its key `ctrl-t` is that of `toggle-thinking` of fen (`ctrl-t`)"
                .to_owned()
                + &hint("todo"),
            "control `two` of others: its key `ctrl-g` is that of the control `one` of tasks"
                .to_owned()
                + &hint("two"),
            "control `chord` of others: its key `ctrl-x` is that of `external-editor` of fen \
             (`ctrl-x ctrl-e`)"
                .to_owned()
                + &hint("chord"),
            "control `letter` of others: its key `x` writes a character".to_owned()
                + &hint("letter"),
            "control `odd` of others: its key `hyper-x` is none: there is no modifier `hyper`"
                .to_owned()
                + &hint("odd"),
        ]
    );
    assert_eq!(find(&keymap, Context::Main, "ctrl-t"), does(Action::ToggleThinking));
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), does(Action::Control("one".to_owned())));
}

#[test]
fn what_the_users_file_says_of_a_key_is_no_problem_of_a_control() {
    let keymap = good(
        r#"{"ctrl-g": "submit", "ctrl-t": "control:todo", "f5": null, "f6": "control:moved"}"#,
    );
    let controls = [
        control("busy", "ctrl-g", "tasks"),
        control("todo", "ctrl-t", "tasks"),
        control("off", "f5", "tasks"),
        control("moved", "ctrl-o", "tasks"),
    ];
    let (keymap, problems) = keymap.with_controls(&controls);
    assert_eq!(told(&problems), Vec::<String>::new());
    assert_eq!(find(&keymap, Context::Main, "ctrl-g"), does(Action::Submit));
    assert_eq!(find(&keymap, Context::Main, "ctrl-t"), does(Action::Control("todo".to_owned())));
    assert_eq!(find(&keymap, Context::Main, "f5"), Found::Nothing);
}

#[test]
fn help_shows_all_keys_by_groups_and_what_is_wrong_with_them() {
    let (keymap, _) = load(r#"{"ctrl-x": "submit", "ctrl-g": "toggle-vi"}"#);
    let controls = [
        control("todo", "f5", "tasks"),
        control("lost", "ctrl-t", "tasks"),
        ControlKey { name: "keyless", key: None, owner: "tasks" },
    ];
    let (keymap, _) = keymap.with_controls(&controls);
    let rows = keymap.rows(&|action| match action {
        Action::Edit(name) => Some(format!("edits: {name}")),
        Action::Control(name) if name == "todo" => Some("Shows what is to do".to_owned()),
        _ => None,
    });
    assert!(rows.is_sorted_by_key(|row| row.group));
    let row = |key: &str, action: Action| {
        let found = rows.iter().find(|row| row.key == key && row.action == action);
        found.unwrap_or_else(|| panic!("no row for {key}"))
    };
    let suspend = row("ctrl-z", Action::Suspend);
    assert_eq!((suspend.contexts.len(), suspend.is_users), (4, false));
    assert!(row("ctrl-g", Action::ToggleVi).is_users);
    let lost: Vec<&Row> = rows.iter().filter(|row| row.key == "ctrl-x ctrl-e").collect();
    assert_eq!(lost.iter().map(|row| &row.contexts[..]).collect::<Vec<_>>(), [&[Context::Main]]);
    assert_eq!(lost[0].problem.as_deref(), Some("`ctrl-x` is bound to `submit`"));
    assert_eq!(
        row("ctrl-a", Action::Edit("cursor-line-start".to_owned())).description,
        "edits: cursor-line-start"
    );
    assert_eq!(rows.iter().filter(|row| row.problem.is_some()).count(), 2);
    assert_eq!(row("f5", Action::Control("todo".to_owned())).description, "Shows what is to do");
    let taken = row("ctrl-t", Action::Control("lost".to_owned()));
    assert!(taken.problem.as_ref().unwrap().contains("toggle-thinking"));
    assert_eq!(row("", Action::Control("keyless".to_owned())).description, "control:keyless");
    for action in Action::ALL {
        assert!(rows.iter().any(|row| row.action == *action), "{action}");
    }
    assert_eq!(rows.first().unwrap().group.title(), "Conversation");
}

fn some_key() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["ctrl-x", "ctrl-t", "f5", "enter", "a", "ctrl-e"])
        .prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn every_key_of_help_does_what_help_says(
        entries in proptest::collection::vec(
            (
                proptest::collection::vec(some_key(), 1..4),
                proptest::sample::select(vec![None, Some("submit"), Some("scroll-up"), Some("yank")]),
            ),
            0..8,
        ),
        keys in proptest::collection::vec(some_key(), 0..4),
    ) {
        let file: serde_json::Map<String, serde_json::Value> =
            entries.into_iter().map(|(keys, action)| (keys.join(" "), action.into())).collect();
        let (keymap, _) = load(&serde_json::Value::from(file).to_string());
        let names: Vec<String> = (0..keys.len()).map(|at| format!("control {at}")).collect();
        let controls: Vec<ControlKey<'_>> =
            keys.iter().zip(&names).map(|(key, name)| control(name, key, "owner")).collect();
        let (keymap, _) = keymap.with_controls(&controls);
        for row in keymap.rows(&|_| None) {
            if row.problem.is_some() || row.key.is_empty() {
                continue;
            }
            let keys = KeyName::parse_chord(&row.key).unwrap();
            for context in row.contexts {
                prop_assert_eq!(keymap.lookup(context, &keys), Found::Action(row.action.clone()));
                for end in 1..keys.len() {
                    prop_assert_eq!(keymap.lookup(context, &keys[..end]), Found::Prefix);
                }
            }
        }
    }

    #[test]
    fn any_file_is_read_or_told(text: String) {
        let _ = load(&text);
    }
}
