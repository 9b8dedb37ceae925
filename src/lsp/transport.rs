//! Messages on standard input and output, each after a header with its length. The reply to one that cannot be read is an error,
//! and the next one is read.

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};

/// The largest message that is read, in bytes.
const MOST: usize = 256 << 20;

/// Returns a connection to whoever writes standard input and reads standard output.
pub fn stdio() -> Connection {
    let (server, editor) = Connection::memory();
    let (sender, receiver) = (editor.sender, editor.receiver);
    // They end with the process.
    let _ = std::thread::Builder::new().name("read".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(body) = read(&mut input) {
            match parse(&body) {
                Ok(message) => {
                    let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                    if sender.send(message).is_err() || is_exit {
                        return;
                    }
                }
                Err(reason) => answer_unread(&reason),
            }
        }
    });
    let _ = std::thread::Builder::new().name("write".to_owned()).spawn(move || {
        for message in receiver {
            if message.write(&mut io::stdout().lock()).is_err() {
                return;
            }
        }
    });
    server
}

/// Reads the body of the next message. `None` at the end of the input.
fn read(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            // Between two messages there may be empty lines.
            match length {
                Some(length) => return body(input, length),
                None => continue,
            }
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let read = input.take(length as u64).read_to_end(&mut body).ok()?;
    if length > MOST {
        body.clear();
    }
    (read == length).then_some(body)
}

fn parse(body: &[u8]) -> Result<Message, String> {
    let text = String::from_utf8_lossy(body);
    let first = serde_json::from_str(&text);
    let parsed = first.or_else(|error| serde_json::from_str(&without_halves(&text)).map_err(|_| error));
    parsed.map_err(|error| error.to_string())
}

/// Replaces halves of characters: an editor that stops in the middle of one sends `\ud83d` without the other half, which JSON allows
/// and no text can have.
fn without_halves(text: &str) -> String {
    let half = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find('\\').map(|found| at + found) {
        out.push_str(&text[at..found]);
        let is_pair =
            half(found).is_some_and(|unit| unit < 0xdc00) && half(found + 6).is_some_and(|unit| unit >= 0xdc00);
        let length = match (half(found), is_pair) {
            (Some(_), true) => 12,
            (Some(_), false) => 6,
            (None, _) => 1 + text[found + 1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(if half(found).is_some() && !is_pair { "\\ufffd" } else { &text[found..found + length] });
        at = found + length;
    }
    out.push_str(&text[at..]);
    out
}

/// Answers a message that cannot be read. Nobody knows its number.
fn answer_unread(reason: &str) {
    let error = json!({ "code": ErrorCode::ParseError as i32, "message": reason });
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
    // It fails when the editor has gone, which the reader notices too.
    let _ = writeln!(io::stderr(), "sitegen: a message of the editor cannot be read: {reason}");
    let mut output = io::stdout().lock();
    let _ = write!(output, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| output.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced_and_pairs_stay() {
        for (text, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\udc00b""#, r#""\ufffdb""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d \n é""#, r#""\\ud83d \n é""#),
        ] {
            assert_eq!(without_halves(text), expected);
        }
    }

    #[test]
    fn messages_are_read_one_after_another() {
        let mut input =
            &b"Content-Length: 2\r\n\r\n{}content-length: 3\r\nOther: x\r\n\r\nabcContent-Length: 9\r\n\r\nend"[..];
        assert_eq!(read(&mut input).as_deref(), Some(&b"{}"[..]));
        assert_eq!(read(&mut input).as_deref(), Some(&b"abc"[..]));
        assert_eq!(read(&mut input), None);
        assert!(parse(b"{").is_err());
        assert!(parse(br#"{"jsonrpc":"2.0","method":"a","params":{"text":"\ud83d"}}"#).is_ok());
    }
}
