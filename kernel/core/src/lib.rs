//! The kernel of fen: registry, bus, agent loop, turn queue, tool runner, sessions, settings.
