//! Reads requests and writes answers: HTTP/1.1 on a connection (RFC 9112).
//!
//! A client may send anything, or nothing for a long time: heads are limited in bytes and in time.

use super::answer::{Answer, Request};
use crate::sources::Body;
use std::io::{self, Read, Seek, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The largest size of a request without its body, in bytes.
const HEAD: usize = 16 * 1024;
/// The largest number of header fields.
const FIELDS: usize = 100;
/// For the complete head of a request, from its first byte, however slowly it comes.
const READING: Duration = Duration::from_secs(10);
/// For the body of a request, a photograph at most.
const BODY: Duration = Duration::from_secs(120);
/// For the next request on a connection.
const IDLE: Duration = Duration::from_secs(60);
/// For a client to accept some bytes of an answer.
const WRITING: Duration = Duration::from_secs(30);

/// A connection to a client.
pub struct Connection {
    stream: TcpStream,
    /// Bytes that came after the last request.
    rest: Vec<u8>,
}

/// The result of reading a request.
pub enum Received {
    /// The client has gone or has no more requests.
    Nothing,
    /// A malformed request, and the status to answer with.
    Malformed(u16),
    /// A request.
    Request(Head),
}

/// The head of a request.
pub struct Head {
    method: String,
    target: String,
    fields: Vec<(String, String)>,
    /// Whether another request may follow on the connection.
    pub keeps_alive: bool,
}

impl Head {
    /// Returns the parts of the request that decide the answer.
    pub fn request(&self) -> Request<'_> {
        Request {
            method: &self.method,
            target: &self.target,
            host: self.field("host"),
            if_none_match: self.field("if-none-match"),
            if_range: self.field("if-range"),
            range: self.field("range"),
        }
    }

    /// Returns a field by its name.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns a field that is there once. Where there are two, nobody knows which of them others have read.
    pub fn only_field(&self, name: &str) -> Option<&str> {
        let mut all = self.all(name);
        all.next().filter(|_| all.next().is_none())
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.fields.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }
}

impl Connection {
    /// Sets up a connection.
    pub fn new(stream: TcpStream) -> io::Result<Self> {
        // An answer is sent at once and does not wait for the client to confirm the one before.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITING))?;
        Ok(Connection { stream, rest: Vec::new() })
    }

    /// Reads the next request.
    pub fn read(&mut self) -> io::Result<Received> {
        let mut began = (!self.rest.is_empty()).then(Instant::now);
        loop {
            if !self.rest.is_empty()
                && let Some(received) = self.parsed()
            {
                return Ok(received);
            }
            if self.rest.len() >= HEAD {
                return Ok(Received::Malformed(431));
            }
            let patience = began.map_or(Some(IDLE), |began| READING.checked_sub(began.elapsed()));
            let Some(patience) = patience.filter(|patience| !patience.is_zero()) else {
                return Ok(Received::Malformed(408));
            };
            self.stream.set_read_timeout(Some(patience))?;
            let mut buffer = [0; 4096];
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(Received::Nothing),
                Ok(count) => {
                    self.rest.extend_from_slice(&buffer[..count]);
                    began.get_or_insert_with(Instant::now);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Ok(if began.is_some() { Received::Malformed(408) } else { Received::Nothing });
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the next request, once its complete head has come.
    fn parsed(&mut self) -> Option<Received> {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        let length = match request.parse(&self.rest) {
            Ok(httparse::Status::Complete(length)) if length > HEAD => return Some(Received::Malformed(431)),
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return None,
            Err(httparse::Error::TooManyHeaders) => return Some(Received::Malformed(431)),
            Err(httparse::Error::Version) => return Some(Received::Malformed(505)),
            Err(_) => return Some(Received::Malformed(400)),
        };
        let text = |value: &[u8]| String::from_utf8_lossy(value).trim().to_owned();
        let mut head = Head {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            fields: request.headers.iter().map(|field| (field.name.to_owned(), text(field.value))).collect(),
            keeps_alive: false,
        };
        let is_current = request.version == Some(1);
        self.rest.drain(..length);
        let hosts = head.all("host").count();
        // RFC 9112, 3.2: a request without a host, or with two, is refused.
        if hosts > 1 || is_current && hosts == 0 {
            return Some(Received::Malformed(400));
        }
        // RFC 9112, 6.3: neither is a length that is no number, and one that is not the only one.
        let is_length = |length: &str| !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
        if head.all("content-length").count() > 1 || !head.all("content-length").all(is_length) {
            return Some(Received::Malformed(400));
        }
        let connection = head.field("connection").unwrap_or_default().to_ascii_lowercase();
        let says = |word: &str| connection.split(',').any(|each| each.trim() == word);
        // Nothing here takes a body. Where one follows, it is not read, and the connection ends.
        let has_body = head.field("transfer-encoding").is_some()
            || head.field("content-length").is_some_and(|length| length != "0");
        head.keeps_alive = !has_body && if is_current { !says("close") } else { says("keep-alive") };
        Some(Received::Request(head))
    }

    /// Reads the body of a request that says how long it is. `Err` with a status if it is too long, or does not come.
    pub fn read_body(&mut self, head: &Head, most: usize) -> io::Result<Result<Vec<u8>, u16>> {
        if head.field("transfer-encoding").is_some() {
            return Ok(Err(411));
        }
        let Some(length) = head.field("content-length") else { return Ok(Err(411)) };
        // More than fits in a number is more than is allowed.
        let Some(length) = length.parse::<usize>().ok().filter(|length| *length <= most) else { return Ok(Err(413)) };
        let began = Instant::now();
        while self.rest.len() < length {
            let Some(patience) = BODY.checked_sub(began.elapsed()).filter(|patience| !patience.is_zero()) else {
                return Ok(Err(408));
            };
            self.stream.set_read_timeout(Some(patience))?;
            let mut buffer = [0; 64 * 1024];
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(Err(400)),
                Ok(count) => self.rest.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Ok(Err(408));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Ok(self.rest.drain(..length).collect()))
    }

    /// Writes an answer; for `HEAD` only its head.
    pub fn write(&mut self, answer: &Answer, is_head: bool, keeps_alive: bool) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status));
        for (name, value) in &answer.headers {
            // A value from the site's own rules must not begin another field.
            let is_plain = |text: &str| !text.bytes().any(|byte| byte == b'\r' || byte == b'\n' || byte == 0);
            if is_plain(name) && is_plain(value) {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        // RFC 9110, 8.6: a 304 has no body and no length.
        if answer.status != 304 {
            head.push_str(&format!("content-length: {}\r\n", answer.range.end - answer.range.start));
        }
        head.push_str(if keeps_alive { "connection: keep-alive\r\n\r\n" } else { "connection: close\r\n\r\n" });
        let body = match &answer.body {
            _ if is_head => &[],
            Body::Text(text) => &text.as_bytes()[answer.range.start as usize..answer.range.end as usize],
            Body::Bytes(bytes) => &bytes[answer.range.start as usize..answer.range.end as usize],
            Body::Away(away) => &away.kept().as_bytes()[answer.range.start as usize..answer.range.end as usize],
            Body::Large(large) => {
                // A file that has changed is not sent: the connection ends instead.
                let mut file = large.open()?;
                self.stream.write_all(head.as_bytes())?;
                file.seek(io::SeekFrom::Start(large.skip + answer.range.start))?;
                let length = answer.range.end - answer.range.start;
                let sent = io::copy(&mut file.take(length), &mut self.stream)?;
                return if sent == length { Ok(()) } else { Err(large.changed()) };
            }
        };
        // Small answers go in one packet.
        let mut bytes = head.into_bytes();
        let together = body.len().min(64 * 1024);
        bytes.extend_from_slice(&body[..together]);
        self.stream.write_all(&bytes)?;
        self.stream.write_all(&body[together..])
    }

    /// Writes the head of an answer that never ends.
    pub fn write_stream_head(&mut self) -> io::Result<()> {
        self.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n\
              connection: close\r\n\r\nretry: 300\n\n",
        )
    }

    /// Writes bytes.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        413 => "Content Too Large",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        // RFC 9112, 4: clients ignore the words.
        _ => "",
    }
}
