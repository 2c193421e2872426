//! Values of the contract on their way to a script and back.
//!
//! A script gets plain tables with the contract's names, for which the underscore spellings work as
//! well; what a script gives is read by its declared type. Nothing here calls a script.

mod agent;
mod declared;
mod event;
mod serialize;
mod table;

pub(crate) use self::agent::MessageSource;
pub(crate) use self::declared::{canonical, in_lua, read_as, read_event, read_stream_event};
pub(crate) use self::event::event_table;
pub(crate) use self::table::{names_aliased, table_of};
