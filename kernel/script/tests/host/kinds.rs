//! Each kind of contribution, from Lua.

mod auth;
mod command;
mod hook;
mod introspect;
mod presenter;
mod provider;
mod provider_failures;
mod registering;
mod screen;
mod session_backend;
mod tool;
mod tool_calls;
