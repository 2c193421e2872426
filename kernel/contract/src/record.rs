//! The macros that declare records and unions of the contract.
//!
//! `record!` turns one declaration into a struct, its serde in the contract's spelling and its
//! documentation [`Entry`](crate::doc::Entry). `union!` does the same for values that a tag tells
//! apart. Reading keeps unknown fields in `extra`, and takes an explicit `null` for an optional
//! field as absence. When the tag comes first, as in everything that fen writes, a union is read
//! without buffering.

use serde::de::{Error as _, MapAccess};
use serde_json::{Map, Value};

/// Fields that the contract does not know; they survive reading and writing.
pub type Extra = Map<String, Value>;

/// A struct declared by `record!`: it can be read from an already opened map.
pub trait Record: Sized {
    /// The value of the tag that tells it apart within its unions, if it has one.
    const TAG: Option<&'static str>;
    /// Its documentation.
    const ENTRY: crate::doc::Entry;

    /// Reads the remaining fields of `map`. `tag` says whether the tag has been seen already.
    fn read<'de, A: MapAccess<'de>>(map: A, tag: TagState) -> Result<Self, A::Error>;
}

/// Whether the tag of a tagged record has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagState {
    /// Not yet: it must be among the fields.
    Unread,
    /// It was read and it fitted.
    Matched,
}

/// Checks a tag that was found among the fields.
pub fn check_tag<E: serde::de::Error>(key: &str, expected: &str, got: &Value) -> Result<(), E> {
    match got.as_str() {
        Some(found) if found == expected => Ok(()),
        _ => Err(E::custom(format_args!("field `{key}`: expected \"{expected}\", got {got}"))),
    }
}

/// Collects a map whose first key was read already, and finds the tag in it.
pub fn buffer_tagged<'de, A: MapAccess<'de>>(
    first: Option<String>,
    mut map: A,
    tag: &'static str,
) -> Result<(String, Extra), A::Error> {
    let mut fields = Extra::new();
    let mut key = first;
    while let Some(name) = key {
        let value: Value = map.next_value()?;
        fields.insert(name, value);
        key = map.next_key()?;
    }
    match fields.get(tag) {
        Some(Value::String(found)) => Ok((found.clone(), fields)),
        Some(other) => {
            Err(A::Error::custom(format_args!("field `{tag}`: expected string, got {other}")))
        }
        None => Err(A::Error::missing_field(tag)),
    }
}

/// Reads a record from a buffered map; the error is told in the caller's terms.
pub fn read_buffered<T: Record, E: serde::de::Error>(fields: Extra) -> Result<T, E> {
    struct Reader<T>(std::marker::PhantomData<T>);
    impl<'de, T: Record> serde::de::Visitor<'de> for Reader<T> {
        type Value = T;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(T::ENTRY.name)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::read(map, TagState::Unread)
        }
    }
    serde::Deserializer::deserialize_map(Value::Object(fields), Reader::<T>(Default::default()))
        .map_err(E::custom)
}

macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        $section:ident $wire:literal
        pub struct $name:ident;
        $( tag $tagkey:literal = $tagvalue:literal { $(#[doc = $tagdoc:literal])+ } )?
        required { $( $(#[doc = $rdoc:literal])+ $rfield:ident : $rty:ty = $rwire:literal, $rtext:literal; )* }
        optional { $( $(#[doc = $odoc:literal])+ $ofield:ident : $oty:ty = $owire:literal, $otext:literal; )* }
        additive { $( $(#[doc = $adoc:literal])+ $afield:ident : $aty:ty = $awire:literal, $atext:literal; )* }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $rdoc])+ pub $rfield: $rty, )*
            $( $(#[doc = $odoc])+ pub $ofield: Option<$oty>, )*
            $( $(#[doc = $adoc])+ pub $afield: Option<$aty>, )*
            /// Fields that the contract does not know, kept as they came.
            pub extra: $crate::record::Extra,
        }

        impl $crate::record::Record for $name {
            const TAG: Option<&'static str> = record!(@tag $($tagvalue)?);
            const ENTRY: $crate::doc::Entry = $crate::doc::Entry {
                section: $crate::doc::Section::$section,
                name: $wire,
                summary: concat!($($doc),+).trim_ascii(),
                fields: &[
                    $( $crate::doc::Field {
                        name: $tagkey,
                        ty: concat!(":", $tagvalue),
                        required: true,
                        origin: $crate::doc::Origin::Contract,
                        summary: concat!($($tagdoc),+).trim_ascii(),
                    }, )?
                    $( $crate::doc::Field {
                        name: $rwire, ty: $rtext, required: true,
                        origin: $crate::doc::Origin::Contract,
                        summary: concat!($($rdoc),+).trim_ascii(),
                    }, )*
                    $( $crate::doc::Field {
                        name: $owire, ty: $otext, required: false,
                        origin: $crate::doc::Origin::Contract,
                        summary: concat!($($odoc),+).trim_ascii(),
                    }, )*
                    $( $crate::doc::Field {
                        name: $awire, ty: $atext, required: false,
                        origin: $crate::doc::Origin::Additive,
                        summary: concat!($($adoc),+).trim_ascii(),
                    }, )*
                ],
                members: &[],
            };

            #[allow(unused_mut, unused_variables, reason = "records without fields or tags")]
            fn read<'de, A: serde::de::MapAccess<'de>>(
                mut map: A,
                tag: $crate::record::TagState,
            ) -> Result<Self, A::Error> {
                #[allow(unused_imports, reason = "records in which nothing is required")]
                use serde::de::Error as _;
                $( let mut $rfield: Option<$rty> = None; )*
                $( let mut $ofield: Option<$oty> = None; )*
                $( let mut $afield: Option<$aty> = None; )*
                let mut extra = $crate::record::Extra::new();
                let mut tag = tag;
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        $( $tagkey => {
                            let found: serde_json::Value = map.next_value()?;
                            $crate::record::check_tag::<A::Error>($tagkey, $tagvalue, &found)?;
                            tag = $crate::record::TagState::Matched;
                        } )?
                        $( $rwire => $rfield = Some(map.next_value()?), )*
                        $( $owire => $ofield = map.next_value()?, )*
                        $( $awire => $afield = map.next_value()?, )*
                        _ => { extra.insert(key, map.next_value()?); }
                    }
                }
                $( if tag == $crate::record::TagState::Unread {
                    return Err(A::Error::missing_field($tagkey));
                } )?
                Ok($name {
                    $( $rfield: match $rfield {
                        Some(value) => value,
                        None => return Err(A::Error::missing_field($rwire)),
                    }, )*
                    $( $ofield, )*
                    $( $afield, )*
                    extra,
                })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $( map.serialize_entry($tagkey, $tagvalue)?; )?
                $( map.serialize_entry($rwire, &self.$rfield)?; )*
                $( if let Some(value) = &self.$ofield { map.serialize_entry($owire, value)?; } )*
                $( if let Some(value) = &self.$afield { map.serialize_entry($awire, value)?; } )*
                for (key, value) in &self.extra {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a ", $wire))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        <$name as $crate::record::Record>::read(map, $crate::record::TagState::Unread)
                    }
                }
                deserializer.deserialize_map(Reader)
            }
        }
    };
    (@tag $tagvalue:literal) => { Some($tagvalue) };
    (@tag) => { None };
}

macro_rules! union {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident by $tag:literal;
        $( $(#[doc = $vdoc:literal])+ $variant:ident ( $inner:ty as $record:ty ) = $value:literal; )+
        $( otherwise $other:ident ( $oty:ty ); )?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $( $(#[doc = $vdoc])+ $variant($inner), )+
            $( /// A value that the contract does not name.
               $other($oty), )?
        }

        impl $name {
            /// The values of the tag that the contract names.
            pub const TAGS: &'static [&'static str] = &[$($value),+];
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $( $name::$variant(inner) => serde::Serialize::serialize(inner, serializer), )+
                    $( $name::$other(inner) => serde::Serialize::serialize(inner, serializer), )?
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a ", stringify!($name), " with a `", $tag, "`"))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$name, A::Error> {
                        use serde::de::Error as _;
                        let first = map.next_key::<String>()?;
                        if first.as_deref() != Some($tag) {
                            let (tag, fields) = $crate::record::buffer_tagged(first, map, $tag)?;
                            return match tag.as_str() {
                                $( $value => {
                                    $crate::record::read_buffered::<$record, A::Error>(fields)
                                        .map(|record| $name::$variant(record.into()))
                                } )+
                                $( _ => <$oty>::from_fields(tag, fields)
                                    .map($name::$other)
                                    .map_err(A::Error::custom), )?
                                #[allow(unreachable_patterns, reason = "an `otherwise` arm came before")]
                                other => Err(A::Error::unknown_variant(other, $name::TAGS)),
                            };
                        }
                        let tag: String = map.next_value()?;
                        match tag.as_str() {
                            $( $value => {
                                <$record as $crate::record::Record>::read(
                                    map, $crate::record::TagState::Matched,
                                ).map(|record| $name::$variant(record.into()))
                            } )+
                            $( _ => <$oty>::read_rest(tag, map).map($name::$other), )?
                            #[allow(unreachable_patterns, reason = "an `otherwise` arm came before")]
                            other => Err(A::Error::unknown_variant(other, $name::TAGS)),
                        }
                    }
                }
                deserializer.deserialize_map(Reader)
            }
        }
    };
}

pub(crate) use {record, union};
