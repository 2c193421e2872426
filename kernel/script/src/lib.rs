//! The script host: extensions in Lua, one VM each, reloaded live.
//!
//! This crate's engine runs code that nobody has read: it bounds running time, memory and waits,
//! and turns every failure into an error that names the extension, the file and the line. It knows
//! nothing of registries, events or manifests; the layers above it put those in.
//!
//! - [`language`]: what compiles to Lua.
//! - [`vm`]: one VM per extension; calls that are preempted, cancelled and ended.
//! - [`value`]: values across the border between Lua and the kernel.
//! - [`thread`]: the one thread on which all VMs live.
//! - [`stubs`]: what an editor is told of all this, and the reference of the `api` table.

pub mod language;
pub mod stubs;
pub mod thread;
pub mod value;
pub mod vm;

pub use mlua;
