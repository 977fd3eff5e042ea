//! The command-line tools as one function, so that a package has LLVM once.

use std::ffi::{CStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tile_passes::tools;

/// The exit status where no tool ran.
const NO_TOOL: c_int = 2;

/// The exit status after a panic, as of a Rust program.
const PANICKED: c_int = 101;

type Tool = fn(Vec<OsString>) -> c_int;

const TOOLS: [(&str, Tool); 5] = [
    ("tile-layout", |arguments| layout_tool::status(arguments).into()),
    ("tile-lsp-server", |arguments| tools::lsp_server(arguments.into_iter())),
    ("tile-opt", |arguments| tools::opt(arguments.into_iter())),
    ("tile-run", |arguments| tile_run::status(arguments).into()),
    ("tile-translate", |arguments| tools::translate(arguments.into_iter())),
];

/// Runs the tool that the first argument names; its exit status.
///
/// # Safety
/// `arguments` points to `count` strings that end in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileToolMain(count: c_int, arguments: *const *const c_char) -> c_int {
    let count = if arguments.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
    // SAFETY: by the function's own contract.
    let text = |index| unsafe { CStr::from_ptr(*arguments.add(index)) };
    let arguments: Vec<OsString> =
        (0..count).map(|index| OsString::from_vec(text(index).to_bytes().to_vec())).collect();
    catch_unwind(AssertUnwindSafe(|| run(arguments))).unwrap_or(PANICKED)
}

fn run(arguments: Vec<OsString>) -> c_int {
    let program = arguments.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
    match TOOLS.iter().find(|(name, _)| program == *name) {
        Some((_, tool)) => tool(arguments),
        None => {
            let names = TOOLS.map(|(name, _)| name).join(", ");
            eprintln!("error: got the program name '{}', expected one of {names}", program.display());
            NO_TOOL
        }
    }
}
