//! Lays compiled Lua out so that its lines have the numbers of the source's lines.
//!
//! Lua writes the line of its own text into the errors that a script catches itself, where nothing
//! can translate it. So each line of Lua is put on the line that it is from. Where the source's order
//! is not Lua's, a few lines stand further down until there is room again; for these a map is kept.

use super::lua_lines::{LineEnd, line_ends};
use super::{LineMap, Place, SourceMap};

/// The most empty lines that are put in: a map that leads nowhere must not make a huge text.
const MOST_LINES: u32 = 1 << 20;

/// The same program on its own lines, and the way from them to the source.
pub(super) fn on_own_lines(lua: String, map: LineMap) -> (String, SourceMap) {
    let Some(ends) = line_ends(&lua) else { return (lua, SourceMap::Lines(map)) };
    let mut laid = Laid {
        lua: String::with_capacity(lua.len()),
        lines: vec![Place::default()],
        end: LineEnd::Free,
    };
    let nowhere = Place::default();
    for ((index, line), end) in lua.lines().enumerate().zip(ends) {
        laid.put(line.trim(), map.lines.get(index).copied().unwrap_or(nowhere), end);
    }
    laid.lua.push('\n');
    let Laid { lua, lines, .. } = laid;
    let is_own = |(line, place): (u32, &Place)| place.line == 0 || *place == main(line);
    if (1..).zip(&lines).all(is_own) {
        return (lua, SourceMap::Identity);
    }
    (lua, SourceMap::Lines(LineMap { lines, ..map }))
}

/// A line of the file that was compiled.
fn main(line: u32) -> Place {
    Place { line, ..Place::default() }
}

/// Whether nothing in a line of Lua can raise an error or take long: it only hands values on.
fn is_harmless(text: &str) -> bool {
    let hands_on = |c: char| c.is_alphanumeric() || "_ ,={}\"".contains(c);
    text.chars().all(hands_on)
        && !text.contains("==")
        && !text.split(' ').any(|word| LOOPS.contains(&word))
}

/// Words that begin what can go on for long, or call something.
const LOOPS: [&str; 4] = ["for", "in", "while", "goto"];

struct Laid {
    lua: String,
    /// How the last piece ended.
    end: LineEnd,
    /// The place of each line so far; line 0 where nothing on it can raise an error.
    lines: Vec<Place>,
}

impl Laid {
    /// The number of the present line, from 1.
    fn line(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    fn put(&mut self, text: &str, place: Place, end: LineEnd) {
        if text.is_empty() {
            return;
        }
        let is_closed = std::mem::replace(&mut self.end, end) == LineEnd::Comment;
        let present = self.lines.last().copied().unwrap_or_default();
        // What raises no error needs no line of its own, where the one that it is from is past.
        let is_past = place.line < self.line() || place != main(place.line);
        let place = if is_past && is_harmless(text) { Place::default() } else { place };
        let is_taken = present.line != 0 && place.line != 0 && present != place;
        if is_closed || is_taken {
            self.end_line();
        }
        if place.line != 0 {
            if place == main(place.line) && place.line <= MOST_LINES {
                while self.line() < place.line {
                    self.end_line();
                }
            }
            if let Some(present) = self.lines.last_mut() {
                *present = place;
            }
        }
        if !self.lua.is_empty() && !self.lua.ends_with('\n') {
            self.lua.push(' ');
        }
        self.lua.push_str(text);
    }

    fn end_line(&mut self) {
        self.lua.push('\n');
        self.lines.push(Place::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(lua: &str, lines: &[u32]) -> (String, SourceMap) {
        let lines = lines.iter().map(|&line| main(line)).collect();
        on_own_lines(lua.to_owned(), LineMap { files: vec!["a.fnl".into()], lines })
    }

    #[test]
    fn each_line_stands_where_it_is_from() {
        let (lua, map) =
            laid("local x = 1\nlocal function f()\n  return x\nend\nf()\n", &[2, 4, 4, 0, 6]);
        assert_eq!(lua, "\nlocal x = 1\n\nlocal function f() return x end\n\nf()\n");
        assert_eq!(map, SourceMap::Identity);
    }

    #[test]
    fn what_comes_from_further_up_is_mapped_and_what_follows_is_in_place_again() {
        let (lua, map) = laid("f() +\ng()\n+ h()\nx()\ny()", &[1, 2, 1, 3, 7]);
        assert_eq!(lua, "f() +\ng()\n+ h()\nx()\n\n\ny()\n");
        let origins: Vec<u32> = (1..=7).map(|line| map.origin("a.fnl", line).1).collect();
        assert_eq!(origins, [1, 2, 1, 3, 3, 3, 7]);
    }

    #[test]
    fn what_only_hands_values_on_makes_room() {
        let (lua, map) = laid("local x\nf()\nx = y\nif x then\ng()\nend\n", &[1, 2, 1, 1, 3, 0]);
        assert_eq!(lua, "local x\nf() x = y if x then\ng() end\n");
        assert_eq!(map, SourceMap::Identity);
    }

    #[test]
    fn lua_of_the_programs_own_is_left_alone() {
        let (lua, map) = laid("x = 1 -- a comment\ny()", &[3, 3]);
        assert_eq!(lua, "\n\nx = 1 -- a comment\ny()\n");
        assert_eq!(map.origin("a.fnl", 4), ("a.fnl", 3));
        let text = "x = [[\n\n]]\ny()";
        assert_eq!(laid(text, &[3, 3, 3, 4]).0, text);
    }
    #[test]
    fn signs_within_a_string_are_no_signs() {
        let (lua, map) = laid("x = \"[[ -- [=\"\nf(x)\ng('\\\\', \"\\\"--\")", &[3, 3, 3]);
        assert_eq!(lua, "\n\nx = \"[[ -- [=\" f(x) g('\\\\', \"\\\"--\")\n");
        assert_eq!(map, SourceMap::Identity);
    }

    #[test]
    fn strings_and_comments_of_several_lines_stay() {
        for text in [
            "x = [==[\n]]]==]\ny()",
            "x = \"a\\\nb\"\ny()",
            "x = 'a\\z\n  b'\ny()",
            "--[[\n]] y()\nz()",
            "x = 1\ry()",
            "x = [[",
        ] {
            assert_eq!(laid(text, &[3, 3, 4]).0, text);
        }
        let (lua, _) = laid("x = [[a]] --[[b]]\ny() --\nz()", &[3, 3, 3]);
        assert_eq!(lua, "\n\nx = [[a]] --[[b]] y() --\nz()\n");
    }

    /// Not a minute, as it was when each statement looked at all those before it on its line.
    #[test]
    fn many_statements_may_come_from_one_line() {
        let count = 200_000;
        let (lua, map) = laid(&"f()\n".repeat(count), &vec![1; count]);
        assert_eq!((lua.lines().count(), lua.len()), (1, 4 * count));
        assert_eq!(map, SourceMap::Identity);
    }
}
