//! The files of one VM: how Lua names them in errors, and the way from its words to the source.

use std::collections::HashMap;

use crate::language::SourceMap;

/// Lua cuts a chunk's name after this many bytes.
const SHORT_NAME: usize = 59;
/// Lines that are kept of a traceback.
const TRACEBACK_LINES: usize = 20;

/// What the VM has loaded, by the name that Lua's messages use.
#[derive(Default)]
pub(crate) struct Sources {
    files: HashMap<String, Source>,
}

struct Source {
    file: String,
    map: SourceMap,
}

/// A message with its position taken off.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) message: String,
}

impl Sources {
    /// Enters a file and gives the chunk name to load it with. A file that is loaded again under
    /// the same name takes the place of its former self.
    pub(crate) fn enter(&mut self, file: &str, map: SourceMap) -> String {
        let file: String = file.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let mut short = shortened(&file);
        let mut number = 2;
        while self.files.get(&short).is_some_and(|known| known.file != file) {
            let tail = format!("~{number}");
            short = shortened(&file[..floor(&file, SHORT_NAME - tail.len())]) + &tail;
            number += 1;
        }
        self.files.insert(short.clone(), Source { file, map });
        format!("={short}")
    }

    /// Takes away a file that could not be loaded, by its chunk name.
    pub(crate) fn forget(&mut self, chunk_name: &str) {
        self.files.remove(chunk_name.trim_start_matches('='));
    }

    /// Splits `name:12: words`. Positions further in, as when an error was wrapped by the script,
    /// are put right as well.
    pub(crate) fn locate(&self, message: &str) -> Located {
        // Lua's place for an error within the prelude, which carries no lines.
        let message = message.strip_prefix("?:-1: ").unwrap_or(message);
        match self.position(message) {
            Some((source, line, rest)) => {
                let (file, line) = source.map.origin(&source.file, line);
                Located {
                    file: Some(file.to_owned()),
                    line: Some(line),
                    message: self.rewrite(rest.strip_prefix(": ").unwrap_or(rest)),
                }
            }
            None => Located { message: self.rewrite(message), ..Located::default() },
        }
    }

    /// The source and line that this text begins with.
    fn position<'t>(&self, text: &'t str) -> Option<(&Source, u32, &'t str)> {
        // Names may hold colons: the name is whatever stands before the first `:digits:`.
        for (colon, _) in text.match_indices(':').take_while(|(at, _)| *at <= SHORT_NAME) {
            let Some(source) = self.files.get(&text[..colon]) else { continue };
            let digits = text[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let end = colon + 1 + digits;
            if let Ok(line) = text[colon + 1..end].parse()
                && text[end..].starts_with(':')
            {
                return Some((source, line, &text[end..]));
            }
        }
        None
    }

    /// Puts right every position in a text.
    pub(crate) fn rewrite(&self, text: &str) -> String {
        if self.files.values().all(|source| source.map == SourceMap::Identity) {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut word = true;
        while let Some(c) = text[at..].chars().next() {
            if word && let Some((source, line, rest)) = self.position(&text[at..]) {
                let (file, line) = source.map.origin(&source.file, line);
                out.push_str(&format!("{file}:{line}"));
                at = text.len() - rest.len();
            } else {
                out.push(c);
                at += c.len_utf8();
            }
            word = c.is_whitespace() || matches!(c, '(' | '[' | '\'' | '"' | '`' | '<');
        }
        out
    }

    /// The lines of Lua's traceback that are the script's own.
    pub(crate) fn traceback(&self, text: &str) -> Vec<String> {
        text.lines()
            .map(str::trim)
            .filter(|line| {
                let head = line.starts_with("stack traceback:") || line.is_empty();
                // The host's own frames: those of the prelude carry no name.
                let own = line.starts_with("?:") || line.ends_with("in function 'xpcall'");
                !head && !own && *line != "[C]: in ?" && !line.starts_with("(...tail calls")
            })
            .take(TRACEBACK_LINES)
            .map(|line| self.rewrite(line))
            .collect()
    }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn shortened(file: &str) -> String {
    file[..floor(file, SHORT_NAME)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{LineMap, Place};

    fn mapped(file: &str, lines: &[u32]) -> SourceMap {
        let lines = lines.iter().map(|&line| Place { line, ..Place::default() }).collect();
        SourceMap::Lines(LineMap { files: vec![file.into()], lines })
    }

    #[test]
    fn positions_lead_to_the_source() {
        let mut sources = Sources::default();
        assert_eq!(sources.enter("a.lua", SourceMap::Identity), "=a.lua");
        sources.enter("lib/b.fnl", mapped("lib/b.fnl", &[10, 20]));
        let located = sources.locate("lib/b.fnl:2: a.lua:7: in (lib/b.fnl:1: x) boom");
        assert_eq!(located.file.as_deref(), Some("lib/b.fnl"));
        assert_eq!(located.line, Some(20));
        assert_eq!(located.message, "a.lua:7: in (lib/b.fnl:10: x) boom");
        assert_eq!(sources.locate("c.lua:1: x").message, "c.lua:1: x");
    }

    #[test]
    fn long_names_stay_apart() {
        let mut sources = Sources::default();
        let (one, two) = (format!("{}/a.lua", "x".repeat(80)), format!("{}/b.lua", "x".repeat(80)));
        let (short_one, short_two) =
            (sources.enter(&one, SourceMap::Identity), sources.enter(&two, SourceMap::Identity));
        assert_ne!(short_one, short_two);
        assert!(short_two.len() <= SHORT_NAME + 1);
        assert_eq!(sources.locate(&format!("{}:4: x", &short_two[1..])).file, Some(two));
    }

    #[test]
    fn a_traceback_shows_no_frame_of_the_host() {
        let mut sources = Sources::default();
        sources.enter("b.fnl", mapped("b.fnl", &[1, 70]));
        let text = "stack traceback:\n\t[C]: in function 'error'\n\tb.fnl:2: in function 'f'\n\t?: in \
                    function 'x'\n\t[C]: in function 'xpcall'";
        assert_eq!(
            sources.traceback(text),
            ["[C]: in function 'error'", "b.fnl:70: in function 'f'"]
        );
    }
}
