//! The built-in slash commands.
