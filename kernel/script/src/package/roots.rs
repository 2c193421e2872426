//! Where extensions are looked for, in the order in which they win a name.
//!
//! It names folders and asks only whether they are there; what lies in them is
//! [`super::discovery`]'s affair.

use fen_contract::api::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder with a project's extensions, from a folder of the project.
const PROJECT: &str = ".fen/extensions";

/// Where to look.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    /// Files and folders that were named one by one, each one extension.
    pub explicit: Vec<PathBuf>,
    /// The working directory, absolute; relative paths of `explicit` begin there.
    pub cwd: PathBuf,
    /// From where a project's extensions are looked up; `None` leaves them out.
    pub project: Option<PathBuf>,
    /// Further folders of the person's, as `$FEN_EXTENSIONS_PATH` has them.
    pub listed: Option<OsString>,
    /// The person's configuration folder, which has `extensions/` in it.
    pub config: Option<PathBuf>,
}

/// One folder whose entries may be extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The folder.
    pub place: PathBuf,
    /// What its entries come from.
    pub source: Source,
}

impl Roots {
    /// The explicit paths, made absolute.
    pub fn explicit_paths(&self) -> Vec<PathBuf> {
        self.explicit.iter().map(|path| self.cwd.join(path)).collect()
    }

    /// The folders in order: the project's, from the nearest up to the repository's root; the
    /// listed ones; the person's own. Listed paths that are not absolute are among them, for the
    /// reader to tell of. They need not be there.
    pub fn folders(&self) -> Vec<Root> {
        let root = |source| move |place| Root { place, source };
        let listed = self.listed.as_deref().map(std::env::split_paths).into_iter().flatten();
        let listed = listed.filter(|path| !path.as_os_str().is_empty());
        let user = self.config.iter().map(|config| config.join("extensions"));
        self.project_folders()
            .into_iter()
            .map(root(Source::Project))
            .chain(listed.chain(user).map(root(Source::User)))
            .collect()
    }

    fn project_folders(&self) -> Vec<PathBuf> {
        let Some(begin) = &self.project else {
            return Vec::new();
        };
        let top = begin
            .ancestors()
            .find(|folder| folder.join(".git").symlink_metadata().is_ok())
            .unwrap_or(begin);
        begin
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .map(|folder| folder.join(PROJECT))
            .filter(|folder| folder.symlink_metadata().is_ok() && !self.is_the_persons(folder))
            .collect()
    }

    /// Whether the folder lies in the person's own configuration: that is not a project's, even
    /// where it is kept in a repository or a project links to it.
    fn is_the_persons(&self, folder: &Path) -> bool {
        let Some(config) = &self.config else {
            return false;
        };
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        canonical(folder).starts_with(canonical(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn project_folders(roots: &Roots) -> Vec<PathBuf> {
        let folders = roots.folders().into_iter();
        folders.filter(|root| root.source == Source::Project).map(|root| root.place).collect()
    }

    #[test]
    fn a_project_reaches_up_to_its_repository_and_no_further() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in [".fen/extensions", "repo/.fen/extensions", "repo/a/b/.fen/extensions"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let mut roots = Roots { project: Some(at("repo/a/b")), ..Roots::default() };
        assert_eq!(project_folders(&roots), [at("repo/a/b/.fen/extensions")]);
        // A worktree has a file there.
        fs::write(at("repo/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(
            project_folders(&roots),
            [at("repo/a/b/.fen/extensions"), at("repo/.fen/extensions")]
        );
        roots.project = None;
        assert!(project_folders(&roots).is_empty());
    }

    #[test]
    fn the_persons_configuration_is_no_project() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("config/fen/extensions/x/.fen/extensions")).unwrap();
        fs::create_dir_all(at("home/.git")).unwrap();
        fs::create_dir_all(at("home/.fen")).unwrap();
        symlink(at("config/fen/extensions"), at("home/.fen/extensions")).unwrap();
        let config = Some(at("config/fen"));
        let inside = Some(at("config/fen/extensions/x"));
        let roots = Roots { project: inside, config: config.clone(), ..Roots::default() };
        assert!(project_folders(&roots).is_empty());
        let roots = Roots { project: Some(at("home")), config, ..Roots::default() };
        assert!(project_folders(&roots).is_empty());
        fs::remove_file(at("home/.fen/extensions")).unwrap();
        fs::create_dir(at("home/.fen/extensions")).unwrap();
        assert_eq!(project_folders(&roots), [at("home/.fen/extensions")]);
    }

    #[test]
    fn the_order_is_project_then_listed_then_the_persons() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join(PROJECT)).unwrap();
        let roots = Roots {
            explicit: vec!["x.lua".into(), "/y".into()],
            cwd: "/here".into(),
            project: Some(dir.path().into()),
            listed: Some("/b::a".into()),
            config: Some("/c".into()),
        };
        let places: Vec<_> = roots.folders().into_iter().map(|root| root.place).collect();
        assert_eq!(
            places,
            [dir.path().join(PROJECT), "/b".into(), "a".into(), "/c/extensions".into()]
        );
        assert_eq!(roots.explicit_paths(), [Path::new("/here/x.lua"), Path::new("/y")]);
    }
}
