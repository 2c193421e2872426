//! What is known of script extensions before any of their code runs: what they declare, which
//! files they are, where they were found, and whether a person has agreed to them.
//!
//! Everything here is data and the reading of files. Nothing in it runs a script or knows a VM; the
//! loader asks it first and then runs exactly the bytes that it kept.
//!
//! - [`field`], [`literal`], [`header`]: the three spellings of a manifest, read as data.
//! - [`manifest`], [`capability`], [`version`]: what a manifest says.
//! - [`files`], [`digest`]: a package's bytes and their hash.
//! - [`discovery`], [`roots`]: where packages are looked for, and which one wins a name.
//! - [`trust`]: what a person agreed to, and the question that asks for it.

pub mod capability;
pub mod digest;
pub mod discovery;
pub mod field;
pub mod files;
pub mod header;
pub mod literal;
pub mod manifest;
pub mod name;
pub mod requires;
pub mod roots;
pub mod trust;
pub mod version;

mod fennel_literal;
mod file;
mod folder;
mod rivalry;

pub use capability::Capability;
pub use digest::Digest;
pub use discovery::{Conditions, Found, State, discover};
pub use files::{Package, PackageError};
pub use manifest::{Hooks, ScriptManifest};
pub use requires::Requires;
pub use rivalry::uncover;
pub use roots::Roots;
pub use trust::{Check, TrustStore};
pub use version::VersionRange;
