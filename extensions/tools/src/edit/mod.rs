//! `edit`: replaces pieces of a text file.
//!
//! The edits of a call apply in order, each to the result of the one before, and are saved
//! together or not at all. Bytes outside the matched text stay as they are: line ends, byte order
//! mark, and what is not UTF-8.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::path::PathBuf;

use crate::arguments::Arguments;
use crate::bounds::{plural, size};
use crate::builtin::Builtin;
use crate::paths::{regular, resolve, shown_from};
use crate::refusal::{Refusal, settle};
use crate::save::Target;
use crate::work::to_the_end;
use crate::write::exclusive;

mod apply;
mod diff;
mod find;
mod replace;
mod view;

use apply::{Edit, apply};
use find::Meant;

/// The biggest file that is edited.
const MAX_FILE: u64 = 32 << 20;

/// The extension with the tool `edit`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "edit",
        "Replace text in a file. Edits apply in order, all or none; each old_string must be \
         unique unless replace_all.",
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "edits": {"type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "old_string": {"type": "string"},
                        "new_string": {"type": "string"},
                        "replace_all": {"type": "boolean"}
                    },
                    "required": ["old_string", "new_string"]
                }}
            },
            "required": ["path", "edits"]
        }),
        EditTool,
    )
}

struct EditTool;

impl Tool for EditTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            match request(Arguments(&arguments), call) {
                Ok(request) => to_the_end(call, move || edit(&request)).await,
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, arguments: &Value, call: &ToolCallContext) -> Concurrency {
        exclusive(Arguments(arguments), call)
    }
}

struct Request {
    path: PathBuf,
    name: String,
    edits: Vec<Edit>,
}

fn request(arguments: Arguments<'_>, call: &ToolCallContext) -> Result<Request, Refusal> {
    let path = resolve(&call.cwd, arguments.text("path")?)?;
    let Some(Value::Array(edits)) = arguments.0.get("edits") else {
        return Err(Refusal::new("The argument `edits` must be a list of edits."));
    };
    let edits = edits
        .iter()
        .map(|edit| {
            let edit = Arguments(edit);
            Ok(Edit {
                old: edit.text("old_string")?.to_owned(),
                new: edit.text("new_string")?.to_owned(),
                meant: if edit.flag("replace_all")? { Meant::All } else { Meant::TheOnly },
            })
        })
        .collect::<Result<_, Refusal>>()?;
    Ok(Request { name: shown_from(&call.cwd, &path), path, edits })
}

fn edit(request: &Request) -> Result<AgentToolResult, Refusal> {
    let Request { path, name, edits } = request;
    let metadata = regular("edit", path)?;
    if metadata.len() > MAX_FILE {
        return Err(Refusal(format!(
            "Cannot edit {name}: it has {}, and edit takes no more than {}. Use bash.",
            size(metadata.len()),
            size(MAX_FILE)
        )));
    }
    let target = Target::find(path)?;
    let read = || std::fs::read(&target.path).map_err(|error| Refusal::io("edit", path, &error));
    let old = read()?;
    let applied = apply(&old, edits, name)?;
    if read()? != old {
        return Err(Refusal(format!(
            "{name} was changed by someone else meanwhile. Nothing was changed; read it again."
        )));
    }
    target.save(&applied.content)?;
    let diff = diff::diff(&old, &applied.content, name);
    let mut text = format!(
        "Edited {name}: {}, +{} -{} lines.",
        plural(applied.replacements as u64, "replacement"),
        diff.added,
        diff.removed
    );
    if !applied.inexact.is_empty() {
        let numbers: Vec<String> = applied.inexact.iter().map(usize::to_string).collect();
        text.push_str(&format!(
            " Edit {} matched with differences in blanks, quotes or dashes.",
            numbers.join(", ")
        ));
    }
    Ok(AgentToolResult::text(text).with_details(json!({
        "diff": diff.text,
        "added": diff.added,
        "removed": diff.removed,
        "replacements": applied.replacements,
    })))
}

#[cfg(test)]
mod tests;
