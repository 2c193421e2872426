//! A registration as a script wrote it, judged by the contract and taken apart.

use crate::host::{Callback, Instance};
use crate::value::{Aliases, ToJson, normalise, to_json};
use fen_contract::api::LogLevel;
use fen_contract::kinds::{Kind, SpecValue};
use fen_contract::validate::check_registration;
use mlua::{Function, Table, Value};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::rc::Rc;

/// The fields of one registration.
pub(super) struct Spec<'i> {
    pub instance: &'i Rc<Instance>,
    pub kind: Kind,
    data: HashMap<String, Json>,
    functions: HashMap<String, Function>,
    /// The functions of the table `ui`, which only presenters have.
    pub ui: HashMap<String, Function>,
}

fn functions_of(table: &Table) -> Result<HashMap<String, Function>, String> {
    let mut functions = HashMap::new();
    table
        .for_each(|key: Value, value: Value| {
            if let (Value::String(key), Value::Function(function)) = (key, value) {
                functions.insert(key.to_string_lossy(), function);
            }
            Ok(())
        })
        .map_err(|error| error.to_string())?;
    Ok(functions)
}

impl<'i> Spec<'i> {
    /// Reads a registration. Aliases of the kind's own fields count as the fields.
    pub fn read(instance: &'i Rc<Instance>, kind: Kind, spec: &Table) -> Result<Self, String> {
        let entry = kind.entry();
        let names = Aliases::new(entry.fields.iter().map(|field| field.name));
        let copy = instance.lua().create_table().map_err(|error| error.to_string())?;
        spec.for_each(|key: Value, value: Value| copy.raw_set(key, value))
            .map_err(|error| error.to_string())?;
        normalise(&copy, &names).map_err(|error| format!("{kind}: {error}"))?;
        let mut read = Spec {
            instance,
            kind,
            data: HashMap::new(),
            functions: HashMap::new(),
            ui: HashMap::new(),
        };
        let mut values: Vec<(String, SpecValue)> = Vec::new();
        let mut problem = None;
        copy.for_each(|key: Value, value: Value| {
            let Value::String(key) = &key else {
                problem = Some(format!("{kind}: a {} as a field's name", key.type_name()));
                return Ok(());
            };
            let name = key.to_string_lossy();
            match (value, name.as_str(), kind) {
                (Value::Table(ui), "ui", Kind::Presenter) => match functions_of(&ui) {
                    Ok(functions) => {
                        read.ui = functions;
                        values.push((name, SpecValue::Json(Json::Object(Default::default()))));
                    }
                    Err(error) => problem = Some(error),
                },
                (Value::Function(function), ..) => {
                    read.functions.insert(name.clone(), function);
                    values.push((name, SpecValue::Function));
                }
                (value, ..) => match to_json(&value, &ToJson::default()) {
                    Ok(json) => {
                        read.data.insert(name.clone(), json.clone());
                        values.push((name, SpecValue::Json(json)));
                    }
                    Err(error) => {
                        problem = Some(format!(
                            "{kind} of extension `{}`: field `{name}`: {error}",
                            instance.owner
                        ));
                    }
                },
            }
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        if let Some(problem) = problem {
            return Err(problem);
        }
        let fields = values.iter().map(|(name, value)| (name.as_str(), value));
        let unknown =
            check_registration(kind, &instance.owner, fields).map_err(|error| error.to_string())?;
        for field in unknown {
            let name = read.data.get("name").and_then(Json::as_str).unwrap_or_default();
            instance.api.log(LogLevel::Warn, &format!("{kind} `{name}`: {field}"));
        }
        Ok(read)
    }

    /// The field `name`, which the contract requires of all kinds but hooks.
    pub fn name(&mut self) -> Result<String, String> {
        self.required("name")
    }

    pub fn required<T: DeserializeOwned>(&mut self, field: &str) -> Result<T, String> {
        self.optional(field)?.ok_or_else(|| self.wrong(field, "missing"))
    }

    /// What is wrong with a field that the contract's declaration lets pass.
    pub fn wrong(&self, field: &str, what: &str) -> String {
        format!("{} of extension `{}`: field `{field}`: {what}", self.kind, self.instance.owner)
    }

    pub fn optional<T: DeserializeOwned>(&mut self, field: &str) -> Result<Option<T>, String> {
        match self.data.remove(field) {
            None | Some(Json::Null) => Ok(None),
            Some(json) => serde_json::from_value(json)
                .map(Some)
                .map_err(|error| self.wrong(field, &error.to_string())),
        }
    }

    /// A callback, if the script gave it.
    pub fn callback(&mut self, field: &str) -> Result<Option<Callback>, String> {
        self.functions.remove(field).map(|function| self.kept(function)).transpose()
    }

    /// A callback that the contract requires.
    pub fn required_callback(&mut self, field: &str) -> Result<Callback, String> {
        self.callback(field)?.ok_or_else(|| self.wrong(field, "missing"))
    }

    /// Keeps a function for the kernel to call.
    pub fn kept(&self, function: Function) -> Result<Callback, String> {
        let link = self.instance.link().map_err(|_| "the extension was unloaded".to_owned())?;
        Ok(Callback { link, function: self.instance.keep(function) })
    }
}
