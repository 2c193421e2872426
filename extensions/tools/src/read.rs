//! `read`: shows a part of a text file. Big files are streamed; no more than the shown part and
//! one buffer are ever in memory.

use fen_contract::api::Extension;
use fen_contract::failure::BoxFuture;
use fen_contract::tool::{Concurrency, Tool, ToolCallContext};
use fen_contract::types::AgentToolResult;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::bounds::{MAX_BYTES, MAX_LINES, clip, plural, size};
use crate::builtin::Builtin;
use crate::paths::{open_regular, regular, resolve, shown_from};
use crate::refusal::{Refusal, settle};
use crate::text::readable;
use crate::work::{Stop, interruptible};

/// How much is looked at to tell text from other things.
const HEAD: usize = 8 << 10;

/// How far beyond the shown part the lines are still counted.
const COUNT_AHEAD: u64 = 64 << 20;

/// The extension with the tool `read`.
pub fn extension() -> impl Extension {
    Builtin::new(
        "read",
        "Read a text file: at most 2000 lines or 50 KiB; continue with offset.",
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "offset": {"type": "integer", "description": "First line, from 1"},
                "limit": {"type": "integer", "description": "Lines"}
            },
            "required": ["path"]
        }),
        ReadTool,
    )
    .parallel_safe()
}

struct ReadTool;

impl Tool for ReadTool {
    fn execute<'a>(
        &'a self,
        arguments: Value,
        call: &'a ToolCallContext,
    ) -> BoxFuture<'a, AgentToolResult> {
        Box::pin(async move {
            match request(Arguments(&arguments), call) {
                Ok(request) => interruptible(call, move |stop| read(&request, stop)).await,
                Err(refusal) => settle(Err(refusal)),
            }
        })
    }

    fn concurrency(&self, _arguments: &Value, _call: &ToolCallContext) -> Concurrency {
        Concurrency::Parallel
    }
}

struct Request {
    path: PathBuf,
    name: String,
    /// The first line, from 1.
    offset: u64,
    lines: usize,
}

fn request(arguments: Arguments<'_>, call: &ToolCallContext) -> Result<Request, Refusal> {
    let path = resolve(&call.cwd, arguments.text("path")?)?;
    Ok(Request {
        name: shown_from(&call.cwd, &path),
        path,
        // Those who count from 0 mean the first line.
        offset: arguments.count("offset")?.unwrap_or(1).max(1),
        lines: arguments.limit(MAX_LINES, MAX_LINES)?,
    })
}

fn read(request: &Request, stop: &Stop) -> Result<AgentToolResult, Refusal> {
    let metadata = regular("read", &request.path)?;
    let failed = |error: std::io::Error| Refusal::io("read", &request.path, &error);
    let mut file = open_regular(&request.path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(Refusal(format!("Cannot read {}: it is not a regular file.", request.name)));
    }
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if let Some(kind) = other_than_text(&head, &request.path) {
        let size = size(metadata.len());
        return Err(Refusal(format!(
            "Cannot read {}: it is {kind} ({size}), not text.",
            request.name
        )));
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    let mut part = Part::default();
    let mut input = BufReader::with_capacity(64 << 10, text.chain(file));
    part.take(&mut input, request, stop).map_err(failed)?;
    if part.text.is_empty() && part.lines == 0 {
        return part.nothing(request);
    }
    Ok(part.result(request, metadata.len()))
}

/// The part of a file that is shown, and what was learnt of the rest.
#[derive(Default)]
struct Part {
    text: String,
    /// Shown lines.
    lines: u64,
    /// The length of a single line that is too long to be shown whole.
    long_line: Option<u64>,
    /// Lines seen so far.
    seen: u64,
    /// Whether `seen` is the number of all lines.
    complete: bool,
    /// Whether the bounds, not the caller, ended the part.
    bounded: bool,
}

/// One line of a stream: its kept beginning, and its whole length without the line end.
struct Line {
    kept: Vec<u8>,
    length: u64,
    ended: bool,
}

impl Part {
    fn take(
        &mut self,
        input: &mut impl BufRead,
        request: &Request,
        stop: &Stop,
    ) -> std::io::Result<()> {
        while self.seen + 1 < request.offset {
            if stop.is_set() || next_line(input, 0)?.is_none() {
                self.complete = true;
                return Ok(());
            }
            self.seen += 1;
        }
        while self.lines < request.lines as u64 {
            // One byte more than fits, so that what fits exactly is told from what does not.
            let Some(line) = next_line(input, MAX_BYTES + 1)? else {
                self.complete = true;
                return Ok(());
            };
            self.seen += 1;
            let mut shown = readable(&line.kept).into_owned();
            if line.ended {
                shown.push('\n');
            }
            if self.text.len() + shown.len() > MAX_BYTES {
                self.bounded = true;
                if self.lines == 0 {
                    self.text.push_str(clip(&shown, MAX_BYTES));
                    self.lines = 1;
                    self.long_line = Some(line.length);
                }
                break;
            }
            self.text.push_str(&shown);
            self.lines += 1;
        }
        self.bounded |= self.lines == MAX_LINES as u64;
        self.count_rest(input, stop)
    }

    fn count_rest(&mut self, input: &mut impl BufRead, stop: &Stop) -> std::io::Result<()> {
        let mut budget = COUNT_AHEAD;
        let mut inside_line = false;
        loop {
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                self.seen += u64::from(inside_line);
                self.complete = true;
                return Ok(());
            }
            if budget == 0 || stop.is_set() {
                return Ok(());
            }
            self.seen += memchr::memchr_iter(b'\n', buffer).count() as u64;
            inside_line = buffer.last() != Some(&b'\n');
            let length = buffer.len();
            budget = budget.saturating_sub(length as u64);
            input.consume(length);
        }
    }

    /// The answer when no line is at the offset.
    fn nothing(&self, request: &Request) -> Result<AgentToolResult, Refusal> {
        if self.seen == 0 && request.offset == 1 {
            return Ok(AgentToolResult::text("(empty file)")
                .with_details(json!({"total-lines": 0, "truncated": false})));
        }
        Err(Refusal(format!(
            "Offset {} is beyond the end of {}, which has {}.",
            request.offset,
            request.name,
            plural(self.seen, "line")
        )))
    }

    fn result(self, request: &Request, bytes: u64) -> AgentToolResult {
        let first = request.offset;
        let last = first + self.lines - 1;
        let more = last < self.seen;
        let mut notes = Vec::new();
        if let Some(length) = self.long_line {
            notes.push(format!(
                "Line {first} is cut: the first {} of {}; see more of it with bash.",
                size(self.text.len() as u64),
                size(length)
            ));
        }
        if more {
            let of = if self.complete {
                format!("of {}", self.seen)
            } else {
                format!("of more than {} ({})", self.seen, size(bytes))
            };
            notes.push(format!("Lines {first}-{last} {of}. Next offset: {}.", last + 1));
        }
        let mut text = self.text;
        if !notes.is_empty() {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("\n[{}]", notes.join(" ")));
        }
        AgentToolResult::text(text).with_details(json!({
            "first-line": first,
            "last-line": last,
            "total-lines": self.complete.then_some(self.seen),
            "next-offset": more.then_some(last + 1),
            "truncated": self.long_line.is_some() || (self.bounded && more),
        }))
    }
}

/// Reads to the end of the line and keeps up to `keep` bytes of it; `None` at the end of the file.
fn next_line(input: &mut impl BufRead, keep: usize) -> std::io::Result<Option<Line>> {
    let mut line = Line { kept: Vec::new(), length: 0, ended: false };
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = memchr::memchr(b'\n', buffer);
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        let room = keep - line.kept.len();
        line.kept.extend_from_slice(&piece[..piece.len().min(room)]);
        line.length += piece.len() as u64;
        let used = piece.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            line.ended = true;
            return Ok(Some(line));
        }
    }
}

/// What a file is if it is no text, by its first bytes.
fn other_than_text(head: &[u8], path: &Path) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 17] = [
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF87a", "a GIF image"),
        (b"GIF89a", "a GIF image"),
        (b"II*\0", "a TIFF image"),
        (b"MM\0*", "a TIFF image"),
        (b"%PDF-", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or a document made of one"),
        (b"PK\x05\x06", "a ZIP archive"),
        (b"\x1f\x8b", "gzip data"),
        (b"BZh", "bzip2 data"),
        (b"\xfd7zXZ\0", "xz data"),
        (b"\x28\xb5\x2f\xfd", "zstd data"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\x7fELF", "an ELF binary"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\0asm", "a WebAssembly binary"),
    ];
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(kind);
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some("a WebP image");
    }
    if head.get(4..8) == Some(b"ftyp") {
        return Some(match head.get(8..12) {
            Some(b"heic" | b"heix" | b"mif1" | b"msf1") => "a HEIC image",
            Some(b"avif") => "an AVIF image",
            _ => "a video or audio file",
        });
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("UTF-16 text (convert it with iconv)");
    }
    if memchr::memchr(0, head).is_some() {
        let image = ["bmp", "ico", "tga"];
        let extension = path.extension().and_then(|extension| extension.to_str());
        return Some(match extension {
            Some(extension) if image.contains(&extension) => "an image",
            _ => "a binary file",
        });
    }
    None
}

#[cfg(test)]
mod tests;
