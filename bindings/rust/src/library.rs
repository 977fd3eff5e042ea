//! libTile, loaded once. It is not linked, so that a program needs no search path to start.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::raw::{CompileTextWith, DefaultOptions, LowerText};

/// The library, with the functions that are called.
pub struct Library {
    pub path: PathBuf,
    pub default_options: DefaultOptions,
    pub compile_text: CompileTextWith,
    pub lower_text: LowerText,
}

/// Resolve all symbols immediately; do not make them available to other libraries.
const RTLD_NOW: c_int = 2;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// The library.
///
/// # Errors
/// The reason why it could not be loaded, and what to do.
pub fn get() -> Result<&'static Library, String> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Library, String> {
    let path = std::env::var_os("TILE_LIBRARY").map_or_else(|| PathBuf::from(env!("TILE_LIBRARY")), PathBuf::from);
    let terminated = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: the path is terminated. The library's initializers are those of LLVM, which any thread may run.
    let handle = unsafe { dlopen(terminated.as_ptr(), RTLD_NOW) };
    if handle.is_null() {
        return Err(format!(
            "cannot load {}: {}; build again, or set TILE_LIBRARY to the libTile.so of an installed package",
            path.display(),
            why()
        ));
    }
    let symbol = |name: &CStr| {
        // SAFETY: the library is loaded and never unloaded; the name is terminated.
        let address = unsafe { dlsym(handle, name.as_ptr()) };
        let missing =
            || format!("{} has no {}, expected the libTile of this release", path.display(), name.to_string_lossy());
        if address.is_null() { Err(missing()) } else { Ok(address) }
    };
    // SAFETY: the functions have the types that `tile-c/Compile.h` of this release declares.
    unsafe {
        Ok(Library {
            default_options: std::mem::transmute::<*mut c_void, DefaultOptions>(symbol(
                c"mlirTileCompileOptionsGetDefault",
            )?),
            compile_text: std::mem::transmute::<*mut c_void, CompileTextWith>(symbol(c"mlirTileCompileTextWith")?),
            lower_text: std::mem::transmute::<*mut c_void, LowerText>(symbol(c"mlirTileLowerText")?),
            path: path.clone(),
        })
    }
}

/// The loader's error message.
fn why() -> String {
    // SAFETY: the text, if any, lives until the next call of the loader in this thread.
    unsafe {
        let text = dlerror();
        if text.is_null() { "no reason given".to_owned() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}
