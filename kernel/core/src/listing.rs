//! The rows behind `fen list` and the api's `list`.
//!
//! It only looks: a row is what was registered, as data. Nothing is run for it but the status of an
//! auth backend.

use crate::guard::caught;
use crate::registry::Registered;
use crate::shared::{Shared, lock};
use fen_contract::api::SURFACES;
use fen_contract::conversation::ModelChoice;
use fen_contract::failure::Failure;
use fen_contract::kinds::{Contribution, Kind, SpecValue};
use fen_contract::names::ProviderName;
use fen_contract::provider::ModelInfo;
use fen_contract::validate::did_you_mean;
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn kind_of(surface: &str) -> Option<Kind> {
    Some(match surface {
        "commands" => Kind::Command,
        "tools" => Kind::Tool,
        "providers" => Kind::Provider,
        "presenters" => Kind::Presenter,
        "session-backends" => Kind::SessionBackend,
        "auth-backends" => Kind::AuthBackend,
        "controls" => Kind::Control,
        "hooks" => Kind::Hook,
        "status" => Kind::Status,
        "panels" => Kind::Panel,
        "introspectors" => Kind::Introspect,
        _ => return None,
    })
}

fn row(entry: &Registered) -> Value {
    let mut row = Map::new();
    row.insert("name".to_owned(), entry.contribution.name().into());
    row.insert("owner".to_owned(), entry.by.owner.as_str().into());
    row.insert("source".to_owned(), entry.by.source.as_str().into());
    for (field, value) in entry.contribution.fields() {
        if let SpecValue::Json(value) = value {
            row.insert(field.to_owned(), value);
        }
    }
    if let Contribution::AuthBackend(spec) = &entry.contribution {
        let status = caught(|| spec.backend.status()).unwrap_or_else(|failure| failure.message);
        row.insert("status".to_owned(), status.into());
    }
    Value::Object(row)
}

impl Shared {
    /// The models that are known without asking a service, each provider's default among them.
    pub(crate) fn models(&self) -> Vec<(Arc<Registered>, ModelChoice)> {
        let mut choices = Vec::new();
        for entry in self.registry.snapshot().of_kind(Kind::Provider) {
            let Contribution::Provider(spec) = &entry.contribution else { continue };
            let provider = ProviderName::from(spec.name.as_str());
            let mut models = spec.models.clone().unwrap_or_default();
            if let Some(default) = &spec.default_model
                && !models.iter().any(|model| model.id == *default)
            {
                models.insert(0, ModelInfo::named(default.clone()));
            }
            choices.extend(
                models.into_iter().map(|model| {
                    (entry.clone(), ModelChoice { provider: provider.clone(), model })
                }),
            );
        }
        choices
    }

    /// The rows of a surface.
    pub(crate) fn list(&self, surface: &str) -> Result<Vec<Value>, Failure> {
        let snapshot = self.registry.snapshot();
        if let Some(kind) = kind_of(surface) {
            let mut rows: Vec<Value> = snapshot.of_kind(kind).map(|entry| row(entry)).collect();
            if kind == Kind::Tool {
                for (row, offer) in rows.iter_mut().zip(self.tool_offers(&snapshot)) {
                    row["offer"] = offer.into();
                }
            }
            return Ok(rows);
        }
        Ok(match surface {
            "extensions" => self.extension_rows(),
            "models" => self
                .models()
                .into_iter()
                .map(|(entry, ModelChoice { provider, model })| {
                    json!({
                        "name": format!("{provider}/{}", model.id),
                        "owner": entry.by.owner,
                        "source": entry.by.source.as_str(),
                        "provider": provider,
                        "model": model,
                    })
                })
                .collect(),
            "event-handlers" => self
                .bus
                .handlers()
                .into_iter()
                .map(|row| json!({"name": row.event, "owner": row.owner, "source": self.source_of(row.owner.as_str())}))
                .collect(),
            "prompt-fragments" => self
                .prompt
                .rows()
                .into_iter()
                .map(|(owner, id, order)| json!({"name": id, "owner": owner, "source": self.source_of(owner.as_str()), "order": order}))
                .collect(),
            "logs" => self
                .log
                .lines()
                .into_iter()
                .map(|line| {
                    let source = self.source_of(line.owner.as_str());
                    let mut row = json!(line);
                    row["source"] = source.into();
                    row
                })
                .collect(),
            _ => {
                let hint = did_you_mean(surface, SURFACES);
                return Err(Failure::caller(format!(
                    "there is no surface `{surface}`{hint}; there are {}",
                    SURFACES.join(", ")
                )));
            }
        })
    }

    /// The loaded extensions, then those that are known and not loaded.
    fn extension_rows(&self) -> Vec<Value> {
        let further = lock(&self.further_rows).clone();
        let further = further.map(|rows| rows()).unwrap_or_default();
        let mut rows: Vec<Value> = lock(&self.extensions)
            .iter()
            .filter(|loaded| {
                let name = loaded.manifest.name.as_str();
                !further.iter().any(|row| row["name"] == name && row["state"] != "shadowed")
            })
            .map(|loaded| {
                json!({
                    "name": loaded.manifest.name,
                    "owner": loaded.manifest.name,
                    "source": loaded.source.as_str(),
                    "description": loaded.manifest.description,
                    "state": "loaded",
                    "generation": loaded.generation,
                })
            })
            .collect();
        rows.extend(further);
        rows
    }

    fn source_of(&self, owner: &str) -> &'static str {
        lock(&self.extensions)
            .iter()
            .find(|loaded| loaded.manifest.name == owner)
            .map_or("bundled", |loaded| loaded.source.as_str())
    }
}
