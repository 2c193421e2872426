//! Auth backends.

use super::answer::not_refused;
use super::spec::Spec;
use crate::host::{Callback, Limit};
use crate::value::{ToLua, to_lua};
use fen_contract::auth::AuthBackend;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::kinds::AuthBackendSpec;
use fen_contract::names::ProviderName;
use fen_contract::secret::Secret;
use mlua::{IntoLuaMulti as _, MultiValue, Value};
use serde_json::Value as Json;
use std::sync::{Arc, Mutex, PoisonError};

struct ScriptAuth {
    name: String,
    api_key: Callback,
    login: Option<Callback>,
    logout: Option<Callback>,
    status: Option<Callback>,
    /// What it last said of itself. Whoever lists backends must not wait for a script.
    said: Arc<Mutex<String>>,
}

pub(super) fn contribution(spec: &mut Spec<'_>) -> Result<AuthBackendSpec, String> {
    let name = spec.name()?;
    let auth = Arc::new(ScriptAuth {
        name: name.clone(),
        api_key: spec.required_callback("api-key")?,
        login: spec.callback("login!")?,
        logout: spec.callback("logout!")?,
        status: spec.callback("status")?,
        said: Arc::default(),
    });
    let first = Arc::downgrade(&auth);
    spec.instance.once_loaded(async move {
        if let Some(auth) = first.upgrade() {
            auth.ask_status().await;
        }
    });
    Ok(AuthBackendSpec { name, backend: auth })
}

impl ScriptAuth {
    async fn ask_status(&self) {
        let Some(status) = &self.status else { return };
        let said = status
            .call(
                Limit::Sync,
                None,
                |_| Ok(MultiValue::new()),
                |_, value| match value {
                    Value::String(text) => Ok(text.to_string_lossy()),
                    Value::Nil => Ok(String::new()),
                    other => Err(format!("status gives a text, got {}", other.type_name())),
                },
            )
            .await;
        let said = said.unwrap_or_else(|failure| failure.message);
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = said;
    }

    async fn call(&self, callback: &Callback, options: Json) -> Result<(), Failure> {
        let called = callback.call(
            Limit::Work,
            None,
            move |instance| {
                let options = to_lua(instance.lua(), &options, ToLua::default())?;
                options.into_lua_multi(instance.lua())
            },
            |_, value| not_refused(&value),
        );
        let outcome = called.await;
        self.ask_status().await;
        Ok(outcome?)
    }
}

impl AuthBackend for ScriptAuth {
    fn api_key<'a>(
        &'a self,
        provider: &'a ProviderName,
    ) -> BoxFuture<'a, Result<Option<Secret>, Failure>> {
        Box::pin(async move {
            let provider = provider.as_str().to_owned();
            let called = self.api_key.call(
                Limit::Work,
                None,
                move |instance| provider.into_lua_multi(instance.lua()),
                |_, value| match value {
                    Value::Nil => Ok(None),
                    Value::String(text) => Ok(Secret::new(&text.to_string_lossy())),
                    other => Err(format!("api-key gives a text or nil, got {}", other.type_name())),
                },
            );
            let key = called.await;
            // It may have refreshed what it keeps.
            self.ask_status().await;
            Ok(key?)
        })
    }

    fn login(&self, options: Json) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            match &self.login {
                Some(login) => self.call(login, options).await,
                None => Err(Failure::caller(format!("`{}` has no login", self.name))),
            }
        })
    }

    fn logout(&self) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            match &self.logout {
                Some(logout) => self.call(logout, Json::Object(Default::default())).await,
                None => Err(Failure::caller(format!("`{}` has no logout", self.name))),
            }
        })
    }

    fn status(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
