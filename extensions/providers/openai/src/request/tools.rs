//! Tools in the wire format.

use fen_contract::types::Tool;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A tool on offer.
#[derive(Debug, Serialize)]
pub(crate) struct WireTool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Parameters<'a>,
}

impl<'a> WireTool<'a> {
    pub(crate) fn new(tool: &'a Tool) -> Self {
        WireTool {
            kind: "function",
            function: Function {
                name: &tool.name,
                description: &tool.description,
                parameters: Parameters(&tool.parameters),
            },
        }
    }
}

/// A schema as it is, but that an object says which properties it has even where it has none:
/// services refuse it otherwise.
#[derive(Debug)]
struct Parameters<'a>(&'a Value);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields)
                if !fields.contains_key("properties")
                    && fields.get("type").is_none_or(|kind| kind == "object") =>
            {
                let mut map = serializer.serialize_map(None)?;
                if !fields.contains_key("type") {
                    map.serialize_entry("type", "object")?;
                }
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.serialize_entry("properties", &Empty {})?;
                map.end()
            }
            schema => schema.serialize(serializer),
        }
    }
}

#[derive(Serialize)]
struct Empty {}
