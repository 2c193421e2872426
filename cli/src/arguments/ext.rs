//! The options of `fen ext`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do for an author of extensions.
#[derive(Debug, Subcommand)]
pub enum ExtAction {
    /// Begin an extension: a folder with a tool, a command and a test that passes
    New {
        /// Its name
        name: String,
        /// Where it goes.
        #[command(flatten)]
        home: Home,
        /// In which language it is written.
        #[command(flatten)]
        language: Language,
    },
    /// Load an extension aside, and tell what it contributes, what it costs and what is wrong
    ///
    /// Its code runs, with the capabilities that its manifest asks for. Exit codes: 0 it is fine,
    /// 1 it has problems, 2 there is no such path.
    Check {
        /// The extension, a file or a folder
        path: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Run an extension's tests, without a network or a real model
    ///
    /// They are the files `tests/*_test.lua` and `tests/*_test.fnl` of a folder, and NAME_test.lua
    /// or NAME_test.fnl beside an extension of one file. Each test gets fen to itself, with the extension and a provider that plays what the test says.
    /// Exit codes: 0 all pass, 1 one fails, 2 there is none.
    Test {
        /// The extension, a file or a folder
        path: PathBuf,
        /// Only tests whose file or name has this text
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
    },
    /// Print what scripts can do, as types for editors (LuaCATS)
    Types {
        /// Put `fen.lua` into this folder instead, with a `.luarc.json` that points to it
        #[arg(long, value_name = "DIR")]
        write: Option<PathBuf>,
    },
}

/// Where a new extension goes; a folder of its name in the current directory, unless one is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Home {
    /// Among your own extensions, where every conversation loads it
    #[arg(long)]
    pub user: bool,
    /// Among this project's extensions (.fen/extensions)
    #[arg(long)]
    pub project: bool,
}

/// The language of a new extension; Lua, unless one is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Language {
    /// In Lua
    #[arg(long)]
    pub lua: bool,
    /// In Fennel
    #[arg(long)]
    pub fennel: bool,
}
