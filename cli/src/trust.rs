//! `fen trust`: what a project wants to run, and what was agreed to.
//!
//! It reads and writes the trust store; no code of an extension runs here.

use crate::arguments::TrustAction;
use crate::exit;
use crate::files::Folders;
use crate::scripts::{self, TerminalApprover};
use fen_contract::api::Source;
use fen_contract::failure::Failure;
use fen_core::printable::printable_line;
use fen_script::loader::Answer;
use fen_script::package::discovery::State;
use fen_script::package::trust::{Check, needs_trust, question};
use fen_script::package::{Package, TrustStore};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Does what was asked for.
pub fn carry_out(action: Option<TrustAction>) -> Result<ExitCode, Failure> {
    let folders = Folders::find()?;
    let store = TrustStore::at(folders.trust_file());
    match action {
        None | Some(TrustAction::Show) => show(&folders, &store),
        Some(TrustAction::Grant { what, yes }) => {
            let agreement = if yes { Agreement::Given } else { Agreement::Asked };
            grant(&folders, &store, what.as_deref(), agreement)
        }
        Some(TrustAction::Revoke { what }) => revoke(&folders, &store, &what),
    }
}

/// The extensions of this project that need somebody's yes.
fn project(folders: &Folders) -> Result<Vec<Arc<Package>>, Failure> {
    let found = scripts::find(folders)?;
    Ok(found
        .into_iter()
        .filter(|one| one.source == Source::Project)
        .filter_map(|one| match one.state {
            State::Ready(package) | State::Withheld(package, _) => Some(package),
            State::Error(problem) => {
                exit::note(&format!("fen: {}: {problem}", one.place.display()));
                None
            }
        })
        .filter(|package| needs_trust(package))
        .collect())
}

fn store_failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

fn show(folders: &Folders, store: &TrustStore) -> Result<ExitCode, Failure> {
    let packages = project(folders)?;
    let mut text = String::new();
    if packages.is_empty() {
        text.push_str("This project has no extensions that need trust.\n");
    }
    for package in &packages {
        let check = store.check(package).map_err(store_failure)?;
        let state = match check {
            Check::Trusted => "trusted",
            Check::New => "not trusted",
            Check::Changed { .. } => "changed since it was trusted",
        };
        let _ = writeln!(text, "{state}: {}\n", printable_line(package.name()));
        text.push_str(&question(package, &check));
        text.push('\n');
    }
    let grants = store.list().map_err(store_failure)?;
    if !grants.is_empty() {
        text.push_str("Agreed to so far:\n");
    }
    for grant in grants {
        let place = grant.place.display().to_string();
        let _ = writeln!(text, "  {}  {}", printable_line(&grant.name), printable_line(&place));
    }
    Ok(exit::print(&text))
}

/// Whether the person has agreed on the command line already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    Asked,
    Given,
}

/// Whether an extension is meant by a path or a name.
fn is_meant(package: &Package, what: &str) -> bool {
    package.name() == what
        || Path::new(what).canonicalize().is_ok_and(|path| path == package.place())
}

fn grant(
    folders: &Folders,
    store: &TrustStore,
    what: Option<&str>,
    agreement: Agreement,
) -> Result<ExitCode, Failure> {
    let packages: Vec<Arc<Package>> = project(folders)?
        .into_iter()
        .filter(|package| what.is_none_or(|what| is_meant(package, what)))
        .collect();
    if packages.is_empty() {
        return Err(Failure::caller(match what {
            Some(what) => format!("this project has no extension `{what}` that needs trust"),
            None => "this project has no extensions that need trust".to_owned(),
        }));
    }
    let runtime = crate::run::runtime()?;
    for package in packages {
        let check = store.check(&package).map_err(store_failure)?;
        if check == Check::Trusted {
            exit::note(&format!("fen: {} is trusted already", package.name()));
            continue;
        }
        if agreement == Agreement::Asked {
            match runtime.block_on(TerminalApprover.agree(question(&package, &check))) {
                Answer::Always | Answer::Once => {}
                Answer::No => continue,
                Answer::Nobody => {
                    return Err(Failure::caller(
                        "nobody can be asked here; look at `fen trust show`, then give --yes",
                    ));
                }
            }
        }
        store.grant(&package).map_err(store_failure)?;
        exit::note(&format!("fen: {} may run now", package.name()));
    }
    Ok(ExitCode::SUCCESS)
}

fn revoke(folders: &Folders, store: &TrustStore, what: &str) -> Result<ExitCode, Failure> {
    let by_name = |grants: &[fen_script::package::trust::Grant]| -> Vec<PathBuf> {
        let named = grants.iter().filter(|grant| grant.name == what);
        named.map(|grant| grant.place.clone()).collect()
    };
    let path = Path::new(what);
    let mut places: Vec<PathBuf> = path.canonicalize().into_iter().collect();
    // A path that is gone can still be named as it was.
    places.push(path.to_owned());
    if !what.contains('/') {
        // Of several projects, the one that is worked in is meant.
        let here = project(folders)?;
        let grants = store.list().map_err(store_failure)?;
        let named = by_name(&grants);
        let in_project = here.iter().find(|package| package.name() == what);
        match (in_project, named.as_slice()) {
            (Some(package), _) => places.push(package.place().to_owned()),
            (None, [only]) => places.push(only.clone()),
            (None, [_, _, ..]) => {
                return Err(Failure::caller(format!(
                    "several extensions are called `{what}`; name the path that `fen trust show` \
                     prints"
                )));
            }
            (None, []) => {}
        }
    }
    for place in places {
        if store.revoke(&place).map_err(store_failure)? {
            exit::note(&format!("fen: {} does not run any more", place.display()));
            return Ok(ExitCode::SUCCESS);
        }
    }
    Err(Failure::caller(format!("nobody has agreed to `{what}`; `fen trust show` lists what was")))
}
