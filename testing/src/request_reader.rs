//! Reads HTTP/1.1 requests from a connection: head, then a body by length or in chunks.
//!
//! Bytes that arrive early stay in the buffer for the next request.

use std::{io, time::Instant};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::request::RecordedRequest;

const MAX_HEAD: usize = 1 << 20;

/// The receiving side of one connection.
#[derive(Debug)]
pub(crate) struct RequestReader {
    buffer: BytesMut,
    connection: usize,
}

impl RequestReader {
    pub(crate) fn new(connection: usize) -> Self {
        Self { buffer: BytesMut::new(), connection }
    }

    /// The next request, or none when the client has closed. An `InvalidData` error means that
    /// what came is not HTTP/1.1.
    pub(crate) async fn next<R, W>(
        &mut self,
        input: &mut R,
        output: &mut W,
    ) -> io::Result<Option<RecordedRequest>>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let Some(head) = self.head(input).await? else {
            return Ok(None);
        };
        let mut request = parse_head(&head, self.connection)?;
        let expects = |name: &str, token: &str| {
            request.header(name).is_some_and(|value| value.to_ascii_lowercase().contains(token))
        };
        let chunked = expects("transfer-encoding", "chunked");
        if expects("expect", "100-continue") {
            output.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        request.body = if chunked {
            self.chunks(input).await?
        } else {
            let length = match request.header("content-length") {
                None => 0,
                Some(text) => text.parse().map_err(|_| invalid("content-length is no number"))?,
            };
            self.exactly(input, length).await?
        };
        request.received_at = Instant::now();
        Ok(Some(request))
    }

    /// Resolves when the client has closed its side, keeping what it still sends.
    pub(crate) async fn until_closed<R: AsyncRead + Unpin>(&mut self, input: &mut R) {
        while let Ok(1..) = input.read_buf(&mut self.buffer).await {}
    }

    async fn head<R: AsyncRead + Unpin>(&mut self, input: &mut R) -> io::Result<Option<Bytes>> {
        loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                let head = self.buffer.split_to(end).freeze();
                self.buffer.advance(4);
                return Ok(Some(head));
            }
            if self.buffer.len() > MAX_HEAD {
                return Err(invalid("the head has no end"));
            }
            if input.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    async fn chunks<R: AsyncRead + Unpin>(&mut self, input: &mut R) -> io::Result<Bytes> {
        let mut body = BytesMut::new();
        loop {
            let line = self.line(input).await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| invalid("bad chunk size"))?;
            if size == 0 {
                while !self.line(input).await?.is_empty() {}
                return Ok(body.freeze());
            }
            body.extend_from_slice(&self.exactly(input, size).await?);
            if !self.line(input).await?.is_empty() {
                return Err(invalid("a chunk is longer than its size"));
            }
        }
    }

    async fn line<R: AsyncRead + Unpin>(&mut self, input: &mut R) -> io::Result<String> {
        loop {
            if let Some(end) = find(&self.buffer, b"\r\n") {
                let line = self.buffer.split_to(end);
                self.buffer.advance(2);
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            self.more(input).await?;
        }
    }

    async fn exactly<R>(&mut self, input: &mut R, length: usize) -> io::Result<Bytes>
    where
        R: AsyncRead + Unpin,
    {
        while self.buffer.len() < length {
            self.more(input).await?;
        }
        Ok(self.buffer.split_to(length).freeze())
    }

    async fn more<R: AsyncRead + Unpin>(&mut self, input: &mut R) -> io::Result<()> {
        match input.read_buf(&mut self.buffer).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn parse_head(head: &[u8], connection: usize) -> io::Result<RecordedRequest> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(invalid("bad request line"));
    };
    let headers = lines
        .map(|line| {
            let (name, value) = line.split_once(':').ok_or_else(|| invalid("bad header line"))?;
            Ok((name.to_owned(), value.trim().to_owned()))
        })
        .collect::<io::Result<_>>()?;
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query.to_owned())),
        None => (target, None),
    };
    Ok(RecordedRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        query,
        headers,
        body: Bytes::new(),
        received_at: Instant::now(),
        connection,
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
