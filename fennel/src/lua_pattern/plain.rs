//! Finding bytes as they are, with the same bound on work.

use super::{PatternError, STEPS};

/// Where the bytes of `wanted` first stand in `text`, as they are.
///
/// # Errors
/// [`PatternError::TooMuchWork`] for texts that repeat themselves so much that this takes too long.
pub fn find_plain(text: &[u8], wanted: &[u8]) -> Result<Option<usize>, PatternError> {
    let [first, .., last] = wanted else {
        return Ok(match wanted {
            [only] => text.iter().position(|byte| byte == only),
            _ => Some(0),
        });
    };
    let (mut at, mut steps) = (0, STEPS as usize);
    while at + wanted.len() <= text.len() {
        let room = &text[at..=text.len() - wanted.len()];
        let Some(found) = room.iter().position(|byte| byte == first) else { break };
        at += found;
        if text[at + wanted.len() - 1] == *last {
            let cost = 1 + wanted.len() / 16;
            steps = steps.checked_sub(cost).ok_or(PatternError::TooMuchWork)?;
            if text[at..at + wanted.len()] == *wanted {
                return Ok(Some(at));
            }
        }
        at += 1;
    }
    Ok(None)
}
