//! Mains of the tools that MLIR provides.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;
use std::thread;

use mlir_sys::MlirStringRef;

unsafe extern "C" {
    fn tileOptMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tileTranslateMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tileLspServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn tilePrintStackOnCrash();
    fn tileRequireMLIROfPlugin();
}

/// Ends the process with a message where the program that loads the plugin uses another MLIR than the plugin.
///
/// ```no_run
/// tile_passes::tools::require_mlir_of_plugin();
/// ```
pub fn require_mlir_of_plugin() {
    // SAFETY: it reads the list of the process's libraries.
    unsafe { tileRequireMLIROfPlugin() }
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

/// `tile-lsp-server`: MLIR's language server. It serves an editor until that sends `exit`.
///
/// The server parses messages and documents on its stack, however deep they nest, so it runs on a thread with a large one.
///
/// ```no_run
/// std::process::exit(tile_passes::tools::lsp_server(std::env::args_os()));
/// ```
pub fn lsp_server(args: impl Iterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.collect();
    let sizes = std::iter::successors(Some(SERVER_STACK_BYTES), |size| Some(size / 2));
    for size in sizes.take_while(|size| *size >= MIN_SERVER_STACK_BYTES) {
        let args = args.clone();
        let serve = move || call(args.into_iter(), tileLspServerMain);
        // A system with less memory refuses a stack of this size.
        if let Ok(server) = thread::Builder::new().name("server".to_owned()).stack_size(size).spawn(serve) {
            return server.join().unwrap_or(1);
        }
    }
    eprintln!("error: cannot start a thread with a stack of {MIN_SERVER_STACK_BYTES} bytes");
    1
}

/// The stack of the language server: only the part that is used takes memory. MLIR's parser uses about a kilobyte for each
/// level, so documents may nest millions of levels deep.
const SERVER_STACK_BYTES: usize = 8 << 30;
/// The least stack that the server starts with.
const MIN_SERVER_STACK_BYTES: usize = 64 << 20;

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

/// The version that tools print.
#[unsafe(no_mangle)]
extern "C" fn tileVersion() -> MlirStringRef {
    let version = env!("CARGO_PKG_VERSION");
    MlirStringRef { data: version.as_ptr().cast(), length: version.len() }
}
