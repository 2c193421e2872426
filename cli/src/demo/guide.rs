//! Tells on the full screen when the demo is over, and how to leave. Nothing else ends there by itself.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::events::SetStatusInfo;
use fen_contract::failure::Failure;
use fen_contract::record::Extra;
use std::sync::Arc;

const OVER: &str = "the demo is over · ctrl-d leaves";

/// The extension that watches the demo's turn.
pub struct Guide;

impl Extension for Guide {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "demo".to_owned(),
            description: "Tells when the demo is over".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let told = api.clone();
        let tell = move |_: &_| {
            told.emit(SetStatusInfo { info: Some(OVER.to_owned()), extra: Extra::new() }.into())
        };
        api.on("agent-turn-complete", Arc::new(tell));
        Ok(())
    }
}
