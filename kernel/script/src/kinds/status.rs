//! Status items.

use super::panel::context_table;
use super::spec::Spec;
use crate::host::{Callback, Limit};
use crate::value::{ToJson, to_json};
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::StatusSpec;
use fen_contract::ui::{RenderContext, Segment, StatusItem};
use mlua::Value;
use std::sync::Arc;

struct ScriptStatus(Callback);

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<StatusSpec, String> {
    Ok(StatusSpec {
        name: spec.name()?,
        order: spec.optional("order")?,
        side: spec.optional("side")?,
        item: Arc::new(ScriptStatus(spec.required_callback("render")?)),
    })
}

impl StatusItem for ScriptStatus {
    fn render<'a>(
        &'a self,
        context: &'a RenderContext,
    ) -> BoxFuture<'a, Result<Option<Segment>, Failure>> {
        Box::pin(async move {
            let context = context.clone();
            let called = self.0.call(
                Limit::Sync,
                None,
                move |instance| context_table(instance, &context),
                |_, value| segment(&value),
            );
            Ok(called.await?)
        })
    }
}

fn segment(value: &Value) -> Result<Option<Segment>, String> {
    match value {
        Value::Nil => Ok(None),
        Value::String(text) => Ok(Some(Segment { text: text.to_string_lossy(), style: None })),
        other => {
            let json = to_json(other, &ToJson::default())?;
            serde_json::from_value(json)
                .map(Some)
                .map_err(|_| "render gives a text, {text = …, style = …} or nil".to_owned())
        }
    }
}
