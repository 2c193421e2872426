//! Names, counts and moments: small newtypes, so that one cannot be taken for another.

use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

macro_rules! name_type {
    ($(#[doc = $doc:literal])+ $name:ident) => {
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $name(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                $name(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }
    };
}

name_type! {
    /// The id that pairs a tool call with its result.
    ToolCallId
}
name_type! {
    /// The id of a session within its backend.
    SessionId
}
name_type! {
    /// The name of a registered provider, such as `openai`.
    ProviderName
}
name_type! {
    /// A model's identifier as its provider spells it.
    ModelId
}
name_type! {
    /// The name of the extension that made a contribution; `kernel` for the kernel itself.
    Owner
}

/// Accepts `3` and `3.0` alike, since Lua has one kind of number.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Reader;
    impl serde::de::Visitor<'_> for Reader {
        type Value = u64;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number that is not negative")
        }
        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<u64, E> {
            Ok(value)
        }
        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<u64, E> {
            u64::try_from(value)
                .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(value), &self))
        }
        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<u64, E> {
            // 2^53: beyond it a float no longer counts one by one.
            if value >= 0.0 && value.fract() == 0.0 && value <= 9_007_199_254_740_992.0 {
                Ok(value as u64)
            } else {
                Err(E::invalid_value(serde::de::Unexpected::Float(value), &self))
            }
        }
    }
    deserializer.deserialize_any(Reader)
}

macro_rules! number_type {
    ($(#[doc = $doc:literal])+ $name:ident) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                whole_number(deserializer).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<u64> for $name {
            fn from(value: u64) -> Self {
                $name(value)
            }
        }

        impl From<usize> for $name {
            fn from(value: usize) -> Self {
                $name(value as u64)
            }
        }
    };
}

number_type! {
    /// A count: tokens, messages, or a 1-based position.
    Count
}
number_type! {
    /// A moment or a span in milliseconds; moments count from the Unix epoch.
    Millis
}

impl Millis {
    /// The present moment; zero on a clock that stands before 1970.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// The underscore spelling of a contract's name, where it differs: `tool-call-id` is
/// `tool_call_id`, `submit!` is `submit`. Scripts may use either.
pub fn underscored(name: &str) -> Option<String> {
    let plain = name.trim_end_matches(['?', '!']).replace('-', "_");
    (plain != name).then_some(plain)
}
