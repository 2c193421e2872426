//! Where the value of a form goes, and what compiling it gave.

use std::cell::Cell;

use crate::lua::Expr;
use crate::source::Place;

/// Where a value goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Want<'w> {
    /// It is not needed.
    Nothing,
    /// Out of the function.
    Return,
    /// Into these variables, which exist.
    Assign(&'w [Expr]),
    /// Into locals that are made for it.
    Declare(&'w Declaration),
    /// One value, to be part of an expression.
    One,
    /// All values, at the end of a list.
    Many,
}

/// Where the values of a statement go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dest<'w> {
    Nothing,
    Return,
    Assign(&'w [Expr]),
}

impl<'w> From<Dest<'w>> for Want<'w> {
    fn from(dest: Dest<'w>) -> Self {
        match dest {
            Dest::Nothing => Want::Nothing,
            Dest::Return => Want::Return,
            Dest::Assign(targets) => Want::Assign(targets),
        }
    }
}

/// Locals whose names are taken and which are not written out yet.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) targets: Vec<Expr>,
    pub(crate) place: Place,
    pub(super) written: Cell<bool>,
}

/// What compiling a form gave.
#[derive(Debug)]
pub(crate) enum Got {
    /// The statements in the block take the value where it was wanted.
    Done,
    /// Expressions, which are still to be used; the last one may give several values.
    Values(Vec<Expr>),
}

impl From<Expr> for Got {
    fn from(expr: Expr) -> Self {
        Got::Values(vec![expr])
    }
}

/// What the last form of a list gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    One,
    Many,
}
