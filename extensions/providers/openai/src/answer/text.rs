//! Pieces of text as services send them, borrowed from the event where they can be.

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de::value::MapAccessDeserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A short text, such as an id. Numbers are taken as text too.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words<'a>(pub Cow<'a, str>);

/// A text, or a list of parts that have texts; other values are no text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Part<'a>>),
}

/// A part of a content that comes as a list.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Part<'a> {
    #[serde(borrow)]
    pub text: Option<Content<'a>>,
    #[serde(borrow)]
    pub thinking: Option<Content<'a>>,
}

/// A piece of a call's arguments: JSON text, or the object itself where a service does not pack it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments<'a>(pub Cow<'a, str>);

/// A count or an index, however it is written; what is neither is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole(pub Option<u64>);

impl Words<'_> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! text_visits {
    ($make:expr) => {
        fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
            Ok($make(Cow::Borrowed(text)))
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok($make(Cow::Owned(text.to_owned())))
        }

        fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
            Ok($make(Cow::Owned(text)))
        }

        fn visit_bool<E>(self, _value: bool) -> Result<Self::Value, E> {
            Ok($make(Cow::Borrowed("")))
        }

        fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
            Ok($make(Cow::Owned(value.to_string())))
        }

        fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
            Ok($make(Cow::Owned(value.to_string())))
        }

        fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
            Ok($make(Cow::Owned(value.to_string())))
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($make(Cow::Borrowed("")))
        }
    };
}

impl<'de: 'a, 'a> Deserialize<'de> for Words<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Words<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            text_visits!(Words);
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Content<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of parts")
            }
            text_visits!(Content::Text);
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = list.next_element()? {
                    parts.push(part);
                }
                Ok(Content::Parts(parts))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Content::Text(Cow::Borrowed("")))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Arguments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Arguments<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("arguments")
            }
            text_visits!(Arguments);
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let value = Value::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Arguments(Cow::Owned(value.to_string())))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Whole;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a count")
            }
            fn visit_u64<E>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(Some(value)))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Whole, E> {
                Ok(Whole(u64::try_from(value).ok()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Whole, E> {
                // The conversion saturates; a count that large is a mistake either way.
                Ok(Whole((value >= 0.0).then_some(value as u64)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Whole, E> {
                Ok(Whole(text.parse().ok()))
            }
            fn visit_bool<E>(self, _value: bool) -> Result<Whole, E> {
                Ok(Whole(None))
            }
            fn visit_unit<E>(self) -> Result<Whole, E> {
                Ok(Whole(None))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
