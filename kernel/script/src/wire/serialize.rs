//! Serialises values of the contract straight into Lua tables: events come by the thousand, and a
//! detour over JSON would be half of their cost.

use super::table::{is_opaque, names_aliased};
use crate::value::{MAX_DEPTH, empty_array};
use mlua::{IntoLua as _, Lua, Table, Value};
use serde::ser::{self, Serialize};
use std::fmt::Display;

/// How deep the value is, and whether it is still the contract's: only there do aliases hold, and
/// null members are left out.
#[derive(Clone, Copy)]
enum Depth {
    Record(usize),
    Data(usize),
}

impl Depth {
    fn deeper(self) -> Result<Self, Error> {
        let (Depth::Record(level) | Depth::Data(level)) = self;
        if level >= MAX_DEPTH {
            return Err(ser::Error::custom(format_args!(
                "nested more than {MAX_DEPTH} levels deep"
            )));
        }
        Ok(match self {
            Depth::Record(level) => Depth::Record(level + 1),
            Depth::Data(level) => Depth::Data(level + 1),
        })
    }

    /// For the member of this name.
    fn inside(self, name: &[u8]) -> Self {
        match self {
            Depth::Record(level) if std::str::from_utf8(name).is_ok_and(is_opaque) => {
                Depth::Data(level)
            }
            other => other,
        }
    }
}

/// Why a value could not become a table.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct Error(#[from] mlua::Error);

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Error(mlua::Error::runtime(message.to_string()))
    }
}

/// The Lua value of something of the contract.
pub(super) fn to_table<T: Serialize + ?Sized>(lua: &Lua, value: &T) -> mlua::Result<Value> {
    let made = value.serialize(Making { lua, depth: Depth::Record(0) });
    made.map_err(|Error(error)| error)
}

#[derive(Clone, Copy)]
struct Making<'l> {
    lua: &'l Lua,
    depth: Depth,
}

impl<'l> Making<'l> {
    fn list(self, length: Option<usize>) -> Result<List<'l>, Error> {
        let table = self.lua.create_table_with_capacity(length.unwrap_or(0), 0)?;
        Ok(List { making: self, inner: self.depth.deeper()?, table, length: 0 })
    }

    fn members(self, length: Option<usize>) -> Result<Members<'l>, Error> {
        let table = self.lua.create_table_with_capacity(0, length.unwrap_or(0))?;
        Ok(Members { making: self, inner: self.depth.deeper()?, table, key: Value::Nil })
    }

    fn tagged(self, tag: &str, value: Value) -> Result<Value, Error> {
        let table = self.lua.create_table_with_capacity(0, 1)?;
        table.raw_set(tag, value)?;
        Ok(Value::Table(table))
    }
}

/// Whole numbers beyond Lua's integers become floats.
fn whole(number: u64) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "the nearest float is what is wanted")]
    i64::try_from(number).map_or_else(|_| Value::Number(number as f64), Value::Integer)
}

impl<'l> ser::Serializer for Making<'l> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = List<'l>;
    type SerializeTuple = List<'l>;
    type SerializeTupleStruct = List<'l>;
    type SerializeTupleVariant = Tagged<List<'l>>;
    type SerializeMap = Members<'l>;
    type SerializeStruct = Members<'l>;
    type SerializeStructVariant = Tagged<Members<'l>>;

    fn serialize_bool(self, value: bool) -> Result<Value, Error> {
        Ok(Value::Boolean(value))
    }
    fn serialize_i8(self, value: i8) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_i16(self, value: i16) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_i32(self, value: i32) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_i64(self, value: i64) -> Result<Value, Error> {
        Ok(Value::Integer(value))
    }
    fn serialize_u8(self, value: u8) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_u16(self, value: u16) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_u32(self, value: u32) -> Result<Value, Error> {
        Ok(Value::Integer(value.into()))
    }
    fn serialize_u64(self, value: u64) -> Result<Value, Error> {
        Ok(whole(value))
    }
    fn serialize_f32(self, value: f32) -> Result<Value, Error> {
        Ok(Value::Number(value.into()))
    }
    fn serialize_f64(self, value: f64) -> Result<Value, Error> {
        Ok(Value::Number(value))
    }
    fn serialize_char(self, value: char) -> Result<Value, Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, value: &str) -> Result<Value, Error> {
        Ok(value.into_lua(self.lua)?)
    }
    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Error> {
        Ok(Value::String(self.lua.create_string(value)?))
    }
    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::NULL)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::NULL)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Error> {
        Ok(Value::NULL)
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, Error> {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        let inner = value.serialize(Making { depth: self.depth.deeper()?, ..self })?;
        self.tagged(variant, inner)
    }
    fn serialize_seq(self, length: Option<usize>) -> Result<List<'l>, Error> {
        self.list(length)
    }
    fn serialize_tuple(self, length: usize) -> Result<List<'l>, Error> {
        self.list(Some(length))
    }
    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<List<'l>, Error> {
        self.list(Some(length))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Tagged<List<'l>>, Error> {
        Ok(Tagged(variant, self.list(Some(length))?))
    }
    fn serialize_map(self, length: Option<usize>) -> Result<Members<'l>, Error> {
        self.members(length)
    }
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Members<'l>, Error> {
        self.members(Some(length))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Tagged<Members<'l>>, Error> {
        Ok(Tagged(variant, self.members(Some(length))?))
    }
}

/// A list that is being made.
pub(super) struct List<'l> {
    making: Making<'l>,
    inner: Depth,
    table: Table,
    length: usize,
}

impl List<'_> {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let value = value.serialize(Making { depth: self.inner, ..self.making })?;
        self.length += 1;
        Ok(self.table.raw_set(self.length, value)?)
    }

    /// An empty list stays a list on its way back.
    fn made(self) -> Result<Value, Error> {
        Ok(Value::Table(match self.length {
            0 => empty_array(self.making.lua)?,
            _ => self.table,
        }))
    }
}

/// A table with names that is being made.
pub(super) struct Members<'l> {
    making: Making<'l>,
    inner: Depth,
    table: Table,
    /// The name whose value comes next.
    key: Value,
}

impl Members<'_> {
    fn set<T: Serialize + ?Sized>(&mut self, key: Value, value: &T) -> Result<(), Error> {
        let depth = match &key {
            Value::String(name) => self.inner.inside(&name.as_bytes()),
            _ => self.inner,
        };
        let value = value.serialize(Making { depth, ..self.making })?;
        if matches!(self.inner, Depth::Record(_)) && value.is_null() {
            return Ok(());
        }
        Ok(self.table.raw_set(key, value)?)
    }

    fn made(self) -> Result<Value, Error> {
        Ok(Value::Table(match self.inner {
            Depth::Record(_) => names_aliased(self.making.lua, self.table)?,
            Depth::Data(_) => self.table,
        }))
    }
}

/// What stands under the name of a variant.
pub(super) struct Tagged<S>(&'static str, S);

macro_rules! list {
    ($trait:ident, $push:ident) => {
        impl ser::$trait for List<'_> {
            type Ok = Value;
            type Error = Error;
            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.push(value)
            }
            fn end(self) -> Result<Value, Error> {
                self.made()
            }
        }
    };
}

list!(SerializeSeq, serialize_element);
list!(SerializeTuple, serialize_element);
list!(SerializeTupleStruct, serialize_field);

impl ser::SerializeTupleVariant for Tagged<List<'_>> {
    type Ok = Value;
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.1.push(value)
    }
    fn end(self) -> Result<Value, Error> {
        let making = self.1.making;
        making.tagged(self.0, self.1.made()?)
    }
}

impl ser::SerializeMap for Members<'_> {
    type Ok = Value;
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = key.serialize(self.making)?;
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::replace(&mut self.key, Value::Nil);
        self.set(key, value)
    }
    fn end(self) -> Result<Value, Error> {
        self.made()
    }
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = Value;
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let key = key.into_lua(self.making.lua)?;
        self.set(key, value)
    }
    fn end(self) -> Result<Value, Error> {
        self.made()
    }
}

impl ser::SerializeStructVariant for Tagged<Members<'_>> {
    type Ok = Value;
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        ser::SerializeStruct::serialize_field(&mut self.1, key, value)
    }
    fn end(self) -> Result<Value, Error> {
        let making = self.1.making;
        making.tagged(self.0, self.1.made()?)
    }
}
