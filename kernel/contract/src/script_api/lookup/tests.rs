use super::*;
use crate::doc::{Section, entries};

fn look(name: &str) -> String {
    page(Some(name)).unwrap()
}

fn miss(name: &str) -> String {
    page(Some(name)).unwrap_err().message
}

/// All pages with the names that they are asked for by.
fn all_pages() -> Vec<(String, String)> {
    let groups = GROUPS.iter().map(|group| group.name.to_owned());
    let paths = members().map(|(group, member)| full_name(group, member));
    let types = Named::all().map(|named| named.name().to_owned());
    let names = groups.chain(paths).chain(types).chain([VALUES.to_owned()]);
    names.map(|name| (name.clone(), look(&name))).collect()
}

#[test]
fn a_group_shows_each_call_with_signature_capability_and_meaning() {
    let turn = "turn  (api)

The conversation's turns.

api.turn.submit(ctx: table?, text: string,
    options?: fen.SubmitOptions): fen.Submitted
  Begins a turn with a text. `when-busy` says what becomes of it
  while another is under way. The context that a callback got comes
  first and may be nil. Exactly: `submit!`.

api.turn.cancel(): boolean
  Cancels the turn. Gives false if there was none. Exactly:
  `cancel!`.

api.turn.busy(): boolean
  Whether a turn is under way. Exactly: `busy?`.
";
    assert_eq!(look("turn"), turn);
    for group in GROUPS.iter().filter(|group| !group.name.is_empty()) {
        let page = look(group.name);
        for member in group.members {
            let name = member.alias().unwrap_or_else(|| member.name.to_owned());
            assert!(page.contains(&format!("\n{}.{name}", group.path())), "{page}");
            let meaning = member.summary.split(' ').next().unwrap();
            assert!(page.contains(&format!("\n  {meaning}")), "{page}");
        }
        if let Some(capability) = group.capability {
            assert!(page.contains(&format!("capability `{capability}`")), "{page}");
        }
    }
}

#[test]
fn a_call_shows_all_that_it_takes_and_gives() {
    let page = look("process.run");
    for part in [
        "process.run  (api)\n",
        "api.process.run(argv: string[], options?: fen.RunOptions):\n    fen.ProcessResult\n",
        "capability `process`",
        "\nfen.RunOptions\n",
        "\nfen.SpawnOptions\n",
        "\nfen.ProcessEnd\n",
        "\nfen.Outcome\n",
        "It has the fields of fen.Outcome as well.",
        "truncated (truncated?): boolean, optional",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let page = look("list");
    assert!(page.contains("\"session-backends\", "), "{page}");
}

#[test]
fn the_table_shows_its_own_members_and_its_groups() {
    let page = page(None).unwrap();
    for member in GROUPS[0].members {
        assert!(page.contains(&format!("\napi.{}", member.name)), "{}", member.name);
    }
    for group in &GROUPS[1..] {
        assert!(page.contains(&format!("\n  {}: ", group.name)), "{}", group.name);
    }
    assert_eq!(page, look("api"));
}

#[test]
fn everything_is_found_in_every_spelling() {
    for (group, member) in members() {
        let full = full_name(group, member);
        let expected = look(&full);
        assert!(expected.starts_with(&format!("{full}  (api)\n")), "{expected}");
        let plain = member.alias().unwrap_or_else(|| member.name.to_owned());
        for asked in [
            format!("{}.{}", group.path(), member.name),
            format!("{}.{plain}", group.path()),
            format!("{}[\"{}\"]", group.path(), member.name),
            format!("{}['{}']()", group.path(), member.name),
            full.replace('-', "_"),
        ] {
            assert_eq!(look(&asked), expected, "{asked}");
        }
    }
    for named in Named::all() {
        let page = look(named.name());
        assert!(page.starts_with(&format!("fen.{}\n", named.name())), "{page}");
        assert_eq!(page, look(&format!("fen.{}", named.name())));
    }
    for group in &GROUPS[1..] {
        assert_eq!(look(&group.path()), look(group.name));
    }
}

#[test]
fn a_call_can_be_named_without_its_group_and_a_type_of_the_contract_has_its_page() {
    assert_eq!(look("submit"), look("turn.submit!"));
    // Two groups have one.
    let both = look("get");
    assert!(both.contains("http.get  (api)") && both.contains("env.get  (api)"), "{both}");
    // The table's own comes before those of groups.
    assert!(!look("list").contains("fs.list  (api)"));
    let message = entries().find(|entry| entry.section == Section::Types).unwrap().name;
    assert!(look(message).starts_with(&format!("{message}  (types)")));
    assert!(look("fen.ToolSpec").starts_with("tool  (register-kinds)"));
    assert!(look("AuthBackendSpec").starts_with("auth-backend  (register-kinds)"));
}

#[test]
fn what_does_not_exist_is_told_with_what_was_meant_or_what_there_is() {
    for (asked, part) in [
        ("trun", "did you mean `turn`?"),
        ("turn.sumbit", "`api.turn`; did you mean `turn.submit!`?"),
        ("turn.find_it_all", "there are submit!, cancel!, busy?"),
        ("sumbit", "did you mean `turn.submit!`?"),
        ("regster", "did you mean `register`?"),
        ("SubmitOption", "did you mean `SubmitOptions`?"),
        ("fen.SubmitOption", "did you mean `SubmitOptions`?"),
        ("something-quite-different", "its groups are auth, commands, "),
    ] {
        let error = miss(asked);
        assert!(error.contains(part), "{error}");
        assert!(error.starts_with(&format!("there is no `{asked}` in the table")), "{error}");
    }
}

#[test]
fn names_are_offered_as_far_as_they_are_typed() {
    let all = offers("");
    assert!(all.contains(&"turn".to_owned()) && all.contains(&"register".to_owned()));
    assert!(all.contains(&"values".to_owned()));
    assert!(all.iter().all(|name| !name.contains('.')), "{all:?}");
    assert_eq!(offers("turn"), ["turn", "turn.submit!", "turn.cancel!", "turn.busy?"]);
    assert_eq!(offers("ui.p"), ["ui.prompt"]);
    assert_eq!(offers("Submit"), ["SubmitOptions", "Submitted"]);
    for name in all.iter().chain(&offers("fs")) {
        assert!(page(Some(name)).is_ok(), "{name}");
    }
}

/// How many rows a line takes where words that do not fit go to the next row.
fn rows(line: &str, width: usize) -> usize {
    let (mut rows, mut column) = (1, line.len() - line.trim_start().len());
    for (position, word) in line.split_whitespace().enumerate() {
        let needed = word.chars().count() + usize::from(position > 0);
        if column + needed > width {
            rows += 1;
            column = word.chars().count();
        } else {
            column += needed;
        }
    }
    rows
}

#[test]
fn lines_fit_a_terminal_and_take_two_rows_of_half_a_terminal() {
    for (name, page) in all_pages() {
        for line in page.lines() {
            assert!(line.chars().count() <= 68, "{name}: {line}");
            assert_eq!(line, line.trim_end(), "{name}");
            // The long names of events in a list are the exception.
            assert!(rows(line, 40) <= 2 || line.contains("\", \""), "{name}: {line}");
        }
    }
}

#[test]
fn pages_are_short() {
    for (name, page) in all_pages() {
        let limit = if name == VALUES { 6_000 } else { 4_500 };
        assert!(page.len() <= limit, "{name}: {}", page.len());
    }
}
