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
    let mut positions = Vec::new();
    let score = Query::new(query).score(text, &mut Scratch::default(), Some(&mut positions))?;
    positions.sort_unstable();
    positions.dedup();
    // Characters were counted; where all are ASCII that is the same.
    if !text.is_ascii() {
        let starts: Vec<usize> = text.char_indices().take(LOOKED_AT).map(|(at, _)| at).collect();
        positions.iter_mut().for_each(|at| *at = starts.get(*at).copied().unwrap_or(0));
    }
    Some((score, positions))
}

/// The items that match best, the best first. Of equals the shorter comes first, then the earlier.
pub(crate) fn rank<T: AsRef<str>>(query: &str, items: &[T], limit: usize) -> Vec<Ranked> {
    let words = Query::new(query);
    if words.0.is_empty() {
        let all = (0..items.len()).take(limit);
        return all.map(|index| Ranked { index, score: 0, positions: Vec::new() }).collect();
    }
    let mut scratch = Scratch::default();
    let mut found: Vec<(std::cmp::Reverse<i32>, usize, usize)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(score) = words.score(item.as_ref(), &mut scratch, None) {
            found.push((std::cmp::Reverse(score), item.as_ref().len(), index));
        }
    }
    if limit < found.len() {
        found.select_nth_unstable(limit);
        found.truncate(limit);
    }
    found.sort_unstable();
    // Only what is shown needs its positions.
    let positions = |index: usize| {
        items.get(index).and_then(|item| score(query, item.as_ref())).unwrap_or_default().1
    };
    found
        .into_iter()
        .map(|(score, _, index)| Ranked { index, score: score.0, positions: positions(index) })
        .collect()
}

/// The words that must match.
struct Query(Vec<Word>);

struct Word {
    chars: Vec<char>,
    heeds_case: bool,
}

/// A place where a character of a word matches, and the best score of the word up to it.
#[derive(Clone, Copy)]
struct Hit {
    at: usize,
    score: i32,
}

/// What is used again from text to text, so that a text costs no memory of its own.
#[derive(Default)]
struct Scratch {
    chars: Vec<char>,
    /// The hits of each character of a word, one after the other.
    hits: Vec<Hit>,
    /// Where in them those of each character begin.
    rows: Vec<usize>,
}

impl Query {
    fn new(query: &str) -> Query {
        let end = query.char_indices().nth(QUERY).map_or(query.len(), |(at, _)| at);
        let words = query.get(..end).unwrap_or_default().split_whitespace().map(|word| {
            let heeds_case = word.chars().any(char::is_uppercase);
            let chars = word.chars().map(|c| if heeds_case { c } else { fold(c) }).collect();
            Word { chars, heeds_case }
        });
        Query(words.collect())
    }

    /// The sum of the words' scores, and the places in characters where they are wanted.
    fn score(
        &self,
        text: &str,
        scratch: &mut Scratch,
        positions: Option<&mut Vec<usize>>,
    ) -> Option<i32> {
        if text.is_ascii() {
            let bytes = text.as_bytes();
            return self.score_in(&bytes[..bytes.len().min(LOOKED_AT)], scratch, positions);
        }
        let mut chars = std::mem::take(&mut scratch.chars);
        chars.clear();
        chars.extend(text.chars().take(LOOKED_AT));
        let score = self.score_in(&chars, scratch, positions);
        scratch.chars = chars;
        score
    }

    fn score_in<C: Copy + Into<char>>(
        &self,
        text: &[C],
        scratch: &mut Scratch,
        mut positions: Option<&mut Vec<usize>>,
    ) -> Option<i32> {
        if !self.0.iter().all(|word| word.is_within(text)) {
            return None;
        }
        let last_part = last_part(text);
        let mut sum = 0;
        for word in &self.0 {
            sum += word.score(text, last_part, scratch)?;
            if let Some(positions) = &mut positions {
                scratch.trace(positions);
            }
        }
        Some(sum)
    }
}

impl Word {
    fn is_at(&self, wanted: char, c: char) -> bool {
        wanted == if self.heeds_case { c } else { fold(c) }
    }

    /// Whether its characters follow one another in the text: quick, and for most texts the end.
    fn is_within<C: Copy + Into<char>>(&self, text: &[C]) -> bool {
        let mut text = text.iter();
        self.chars.iter().all(|wanted| text.any(|c| self.is_at(*wanted, (*c).into())))
    }

    /// The best score over all ways to match. The hits that it is made of are left behind.
    fn score<C: Copy + Into<char>>(
        &self,
        text: &[C],
        last_part: usize,
        scratch: &mut Scratch,
    ) -> Option<i32> {
        let Scratch { hits, rows, .. } = scratch;
        hits.clear();
        rows.clear();
        for wanted in &self.chars {
            let mut before = rows.last().copied();
            let end = hits.len();
            rows.push(end);
            // The best of the hits passed, as if all had been left at the text's start.
            let mut passed: Option<i32> = None;
            let first =
                before.map_or(0, |before| hits.get(before).map_or(usize::MAX, |hit| hit.at));
            for (at, c) in text.iter().enumerate().skip(first) {
                if !self.is_at(*wanted, (*c).into()) {
                    continue;
                }
                let start = match &mut before {
                    None => -lead(at),
                    Some(next) => {
                        while *next < end && hits[*next].at + 2 <= at {
                            let left = hits[*next].score + GAP_GOES_ON * hits[*next].at as i32;
                            passed = passed.max(Some(left));
                            *next += 1;
                        }
                        let far = passed.map(|left| left - GAP - GAP_GOES_ON * (at as i32 - 2));
                        let near = hits[*next..end].first().filter(|hit| hit.at + 1 == at);
                        let Some(start) = far.max(near.map(|hit| hit.score + IN_A_ROW)) else {
                            continue;
                        };
                        start
                    }
                };
                let case = if *wanted == (*c).into() { SAME_CASE } else { 0 };
                let score = start + MATCHED + bonus(text, last_part, at) + case;
                hits.push(Hit { at, score });
            }
        }
        let last = hits.get(*rows.last()?..)?;
        last.iter().map(|hit| hit.score).max()
    }
}

impl Scratch {
    /// Where the characters of the best way are.
    fn trace(&self, positions: &mut Vec<usize>) {
        let mut end = self.hits.len();
        let mut after: Option<usize> = None;
        for start in self.rows.iter().rev() {
            // Reckoned as the row below did it.
            let worth = |hit: &&Hit| match after {
                None => Some(hit.score),
                Some(after) if hit.at + 1 == after => Some(hit.score + IN_A_ROW),
                Some(after) if hit.at + 2 <= after => {
                    Some(hit.score - GAP - GAP_GOES_ON * (after - hit.at - 2) as i32)
                }
                Some(_) => None,
            };
            let Some(best) = self.hits[*start..end].iter().max_by_key(worth) else { return };
            positions.push(best.at);
            (after, end) = (Some(best.at), *start);
        }
    }
}

/// Where the last part of a path begins. A folder's own slash at its end begins none.
fn last_part<C: Copy + Into<char>>(text: &[C]) -> usize {
    let whole = text.len().saturating_sub(1);
    let slash = text[..whole].iter().rposition(|c| (*c).into() == '/');
    slash.map_or(0, |at| at + 1)
}

/// What a match is worth by its place.
fn bonus<C: Copy + Into<char>>(text: &[C], last_part: usize, at: usize) -> i32 {
    let c: char = text[at].into();
    let place = match at.checked_sub(1).map(|before| text[before].into()) {
        None => AT_START,
        Some('/' | '\\') => AFTER_SLASH,
        Some(before) if !before.is_alphanumeric() && c.is_alphanumeric() => AFTER_SEPARATOR,
        Some(before) if before.is_lowercase() && c.is_uppercase() => AT_HUMP,
        Some(_) => 0,
    };
    place + if at >= last_part { IN_LAST_PART } else { 0 }
}

/// What comes before the first matched character costs a little.
fn lead(at: usize) -> i32 {
    (at as i32 / 2).min(LONGEST_LEAD)
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

    /// The best score by trying all ways, from a place on and after a match.
    fn tried(word: &[char], text: &[char], from: usize, last: Option<usize>) -> Option<i32> {
        let Some((first, rest)) = word.split_first() else { return Some(0) };
        (from..text.len())
            .filter(|at| text[*at] == *first)
            .filter_map(|at| {
                let step = match last {
                    None => -lead(at),
                    Some(last) if last + 1 == at => IN_A_ROW,
                    Some(last) => -GAP - GAP_GOES_ON * (at - last - 2) as i32,
                };
                let own = MATCHED + bonus(text, last_part(text), at) + SAME_CASE + step;
                tried(rest, text, at + 1, Some(at)).map(|tail| own + tail)
            })
            .max()
    }

    /// What the way through these places is worth.
    fn walked(text: &[char], places: &[usize]) -> i32 {
        let own = |at: usize| MATCHED + bonus(text, last_part(text), at) + SAME_CASE;
        let steps = places.windows(2).map(|pair| match pair[1] - pair[0] {
            1 => IN_A_ROW,
            gap => -GAP - GAP_GOES_ON * (gap - 2) as i32,
        });
        places.iter().map(|at| own(*at)).sum::<i32>() + steps.sum::<i32>() - lead(places[0])
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
        fn the_score_is_the_best_there_is(word in "[ab/]{1,4}", text in "[ab/_]{0,10}|[ab/é]{0,8}") {
            let word_chars: Vec<char> = word.chars().collect();
            let chars: Vec<char> = text.chars().collect();
            let found = score(&word, &text);
            let best = tried(&word_chars, &chars, 0, None);
            prop_assert_eq!(found.as_ref().map(|found| found.0), best);
            if let Some((score, positions)) = found {
                let places: Vec<usize> =
                    positions.iter().map(|at| text[..*at].chars().count()).collect();
                let matched: String = places.iter().map(|at| chars[*at]).collect();
                prop_assert_eq!(&matched, &word);
                prop_assert_eq!(walked(&chars, &places), score);
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
