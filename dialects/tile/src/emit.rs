//! Diagnostics with notes, and remarks, which MLIR's C API lacks.

use std::cell::RefCell;
use std::ffi::CString;

use melior::ir::{Location, OperationRef};

use crate::shim::{self, string_ref};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiagnosticKind {
    Error = 0,
    Warning = 1,
    Remark = 2,
}

/// A diagnostic on an op, with notes elsewhere.
pub struct Diagnostic<'c> {
    severity: DiagnosticKind,
    text: String,
    notes: Vec<(Location<'c>, String)>,
}

impl<'c> Diagnostic<'c> {
    /// An error; MLIR puts the op's name before the text.
    pub fn error(text: impl Into<String>) -> Self {
        Diagnostic { severity: DiagnosticKind::Error, text: text.into(), notes: Vec::new() }
    }

    /// A warning.
    pub fn warning(text: impl Into<String>) -> Self {
        Diagnostic { severity: DiagnosticKind::Warning, text: text.into(), notes: Vec::new() }
    }

    /// A remark, which is always shown.
    pub fn remark(text: impl Into<String>) -> Self {
        Diagnostic { severity: DiagnosticKind::Remark, text: text.into(), notes: Vec::new() }
    }

    /// Adds a note at another location.
    #[must_use]
    pub fn note(mut self, location: Location<'c>, text: impl Into<String>) -> Self {
        self.notes.push((location, text.into()));
        self
    }

    /// Reports it at `op`.
    pub fn emit(self, op: OperationRef<'c, '_>) {
        let notes: Vec<shim::Note> = self
            .notes
            .iter()
            .map(|(location, text)| shim::Note { location: location.to_raw(), text: string_ref(text) })
            .collect();
        // SAFETY: the op is alive, and the strings and notes outlive the call.
        unsafe {
            shim::tileEmit(
                op.to_raw(),
                self.severity as i32,
                string_ref(&self.text),
                notes.len() as isize,
                notes.as_ptr(),
            );
        }
    }
}

/// Reports an error at a location, about no op in particular.
pub fn error_at(location: Location<'_>, text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // SAFETY: the location's context is alive, and MLIR copies the text.
    unsafe { mlir_sys::mlirEmitError(location.to_raw(), text.as_ptr()) }
}

/// Whether a decision was taken, an opportunity missed, or something counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// It was done.
    Passed = 0,
    /// It was not done, for this reason.
    Missed = 1,
    /// It was counted.
    Analysis = 2,
}

/// An optimization remark with machine-readable arguments.
pub struct Remark<'t> {
    /// Done, missed or counted.
    pub kind: RemarkKind,
    /// The name, one per cause.
    pub name: &'t str,
    /// The category, which filters select by.
    pub category: &'t str,
    /// The function around the op.
    pub function: &'t str,
    /// The text for readers.
    pub text: &'t str,
    /// Key and value of each argument.
    pub args: &'t [(&'t str, String)],
}

/// A remark that waits for its report.
pub struct HeldRemark<'c> {
    location: Location<'c>,
    kind: RemarkKind,
    name: String,
    category: String,
    function: String,
    text: String,
    args: Vec<(String, String)>,
}

thread_local! {
    /// The remarks that [`hold`] keeps back.
    static HELD: RefCell<Option<Vec<HeldRemark<'static>>>> = const { RefCell::new(None) };
}

/// Runs `body`; the result, and the remarks that this thread made meanwhile, of which none is reported.
pub fn hold<'c, R>(_: Location<'c>, body: impl FnOnce() -> R) -> (R, Vec<HeldRemark<'c>>) {
    /// Ends the holding, also when `body` panics.
    struct Holding(Option<Vec<HeldRemark<'static>>>);
    impl Drop for Holding {
        fn drop(&mut self) {
            HELD.set(self.0.take());
        }
    }

    let holding = Holding(HELD.replace(Some(Vec::new())));
    let result = body();
    let held = HELD.take().unwrap_or_default();
    drop(holding);
    (result, held)
}

impl HeldRemark<'_> {
    /// Reports it.
    pub fn emit(&self) {
        let args: Vec<_> = self.args.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let HeldRemark { kind, name, category, function, text, .. } = self;
        Remark { kind: *kind, name, category, function, text, args: &args }.emit(self.location);
    }
}

impl Remark<'_> {
    fn held(&self, location: Location<'_>) -> HeldRemark<'static> {
        let args = self.args.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        HeldRemark {
            // SAFETY: `hold` gives it the lifetime of the context again, which outlives its `body`.
            location: unsafe { Location::from_raw(location.to_raw()) },
            kind: self.kind,
            name: self.name.to_owned(),
            category: self.category.to_owned(),
            function: self.function.to_owned(),
            text: self.text.to_owned(),
            args,
        }
    }

    /// Reports it at `location`, if remarks are enabled.
    pub fn emit(&self, location: Location<'_>) {
        let is_held = HELD.with_borrow_mut(|held| held.as_mut().map(|held| held.push(self.held(location))).is_some());
        if is_held {
            return;
        }
        let keys: Vec<_> = self.args.iter().map(|(key, _)| string_ref(key)).collect();
        let values: Vec<_> = self.args.iter().map(|(_, value)| string_ref(value)).collect();
        let remark = shim::RawRemark {
            name: string_ref(self.name),
            category: string_ref(self.category),
            function: string_ref(self.function),
            text: string_ref(self.text),
            arg_count: keys.len() as isize,
            keys: keys.as_ptr(),
            values: values.as_ptr(),
        };
        // SAFETY: the location's context is alive, and all strings outlive the call.
        unsafe { shim::tileEmitRemark(location.to_raw(), self.kind as i32, remark) }
    }
}

/// Whether remarks of a kind and a category about `op` are enabled.
pub fn remarks_enabled(op: OperationRef<'_, '_>, kind: RemarkKind, category: &str) -> bool {
    // SAFETY: the op and its context are alive, and the string outlives the call.
    unsafe {
        let context = mlir_sys::mlirOperationGetContext(op.to_raw());
        shim::tileRemarksEnabled(context, kind as i32, string_ref(category))
    }
}
