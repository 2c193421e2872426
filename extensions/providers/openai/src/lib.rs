//! The openai provider.
