//! Colours of code: asked for while rows are made, and painted in when they come late.

use fen_cells::{Line, Role};
use fen_markdown::{CodeBlock, CodeLooks, Colours, Runs, Stream, code_rows, diff_rows, layout};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Words `fn` are keywords, in as many lines as are known.
#[derive(Default)]
struct Fake {
    lines: Cell<usize>,
    given: RefCell<Option<(usize, Arc<Runs>)>>,
    asked: RefCell<Vec<(String, String, usize, bool)>>,
}

impl Fake {
    fn knowing(lines: usize) -> Fake {
        Fake { lines: Cell::new(lines), ..Fake::default() }
    }
}

impl Colours for Fake {
    fn runs(&self, block: &CodeBlock<'_>) -> Option<Arc<Runs>> {
        let asked = (block.language.to_owned(), block.code.to_owned(), block.at, block.is_open);
        self.asked.borrow_mut().push(asked);
        let known = self.lines.get().min(block.code.lines().count());
        if known == 0 {
            return None;
        }
        let mut given = self.given.borrow_mut();
        if given.as_ref().is_none_or(|(lines, _)| *lines != known) {
            let of_line = |line: &str| line.starts_with("fn").then_some((2, Role::Keyword));
            let runs =
                block.code.lines().take(known).map(|line| of_line(line).into_iter().collect());
            *given = Some((known, Arc::new(runs.collect())));
        }
        given.as_ref().map(|(_, runs)| runs.clone())
    }
}

/// Texts of the rows that have a keyword.
fn keywords<'a>(rows: impl IntoIterator<Item = &'a Line>) -> Vec<String> {
    let has = |line: &&Line| line.spans.iter().any(|span| span.look.role == Role::Keyword);
    rows.into_iter().filter(has).map(Line::text).collect()
}

#[test]
fn code_is_asked_for_with_its_language_and_place() {
    let fake = Fake::knowing(9);
    let rows = layout("x\n\n```rust\nfn a\nb\n```\n\n- ```c d\n  fn e\n  ```", 40, &fake);
    assert_eq!(keywords(&rows), ["fn a", "  fn e"]);
    let asked = fake.asked.borrow();
    assert!(asked.contains(&("rust".into(), "fn a\nb\n".into(), 11, false)), "{asked:?}");
    assert!(asked.iter().any(|(language, code, ..)| language == "c" && code == "fn e\n"));
}

#[test]
fn code_without_a_language_is_not_asked_for() {
    let fake = Fake::knowing(9);
    layout("```\nfn a\n```\n\n    fn b", 40, &fake);
    code_rows("fn a", "", 40, &fake, &CodeLooks::default());
    diff_rows("+fn a", "", 40, &fake);
    assert!(fake.asked.borrow().is_empty());
}

#[test]
fn an_open_block_takes_colours_as_they_come() {
    let fake = Fake::default();
    let mut stream = Stream::new();
    stream.push("```rust\nfn a\nfn b\nfn");
    assert!(keywords(stream.rows(40, &fake).iter()).is_empty());
    assert!(fake.asked.borrow().last().unwrap().3);
    fake.lines.set(2);
    let rows = stream.rows(40, &fake);
    assert_eq!(keywords(rows.iter()), ["fn a", "fn b"]);
    assert_eq!(rows.changed, 1);
    assert_eq!(stream.rows(40, &fake).changed, 3);
}

#[test]
fn colours_that_come_after_the_end_of_a_block_are_painted_in() {
    let fake = Fake::default();
    let mut stream = Stream::new();
    stream.push("```rust\nfn a\n```\n\nText.\n\nMore.");
    stream.finish();
    assert!(keywords(stream.rows(40, &fake).iter()).is_empty());
    fake.lines.set(1);
    let rows = stream.rows(40, &fake);
    assert_eq!((keywords(rows.iter()), rows.changed), (vec!["fn a".to_owned()], 1));
    let before = fake.asked.borrow().len();
    stream.rows(40, &fake);
    assert_eq!(fake.asked.borrow().len(), before, "nothing is left to ask for");
}

#[test]
fn colours_of_code_in_a_last_list_are_taken_when_they_come() {
    let fake = Fake::default();
    let mut stream = Stream::new();
    stream.push("- ```rust\n  fn a\n  ```");
    stream.finish();
    assert!(keywords(stream.rows(40, &fake).iter()).is_empty());
    fake.lines.set(1);
    assert_eq!(keywords(stream.rows(40, &fake).iter()), ["  fn a"]);
}
