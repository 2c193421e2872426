//! What an extension needs beside itself, and whether it is there.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What an extension needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requires {
    /// Lua modules, of the extension itself or of fen, as `require` names them.
    pub lua: Vec<String>,
    /// Programs, as they are called on the command line.
    pub programs: Vec<String>,
}

/// Something that an extension needs and that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A Lua module.
    Lua(String),
    /// A program.
    Program(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Lua(name) => {
                write!(f, "the Lua module `{name}` is neither in its folder nor one of fen's")
            }
            Missing::Program(name) => {
                write!(f, "the program `{name}` is not on PATH; install it")
            }
        }
    }
}

/// The programs that are not found on `path`, a list of folders like `$PATH`. Folders that are not
/// absolute are passed over: a project must not be able to answer for the system.
pub fn missing_programs(requires: &Requires, path: &OsStr) -> Vec<String> {
    let is_program = |file: &Path| {
        file.metadata()
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    requires
        .programs
        .iter()
        .filter(|program| {
            !std::env::split_paths(path)
                .any(|folder| folder.is_absolute() && is_program(&folder.join(program)))
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_program_is_an_executable_file_in_an_absolute_folder_of_the_path() {
        let folder = tempfile::tempdir().unwrap();
        for (name, mode) in [("runs", 0o755), ("text", 0o644)] {
            let file = folder.path().join(name);
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::create_dir(folder.path().join("folder")).unwrap();
        let requires = Requires {
            programs: ["runs", "text", "folder", "absent"].map(String::from).to_vec(),
            ..Requires::default()
        };
        let path = std::env::join_paths([Path::new("."), folder.path()]).unwrap();
        assert_eq!(missing_programs(&requires, &path), ["text", "folder", "absent"]);
        assert_eq!(missing_programs(&requires, OsStr::new("")).len(), 4);
    }
}
