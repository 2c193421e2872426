//! The script host: extensions in Lua, one VM each, reloaded live.
