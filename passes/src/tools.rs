//! Mains of the tools that MLIR provides.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

use crate::editor;

unsafe extern "C" {
    fn tileOptMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tileTranslateMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tileLspServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tilePrintStackOnCrash();
}

/// From now on a signal that ends the process prints the stack first, as it does in LLVM's own tools.
///
/// ```
/// tile_passes::tools::print_stack_on_crash();
/// ```
pub fn print_stack_on_crash() {
    // SAFETY: LLVM allows the call at any time, and more than once.
    unsafe { tilePrintStackOnCrash() }
}

/// `tile-opt`: returns the status that the process exits with.
///
/// ```
/// let args = ["tile-opt", "/no/such/file.mlir"].map(Into::into).into_iter();
/// assert_eq!(tile_passes::tools::opt(args), 1);
/// ```
pub fn opt(args: impl Iterator<Item = OsString>) -> i32 {
    call(args, tileOptMain)
}

/// `tile-translate`: returns the status that the process exits with.
///
/// ```
/// let args = ["tile-translate", "--tile-to-ptx", "/no/such/file.mlir"].map(Into::into).into_iter();
/// assert_eq!(tile_passes::tools::translate(args), 1);
/// ```
pub fn translate(args: impl Iterator<Item = OsString>) -> i32 {
    call(args, tileTranslateMain)
}

/// `tile-lsp-server`: MLIR's language server, behind a filter. It serves an editor until that sends `exit`.
///
/// ```no_run
/// std::process::exit(tile_passes::tools::lsp_server(std::env::args_os()));
/// ```
pub fn lsp_server(args: impl Iterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.collect();
    let asks = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        arg.trim_start_matches('-').starts_with("help") || arg.ends_with("-version") || arg == "-h"
    };
    if editor::is_behind_filter() || args.iter().skip(1).any(asks) {
        return call(args.into_iter(), tileLspServerMain);
    }
    editor::run(&args)
}

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int;

fn call(args: impl Iterator<Item = OsString>, main: Main) -> i32 {
    // The system passes no argument with a NUL inside.
    let args: Vec<CString> = args.filter_map(|arg| CString::new(arg.into_vec()).ok()).collect();
    let mut pointers: Vec<*mut c_char> = args.iter().map(|arg| arg.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    let count = c_int::try_from(args.len()).unwrap_or(c_int::MAX);
    // SAFETY: `args` outlives the call, the list ends in a null pointer, and the main does not write to it.
    unsafe { main(count, pointers.as_mut_ptr()) }
}
