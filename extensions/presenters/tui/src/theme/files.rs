//! Where themes come from: the built-in ones and the person's folder. A theme is read when it is
//! asked for, so that a start reads the one in use alone.

use super::Theme;
use super::colour::Depth;
use super::definition::{Definition, Fault};
use crate::user_file;
use fen_cells::Role;
use fen_contract::validate::did_you_mean;
use ratatui::style::Style;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The built-in themes.
const BUILT_IN: [(&str, &str); 4] = [
    ("dark", include_str!("builtin/dark.json")),
    ("light", include_str!("builtin/light.json")),
    ("high-contrast", include_str!("builtin/high-contrast.json")),
    (NO_COLOUR, include_str!("builtin/no-colour.json")),
];

/// The theme that stands in where a terminal has no colours.
const NO_COLOUR: &str = "no-colour";
/// How many files of the folder are looked at.
const MOST_FILES: usize = 1_000;
/// How many themes one may stand on.
const MOST_EXTENDED: usize = 8;

/// Why a theme is not to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ThemeError {
    /// There is none of that name.
    #[error("there is no theme `{name}`{near}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// What may be meant, as the end of the sentence.
        near: String,
    },
    /// It cannot be read.
    #[error("{file} cannot be read: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// Something in it does not mean anything.
    #[error("{file}: {text}")]
    Broken {
        /// The file.
        file: String,
        /// The place and what is wrong there.
        text: String,
    },
}

/// All themes that there are.
#[derive(Debug)]
pub(crate) struct Themes {
    depth: Depth,
    folder: Option<PathBuf>,
    files: BTreeMap<String, PathBuf>,
    read: BTreeMap<String, Arc<Theme>>,
}

impl Themes {
    /// Looks which themes there are, and reads none. The second is what kept it from looking.
    pub(crate) fn load(folder: Option<&Path>, depth: Depth) -> (Themes, Vec<String>) {
        let mut themes = Themes {
            depth,
            folder: folder.map(Path::to_owned),
            files: BTreeMap::new(),
            read: BTreeMap::new(),
        };
        let problems = themes.reload();
        (themes, problems)
    }

    /// Looks again, and forgets what was read.
    pub(crate) fn reload(&mut self) -> Vec<String> {
        self.read.clear();
        self.files.clear();
        let Some(folder) = &self.folder else { return Vec::new() };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => return vec![format!("{} cannot be read: {error}", folder.display())],
        };
        for path in entries.take(MOST_FILES).flatten().map(|entry| entry.path()) {
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            let name = path.file_stem().and_then(|name| name.to_str()).map(str::to_owned);
            if let Some(name) = name.filter(|name| is_json && !name.starts_with('.')) {
                self.files.insert(name, path);
            }
        }
        Vec::new()
    }

    /// The names of all themes: the built-in ones, then those of the folder.
    pub(crate) fn names(&self) -> Vec<&str> {
        let own = self.files.keys().map(String::as_str).filter(|name| built_in(name).is_none());
        BUILT_IN.iter().map(|(name, _)| *name).chain(own).collect()
    }

    /// The theme of that name, in the colours that the terminal has.
    pub(crate) fn get(&mut self, name: &str) -> Result<Arc<Theme>, ThemeError> {
        if let Some(theme) = self.read.get(name) {
            return Ok(theme.clone());
        }
        let mut styles = self.styles(name)?;
        if self.depth == Depth::None {
            // Without its colours most of a theme would look the same.
            let (file, definition) = (NO_COLOUR.to_owned(), built_in(NO_COLOUR));
            if let Some(text) = definition {
                styles = settle(&file, &parse(&file, text)?, self.depth)?;
            }
        }
        let theme = Arc::new(Theme::new(name.to_owned(), styles));
        self.read.insert(name.to_owned(), theme.clone());
        Ok(theme)
    }

    /// Reads all themes of the folder, and says what is wrong with them.
    pub(crate) fn problems(&self) -> Vec<String> {
        let all = self.files.keys().map(|name| self.styles(name));
        all.filter_map(|styles| styles.err()).map(|error| error.to_string()).collect()
    }

    /// The theme for a setting: its name, or for `auto` and none at all the one that fits the
    /// terminal's background, as `COLORFGBG` tells it.
    pub(crate) fn choose<'a>(setting: Option<&'a str>, colorfgbg: Option<&str>) -> &'a str {
        match setting {
            Some(name) if name != "auto" => name,
            _ if colorfgbg.is_some_and(is_light) => "light",
            _ => "dark",
        }
    }

    fn styles(&self, name: &str) -> Result<[Style; Role::ALL.len()], ThemeError> {
        let mut seen = BTreeSet::new();
        let (mut file, mut definition) = self.definition(name, &mut seen)?;
        let own_file = file.clone();
        while let Some(base) = definition.extends.clone() {
            if seen.len() >= MOST_EXTENDED {
                let text = format!("extends: more than {MOST_EXTENDED} themes stand on each other");
                return Err(ThemeError::Broken { file, text });
            }
            let (base_file, below) = self.definition(&base, &mut seen).map_err(|error| {
                let named = |text| ThemeError::Broken { file: file.clone(), text };
                match error {
                    ThemeError::Unknown { .. } => named(format!("extends: {error}")),
                    other => other,
                }
            })?;
            definition = definition.over(below);
            file = base_file;
        }
        settle(&own_file, &definition, self.depth)
    }

    /// What a theme's text says. Of a name that has a file and is built in, the file comes first.
    fn definition(
        &self,
        name: &str,
        seen: &mut BTreeSet<String>,
    ) -> Result<(String, Definition), ThemeError> {
        let again = !seen.insert(name.to_owned());
        if let Some(path) = self.files.get(name).filter(|_| !again) {
            let file = path.display().to_string();
            let text = user_file::read(path)
                .and_then(|text| text.ok_or_else(|| io::ErrorKind::NotFound.into()))
                .map_err(|error| ThemeError::Unreadable { file: file.clone(), error })?;
            let definition = parse(&file, &text)?;
            return match &definition.name {
                Some(other) if other != name => {
                    let text = format!("name: it is `{other}`, but the file is that of `{name}`");
                    Err(ThemeError::Broken { file, text })
                }
                _ => Ok((file, definition)),
            };
        }
        let Some(text) = built_in(name) else {
            if again {
                let file = format!("theme `{name}`");
                let text = "extends: it stands on itself".to_owned();
                return Err(ThemeError::Broken { file, text });
            }
            let near = did_you_mean(name, self.names());
            return Err(ThemeError::Unknown { name: name.to_owned(), near });
        };
        let file = format!("built-in theme `{name}`");
        let definition = parse(&file, text)?;
        Ok((file, definition))
    }
}

fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn parse(file: &str, text: &str) -> Result<Definition, ThemeError> {
    Definition::parse(text).map_err(|fault| broken(file, &fault))
}

fn settle(
    file: &str,
    definition: &Definition,
    depth: Depth,
) -> Result<[Style; Role::ALL.len()], ThemeError> {
    definition.settle(depth).map_err(|fault| broken(file, &fault))
}

fn broken(file: &str, fault: &Fault) -> ThemeError {
    ThemeError::Broken { file: file.to_owned(), text: fault.to_string() }
}

/// Whether `COLORFGBG`, as in `0;15` or `0;default;15`, ends in the number of a light background.
fn is_light(colorfgbg: &str) -> bool {
    let background = colorfgbg.rsplit(';').next().and_then(|number| number.trim().parse().ok());
    background.is_some_and(|number: u8| number == 7 || (9..=15).contains(&number))
}
