//! Fuzzy matching, for lists that are filtered and for names of files.
//!
//! A query is words, all of which must match; a word matches where its characters follow one another
//! in the text. What is matched at the starts of words, in a row and in a path's last part scores
//! more. A word with an upper-case letter heeds case. It is pure; pickers and completions call it.

/// How much of a text is looked at, in characters. What comes later does not match.
const LOOKED_AT: usize = 1_024;
/// How much of a query counts, in characters.
const QUERY: usize = 256;

const MATCHED: i32 = 16;
const AT_START: i32 = 12;
const AFTER_SLASH: i32 = 10;
const AFTER_SEPARATOR: i32 = 8;
const AT_HUMP: i32 = 7;
const IN_A_ROW: i32 = 8;
const SAME_CASE: i32 = 1;
const IN_LAST_PART: i32 = 2;
const GAP: i32 = 3;
const GAP_GOES_ON: i32 = 1;
/// How much the characters before a match can cost.
const LONGEST_LEAD: i32 = 6;
/// No score: far below all that can come about, even with something added.
const NEVER: i32 = i32::MIN / 2;

/// One of the items that match best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranked {
    /// Its place among the items.
    pub(crate) index: usize,
    /// How well it matches.
    pub(crate) score: i32,
    /// Where the matched characters begin in it, in bytes and in order.
    pub(crate) positions: Vec<usize>,
}

/// How well a text matches, and where the matched characters begin, in bytes and in order. `None`
/// if it does not match.
pub(crate) fn score(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    let query = Query::new(query);
    let mut scratch = Scratch::default();
    let score = query.score(text, &mut scratch)?;
    let mut positions = Vec::new();
    for word in &query.words {
        word.score(&mut scratch);
        word.trace(&scratch, &mut positions);
    }
    positions.sort_unstable();
    positions.dedup();
    Some((score, positions))
}

/// The items that match best, the best first. Of equals the shorter comes first, then the earlier.
pub(crate) fn rank<T: AsRef<str>>(query: &str, items: &[T], limit: usize) -> Vec<Ranked> {
    let words = Query::new(query);
    if words.words.is_empty() {
        let all = (0..items.len()).take(limit);
        return all.map(|index| Ranked { index, score: 0, positions: Vec::new() }).collect();
    }
    let mut scratch = Scratch::default();
    let mut found: Vec<(std::cmp::Reverse<i32>, usize, usize)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(score) = words.score(item.as_ref(), &mut scratch) {
            found.push((std::cmp::Reverse(score), item.as_ref().len(), index));
        }
    }
    if limit < found.len() {
        found.select_nth_unstable(limit);
        found.truncate(limit);
    }
    found.sort_unstable();
    let positions = |index: usize| {
        items.get(index).and_then(|item| score(query, item.as_ref())).unwrap_or_default().1
    };
    found
        .into_iter()
        .map(|(score, _, index)| Ranked { index, score: score.0, positions: positions(index) })
        .collect()
}

struct Query {
    words: Vec<Word>,
}

struct Word {
    chars: Vec<char>,
    heeds_case: bool,
}

/// What is used again from text to text, so that a text costs no memory of its own.
#[derive(Default)]
struct Scratch {
    chars: Vec<char>,
    folded: Vec<char>,
    /// What a match at each character is worth by its place.
    bonus: Vec<i32>,
    /// For each character of the word a row: the best score with it at each character of the text.
    table: Vec<i32>,
}

impl Query {
    fn new(query: &str) -> Query {
        let end = query.char_indices().nth(QUERY).map_or(query.len(), |(at, _)| at);
        let words = query.get(..end).unwrap_or_default().split_whitespace().map(|word| {
            let heeds_case = word.chars().any(char::is_uppercase);
            let chars = word.chars().map(|c| if heeds_case { c } else { fold(c) }).collect();
            Word { chars, heeds_case }
        });
        Query { words: words.collect() }
    }

    fn score(&self, text: &str, scratch: &mut Scratch) -> Option<i32> {
        if !self.words.iter().all(|word| word.is_within(text)) {
            return None;
        }
        scratch.take(text);
        self.words.iter().try_fold(0_i32, |sum, word| Some(sum + word.score(scratch)?))
    }
}

impl Scratch {
    fn take(&mut self, text: &str) {
        self.chars.clear();
        self.chars.extend(text.chars().take(LOOKED_AT));
        self.folded.clear();
        self.folded.extend(self.chars.iter().map(|c| fold(*c)));
        self.bonus.clear();
        // A folder's own slash at its end begins no part.
        let trimmed = self.chars.strip_suffix(&['/']).unwrap_or(&self.chars);
        let last_part = trimmed.iter().rposition(|c| *c == '/').map_or(0, |at| at + 1);
        let mut before = None;
        for (at, c) in self.chars.iter().enumerate() {
            let place = match before {
                None => AT_START,
                Some('/' | '\\') => AFTER_SLASH,
                Some(before) if !char::is_alphanumeric(before) && c.is_alphanumeric() => {
                    AFTER_SEPARATOR
                }
                Some(before) if before.is_lowercase() && c.is_uppercase() => AT_HUMP,
                _ => 0,
            };
            self.bonus.push(place + if at >= last_part { IN_LAST_PART } else { 0 });
            before = Some(*c);
        }
    }
}

impl Word {
    /// Whether its characters follow one another in the text: quick, and for most texts the end.
    fn is_within(&self, text: &str) -> bool {
        let mut wanted = self.chars.iter();
        let Some(mut next) = wanted.next() else { return true };
        for c in text.chars() {
            if *next == if self.heeds_case { c } else { fold(c) } {
                match wanted.next() {
                    Some(after) => next = after,
                    None => return true,
                }
            }
        }
        false
    }

    /// The best score over all ways to match, which fills the table.
    fn score(&self, scratch: &mut Scratch) -> Option<i32> {
        let Scratch { chars, folded, bonus, table } = scratch;
        let text = if self.heeds_case { &*chars } else { &*folded };
        let width = text.len();
        table.clear();
        table.resize(width * self.chars.len(), NEVER);
        for (row, wanted) in self.chars.iter().enumerate() {
            let (above, below) = table.split_at_mut(row * width);
            let above = above.get(row.saturating_sub(1) * width..).unwrap_or_default();
            // The best of the row above, as far as it has been passed, less the gap since.
            let mut past = NEVER;
            for at in 0..width {
                let in_a_row = match at.checked_sub(1) {
                    Some(before) if row > 0 => above[before],
                    _ => NEVER,
                };
                if text[at] == *wanted {
                    let case = if chars[at] == *wanted { SAME_CASE } else { 0 };
                    let start = if row == 0 { -lead(at) } else { past.max(in_a_row + IN_A_ROW) };
                    if can_be(start) {
                        below[at] = start + MATCHED + bonus[at] + case;
                    }
                }
                past = (past - GAP_GOES_ON).max(in_a_row - GAP).max(NEVER);
            }
        }
        let last = table.get(width * self.chars.len().saturating_sub(1)..)?;
        last.iter().copied().max().filter(|best| can_be(*best))
    }

    /// Where the characters of the best way are, from the table.
    fn trace(&self, scratch: &Scratch, positions: &mut Vec<usize>) {
        let width = scratch.chars.len();
        let mut end = width;
        let mut after: Option<usize> = None;
        for row in (0..self.chars.len()).rev() {
            let scores = scratch.table.get(row * width..row * width + end).unwrap_or_default();
            // Reckoned as the row below did it.
            let worth = |at: usize, score: i32| match after {
                Some(after) if after == at + 1 => score + IN_A_ROW,
                Some(after) => score - GAP - GAP_GOES_ON * (after - at - 2) as i32,
                None => score,
            };
            let matched = scores.iter().enumerate().filter(|(_, score)| can_be(**score));
            let best = matched.max_by_key(|(at, score)| (worth(*at, **score), *at));
            let Some((at, _)) = best else { return };
            positions.push(scratch.chars[..at].iter().map(|c| c.len_utf8()).sum());
            (after, end) = (Some(at), at);
        }
    }
}

/// What comes before the first matched character costs a little.
fn lead(at: usize) -> i32 {
    (at as i32 / 2).min(LONGEST_LEAD)
}

fn can_be(score: i32) -> bool {
    score > NEVER / 2
}

/// The same for upper and lower case. What is no ASCII never becomes any.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    c.to_lowercase().next().filter(|lower| !lower.is_ascii()).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn best<'a>(query: &str, items: &[&'a str]) -> Vec<&'a str> {
        rank(query, items, usize::MAX).into_iter().map(|found| items[found.index]).collect()
    }

    fn marked(query: &str, text: &str) -> String {
        let (_, positions) = score(query, text).unwrap();
        text.char_indices().filter(|(at, _)| positions.contains(at)).map(|(_, c)| c).collect()
    }

    #[test]
    fn what_people_mean_comes_first() {
        for (query, items) in [
            ("main", &["src/main.rs", "src/domain/mod.rs"][..]),
            ("fi", &["src/files.rs", "docs/of_items.md"]),
            ("smr", &["src/main.rs", "samples/marker.txt"]),
            ("tool", &["tool.rs", "tooling/a.rs", "some/protocol.rs"]),
            ("tq", &["turnQueue.ts", "attique.ts"]),
            ("mod rs", &["mod.rs", "modern/readers.rs"]),
        ] {
            assert_eq!(best(query, items), items, "{query}");
        }
    }

    #[test]
    fn all_words_must_match_in_any_order() {
        assert!(score("rs main", "src/main.rs").is_some());
        assert!(score("main py", "src/main.rs").is_none());
        assert_eq!(marked("rs main", "src/main.rs"), "mainrs");
    }

    #[test]
    fn an_upper_case_letter_heeds_case() {
        assert!(score("readme", "README.md").is_some());
        assert!(score("README", "readme.md").is_none());
        assert_eq!(best("Read", &["reader", "aRead"]), ["aRead"]);
        assert!(score("straße", "STRASSE").is_none());
        assert!(score("ärger", "ÄRGER").is_some());
    }

    #[test]
    fn positions_are_those_of_the_best_way() {
        assert_eq!(score("main", "domain/main.rs").unwrap().1, [7, 8, 9, 10]);
        assert_eq!(score("b", "aé/b").unwrap().1, [4]);
        assert_eq!(score("ac", "abc").unwrap().1, [0, 2]);
        assert_eq!(score(" ", "abc").unwrap(), (0, vec![]));
    }

    #[test]
    fn equals_stay_in_their_order_and_no_query_takes_all() {
        assert_eq!(best("a", &["xa1", "xa2", "xa3"]), ["xa1", "xa2", "xa3"]);
        assert_eq!(best("", &["b", "a"]), ["b", "a"]);
        assert_eq!(
            rank("a", &["a", "a", "a"], 2).iter().map(|f| f.index).collect::<Vec<_>>(),
            [0, 1]
        );
        assert!(rank("a", &["a"], 0).is_empty());
    }

    /// Whether a word's characters follow one another, said the plain way.
    fn follows(word: &str, text: &str) -> bool {
        let mut text = text.chars();
        word.chars().all(|wanted| text.any(|c| c == wanted))
    }

    /// The best score by trying all ways.
    fn tried(word: &[char], text: &[char], bonus: &[i32]) -> Option<i32> {
        fn from(
            word: &[char],
            text: &[char],
            bonus: &[i32],
            at: usize,
            last: Option<usize>,
        ) -> Option<i32> {
            let Some((first, rest)) = word.split_first() else { return Some(0) };
            (at..text.len())
                .filter(|place| text[*place] == *first)
                .filter_map(|place| {
                    let step = match last {
                        None => -lead(place),
                        Some(last) if last + 1 == place => IN_A_ROW,
                        Some(last) => -GAP - GAP_GOES_ON * (place - last - 2) as i32,
                    };
                    let own = MATCHED + bonus[place] + SAME_CASE + step;
                    from(rest, text, bonus, place + 1, Some(place)).map(|tail| own + tail)
                })
                .max()
        }
        from(word, text, bonus, 0, None)
    }

    proptest! {
        #[test]
        fn what_matches_is_what_follows(
            words in proptest::collection::vec("[ab/é]{1,4}", 0..4),
            text in "[ab/é_]{0,12}",
        ) {
            let found = score(&words.join(" "), &text);
            prop_assert_eq!(found.is_some(), words.iter().all(|word| follows(word, &text)));
        }

        #[test]
        fn the_score_is_the_best_there_is(word in "[ab/]{1,4}", text in "[ab/_]{0,10}") {
            let mut scratch = Scratch::default();
            scratch.take(&text);
            let (word_chars, text_chars) =
                (word.chars().collect::<Vec<_>>(), text.chars().collect::<Vec<_>>());
            let expected = tried(&word_chars, &text_chars, &scratch.bonus);
            let found = score(&word, &text);
            prop_assert_eq!(found.as_ref().map(|found| found.0), expected);
            if let Some((score, positions)) = found {
                let mut only = vec!['\0'; text_chars.len()];
                positions.iter().for_each(|at| only[*at] = text_chars[*at]);
                prop_assert_eq!(tried(&word_chars, &only, &scratch.bonus), Some(score));
            }
        }

        #[test]
        fn ranks_are_the_scores_in_order(
            query in "[abA ]{1,4}",
            items in proptest::collection::vec("[abAB/]{0,8}", 0..20),
            limit in 0usize..25,
        ) {
            let ranked = rank(&query, &items, limit);
            let mut all: Vec<(std::cmp::Reverse<i32>, usize, usize)> = items
                .iter()
                .enumerate()
                .filter_map(|(at, item)| {
                    score(&query, item).map(|found| (std::cmp::Reverse(found.0), item.len(), at))
                })
                .collect();
            if !query.trim().is_empty() {
                all.sort();
            } else {
                all.sort_by_key(|(_, _, at)| *at);
            }
            all.truncate(limit);
            let expected: Vec<usize> = all.iter().map(|(_, _, at)| *at).collect();
            prop_assert_eq!(ranked.iter().map(|found| found.index).collect::<Vec<_>>(), expected);
            for found in ranked {
                let fresh = score(&query, &items[found.index]).unwrap();
                prop_assert_eq!((found.score, found.positions), fresh);
            }
        }

        #[test]
        fn any_query_and_text_have_an_answer(query: String, text: String) {
            if let Some((_, positions)) = score(&query, &text) {
                prop_assert!(positions.is_sorted());
                prop_assert!(positions.iter().all(|at| text.is_char_boundary(*at) && *at < text.len()));
            }
        }
    }

    #[test]
    fn huge_queries_and_texts_are_cut() {
        let text = "ab".repeat(100_000);
        assert!(score("ab", &text).is_some());
        assert!(score(&"b".repeat(500), &text).is_some());
        assert!(score("c", &(text + "c")).is_none());
    }
}
