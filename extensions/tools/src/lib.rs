//! The built-in tools: bash, read, write, edit, grep, find, ls.
