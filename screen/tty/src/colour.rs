//! How many colours a terminal has, by what the environment says.
//!
//! Owns the reading of these variables and nothing else; it must never ask the terminal. Whoever
//! chooses colours calls it once.

/// The colours that a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColourDepth {
    /// None, by the terminal or by the person's wish.
    None,
    /// The 16 colours of ANSI.
    Ansi16,
    /// The 256 colours of xterm.
    Ansi256,
    /// 24 bits.
    True,
}

/// Beginnings of the names of terminals that have 24 bits and do not always say so.
const TRUE_COLOUR: [&str; 8] =
    ["xterm-kitty", "xterm-ghostty", "ghostty", "alacritty", "foot", "wezterm", "contour", "rio"];

/// Terminals that have none.
const COLOURLESS: [&str; 5] = ["vt52", "vt100", "vt102", "vt220", "cons25-m"];

impl ColourDepth {
    /// The depth, where `lookup` gives the value of an environment variable. In this order:
    ///
    /// 1. `NO_COLOR`, if it is not empty: none.
    /// 2. `FORCE_COLOR`: `0` or `false` none, `1` 16, `2` 256, `3` 24 bits. Anything else means that
    ///    there is colour, 16 at least.
    /// 3. `TERM` missing or `dumb`: none.
    /// 4. `COLORTERM` of `truecolor` or `24bit`: 24 bits; in GNU screen, which passes on 256, these.
    /// 5. `TERM` by its name, and what the variables of some terminals say that do not set these.
    pub fn detect(lookup: &dyn Fn(&str) -> Option<String>) -> ColourDepth {
        if lookup("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return ColourDepth::None;
        }
        match lookup("FORCE_COLOR").as_deref() {
            Some("0" | "false") => ColourDepth::None,
            Some("1") => ColourDepth::Ansi16,
            Some("2") => ColourDepth::Ansi256,
            Some("3") => ColourDepth::True,
            Some(_) => terminal(lookup).max(ColourDepth::Ansi16),
            None => terminal(lookup),
        }
    }
}

/// What the terminal itself can do.
fn terminal(lookup: &dyn Fn(&str) -> Option<String>) -> ColourDepth {
    if is_dumb(lookup) {
        return ColourDepth::None;
    }
    let term = lookup("TERM").unwrap_or_default().to_lowercase();
    if COLOURLESS.contains(&term.as_str()) || term.ends_with("-mono") {
        return ColourDepth::None;
    }
    let says_true = matches!(lookup("COLORTERM").as_deref(), Some("truecolor" | "24bit"));
    let in_screen = term.starts_with("screen") && lookup("STY").is_some();
    if in_screen && says_true {
        return ColourDepth::Ansi256;
    }
    let known = TRUE_COLOUR.iter().any(|name| term.starts_with(name)) || term.contains("direct");
    let program = lookup("TERM_PROGRAM").unwrap_or_default();
    // In a multiplexer the program is the one outside, or the multiplexer.
    let in_multiplexer = term.starts_with("screen") || term.starts_with("tmux");
    let by_program = !in_multiplexer
        && (matches!(program.as_str(), "iTerm.app" | "vscode" | "WezTerm" | "ghostty")
            || lookup("WT_SESSION").is_some());
    if says_true || known || by_program {
        ColourDepth::True
    } else if term.contains("256color") {
        ColourDepth::Ansi256
    } else {
        ColourDepth::Ansi16
    }
}

/// Whether the terminal cannot do a full screen: `TERM` is missing, empty or `dumb`.
pub fn is_dumb(lookup: &dyn Fn(&str) -> Option<String>) -> bool {
    lookup("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(variables: &[(&str, &str)]) -> ColourDepth {
        ColourDepth::detect(&|name| value(variables, name))
    }

    fn value(variables: &[(&str, &str)], name: &str) -> Option<String> {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn no_color_wins_unless_it_is_empty() {
        let term = ("TERM", "xterm-256color");
        assert_eq!(depth(&[("NO_COLOR", "1"), ("FORCE_COLOR", "3"), term]), ColourDepth::None);
        assert_eq!(depth(&[("NO_COLOR", ""), term]), ColourDepth::Ansi256);
    }

    #[test]
    fn force_color_says_how_many() {
        for (value, expected) in [
            ("0", ColourDepth::None),
            ("false", ColourDepth::None),
            ("1", ColourDepth::Ansi16),
            ("2", ColourDepth::Ansi256),
            ("3", ColourDepth::True),
            ("true", ColourDepth::Ansi256),
        ] {
            assert_eq!(depth(&[("FORCE_COLOR", value), ("TERM", "xterm-256color")]), expected);
        }
        assert_eq!(depth(&[("FORCE_COLOR", "")]), ColourDepth::Ansi16);
    }

    #[test]
    fn the_terminal_is_known_by_its_name() {
        for (term, expected) in [
            ("dumb", ColourDepth::None),
            ("", ColourDepth::None),
            ("vt100", ColourDepth::None),
            ("xterm-mono", ColourDepth::None),
            ("linux", ColourDepth::Ansi16),
            ("xterm", ColourDepth::Ansi16),
            ("xterm-256color", ColourDepth::Ansi256),
            ("tmux-256color", ColourDepth::Ansi256),
            ("xterm-kitty", ColourDepth::True),
            ("foot", ColourDepth::True),
            ("xterm-direct", ColourDepth::True),
        ] {
            assert_eq!(depth(&[("TERM", term)]), expected, "{term}");
        }
        assert_eq!(depth(&[]), ColourDepth::None);
    }

    #[test]
    fn colorterm_is_believed_but_for_gnu_screen() {
        assert_eq!(depth(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]), ColourDepth::True);
        assert_eq!(depth(&[("TERM", "xterm"), ("COLORTERM", "24bit")]), ColourDepth::True);
        let screen = [("TERM", "screen"), ("COLORTERM", "truecolor"), ("STY", "1.pts")];
        assert_eq!(depth(&screen), ColourDepth::Ansi256);
        assert_eq!(depth(&[("TERM", "dumb"), ("COLORTERM", "truecolor")]), ColourDepth::None);
    }

    #[test]
    fn a_program_outside_a_multiplexer_says_nothing_about_it() {
        let outside = ("TERM_PROGRAM", "iTerm.app");
        assert_eq!(depth(&[("TERM", "xterm-256color"), outside]), ColourDepth::True);
        assert_eq!(depth(&[("TERM", "screen-256color"), outside]), ColourDepth::Ansi256);
    }

    #[test]
    fn dumb_is_missing_empty_or_said_so() {
        for (term, dumb) in
            [(Some("dumb"), true), (Some(""), true), (None, true), (Some("xterm"), false)]
        {
            assert_eq!(is_dumb(&|_| term.map(str::to_owned)), dumb);
        }
    }
}
