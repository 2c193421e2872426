//! Benchmarks behind the figures of `docs/performance.md`.
