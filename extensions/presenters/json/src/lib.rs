//! The json presenter.
