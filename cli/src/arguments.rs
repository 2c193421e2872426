//! The command line as clap sees it: options and subcommands with their help.
//!
//! Data only; what they mean is decided in `run` and `subcommands`.

mod ext;
mod fennel;

pub use ext::{ExtAction, Home, Language};
pub use fennel::{FennelAction, Names};

use clap::{Args, Parser, Subcommand};
use fen_contract::provider::ThinkingLevel;
use std::path::PathBuf;

/// A coding agent for the terminal.
///
/// Without a subcommand fen begins a conversation in the current directory. With -p it answers one
/// prompt and ends.
#[derive(Debug, Parser)]
#[command(name = "fen", version, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do instead of a conversation.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options of a conversation.
    #[command(flatten)]
    pub run: RunArgs,
    /// The first prompt.
    #[arg(value_name = "PROMPT")]
    pub prompt: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  fen                                   chat about the project in this directory
  fen -p 'why does the build fail?'     one answer on standard output
  git diff | fen -p 'review this'       standard input is added to the prompt
  fen --provider ollama                 use a local model server
  fen demo                              see it work, without a key or a network

Exit codes: 0 success; 1 the model, a tool or the runtime failed; 2 a mistake of the caller's;
129, 130, 131, 143 ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM.";

/// The options of a conversation.
#[derive(Debug, Args, Default)]
pub struct RunArgs {
    /// Answer one prompt and end; without PROMPT it is read from standard input
    #[arg(short, long, value_name = "PROMPT", num_args = 0..=1, default_missing_value = "", require_equals = false)]
    pub print: Option<String>,
    /// The provider to ask (`fen providers` lists them)
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// The model to ask, alone or as PROVIDER/MODEL
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Where the provider's service is
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The key to send; an environment variable is safer, other users can see this
    #[arg(long, value_name = "KEY")]
    pub api_key: Option<String>,
    /// How many tokens an answer may have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// How much the model thinks: off, minimal, low, medium, high, xhigh
    #[arg(long, value_name = "LEVEL", value_parser = parse_thinking)]
    pub thinking: Option<ThinkingLevel>,
    /// The presenter to use (`fen list presenters` lists them)
    #[arg(long, value_name = "NAME")]
    pub presenter: Option<String>,
    /// Write every event as a line of JSON
    #[arg(long, conflicts_with = "presenter")]
    pub json_stream: bool,
    /// Continue the newest session of this directory
    #[arg(short, long = "continue", conflicts_with_all = ["resume", "no_session"])]
    pub continue_latest: bool,
    /// Continue the session with this id, or the beginning of one
    #[arg(short, long, value_name = "ID", conflicts_with = "no_session")]
    pub resume: Option<String>,
    /// Store nothing
    #[arg(long)]
    pub no_session: bool,
    /// The session backend to use
    #[arg(long, value_name = "NAME", conflicts_with = "no_session")]
    pub session: Option<String>,
    /// Which tools the model gets.
    #[command(flatten)]
    pub tools: ToolArgs,
    /// An extension to load, a file or a folder; may be repeated
    #[arg(long = "extension", value_name = "PATH")]
    pub extensions: Vec<PathBuf>,
    /// Run this project's extensions without asking, this time
    #[arg(long)]
    pub trust: bool,
    /// Load no extensions but those of --extension
    #[arg(long)]
    pub no_extensions: bool,
    /// Load extensions anew when their files change
    #[arg(long)]
    pub watch: bool,
    /// Obtain credentials from this auth backend, and end
    #[arg(long, value_name = "NAME", conflicts_with_all = ["print", "logout"])]
    pub login: Option<String>,
    /// Forget the credentials of this auth backend, and end
    #[arg(long, value_name = "NAME", conflicts_with = "print")]
    pub logout: Option<String>,
    /// A credential variable that commands may see nevertheless; may be repeated
    #[arg(long, value_name = "VARIABLE")]
    pub keep_env: Vec<String>,
    /// The script that the provider `mock` plays (JSON, or Lua or Fennel by its suffix)
    #[arg(long, value_name = "FILE")]
    pub mock_script: Option<PathBuf>,
}

/// Which tools the model gets.
#[derive(Debug, Args, Default, Clone)]
pub struct ToolArgs {
    /// Only these tools, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tools: Option<Vec<String>>,
    /// No tools at all
    #[arg(long, conflicts_with = "tools")]
    pub no_tools: bool,
    /// Not these tools, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub deny_tools: Vec<String>,
}

/// What to do instead of a conversation.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// See the agent mend a small project, without a key or a network
    Demo {
        /// Which tools the agent gets.
        #[command(flatten)]
        tools: ToolArgs,
    },
    /// List what is registered (tools, commands, providers and more), and the sessions
    List {
        /// What to list; without it, what there is to list
        surface: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one registered thing
    Show {
        /// What it is, as for `list`
        surface: String,
        /// Its name
        name: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Read the reference of types, events, register kinds and interfaces, or of what is registered
    Docs {
        /// register-kinds, events, types, interfaces, api, an entry alone, or what `list` lists
        section: Option<String>,
        /// The entry, or the name of what is listed
        name: Option<String>,
        /// All entries as JSON
        #[arg(long, conflicts_with_all = ["section", "name"])]
        json: bool,
        /// The entry's JSON Schema
        #[arg(long, requires = "name")]
        schema: bool,
    },
    /// How to set up the providers
    Providers {
        /// One provider in full
        name: Option<String>,
    },
    /// See and decide which extensions of projects may run
    Trust {
        /// What to do; without it, show
        #[command(subcommand)]
        action: Option<TrustAction>,
    },
    /// Write extensions: begin one, check it, run its tests
    Ext {
        /// What to do.
        #[command(subcommand)]
        action: ExtAction,
    },
    /// Compile, check and lay out Fennel, or try it at a prompt
    Fennel {
        /// What to do.
        #[command(subcommand)]
        action: FennelAction,
    },
    /// Run a file of your own in Lua or Fennel, with fen's `api`
    ///
    /// The suffix tells the language, .lua or .fnl; without one it is Lua. The file runs with your
    /// rights: files, programs, the network and the environment are open to it. It may require files
    /// below its folder. `api` is that of an extension called `run`; what needs a conversation says
    /// that there is none. `arg` has the arguments, and `print` writes to standard output. Only
    /// ctrl-c ends a loop.
    #[command(disable_help_subcommand = true)]
    Run {
        /// It is Fennel, where no suffix tells
        #[arg(long)]
        fennel: bool,
        /// The file; `-` is standard input
        file: PathBuf,
        /// What the file gets as `arg` and `...`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Run some Lua or Fennel, with fen's `api`, and print what it gives
    ///
    /// It runs as `fen run` runs a file, with your rights. Tables are printed as JSON.
    Eval {
        /// The code is Fennel
        #[arg(long)]
        fennel: bool,
        /// The code, such as `#api.list("tools")`, or `(length (api.list :tools))`
        #[arg(allow_hyphen_values = true)]
        code: String,
        /// What the code gets as `arg` and `...`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What to do about trust.
#[derive(Debug, Subcommand)]
pub enum TrustAction {
    /// Show what this project wants to run, and what was agreed to
    Show,
    /// Agree to extensions of this project: one by its path or name, or all
    Grant {
        /// The path or name of an extension
        what: Option<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Take an agreement back
    Revoke {
        /// The path or name of an extension
        what: String,
    },
}

fn parse_thinking(text: &str) -> Result<ThinkingLevel, String> {
    ThinkingLevel::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = ThinkingLevel::ALL.iter().map(|level| level.as_str()).collect();
        format!("expected one of {}", names.join(", "))
    })
}
