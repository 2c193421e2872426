//! The options of `fen fennel`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with Fennel.
#[derive(Debug, Subcommand)]
pub enum FennelAction {
    /// Compile Fennel to Lua 5.4, and print it
    ///
    /// Modules of macros and included files are found in the folder of the file that names them
    /// first, then in the working directory, and nowhere else. Exit codes: 0 it compiles, 1 it does
    /// not, 2 a file cannot be read or written.
    Compile {
        /// The files; `-` is standard input, which a pipe needs no name for
        files: Vec<PathBuf>,
        /// Write the Lua to this file; with several FILES, into this folder
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Give the source line of each line of Lua too: print JSON, or write OUT.map beside OUT
        #[arg(long)]
        map: bool,
        /// Which global names there are.
        #[command(flatten)]
        names: Names,
    },
    /// Tell all mistakes in Fennel, and locals that nothing reads
    ///
    /// Nothing is run but macros. Modules of macros end in .fnlm, are called init-macros.fnl, or are
    /// imported by another of the files. Exit codes: 0 it compiles, 1 it does not, 2 a file cannot be read.
    Check {
        /// Files, or folders with all .fnl and .fnlm files below; `-` is standard input
        files: Vec<PathBuf>,
        /// Print each finding as a line of JSON
        #[arg(long)]
        json: bool,
        /// Which global names there are.
        #[command(flatten)]
        names: Names,
    },
    /// Lay out Fennel as its community does, in place
    ///
    /// Forms and comments stay as they are. What cannot be read as Fennel is left alone. Exit codes:
    /// 0 it is laid out, 1 a file is no Fennel or would change (with --check), 2 a file cannot be
    /// read or written.
    Fmt {
        /// Files, or folders with all .fnl and .fnlm files below; `-` is standard input, written to
        /// standard output
        files: Vec<PathBuf>,
        /// Change nothing; show what would change
        #[arg(long)]
        check: bool,
    },
    /// Type Fennel and see what it gives, with fen's `api`
    ///
    /// It runs as `fen run` runs a file, with your rights. ,help lists the commands; ctrl-c ends
    /// what runs, ctrl-d leaves.
    Repl,
}

/// The global names that a program may use.
#[derive(Debug, Args, Clone)]
pub struct Names {
    /// Further global names, separated by commas; those of Lua 5.4, `api` and `arg` are known
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub globals: Vec<String>,
    /// Take any unknown name for a global
    #[arg(long, conflicts_with = "globals")]
    pub no_check_globals: bool,
}
