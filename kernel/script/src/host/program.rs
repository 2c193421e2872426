//! What the host needs of an extension to run it: its files and what it may do.

use crate::capability::{self, Grants};
use crate::language::{Language, Sibling, Siblings, languages};
use crate::package::{Capability, Hooks, Package};
use crate::vm::{Module, Resolver};
use fen_contract::api::{Manifest, Source};
use fen_contract::failure::Failure;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// What an extension may reach beside fen itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Granted {
    /// Files, programs, the network, the environment.
    pub outside: Grants,
    /// The keys of these auth backends.
    pub auth: Vec<String>,
}

impl Granted {
    /// What a manifest asks for.
    pub fn asked(capabilities: &[Capability]) -> Self {
        let outside = capabilities.iter().filter_map(|capability| match capability {
            Capability::Fs => Some(capability::Capability::Fs),
            Capability::Process => Some(capability::Capability::Process),
            Capability::Http => Some(capability::Capability::Http),
            Capability::Env => Some(capability::Capability::Env),
            Capability::Auth(_) => None,
        });
        let auth = capabilities.iter().filter_map(|capability| match capability {
            Capability::Auth(name) => Some(name.clone()),
            _ => None,
        });
        Granted { outside: outside.collect(), auth: auth.collect() }
    }

    /// The words that a manifest uses.
    pub fn names(&self) -> Vec<String> {
        let outside = capability::Capability::ALL.into_iter().filter(|one| self.outside.has(*one));
        outside
            .map(|capability| capability.name().to_owned())
            .chain(self.auth.iter().map(|name| format!("auth:{name}")))
            .collect()
    }
}

/// An extension's code, read and judged; nothing is read again when it runs.
#[derive(Debug, Clone)]
pub struct Program {
    /// Name, description and overrides.
    pub manifest: Manifest,
    /// Where it comes from.
    pub source: Source,
    /// Its folder or file.
    pub place: PathBuf,
    /// The file that is run, by its name in `files`.
    pub entry: String,
    /// All files that its code can load, by their path below the folder.
    pub files: BTreeMap<String, Arc<str>>,
    /// What it may reach.
    pub granted: Granted,
    /// Whether its manifest says that it has hooks: tools are blocked while it cannot run.
    pub has_hooks: bool,
}

/// Whether code looks as if it had hooks. It is asked where the code cannot run, and errs on the
/// side of yes: a guard that is broken must not let everything pass.
pub(crate) fn mentions_hooks(code: &[u8]) -> bool {
    let finds = |word: &[u8]| memchr::memmem::find(code, word).is_some();
    finds(b"before-tool") || finds(b"before_tool")
}

impl From<&Package> for Program {
    fn from(package: &Package) -> Self {
        let manifest = package.manifest();
        Program {
            manifest: package.contract_manifest(),
            source: package.source(),
            place: package.place().to_owned(),
            entry: package.entry().to_owned(),
            files: package.files().clone(),
            granted: Granted::asked(&manifest.capabilities),
            has_hooks: manifest.hooks != Hooks::None,
        }
    }
}

impl Program {
    /// Whether it has hooks, by its manifest or by the look of its code.
    pub(crate) fn may_have_hooks(&self) -> bool {
        self.has_hooks || self.files.values().any(|text| mentions_hooks(text.as_bytes()))
    }

    /// How errors call one of its files: with the extension's name where it has a folder.
    pub fn shown(&self, file: &str) -> String {
        match self.files.len() {
            0 | 1 => file.to_owned(),
            _ => format!("{}/{file}", self.manifest.name),
        }
    }

    /// The text of the file that is run.
    pub(super) fn entry_text(&self) -> Result<&Arc<str>, Failure> {
        self.files.get(&self.entry).ok_or_else(|| {
            Failure::new(format!("the entry `{}` is not among its files", self.entry))
        })
    }

    /// The file behind a module's name.
    fn module(&self, name: &str) -> Option<(&'static dyn Language, &str, &Arc<str>)> {
        module_files(name).into_iter().find_map(|(language, file)| {
            let (file, text) = self.files.get_key_value(&file)?;
            Some((language, file.as_str(), text))
        })
    }
}

/// The files that a module of this name may be, the first one that is there wins.
pub(super) fn module_files(name: &str) -> Vec<(&'static dyn Language, String)> {
    let path = name.replace('.', "/");
    let files = languages().into_iter().flat_map(|language| {
        let suffix = language.suffix();
        [format!("{path}.{suffix}"), format!("{path}/init.{suffix}")].map(|file| (language, file))
    });
    files.collect()
}

/// `require` and `import-macros` find the extension's own files.
#[derive(Clone)]
pub(crate) struct OwnFiles(pub Arc<Program>);

impl Siblings for OwnFiles {
    fn file(&self, path: &str) -> Result<Option<Sibling>, String> {
        let text = self.0.files.get(path);
        Ok(text.map(|text| Sibling { name: self.0.shown(path), text: text.clone() }))
    }
}

impl Resolver for OwnFiles {
    fn resolve(&self, name: &str) -> Result<Option<Module>, String> {
        let found = self.0.module(name);
        Ok(found.map(|(language, file, text)| Module {
            language,
            file: self.0.shown(file),
            text: text.clone(),
        }))
    }

    fn siblings(&self) -> Rc<dyn Siblings> {
        Rc::new(self.clone())
    }
}
