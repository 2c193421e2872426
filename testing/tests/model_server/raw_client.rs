//! A client on a plain socket, which sees what a real HTTP client hides.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::Duration,
};

use fen_testing::ModelServer;

/// One connection to the server.
pub struct RawClient {
    pub stream: TcpStream,
}

/// An answer whose body was read by its framing.
#[derive(Debug)]
pub struct Answer {
    pub head: String,
    /// The chunks of a chunked body, or the whole body as one.
    pub chunks: Vec<Vec<u8>>,
}

impl Answer {
    pub fn body(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body()).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body()).unwrap()
    }
}

impl RawClient {
    pub fn connect(server: &ModelServer) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self { stream }
    }

    pub fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// A POST with this body.
    pub fn post(&mut self, path: &str, body: &str) {
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
    }

    /// A POST, and the answer to it.
    pub fn exchange(&mut self, path: &str, body: &str) -> Answer {
        self.post(path, body);
        self.answer().unwrap()
    }

    pub fn answer(&mut self) -> io::Result<Answer> {
        let head = self.until("\r\n\r\n")?;
        let lower = head.to_ascii_lowercase();
        let mut chunks = Vec::new();
        if lower.contains("transfer-encoding: chunked") {
            loop {
                let size = self.until("\r\n")?;
                let chunk = self.exactly(usize::from_str_radix(size.trim(), 16).unwrap())?;
                assert_eq!(self.exactly(2)?, b"\r\n");
                if chunk.is_empty() {
                    break;
                }
                chunks.push(chunk);
            }
        } else if let Some((_, rest)) = lower.split_once("content-length: ") {
            let length = rest.split("\r\n").next().unwrap().parse().unwrap();
            chunks.push(self.exactly(length)?);
        } else {
            let mut body = Vec::new();
            self.stream.read_to_end(&mut body)?;
            chunks.push(body);
        }
        Ok(Answer { head, chunks })
    }

    /// What single reads return, up to the end of the connection.
    pub fn reads(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let mut reads = Vec::new();
        let mut buffer = [0; 65536];
        loop {
            match self.stream.read(&mut buffer)? {
                0 => return Ok(reads),
                count => reads.push(buffer[..count].to_vec()),
            }
        }
    }

    pub fn until(&mut self, end: &str) -> io::Result<String> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(end.as_bytes()) {
            bytes.extend(self.exactly(1)?);
        }
        Ok(String::from_utf8(bytes).unwrap())
    }

    pub fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
