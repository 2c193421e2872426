//! The tool runner: from a tool call to its one result.
//!
//! The order is fixed: lists of allowed and denied tools, arguments against the schema, hooks,
//! execution, bounds on the result. What runs is exactly what the hooks saw.

mod arguments;
mod result;
mod runner;

pub use arguments::{SchemaCache, fit};
pub use result::{RESULT_BYTES, bounded};
pub use runner::{Prepared, ToolFilter, ToolRunner, cancelled_before, refusal};
