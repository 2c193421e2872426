//! How well a tool fits some words: plain counting, the same for the same words always.
//!
//! A word that is a whole word of the tool weighs more than one that begins a word, and that more
//! than one inside a word; the name weighs more than the label, and that more than the rest.

/// What is known of a tool, in words.
pub(crate) struct Described<'a> {
    pub name: &'a str,
    pub label: &'a str,
    pub description: &'a str,
    pub parameters: Vec<&'a str>,
}

/// Words that say nothing of a tool.
const EMPTY_WORDS: [&str; 12] =
    ["the", "and", "for", "with", "that", "this", "from", "can", "tool", "tools", "use", "how"];

/// Shorter words fit only as a whole, since they are inside of many.
const SHORTEST_PART: usize = 3;

/// The words of a query in lower case, those left out that say nothing unless there are no others.
pub(crate) fn words(text: &str) -> Vec<String> {
    let all: Vec<String> = split(text).collect();
    let telling: Vec<String> = all
        .iter()
        .filter(|word| word.chars().count() > 1 && !EMPTY_WORDS.contains(&word.as_str()))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The tool's score; 0 where no word fits.
pub(crate) fn score(words: &[String], tool: &Described<'_>) -> u32 {
    let name: Vec<String> = split(tool.name).collect();
    let label: Vec<String> = split(tool.label).collect();
    let rest: Vec<String> = split(tool.description)
        .chain(tool.parameters.iter().flat_map(|parameter| split(parameter)))
        .collect();
    words
        .iter()
        .map(|word| {
            let fields = [(&name, 4), (&label, 2), (&rest, 1)];
            fields.into_iter().map(|(field, weight)| weight * fit(word, field)).sum::<u32>()
        })
        .sum()
}

/// How well the best word of a field fits.
fn fit(word: &str, field: &[String]) -> u32 {
    let part = word.chars().count() >= SHORTEST_PART;
    let one = |candidate: &String| match candidate {
        whole if whole == word => 3,
        start if part && start.starts_with(word) => 2,
        inside if part && inside.contains(word) => 1,
        _ => 0,
    };
    field.iter().map(one).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> u32 {
        let tool = Described {
            name: "web_fetch",
            label: "Pages",
            description: "Download a document from a server",
            parameters: vec!["url"],
        };
        score(&words(query), &tool)
    }

    #[test]
    fn name_before_label_before_description_and_whole_before_beginning_before_inside() {
        assert!(of("fetch") > of("fet") && of("fet") > of("etc"));
        assert!(of("fetch") > of("pages") && of("pages") > of("server"));
        assert!(of("URL") > 0 && of("Web fetch") > of("web"));
        assert_eq!(of("database"), 0);
        assert_eq!(of("et"), 0);
    }
}
