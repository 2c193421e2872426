//! API keys from the usual environment variables.
