//! The print presenter.
