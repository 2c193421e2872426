//! What was cut, newest first in reach, within bounds. It changes no text.

use crate::fragment::Fragment;
use std::collections::VecDeque;

/// How many pieces are kept.
const ENTRIES: usize = 60;
/// How many bytes they hold together. The newest is kept whatever its size.
const BYTES: usize = 32 << 20;

/// How a piece goes with the one that was cut right before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It stood before it.
    Front,
    /// It stood behind it.
    Back,
}

/// The pieces that were cut.
#[derive(Debug, Default)]
pub(crate) struct KillRing {
    /// The newest is the last.
    pieces: VecDeque<Fragment>,
    /// How many pieces before the newest is the one that was put in.
    turned: usize,
}

impl KillRing {
    /// Keeps a piece.
    pub(crate) fn add(&mut self, piece: Fragment) {
        self.turned = 0;
        self.pieces.push_back(piece);
        self.bound();
    }

    /// Joins a piece to the newest one.
    pub(crate) fn join(&mut self, piece: Fragment, end: End) {
        self.turned = 0;
        match (self.pieces.back_mut(), end) {
            (None, _) => self.pieces.push_back(piece),
            (Some(last), End::Back) => last.push(&piece),
            (Some(last), End::Front) => {
                last.splice(0..0, &piece);
            }
        }
        self.bound();
    }

    /// The newest piece.
    pub(crate) fn newest(&mut self) -> Option<&Fragment> {
        self.turned = 0;
        self.pieces.back()
    }

    /// The piece before the one that was given last; after the oldest comes the newest.
    pub(crate) fn turn(&mut self) -> Option<&Fragment> {
        let count = self.pieces.len();
        self.turned = (self.turned + 1).checked_rem(count)?;
        self.pieces.get(count - 1 - self.turned)
    }

    fn bound(&mut self) {
        let mut bytes: usize = self.pieces.iter().map(Fragment::expanded_len).sum();
        while self.pieces.len() > ENTRIES || (bytes > BYTES && self.pieces.len() > 1) {
            bytes -= self.pieces.pop_front().map_or(0, |piece| piece.expanded_len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_turns_from_new_to_old_and_around() {
        let mut ring = KillRing::default();
        assert!(ring.turn().is_none() && ring.newest().is_none());
        for piece in ["a", "b", "c"] {
            ring.add(Fragment::plain(piece));
        }
        assert_eq!(ring.newest().unwrap().text(), "c");
        let turned: Vec<String> = (0..4).map(|_| ring.turn().unwrap().text().to_owned()).collect();
        assert_eq!(turned, ["b", "a", "c", "b"]);
        assert_eq!(ring.newest().unwrap().text(), "c");
    }

    #[test]
    fn it_is_bounded() {
        let mut ring = KillRing::default();
        for number in 0..ENTRIES + 3 {
            ring.add(Fragment::plain(&number.to_string()));
        }
        assert_eq!(ring.pieces.len(), ENTRIES);
        assert_eq!(ring.pieces[0].text(), "3");
        ring.add(Fragment::plain(&"x".repeat(BYTES + 1)));
        assert_eq!(ring.pieces.len(), 1);
    }
}
