//! `grep`: searches files for a pattern, on the libraries of ripgrep. No program is started, so
//! nothing in a pattern can be an option.
//!
//! Matches come in the order of path and line. Binary files are skipped.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::bounds::{MAX_BYTES, MAX_LINES, head};
use crate::builtin::Builtin;
use crate::paths::{regular, resolve, shown_from};
use crate::refusal::{Refusal, settle};
use crate::tree::{First, Glob, walk};
use crate::work::{Stop, interruptible};

mod file;

use file::{FileSearch, Hits};

/// How many matches are shown where the call says nothing, and how many at the most.
const LIMIT: (usize, usize) = (100, 2_000);

/// The most lines of context on either side.
const MAX_CONTEXT: u64 = 20;

/// The extension with the tool `grep`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "grep",
        "Search file contents for a regex, honouring .gitignore. Gives path:line:text.",
        json!({
            "type": "object",
            "properties": {
                "pattern": {"type": "string"},
                "path": {"type": "string", "description": "File or directory, default ."},
                "glob": {"type": "string", "description": "Such as *.rs or src/**/*.ts"},
                "ignore_case": {"type": "boolean"},
                "literal": {"type": "boolean", "description": "Plain text, no regex"},
                "context": {"type": "integer", "description": "Lines around a match"},
                "limit": {"type": "integer", "description": "Matches, default 100"}
            },
            "required": ["pattern"]
        }),
        GrepTool,
    )
    .parallel_safe()
}

struct GrepTool;

impl Tool for GrepTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            match request(Arguments(&arguments), call) {
                Ok(request) => interruptible(call, move |stop| grep(&request, stop)).await,
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

struct Request {
    matcher: RegexMatcher,
    /// Whether `$` must match before a CR too.
    crlf: bool,
    cwd: PathBuf,
    root: PathBuf,
    named: bool,
    glob: Option<Glob>,
    context: usize,
    limit: usize,
}

fn request(arguments: Arguments<'_>, call: &ToolCallContext) -> Result<Request, Refusal> {
    let pattern = arguments.text("pattern")?;
    let literal = arguments.flag("literal")?;
    if pattern.is_empty() {
        return Err(Refusal::new("The pattern is empty."));
    }
    if pattern.contains('\n') {
        return Err(Refusal::new("A pattern matches within one line; search for one line of it."));
    }
    let crlf = !literal && pattern.contains('$');
    let mut matcher = RegexMatcherBuilder::new();
    matcher
        .multi_line(true)
        .case_insensitive(arguments.flag("ignore_case")?)
        .fixed_strings(literal)
        .line_terminator(Some(b'\n'));
    if crlf {
        matcher.crlf(true);
    }
    let matcher = matcher.build(pattern).map_err(|error| {
        Refusal(format!(
            "Invalid regex: {error}\nSet literal to search for the text as it is. A regex \
                 matches within one line."
        ))
    })?;
    let path = arguments.optional_text("path")?;
    let root: PathBuf = resolve(&call.cwd, path.unwrap_or("."))?.components().collect();
    let glob = arguments.optional_text("glob")?.map(|glob| Glob::new(glob, &root)).transpose()?;
    let context = arguments.count("context")?.unwrap_or(0).min(MAX_CONTEXT);
    Ok(Request {
        matcher,
        crlf,
        cwd: call.cwd.clone(),
        named: root != call.cwd,
        root,
        glob,
        context: usize::try_from(context).unwrap_or(0),
        limit: arguments.limit(LIMIT.0, LIMIT.1)?,
    })
}

fn grep(request: &Request, stop: &Stop) -> Result<AgentToolResult, Refusal> {
    let metadata = std::fs::metadata(&request.root)
        .map_err(|error| Refusal::io("search", &request.root, &error))?;
    let first = First::new(request.limit);
    let search = || FileSearch::new(request, first.wanted());
    let mut notes = Vec::new();
    if metadata.is_dir() {
        let walked = walk(&request.root, request.named, stop, &first, || {
            let (mut search, first) = (search(), &first);
            move |entry| {
                if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                    return;
                }
                let path = entry.path();
                if request.glob.as_ref().is_some_and(|glob| !glob.is_match(&request.root, path)) {
                    return;
                }
                // A file that cannot be read, or has gone, holds no match.
                if let Ok(Some(hits)) = search.run(path, &request.matcher, stop)
                    && hits.matches > 0
                {
                    first.add(path.to_path_buf(), hits.matches, hits);
                }
            }
        });
        notes = walked.notes();
    } else {
        let path = &request.root;
        regular("search", path)?;
        match search().run(path, &request.matcher, stop) {
            Err(error) => return Err(Refusal::io("search", path, &error)),
            Ok(None) => {
                let name = shown_from(&request.cwd, path);
                return Err(Refusal(format!("Cannot search {name}: it is a binary file.")));
            }
            Ok(Some(hits)) if hits.matches == 0 => {}
            Ok(Some(hits)) => first.add(path.clone(), hits.matches, hits),
        }
    }
    let (found, more) = first.into_sorted();
    Ok(result(request, &found, more, notes))
}

fn result(
    request: &Request,
    found: &[(PathBuf, Hits)],
    more: bool,
    mut notes: Vec<String>,
) -> AgentToolResult {
    let mut text = String::new();
    let mut matches = 0;
    for (path, hits) in found {
        if matches == request.limit {
            break;
        }
        matches += write_hits(&mut text, path, hits, request, request.limit - matches);
    }
    let shown = head(&text, MAX_LINES, MAX_BYTES);
    let cut = shown.len() < text.len();
    if cut {
        notes.insert(0, "Output cut at 2000 lines or 50 KiB; narrow the search".to_owned());
    } else if more {
        notes.insert(0, format!("First {} matches; there are more", request.limit));
    }
    let mut text = if found.is_empty() { "No matches\n".to_owned() } else { shown.to_owned() };
    for note in notes {
        text.push_str(&format!("[{note}]\n"));
    }
    text.truncate(text.trim_end_matches('\n').len());
    AgentToolResult::text(text).with_details(json!({
        "matches": matches,
        "limit-reached": more,
        "truncated": cut,
    }))
}

/// Writes a file's matches, no more than `most`; gives how many it wrote.
fn write_hits(
    text: &mut String,
    path: &Path,
    hits: &Hits,
    request: &Request,
    most: usize,
) -> usize {
    let name = shown_from(&request.cwd, path);
    let groups = request.context > 0;
    let mut matches = 0;
    let mut last: Option<u64> = None;
    for line in &hits.lines {
        let adjacent = last.is_some_and(|last| last + 1 == line.number);
        // What stands around the last match is still shown, the next one and its lines are not.
        if matches == most && (line.is_match || !adjacent) {
            break;
        }
        if groups && !adjacent && !text.is_empty() {
            text.push_str("--\n");
        }
        matches += usize::from(line.is_match);
        let mark = if line.is_match { ':' } else { '-' };
        text.push_str(&format!("{name}{mark}{}{mark}{}\n", line.number, line.text));
        last = Some(line.number);
    }
    matches
}

#[cfg(test)]
mod tests;
