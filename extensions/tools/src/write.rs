//! `write`: makes a file or replaces its whole content.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::bounds::{count_lines, plural};
use crate::builtin::Builtin;
use crate::paths::{canonical, resolve, shown_from};
use crate::refusal::{Refusal, settle};
use crate::save::Target;
use crate::work::to_the_end;

/// The extension with the tool `write`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "write",
        "Create or overwrite a file, with its directories.",
        json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"]
        }),
        WriteTool,
    )
}

struct WriteTool;

impl Tool for WriteTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            match prepared(Arguments(&arguments), call) {
                Ok(job) => to_the_end(call, job).await,
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, arguments: &Value, call: &ToolCallContext) -> Concurrency {
        exclusive(Arguments(arguments), call)
    }
}

/// A change of a file runs beside any but those of the same file.
pub(crate) fn exclusive(arguments: Arguments<'_>, call: &ToolCallContext) -> Concurrency {
    match arguments.text("path").and_then(|path| resolve(&call.cwd, path)) {
        Ok(path) => Concurrency::ExclusivePath(canonical(&path)),
        Err(_) => Concurrency::Serial,
    }
}

fn prepared(
    arguments: Arguments<'_>,
    call: &ToolCallContext,
) -> Result<impl FnOnce() -> Result<AgentToolResult, Refusal> + Send + use<>, Refusal> {
    let path = resolve(&call.cwd, arguments.text("path")?)?;
    let content = arguments.text("content")?.to_owned();
    let name = shown_from(&call.cwd, &path);
    Ok(move || {
        let target = Target::find(&path)?;
        target.save(content.as_bytes())?;
        let done = if target.exists() { "Overwrote" } else { "Created" };
        let lines = count_lines(&content) as u64;
        let text = format!(
            "{done} {name}: {}, {}.",
            plural(content.len() as u64, "byte"),
            plural(lines, "line")
        );
        Ok(AgentToolResult::text(text).with_details(json!({
            "bytes": content.len(),
            "lines": lines,
            "created": !target.exists(),
        })))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{failure, registered, run, success};
    use std::fs;

    #[test]
    fn a_file_is_made_with_its_directories_and_then_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let write = |content: &str| {
            run(&extension(), dir.path(), json!({"path": "a/b/c.txt", "content": content}))
        };
        assert_eq!(success(&write("one\ntwo\n")), "Created a/b/c.txt: 8 bytes, 2 lines.");
        assert_eq!(success(&write("x")), "Overwrote a/b/c.txt: 1 byte, 1 line.");
        assert_eq!(fs::read_to_string(dir.path().join("a/b/c.txt")).unwrap(), "x");
        success(&write(""));
        assert_eq!(fs::read(dir.path().join("a/b/c.txt")).unwrap(), b"");
    }

    #[test]
    fn what_cannot_be_written_is_refused_in_words() {
        let dir = tempfile::tempdir().unwrap();
        let write =
            |path: &str| run(&extension(), dir.path(), json!({"path": path, "content": ""}));
        assert!(failure(&write(".")).contains("a directory"));
        assert!(failure(&write("")).contains("empty"));
        let words = failure(&run(&extension(), dir.path(), json!({"path": "x"})));
        assert!(words.contains("`content` is missing"), "{words}");
    }

    #[test]
    fn two_ways_to_one_file_exclude_each_other() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("real"), "").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        let call = ToolCallContext::detached(dir.path());
        let tool = registered(&extension()).tool;
        let way = |path: &str| tool.concurrency(&json!({ "path": path }), &call);
        assert_eq!(way("real"), way("link"));
        assert_ne!(way("real"), way("other"));
        assert!(matches!(way("real"), Concurrency::ExclusivePath(_)));
    }
}
