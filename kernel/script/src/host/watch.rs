//! Watches over the script thread, and replaces one that nothing can interrupt.

use super::Host;
use super::program::Program;
use super::records::State;
use super::scripts::Scripts;
use fen_contract::names::Owner;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How long the thread may be busy with one thing before it is given up.
const STUCK: Duration = Duration::from_secs(5);

impl Host {
    /// Watches over the script thread until dropped: when it is stuck in code that nothing can
    /// interrupt, it is given up, and its extensions are loaded again on another one.
    pub async fn watch(&self) -> std::convert::Infallible {
        self.watch_within(STUCK).await
    }

    /// The same with another bound. There is no timer while no script has anything to do.
    pub async fn watch_within(&self, stuck: Duration) -> std::convert::Infallible {
        loop {
            match self.present_scripts() {
                Some(scripts) => scripts.until_busy().await,
                None => self.0.scripts_begun.notified().await,
            }
            tokio::time::sleep(stuck / 2).await;
            if let Some(scripts) = self.present_scripts()
                && scripts.is_stuck(stuck)
            {
                self.rebuild(&scripts).await;
            }
        }
    }

    /// Gives a stuck thread up and loads everything again on another one, but the extension whose
    /// code it is stuck in.
    async fn rebuild(&self, stuck: &Arc<Scripts>) {
        let culprit = stuck.running();
        self.0.scripts.lock().unwrap_or_else(PoisonError::into_inner).take();
        stuck.shutdown(Duration::ZERO);
        if let Some(id) = culprit {
            let reason = "it was stuck in code that nothing can interrupt".to_owned();
            self.0.records.quarantine(&self.0.kernel, id, reason);
        }
        self.0.kernel.tell_error(
            "an extension was stuck in code that nothing can interrupt; the others are loaded again, \
             without their `api.state`",
        );
        let programs: Vec<Arc<Program>> = {
            let mut list = self.0.records.list();
            let mut programs = Vec::new();
            for record in list.iter_mut() {
                // What it kept is on the thread that was given up.
                record.link = None;
                if record.state == State::Loaded {
                    // Until it is loaded again; its hooks have nobody to answer for them.
                    record.state = State::Error;
                    record.reason = Some("the script thread was given up".to_owned());
                    programs.extend(record.program.clone());
                }
            }
            programs
        };
        for program in programs {
            if let Err(failure) = self.load((*program).clone()).await {
                let name = &program.manifest.name;
                // What it had registered leads to the thread that is gone.
                self.0.kernel.unload(&Owner::from(name.as_str()));
                self.0.kernel.tell_error(format!("extension `{name}`: {failure}"));
            }
        }
    }
}
