//! `ls`: lists a directory. An entry that cannot be looked at is still listed; a directory that
//! cannot be read is an error, never an empty one.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::bounds::{MAX_BYTES, MAX_LINES, head, plural};
use crate::builtin::Builtin;
use crate::paths::{resolve, shown};
use crate::refusal::{Refusal, settle};
use crate::work::{Stop, interruptible};

/// How many entries are shown where the call says nothing, and how many at the most.
const LIMIT: (usize, usize) = (500, 2_000);

/// The extension with the tool `ls`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "ls",
        "List a directory, hidden entries too.",
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Default ."},
                "limit": {"type": "integer", "description": "Default 500"}
            }
        }),
        LsTool,
    )
    .parallel_safe()
}

struct LsTool;

impl Tool for LsTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            let arguments = Arguments(&arguments);
            let request = || -> Result<(PathBuf, usize), Refusal> {
                let path = arguments.optional_text("path")?.unwrap_or(".");
                Ok((resolve(&call.cwd, path)?, arguments.limit(LIMIT.0, LIMIT.1)?))
            };
            match request() {
                Ok((path, limit)) => {
                    interruptible(call, move |stop| list(&path, limit, stop)).await
                }
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

fn list(path: &Path, limit: usize, stop: &Stop) -> Result<AgentToolResult, Refusal> {
    let failed = |error: std::io::Error| Refusal::io("list", path, &error);
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_dir() {
        return Err(Refusal(format!("Cannot list {}: it is not a directory.", shown(path))));
    }
    // The first by name are kept, so that a huge directory needs no more memory than a small one.
    let mut entries: BTreeMap<OsString, DirEntry> = BTreeMap::new();
    let mut total: u64 = 0;
    for entry in std::fs::read_dir(path).map_err(failed)? {
        if stop.is_set() {
            break;
        }
        let entry = entry.map_err(failed)?;
        total += 1;
        entries.insert(entry.file_name(), entry);
        if entries.len() > limit {
            entries.pop_last();
        }
    }
    let text: String = entries.values().map(line).collect();
    let listed = head(&text, MAX_LINES, MAX_BYTES);
    let count = listed.lines().count() as u64;
    let mut text = if total == 0 { "(empty directory)".to_owned() } else { listed.to_owned() };
    if count < total {
        text.push_str(&format!("[First {count} of {}]", plural(total, "entry")));
    }
    text.truncate(text.trim_end_matches('\n').len());
    Ok(AgentToolResult::text(text)
        .with_details(json!({"entries": total, "truncated": count < total})))
}

fn line(entry: &DirEntry) -> String {
    let name = shown(Path::new(&entry.file_name()));
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => format!("{name}/\n"),
        Ok(kind) if kind.is_symlink() => match std::fs::read_link(entry.path()) {
            Ok(target) => format!("{name} -> {}\n", shown(&target)),
            Err(_) => format!("{name} -> ?\n"),
        },
        _ => format!("{name}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{failure, run, success, unprivileged};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn every_entry_is_listed_in_order_with_its_kind() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("real.txt"), "").unwrap();
        fs::write(dir.path().join(".hidden"), "").unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        symlink("/nonexistent", dir.path().join("broken")).unwrap();
        symlink("loop", dir.path().join("loop")).unwrap();
        let ls = |arguments| success(&run(&extension(), dir.path(), arguments));
        assert_eq!(ls(json!({})), ".hidden\nbroken -> /nonexistent\nloop -> loop\nreal.txt\nsub/");
        assert_eq!(ls(json!({"path": "sub"})), "(empty directory)");
        assert_eq!(
            ls(json!({"limit": 2})),
            ".hidden\nbroken -> /nonexistent\n[First 2 of 5 entries]"
        );
    }

    #[test]
    fn what_is_no_directory_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "").unwrap();
        let ls = |path: &str| failure(&run(&extension(), dir.path(), json!({ "path": path })));
        assert!(ls("f").contains("not a directory"));
        assert!(ls("none").contains("does not exist"));
    }

    #[test]
    fn rights_that_are_missing_hide_no_names_and_fake_no_emptiness() {
        let name = "ls::tests::rights_that_are_missing_hide_no_names_and_fake_no_emptiness";
        if !unprivileged(name) {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        for (name, mode) in [("names", 0o444), ("closed", 0o000)] {
            let sub = dir.path().join(name);
            fs::create_dir(&sub).unwrap();
            fs::write(sub.join("inside"), "").unwrap();
            fs::set_permissions(&sub, fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(success(&run(&extension(), dir.path(), json!({}))), "closed/\nnames/");
        let names = run(&extension(), dir.path(), json!({"path": "names"}));
        assert_eq!(success(&names), "inside");
        let closed = run(&extension(), dir.path(), json!({"path": "closed"}));
        assert!(failure(&closed).contains("permission denied"));
        for name in ["names", "closed"] {
            fs::set_permissions(dir.path().join(name), fs::Permissions::from_mode(0o700)).unwrap();
        }
    }
}
