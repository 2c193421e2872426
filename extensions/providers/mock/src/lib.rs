//! A deterministic provider without a network, for tests and the demo.
