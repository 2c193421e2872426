//! The files beside a program of the person's own: those below the folder that it is in, which it may
//! require and take macros from.
//!
//! Nothing is read before it is asked for, and nothing outside of the folder: neither by name nor by
//! a link.

use super::program::{OwnFiles, module_files};
use crate::language::{Sibling, Siblings};
use crate::vm::{Module, Resolver};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// The most bytes of a file; the engine takes no more.
const MOST_BYTES: u64 = 2 << 20;
/// How files of code end.
const ENDINGS: [&str; 3] = ["lua", "fnl", "fnlm"];

/// A program's own files, and those below a folder.
#[derive(Clone)]
pub(super) struct Beside {
    pub own: OwnFiles,
    pub folder: PathBuf,
}

impl Beside {
    /// The text of a file below the folder, `None` if there is no such file.
    fn text(&self, path: &str) -> Result<Option<String>, String> {
        let below = Path::new(path);
        let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
        let is_code = below.extension().is_some_and(|end| ENDINGS.iter().any(|one| end == *one));
        if !is_below || !is_code || path.contains('\0') {
            return Ok(None);
        }
        let file = self.folder.join(below);
        let Ok(real) = file.canonicalize() else { return Ok(None) };
        if !real.is_file() {
            return Ok(None);
        }
        let wrong = |reason: &str| format!("{path} {reason}");
        let folder = self.folder.canonicalize().map_err(|error| error.to_string())?;
        if !real.starts_with(folder) {
            return Err(wrong("is a link that leads out of its folder"));
        }
        let mut bytes = Vec::new();
        std::fs::File::open(real)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| wrong(&format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong(&format!("has more than {MOST_BYTES} bytes")));
        }
        String::from_utf8(bytes).map(Some).map_err(|_| wrong("is not UTF-8 text"))
    }
}

impl Siblings for Beside {
    fn file(&self, path: &str) -> Result<Option<Sibling>, String> {
        if let Some(own) = self.own.file(path)? {
            return Ok(Some(own));
        }
        let text = self.text(path)?;
        Ok(text.map(|text| Sibling { name: path.to_owned(), text: text.into() }))
    }
}

impl Resolver for Beside {
    fn resolve(&self, name: &str) -> Result<Option<Module>, String> {
        let mut tried = Vec::new();
        for (language, file) in module_files(name) {
            if let Some(Sibling { name, text }) = self.file(&file)? {
                return Ok(Some(Module { language, file: name, text }));
            }
            tried.push(file);
        }
        let folder = self.folder.display();
        let tried = tried.join(", ");
        Err(format!("module '{name}' not found: there is none of {tried} in {folder}"))
    }

    fn siblings(&self) -> Rc<dyn Siblings> {
        Rc::new(self.clone())
    }
}
