//! `fen --login NAME` and `fen --logout NAME`, through any registered auth backend.

use crate::arguments::RunArgs;
use crate::exit;
use fen_contract::auth::AuthBackend;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind};
use fen_core::Kernel;
use std::process::ExitCode;
use std::sync::Arc;

fn backend(kernel: &Kernel, name: &str) -> Result<Arc<dyn AuthBackend>, Failure> {
    let registry = kernel.registry();
    match registry.find(Kind::AuthBackend, name).map(|entry| &entry.contribution) {
        Some(Contribution::AuthBackend(spec)) => Ok(spec.backend.clone()),
        _ => Err(registry.nothing_named(Kind::AuthBackend, name)),
    }
}

/// Does what the flags ask for; `None` if they ask for neither.
pub async fn carry_out(kernel: &Kernel, args: &RunArgs) -> Result<Option<ExitCode>, Failure> {
    if let Some(name) = &args.login {
        backend(kernel, name)?.login(serde_json::json!({})).await?;
        exit::note(&format!("fen: {name}: logged in"));
        return Ok(Some(ExitCode::SUCCESS));
    }
    if let Some(name) = &args.logout {
        backend(kernel, name)?.logout().await?;
        exit::note(&format!("fen: {name}: logged out"));
        return Ok(Some(ExitCode::SUCCESS));
    }
    Ok(None)
}
