//! From a reply to the bytes of the connection: status line, headers, compression, chunks.
//!
//! Pure: the result is again a list of steps, whose writes are now raw bytes.

use std::io::Write as _;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

use crate::reply::{Framing, Reply, Step};

/// The steps of one answer, and whether the connection lives on after the last.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) keep_alive: bool,
}

/// Encodes `reply` for a request with this method.
pub(crate) fn encode(reply: &Reply, method: &str) -> Program {
    let body = if reply.gzip { compress(&reply.steps) } else { reply.steps.clone() };
    let body = reply.borders.apply(body);
    let length: usize = body.iter().map(|step| write_of(step).map_or(0, Bytes::len)).sum();

    let mut steps = reply.before_head.clone();
    if reply.framing != Framing::Raw {
        steps.push(Step::Write(head(reply, length).into()));
    }
    if method == "HEAD" || matches!(reply.status, 204 | 304) {
        return Program { steps, keep_alive: reply.framing != Framing::Raw };
    }
    match reply.framing {
        Framing::Chunked => {
            steps.extend(body.into_iter().filter(|step| !is_empty_write(step)).map(chunk));
            steps.push(Step::Write(Bytes::from_static(b"0\r\n\r\n")));
        }
        _ => steps.extend(body),
    }
    let keep_alive = matches!(reply.framing, Framing::Chunked | Framing::ContentLength)
        && !has_header(reply, "connection");
    Program { steps, keep_alive }
}

fn head(reply: &Reply, length: usize) -> String {
    let mut out = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status));
    for (name, value) in &reply.headers {
        out.push_str(&format!("{name}: {value}\r\n"));
    }
    if reply.gzip {
        out.push_str("content-encoding: gzip\r\n");
    }
    match reply.framing {
        Framing::Chunked => out.push_str("transfer-encoding: chunked\r\n"),
        Framing::ContentLength if matches!(reply.status, 204 | 304) => {}
        Framing::ContentLength => out.push_str(&format!("content-length: {length}\r\n")),
        Framing::ContentLengthShort(missing) => {
            out.push_str(&format!("content-length: {}\r\n", length + missing));
        }
        Framing::UntilClose => out.push_str("connection: close\r\n"),
        Framing::Raw => {}
    }
    out.push_str("\r\n");
    out
}

fn has_header(reply: &Reply, wanted: &str) -> bool {
    reply.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted))
}

fn write_of(step: &Step) -> Option<&Bytes> {
    match step {
        Step::Write(bytes) => Some(bytes),
        _ => None,
    }
}

/// An empty chunk would be the end chunk.
fn is_empty_write(step: &Step) -> bool {
    write_of(step).is_some_and(Bytes::is_empty)
}

fn chunk(step: Step) -> Step {
    let Step::Write(bytes) = step else {
        return step;
    };
    let mut out = format!("{:x}\r\n", bytes.len()).into_bytes();
    out.extend_from_slice(&bytes);
    out.extend_from_slice(b"\r\n");
    Step::Write(out.into())
}

/// Compresses the writes of one body, flushing after each so that it can be read at once.
fn compress(steps: &[Step]) -> Vec<Step> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let mut out = Vec::with_capacity(steps.len() + 1);
    for step in steps {
        let Step::Write(bytes) = step else {
            out.push(step.clone());
            continue;
        };
        encoder.write_all(bytes).expect("writing to memory cannot fail");
        encoder.flush().expect("writing to memory cannot fail");
        out.push(Step::Write(std::mem::take(encoder.get_mut()).into()));
    }
    let cut_short = |step: &Step| matches!(step, Step::Reset | Step::Close | Step::Hang);
    if !steps.iter().any(cut_short) {
        out.push(Step::Write(encoder.finish().expect("writing to memory cannot fail").into()));
    }
    out
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Status",
    }
}
