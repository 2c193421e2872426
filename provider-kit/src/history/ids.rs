//! Ids of tool calls, from those that one service made to those that another accepts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What a service's ids of calls are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdRule {
    /// Anything that is not empty.
    Any,
    /// Letters, digits, `_` and `-`, at the most this many.
    Plain {
        /// The most characters; not below 20.
        max: usize,
    },
    /// Exactly so many letters and digits.
    Exactly {
        /// How many; from 8 to 40.
        length: usize,
    },
}

impl IdRule {
    /// Whether the service takes this id as it is.
    pub fn fits(self, id: &str) -> bool {
        match self {
            IdRule::Any => !id.is_empty(),
            IdRule::Plain { max } => !id.is_empty() && id.len() <= max && id.chars().all(is_plain),
            IdRule::Exactly { length } => {
                id.len() == length && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
        }
    }

    /// An id that fits, made of `id` and of how often it had to be told from others.
    fn made(self, id: &str, attempt: u64) -> String {
        match self {
            IdRule::Any => format!("call_{}", digits(id, attempt, 12)),
            IdRule::Plain { max } => {
                let hash = digits(id, attempt, 12);
                let room = max.saturating_sub(hash.len() + 1);
                let kept: String = id.chars().filter(|c| is_plain(*c)).take(room).collect();
                if kept.is_empty() { format!("call_{hash}") } else { format!("{kept}_{hash}") }
            }
            IdRule::Exactly { length } => digits(id, attempt, length),
        }
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// `count` letters and digits that depend on nothing but `text` and `attempt`.
fn digits(text: &str, attempt: u64, count: usize) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    // FNV-1a, then the finalizer of SplitMix64 for each digit: short, and the same for ever.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let mut out = String::with_capacity(count);
    for _ in 0..count {
        hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = hash;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        out.push(char::from(ALPHABET[(mixed % 62) as usize]));
    }
    out
}

/// Gives each call of a conversation, in its order, an id that fits and that no other has.
///
/// An id that fits is left as it is, unless an earlier call has it. The ids of a conversation's
/// beginning do not depend on how it goes on.
#[derive(Debug, Default)]
pub struct IdMap<'a> {
    given: HashSet<Cow<'a, str>>,
    /// How many calls have had this id.
    seen: HashMap<&'a str, u64>,
}

impl<'a> IdMap<'a> {
    /// The id for the next call, whose own is `id`.
    pub fn map(&mut self, id: &'a str, rule: IdRule) -> Cow<'a, str> {
        let seen = self.seen.entry(id).or_insert(0);
        *seen += 1;
        if rule.fits(id) && self.given.insert(Cow::Borrowed(id)) {
            return Cow::Borrowed(id);
        }
        let mut attempt = *seen << 32;
        loop {
            let made = Cow::Owned(rule.made(id, attempt));
            if self.given.insert(Cow::clone(&made)) {
                return made;
            }
            attempt += 1;
        }
    }
}
