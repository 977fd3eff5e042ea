//! Errors, and checked, safe access to the arguments that C passes.

use std::ffi::c_void;

use melior::{Context, ContextRef};
use mlir_sys::{MlirAttribute, MlirContext, MlirStringRef};
use tile_dialect::{FragmentAttr, LayoutAttr, guard};
use tile_layout::Layout;

/// `MlirStringCallback`.
pub type StringCallback = Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>;

/// `MlirTileErrorHandler`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ErrorHandler {
    say: StringCallback,
    user_data: *mut c_void,
}

impl ErrorHandler {
    /// The result of `body`; if it fails, or panics, the handler receives the reason, and `otherwise` is returned.
    pub fn run<R>(self, otherwise: R, body: impl FnOnce() -> Result<R, String>) -> R {
        let outcome = guard::quiet(body).unwrap_or_else(|text| Err(format!("made the compiler fail: {text}")));
        outcome.unwrap_or_else(|reason| {
            emit(self.say, self.user_data, &reason);
            otherwise
        })
    }
}

/// The result of `body`; `otherwise` if it panics.
pub fn quietly<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    guard::quiet(body).unwrap_or(otherwise)
}

/// Calls the caller's function with a text, if there is a function.
pub fn emit(say: StringCallback, user_data: *mut c_void, text: &str) {
    if let Some(say) = say {
        // SAFETY: the caller's function takes its own data, and the string during the call.
        unsafe { say(string_ref(text), user_data) }
    }
}

/// A string in MLIR's form.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// A text from the caller.
///
/// # Errors
/// It is null or invalid UTF-8.
///
/// # Safety
/// The string is null, or valid for `'a`.
pub unsafe fn text<'a>(what: &str, text: MlirStringRef) -> Result<&'a str, String> {
    if text.length == 0 {
        return Ok("");
    }
    if text.data.is_null() {
        return Err(format!("got null for the {what}, expected a string"));
    }
    // SAFETY: by the function's own contract.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).map_err(|error| format!("got a {what} that is not UTF-8: {error}"))
}

/// A list from the caller.
///
/// # Errors
/// It is null or of a negative size.
///
/// # Safety
/// The list is null, or valid for `'a` with that many elements.
pub unsafe fn list<'a, T>(what: &str, data: *const T, size: isize) -> Result<&'a [T], String> {
    match usize::try_from(size) {
        Err(_) => Err(format!("got {size} {what}, expected 0 or more")),
        Ok(0) => Ok(&[]),
        Ok(_) if data.is_null() => Err(format!("got null for {size} {what}, expected a list")),
        // SAFETY: by the function's own contract.
        Ok(size) => Ok(unsafe { std::slice::from_raw_parts(data, size) }),
    }
}

/// A context from the caller.
///
/// # Errors
/// It is null.
///
/// # Safety
/// The context is null, or alive for `'a`.
pub unsafe fn context<'a>(raw: MlirContext) -> Result<ContextRef<'a>, String> {
    if raw.ptr.is_null() {
        return Err("got a null context, expected one".to_owned());
    }
    // SAFETY: by the function's own contract.
    Ok(unsafe { ContextRef::from_raw(raw) })
}

/// Checks that the context has the tile dialect, and loads it.
///
/// # Errors
/// It was not registered.
pub fn with_dialect(context: &Context) -> Result<(), String> {
    // SAFETY: the context is alive.
    let dialect = unsafe { mlir_sys::mlirContextGetOrLoadDialect(context.to_raw(), string_ref("tile")) };
    if dialect.ptr.is_null() {
        return Err(
            "got a context without the tile dialect, expected one with the registry of mlirTileRegisterAllDialects, or the handle mlirGetDialectHandle__tile__".to_owned(),
        );
    }
    Ok(())
}

/// A layout from the caller; `None` where the attribute is null or no layout.
///
/// # Safety
/// The attribute is null, or its context is alive for `'c`.
pub unsafe fn layout_attr<'c>(raw: MlirAttribute) -> Option<LayoutAttr<'c>> {
    // SAFETY: by the function's own contract.
    unsafe { melior::ir::Attribute::from_option_raw(raw) }.and_then(LayoutAttr::from_attribute)
}

/// A fragment from the caller; `None` where the attribute is null or none.
///
/// # Safety
/// As [`layout_attr`].
pub unsafe fn fragment_attr<'c>(raw: MlirAttribute) -> Option<FragmentAttr<'c>> {
    // SAFETY: by the function's own contract.
    unsafe { melior::ir::Attribute::from_option_raw(raw) }.and_then(FragmentAttr::from_attribute)
}

/// The layout itself.
///
/// # Errors
/// The attribute is null or no layout.
///
/// # Safety
/// As [`layout_attr`].
pub unsafe fn layout(raw: MlirAttribute) -> Result<Layout, String> {
    if raw.ptr.is_null() {
        return Err("got a null attribute, expected a #tile.layout".to_owned());
    }
    // SAFETY: by the function's own contract.
    unsafe {
        let got = || melior::ir::Attribute::from_raw(raw).to_string();
        layout_attr(raw).map(LayoutAttr::layout).ok_or_else(|| format!("got {}, expected a #tile.layout", got()))
    }
}
