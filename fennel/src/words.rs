//! The words of the language: what is asked about a special form or a macro by its name.
//!
//! Each word is written down once, in the table beside the code that it stands for. Nothing here
//! knows a word.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// What tools are told of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    /// It binds names for what is inside of it.
    Binds,
    /// It gives a name to a value for what follows it.
    Defines,
    /// It ends with forms that run one after the other.
    HasBody,
}

/// How many values a form gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    /// One, or none.
    One,
    /// What its last form gives.
    Last,
    /// What one of its branches gives.
    Branch,
    /// What its only form gives, or as many as it has.
    All,
    /// That cannot be told by its shape.
    Any,
}

/// A special form or a macro.
pub(crate) struct Word<F> {
    pub(crate) name: &'static str,
    /// What compiles or expands it.
    pub(crate) work: F,
    pub(crate) gives: Gives,
    pub(crate) traits: &'static [Trait],
}

impl<F: Copy> Word<F> {
    /// The same with these traits.
    pub(crate) const fn with(self, traits: &'static [Trait]) -> Self {
        Word { name: self.name, work: self.work, gives: self.gives, traits }
    }
}

/// All words of one sort.
pub(crate) struct Words<F: 'static> {
    all: &'static [Word<F>],
    by_name: OnceLock<FxHashMap<&'static str, &'static Word<F>>>,
}

impl<F: Sync> Words<F> {
    pub(crate) const fn new(all: &'static [Word<F>]) -> Self {
        Words { all, by_name: OnceLock::new() }
    }

    pub(crate) fn all(&self) -> &'static [Word<F>] {
        self.all
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<F> {
        self.all.iter().map(|word| word.name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static Word<F>> {
        let by_name =
            self.by_name.get_or_init(|| self.all.iter().map(|word| (word.name, word)).collect());
        by_name.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin;
    use crate::compile::special;

    #[test]
    fn each_word_stands_for_one_form() {
        let mut names: Vec<_> = special::WORDS.names().chain(builtin::WORDS.names()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(special::WORDS.find("let").is_some() && builtin::WORDS.find("let").is_none());
    }
}
