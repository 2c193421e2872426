use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A document with a text, an object, a list and a list that counts what is made of it.
#[derive(Default)]
struct Sample(Arc<AtomicUsize>);

struct Numbers(Arc<AtomicUsize>);

impl List for Numbers {
    fn len(&self) -> usize {
        1_000
    }

    fn get(&self, position: usize) -> Option<Value> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Some(json!({"n": position, "even": position.is_multiple_of(2), "text": "x".repeat(100)}))
    }
}

impl Document for Sample {
    fn names(&self) -> &'static [&'static str] {
        &["model", "me", "tools", "numbers"]
    }

    fn part(&self, name: &str) -> Option<Part> {
        Some(match name {
            "model" => Part::One(json!("gpt é")),
            "me" => Part::One(json!({"a": 1, "b": {"c.d": null}, "busy?": true})),
            "tools" => Part::One(json!([
                {"name": "bash", "args": [{"k": "Command"}], "n": 1},
                {"name": "read", "args": [{"k": "path"}, {"k": "limit"}], "n": 2},
                {"name": "a]b"},
            ])),
            "numbers" => Part::Many(Arc::new(Numbers(self.0.clone()))),
            _ => return None,
        })
    }
}

fn ask(query: &str) -> Result<String, String> {
    let steps = parse(query).map_err(|error| error.to_string())?;
    let found = evaluate(&Sample::default(), &steps).map_err(|error| error.to_string())?;
    Ok(render(&found, 4_096))
}

#[test]
fn every_step_finds_what_it_says() {
    for (query, expected) in [
        ("model", "gpt é"),
        (" .model ", "gpt é"),
        ("model.#", "5"),
        ("me.a", "1"),
        ("me.b.\"c.d\"", "null"),
        ("me.busy?", "true"),
        ("me.#", "3"),
        (".#", "4"),
        ("tools.#", "3"),
        ("tools.name", "[\"bash\",\n\"read\",\n\"a]b\"]"),
        ("tools[0].name", "bash"),
        ("tools[-1].name", "a]b"),
        ("tools[0:2].name", "[\"bash\",\n\"read\"]"),
        ("tools[ -2 : ].name", "[\"read\",\n\"a]b\"]"),
        ("tools[5:].name", "[]"),
        ("tools[2:1].#", "0"),
        ("tools[name=read].n", "[2]"),
        ("tools[n=2].name", "[\"read\"]"),
        ("tools[args.k~LIMIT].name", "[\"read\"]"),
        ("tools[name=\"a]b\"].#", "1"),
        ("tools[~command].name", "[\"bash\"]"),
        ("tools.name[=read]", "[\"read\"]"),
        ("tools[n=null].name", "[\"a]b\"]"),
        ("tools[1].args.k", "[\"path\",\n\"limit\"]"),
        ("tools[1]{name, n}.n", "2"),
        ("tools.{name,n}[-1]", "{\n  \"name\": \"a]b\",\n  \"n\": null\n}"),
        ("numbers[even=true][-1].n", "998"),
        (
            "{model,me}",
            "model: gpt é\nme: {\n  \"a\": 1,\n  \"b\": {\n    \"c.d\": null\n  },\n  \"busy?\": true\n}\n",
        ),
    ] {
        assert_eq!(ask(query).as_deref(), Ok(expected), "{query}");
    }
}

#[test]
fn an_error_names_the_position_and_what_is_allowed_there() {
    for (query, expected) in [
        (
            "modl",
            "position 1: there is no `modl` here; begin with one of model, me, tools, numbers",
        ),
        ("[0]", "position 1: there is no list here; begin with one of"),
        ("me.x", "position 3: there is no field `x`; it has the fields a, b, busy?"),
        ("me{a,x}", "position 3: there is no field `x`"),
        ("me[0]", "position 3: there is no list here; it has the fields a"),
        ("model.x", "position 6: there are no fields here; it is a text"),
        ("tools[3]", "position 6: the list has only the entries 0 to 2"),
        ("tools[-4]", "position 6: the list has only"),
        ("tools[9:][0]", "position 10: the list has no entries"),
        ("tools[", "position 7: expected `n`, `a:b`, `name=value` or `name~text`"),
        ("tools[1", "position 8: expected `]`"),
        ("tools[-]", "position 7: expected a whole number"),
        ("tools[99999999999999999999]", "position 7: expected a whole number"),
        ("tools[name]", "position 11: expected `=value` or `~text`"),
        ("tools[name=x", "position 13: expected `]`"),
        ("tools[name=\"x]", "position 12: this quote has no end"),
        ("tools.", "position 7: expected a field's name"),
        ("tools{name", "position 11: expected `,` and a name, or `}`"),
        ("tools.#.x", "position 8: nothing can follow `.#`"),
        ("me.a.#", "position 5: there is nothing to count here; it is a number"),
        ("me a", "position 3: expected `.name`, `.#`, `[…]`, `{…}` or the end"),
        ("{me}.a", "position 5: nothing can follow a choice of parts"),
    ] {
        let error = ask(query).unwrap_err();
        assert!(error.starts_with(expected), "{query}: {error}");
    }
    assert!(ask(&"a".repeat(5_000)).unwrap_err().contains("at most 4096"));
}

#[test]
fn only_the_entries_that_are_looked_at_are_made() {
    for (query, made) in [
        ("numbers.#", 0),
        ("numbers[-1].n", 1),
        ("numbers[10:20].n", 10),
        ("model", 0),
        ("numbers[n~77][0].#", 1_001),
    ] {
        let sample = Sample::default();
        let found = evaluate(&sample, &parse(query).unwrap()).unwrap();
        render(&found, 16 << 10);
        assert_eq!(sample.0.load(Ordering::Relaxed), made, "{query}");
    }
    // A long list is made as far as it is shown.
    let sample = Sample::default();
    let found = evaluate(&sample, &parse("numbers").unwrap()).unwrap();
    let text = render(&found, 16 << 10);
    assert!(text.len() <= 16 << 10 && text.contains("of 1000 entries; narrow"), "{}", text.len());
    assert!(sample.0.load(Ordering::Relaxed) < 200);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,60}", limit in 0_usize..2_000) {
        if let Ok(steps) = parse(&text) && let Ok(found) = evaluate(&Sample::default(), &steps) {
            render(&found, limit);
        }
    }

    #[test]
    fn no_arrangement_of_pieces_makes_it_panic_or_pass_its_bound(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "model", "me", "tools", "numbers", ".", ".#", "[", "]", "0", "-1", ":", "{", "}", ",",
                "name", "=", "~", "\"", "\\", " ", "9223372036854775808", "[0]", "[-1]", "[1:]",
                "[:-1]", "[name=read]", ".args", "{name,n}", "é",
            ]),
            0..9,
        ),
    ) {
        let text = pieces.concat();
        match parse(&text) {
            Ok(steps) => if let Ok(found) = evaluate(&Sample::default(), &steps) {
                prop_assert!(render(&found, 1_024).len() <= 1_024);
            },
            Err(error) => prop_assert!(error.position <= text.chars().count() + 1),
        }
    }
}
