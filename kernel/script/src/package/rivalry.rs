//! Which of several extensions of one name runs.
//!
//! Only one that is ready holds a name: a broken or switched-off extension of a project must not
//! push out the one that the person installed. When a winner turns out not to run after all, for
//! want of trust, the next one takes its place.

use super::discovery::{Found, Reason, State};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Lets the first that is ready keep each name, and withholds the later ones.
pub(super) fn settle(found: &mut [Found]) {
    let mut winners: HashMap<String, PathBuf> = HashMap::new();
    for one in found {
        let State::Ready(package) = &one.state else { continue };
        match winners.get(package.name()) {
            Some(by) => {
                let reason = Reason::Shadowed { by: by.clone() };
                one.state = State::Withheld(package.clone(), reason);
            }
            None => {
                winners.insert(package.name().to_owned(), one.place.clone());
            }
        }
    }
}

/// Takes the extension at `place`, as it was found, out of the rivalry for its name, since it will
/// not run: the next one that it shadowed becomes ready. Gives that one's index in `found`.
pub fn uncover(found: &mut [Found], place: &Path) -> Option<usize> {
    let mut heir: Option<(usize, PathBuf)> = None;
    for (index, one) in found.iter_mut().enumerate() {
        let State::Withheld(package, Reason::Shadowed { by }) = &mut one.state else { continue };
        // The same place may be named twice, and would be found wanting twice.
        if by != place || one.place == place {
            continue;
        }
        match &heir {
            Some((_, winner)) => by.clone_from(winner),
            None => {
                heir = Some((index, one.place.clone()));
                one.state = State::Ready(package.clone());
            }
        }
    }
    heir.map(|(index, _)| index)
}
