//! A filter between an editor and MLIR's language server.
//!
//! ```text
//!   editor ──▶ messages ──▶ server        a message that nests too deep is dropped; a document that does is empty
//!   editor ◀── messages ◀── server        for the server, and its diagnostic says where
//! ```
//!
//! The server parses messages and documents on its stack, however deep they nest. It is this program again, run as a
//! child whose input and output pass through this filter.

mod filter;
mod frame;

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use filter::Filter;
use frame::{Frame, Style};

/// Marks the child; its other arguments are the server's own.
const CHILD: &str = "TILE_LSP_SERVER_BEHIND_FILTER";

/// Whether this process is the server itself, behind a filter.
pub fn is_behind_filter() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Runs this program once more, and filters its input and output; its exit status.
pub fn run(args: &[OsString]) -> i32 {
    serve(args).unwrap_or_else(|error| {
        eprintln!("error: cannot run the language server: {error}");
        1
    })
}

fn serve(args: &[OsString]) -> io::Result<i32> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(args.iter().skip(1)).env(CHILD, "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let (to, from) = (child.stdin.take(), child.stdout.take());
    let (Some(to), Some(from)) = (to, from) else { return Ok(1) };
    let filter = Arc::new(Mutex::new(Filter::default()));
    let (style, incoming) = (Style::of(args), filter.clone());
    // Not joined: it may wait for an editor that says nothing more.
    thread::spawn(move || copy(BufReader::new(io::stdin()), to, style, |frame| incoming.lock().ok()?.incoming(frame)));
    let output = |frame| filter.lock().ok().map(|filter| filter.outgoing(frame));
    copy(BufReader::new(from), io::stdout(), Style::Headers, output);
    Ok(child.wait()?.code().unwrap_or(1))
}

/// Forwards the result of `pass` for each message, until either end closes.
fn copy(mut from: impl io::BufRead, mut to: impl Write, style: Style, pass: impl Fn(Frame) -> Option<Frame>) {
    while let Ok(Some(frame)) = Frame::read(&mut from, style) {
        let Some(frame) = pass(frame) else { continue };
        if frame.write(&mut to, style).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
