//! Changing single settings in the person's settings file, for scripts that may.

use crate::files::{Folders, broken, read_config};
use fen_contract::failure::{BoxFuture, Failure};
use fen_core::Kernel;
use fen_core::settings::Settings;
use fen_script::host::SettingsFile;
use serde_json::{Map, Value};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The settings file of this person.
pub struct UserSettings {
    path: PathBuf,
    kernel: Kernel,
    /// One change at a time.
    turn: std::sync::Arc<Mutex<()>>,
}

impl UserSettings {
    pub fn new(folders: &Folders, kernel: &Kernel) -> Self {
        UserSettings {
            path: folders.config.join("settings.json"),
            kernel: kernel.clone(),
            turn: Default::default(),
        }
    }
}

/// Reads, changes and replaces the file; one that cannot be parsed stays as it is.
fn change(path: &Path, settings: Map<String, Value>) -> Result<Settings, Failure> {
    let text = read_config(path)?.unwrap_or_else(|| "{}".to_owned());
    let text = text.trim_start_matches('\u{feff}');
    let mut file: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| broken(path, &error))?;
    for (name, value) in settings {
        if value.is_null() {
            file.remove(&name);
        } else {
            file.insert(name, value);
        }
    }
    let new = format!("{:#}\n", Value::Object(file));
    let settings = Settings::parse(&new)
        .map_err(|error| Failure::caller(format!("a setting has the wrong form: {error}")))?;
    replace(path, &new)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))?;
    Ok(settings)
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // What a link points to is replaced, not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o600))?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

impl SettingsFile for UserSettings {
    fn set(&self, settings: Map<String, Value>) -> BoxFuture<'_, Result<(), Failure>> {
        let (path, turn) = (self.path.clone(), self.turn.clone());
        Box::pin(async move {
            let changing = tokio::task::spawn_blocking(move || {
                let _turn = turn.lock();
                change(&path, settings)
            });
            let changed = changing.await.map_err(|error| Failure::new(error.to_string()))??;
            self.kernel.set_settings(&changed);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn one_setting_changes_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fen/settings.json");
        change(&path, map(json!({"model": "m"}))).unwrap();
        std::fs::write(&path, r#"{"mine": [1], "model": "m"}"#).unwrap();
        change(&path, map(json!({"thinking": "low", "model": null}))).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            json!({"mine": [1], "thinking": "low"})
        );
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_parsed_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{ half").unwrap();
        let failure = change(&path, map(json!({"model": "m"}))).unwrap_err();
        assert!(failure.message.contains("line 1"), "{failure}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ half");
        std::fs::write(&path, "{}").unwrap();
        change(&path, map(json!({"thinking": "loud"}))).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    }
}
