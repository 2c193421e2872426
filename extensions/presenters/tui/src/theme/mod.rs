//! Themes as data: what each role looks like, from files that a person can write.
//!
//! [`Themes`] knows what there is and reads a theme when it is asked for; [`Theme`] answers with a
//! style by a look into a table. Nothing here draws, and nothing else names a colour. The application
//! asks for the theme in use; painting asks the theme.
//!
//! A theme is a file `NAME.json`:
//!
//! ```json
//! {
//!   "name": "mine",
//!   "extends": "dark",
//!   "colours": { "accent": "#8fbcbb" },
//!   "roles": { "user": { "fg": "accent", "bg": "#2e3440", "bold": true } }
//! }
//! ```
//!
//! All fields may be left out. `extends` names a theme whose colours and roles hold where this one
//! says nothing else; a file named like a built-in theme takes its place, and may extend it. A colour
//! is `#rrggbb`, `#rgb`, one of the 16 names of ANSI, `0` to `255`, `default`, or a name from
//! `colours`. A role has `fg`, `bg`, `bold`, `dim`, `italic`, `underline`, `reverse` and `strike`. The
//! `bg` of the role `text` is the ground on which all else stands; roles without colours of their own
//! have those of `text`.

mod colour;
mod definition;
mod files;

pub(crate) use colour::Depth;
pub(crate) use files::Themes;

use fen_cells::{Look, Role};
use ratatui::style::{Color, Modifier, Style};

/// The styles of all roles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Theme {
    /// Its name.
    pub(crate) name: String,
    /// How what has no other style looks.
    ground: Style,
    styles: [Style; Role::ALL.len()],
}

impl Theme {
    /// The terminal's own colours for everything, where no theme can be had.
    pub(crate) fn plain() -> Theme {
        Theme::new("plain".to_owned(), [Style::default(); Role::ALL.len()])
    }

    fn new(name: String, mut styles: [Style; Role::ALL.len()]) -> Theme {
        let Style { fg, bg, .. } = styles[Role::Text as usize];
        let ground = Style { fg, bg, ..Style::new() };
        // A span of plain text leaves the background of its row.
        styles[Role::Text as usize].bg = None;
        Theme { name, ground, styles }
    }

    /// The style of a look, to be laid over the row's.
    pub(crate) fn style(&self, look: Look) -> Style {
        let mut style = self.styles[look.role as usize];
        for (is_set, modifier) in [
            (look.is_bold(), Modifier::BOLD),
            (look.is_italic(), Modifier::ITALIC),
            (look.is_underlined(), Modifier::UNDERLINED),
            (look.is_struck(), Modifier::CROSSED_OUT),
        ] {
            if is_set {
                style.add_modifier.insert(modifier);
            }
        }
        style
    }

    /// The style of empty cells, and of what has no other.
    pub(crate) fn ground(&self) -> Style {
        self.ground
    }

    /// The background that fills a row of that role; `None` where the role has none of its own.
    pub(crate) fn background(&self, role: Role) -> Option<Color> {
        match role {
            Role::Text => self.ground.bg,
            _ => self.styles[role as usize].bg,
        }
    }

    /// The style of a row that is filled: the background, or the reversal that stands for one.
    pub(crate) fn fill(&self, role: Role) -> Style {
        let reversed = self.styles[role as usize].add_modifier & Modifier::REVERSED;
        let bg = self.background(role).or(self.ground.bg);
        Style { bg, ..self.ground }.add_modifier(reversed)
    }
}

#[cfg(test)]
mod tests;
