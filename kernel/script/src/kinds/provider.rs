//! Providers.

use super::answer::listed;
use super::provider_stream::{Relay, StreamEvents, partial};
use super::spec::Spec;
use crate::host::{Callback, Instance, Limit, ScriptFailure};
use crate::value::{ToJson, ToLua, lazy_list, to_json, to_lua};
use crate::vm::{CallErrorKind, HostError};
use crate::wire::{MessageSource, canonical, in_lua, names_aliased, table_of};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::ProviderSpec;
use fen_contract::names::{Millis, ModelId};
use fen_contract::provider::{CallOptions, ModelInfo, Provider, StreamSink};
use fen_contract::type_expr::TypeExpr;
use fen_contract::types::{AgentContext, AssistantMessage, ErrorKind, Message, StopReason, Tool};
use fen_contract::validate::check_type;
use mlua::{Function, IntoLuaMulti as _, Lua, MultiValue, Table, Value};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::rc::Rc;
use std::sync::Arc;

struct ScriptProvider {
    name: String,
    api: String,
    auth: Option<String>,
    complete: Callback,
    build_body: Callback,
    convert_messages: Callback,
    convert_tools: Callback,
    map_stop_reason: Callback,
    parse_response: Callback,
    list_models: Option<Callback>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<ProviderSpec, String> {
    let name = spec.name()?;
    let api: String = spec.required("api")?;
    let auth: Option<String> = spec.optional("auth")?;
    if let Some(auth) = &auth {
        may_use(spec.instance, auth)?;
    }
    let models: Option<Vec<Json>> = spec.optional("models")?;
    let models = models.map(|models| models.into_iter().map(model).collect()).transpose();
    let models = models.map_err(|what: String| spec.wrong("models", &what))?;
    Ok(ProviderSpec {
        base_url: spec.optional("base-url")?,
        default_model: spec.optional("default-model")?,
        models,
        setup: spec.optional("setup")?,
        provider: Arc::new(ScriptProvider {
            name: name.clone(),
            api: api.clone(),
            auth: auth.clone(),
            complete: spec.required_callback("complete")?,
            build_body: spec.required_callback("build-body")?,
            convert_messages: spec.required_callback("convert-messages")?,
            convert_tools: spec.required_callback("convert-tools")?,
            map_stop_reason: spec.required_callback("map-stop-reason")?,
            parse_response: spec.required_callback("parse-response")?,
            list_models: spec.callback("list-models")?,
        }),
        api,
        auth,
        name,
    })
}

/// The key of a foreign auth backend is handed out only where the manifest says so.
fn may_use(instance: &Instance, auth: &str) -> Result<(), String> {
    let foreign =
        crate::api::auth_backend(instance, auth).is_some_and(|(_, owner)| owner != instance.owner);
    if foreign && !instance.granted.auth.iter().any(|name| name == auth) {
        return Err(format!(
            "provider: `auth = \"{auth}\"` needs the capability `auth:{auth}`; add \
             `\"capabilities\": [\"auth:{auth}\"]` to the manifest of extension `{}`, or the line \
             `capabilities: auth:{auth}` to the comment at the top of its file",
            instance.owner
        ));
    }
    Ok(())
}

/// A model is an id, or a table with `id`.
fn model(json: Json) -> Result<ModelInfo, String> {
    match json {
        Json::String(id) => Ok(ModelInfo::named(id)),
        mut other => {
            if let Some(fields) = other.as_object_mut() {
                for (alias, name) in
                    [("context_window", "context-window"), ("max_tokens", "max-tokens")]
                {
                    if let Some(value) = fields.remove(alias) {
                        fields.insert(name.to_owned(), value);
                    }
                }
            }
            serde_json::from_value(other.clone())
                .map_err(|error| format!("a model is an id or {{id = …}}, got {other}: {error}"))
        }
    }
}

fn context_table(lua: &Lua, context: &AgentContext) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 4)?;
    table.raw_set("max-tokens", context.max_tokens.0)?;
    let messages = Rc::new(MessageSource::Fixed(context.messages.clone()));
    table.raw_set("messages", lazy_list(lua, messages)?)?;
    table.raw_set("tools", table_of(lua, &*context.tools)?)?;
    if let Some(prompt) = &context.system_prompt {
        table.raw_set("system-prompt", &**prompt)?;
    }
    names_aliased(lua, table)
}

fn options_table(
    instance: &Instance,
    options: &CallOptions,
    auth: Option<&str>,
) -> mlua::Result<Table> {
    let lua = instance.lua();
    let table = lua.create_table_with_capacity(0, 4)?;
    table.raw_set("thinking", options.thinking.as_str())?;
    if let Some(key) = &options.api_key {
        // Asked again: the backend may have been contributed after the provider.
        auth.map_or(Ok(()), |auth| may_use(instance, auth)).map_err(mlua::Error::runtime)?;
        table.raw_set("api-key", key.reveal())?;
    }
    if let Some(session) = &options.session_id {
        table.raw_set("session-id", session.as_str())?;
    }
    for (name, value) in &options.extra {
        let value = to_lua(lua, value, ToLua::default())?;
        table.raw_set(name.as_str(), value)?;
    }
    names_aliased(lua, table)
}

/// `yield-fn`: gives way to others, and raises once the call is cancelled.
pub(super) fn give_way(instance: &Rc<Instance>, cancel: CancelToken) -> mlua::Result<Function> {
    instance.async_function(move |_, _: MultiValue| {
        let cancel = cancel.clone();
        async move {
            tokio::task::yield_now().await;
            if cancel.is_cancelled() { Err(HostError::Cancelled) } else { Ok(()) }
        }
    })
}

impl ScriptProvider {
    fn failed(&self, failure: &Failure) -> AssistantMessage {
        AssistantMessage::failed(ErrorKind::Refused, failure.message.clone(), Vec::new())
    }
}

/// An answer as the kernel takes it; what a script may leave out is filled in.
fn answer(value: &Value, name: &str, api: &str) -> Result<AssistantMessage, String> {
    let mut json = to_json(value, &ToJson::default())?;
    canonical(&mut json, &TypeExpr::parse("AssistantMessage"));
    let Some(fields) = json.as_object_mut() else {
        return Err(format!("`complete` gives an AssistantMessage, got {json}"));
    };
    fields.entry("role").or_insert_with(|| "assistant".into());
    fields.entry("timestamp").or_insert_with(|| json!(Millis::now()));
    fields.entry("provider").or_insert_with(|| name.into());
    fields.entry("api").or_insert_with(|| api.into());
    fields.entry("stop-reason").or_insert_with(|| "stop".into());
    check_type("AssistantMessage", &json).map_err(in_lua)?;
    serde_json::from_value(json).map_err(|error| error.to_string())
}

/// What was thrown as `{kind, message}` is a provider's failure of that kind.
fn thrown(failure: &ScriptFailure) -> (ErrorKind, String, Option<Millis>) {
    let value = failure.call.as_ref().and_then(|call| call.value.as_ref());
    let text = |name: &str| value.and_then(|value| value.get(name)).and_then(Json::as_str);
    let kind = text("kind").and_then(kind_named).unwrap_or(ErrorKind::Refused);
    let message = text("message").or(text("error")).unwrap_or(&failure.message).to_owned();
    let wait = value
        .and_then(|value| value.get("retry-after-ms").or_else(|| value.get("retry_after_ms")))
        .and_then(|wait| serde_json::from_value(wait.clone()).ok());
    (kind, message, wait)
}

/// The error kind of this name; `network` and the like as the capability `http` spells them.
fn kind_named(name: &str) -> Option<ErrorKind> {
    if let Ok(kind) = serde_json::from_value(Json::String(name.to_owned())) {
        return Some(kind);
    }
    match name {
        "timeout" => Some(ErrorKind::Stall),
        "too-large" | "invalid" => Some(ErrorKind::InvalidRequest),
        _ => None,
    }
}

impl Provider for ScriptProvider {
    fn convert_messages(&self, messages: &[Message]) -> Vec<Json> {
        let messages = Arc::new(messages.to_vec());
        let converted = self.convert_messages.call_blocking(
            move |instance| {
                lazy_list(instance.lua(), Rc::new(MessageSource::Fixed(messages)))?
                    .into_lua_multi(instance.lua())
            },
            |_, value| listed(&value, "a list"),
        );
        converted.unwrap_or_else(|failure| {
            self.note("convert-messages", &failure);
            Vec::new()
        })
    }

    fn convert_tools(&self, tools: &[Tool]) -> Vec<Json> {
        let tools = tools.to_vec();
        let converted = self.convert_tools.call_blocking(
            move |instance| table_of(instance.lua(), &tools)?.into_lua_multi(instance.lua()),
            |_, value| listed(&value, "a list"),
        );
        converted.unwrap_or_else(|failure| {
            self.note("convert-tools", &failure);
            Vec::new()
        })
    }

    fn map_stop_reason(&self, reason: &str) -> StopReason {
        let reason = reason.to_owned();
        let mapped = self.map_stop_reason.call_blocking(
            move |instance| reason.into_lua_multi(instance.lua()),
            |_, value| {
                let json = to_json(&value, &ToJson::default())?;
                serde_json::from_value(json).map_err(|error| format!("a stop reason: {error}"))
            },
        );
        mapped.unwrap_or_else(|failure| {
            self.note("map-stop-reason", &failure);
            StopReason::Stop
        })
    }

    fn parse_response(&self, response: &Json) -> AssistantMessage {
        let response = response.clone();
        let (name, api) = (self.name.clone(), self.api.clone());
        let parsed = self.parse_response.call_blocking(
            move |instance| {
                let response = to_lua(instance.lua(), &response, ToLua::default())?;
                response.into_lua_multi(instance.lua())
            },
            move |_, value| answer(&value, &name, &api),
        );
        parsed.unwrap_or_else(|failure| {
            self.note("parse-response", &failure);
            self.failed(&failure)
        })
    }

    fn build_body(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
    ) -> Result<Box<RawValue>, Failure> {
        let (model, context, options) = (model.clone(), context.clone(), options.clone());
        let auth = self.auth.clone();
        let body = self.build_body.call_blocking(
            move |instance| {
                let lua = instance.lua();
                let context = context_table(lua, &context)?;
                let options = options_table(instance, &options, auth.as_deref())?;
                (model.as_str(), context, options).into_lua_multi(lua)
            },
            |_, value| Ok(to_json(&value, &ToJson::default())?),
        )?;
        RawValue::from_string(body.to_string()).map_err(|error| Failure::new(error.to_string()))
    }

    fn complete<'a>(
        &'a self,
        model: &'a ModelId,
        context: &'a AgentContext,
        options: &'a CallOptions,
        sink: &'a dyn StreamSink,
        cancel: &'a CancelToken,
    ) -> BoxFuture<'a, AssistantMessage> {
        Box::pin(async move {
            let (relay, mut events) = Relay::new();
            let (asked, given, chosen) = (model.clone(), context.clone(), options.clone());
            let (name, api, auth) = (self.name.clone(), self.api.clone(), self.auth.clone());
            let token = cancel.clone();
            let called = self.complete.call(
                Limit::Work,
                Some(cancel),
                move |instance| {
                    let lua = instance.lua();
                    let on_event = relay.on_event(instance)?;
                    let context = context_table(lua, &given)?;
                    let options = options_table(instance, &chosen, auth.as_deref())?;
                    let way = give_way(instance, token)?;
                    (asked.as_str(), context, options, on_event, way).into_lua_multi(lua)
                },
                move |_, value| answer(&value, &name, &api),
            );
            tokio::pin!(called);
            let mut seen = StreamEvents::default();
            let outcome = loop {
                tokio::select! {
                    biased;
                    event = events.recv() => match event {
                        Some(event) => {
                            seen.note(&event);
                            sink.emit(event);
                            sink.ready().await;
                        }
                        // The function has gone with its call; the outcome is on its way.
                        None => break called.await,
                    },
                    outcome = &mut called => break outcome,
                }
            };
            while let Ok(event) = events.try_recv() {
                seen.note(&event);
                sink.emit(event);
            }
            self.finished(model, outcome, cancel, &seen)
        })
    }

    fn list_models<'a>(
        &'a self,
        options: &'a CallOptions,
    ) -> BoxFuture<'a, Result<Vec<ModelInfo>, Failure>> {
        Box::pin(async move {
            let Some(list_models) = &self.list_models else {
                return Err(Failure::new("this provider cannot list its models"));
            };
            let (options, auth) = (options.clone(), self.auth.clone());
            let called = list_models.call(
                Limit::Work,
                None,
                move |instance| {
                    let options = options_table(instance, &options, auth.as_deref())?;
                    options.into_lua_multi(instance.lua())
                },
                |_, value| listed(&value, "a list")?.into_iter().map(model).collect(),
            );
            Ok(called.await?)
        })
    }
}

impl ScriptProvider {
    /// Tells of a failed conversion, which has no other way to say so.
    fn note(&self, callback: &str, failure: &Failure) {
        self.complete.report(callback, &failure.message);
    }

    fn finished(
        &self,
        model: &ModelId,
        outcome: Result<AssistantMessage, ScriptFailure>,
        cancel: &CancelToken,
        seen: &StreamEvents,
    ) -> AssistantMessage {
        let message = match outcome {
            Ok(message) => message,
            Err(_) if cancel.is_cancelled() => {
                AssistantMessage::new(partial(seen), StopReason::Aborted)
            }
            Err(failure) => {
                let is_thrown = failure.call.as_ref().is_some_and(|call| call.value.is_some());
                if !is_thrown {
                    self.complete.report("complete", &failure.message);
                }
                let stopped =
                    failure.call.as_ref().is_some_and(|call| call.kind == CallErrorKind::Cancelled);
                let (kind, mut words, wait) = thrown(&failure);
                if !is_thrown {
                    words = format!(
                        "the provider `{}` of extension `{}` failed: {words}",
                        self.name, self.complete.link.owner
                    );
                }
                let mut message = AssistantMessage::failed(
                    if stopped { ErrorKind::Aborted } else { kind },
                    words,
                    partial(seen),
                );
                message.retry_after_ms = wait;
                message
            }
        };
        AssistantMessage {
            model: message.model.clone().or_else(|| Some(model.clone())),
            provider: message.provider.clone().or_else(|| Some(self.name.as_str().into())),
            api: message.api.clone().or_else(|| Some(self.api.clone())),
            ..message
        }
    }
}
