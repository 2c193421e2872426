//! The hash by which a package's bytes are known again: SHA-256.

use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 hash, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of a list of pieces. Each piece is hashed with its length, so that no two different
    /// lists give the same bytes.
    pub(super) fn of<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hash = Sha256::new();
        for piece in pieces {
            hash.update((piece.len() as u64).to_be_bytes());
            hash.update(piece);
        }
        Digest(hash.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 hexadecimal digits")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let mut bytes = [0; 32];
        let plain = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !plain {
            return Err(NotADigest);
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            let pair = text.get(2 * index..2 * index + 2).ok_or(NotADigest)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NotADigest)?;
        }
        Ok(Digest(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sha_256_and_reads_back() {
        // The hash of eight zero bytes, which is the length of one empty piece.
        let digest = Digest::of([b"".as_slice()]);
        let text = "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for wrong in ["", "af", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Digest>(), Err(NotADigest));
        }
    }

    #[test]
    fn moving_a_border_changes_it() {
        assert_ne!(Digest::of([b"ab".as_slice(), b"c"]), Digest::of([b"a".as_slice(), b"bc"]));
    }
}
