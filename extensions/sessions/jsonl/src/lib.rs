//! Sessions as JSON lines.
