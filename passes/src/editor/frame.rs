//! Messages of the language server protocol in a stream of bytes.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

/// The maximum length of a message: a longer one is not from an editor.
const LIMIT: usize = 1 << 30;

/// How messages are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// By a header with their length.
    Headers,
    /// By lines that begin with `// -----`, as in tests.
    Delimiters,
}

impl Style {
    /// The style of the input, as the server's options select it.
    pub fn of(args: &[OsString]) -> Self {
        let asks = |arg: &OsString| {
            let arg = arg.to_string_lossy();
            matches!(arg.trim_start_matches('-'), "lit-test" | "input-style=delimited" | "delimited")
        };
        if args.iter().skip(1).any(asks) { Style::Delimiters } else { Style::Headers }
    }
}

/// One message: its text, which need not be JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame(pub Vec<u8>);

impl Frame {
    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// A stream that ends inside a message or cannot be read, or a header without a sound length.
    pub fn read(from: &mut impl BufRead, style: Style) -> io::Result<Option<Self>> {
        match style {
            Style::Headers => read_headers(from),
            Style::Delimiters => read_delimited(from),
        }
    }

    /// Writes the message in a style.
    ///
    /// # Errors
    /// A stream that cannot be written.
    pub fn write(&self, to: &mut impl Write, style: Style) -> io::Result<()> {
        match style {
            Style::Headers => write!(to, "Content-Length: {}\r\n\r\n", self.0.len())?,
            Style::Delimiters => {}
        }
        to.write_all(&self.0)?;
        if style == Style::Delimiters { to.write_all(b"\n// -----\n") } else { Ok(()) }
    }
}

fn read_headers(from: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            Some(_) => {}
            None if line.is_empty() && length.is_some() => break,
            None => {}
        }
    }
    let length = length.filter(|&length| length <= LIMIT);
    let length = length.ok_or_else(|| io::Error::other("a message of more than 1 GiB"))?;
    let mut text = vec![0; length];
    from.read_exact(&mut text)?;
    Ok(Some(Frame(text)))
}

fn read_delimited(from: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut text = Vec::new();
    loop {
        let mut line = Vec::new();
        let ended = from.read_until(b'\n', &mut line)? == 0;
        if ended && text.is_empty() {
            return Ok(None);
        }
        if ended || line.starts_with(b"// -----") {
            return Ok(Some(Frame(text)));
        }
        // Other comments belong to the test.
        if !line.starts_with(b"//") {
            text.extend(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_in_and_out_in_both_styles() {
        for style in [Style::Headers, Style::Delimiters] {
            let mut bytes = Vec::new();
            for text in ["{}", "[1,\n2]"] {
                Frame(text.into()).write(&mut bytes, style).unwrap();
            }
            let mut from = bytes.as_slice();
            let mut next = || Frame::read(&mut from, style).unwrap().map(|frame| String::from_utf8(frame.0).unwrap());
            assert_eq!(next().unwrap().trim(), "{}");
            assert_eq!(next().unwrap().trim(), "[1,\n2]");
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn broken_streams_end() {
        for text in ["", "Content-Length: 10\r\n\r\nshort", "Content-Length: 99999999999\r\n\r\n", "\r\n\r\n"] {
            assert!(!matches!(Frame::read(&mut text.as_bytes(), Style::Headers), Ok(Some(_))), "{text}");
        }
    }
}
