//! What crosses every boundary of fen: types, events, register kinds and interfaces.
