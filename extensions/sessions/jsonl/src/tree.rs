//! Finds the conversation in the entries of a file: the path from the last entry to its root.
//!
//! Entries are added in the order of the file. A parent always stands before its children, so there
//! can be no cycle; what points elsewhere follows the entry before it.

use crate::line::{Content, Entry, Parent};
use fen_contract::types::Message;
use std::collections::HashMap;

/// The entries read so far.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// From id to place; made once an entry follows another than the one before it.
    places: Option<HashMap<String, usize>>,
}

#[derive(Debug)]
struct Node {
    id: Option<String>,
    parent: Option<usize>,
    message: Option<Message>,
}

/// Whether the parent of an added entry was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    ToParent,
    /// Its parent is missing; it follows the entry before it.
    ToPrevious,
}

impl Tree {
    /// Adds the next entry of the file.
    pub(crate) fn push(&mut self, entry: Entry) -> Joined {
        let previous = self.nodes.len().checked_sub(1);
        let (parent, joined) = match entry.parent {
            Parent::Root => (None, Joined::ToParent),
            Parent::Previous => (previous, Joined::ToParent),
            Parent::Entry(id) => match self.place(&id) {
                Some(place) => (Some(place), Joined::ToParent),
                None => (previous, Joined::ToPrevious),
            },
        };
        let message = match entry.content {
            Content::Message(message) => Some(message),
            _ => None,
        };
        if let (Some(places), Some(id)) = (&mut self.places, &entry.id) {
            places.insert(id.clone(), self.nodes.len());
        }
        self.nodes.push(Node { id: entry.id, parent, message });
        joined
    }

    fn place(&mut self, id: &str) -> Option<usize> {
        let last = self.nodes.len().checked_sub(1)?;
        if self.nodes[last].id.as_deref() == Some(id) {
            return Some(last);
        }
        let places = self.places.get_or_insert_with(|| {
            let ids = self.nodes.iter().enumerate();
            ids.filter_map(|(place, node)| Some((node.id.clone()?, place))).collect()
        });
        places.get(id).copied()
    }

    /// What the next entry is to follow.
    pub(crate) fn leaf(&self) -> Parent {
        match self.nodes.last() {
            None => Parent::Root,
            Some(Node { id: Some(id), .. }) => Parent::Entry(id.clone()),
            Some(_) => Parent::Previous,
        }
    }

    /// Whether there is no entry at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The messages on the path to the last entry, first to last.
    pub(crate) fn into_messages(mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        let mut at = self.nodes.len().checked_sub(1);
        while let Some(place) = at {
            let node = &mut self.nodes[place];
            messages.extend(node.message.take());
            at = node.parent;
        }
        messages.reverse();
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::types::UserMessage;

    fn tree(entries: &[(&str, Option<&str>)]) -> (Vec<String>, Vec<Joined>) {
        let mut tree = Tree::default();
        let joined = entries
            .iter()
            .map(|(id, parent)| {
                tree.push(Entry {
                    id: Some((*id).into()),
                    parent: parent.map_or(Parent::Root, |parent| Parent::Entry(parent.into())),
                    content: Content::Message(UserMessage::new(*id).into()),
                })
            })
            .collect();
        let path = tree.into_messages().into_iter().map(|message| match message {
            Message::User(user) => user.content.text(),
            _ => unreachable!(),
        });
        (path.collect(), joined)
    }

    #[test]
    fn the_last_entry_decides_which_branch_is_the_conversation() {
        let entries = [("a", None), ("b", Some("a")), ("c", Some("b")), ("d", Some("a"))];
        assert_eq!(tree(&entries).0, ["a", "d"]);
        let entries = [("a", None), ("b", Some("a")), ("c", None)];
        assert_eq!(tree(&entries).0, ["c"]);
    }

    #[test]
    fn an_entry_without_its_parent_follows_the_one_before_it() {
        let (path, joined) = tree(&[("a", None), ("b", Some("a")), ("d", Some("c"))]);
        assert_eq!(path, ["a", "b", "d"]);
        assert_eq!(joined[2], Joined::ToPrevious);
    }

    #[test]
    fn pointing_at_itself_or_at_a_later_entry_ends() {
        let (path, _) = tree(&[("a", Some("b")), ("b", Some("b")), ("b", Some("b"))]);
        assert_eq!(path, ["a", "b", "b"]);
    }
}
