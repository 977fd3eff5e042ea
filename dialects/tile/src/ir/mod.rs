//! References into IR that is being changed.
//!
//! melior's references are copied freely, and its rewriters free ops: nothing connects the two. Here nothing is freed while
//! a reference may be held.
//!
//! * [`Ir`] represents the ops below one op, while nothing else reads or changes them. A reference that is taken from it, or
//!   from such a reference, has the lifetime of its borrow.
//! * [`Rewriter::erase`] removes an op from its block and drops its operands, but keeps the op. A reference to it then
//!   refers to an op without a block, operands or users. It is freed with the [`Ir`], which no reference outlives. So no op
//!   is allocated where an erased one was: as long as the [`Ir`] exists, an address identifies one op.
//! * [`Rewriter`] inserts, changes and erases only below the root: other threads may be changing ops next to it.
//!
//! All functions that derive a reference from another one, or free an op, are in this module. The compiler does not check
//! that an `OperationRef<'c, 'a>`, a `Value<'c, 'a>` or a `BlockRef<'c, 'a>` is valid for all of `'a`. It is valid where it
//! comes from an [`Ir`], and where it is borrowed from a `Module`, which only its owner can free or pass to a pass. melior's
//! own rewriters break that promise; `clippy.toml` forbids them.
//!
//! A reference does not outlive its IR:
//!
//! ```compile_fail
//! fn keep<'c>(module: &mut melior::ir::Module<'c>) -> melior::ir::OperationRef<'c, 'c> {
//!     tile_dialect::ir::Ir::with(module, |ir| ir.root())
//! }
//! ```
//!
//! nor is one held where ops are freed:
//!
//! ```compile_fail,E0502
//! fn change(module: &mut melior::ir::Module<'_>) {
//!     let held = module.as_operation();
//!     tile_dialect::ir::Ir::with(module, |_| ());
//!     println!("{held}");
//! }
//! ```
//!
//! and what a pattern receives stays in the pattern:
//!
//! ```compile_fail,E0521
//! use tile_dialect::{ir::Ir, pattern::PatternSet};
//!
//! fn keep(ir: &mut Ir<'_>) {
//!     let (failed, mut held) = (std::cell::Cell::new(false), std::cell::RefCell::new(None));
//!     let mut patterns = PatternSet::new(ir, &failed);
//!     patterns.add("tile.copy", 1, &[], |op, _| held.replace(Some(op)).is_some());
//! }
//! ```

mod read;
mod rewriter;

pub use read::{
    Arguments, Parts, argument_of, arguments_of, as_argument, defining_op, is_inside, is_used, location_of, matching,
    named, operand_name, parent_of, precedes, results_of, uses,
};
pub use rewriter::{InsertionPoint, Rewriter, Snapshot};

use std::cell::RefCell;
use std::marker::PhantomData;

use melior::Context;
use melior::ir::{Module, OperationRef};
use mlir_sys::{MlirOperation, MlirRewriterBase};

use crate::emit::Diagnostic;

/// The ops below one op, which nothing else reads or changes.
pub struct Ir<'c> {
    session: Session,
    rewriter: MlirRewriterBase,
    _context: PhantomData<&'c Context>,
}

/// The state that all rewriters of some IR share.
pub(crate) struct Session {
    /// All changes are below this op.
    pub(crate) root: MlirOperation,
    /// Erased ops, in no block, without operands; for a pattern in another compiler's driver the matched op, which the driver
    /// erases.
    erased: RefCell<Vec<MlirOperation>>,
    /// Whether another compiler's driver applies the pattern, and erases the matched op when the pattern has finished.
    foreign: bool,
}

impl Session {
    /// The session of one match by another compiler's driver, which changes IR only below `root`.
    pub(crate) fn of_match(root: MlirOperation) -> Self {
        Session { root, erased: RefCell::default(), foreign: true }
    }

    /// Whether an op was erased.
    pub(crate) fn has_erased(&self, op: MlirOperation) -> bool {
        self.erased.borrow().iter().any(|erased| erased.ptr == op.ptr)
    }
}

impl<'c> Ir<'c> {
    /// The ops below `root`, and `root` itself, whose attributes and regions may be changed.
    ///
    /// # Safety
    /// The op is valid, its context lives for `'c`, and until the `Ir` is dropped, nothing else frees or changes anything
    /// below it; afterwards nothing holds a reference to an op below it.
    pub unsafe fn from_raw(root: MlirOperation) -> Self {
        // SAFETY: the op is valid.
        let rewriter = unsafe { mlir_sys::mlirIRRewriterCreateFromOp(root) };
        Ir { session: Session { root, erased: RefCell::default(), foreign: false }, rewriter, _context: PhantomData }
    }

    /// Changes a module, into which nothing holds references: it is borrowed mutably.
    pub fn with<R>(module: &mut Module<'c>, change: impl FnOnce(&mut Ir<'c>) -> R) -> R {
        // SAFETY: no reference into the module exists other than this borrow, and none outlives `change`, which accepts any
        // lifetime for the borrow of the `Ir`.
        let mut ir = unsafe { Ir::from_raw(module.as_operation().to_raw()) };
        change(&mut ir)
    }

    /// The root op, which contains all others.
    pub fn root(&self) -> OperationRef<'c, '_> {
        // SAFETY: the root is alive as long as the `Ir` is borrowed.
        unsafe { OperationRef::from_raw(self.session.root) }
    }

    /// A rewriter of the IR.
    pub fn rewriter(&self) -> Rewriter<'c, '_> {
        // SAFETY: the rewriter is freed with the `Ir`.
        unsafe { Rewriter::new(self.rewriter, &self.session, None) }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }
}

impl Drop for Ir<'_> {
    fn drop(&mut self) {
        // SAFETY: the rewriter was made by `from_raw` and is freed once. So are the erased ops, which are in no block, and
        // whose references had the lifetime of a borrow of this `Ir`. They have no operands; an op that gained users after
        // it was erased is not freed, since its users still exist.
        unsafe {
            mlir_sys::mlirIRRewriterDestroy(self.rewriter);
            for op in self.session.erased.take() {
                if read::has_users(op) {
                    Diagnostic::error("was erased and is used").emit(OperationRef::from_raw(op));
                } else {
                    mlir_sys::mlirOperationDestroy(op);
                }
            }
        }
    }
}
