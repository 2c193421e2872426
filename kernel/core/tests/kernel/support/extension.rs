//! Extensions that are closures.

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::hook::{Hook, HookContext, Verdict};
use fen_contract::kinds::{Contribution, HookSpec};
use serde_json::Value;
use std::sync::Arc;

type Register = dyn Fn(&Arc<dyn Api>) -> Result<(), Failure> + Send + Sync;

/// An extension whose registration is a closure.
pub struct TestExtension {
    manifest: Manifest,
    register: Box<Register>,
}

/// An extension of this name.
pub fn extension(
    name: &str,
    register: impl Fn(&Arc<dyn Api>) -> Result<(), Failure> + Send + Sync + 'static,
) -> TestExtension {
    TestExtension {
        manifest: Manifest { name: name.to_owned(), ..Manifest::default() },
        register: Box::new(register),
    }
}

/// An extension of this name with one contribution.
pub fn from(name: &str, contribution: impl Into<Contribution>) -> TestExtension {
    let contribution = contribution.into();
    extension(name, move |api| {
        api.register(contribution.clone())?;
        Ok(())
    })
}

impl TestExtension {
    /// The same extension, which may take over this `kind/name`.
    pub fn overriding(mut self, name: &str) -> TestExtension {
        self.manifest.overrides.push(name.to_owned());
        self
    }
}

impl Extension for TestExtension {
    fn manifest(&self) -> Manifest {
        self.manifest.clone()
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        (self.register)(&api)
    }
}

/// A hook that is a closure of the tool's name and the arguments.
pub fn hook(
    judge: impl Fn(&str, &Value) -> Result<Verdict, Failure> + Send + Sync + 'static,
) -> HookSpec {
    HookSpec { hook: Arc::new(Judge(judge)) }
}

struct Judge<F>(F);

impl<F: Fn(&str, &Value) -> Result<Verdict, Failure> + Send + Sync> Hook for Judge<F> {
    fn before_tool<'a>(
        &'a self,
        tool: &'a str,
        arguments: &'a Value,
        _context: HookContext<'a>,
    ) -> BoxFuture<'a, Result<Verdict, Failure>> {
        let verdict = (self.0)(tool, arguments);
        Box::pin(std::future::ready(verdict))
    }
}
