//! From the words of the command line to what clap can parse: a value after `-p` may begin with a
//! dash.

use crate::arguments::Cli;
use clap::{CommandFactory as _, Parser as _};
use std::ffi::{OsStr, OsString};

/// The parsed command line.
#[derive(Debug)]
pub struct CommandLine {
    /// What clap read.
    pub cli: Cli,
    /// The prompt, from `-p`, from the words after the options, or from both.
    pub prompt: Option<String>,
}

/// Parses the whole command line, the program's name included.
pub fn parse(words: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    // What follows these two is the script's own.
    let is_script = words.get(1).is_some_and(|word| word == "run" || word == "eval");
    let (words, ended_options) =
        if is_script { (protect_arguments(words), false) } else { protect_prompt(words) };
    let mut cli = Cli::try_parse_from(words)?;
    let rest = std::mem::take(&mut cli.prompt);
    let from_flag = cli.run.print.clone().filter(|text| !text.is_empty());
    if from_flag.is_none() && cli.run.print.is_none() && !ended_options {
        refuse_lone_word(&rest)?;
    }
    let parts: Vec<String> = from_flag.into_iter().chain(rest).collect();
    let prompt = (!parts.is_empty()).then(|| parts.join(" "));
    Ok(CommandLine { cli, prompt })
}

/// Ends the options of `run` and `eval` behind the file or the code.
fn protect_arguments(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_own = |word: &OsString| word == "--fennel" || word == "--help" || word == "-h";
    let script = words.iter().skip(2).position(|word| !is_own(word)).map(|at| at + 2);
    if let Some(script) = script.filter(|script| words[*script] != "--") {
        words.insert(script + 1, OsString::from("--"));
    }
    words
}

/// A single bare word is more likely a mistyped subcommand than a prompt.
fn refuse_lone_word(rest: &[String]) -> Result<(), clap::Error> {
    let [word] = rest else { return Ok(()) };
    if word.chars().any(char::is_whitespace) || word.is_empty() {
        return Ok(());
    }
    let command = Cli::command();
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let near = fen_contract::validate::nearest_name(word, names.iter().map(String::as_str));
    let hint = match near {
        Some(near) => format!("did you mean `fen {near}`?"),
        None => format!("the subcommands are {}", names.join(", ")),
    };
    Err(Cli::command().error(
        clap::error::ErrorKind::InvalidSubcommand,
        format!("there is no subcommand `{word}`; {hint} For a prompt type: fen -p '{word}'"),
    ))
}

/// Joins `-p VALUE` to `--print=VALUE` where the value begins with a dash and is no option of fen's.
/// Also tells whether the options were ended by `--`.
fn protect_prompt(words: Vec<OsString>) -> (Vec<OsString>, bool) {
    let mut protected = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    let mut ended = false;
    while let Some(word) = words.next() {
        if word == "--" {
            ended = true;
            protected.push(word);
            protected.extend(words);
            break;
        }
        let is_print = word == "-p" || word == "--print";
        match words.peek() {
            Some(value) if is_print && is_dashed_prompt(value) => {
                let mut joined = OsString::from("--print=");
                joined.push(value);
                words.next();
                protected.push(joined);
            }
            _ => protected.push(word),
        }
    }
    (protected, ended)
}

fn is_dashed_prompt(value: &OsStr) -> bool {
    let Some(text) = value.to_str() else { return false };
    if !text.starts_with('-') || text == "--" {
        return false;
    }
    // Built for the few values that need it: it describes every option and subcommand.
    let command = Cli::command();
    let is_option = match text.strip_prefix("--") {
        Some(long) => {
            let name = long.split_once('=').map_or(long, |(name, _)| name);
            name == "help"
                || name == "version"
                || command.get_arguments().any(|argument| argument.get_long() == Some(name))
        }
        None => {
            let short = text.chars().nth(1);
            text.chars().count() == 2
                && (matches!(short, Some('h' | 'V'))
                    || command.get_arguments().any(|argument| argument.get_short() == short))
        }
    };
    !is_option
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(words: &[&str]) -> Option<String> {
        let words = std::iter::once("fen").chain(words.iter().copied()).map(OsString::from);
        parse(words.collect()).unwrap().prompt
    }

    fn error(words: &[&str]) -> String {
        let words = std::iter::once("fen").chain(words.iter().copied()).map(OsString::from);
        parse(words.collect()).unwrap_err().to_string()
    }

    #[test]
    fn a_value_after_p_may_begin_with_a_dash() {
        for text in ["- summarize", "--answer me briefly", "---\na: 1\n---\nhi", "-x", "-", "--x"] {
            assert_eq!(prompt(&["-p", text]).as_deref(), Some(text));
            assert_eq!(prompt(&["--print", text]).as_deref(), Some(text));
        }
        assert_eq!(prompt(&["-p", "--", "-x"]).as_deref(), Some("-x"));
        assert_eq!(prompt(&["--", "-x"]).as_deref(), Some("-x"));
        assert_eq!(prompt(&["--", "list"]).as_deref(), Some("list"));
    }

    #[test]
    fn known_options_stay_options_after_p() {
        assert_eq!(prompt(&["-p", "--no-session", "hi"]).as_deref(), Some("hi"));
        assert_eq!(prompt(&["-p", "--model=m"]), None);
        assert_eq!(prompt(&["-p"]), None);
    }

    #[test]
    fn unknown_options_and_lone_words_are_mistakes() {
        assert!(error(&["--bogus"]).contains("--bogus"));
        let text = error(&["lst"]);
        assert!(text.contains("fen list") && text.contains("fen -p 'lst'"), "{text}");
        assert_eq!(prompt(&["fix the tests"]).as_deref(), Some("fix the tests"));
    }

    #[test]
    fn the_arguments_of_a_script_are_its_own() {
        let words = ["fen", "run", "x.lua", "-p", "-z", "--", "--help"].map(OsString::from);
        match parse(words.into()).unwrap().cli.command {
            Some(crate::arguments::Command::Run { args, .. }) => {
                assert_eq!(args, ["-p", "-z", "--", "--help"]);
            }
            other => panic!("{other:?}"),
        }
        let words = ["fen", "eval", "--fennel", "-1", "--fennel", "--"].map(OsString::from);
        match parse(words.into()).unwrap().cli.command {
            Some(crate::arguments::Command::Eval { fennel, code, args }) => {
                assert_eq!((fennel, code.as_str()), (true, "-1"));
                assert_eq!(args, ["--fennel", "--"]);
            }
            other => panic!("{other:?}"),
        }
        assert!(error(&["run", "--help"]).contains("fen run"));
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
