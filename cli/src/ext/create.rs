//! `fen ext new`: a folder with a working extension and a test that passes.

use crate::arguments::{Home, Language};
use crate::exit;
use crate::files::Folders;
use crate::run::working_directory;
use crate::subcommands::bundled;
use fen_contract::failure::Failure;
use fen_script::package::name;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files by their names, with `NAME`, `TOOL` and `COMMAND` to be filled in.
type Files = [(&'static str, &'static str); 3];

const LUA: Files = [
    ("manifest.json", include_str!("skeleton/lua/manifest.json")),
    ("init.lua", include_str!("skeleton/lua/init.lua")),
    ("tests/NAME_test.lua", include_str!("skeleton/lua/skeleton_test.lua")),
];
const FENNEL: Files = [
    ("manifest.fnl", include_str!("skeleton/fennel/manifest.fnl")),
    ("init.fnl", include_str!("skeleton/fennel/init.fnl")),
    ("tests/NAME_test.fnl", include_str!("skeleton/fennel/skeleton_test.fnl")),
];

/// Writes the files; nothing that is there is written over.
pub fn create(extension: &str, home: &Home, language: &Language) -> Result<ExitCode, Failure> {
    let files = if language.fennel { FENNEL } else { LUA };
    name::check(extension).map_err(|error| Failure::caller(error.to_string()))?;
    let words = Words::of(extension);
    words.check_free()?;
    let place = place(extension, home)?;
    if place.symlink_metadata().is_ok() {
        return Err(Failure::caller(format!(
            "{} is there already; choose another name, or move it away",
            place.display()
        )));
    }
    for (file, text) in files {
        let path = place.join(words.fill(file));
        write(&path, &words.fill(text)).map_err(|error| {
            Failure::caller(format!("{} cannot be written: {error}", path.display()))
        })?;
    }
    Ok(exit::print(&next_steps(&place, &words, home, &files)?))
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create_new(path)?.write_all(text.as_bytes())
}

fn place(extension: &str, home: &Home) -> Result<PathBuf, Failure> {
    if home.user {
        return Ok(Folders::find()?.config.join("extensions").join(extension));
    }
    let here = working_directory()?;
    if !home.project {
        return Ok(here.join(extension));
    }
    // Where the project's other extensions are looked for from anywhere within it.
    let top = here.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    Ok(top.unwrap_or(&here).join(".fen/extensions").join(extension))
}

/// The names that the extension gives to what it contributes.
struct Words {
    extension: String,
    tool: String,
    command: String,
}

impl Words {
    fn of(extension: &str) -> Self {
        let plain = extension.to_lowercase().replace(['.', '_'], "-");
        // A command begins with a letter.
        let command = match plain.starts_with(|first: char| first.is_ascii_digit()) {
            true => format!("x{plain}"),
            false => plain,
        };
        let command = command.trim_end_matches('-').to_owned();
        Words { extension: extension.to_owned(), tool: command.replace('-', "_"), command }
    }

    fn fill(&self, text: &str) -> String {
        text.replace("NAME", &self.extension)
            .replace("TOOL", &self.tool)
            .replace("COMMAND", &self.command)
    }

    /// What comes with fen keeps its names, so an extension that takes one would not load.
    fn check_free(&self) -> Result<(), Failure> {
        let kernel = bundled()?;
        let taken = [
            ("extensions", &self.extension, "an extension"),
            ("tools", &self.tool, "a tool"),
            ("commands", &self.command, "a command"),
        ];
        for (surface, name, what) in taken {
            if kernel.list(surface)?.iter().any(|row| row["name"] == name.as_str()) {
                return Err(Failure::caller(format!(
                    "{what} `{name}` comes with fen; choose another name"
                )));
            }
        }
        Ok(())
    }
}

fn next_steps(place: &Path, words: &Words, home: &Home, files: &Files) -> Result<String, Failure> {
    let here = working_directory()?;
    let shown = place.strip_prefix(&here).unwrap_or(place).display().to_string();
    let shown =
        if shown.contains(|c: char| c.is_whitespace()) { format!("'{shown}'") } else { shown };
    let mut text = format!("wrote {shown}:\n");
    for (file, _) in files {
        text.push_str(&format!("  {}\n", words.fill(file)));
    }
    let load = if home.user {
        "fen                              every conversation has it now".to_owned()
    } else if home.project {
        "fen                              conversations in this project ask whether it may run"
            .to_owned()
    } else {
        format!("fen --extension {shown} --watch   a conversation that takes up every change")
    };
    text.push_str(&format!(
        "\nWhat next:\n  fen ext test {shown}    run its test\n  fen ext check {shown}   see what it \
         contributes, and what is wrong\n  {load}\n\nIn a conversation, type /{} some words.\n",
        words.command
    ));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributions_get_names_that_they_may_have() {
        for (extension, command, tool) in [
            ("word-count", "word-count", "word_count"),
            ("My.Ext_2", "my-ext-2", "my_ext_2"),
            ("0x", "x0x", "x0x"),
            ("a-", "a", "a"),
        ] {
            let words = Words::of(extension);
            assert_eq!((words.command.as_str(), words.tool.as_str()), (command, tool));
        }
    }
}
