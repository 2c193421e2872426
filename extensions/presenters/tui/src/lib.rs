//! The presenter `tui`: the full screen.
//!
//! A thread of its own has the terminal. It keeps the state of the application, which changes by
//! keys and events and says what it wants done; drawing is a function of that state and the size. The
//! kernel's side hands events over and carries out what has to be waited for. It knows the contract, and
//! no tool, provider or command by name.

mod app;
mod clock;
mod config;
mod effect;
mod facts;
mod files;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod fuzzy;
mod input;
mod keymap;
mod keys;
mod mailbox;
mod overlay;
mod paint;
mod presenter;
mod screen;
mod settings;
mod shell;
#[cfg(test)]
mod stories;
#[cfg(test)]
mod testing;
mod theme;
mod transcript;
mod ui;
mod user_file;
mod view;

pub use config::{Config, Mark};
pub use fen_tty::restore::restore_now;
pub use screen::is_terminal_lent;

use fen_contract::api::{Api, Extension, Manifest};
use fen_contract::failure::Failure;
use fen_contract::kinds::PresenterSpec;
use presenter::TuiPresenter;
use std::sync::Arc;

/// The extension that registers the presenter.
pub fn extension(config: Config) -> impl Extension {
    Tui(config)
}

struct Tui(Config);

impl Extension for Tui {
    fn manifest(&self) -> Manifest {
        Manifest {
            name: "tui".to_owned(),
            description: "The full screen".to_owned(),
            ..Manifest::default()
        }
    }

    fn register(&self, api: Arc<dyn Api>) -> Result<(), Failure> {
        let spec = PresenterSpec {
            name: "tui".to_owned(),
            one_shot: None,
            presenter: Arc::new(TuiPresenter::new(self.0.clone())),
        };
        api.register(spec.into())?;
        Ok(())
    }
}
