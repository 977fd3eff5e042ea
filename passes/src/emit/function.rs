//! Values that the copies of one function share: constants, thread ids, and the storage of buffers.

use std::cell::{Cell, RefCell};
use tile_dialect::ir::Parts;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, RegionLike, Type, Value};
use rustc_hash::FxHashMap;
use tile_dialect::ir::{Rewriter, defining_op};
use tile_isa::Scope;
use tile_ops::gpu::Dimension;
use tile_ops::{Builder, arith, constant, gpu};
use tile_plan::families::tmem::copy::Descriptor;

/// An id of the executing thread, or a size of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ThreadNumber {
    /// The thread's index in the block, by dimension.
    Thread(Dimension),
    /// The number of threads of the block, by dimension.
    Block(Dimension),
    /// The thread's linear index in the block.
    Linear,
    /// The thread's index in its warpgroup.
    Warpgroup,
    /// The thread's index in its warp.
    Lane,
}

/// A buffer's elements, as a memref of one dimension whose element 0 is the layout's address 0.
#[derive(Clone, Copy, Debug)]
pub struct Storage<'c, 'a> {
    /// The memref.
    pub memref: Value<'c, 'a>,
    /// Type of an element.
    pub element: Type<'c>,
}

/// A function whose copies are being expanded.
pub struct Function<'c, 'a> {
    /// The function.
    pub op: OperationRef<'c, 'a>,
    /// Whether the pass runs on the enclosing module, so that it may create globals there.
    pub(super) in_module: bool,
    body: BlockRef<'c, 'a>,
    /// The last of the ops at the start of the body that all copies share.
    last: Cell<Option<OperationRef<'c, 'a>>>,
    block: Option<[i64; 3]>,
    constants: RefCell<FxHashMap<i64, Value<'c, 'a>>>,
    ids: RefCell<FxHashMap<ThreadNumber, Value<'c, 'a>>>,
    /// Storage of each buffer, by the address of the op that defines it.
    pub(super) storage: RefCell<FxHashMap<usize, Storage<'c, 'a>>>,
    /// Descriptors of shared buffers, by the address of the op that defines the buffer.
    pub(crate) descriptors: RefCell<FxHashMap<(usize, Descriptor), Value<'c, 'a>>>,
}

impl<'c, 'a> Function<'c, 'a> {
    /// A function with a body, expanded by a pass on `root`; `None` for one without a body.
    pub fn new(op: OperationRef<'c, 'a>, root: OperationRef<'c, 'a>, block: Option<[i64; 3]>) -> Option<Self> {
        Some(Function::sharing_in(op, op.region_at(0)?.first_block()?, op != root, block))
    }

    /// The function around one op, which is expanded alone: what it needs once is made in its own block, and nothing outside
    /// of that is changed. `None` for an op in no block.
    pub fn around(expanded: OperationRef<'c, 'a>, op: OperationRef<'c, 'a>, block: Option<[i64; 3]>) -> Option<Self> {
        Some(Function::sharing_in(op, expanded.block()?, false, block))
    }

    fn sharing_in(op: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>, in_module: bool, block: Option<[i64; 3]>) -> Self {
        let (last, constants, ids, storage, descriptors) = Default::default();
        Function { op, in_module, body, last, block, constants, ids, storage, descriptors }
    }

    /// Makes ops at the start of the function, after those that earlier calls made; `make` returns the value of the
    /// last one.
    pub fn at_start(
        &self,
        builder: Builder<'c, 'a>,
        make: impl FnOnce(Builder<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let go = |rewriter: Rewriter<'c, 'a>| match self.last.get() {
            Some(last) => rewriter.set_insertion_point_after(last),
            None => rewriter.set_insertion_point_to_start(self.body),
        };
        let made = builder.elsewhere(go, make);
        self.last.set(defining_op(made).or(self.last.get()));
        made
    }

    /// An index constant.
    pub fn constant(&self, builder: Builder<'c, 'a>, value: i64) -> Value<'c, 'a> {
        if let Some(&known) = self.constants.borrow().get(&value) {
            return known;
        }
        let made = self.at_start(builder, |builder| constant::index(builder, value));
        self.constants.borrow_mut().insert(value, made);
        made
    }

    /// The index of the executing thread in its scope; `None` at thread scope, which has only one thread.
    pub fn thread_in(&self, builder: Builder<'c, 'a>, scope: Scope) -> Option<Value<'c, 'a>> {
        match scope {
            Scope::Thread => None,
            Scope::Warp | Scope::Warpgroup if self.is_block(scope) => Some(self.linear_thread(builder)),
            Scope::Warp => Some(self.id(builder, ThreadNumber::Lane, |builder| gpu::lane_id(builder).value())),
            Scope::Warpgroup => {
                let thread = self.linear_thread(builder);
                let size = self.constant(builder, scope.threads(None).unwrap_or(1));
                Some(self.id(builder, ThreadNumber::Warpgroup, |builder| arith::remui(builder, thread, size).value()))
            }
            Scope::Cta => Some(self.linear_thread(builder)),
        }
    }

    /// Whether the block, with threads along x only, is exactly one such scope.
    fn is_block(&self, scope: Scope) -> bool {
        matches!(self.block, Some([threads, 1, 1]) if scope.threads(None) == Some(threads))
    }

    /// The index of the executing thread in its block: `x + X * (y + Y * z)`.
    pub fn linear_thread(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a> {
        let thread = |dimension| {
            self.id(builder, ThreadNumber::Thread(dimension), |builder| gpu::thread_id(builder, dimension).value())
        };
        let x = thread(Dimension::X);
        if matches!(self.block, Some([_, 1, 1])) {
            return x;
        }
        let (y, z) = (thread(Dimension::Y), thread(Dimension::Z));
        let extent = |dimension| {
            self.id(builder, ThreadNumber::Block(dimension), |builder| gpu::block_dim(builder, dimension).value())
        };
        let (width, height) = match self.block {
            Some([width, height, _]) => (self.constant(builder, width), self.constant(builder, height)),
            None => (extent(Dimension::X), extent(Dimension::Y)),
        };
        self.id(builder, ThreadNumber::Linear, |builder| {
            let rows = arith::addi(builder, y, arith::muli(builder, height, z).value()).value();
            arith::addi(builder, x, arith::muli(builder, width, rows).value()).value()
        })
    }

    fn id(
        &self,
        builder: Builder<'c, 'a>,
        id: ThreadNumber,
        make: impl FnOnce(Builder<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        if let Some(&known) = self.ids.borrow().get(&id) {
            return known;
        }
        let made = self.at_start(builder, make);
        self.ids.borrow_mut().insert(id, made);
        made
    }
}
