//! Session backends. An open session is any value of the script's own; it stays on the script
//! thread and the kernel holds its number.

use super::answer::{listed, not_refused};
use super::session_info::{described_by, info, infos, opened};
use super::spec::Spec;
use crate::host::{Callback, Instance, Limit};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::wire::{read_as, table_of};
use fen_contract::conversation::QueueContents;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::SessionBackendSpec;
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo, StoredEntry,
};
use fen_contract::types::Message;
use mlua::{IntoLuaMulti as _, MultiValue, Value};
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
    preview: Option<Callback>,
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
            preview: spec.callback("preview")?,
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
        let value = self.value;
        self.link.post(move |instance| instance.forget(value));
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

    fn preview<'a>(&'a self, path: &'a Path) -> BoxFuture<'a, Result<String, Failure>> {
        let path = path.display().to_string();
        Box::pin(async move {
            let Some(preview) = &self.preview else { return Err(self.lacks("previews")) };
            let called = preview.call(
                Limit::Work,
                None,
                move |instance| path.into_lua_multi(instance.lua()),
                |_, value| {
                    not_refused(&value)?;
                    match value {
                        Value::String(text) => Ok(text.to_string_lossy()),
                        other => Err(format!("preview gives a text, got {}", other.type_name())),
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
                Ok(to_lua(instance.lua(), &entry, ToLua::default())?)
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
    listed(value, "a list of entries")?
        .into_iter()
        .map(|mut entry| {
            let fields = entry.as_object_mut().ok_or("an entry is a table")?;
            let kind = fields.remove("type").and_then(|kind| kind.as_str().map(str::to_owned));
            let kind = kind.ok_or("an entry has a `type`")?;
            Ok(StoredEntry { kind, fields: entry })
        })
        .collect::<Result<_, &str>>()
        .map_err(str::to_owned)
}
