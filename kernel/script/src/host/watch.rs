//! Watches over the script thread, and replaces one that nothing can interrupt.

use super::Host;
use super::program::Program;
use super::records::State;
use super::scripts::Scripts;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How long the thread may be busy with one thing before it is given up.
const STUCK: Duration = Duration::from_secs(5);

impl Host {
    /// Watches over the script thread until dropped: when it is stuck in code that nothing can
    /// interrupt, it is given up, and its extensions are loaded again on another one.
    pub async fn watch(&self) -> std::convert::Infallible {
        loop {
            tokio::time::sleep(STUCK / 2).await;
            if let Some(scripts) = self.present_scripts()
                && scripts.is_stuck(STUCK)
            {
                self.rebuild(&scripts).await;
            }
        }
    }

    /// Gives a stuck thread up and loads everything again on another one.
    async fn rebuild(&self, stuck: &Arc<Scripts>) {
        self.0.scripts.lock().unwrap_or_else(PoisonError::into_inner).take();
        stuck.shutdown(Duration::ZERO);
        self.0.kernel.tell_error(
            "an extension was stuck in code that nothing can interrupt; all extensions are loaded \
             again, without their `api.state`",
        );
        let programs: Vec<Arc<Program>> = {
            let mut list = self.0.records.list();
            let mut programs = Vec::new();
            for record in list.iter_mut().filter(|record| record.state == State::Loaded) {
                record.link = None;
                programs.extend(record.program.clone());
            }
            programs
        };
        for program in programs {
            if let Err(failure) = self.load((*program).clone()).await {
                let name = &program.manifest.name;
                self.0.kernel.tell_error(format!("extension `{name}`: {failure}"));
            }
        }
    }
}
