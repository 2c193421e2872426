//! Where reference links lead. A definition may stand anywhere in a text, so they are kept apart from
//! the part of the text that they stand in.

use std::collections::HashMap;

/// More definitions than this are not kept.
const MOST: usize = 4096;

/// The targets of references; the first definition of a name is the one.
#[derive(Default)]
pub(crate) struct Definitions(HashMap<String, String>);

impl Definitions {
    /// Whether a text can have any.
    pub(crate) fn may_be_in(text: &str) -> bool {
        memchr::memmem::find(text.as_bytes(), b"]:").is_some()
    }

    pub(crate) fn add(&mut self, name: &str, target: &str) {
        if self.0.len() < MOST {
            self.0.entry(key(name)).or_insert_with(|| target.to_owned());
        }
    }

    pub(crate) fn target(&self, name: &str) -> Option<&str> {
        (!self.0.is_empty()).then(|| self.0.get(&key(name)))?.map(String::as_str)
    }
}

/// Names are the same whatever their case and blanks.
fn key(name: &str) -> String {
    let lower = name.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_definition_of_a_name_counts_whatever_its_case_and_blanks() {
        let mut definitions = Definitions::default();
        definitions.add("Some  Name", "one");
        definitions.add("some name", "two");
        assert_eq!(definitions.target("SOME\nname"), Some("one"));
        assert_eq!(definitions.target("other"), None);
    }
}
