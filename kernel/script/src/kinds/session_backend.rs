//! Session backends. An open session is any value of the script's own; it stays on the script
//! thread and the kernel holds its number.

use super::spec::Spec;
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::wire::{canonical, read_as, table_of};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::SessionBackendSpec;
use fen_contract::names::Millis;
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo, StoredEntry,
};
use fen_contract::type_expr::TypeExpr;
use fen_contract::types::Message;
use mlua::{IntoLuaMulti as _, MultiValue, Table, Value};
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

struct ScriptBackend {
    name: String,
    open: Callback,
    open_existing: Callback,
    append: Callback,
    close: Callback,
    load: Callback,
    find: Callback,
    list: Callback,
    latest: Callback,
    append_entry: Option<Callback>,
    load_entries: Option<Callback>,
    rename: Option<Callback>,
    delete: Option<Callback>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<SessionBackendSpec, String> {
    let name = spec.name()?;
    Ok(SessionBackendSpec {
        backend: Arc::new(ScriptBackend {
            name: name.clone(),
            open: spec.required_callback("open")?,
            open_existing: spec.required_callback("open-existing")?,
            append: spec.required_callback("append")?,
            close: spec.required_callback("close")?,
            load: spec.required_callback("load")?,
            find: spec.required_callback("find")?,
            list: spec.required_callback("list")?,
            latest: spec.required_callback("latest")?,
            append_entry: spec.callback("append-entry")?,
            load_entries: spec.callback("load-entries")?,
            rename: spec.callback("rename!")?,
            delete: spec.callback("delete!")?,
        }),
        name,
    })
}

/// The number of an open session, under which the script's own value is kept.
#[derive(Clone)]
struct OpenValue(Arc<Kept>);

/// Lets the value go with the last handle.
struct Kept {
    link: Arc<crate::host::Link>,
    value: u64,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let (id, value) = (self.link.id, self.value);
        let _ = self.link.scripts.spawn(move |world| async move {
            if let Some(instance) = world.instance(id) {
                instance.forget(value);
            }
        });
    }
}

fn number(session: &Session) -> Result<u64, Failure> {
    match session.state.downcast_ref::<OpenValue>() {
        Some(open) => Ok(open.0.value),
        None => Err(Failure::new("this session was opened by another backend")),
    }
}

fn open_options(instance: &Rc<Instance>, options: &OpenOptions) -> mlua::Result<Value> {
    let json = json!({"cwd": options.cwd.display().to_string(), "provider": options.provider,
                      "model": options.model});
    table_of(instance.lua(), &json)
}

fn find_options(instance: &Rc<Instance>, options: &FindOptions) -> mlua::Result<Value> {
    let json = json!({"cwd": options.cwd.as_ref().map(|cwd| cwd.display().to_string()),
                      "id": options.id, "text": options.text, "limit": options.limit});
    table_of(instance.lua(), &json)
}

/// Reads what is known of a session; what the script leaves out is filled in.
fn info(mut json: Json, cwd: &Path) -> Result<SessionInfo, String> {
    let Some(fields) = json.as_object_mut() else {
        return Err(format!("a session is described by a table with `id`, got {json}"));
    };
    if let Some(count) = fields.remove("message_count") {
        fields.insert("message-count".to_owned(), count);
    }
    let id = fields.get("id").cloned().ok_or("a session has an `id`")?;
    let id = match id {
        Json::String(id) => id,
        other => other.to_string(),
    };
    fields.insert("id".to_owned(), id.as_str().into());
    fields.entry("path").or_insert_with(|| id.as_str().into());
    fields.entry("cwd").or_insert_with(|| cwd.display().to_string().into());
    fields.entry("timestamp").or_insert_with(|| json!(Millis::now()));
    fields.entry("message-count").or_insert_with(|| 0.into());
    fields.entry("version").or_insert_with(|| 1.into());
    serde_json::from_value(json).map_err(|error| format!("a session's description: {error}"))
}

/// The description of the session that a script opened: its field `info`, or itself. Whatever is no
/// data in it is the script's own affair.
fn opened(instance: &Rc<Instance>, value: &Value, cwd: &Path) -> Result<SessionInfo, String> {
    match value {
        Value::Nil => Err("`open` gives a session, got nil".to_owned()),
        Value::Table(table) => {
            let described: Value = table.raw_get("info").map_err(|error| error.to_string())?;
            let table = match described {
                Value::Table(described) => described,
                _ => table.clone(),
            };
            info(described_by(&table), cwd)
        }
        Value::String(text) => info(json!({"id": text.to_string_lossy()}), cwd),
        _ => info(json!({"id": format!("{}-{}", instance.owner, Millis::now().0)}), cwd),
    }
}

fn described_by(table: &Table) -> Json {
    let mut fields = Map::new();
    for name in
        ["id", "path", "cwd", "timestamp", "title", "message-count", "message_count", "version"]
    {
        if let Ok(value) = table.raw_get::<Value>(name)
            && !value.is_nil()
            && let Ok(json) = to_json(&value, &ToJson::default())
        {
            fields.insert(name.to_owned(), json);
        }
    }
    Json::Object(fields)
}

fn infos(value: &Value) -> Result<Vec<SessionInfo>, String> {
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let mut json = to_json(value, &ToJson::default()).map_err(|error| error.to_string())?;
    canonical(&mut json, &TypeExpr::List(Box::new(TypeExpr::Any)));
    match json {
        Json::Array(list) => list.into_iter().map(|session| info(session, Path::new(""))).collect(),
        other => Err(format!("expected a list of sessions, got {other}")),
    }
}

/// The error in `{ok = false, error = …}`.
fn not_refused(value: &Value) -> Result<(), String> {
    let Value::Table(answer) = value else { return Ok(()) };
    if answer.raw_get::<Option<bool>>("ok").ok().flatten() == Some(false) {
        let words: Option<String> = answer.raw_get("error").ok().flatten();
        return Err(words.unwrap_or_else(|| "it was refused".to_owned()));
    }
    Ok(())
}

impl ScriptBackend {
    async fn opening(
        &self,
        callback: &Callback,
        cwd: PathBuf,
        arguments: impl FnOnce(&Rc<Instance>) -> mlua::Result<MultiValue> + Send + 'static,
    ) -> Result<Session, Failure> {
        let (info, value) = callback
            .call(Limit::Work, None, arguments, move |instance, value| {
                not_refused(&value)?;
                let info = opened(instance, &value, &cwd)?;
                Ok((info, instance.remember(value)))
            })
            .await?;
        let kept = Kept { link: callback.link.clone(), value };
        Ok(Session { info, state: Arc::new(OpenValue(Arc::new(kept))) })
    }

    /// Calls with an open session and something else, and takes no answer but a refusal.
    async fn with_session(
        &self,
        callback: &Callback,
        session: &Session,
        second: impl FnOnce(&Rc<Instance>) -> mlua::Result<Value> + Send + 'static,
    ) -> Result<(), Failure> {
        let number = number(session)?;
        let called = callback.call(
            Limit::Work,
            None,
            move |instance| {
                let session = instance.remembered(number);
                (session, second(instance)?).into_lua_multi(instance.lua())
            },
            |_, value| not_refused(&value),
        );
        Ok(called.await?)
    }

    fn lacks(&self, what: &str) -> Failure {
        Failure::caller(format!("the session backend `{}` does not support {what}", self.name))
    }

    async fn sessions(
        &self,
        callback: &Callback,
        options: FindOptions,
    ) -> Result<Vec<SessionInfo>, Failure> {
        let limit = options.limit.unwrap_or(usize::MAX);
        let called = callback.call(
            Limit::Work,
            None,
            move |instance| find_options(instance, &options)?.into_lua_multi(instance.lua()),
            |_, value| infos(&value),
        );
        let mut sessions = called.await?;
        sessions.truncate(limit);
        Ok(sessions)
    }
}

impl SessionBackend for ScriptBackend {
    fn open(&self, options: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>> {
        let cwd = options.cwd.clone();
        Box::pin(self.opening(&self.open, cwd, move |instance| {
            open_options(instance, &options)?.into_lua_multi(instance.lua())
        }))
    }

    fn open_existing<'a>(
        &'a self,
        path: &'a Path,
        options: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        let (cwd, path) = (options.cwd.clone(), path.display().to_string());
        Box::pin(self.opening(&self.open_existing, cwd, move |instance| {
            (path, open_options(instance, &options)?).into_lua_multi(instance.lua())
        }))
    }

    fn append<'a>(
        &'a self,
        session: &'a Session,
        message: &'a Message,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let message = message.clone();
        Box::pin(self.with_session(&self.append, session, move |instance| {
            table_of(instance.lua(), &message)
        }))
    }

    fn close<'a>(&'a self, session: &'a Session) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(self.with_session(&self.close, session, |_| Ok(Value::Nil)))
    }

    fn load<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        let path = path.display().to_string();
        Box::pin(async move {
            let called = self.load.call(
                Limit::Work,
                None,
                move |instance| {
                    (path, instance.lua().create_table()?).into_lua_multi(instance.lua())
                },
                |_, value| loaded(&value),
            );
            Ok(called.await?)
        })
    }

    fn find(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        Box::pin(self.sessions(&self.find, options))
    }

    fn list(&self, options: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        Box::pin(self.sessions(&self.list, options))
    }

    fn latest(&self, options: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        Box::pin(async move {
            let called = self.latest.call(
                Limit::Work,
                None,
                move |instance| find_options(instance, &options)?.into_lua_multi(instance.lua()),
                |_, value| match &value {
                    Value::Nil => Ok(None),
                    Value::Table(table) => info(described_by(table), Path::new("")).map(Some),
                    other => {
                        Err(format!("latest gives a session or nil, got {}", other.type_name()))
                    }
                },
            );
            Ok(called.await?)
        })
    }

    fn append_entry<'a>(
        &'a self,
        session: &'a Session,
        kind: &'a str,
        fields: Json,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let mut entry = match fields {
            Json::Object(fields) => fields,
            _ => Map::new(),
        };
        entry.insert("type".to_owned(), kind.into());
        Box::pin(async move {
            let Some(append_entry) = &self.append_entry else {
                return Err(self.lacks("further entries"));
            };
            let entry = Json::Object(entry);
            self.with_session(append_entry, session, move |instance| {
                to_lua(instance.lua(), &entry, ToLua::default())
                    .map_err(|error| mlua::Error::runtime(error.to_string()))
            })
            .await
        })
    }

    fn load_entries<'a>(
        &'a self,
        path: &'a Path,
    ) -> BoxFuture<'a, Result<Vec<StoredEntry>, Failure>> {
        let path = path.display().to_string();
        Box::pin(async move {
            let Some(load_entries) = &self.load_entries else {
                return Err(self.lacks("further entries"));
            };
            let called = load_entries.call(
                Limit::Work,
                None,
                move |instance| path.into_lua_multi(instance.lua()),
                |_, value| entries(&value),
            );
            Ok(called.await?)
        })
    }

    fn rename<'a>(
        &'a self,
        session: &'a Session,
        title: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let title = title.to_owned();
        Box::pin(async move {
            let Some(rename) = &self.rename else { return Err(self.lacks("titles")) };
            self.with_session(rename, session, move |instance| {
                instance.lua().create_string(title).map(Value::String)
            })
            .await
        })
    }

    fn delete<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<(), Failure>> {
        let path = path.display().to_string();
        Box::pin(async move {
            let Some(delete) = &self.delete else { return Err(self.lacks("deletion")) };
            let called = delete.call(
                Limit::Work,
                None,
                move |instance| path.into_lua_multi(instance.lua()),
                |_, value| not_refused(&value),
            );
            Ok(called.await?)
        })
    }
}

/// A list of messages, or a table with `messages` and perhaps `provider`, `model`, `warnings` and
/// `queue`.
fn loaded(value: &Value) -> Result<Loaded, String> {
    not_refused(value)?;
    let field = |name: &str| match value {
        Value::Table(table) => table.raw_get::<Value>(name).map_err(|error| error.to_string()),
        _ => Ok(Value::Nil),
    };
    let messages = field("messages")?;
    if messages.is_nil() {
        return Ok(Loaded { messages: read_as(value, "[Message]")?, ..Loaded::default() });
    }
    let data = |name: &str| -> Result<Json, String> {
        to_json(&field(name)?, &ToJson::default()).map_err(|error| format!("{name}: {error}"))
    };
    let text = |json: Json| json.as_str().map(str::to_owned);
    let list = |json: &Json| -> Vec<String> {
        let texts = json.as_array().into_iter().flatten().filter_map(Json::as_str);
        texts.map(str::to_owned).collect()
    };
    let queue = data("queue")?;
    Ok(Loaded {
        messages: read_as(&messages, "[Message]")?,
        provider: text(data("provider")?),
        model: text(data("model")?),
        warnings: list(&data("warnings")?),
        queue: QueueContents {
            steering: list(&queue["steering"]),
            follow_up: list(&queue["follow-up"]),
        },
    })
}

fn entries(value: &Value) -> Result<Vec<StoredEntry>, String> {
    if value.is_nil() {
        return Ok(Vec::new());
    }
    let mut json = to_json(value, &ToJson::default()).map_err(|error| error.to_string())?;
    canonical(&mut json, &TypeExpr::List(Box::new(TypeExpr::Any)));
    let Json::Array(list) = json else {
        return Err("load-entries gives a list of entries".to_owned());
    };
    list.into_iter()
        .map(|mut entry| {
            let fields = entry.as_object_mut().ok_or("an entry is a table")?;
            let kind = fields.remove("type").and_then(|kind| kind.as_str().map(str::to_owned));
            let kind = kind.ok_or("an entry has a `type`")?;
            Ok(StoredEntry { kind, fields: entry })
        })
        .collect::<Result<_, &str>>()
        .map_err(str::to_owned)
}
