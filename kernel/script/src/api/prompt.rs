//! `prompt(text-or-fn, options)`: a piece of the system prompt.

use crate::host::{Callback, Instance, Limit};
use crate::vm::HostError;
use fen_contract::api::{FragmentText, PromptFragment};
use fen_contract::failure::Failure;
use mlua::{Function, MultiValue, Table, Value};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How long a request waits for a piece of its prompt.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where a piece without an order stands.
const ORDER: f64 = 500.0;

pub(super) fn prompt(instance: &Rc<Instance>) -> mlua::Result<Function> {
    instance.function(|instance, (text, options): (Value, Option<Table>)| {
        let text = match text {
            Value::String(text) => FragmentText::Fixed(text.to_string_lossy().into()),
            Value::Function(function) => made(instance, function)?,
            other => {
                return Err(HostError::new(format!(
                    "prompt takes a text or a function, got {}",
                    other.type_name()
                )));
            }
        };
        let (mut id, mut title, mut order) = (None, None, None);
        if let Some(options) = &options {
            id = options.raw_get::<Option<String>>("id")?;
            title = options.raw_get::<Option<String>>("title")?;
            order = options.raw_get::<Option<f64>>("order")?;
        }
        let registration = instance.api.prompt(PromptFragment {
            id: id.unwrap_or_else(|| instance.owner.to_string()),
            title,
            order: order.unwrap_or(ORDER),
            text,
        });
        let table = instance.lua().create_table_with_capacity(0, 2)?;
        table.raw_set("id", registration.0)?;
        table.raw_set(
            "unregister",
            instance.function(move |instance, ()| Ok(instance.api.unregister(registration)))?,
        )?;
        Ok(table)
    })
}

fn made(instance: &Rc<Instance>, function: Function) -> Result<FragmentText, HostError> {
    let callback = Arc::new(Callback { link: instance.link()?, function: instance.keep(function) });
    Ok(FragmentText::Made(Arc::new(move || {
        let callback = callback.clone();
        Box::pin(async move {
            let called = callback.call(
                Limit::Look,
                None,
                |_| Ok(MultiValue::new()),
                |_, value| match value {
                    Value::Nil => Ok(None),
                    Value::String(text) => Ok(Some(text.to_string_lossy())),
                    other => Err(format!("a prompt is a text, got {}", other.type_name())),
                },
            );
            match tokio::time::timeout(PATIENCE, called).await {
                Ok(called) => called.map_err(Failure::from),
                Err(_) => Err(Failure::new(format!("it gave no text within {PATIENCE:?}"))),
            }
        })
    })))
}
