//! The anthropic provider.
