//! `--watch`: loads extensions anew when their files change.

use super::Scripts;
use fen_contract::events::{Info, ReinitPresenter};
use fen_contract::record::Extra;
use fen_contract::reload::{Asker, Reloader as _};
use std::collections::HashSet;
use std::time::Duration;

/// How often the files are looked at.
const PERIOD: Duration = Duration::from_millis(500);

/// Watches until dropped. A change is taken up once the files look the same twice, so that a file
/// that is being saved is not read half.
pub async fn watch(scripts: &Scripts) -> std::convert::Infallible {
    let mut pending: HashSet<String> = HashSet::new();
    let mut failed: HashSet<String> = HashSet::new();
    loop {
        tokio::time::sleep(PERIOD).await;
        let changed: HashSet<String> = match scripts.loader().changed().await {
            Ok(changed) => changed.into_iter().collect(),
            Err(_) => continue,
        };
        failed.retain(|name| changed.contains(name));
        let due: Vec<String> =
            changed.iter().filter(|name| pending.contains(*name)).cloned().collect();
        pending = changed;
        for name in due {
            // One that failed is tried again once its files change; its failure was told.
            if failed.contains(&name) {
                continue;
            }
            let words = match scripts.reload(Some(name.clone()), Asker::Person).await {
                Ok(report) => report,
                Err(failure) => {
                    failed.insert(name);
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
