//! The script host: extensions in Lua and Fennel, one VM each, reloaded live.
//!
//! The engine runs code that nobody has read: it bounds running time, memory and waits, and turns
//! every failure into an error that names the extension, the file and the line. The host on top of
//! it connects scripts with the kernel's registry, bus and conversation.
//!
//! - [`host`]: loads, reloads and unloads extensions, and keeps what is known of each.
//! - [`api`]: the `api` table that an extension is loaded with.
//! - [`answers`]: a list or a function in a script that answers requests, for the mock provider.
//! - [`testing`]: tests of extensions, scripts themselves.
//! - [`package`]: what is known of an extension before it runs: manifest, files, place, trust.
//! - [`capability`]: files, processes, the network and the environment, for those that may.
//! - [`loader`]: from folders to running extensions, asking for trust on the way.
//! - [`check`]: all that is wrong with the text of an extension.
//! - [`language`]: what compiles to Lua.
//! - [`vm`]: one VM per extension; calls that are preempted, cancelled and ended.
//! - [`value`]: values across the border between Lua and the kernel.
//! - [`thread`]: the one thread on which all VMs live.
//! - [`line_diff`]: what differs between two texts.
//! - [`stubs`]: what an editor is told of all this, and the reference of the `api` table.

pub mod answers;
pub mod api;
pub mod capability;
pub mod check;
pub mod host;
pub mod language;
pub mod line_diff;
pub mod loader;
pub mod package;
pub mod stubs;
pub mod testing;
pub mod thread;
pub mod value;
pub mod vm;

mod kinds;
mod wire;

pub use mlua;
