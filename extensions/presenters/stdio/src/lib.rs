//! The stdio presenter.
