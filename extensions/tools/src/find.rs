//! `find`: lists files by a glob. Directories match too and end with a slash.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::path::PathBuf;

use crate::arguments::Arguments;
use crate::bounds::{MAX_BYTES, MAX_LINES, head};
use crate::builtin::Builtin;
use crate::paths::{resolve, shown_from};
use crate::refusal::{Refusal, settle};
use crate::tree::{First, Glob, walk};
use crate::work::{Stop, interruptible};

/// How many paths are shown where the call says nothing, and how many at the most.
const LIMIT: (usize, usize) = (200, 2_000);

/// The extension with the tool `find`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "find",
        "Find files by glob, honouring .gitignore: *.rs by name, src/**/*.rs by path.",
        json!({
            "type": "object",
            "properties": {
                "pattern": {"type": "string"},
                "path": {"type": "string", "description": "Directory, default ."},
                "limit": {"type": "integer", "description": "Default 200"}
            },
            "required": ["pattern"]
        }),
        FindTool,
    )
    .parallel_safe()
}

struct FindTool;

impl Tool for FindTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            match request(Arguments(&arguments), call) {
                Ok(request) => interruptible(call, move |stop| find(&request, stop)).await,
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

struct Request {
    glob: Glob,
    cwd: PathBuf,
    root: PathBuf,
    limit: usize,
}

fn request(arguments: Arguments<'_>, call: &ToolCallContext) -> Result<Request, Refusal> {
    let path = arguments.optional_text("path")?;
    let root: PathBuf = resolve(&call.cwd, path.unwrap_or("."))?.components().collect();
    Ok(Request {
        glob: Glob::new(arguments.text("pattern")?, &root)?,
        cwd: call.cwd.clone(),
        root,
        limit: arguments.limit(LIMIT.0, LIMIT.1)?,
    })
}

fn find(request: &Request, stop: &Stop) -> Result<AgentToolResult, Refusal> {
    let Request { glob, cwd, root, limit } = request;
    // Reading it tells at once if it is missing, no directory, or closed to us.
    std::fs::read_dir(root).map_err(|error| Refusal::io("search", root, &error))?;
    let first = First::new(*limit);
    let walked = walk(root, root != cwd, stop, &first, || {
        let first = &first;
        move |entry| {
            if glob.is_match(root, entry.path()) {
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                first.add(entry.path().to_path_buf(), 1, is_dir);
            }
        }
    });
    let (found, more) = first.into_sorted();
    let mut text = String::new();
    for (path, is_dir) in found.iter().take(*limit) {
        text.push_str(&shown_from(cwd, path));
        text.push_str(if *is_dir { "/\n" } else { "\n" });
    }
    let shown = head(&text, MAX_LINES, MAX_BYTES);
    let mut notes = walked.notes();
    if shown.len() < text.len() {
        notes.insert(0, "Output cut at 50 KiB; narrow the search".to_owned());
    } else if more {
        notes.insert(0, format!("First {limit} paths; there are more"));
    }
    let mut text = if found.is_empty() { "No matches\n".to_owned() } else { shown.to_owned() };
    for note in notes {
        text.push_str(&format!("[{note}]\n"));
    }
    text.truncate(text.trim_end_matches('\n').len());
    Ok(AgentToolResult::text(text).with_details(json!({
        "matches": found.len().min(*limit),
        "limit-reached": more,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{failure, run, run_call, success};
    use std::fs;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for path in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        dir
    }

    fn found(dir: &tempfile::TempDir, arguments: Value) -> String {
        success(&run(&extension(), dir.path(), arguments))
    }

    #[test]
    fn globs_match_by_name_and_by_path() {
        let dir = tree(&["a.rs", "src/b.rs", "src/deep/x.rs", "src/c.ts", "deep/x.rs", "-x"]);
        assert_eq!(
            found(&dir, json!({"pattern": "*.rs"})),
            "a.rs\ndeep/x.rs\nsrc/b.rs\nsrc/deep/x.rs"
        );
        assert_eq!(found(&dir, json!({"pattern": "src/**/x.rs"})), "src/deep/x.rs");
        assert_eq!(found(&dir, json!({"pattern": "deep"})), "deep/\nsrc/deep/");
        assert_eq!(found(&dir, json!({"pattern": "-x"})), "-x");
        assert_eq!(found(&dir, json!({"pattern": "x.rs", "path": "src"})), "src/deep/x.rs");
        assert_eq!(found(&dir, json!({"pattern": "deep/*", "path": "src"})), "src/deep/x.rs");
        assert_eq!(found(&dir, json!({"pattern": "*.none"})), "No matches");
    }

    #[test]
    fn an_ignore_file_in_one_directory_does_not_hide_others() {
        let dir = tree(&[".venv/lib.py", "src/CLAUDE.md", ".git/CLAUDE.md", "out/x.log"]);
        fs::write(dir.path().join(".venv/.gitignore"), "*\n").unwrap();
        fs::write(dir.path().join(".gitignore"), "out/\n").unwrap();
        assert_eq!(found(&dir, json!({"pattern": "CLAUDE.md"})), "src/CLAUDE.md");
        assert_eq!(found(&dir, json!({"pattern": "*.log"})), "No matches");
        assert_eq!(found(&dir, json!({"pattern": "*.log", "path": "out"})), "out/x.log");
        let text = found(&dir, json!({"pattern": "*.py", "path": ".venv"}));
        assert!(text.starts_with(".venv/lib.py\n[All of it is ignored"), "{text}");
    }

    #[test]
    fn the_limit_keeps_the_first_and_tells() {
        let names: Vec<String> = (0..30).map(|n| format!("d{:02}/f{n}.x", n / 3)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let dir = tree(&names);
        let expected = "d00/f0.x\nd00/f1.x\n[First 2 paths; there are more]";
        assert_eq!(found(&dir, json!({"pattern": "*.x", "limit": 2})), expected);
        assert_eq!(found(&dir, json!({"pattern": "*.x", "limit": 30})).lines().count(), 30);
    }

    #[test]
    fn what_cannot_be_searched_is_an_error() {
        let dir = tree(&["f"]);
        let find = |arguments| run(&extension(), dir.path(), arguments);
        assert!(failure(&find(json!({"pattern": "*", "path": "none"}))).contains("does not exist"));
        failure(&find(json!({"pattern": "*", "path": "f"})));
        failure(&find(json!({"pattern": "["})));
        failure(&find(json!({"pattern": ""})));
        failure(&find(json!({"pattern": "*", "limit": 0})));
        let call = ToolCallContext::detached(dir.path());
        call.cancel.cancel();
        let result = run_call(&extension(), &call, json!({"pattern": "*"}));
        assert_eq!(failure(&result), "Cancelled.");
    }
}
