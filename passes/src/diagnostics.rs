//! The compiler's messages, as values.

use std::ffi::c_void;
use std::fmt;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use melior::ir::OperationRef;
use mlir_sys::{MlirContext, MlirDiagnostic, MlirLocation, MlirLogicalResult};
use tile_dialect::guard::{self, Panicked};

use crate::shim;

/// The severity of a [`Diagnostic`].
///
/// ```
/// assert_eq!(tile_passes::Severity::Warning.to_string(), "warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The program is refused.
    Error,
    /// It compiles, but to less than it could.
    Warning,
    /// How something is done, or why not in another way.
    Remark,
    /// More about another diagnostic.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        })
    }
}

/// A location in a source file; lines and columns count from 1.
///
/// ```
/// let location = tile_passes::Location { file: "copy.mlir".to_owned(), line: 4, column: 5 };
/// assert_eq!(location.to_string(), "copy.mlir:4:5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, or the name that the text was parsed under.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One message of the compiler. It displays as the tools print it: `file:line:column: error: …`, then its notes.
///
/// ```
/// use tile_passes::{Severity, embed};
///
/// let context = embed::context();
/// let text = "func.func @twice() { return }\nfunc.func @twice() { return }";
/// let error = embed::parse_named(&context, text, "host.mlir").unwrap_err();
/// let [said] = error.diagnostics() else { panic!("one diagnostic") };
/// assert_eq!((said.severity, said.line()), (Severity::Error, Some(2)));
/// let printed = said.to_string();
/// assert!(printed.starts_with("host.mlir:2:"), "{printed}");
/// assert!(printed.contains(": error: redefinition of symbol named 'twice'\nhost.mlir:1:1: note: "), "{printed}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its location, if the IR has one: that of the innermost call, the first of fused locations.
    pub location: Option<Location>,
    /// Its text.
    pub message: String,
    /// Its notes, each with its own location.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    pub(crate) fn error(location: Option<Location>, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, location, message: message.into(), notes: Vec::new() }
    }

    /// The line that it points to.
    ///
    /// ```
    /// use tile_passes::embed;
    ///
    /// let error = embed::parse(&embed::context(), "module {\n  tile.allocate\n}").unwrap_err();
    /// assert_eq!(error.diagnostics()[0].line(), Some(2));
    /// ```
    pub fn line(&self) -> Option<u32> {
        self.location.as_ref().map(|location| location.line)
    }

    /// # Safety
    /// The diagnostic is alive.
    unsafe fn read(raw: MlirDiagnostic) -> Self {
        // SAFETY: by the function's own contract; the strings are copied.
        unsafe {
            let mut message = String::new();
            mlir_sys::mlirDiagnosticPrint(raw, Some(shim::append), (&raw mut message).cast());
            let notes = 0..mlir_sys::mlirDiagnosticGetNumNotes(raw);
            Diagnostic {
                severity: match mlir_sys::mlirDiagnosticGetSeverity(raw) {
                    mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticError => Severity::Error,
                    mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticWarning => Severity::Warning,
                    mlir_sys::MlirDiagnosticSeverity_MlirDiagnosticNote => Severity::Note,
                    _ => Severity::Remark,
                },
                location: place(mlir_sys::mlirDiagnosticGetLocation(raw), false),
                message,
                notes: notes.map(|index| Self::read(mlir_sys::mlirDiagnosticGetNote(raw, index))).collect(),
            }
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}

/// The file, line and column in a location of the IR.
pub(crate) fn location(location: melior::ir::Location<'_>) -> Option<Location> {
    // SAFETY: the borrow keeps the context alive.
    unsafe { place(location.to_raw(), false) }
}

/// The same of the last part of a fused location.
pub(crate) fn last_location(location: melior::ir::Location<'_>) -> Option<Location> {
    // SAFETY: as above.
    unsafe { place(location.to_raw(), true) }
}

/// The location of what has two.
pub(crate) fn fused<'c>(first: melior::ir::Location<'c>, last: melior::ir::Location<'c>) -> melior::ir::Location<'c> {
    let parts = [first.to_raw(), last.to_raw()];
    // SAFETY: both are alive, as their context is.
    unsafe {
        let context = mlir_sys::mlirLocationGetContext(parts[0]);
        let none = mlir_sys::mlirAttributeGetNull();
        melior::ir::Location::from_raw(mlir_sys::mlirLocationFusedGet(context, 2, parts.as_ptr(), none))
    }
}

/// The file, line and column in a location; of a fused one, in its first part that has these, or in its last.
///
/// # Safety
/// The location's context is alive.
unsafe fn place(raw: MlirLocation, last: bool) -> Option<Location> {
    // SAFETY: by the function's own contract; each accessor is called on the kind that it is for.
    unsafe {
        if mlir_sys::mlirLocationIsAFileLineColRange(raw) {
            let file = mlir_sys::mlirLocationFileLineColRangeGetFilename(raw);
            let number = |number: std::ffi::c_int| u32::try_from(number).unwrap_or(0);
            return Some(Location {
                file: String::from_utf8_lossy(shim::bytes(mlir_sys::mlirIdentifierStr(file))).into_owned(),
                line: number(mlir_sys::mlirLocationFileLineColRangeGetStartLine(raw)),
                column: number(mlir_sys::mlirLocationFileLineColRangeGetStartColumn(raw)),
            });
        }
        if mlir_sys::mlirLocationIsAName(raw) {
            return place(mlir_sys::mlirLocationNameGetChildLoc(raw), last);
        }
        if mlir_sys::mlirLocationIsACallSite(raw) {
            return place(mlir_sys::mlirLocationCallSiteGetCallee(raw), last);
        }
        if mlir_sys::mlirLocationIsAFused(raw) {
            let count = mlir_sys::mlirLocationFusedGetNumLocations(raw);
            let mut parts = vec![raw; count as usize];
            mlir_sys::mlirLocationFusedGetLocations(raw, parts.as_mut_ptr());
            let mut places = parts.into_iter().map(|part| place(part, last));
            return if last { places.rfind(Option::is_some)? } else { places.find(Option::is_some)? };
        }
    }
    None
}

/// Runs `body` and returns its result, with all diagnostics that the context reports meanwhile, in any thread. They reach no other
/// handler.
pub(crate) fn collect<R>(context: MlirContext, body: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    listen(context, None, body)
}

/// As [`collect`], with those of this thread alone: in others, MLIR may be running the same pass on other ops.
pub(crate) fn collect_own<R>(context: MlirContext, body: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    listen(context, Some(thread::current().id()), body)
}

/// The result of `body`, or with what it panicked, and what it says of a kernel, which nobody else hears.
pub(crate) fn quietly<R>(
    kernel: OperationRef<'_, '_>,
    body: impl FnOnce() -> R,
) -> (Result<R, Panicked>, Vec<Diagnostic>) {
    // SAFETY: the op is alive.
    let context = unsafe { mlir_sys::mlirOperationGetContext(kernel.to_raw()) };
    collect_own(context, || guard::quiet(body))
}

/// The first error among what was said, with its location.
pub(crate) fn first_error(heard: Vec<Diagnostic>) -> String {
    let Some(error) = heard.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error) else {
        return "no reason given".to_owned();
    };
    error.location.as_ref().map(|at| format!("{at}: ")).unwrap_or_default() + &error.message
}

/// What a handler hears.
struct Heard {
    /// The only thread that it listens to.
    thread: Option<ThreadId>,
    diagnostics: Mutex<Vec<Diagnostic>>,
}

fn listen<R>(context: MlirContext, thread: Option<ThreadId>, body: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    /// Detaches the handler, also when `body` panics.
    struct Attached(MlirContext, u64);
    impl Drop for Attached {
        fn drop(&mut self) {
            // SAFETY: the handler was attached to this context, which is alive.
            unsafe { mlir_sys::mlirContextDetachDiagnosticHandler(self.0, self.1) }
        }
    }

    let heard = Heard { thread, diagnostics: Mutex::new(Vec::new()) };
    // SAFETY: the context is alive, and `heard` outlives the handler, which is detached here.
    let result = unsafe {
        let data = (&raw const heard).cast_mut().cast::<c_void>();
        let _attached =
            Attached(context, mlir_sys::mlirContextAttachDiagnosticHandler(context, Some(hear), data, None));
        body()
    };
    (result, heard.diagnostics.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

unsafe extern "C" fn hear(raw: MlirDiagnostic, heard: *mut c_void) -> MlirLogicalResult {
    // SAFETY: MLIR passes the data that `listen` registered, and a diagnostic that is alive.
    let heard = unsafe { &*heard.cast::<Heard>() };
    if heard.thread.is_some_and(|thread| thread != thread::current().id()) {
        // Left to the next handler.
        return MlirLogicalResult { value: 0 };
    }
    // SAFETY: as above.
    let diagnostic = unsafe { Diagnostic::read(raw) };
    heard.diagnostics.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(diagnostic);
    MlirLogicalResult { value: 1 }
}
