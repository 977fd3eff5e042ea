//! Reads values and blocks.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, results_of};
use tile_ops::{gpu, memref, name, nvvm, scf, tile};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::Target;
use tile_plan::target::kernels;
use tile_portable::Scalar;
use tile_portable::kernel::{Body, Dimension, Expression, KernelMemory, PortableKernel, Statement};

use super::values::{self, INDEX, Id, KnownValue, View};
use crate::error::Error;
use crate::read::values::{dimension, key};

/// Whether an op closes a group of `cp.async` or waits for some. On a portable target copies are stores, which are done.
fn is_group(op: OperationRef<'_, '_>) -> bool {
    let ops = [nvvm::CpAsyncCommitGroupOp::NAME, nvvm::CpAsyncWaitGroupOp::NAME];
    ops.contains(&name(op))
}

/// A kernel that is being read.
pub(in crate::portable) struct PortableReader {
    pub(super) target: Target,
    pub(super) block: [i64; 3],
    pub(super) memories: Vec<KernelMemory>,
    /// The number of words of the numbers that the launch passes.
    pub(in crate::portable) numbers: u32,
    values: HashMap<usize, KnownValue>,
    next: Id,
    constants: HashMap<(Scalar, u64), Id>,
    /// Statements that precede all others: constants.
    first: Vec<Statement>,
    /// Statements of the block that is being read.
    pub(super) statements: Vec<Statement>,
}

impl PortableReader {
    pub(super) fn new(target: Target) -> Self {
        let (values, constants) = (HashMap::new(), HashMap::new());
        let (memories, first, statements) = (Vec::new(), Vec::new(), Vec::new());
        PortableReader { target, block: [1; 3], memories, numbers: 0, values, next: 0, constants, first, statements }
    }

    /// Reads a kernel.
    pub(super) fn kernel(mut self, kernel: OperationRef<'_, '_>) -> Result<PortableKernel, Error> {
        let refused = |refusal: Refusal| super::declined(kernel, &refusal);
        let arguments = self.arguments(kernel).map_err(refused)?;
        let Some(body) = kernel.region_at(0) else { return Err(Error::refused()) };
        if let Some(second) = body.first_block().and_then(|block| block.next_in_region()) {
            let jump = second.first_operation().unwrap_or(kernel);
            return Err(super::declined(jump, &kernels::operation("a branch to another block", &self.target)));
        }
        let body = body.first_block().ok_or_else(Error::refused)?;
        self.statements(body)?;
        let shared =
            |memory: &KernelMemory| if let KernelMemory::Shared(bytes) = memory { i64::from(*bytes) } else { 0 };
        kernels::shared(self.memories.iter().map(shared).sum(), &self.target).map_err(refused)?;
        let (block, memories, numbers) = (self.block, std::mem::take(&mut self.memories), self.numbers);
        let body = Body { statements: self.into_statements(), yields: Vec::new() };
        Ok(PortableKernel { name: super::name(kernel), block, body, memories, numbers, arguments })
    }

    /// A reader of a region whose numbers begin at a word of the uniform block.
    pub(in crate::portable) fn of_region(target: Target, numbers: u32) -> Self {
        PortableReader { numbers, ..PortableReader::new(target) }
    }

    /// What was read, constants first.
    pub(in crate::portable) fn into_statements(self) -> Vec<Statement> {
        self.first.into_iter().chain(self.statements).collect()
    }

    /// The number of a new value.
    pub(super) fn fresh(&mut self) -> Id {
        self.next += 1;
        self.next - 1
    }

    /// Defines a value at the current position.
    pub(super) fn push(&mut self, expression: Expression) -> Id {
        let id = self.fresh();
        self.statements.push(Statement::Let(id, expression));
        id
    }

    /// A constant, defined once at the start of the kernel.
    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> Id {
        if let Some(&id) = self.constants.get(&(scalar, bits)) {
            return id;
        }
        let id = self.fresh();
        self.first.push(Statement::Let(id, Expression::Constant(scalar, bits)));
        self.constants.insert((scalar, bits), id);
        id
    }

    pub(super) fn know(&mut self, value: Value<'_, '_>, known: KnownValue) {
        self.values.insert(key(value), known);
    }

    /// Records the lanes of an op's only result.
    pub(super) fn give(&mut self, op: OperationRef<'_, '_>, lanes: Vec<Id>) {
        results_of(op).into_iter().for_each(|result| self.know(result, KnownValue::Lanes(lanes.clone())));
    }

    /// The lanes of a value.
    pub(super) fn lanes(&mut self, value: Value<'_, '_>) -> Result<Vec<Id>, Refusal> {
        match self.values.get(&key(value)) {
            Some(KnownValue::Lanes(lanes)) => Ok(lanes.clone()),
            Some(KnownValue::Index(index)) => {
                let bits = kernels::index(*index, &self.target)?;
                Ok(vec![self.constant(INDEX, bits)])
            }
            _ => values::scalar_type(value, &self.target)
                .and(Err(kernels::operation("of an unknown value", &self.target))),
        }
    }

    /// The only lane of a value.
    pub(super) fn id(&mut self, value: Value<'_, '_>) -> Result<Id, Refusal> {
        self.lanes(value).map(|lanes| lanes[0])
    }

    /// The value of an index that is known.
    pub(super) fn index(&self, value: Value<'_, '_>) -> Option<i64> {
        if let Some(KnownValue::Index(index)) = self.values.get(&key(value)) { Some(*index) } else { None }
    }

    pub(super) fn view(&self, value: Value<'_, '_>) -> Result<View, Refusal> {
        match self.values.get(&key(value)) {
            Some(KnownValue::Memory(view)) => Ok(view.clone()),
            _ => Err(kernels::operation("of memory that is not known", &self.target)),
        }
    }

    /// The lanes of the operand with the given number.
    pub(super) fn operand(&mut self, op: OperationRef<'_, '_>, index: usize) -> Result<Vec<Id>, Refusal> {
        let value = op.operand_at(index).ok_or_else(|| self.unknown(op))?;
        self.lanes(value)
    }

    /// The refusal of an op that is not supported.
    pub(super) fn unknown(&self, op: OperationRef<'_, '_>) -> Refusal {
        kernels::operation(name(op), &self.target)
    }

    /// Reads the ops of a block up to its terminator, and returns the lanes of the terminator's operands.
    pub(in crate::portable) fn statements(&mut self, block: BlockRef<'_, '_>) -> Result<Vec<Id>, Error> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            let ends = [tile::YieldOp::NAME, scf::YieldOp::NAME, scf::ConditionOp::NAME, memref::AtomicYieldOp::NAME];
            let ends = ends.contains(&name(op));
            if ends || gpu::ReturnOp::cast(op).is_some() {
                return self.flat(op.operands()).map_err(|refusal| super::declined(op, &refusal));
            }
            if !self.control(op)? {
                self.op(op).map_err(|refusal| super::declined(op, &refusal))?;
            }
            next = op.next_in_block();
        }
        Ok(Vec::new())
    }

    /// The lanes of several values, concatenated.
    pub(super) fn flat<'c: 'a, 'a>(&mut self, values: impl Iterator<Item = Value<'c, 'a>>) -> Result<Vec<Id>, Refusal> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.lanes(value)?);
        }
        Ok(all)
    }

    /// Declares new values for MLIR values, and returns all their lanes with their types.
    pub(in crate::portable) fn declare(&mut self, values: &[Value<'_, '_>]) -> Result<Vec<(Id, Scalar)>, Refusal> {
        let mut all = Vec::new();
        for value in values {
            let (scalar, count) = values::scalar_type(*value, &self.target)?;
            let lanes: Vec<Id> = (0..count).map(|_| self.fresh()).collect();
            all.extend(lanes.iter().map(|id| (*id, scalar)));
            self.know(*value, KnownValue::Lanes(lanes));
        }
        Ok(all)
    }

    /// Reads an op that is not control flow.
    fn op(&mut self, op: OperationRef<'_, '_>) -> Result<(), Refusal> {
        // In a block of at most one warp, a warp barrier is a block barrier.
        let is_warp = self.block.iter().product::<i64>() <= tile_isa::WARP;
        if gpu::BarrierOp::cast(op).is_some() || (is_warp && nvvm::SyncWarpOp::cast(op).is_some()) {
            self.statements.push(Statement::Barrier);
            return Ok(());
        }
        if is_group(op) {
            return Ok(());
        }
        if self.place(op)?
            || self.arithmetic(op)?
            || self.math(op)?
            || self.vector(op)?
            || self.view_op(op)?
            || self.access(op)?
        {
            return Ok(());
        }
        Err(self.unknown(op))
    }

    /// Reads an op that gives an index of the executing thread or block, or the size of the block or grid; `false` for
    /// other ops.
    fn place(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        if gpu::LaneIdOp::cast(op).is_some() {
            let lane = self.lane();
            self.give(op, vec![lane]);
            return Ok(true);
        }
        let Some((number, dimension)) = dimension(op).and_then(|number| Some((number, Dimension::of(number)?))) else {
            return Ok(false);
        };
        let expression = match name(op) {
            gpu::ThreadIdOp::NAME => Expression::Thread(dimension),
            gpu::BlockIdOp::NAME => Expression::Block(dimension),
            gpu::GridDimOp::NAME => Expression::Blocks(dimension),
            gpu::BlockDimOp::NAME => {
                let extent = self.block[number];
                results_of(op).into_iter().for_each(|result| self.know(result, KnownValue::Index(extent)));
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let id = self.push(expression);
        self.give(op, vec![id]);
        Ok(true)
    }

    /// The thread's lane in its warp, which is 32 consecutive threads.
    fn lane(&mut self) -> Id {
        use tile_portable::Binary::{Add, And, Mul};
        let [x, y, z] =
            [Dimension::X, Dimension::Y, Dimension::Z].map(|dimension| self.push(Expression::Thread(dimension)));
        let [width, height, _] = self.block.map(|extent| self.constant(INDEX, extent as u64));
        let planes = self.push(Expression::Binary(Mul, INDEX, [height, z]));
        let rows = self.push(Expression::Binary(Add, INDEX, [y, planes]));
        let before = self.push(Expression::Binary(Mul, INDEX, [width, rows]));
        let linear = self.push(Expression::Binary(Add, INDEX, [x, before]));
        let last = self.constant(INDEX, tile_isa::WARP as u64 - 1);
        self.push(Expression::Binary(And, INDEX, [linear, last]))
    }
}
