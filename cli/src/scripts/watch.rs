//! `--watch`: loads extensions anew when their files change.

use super::Scripts;
use fen_contract::events::{Info, ReinitPresenter};
use fen_contract::record::Extra;
use fen_contract::reload::{Asker, Reloader as _};
use fen_script::loader::Change;
use std::collections::HashSet;
use std::time::Duration;

/// How often the files are looked at.
const PERIOD: Duration = Duration::from_millis(500);

/// Watches until dropped. A change is taken up once the files look the same twice, so that a file
/// that is being saved is not read half.
pub async fn watch(scripts: &Scripts) -> std::convert::Infallible {
    let mut pending: HashSet<Change> = HashSet::new();
    let mut failed: HashSet<Change> = HashSet::new();
    loop {
        tokio::time::sleep(PERIOD).await;
        let changed: HashSet<Change> = match scripts.loader().changed().await {
            Ok(changed) => changed.into_iter().collect(),
            // Only the end of the runtime keeps it from looking.
            Err(_) => continue,
        };
        failed.retain(|change| changed.contains(change));
        let due: Vec<Change> =
            changed.iter().filter(|change| pending.contains(*change)).cloned().collect();
        pending = changed;
        for change in due {
            // One that failed is tried again once its files change; its failure was told.
            if failed.contains(&change) {
                continue;
            }
            let words = match scripts.reload(Some(change.name.clone()), Asker::Person).await {
                Ok(report) => report,
                Err(failure) => {
                    failed.insert(change);
                    failure.message
                }
            };
            let api = scripts.kernel.api();
            let info = Info { info: Some(words), text: None, extra: Extra::new() };
            for event in [info.into(), ReinitPresenter { extra: Extra::new() }.into()] {
                // The kernel's own surface may emit both.
                let _ = api.emit(event);
            }
        }
    }
}
