//! Which versions of fen an extension says it works with.

use std::fmt;
use std::str::FromStr;

/// A range of versions, such as `>=0.1, <0.3`. A bare `0.1` means any `0.1.x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRange(semver::VersionReq);

/// Text that is no range of versions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no version range, such as `>=0.1, <0.3`: {reason}")]
pub struct NotARange {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl VersionRange {
    /// Whether this version lies in the range. A version on its way to 0.2.0 counts as 0.2.0, so
    /// that extensions can be tried with fen's next version before it is out.
    pub fn contains(&self, version: &semver::Version) -> bool {
        self.0.matches(&semver::Version::new(version.major, version.minor, version.patch))
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for VersionRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let wrong = |error: semver::Error| NotARange {
            text: text.chars().take(80).collect(),
            reason: error.to_string(),
        };
        text.parse().map(VersionRange).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_versions_and_those_on_their_way() {
        let range: VersionRange = ">=0.1, <0.3".parse().unwrap();
        for (version, inside) in [
            ("0.0.9", false),
            ("0.1.0", true),
            ("0.2.9", true),
            ("0.3.0", false),
            ("0.2.0-dev", true),
        ] {
            assert_eq!(range.contains(&version.parse().unwrap()), inside, "{version}");
        }
        assert_eq!(range.to_string(), ">=0.1, <0.3");
        assert!("about 1".parse::<VersionRange>().unwrap_err().to_string().contains(">=0.1, <0.3"));
    }
}
