//! Panels.

use super::spec::Spec;
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToJson, to_json};
use crate::wire::{names_aliased, table_of};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::PanelSpec;
use fen_contract::ui::{Panel, RenderContext, Row, Segment};
use mlua::{IntoLuaMulti as _, MultiValue, Value};
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::Arc;

/// How many rows of a panel are taken.
const MAX_ROWS: usize = 200;

struct ScriptPanel {
    render: Callback,
    enabled: Option<Callback>,
    height: Option<Callback>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<PanelSpec, String> {
    Ok(PanelSpec {
        name: spec.name()?,
        title: spec.optional("title")?,
        order: spec.optional("order")?,
        placement: spec.optional("placement")?,
        panel: Arc::new(ScriptPanel {
            render: spec.required_callback("render")?,
            enabled: spec.callback("enabled?")?,
            height: spec.callback("height")?,
        }),
    })
}

/// What render functions get.
pub(super) fn context_table(
    instance: &Rc<Instance>,
    context: &RenderContext,
) -> mlua::Result<MultiValue> {
    let lua = instance.lua();
    let Value::Table(table) = table_of(lua, context)? else {
        return Err(mlua::Error::runtime("a context is a table"));
    };
    names_aliased(lua, table)?.into_lua_multi(lua)
}

impl Panel for ScriptPanel {
    fn render<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Vec<Row>, Failure>> {
        Box::pin(async move {
            let context = context.clone();
            let called = self.render.call(
                Limit::Sync,
                None,
                move |instance| context_table(instance, &context),
                |_, value| rows(&value),
            );
            Ok(called.await?)
        })
    }

    fn is_enabled<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<bool, Failure>> {
        Box::pin(async move {
            let Some(enabled) = &self.enabled else { return Ok(true) };
            let context = context.clone();
            let called = enabled.call(
                Limit::Sync,
                None,
                move |instance| context_table(instance, &context),
                |_, value| Ok(!matches!(value, Value::Nil | Value::Boolean(false))),
            );
            Ok(called.await?)
        })
    }

    fn height<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<u16>, Failure>> {
        Box::pin(async move {
            let Some(height) = &self.height else { return Ok(None) };
            let context = context.clone();
            let called = height.call(
                Limit::Sync,
                None,
                move |instance| context_table(instance, &context),
                |_, value| match to_json(&value, &ToJson::default()) {
                    Ok(Json::Null) => Ok(None),
                    Ok(Json::Number(rows)) => {
                        let rows =
                            rows.as_f64().unwrap_or_default().clamp(0.0, f64::from(u16::MAX));
                        #[expect(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "clamped to the range of u16"
                        )]
                        Ok(Some(rows as u16))
                    }
                    _ => Err("height gives a number of rows, or nil".to_owned()),
                },
            );
            Ok(called.await?)
        })
    }
}

/// A list of rows; a row is a text, or a table with `text` and `style`, or with `segments`.
fn rows(value: &Value) -> Result<Vec<Row>, String> {
    let json = to_json(value, &ToJson::default())?;
    let list = match json {
        Json::Null => return Ok(Vec::new()),
        Json::String(text) => return Ok(text.lines().map(plain).collect()),
        Json::Object(fields) if fields.is_empty() => return Ok(Vec::new()),
        Json::Array(list) => list,
        other => return Err(format!("render gives a list of rows, got {other}")),
    };
    list.into_iter().take(MAX_ROWS).map(row).collect()
}

fn plain(text: &str) -> Row {
    vec![Segment { text: text.to_owned(), style: None }]
}

fn row(row: Json) -> Result<Row, String> {
    match row {
        Json::String(text) => Ok(plain(&text)),
        Json::Object(mut fields) => {
            let style = fields.get("style").and_then(Json::as_str).map(str::to_owned);
            let mut segments = Vec::new();
            match fields.remove("text") {
                None | Some(Json::Null) => {}
                Some(Json::String(text)) => segments.push(Segment { text, style: style.clone() }),
                Some(other) => return Err(format!("the `text` of a row is a text, got {other}")),
            }
            let listed = match fields.remove("segments") {
                None | Some(Json::Null) => Vec::new(),
                Some(Json::Object(none)) if none.is_empty() => Vec::new(),
                Some(Json::Array(listed)) => listed,
                Some(other) => return Err(format!("`segments` is a list, got {other}")),
            };
            for segment in listed {
                let made = match segment {
                    Json::String(text) => Segment { text, style: style.clone() },
                    other => serde_json::from_value(other.clone()).map_err(|_| {
                        format!("a segment is {{text = …, style = …}}, got {other}")
                    })?,
                };
                segments.push(made);
            }
            Ok(segments)
        }
        other => Err(format!("a row is a text or a table, got {other}")),
    }
}
