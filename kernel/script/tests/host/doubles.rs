//! What stands in for the rest of fen: a store of sessions in memory, a person who answers, and
//! settings that can be changed.

use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::{Count, Millis};
use fen_contract::session::{
    FindOptions, Loaded, OpenOptions, Session, SessionBackend, SessionInfo, StoredEntry,
};
use fen_contract::types::Message;
use fen_contract::ui::{Choice, OfferAction, Picked, Question, Ui};
use fen_script::host::SettingsFile;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// One session in memory, which keeps entries and a title.
#[derive(Default)]
pub struct Store {
    entries: Mutex<Vec<StoredEntry>>,
}

impl Store {
    /// A store and its open session `s1`.
    pub fn opened() -> (Arc<dyn SessionBackend>, Session) {
        (Arc::new(Store::default()), session("s1"))
    }
}

/// An open session that needs nothing to write to it.
pub fn session(id: &str) -> Session {
    Session {
        info: SessionInfo {
            id: id.into(),
            path: format!("/sessions/{id}").into(),
            cwd: "/".into(),
            timestamp: Millis(7),
            title: None,
            message_count: Count(0),
            version: Count(1),
            size: None,
            modified: None,
        },
        state: Arc::new(()),
    }
}

fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, Result<T, Failure>> {
    Box::pin(std::future::ready(Ok(value)))
}

impl SessionBackend for Store {
    fn open(&self, _: OpenOptions) -> BoxFuture<'_, Result<Session, Failure>> {
        ready(session("s2"))
    }

    fn open_existing<'a>(
        &'a self,
        _: &'a Path,
        _: OpenOptions,
    ) -> BoxFuture<'a, Result<Session, Failure>> {
        ready(session("s1"))
    }

    fn append<'a>(&'a self, _: &'a Session, _: &'a Message) -> BoxFuture<'a, Result<(), Failure>> {
        ready(())
    }

    fn close<'a>(&'a self, _: &'a Session) -> BoxFuture<'a, Result<(), Failure>> {
        ready(())
    }

    fn load<'a>(&'a self, _: &'a Path) -> BoxFuture<'a, Result<Loaded, Failure>> {
        ready(Loaded::default())
    }

    fn find(&self, _: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        ready(Vec::new())
    }

    fn list(&self, _: FindOptions) -> BoxFuture<'_, Result<Vec<SessionInfo>, Failure>> {
        ready(Vec::new())
    }

    fn latest(&self, _: FindOptions) -> BoxFuture<'_, Result<Option<SessionInfo>, Failure>> {
        ready(None)
    }

    fn append_entry<'a>(
        &'a self,
        session: &'a Session,
        kind: &'a str,
        fields: Value,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        let mut fields = fields;
        fields["session"] = session.info.id.as_str().into();
        self.entries.lock().unwrap().push(StoredEntry { kind: kind.to_owned(), fields });
        ready(())
    }

    fn load_entries<'a>(
        &'a self,
        path: &'a Path,
    ) -> BoxFuture<'a, Result<Vec<StoredEntry>, Failure>> {
        let of_session = |entry: &StoredEntry| {
            let id = entry.fields["session"].as_str().unwrap_or_default();
            path.ends_with(id)
        };
        let entries = self.entries.lock().unwrap();
        ready(entries.iter().filter(|entry| of_session(entry)).cloned().collect())
    }

    fn rename<'a>(&'a self, _: &'a Session, _: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        ready(())
    }
}

/// A person who takes the last of the offered answers, and says what was asked.
#[derive(Default)]
pub struct Person {
    pub heard: Mutex<Vec<Value>>,
}

impl Person {
    fn hears(&self, what: Value) {
        self.heard.lock().unwrap().push(what);
    }
}

impl Ui for Person {
    fn notify(&self, text: &str) {
        self.hears(json!({"notify": text}));
    }

    fn prompt(&self, question: Question) -> BoxFuture<'_, Option<String>> {
        let Question { text, initial, secret } = question;
        self.hears(json!({"prompt": text, "initial": initial, "secret": secret}));
        Box::pin(std::future::ready(Some("an answer".to_owned())))
    }

    fn pick(&self, choice: Choice) -> BoxFuture<'_, Option<Picked>> {
        let details: Vec<&Option<String>> =
            choice.choices.iter().map(|offer| &offer.detail).collect();
        if details.iter().any(|detail| detail.is_some()) {
            self.hears(json!({"details": details}));
        }
        let action = choice.actions.last().map(|action| {
            let OfferAction { key, name, label } = action;
            self.hears(json!({"key": key, "name": name, "label": label}));
            name.clone()
        });
        Box::pin(async move {
            let value = self.select(choice).await?;
            Some(Picked { value, action })
        })
    }

    fn select(&self, choice: Choice) -> BoxFuture<'_, Option<Value>> {
        let labels: Vec<&String> = choice.choices.iter().map(|offer| &offer.label).collect();
        self.hears(json!({
            "select": choice.title, "labels": labels, "initial-query": choice.initial_query,
        }));
        let last = choice.choices.into_iter().next_back();
        Box::pin(std::future::ready(last.map(|offer| offer.value)))
    }
}

/// A settings file that remembers its changes.
#[derive(Default)]
pub struct Changes(pub Mutex<Vec<Value>>);

impl SettingsFile for Changes {
    fn set(&self, settings: Map<String, Value>) -> BoxFuture<'_, Result<(), Failure>> {
        self.0.lock().unwrap().push(Value::Object(settings));
        ready(())
    }
}
