//! Diffs: what is added, what is removed, and the titles of files and hunks.
//!
//! The numbers of a hunk say how many lines it has, so a removed line that begins with `--` is not
//! taken for the title of a file. A hunk without numbers is told by the first character alone.

use crate::Token;
use crate::line::Line;

#[derive(Clone, Debug, Default)]
pub(crate) struct Diff {
    /// Lines of the old and the new file that the hunk still has.
    left: Option<(usize, usize)>,
}

impl Diff {
    pub(crate) fn line(&mut self, line: &mut Line<'_>) {
        let text = line.text();
        if let Some(hunk) = text.strip_prefix("@@") {
            self.left = numbers(hunk);
            let title = hunk.find("@@").map_or(text.len(), |end| end + 4);
            line.take(title, Token::Attribute);
            return;
        }
        let left = self.left.take().filter(|left| *left != (0, 0));
        let token = match (text.chars().next(), left) {
            (Some('+'), Some((old, new))) => {
                self.left = Some((old, new.saturating_sub(1)));
                Token::Added
            }
            (Some('-'), Some((old, new))) => {
                self.left = Some((old.saturating_sub(1), new));
                Token::Removed
            }
            (Some(' ') | None, Some((old, new))) => {
                self.left = Some((old.saturating_sub(1), new.saturating_sub(1)));
                Token::Plain
            }
            (Some('\\'), _) => {
                self.left = left;
                Token::Comment
            }
            _ if TITLES.iter().any(|title| text.starts_with(title)) => Token::Heading,
            (Some('+' | '>'), _) => Token::Added,
            (Some('-' | '<'), _) => Token::Removed,
            (Some('!'), _) => Token::Attribute,
            _ => Token::Plain,
        };
        line.take_rest(token);
    }
}

const TITLES: &[&str] = &[
    "+++ ",
    "--- ",
    "*** ",
    "diff ",
    "index ",
    "Index: ",
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "rename ",
    "copy ",
    "similarity index ",
    "dissimilarity index ",
    "Binary files ",
    "GIT binary patch",
];

/// The lengths in ` -1,7 +1,9 @@`; a length that is not written is one.
fn numbers(hunk: &str) -> Option<(usize, usize)> {
    let mut parts = hunk.split_ascii_whitespace();
    let old = parts.next()?.strip_prefix('-')?;
    let new = parts.next()?.strip_prefix('+')?;
    Some((length(old)?, length(new)?))
}

fn length(range: &str) -> Option<usize> {
    match range.split_once(',') {
        Some((_, length)) => length.parse().ok(),
        None => range.parse::<usize>().ok().map(|_| 1),
    }
}
