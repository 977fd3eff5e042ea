//! Rewrite patterns whose state Rust owns, and the walk that applies them.
//!
//! A pattern is a closure with a benefit. [`PatternSet::walk`] visits every op below a root once,
//! tries the patterns for its name in order of benefit (registration order among equals), and never
//! visits ops that a pattern made. Patterns may borrow: the set cannot outlive what they borrow, and it is
//! freed at the end of the walk. A panic in a pattern becomes an error on the op. While a set exists, nothing else has
//! references into the IR, and a pattern erases only the op that it matched.

use std::cell::Cell;
use std::ffi::c_void;

use melior::ir::OperationRef;
use mlir_sys::{
    MlirLogicalResult, MlirOperation, MlirPatternRewriter, MlirRewritePattern, MlirRewritePatternCallbacks,
    MlirRewritePatternSet,
};

use crate::guard;
use crate::ir::{Ir, Rewriter, Session};
use crate::shim::string_ref;

/// Matches and rewrites one op: `true` when the op was rewritten; `false` leaves the IR untouched.
pub type Rewrite<'s> = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, Rewriter<'c, 'a>) -> bool + 's;

struct PatternState<'s> {
    rewrite: Box<Rewrite<'s>>,
    session: &'s Session,
    failed: &'s Cell<bool>,
}

/// Patterns for one walk.
pub struct PatternSet<'s> {
    raw: MlirRewritePatternSet,
    context: mlir_sys::MlirContext,
    session: &'s Session,
    failed: &'s Cell<bool>,
}

impl<'s> PatternSet<'s> {
    /// An empty set for all ops; `failed` is set when a pattern panics.
    pub fn new(ir: &'s mut Ir<'_>, failed: &'s Cell<bool>) -> Self {
        let session = ir.session();
        // SAFETY: the root and its context are alive.
        let (context, raw) = unsafe {
            let context = mlir_sys::mlirOperationGetContext(session.root);
            (context, mlir_sys::mlirRewritePatternSetCreate(context))
        };
        PatternSet { raw, context, session, failed }
    }

    /// Adds a pattern for ops called `name`, which makes ops called `makes`.
    pub fn add(
        &mut self,
        name: &str,
        benefit: u16,
        makes: &[&str],
        rewrite: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, Rewriter<'c, 'a>) -> bool + 's,
    ) {
        let state = Box::new(PatternState { rewrite: Box::new(rewrite), session: self.session, failed: self.failed });
        // SAFETY: MLIR owns the state until it calls `destruct`, once, and the set is destroyed before 's ends, since
        // `self` carries 's.
        unsafe {
            let state = Box::into_raw(state).cast::<c_void>();
            add_raw(self.raw, self.context, (name, benefit), makes, (rewrite_op, destruct, state));
        }
    }

    /// Visits every op below the root once.
    pub fn walk(self) {
        // SAFETY: freezing takes the patterns out of the set; both are destroyed here, once.
        unsafe {
            let frozen = mlir_sys::mlirFreezeRewritePattern(self.raw);
            mlir_sys::mlirWalkAndApplyPatterns(self.session.root, frozen);
            mlir_sys::mlirFrozenRewritePatternSetDestroy(frozen);
        }
    }
}

/// Matches and rewrites one op for another compiler's driver.
///
/// # Errors
/// The reason why it does not match; the IR is unchanged.
pub type Match = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, Rewriter<'c, 'a>) -> Result<(), String>;

/// The part of the IR that a pattern may change, apart from the op that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternReach {
    /// What is in the op around the matched one.
    Parent,
    /// All of the IR that the matched op is in: the driver must run on all of it.
    All,
}

impl PatternReach {
    /// The op in which a pattern that matches `op` may change anything; null if no op is around it.
    ///
    /// # Safety
    /// The op is valid.
    unsafe fn around(self, op: MlirOperation) -> MlirOperation {
        // SAFETY: the ops around a valid op are valid; an op without a parent has a null one.
        let parent = |op: &MlirOperation| unsafe { mlir_sys::mlirOperationGetParentOperation(*op) };
        let next = |op: &MlirOperation| Some(parent(op)).filter(|parent| !parent.ptr.is_null());
        match self {
            PatternReach::Parent => parent(&op),
            PatternReach::All => std::iter::successors(Some(op), next).last().unwrap_or(op),
        }
    }
}

struct MatchState {
    reach: PatternReach,
    rewrite: Box<Match>,
}

/// Adds a pattern, for ops called `name`, which makes ops called `makes`, to another compiler's set. The pattern keeps
/// nothing between two matches, so the driver may change and free anything. A decline is a match failure with its reason;
/// a panic becomes an error on the op.
///
/// # Safety
/// Set and context are valid, and the set is of that context.
pub unsafe fn add_to(
    set: MlirRewritePatternSet,
    context: mlir_sys::MlirContext,
    (name, benefit): (&str, u16),
    makes: &[&str],
    (reach, rewrite): (PatternReach, Box<Match>),
) {
    // SAFETY: MLIR owns the state until it calls `free_match`, once; the state borrows nothing.
    unsafe {
        let state = Box::into_raw(Box::new(MatchState { reach, rewrite })).cast::<c_void>();
        add_raw(set, context, (name, benefit), makes, (match_op, free_match, state));
    }
}

/// The same for ops of any name that state a copy by `TileCopyOpInterface`.
///
/// # Safety
/// The set is valid.
pub unsafe fn add_to_stated_copies(set: MlirRewritePatternSet, (reach, rewrite): (PatternReach, Box<Match>)) {
    let state = Box::into_raw(Box::new(MatchState { reach, rewrite })).cast::<c_void>();
    let callbacks =
        MlirRewritePatternCallbacks { construct: None, destruct: Some(free_match), matchAndRewrite: Some(match_op) };
    // SAFETY: MLIR owns the state until it calls `free_match`, once; the state borrows nothing.
    unsafe { crate::shim::tileAddStatedCopyPattern(set, callbacks, state) }
}

type MatchAndRewrite =
    unsafe extern "C" fn(MlirRewritePattern, MlirOperation, MlirPatternRewriter, *mut c_void) -> MlirLogicalResult;

/// Adds a pattern, given its functions and the state that is passed to them.
///
/// # Safety
/// Set and context are valid, and the set is of that context; the functions take the state, which lives until the second
/// is called.
unsafe fn add_raw(
    set: MlirRewritePatternSet,
    context: mlir_sys::MlirContext,
    (name, benefit): (&str, u16),
    makes: &[&str],
    (rewrite, destruct, state): (MatchAndRewrite, unsafe extern "C" fn(*mut c_void), *mut c_void),
) {
    let callbacks =
        MlirRewritePatternCallbacks { construct: None, destruct: Some(destruct), matchAndRewrite: Some(rewrite) };
    let mut makes: Vec<_> = makes.iter().map(|name| string_ref(name)).collect();
    let (name, benefit) = (string_ref(name), u32::from(benefit));
    // SAFETY: MLIR copies the names, and owns the state from here on.
    unsafe {
        let pattern = mlir_sys::mlirOpRewritePatternCreate(
            name,
            benefit,
            context,
            callbacks,
            state,
            makes.len(),
            makes.as_mut_ptr(),
        );
        mlir_sys::mlirRewritePatternSetAdd(set, pattern);
    }
}

unsafe extern "C" fn free_match(state: *mut c_void) {
    // SAFETY: `add_to` leaked this box, and MLIR calls this once.
    drop(unsafe { Box::from_raw(state.cast::<MatchState>()) });
}

unsafe extern "C" fn match_op(
    _pattern: MlirRewritePattern,
    raw: MlirOperation,
    rewriter: MlirPatternRewriter,
    state: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the state is the box of `add_to`; op and rewriter are valid during the call, and the closure cannot keep a
    // reference beyond it. The matched op is erased after the closure, through the driver's rewriter, which notifies it.
    unsafe {
        let MatchState { reach, rewrite } = &*state.cast::<MatchState>();
        let base = mlir_sys::mlirPatternRewriterAsBase(rewriter);
        let session = Session::of_match(reach.around(raw));
        let op = OperationRef::from_raw(raw);
        let failed = Err("made the compiler fail".to_owned());
        let result = guard::on_op(op, failed, || rewrite(op, Rewriter::new(base, &session, Some(raw))));
        if let Err(reason) = &result {
            crate::shim::tileNotifyMatchFailure(rewriter, raw, string_ref(reason));
        } else if session.has_erased(raw) {
            mlir_sys::mlirRewriterBaseEraseOp(base, raw);
        }
        MlirLogicalResult { value: i8::from(result.is_ok()) }
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
    drop(unsafe { Box::from_raw(state.cast::<PatternState<'_>>()) });
}

unsafe extern "C" fn rewrite_op(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    state: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the state is the box of `add`, alive until `destruct`; op and rewriter are valid during the call, and the
    // pattern cannot keep a reference beyond it. Nothing else has a rewriter of this session, which the set borrows
    // mutably.
    let (state, op, rewriter) = unsafe {
        let state = &*state.cast::<PatternState<'_>>();
        let base = mlir_sys::mlirPatternRewriterAsBase(rewriter);
        (state, OperationRef::from_raw(op), Rewriter::new(base, state.session, Some(op)))
    };
    let rewritten = guard::quiet(|| (state.rewrite)(op, rewriter)).unwrap_or_else(|panicked| {
        crate::emit::Diagnostic::error(panicked).emit(op);
        state.failed.set(true);
        false
    });
    MlirLogicalResult { value: i8::from(rewritten) }
}
