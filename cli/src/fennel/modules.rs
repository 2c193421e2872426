//! Finds the files that a program names while it is compiled: in its folder, then in the working
//! directory, and never outside of them.

use super::sources::Source;
use fennel::{ModuleText, Modules, Wanted};
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The most bytes of a module.
const MOST_BYTES: u64 = 8 << 20;

/// Files, by their real paths, that were taken for macros.
pub type Seen = Rc<RefCell<HashSet<PathBuf>>>;

/// See the module.
pub struct Folders {
    folders: Vec<Folder>,
    seen: Seen,
}

struct Folder {
    /// How messages call it.
    shown: PathBuf,
    real: PathBuf,
}

impl Folders {
    /// The folders for a text. Which modules of macros are found is noted.
    pub fn of(source: &Source, seen: Seen) -> Self {
        let own = match source {
            Source::Stdin => None,
            Source::File(path) => path.parent(),
        };
        let mut folders: Vec<Folder> = Vec::new();
        for shown in own.into_iter().chain([Path::new("")]) {
            let path = if shown.as_os_str().is_empty() { Path::new(".") } else { shown };
            let Ok(real) = path.canonicalize() else { continue };
            if folders.iter().all(|folder| folder.real != real) {
                folders.push(Folder { shown: shown.to_owned(), real });
            }
        }
        Folders { folders, seen }
    }
}

impl Modules for Folders {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        let is_name =
            !name.contains(['/', '\\', '\0']) && name.split('.').all(|part| !part.is_empty());
        if !is_name {
            return Ok(None);
        }
        let path = name.replace('.', "/");
        for folder in &self.folders {
            for ending in wanted.endings() {
                let file = folder.shown.join(format!("{path}{ending}"));
                let Ok(real) = file.canonicalize() else { continue };
                if !real.is_file() {
                    continue;
                }
                let shown = file.display().to_string();
                if !real.starts_with(&folder.real) {
                    return Err(format!("{shown} is a link that leads out of its folder"));
                }
                let text = read(&real).map_err(|reason| format!("{shown}: {reason}"))?;
                if wanted == Wanted::Macros {
                    self.seen.borrow_mut().insert(real);
                }
                return Ok(Some(ModuleText { file: shown, text: text.into() }));
            }
        }
        Ok(None)
    }
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {MOST_BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}
