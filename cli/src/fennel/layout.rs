//! `fen fennel fmt`: lays files out in place, or shows what would change.

use super::output;
use super::sources::{Source, named};
use crate::exit;
use crate::tally::{Tally, counted};
use fen_contract::failure::Failure;
use fen_core::printable::printable_line;
use fen_script::line_diff::LineDiff;
use fennel::FormatOptions;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many lines are shown around a change.
const AROUND: usize = 3;
/// How long a difference is looked for before it comes out coarser.
const PATIENCE: Duration = Duration::from_secs(2);

/// What becomes of a file that is laid out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is changed.
    Change,
    /// It is told.
    Check,
}

impl Mode {
    /// The mode that the flag `--check` asks for.
    pub fn of(check: bool) -> Self {
        if check { Mode::Check } else { Mode::Change }
    }
}

/// Lays out these files and folders; each is done, whatever the others are like.
pub fn lay_out(files: &[PathBuf], mode: Mode) -> Result<ExitCode, Failure> {
    let mut tally = Tally::default();
    let mut changed = 0;
    for source in named(files, &mut tally)? {
        let bytes = match source.read() {
            Ok(bytes) => bytes,
            Err(failure) => {
                tally.unusable(&failure);
                continue;
            }
        };
        let name = source.name();
        let formatted =
            fennel::decode(&name, &bytes).map_err(|error| vec![error]).and_then(|old| {
                let new = fennel::format(&name, old, FormatOptions::default())?;
                Ok((old, new))
            });
        let (old, new) = match formatted {
            Ok(texts) => texts,
            Err(found) => {
                tally.wrong();
                found.iter().for_each(|one| exit::note_strict(&one.rendered()));
                continue;
            }
        };
        match (mode, &source) {
            (Mode::Change, Source::Stdin) => tally.printed(exit::print_exactly(&new)),
            (Mode::Check, _) if old != new => {
                changed += 1;
                tally.wrong();
                tally.printed(exit::print(&difference(&name, old, &new)));
            }
            (Mode::Change, Source::File(path)) if old != new => match output::replace(path, &new) {
                Ok(()) => changed += 1,
                Err(error) => {
                    tally.unusable(&Failure::caller(format!("{name} cannot be written: {error}")))
                }
            },
            _ => {}
        }
    }
    if changed > 0 {
        let said = match mode {
            Mode::Change => "laid out",
            Mode::Check => "would change",
        };
        exit::note(&format!("{} {said}", counted(changed, "file")));
    }
    Ok(tally.code())
}

/// What would change, as a unified diff.
fn difference(name: &str, old: &str, new: &str) -> String {
    // A name with a line break would be a line of the difference.
    let name = printable_line(name);
    let mut text = format!("--- {name}\n+++ {name}\n");
    for hunk in LineDiff::new(old, new, Instant::now() + PATIENCE).hunks(AROUND) {
        text.push_str(&hunk.header);
        text.push('\n');
        for (mark, line) in hunk.lines {
            text.push(mark.sign());
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    text
}
