//! The `fen` program.
fn main() {}
