//! Whether an extension may run: by what was agreed to, or by what a person answers now.

use super::{Answer, Approver, Loader, ProjectTrust};
use crate::package::trust::{Check, needs_trust, question};
use crate::package::{Digest, Package};
use fen_contract::reload::Asker;
use fen_core::printable::printable_line;
use std::path::Path;
use std::sync::{Arc, PoisonError};

impl Loader {
    fn is_agreed(&self, digest: &Digest) -> bool {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner).contains(digest)
    }

    /// What is known of a package's trust; the error says why it cannot be known.
    pub(super) async fn check(&self, package: &Arc<Package>) -> Result<Check, String> {
        if self.config.project == ProjectTrust::Given || self.is_agreed(&package.digest()) {
            return Ok(Check::Trusted);
        }
        let (store, judged) = (self.trust.clone(), package.clone());
        let checking = tokio::task::spawn_blocking(move || store.check(&judged));
        match checking.await {
            Ok(Ok(check)) => Ok(check),
            Ok(Err(error)) => Err(format!("its trust cannot be known: {error}")),
            Err(error) => Err(format!("its trust cannot be known: {error}")),
        }
    }

    /// Whether a package may run now; the error is the reason why not.
    pub(super) async fn may_run(
        &self,
        package: &Arc<Package>,
        replaces: Option<&Path>,
        asker: Asker,
        approver: &dyn Approver,
    ) -> Result<(), String> {
        let digest = package.digest();
        let is_running = self.running().get(package.name()) == Some(&digest);
        let check = match (self.check(package).await?, asker) {
            (Check::Trusted, Asker::Model) if !is_running && !self.is_agreed(&digest) => Check::New,
            (check, _) => check,
        };
        if check == Check::Trusted {
            return Ok(());
        }
        let mut asked = question(package, &check);
        if let Some(replaced) = replaces {
            let replaced = printable_line(&replaced.to_string_lossy());
            asked.push_str(&format!("\nIt takes the place of your own extension in {replaced}.\n"));
        }
        match approver.ask(asked).await {
            Answer::Always if needs_trust(package) => {
                let (store, judged) = (self.trust.clone(), package.clone());
                let granting = tokio::task::spawn_blocking(move || store.grant(&judged));
                match granting.await {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(error)) => Err(format!("the yes cannot be kept: {error}")),
                    Err(error) => Err(format!("the yes cannot be kept: {error}")),
                }
            }
            Answer::Always | Answer::Once => {
                self.agreed.lock().unwrap_or_else(PoisonError::into_inner).insert(digest);
                Ok(())
            }
            Answer::No => Err("the answer was no".to_owned()),
            Answer::Nobody => {
                let what = match check {
                    Check::Changed { .. } => "it has changed since somebody agreed to it",
                    _ => "nobody has agreed to it",
                };
                let place = package.place().display();
                Err(format!("{what}; `fen trust show` shows it, `fen trust grant {place}` agrees"))
            }
        }
    }
}
