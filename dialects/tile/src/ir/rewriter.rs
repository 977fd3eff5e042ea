//! Inserting, changing and erasing ops.

use std::ffi::c_void;
use std::marker::PhantomData;

use melior::Context;
use melior::ir::operation::{Operation, OperationLike};
use melior::ir::{Attribute, AttributeLike, BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike};
use mlir_sys::{MlirOperation, MlirRewriterBase, MlirWalkResult};

use super::Session;
use super::read::{argument_of, defining_op, has_users, is_inside};
use crate::shim::string_ref;

/// Changes IR below the root of an [`Ir`](crate::ir::Ir), at an insertion point.
#[derive(Clone, Copy)]
pub struct Rewriter<'c, 'a> {
    raw: MlirRewriterBase,
    session: &'a Session,
    /// The op that a pattern may erase, including its contents; any op if `None`, outside of a pattern.
    matched: Option<MlirOperation>,
    _context: PhantomData<&'c Context>,
}

/// An insertion point: in a block before an op, or at the end of the block.
#[derive(Clone, Copy)]
pub struct InsertionPoint<'c, 'a> {
    block: Option<BlockRef<'c, 'a>>,
    next: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Rewriter<'c, 'a> {
    /// # Safety
    /// MLIR's rewriter is valid for `'a`, and nothing else frees an op of the session meanwhile.
    pub(crate) unsafe fn new(raw: MlirRewriterBase, session: &'a Session, matched: Option<MlirOperation>) -> Self {
        Rewriter { raw, session, matched, _context: PhantomData }
    }

    /// Sets the insertion point before an op.
    ///
    /// # Panics
    /// For an op that was erased, or is not below the root; so do the methods below.
    pub fn set_insertion_point_before(self, op: OperationRef<'c, 'a>) {
        self.check_block(op.block());
        // SAFETY: the op is in a block below the root.
        unsafe { mlir_sys::mlirRewriterBaseSetInsertionPointBefore(self.raw, op.to_raw()) }
    }

    /// Sets the insertion point after an op.
    pub fn set_insertion_point_after(self, op: OperationRef<'c, 'a>) {
        self.check_block(op.block());
        // SAFETY: the op is in a block below the root.
        unsafe { mlir_sys::mlirRewriterBaseSetInsertionPointAfter(self.raw, op.to_raw()) }
    }

    /// Sets the insertion point to the start of a block.
    pub fn set_insertion_point_to_start(self, block: BlockRef<'c, 'a>) {
        self.check_block(Some(block));
        // SAFETY: the block is below the root.
        unsafe { mlir_sys::mlirRewriterBaseSetInsertionPointToStart(self.raw, block.to_raw()) }
    }

    /// Sets the insertion point to the end of a block.
    pub fn set_insertion_point_to_end(self, block: BlockRef<'c, 'a>) {
        self.check_block(Some(block));
        // SAFETY: the block is below the root.
        unsafe { mlir_sys::mlirRewriterBaseSetInsertionPointToEnd(self.raw, block.to_raw()) }
    }

    /// The current insertion point.
    pub fn insertion_point(self) -> InsertionPoint<'c, 'a> {
        // SAFETY: both are in the IR, or null where there are none.
        unsafe {
            let block = BlockRef::from_option_raw(mlir_sys::mlirRewriterBaseGetInsertionBlock(self.raw));
            let next = mlir_sys::mlirRewriterBaseGetOperationAfterInsertion(self.raw);
            InsertionPoint { block, next: block.and_then(|_| OperationRef::from_option_raw(next)) }
        }
    }

    /// Restores an insertion point; does nothing for one that was not set.
    pub fn set_insertion_point(self, point: InsertionPoint<'c, 'a>) {
        match (point.next, point.block) {
            (Some(next), _) => self.set_insertion_point_before(next),
            (None, Some(block)) => self.set_insertion_point_to_end(block),
            (None, None) => {}
        }
    }

    /// Inserts an op.
    ///
    /// # Panics
    /// Where no insertion point was set.
    pub fn insert(self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        self.check_block(self.insertion_point().block);
        // SAFETY: the insertion point is in a block below the root; the op is in it from here on, and lives as long.
        unsafe { OperationRef::from_raw(mlir_sys::mlirRewriterBaseInsert(self.raw, op.into_raw())) }
    }

    /// Inserts a copy of an op with other operands.
    ///
    /// # Panics
    /// As [`Rewriter::insert`].
    pub fn insert_clone(self, op: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) -> OperationRef<'c, 'a> {
        let operands: Vec<_> = operands.iter().map(|value| value.to_raw()).collect();
        // SAFETY: the copy is a new op that nothing else has, and MLIR copies the list of operands.
        let copy = unsafe {
            let copy = mlir_sys::mlirOperationClone(op.to_raw());
            mlir_sys::mlirOperationSetOperands(copy, operands.len() as isize, operands.as_ptr());
            Operation::from_raw(copy)
        };
        self.insert(copy)
    }

    /// Moves an op to before another, which may be in another block. What uses it, and what it uses, must agree with that when the
    /// pass ends.
    ///
    /// # Panics
    /// For an op that is not below the root; in a pattern of a walk, for one outside of the matched op.
    pub fn move_before(self, op: OperationRef<'c, 'a>, next: OperationRef<'c, 'a>) {
        self.check_block(op.block());
        self.check_block(next.block());
        assert!(!is_inside(next, op), "an op is not moved into itself");
        // SAFETY: the matched op is alive.
        let is_matched = |matched| is_inside(op, unsafe { OperationRef::from_raw(matched) });
        let may_move = self.session.foreign || self.matched.is_none_or(is_matched);
        assert!(may_move, "a pattern moves what it matched");
        // SAFETY: both ops are alive and in blocks below the root, and the first does not contain the second.
        unsafe { mlir_sys::mlirRewriterBaseMoveOpBefore(self.raw, op.to_raw(), next.to_raw()) }
    }

    /// Sets an attribute, inherent or not.
    ///
    /// # Panics
    /// For an op outside of the root.
    pub fn set_attribute(self, op: OperationRef<'c, 'a>, name: &str, value: Attribute<'c>) {
        assert!(is_inside(op, self.root()), "an op outside of what the pass runs on is not changed");
        // SAFETY: the op is alive, and MLIR copies the name. No reference points into the list of attributes.
        unsafe { mlir_sys::mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw()) }
    }

    /// Removes an attribute that is not inherent, if present.
    ///
    /// # Panics
    /// For an op outside of the root.
    pub fn remove_attribute(self, op: OperationRef<'c, 'a>, name: &str) {
        assert!(is_inside(op, self.root()), "an op outside of what the pass runs on is not changed");
        // SAFETY: the op is alive, and MLIR copies the name. No reference points into the list of attributes.
        unsafe { mlir_sys::mlirOperationRemoveDiscardableAttributeByName(op.to_raw(), string_ref(name)) };
    }

    /// Removes an attribute, inherent or not, if present.
    ///
    /// # Panics
    /// For an op outside of the root.
    pub fn remove_own_attribute(self, op: OperationRef<'c, 'a>, name: &str) {
        assert!(is_inside(op, self.root()), "an op outside of what the pass runs on is not changed");
        // SAFETY: the op is alive, and MLIR copies the name. No reference points into the list of attributes.
        unsafe { mlir_sys::mlirOperationRemoveAttributeByName(op.to_raw(), string_ref(name)) };
    }

    /// Replaces one operand of an op.
    ///
    /// # Panics
    /// For an op outside of the root, or one that has fewer operands.
    pub fn set_operand(self, op: OperationRef<'c, 'a>, index: usize, value: Value<'c, 'a>) {
        assert!(is_inside(op, self.root()), "an op outside of what the pass runs on is not changed");
        assert!(index < op.operand_count(), "the op has that operand");
        // SAFETY: op and value are alive, and the op has the operand.
        unsafe { mlir_sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) }
    }

    /// Gives a value another type. What uses it must agree with that when the pass ends.
    ///
    /// # Panics
    /// For a value that is made outside of the root.
    pub fn set_type(self, value: Value<'c, 'a>, r#type: Type<'c>) {
        let by = defining_op(value).or_else(|| argument_of(value)?.0.parent_operation());
        assert!(
            by.is_some_and(|op| is_inside(op, self.root())),
            "a value outside of what the pass runs on is not changed"
        );
        // SAFETY: value and type are alive, and of one context; no reference points into the value.
        unsafe { mlir_sys::mlirValueSetType(value.to_raw(), r#type.to_raw()) }
    }

    /// Replaces an op's results by values, and erases it.
    ///
    /// # Panics
    /// As [`Rewriter::erase`]; where there are more or fewer values than results.
    pub fn replace(self, op: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) {
        assert_eq!(op.result_count(), values.len(), "a value for each result");
        for (result, value) in op.results().zip(values) {
            // SAFETY: both values are alive.
            unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) }
        }
        self.erase(op);
    }

    /// Removes an op from the IR. References to it then refer to an op without a block and operands.
    ///
    /// # Panics
    /// For an op that was erased, is used, has successors, or is not below the root; in a pattern, for an op other than
    /// the matched one, since MLIR's walk may be visiting it.
    pub fn erase(self, op: OperationRef<'c, 'a>) {
        self.check_block(op.block());
        let raw = op.to_raw();
        // SAFETY: op, root and the matched op are alive. The op leaves the list of its block, and it and its contents
        // are no longer users of any value; it is freed with the `Ir`. The insertion point is not left at it.
        unsafe {
            let may_erase = self.matched.is_none_or(|matched| is_inside(op, OperationRef::from_raw(matched)));
            assert!(may_erase, "a pattern erases what it matched");
            assert!(!has_users(raw), "an op that is used is not erased");
            assert_eq!(op.successor_count(), 0, "an op with successors is not erased");
            if self.session.foreign {
                assert!(self.matched.is_some_and(|matched| matched.ptr == raw.ptr), "a pattern erases what it matched");
                self.session.erased.borrow_mut().push(raw);
                return;
            }
            if self.insertion_point().next == Some(op) {
                self.set_insertion_point_after(op);
            }
            mlir_sys::mlirOperationWalk(raw, Some(drop_operands), std::ptr::null_mut(), PRE_ORDER);
            mlir_sys::mlirOperationRemoveFromParent(raw);
        }
        self.session.erased.borrow_mut().push(raw);
    }

    /// What an op contains and its attributes, as they are now.
    ///
    /// # Panics
    /// For an op that is not below the root, and in a pattern.
    pub fn snapshot(self, op: OperationRef<'c, 'a>) -> Snapshot<'c, 'a> {
        assert!(is_inside(op, self.root()), "an op outside of what the pass runs on is not changed");
        assert!(self.matched.is_none(), "a pattern takes back nothing");
        // SAFETY: the op is alive; the copy is a new op in no block that nothing else has.
        let copy = unsafe { mlir_sys::mlirOperationClone(op.to_raw()) };
        Snapshot { rewriter: self, op, copy }
    }

    fn root(self) -> OperationRef<'c, 'a> {
        // SAFETY: the root is alive as long as its session.
        unsafe { OperationRef::from_raw(self.session.root) }
    }

    fn check_block(self, block: Option<BlockRef<'c, 'a>>) {
        let block = block.expect("the op is in a block");
        let inside = block.parent_operation().is_some_and(|op| is_inside(op, self.root()));
        assert!(inside, "an op outside of what the pass runs on is not changed");
    }
}

/// What an op contained, and its attributes, at an earlier time.
pub struct Snapshot<'c, 'a> {
    rewriter: Rewriter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    copy: MlirOperation,
}

impl Snapshot<'_, '_> {
    /// Gives the op back what it contained then. References into what it contains now then refer to ops outside of the IR, without
    /// operands.
    pub fn restore(self) {
        let op = self.op.to_raw();
        // SAFETY: op and copy are alive and have equally many regions; each region is emptied before it takes the body of another,
        // so that nothing is freed. MLIR copies the names of attributes.
        unsafe {
            for at in 0..mlir_sys::mlirOperationGetNumRegions(op) {
                let (current, then) =
                    (mlir_sys::mlirOperationGetRegion(op, at), mlir_sys::mlirOperationGetRegion(self.copy, at));
                let between = mlir_sys::mlirRegionCreate();
                mlir_sys::mlirRegionTakeBody(between, current);
                mlir_sys::mlirRegionTakeBody(current, then);
                mlir_sys::mlirRegionTakeBody(then, between);
                mlir_sys::mlirRegionDestroy(between);
            }
            for at in (0..mlir_sys::mlirOperationGetNumDiscardableAttributes(op)).rev() {
                let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirOperationGetDiscardableAttribute(op, at).name);
                mlir_sys::mlirOperationRemoveDiscardableAttributeByName(op, name);
            }
            for at in 0..mlir_sys::mlirOperationGetNumDiscardableAttributes(self.copy) {
                let then = mlir_sys::mlirOperationGetDiscardableAttribute(self.copy, at);
                let name = mlir_sys::mlirIdentifierStr(then.name);
                mlir_sys::mlirOperationSetDiscardableAttributeByName(op, name, then.attribute);
            }
        }
    }
}

impl Drop for Snapshot<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the copy is in no block, and nothing outside of it uses what is in it; without operands, it uses nothing either.
        // It is freed with the `Ir`, which no reference into it outlives.
        unsafe { mlir_sys::mlirOperationWalk(self.copy, Some(drop_operands), std::ptr::null_mut(), PRE_ORDER) };
        self.rewriter.session.erased.borrow_mut().push(self.copy);
    }
}

const PRE_ORDER: mlir_sys::MlirWalkOrder = mlir_sys::MlirWalkOrder_MlirWalkPreOrder;

unsafe extern "C" fn drop_operands(op: MlirOperation, _: *mut c_void) -> MlirWalkResult {
    // SAFETY: the walk passes a valid op, and reads none of its operands.
    unsafe { mlir_sys::mlirOperationSetOperands(op, 0, std::ptr::null()) };
    mlir_sys::MlirWalkResult_MlirWalkResultAdvance
}
