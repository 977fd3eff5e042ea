//! What the copies of one function share: constants, thread ids, and the storage of buffers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use tile_dialect::ir::Parts;

use melior::ir::operation::OperationBuilder;
use melior::ir::{BlockRef, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Rewriter, defining_op};
use tile_plan::{Descriptor, Scope};

use super::storage::Storage;
use crate::build::{Builder, result_of};

/// A function whose copies are being expanded.
pub struct Function<'c, 'a> {
    /// The function.
    pub op: OperationRef<'c, 'a>,
    /// Does the pass run on the module around it, so that globals may be made there?
    pub(super) in_module: bool,
    body: BlockRef<'c, 'a>,
    /// The last of the ops at the start of the body that all copies share.
    last: Cell<Option<OperationRef<'c, 'a>>>,
    block: Option<[i64; 3]>,
    constants: RefCell<HashMap<i64, Value<'c, 'a>>>,
    ids: RefCell<HashMap<&'static str, Value<'c, 'a>>>,
    /// Storage of each buffer, by the address of the op that defines it.
    pub(super) storage: RefCell<HashMap<usize, Storage<'c, 'a>>>,
    /// Descriptors of shared buffers, by the address of the op that defines the buffer.
    pub(crate) descriptors: RefCell<HashMap<(usize, Descriptor), Value<'c, 'a>>>,
}

impl<'c, 'a> Function<'c, 'a> {
    /// A function with a body, expanded by a pass on `root`; `None` for one without a body.
    pub fn new(op: OperationRef<'c, 'a>, root: OperationRef<'c, 'a>, block: Option<[i64; 3]>) -> Option<Self> {
        let body = op.region_at(0)?.first_block()?;
        let (last, constants, ids, storage, descriptors) = Default::default();
        Some(Function { op, in_module: op != root, body, last, block, constants, ids, storage, descriptors })
    }

    /// Makes ops at the start of the function, after those made before; `make` returns the value of the last one.
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
        let made = self.at_start(builder, |builder| {
            let index = builder.context.index();
            let attribute = builder.context.index_attribute(value);
            let constant = OperationBuilder::new("arith.constant", builder.location).add_results(&[index]);
            result_of(builder.insert(constant, &[("value", attribute)]), 0)
        });
        self.constants.borrow_mut().insert(value, made);
        made
    }

    /// The index of the executing thread in its scope; `None` at thread scope, where there is one only.
    pub fn thread_in(&self, builder: Builder<'c, 'a>, scope: Scope) -> Option<Value<'c, 'a>> {
        match scope {
            Scope::Thread => None,
            Scope::Warp if self.block == Some([32, 1, 1]) => Some(self.linear_thread(builder)),
            Scope::Warp => Some(
                self.id(builder, "lane", |builder| builder.value("gpu.lane_id", &[], builder.context.index(), &[])),
            ),
            Scope::Warpgroup if self.block == Some([128, 1, 1]) => Some(self.linear_thread(builder)),
            Scope::Warpgroup => {
                let thread = self.linear_thread(builder);
                let size = self.constant(builder, 128);
                Some(self.id(builder, "warpgroup", |builder| {
                    builder.value("arith.remui", &[thread, size], builder.context.index(), &[])
                }))
            }
            Scope::Cta => Some(self.linear_thread(builder)),
        }
    }

    /// The index of the executing thread in its block: `x + X * (y + Y * z)`.
    pub fn linear_thread(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a> {
        let x = self.position(builder, "gpu.thread_id", "x");
        if matches!(self.block, Some([_, 1, 1])) {
            return x;
        }
        let (y, z) = (self.position(builder, "gpu.thread_id", "y"), self.position(builder, "gpu.thread_id", "z"));
        let (width, height) = match self.block {
            Some([width, height, _]) => (self.constant(builder, width), self.constant(builder, height)),
            None => (self.position(builder, "gpu.block_dim", "x"), self.position(builder, "gpu.block_dim", "y")),
        };
        self.id(builder, "linear", |builder| {
            let binary = |name, a, b| builder.value(name, &[a, b], builder.context.index(), &[]);
            let rows = binary("arith.addi", y, binary("arith.muli", height, z));
            binary("arith.addi", x, binary("arith.muli", width, rows))
        })
    }

    fn position(&self, builder: Builder<'c, 'a>, op: &'static str, dimension: &'static str) -> Value<'c, 'a> {
        let name = match (op, dimension) {
            ("gpu.thread_id", "x") => "tid.x",
            ("gpu.thread_id", "y") => "tid.y",
            ("gpu.thread_id", _) => "tid.z",
            (_, "x") => "ntid.x",
            _ => "ntid.y",
        };
        self.id(builder, name, |builder| {
            let dimension = builder.parse(&format!("#gpu<dim {dimension}>"));
            builder.value(op, &[], builder.context.index(), &[("dimension", dimension)])
        })
    }

    fn id(
        &self,
        builder: Builder<'c, 'a>,
        name: &'static str,
        make: impl FnOnce(Builder<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        if let Some(&known) = self.ids.borrow().get(name) {
            return known;
        }
        let made = self.at_start(builder, make);
        self.ids.borrow_mut().insert(name, made);
        made
    }
}
