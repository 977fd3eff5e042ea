//! Rewrite patterns whose state Rust owns, and the walk that applies them.
//!
//! A pattern is a closure with a benefit. [`PatternSet::walk`] visits every op below a root once,
//! tries the patterns for its name in order of benefit (registration order among equals), and never
//! visits what a pattern made. Patterns may borrow: the set cannot outlive what they borrow, and it is
//! freed at the end of the walk. A panic in a pattern becomes an error on the op.

use std::cell::Cell;
use std::ffi::c_void;
use std::marker::PhantomData;

use melior::RewriterBase;
use melior::ir::OperationRef;
use mlir_sys::{
    MlirLogicalResult, MlirOperation, MlirPatternRewriter, MlirRewritePattern, MlirRewritePatternCallbacks,
    MlirRewritePatternSet,
};

use crate::guard;
use crate::shim::string_ref;

/// Matches and rewrites one op: `true` when the op was rewritten; `false` leaves the IR untouched.
pub type Rewrite<'s> = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, RewriterBase<'c, 'a>) -> bool + 's;

struct State<'s> {
    rewrite: Box<Rewrite<'s>>,
    failed: &'s Cell<bool>,
}

/// Patterns for one walk.
pub struct PatternSet<'s> {
    raw: MlirRewritePatternSet,
    context: mlir_sys::MlirContext,
    failed: &'s Cell<bool>,
    _borrow: PhantomData<&'s ()>,
}

impl<'s> PatternSet<'s> {
    /// An empty set for ops below `root`; `failed` is set when a pattern panics.
    pub fn new(root: OperationRef<'_, '_>, failed: &'s Cell<bool>) -> Self {
        // SAFETY: the op and its context are alive.
        let (context, raw) = unsafe {
            let context = mlir_sys::mlirOperationGetContext(root.to_raw());
            (context, mlir_sys::mlirRewritePatternSetCreate(context))
        };
        PatternSet { raw, context, failed, _borrow: PhantomData }
    }

    /// Adds a pattern for ops called `name`, which makes ops called `makes`.
    pub fn add(
        &mut self,
        name: &str,
        benefit: u16,
        makes: &[&str],
        rewrite: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RewriterBase<'c, 'a>) -> bool + 's,
    ) {
        let state = Box::new(State { rewrite: Box::new(rewrite), failed: self.failed });
        let callbacks = MlirRewritePatternCallbacks {
            construct: None,
            destruct: Some(destruct),
            matchAndRewrite: Some(rewrite_op),
        };
        let mut makes: Vec<_> = makes.iter().map(|name| string_ref(name)).collect();
        // SAFETY: MLIR copies the names; it owns the state until it calls `destruct`, once, and the set
        // is destroyed before 's ends, since `self` carries 's.
        unsafe {
            let pattern = mlir_sys::mlirOpRewritePatternCreate(
                string_ref(name),
                u32::from(benefit),
                self.context,
                callbacks,
                Box::into_raw(state).cast::<c_void>(),
                makes.len(),
                makes.as_mut_ptr(),
            );
            mlir_sys::mlirRewritePatternSetAdd(self.raw, pattern);
        }
    }

    /// Visits every op below `root` once.
    pub fn walk(self, root: OperationRef<'_, '_>) {
        // SAFETY: freezing takes the patterns out of the set; both are destroyed here, once.
        unsafe {
            let frozen = mlir_sys::mlirFreezeRewritePattern(self.raw);
            mlir_sys::mlirWalkAndApplyPatterns(root.to_raw(), frozen);
            mlir_sys::mlirFrozenRewritePatternSetDestroy(frozen);
        }
    }
}

impl Drop for PatternSet<'_> {
    fn drop(&mut self) {
        // SAFETY: the set was made by `new`; after `walk` it is empty.
        unsafe { mlir_sys::mlirRewritePatternSetDestroy(self.raw) }
    }
}

unsafe extern "C" fn destruct(state: *mut c_void) {
    // SAFETY: `add` leaked this box, and MLIR calls this once.
    drop(unsafe { Box::from_raw(state.cast::<State<'_>>()) });
}

unsafe extern "C" fn rewrite_op(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    state: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the state is the box of `add`, alive until `destruct`; op and rewriter are valid in the call.
    let (state, op, rewriter) = unsafe {
        let base = mlir_sys::mlirPatternRewriterAsBase(rewriter);
        (&*state.cast::<State<'_>>(), OperationRef::from_raw(op), RewriterBase::from_raw(base))
    };
    let rewritten = guard::quiet(|| (state.rewrite)(op, rewriter)).unwrap_or_else(|text| {
        // A rewrite erases its op last, so the op is still there to carry the error.
        crate::emit::Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
        state.failed.set(true);
        false
    });
    MlirLogicalResult { value: i8::from(rewritten) }
}
