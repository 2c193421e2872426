//! Which call a fragment belongs to. The protocol numbers them; not every service does.

/// The calls of one answer, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct CallKeys {
    calls: Vec<Known>,
    /// The call that the last fragment belonged to.
    last: usize,
}

/// What is known of a call.
#[derive(Debug, Default)]
struct Known {
    index: Option<u64>,
    id: String,
    named: bool,
}

impl CallKeys {
    /// The key of the call to which a fragment with these marks belongs. Empty ids and names are
    /// no marks.
    pub fn of(&mut self, index: Option<u64>, id: &str, name: &str) -> u64 {
        let found = match index {
            Some(index) => self.by_index(index, id, name),
            None => self.by_id(id, name),
        };
        let position = found.unwrap_or_else(|| {
            self.calls.push(Known::default());
            self.calls.len() - 1
        });
        let call = &mut self.calls[position];
        call.index = call.index.or(index);
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        call.named |= !name.is_empty();
        self.last = position;
        position as u64
    }

    fn by_index(&self, index: u64, id: &str, name: &str) -> Option<usize> {
        let Some(position) = self.calls.iter().rposition(|call| call.index == Some(index)) else {
            // A service that left the index out at first may state it later.
            let last = self.calls.get(self.last)?;
            let goes_on = last.index.is_none() && (id.is_empty() || id == last.id);
            return (goes_on && name.is_empty()).then_some(self.last);
        };
        let call = &self.calls[position];
        // Some services give each call the same index, told apart by id and name.
        let another = !id.is_empty() && !call.id.is_empty() && id != call.id && !name.is_empty();
        (!another).then_some(position)
    }

    fn by_id(&self, id: &str, name: &str) -> Option<usize> {
        let last = self.calls.get(self.last)?;
        if id.is_empty() {
            // A second name without an id begins a second call.
            return (name.is_empty() || !last.named).then_some(self.last);
        }
        if let Some(known) = self.calls.iter().rposition(|call| call.id == id) {
            return Some(known);
        }
        // Arguments may have come before the id that they belong to.
        (last.id.is_empty() && !last.named).then_some(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fragment = (Option<u64>, &'static str, &'static str);

    fn keys(fragments: &[Fragment]) -> Vec<u64> {
        let mut keys = CallKeys::default();
        fragments.iter().map(|(index, id, name)| keys.of(*index, id, name)).collect()
    }

    #[test]
    fn fragments_find_their_call_whatever_marks_they_bear() {
        let cases: [(&[Fragment], &[u64]); 9] = [
            // As the protocol has it, interleaved.
            (
                &[(Some(0), "a", "f"), (Some(1), "b", "g"), (Some(0), "", ""), (Some(1), "", "")],
                &[0, 1, 0, 1],
            ),
            // Without any index.
            (&[(None, "a", "f"), (None, "", ""), (None, "b", "g"), (None, "", "")], &[0, 0, 1, 1]),
            (&[(None, "a", "f"), (None, "b", "g"), (None, "a", "")], &[0, 1, 0]),
            // One with, one without.
            (&[(Some(0), "a", "f"), (None, "b", "g"), (None, "", "")], &[0, 1, 1]),
            (&[(None, "a", "f"), (Some(1), "b", "g"), (Some(1), "", "")], &[0, 1, 1]),
            (&[(None, "a", "f"), (Some(0), "", "")], &[0, 0]),
            // Arguments before id and name.
            (&[(Some(0), "", ""), (Some(0), "c9", "read")], &[0, 0]),
            (&[(None, "", ""), (None, "c9", "read")], &[0, 0]),
            // Neither id nor index, and one index for all.
            (&[(None, "", "f"), (None, "", "g"), (None, "", "")], &[0, 1, 1]),
        ];
        for (fragments, want) in cases {
            assert_eq!(keys(fragments), want, "{fragments:?}");
        }
        assert_eq!(keys(&[(Some(0), "a", "f"), (Some(0), "b", "f"), (Some(0), "", "")]), [0, 1, 1]);
        assert_eq!(
            keys(&[(Some(0), "a", "f"), (Some(0), "x", ""), (Some(0), "a", "f")]),
            [0, 0, 0]
        );
    }
}
