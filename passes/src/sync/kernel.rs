//! A kernel read as a program of accesses and of what orders them.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::Parts;
use tile_layout::Layout;
use tile_ops::{affine, cf, func, gpu, scf, tile};
use tile_plan::bounds::Term;
use tile_plan::integer::Operation;
use tile_plan::sync::{Form, Item, Loop, Op, Program, Rounds, Sources, Together};
use tile_plan::{Active, Scope, ThreadSet};

use crate::options::Options;
use crate::read::alias;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use crate::read::run_time::RunTime;
use crate::read::terms::{Origin, Reading};
use crate::read::{divisibility, kernel, name};
use crate::sync::block::{self, Leader};
use crate::sync::objects::Object;
use crate::sync::phases::{Phases, Tensor};
use crate::sync::plans::Plans;

/// An error that does not depend on the order of accesses.
pub struct Wrong<'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// The text of the error.
    pub text: String,
    /// Notes at other operations that are involved.
    pub notes: Vec<(OperationRef<'c, 'a>, String)>,
}

/// A kernel, as it was read.
pub struct Kernel<'r, 'c, 'a> {
    /// Its operations, accesses and order.
    pub program: Program,
    /// The IR operation that each operation of the program comes from; those of the condition of an `scf.while` are there twice.
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// The branches and loops around each operation of the program, outer to inner. An operation that is executed both before a
    /// loop and in it is not in the loop the first time.
    pub levels: Vec<Vec<OperationRef<'c, 'a>>>,
    pub(super) level: Vec<OperationRef<'c, 'a>>,
    /// The memory of each object.
    pub objects: Vec<Object>,
    /// Operations that could not be read, and why: nothing is proved about a kernel that has any.
    pub unread: Vec<(OperationRef<'c, 'a>, String)>,
    /// Errors that do not depend on the order of accesses.
    pub wrong: Vec<Wrong<'c, 'a>>,
    /// Operations that can be followed only by executing the program: phases of mbarriers in loops and in arms.
    pub(super) rings: Vec<(OperationRef<'c, 'a>, String)>,
    /// Errors of phases, if phases complete in the order of the text.
    pub(super) phased: Vec<Wrong<'c, 'a>>,
    /// Phases of mbarriers.
    pub(super) phases: Phases,
    /// Tensor memory.
    pub(super) tensor: Tensor,
    /// Reads copies.
    pub reader: Reader<'r>,
    pub(super) sources: Sources,
    pub(super) plans: Plans,
    pub(super) terms: Reading<'r, 'c, 'a>,
    loops: HashMap<usize, usize>,
    /// The number of each loop, by its operation.
    pub(super) numbers: HashMap<usize, usize>,
    /// Symbols that are equal in all threads of a block, and the loops whose iterations compute them anew; `None` for others.
    pub(super) uniform: HashMap<Term, Option<Vec<usize>>>,
    /// Values by which loops exchange memory, each with the number of its loop.
    pub(super) exchanged: HashMap<usize, usize>,
    /// Coordinates of buffers: the buffer, and its layout and shape as views of it have them.
    pub(super) systems: Vec<(usize, Layout, Vec<i64>)>,
    /// Bounds and steps of loops with run-time trip counts.
    pub(super) counts: Vec<Vec<Term>>,
    block: [i64; 3],
    /// The number of loops around, and of branches around whose threads are not known.
    pub(super) around: usize,
    /// The thread set of each named barrier, and the last operation on it.
    pub(super) barriers: HashMap<i64, (ThreadSet, OperationRef<'c, 'a>)>,
    pub(super) function: OperationRef<'c, 'a>,
    /// The block of a cluster that is read.
    pub(super) cluster: Option<block::Block>,
    /// The threads that `elect.sync` is assumed to elect.
    pub(super) leader: Leader,
}

impl<'r, 'c: 'a, 'a> Kernel<'r, 'c, 'a> {
    /// Reads a function, or a `gpu.launch`.
    ///
    /// # Errors
    /// Something about the function itself is not known.
    pub fn read(function: OperationRef<'c, 'a>, options: &'r Options, ranges: &'r Ranges<'r>) -> Result<Self, String> {
        let mut kernel = Kernel::with_rings(function, options, ranges, Leader::LAST)?;
        kernel.unread.append(&mut kernel.rings);
        kernel.wrong.append(&mut kernel.phased);
        kernel.program.ringed = false;
        if let Some(&op) = kernel.ops.first().filter(|_| kernel.program.cluster.is_some()) {
            kernel.refuse(op, "is not followed: its blocks reach shared memory of each other");
        }
        Ok(kernel)
    }

    /// Reads the program of one block, in a cluster where one is given.
    ///
    /// # Errors
    /// As [`Kernel::read`].
    pub(super) fn of_block(
        function: OperationRef<'c, 'a>,
        options: &'r Options,
        ranges: &'r Ranges<'r>,
        (cluster, leader): (Option<block::Block>, Leader),
    ) -> Result<Self, String> {
        let reader = Reader::new(options).with_leader(leader.lane);
        let inside = function.region_at(0).and_then(|region| region.first_block()?.first_operation());
        let inside = inside.ok_or("has no body")?;
        let block = divisibility::block::size(function)?
            .ok_or("is not checked: the size of its blocks is not known; give it known_block_size = array<i32: …>")?;
        let mut kernel = Kernel {
            program: Program { block: ThreadSet::range(0, block.iter().product()), ..Program::default() },
            ops: Vec::new(),
            levels: Vec::new(),
            level: Vec::new(),
            objects: Vec::new(),
            unread: Vec::new(),
            wrong: Vec::new(),
            rings: Vec::new(),
            phased: Vec::new(),
            counts: Vec::new(),
            phases: Phases::default(),
            tensor: Tensor::default(),
            reader,
            sources: Sources::default(),
            plans: Plans::default(),
            terms: Reading::of(inside, ranges),
            loops: HashMap::new(),
            numbers: HashMap::new(),
            uniform: HashMap::new(),
            exchanged: HashMap::new(),
            systems: Vec::new(),
            block,
            // Phases of mbarriers that other blocks use are followed by executing all blocks.
            around: usize::from(cluster.is_some()),
            cluster,
            leader,
            barriers: HashMap::new(),
            function,
        };
        let region = function.region_at(0).ok_or("has no body")?;
        if region.first_block().is_some_and(|first| first.next_in_region().is_some()) {
            return Err(
                "is not checked: its control flow is not structured, expected scf.if, scf.for and scf.while".to_owned()
            );
        }
        kernel.find_tensor(function);
        kernel.program.body = kernel.region(function, 0);
        kernel.relate(alias::noalias(function, options.noalias)?);
        kernel.execute();
        Ok(kernel)
    }

    /// The number of the loop with the given induction variable.
    pub fn number_of(&self, variable: Value<'c, 'a>) -> Option<usize> {
        self.loops.get(&crate::read::values::key(variable)).copied()
    }

    /// Which threads go round a loop together; `None` for other operations.
    pub(super) fn rounds_of(&self, op: OperationRef<'c, 'a>) -> Option<Rounds> {
        let number = *self.numbers.get(&(op.to_raw().ptr as usize))?;
        Some(self.program.loops.get(number)?.rounds)
    }

    pub(super) fn refuse(&mut self, op: OperationRef<'c, 'a>, why: impl Into<String>) {
        self.unread.push((op, why.into()));
    }

    /// Adds an operation to the program; its item.
    pub(super) fn push(&mut self, op: OperationRef<'c, 'a>, does: Op) -> Item {
        let here = self.narrowed() != Some(ThreadSet::new());
        self.program.ops.push(if here { does } else { Op { exact: true, ..Op::default() } });
        self.ops.push(op);
        self.levels.push(self.level.clone());
        Item::Op(self.program.ops.len() - 1)
    }

    /// The threads that reach an op, as an operation that does nothing yet.
    pub(super) fn reached(&self, op: OperationRef<'c, 'a>) -> Op {
        let block = self.program.block;
        let (active, exact) = match (self.threads(op, Scope::Cta), self.narrowed()) {
            (Some(set), _) => (set, true),
            // An op that no thread of this block reaches is read as if all threads reached it.
            (None, Some(set)) => (if set.is_empty() { block } else { set }, true),
            (None, None) => (self.threads(op, Scope::Thread).unwrap_or(block), false),
        };
        Op { active, exact, ..Op::default() }
    }

    /// The threads that reach an op, each scope as a whole or not at all; `None` where they are not known.
    fn threads(&self, op: OperationRef<'c, 'a>, scope: Scope) -> Option<ThreadSet> {
        match self.reader.threads(op, scope).ok()?.active {
            Active::All => Some(self.program.block),
            Active::Known(set) => Some(set.intersect(&self.program.block)),
            Active::Unknown { .. } => None,
        }
    }

    /// The largest groups of threads that reach an op together.
    pub(super) fn together(&self, op: OperationRef<'c, 'a>) -> Together {
        match () {
            () if self.reached(op).exact => Together::Block,
            () if self.threads(op, Scope::Warp).is_some() => Together::Warps,
            () => Together::Threads,
        }
    }

    /// Whether no thread reaches a region.
    pub fn is_dead(&self, op: OperationRef<'c, 'a>, region: usize) -> bool {
        let first = op.region_at(region).and_then(|region| region.first_block()?.first_operation());
        first.and_then(|first| self.threads(first, Scope::Cta)).is_some_and(|threads| threads.is_empty())
    }

    /// The quotient of a run-time number by a constant, rounded down, for each thread.
    pub(super) fn quotient(&mut self, number: &RunTime<'c, 'a>, by: i64) -> Option<Form> {
        let term = self.terms.number(number);
        if let Some(quotient) = self.of_term(term)?.floor(by) {
            return Some(quotient);
        }
        let by = self.terms.question.terms.constant(by);
        let quotient = self.terms.question.terms.wide(Operation::DivFloor, term, by);
        self.of_term(quotient)
    }

    /// A value, for each thread.
    pub(super) fn of_value(&mut self, value: Value<'c, 'a>) -> Option<Form> {
        let term = self.terms.term(value);
        self.of_term(term)
    }

    pub(super) fn of_term(&mut self, term: Term) -> Option<Form> {
        for symbol in self.terms.question.terms.needs(term).clone() {
            self.learn(symbol);
        }
        let form = Form::of(&self.terms.question.terms, term, &self.sources)?;
        for &value in form.shift.fixed.keys() {
            self.depends(value);
        }
        Some(form)
    }

    /// Records what is known of a symbol.
    pub(super) fn learn(&mut self, symbol: Term) {
        let Some(&origin) = self.terms.origins.get(&symbol) else { return };
        match origin {
            Origin::Thread(dimension) => {
                let [x, y, _] = self.block;
                let of = |thread: i64| [thread % x, thread / x % y, thread / (x * y)][dimension];
                self.sources.threads.insert(symbol, (0..self.block.iter().product()).map(of).collect());
            }
            Origin::Block(_) => {
                self.differs(symbol);
                self.sources.fixed.insert(symbol);
            }
            Origin::BlockSize(_) | Origin::GridSize(_) => {
                self.sources.fixed.insert(symbol);
            }
            Origin::Extent(of, _) => self.learn_uniform(symbol, of),
            Origin::Value(value) if self.learn_rank(symbol, value) => {}
            Origin::Value(value) => {
                let leads = self.leader.leads(value, &self.program.block);
                self.sources.threads.extend(leads.map(|leads| (symbol, leads)));
                self.learn_carried(value);
                if let Some(&number) = self.loops.get(&crate::read::values::key(value)) {
                    let bounds = self.terms.question.terms.operands(symbol);
                    let constant = |at: usize| self.terms.question.terms.as_constant(*bounds.get(at)?);
                    match (constant(0), constant(2)) {
                        (Some(lower), Some(step)) => _ = self.sources.loops.insert(symbol, (number, lower, step)),
                        _ => self.learn_uniform(symbol, value),
                    }
                } else if self.is_argument(value) {
                    self.sources.fixed.insert(symbol);
                } else if !self.sources.threads.contains_key(&symbol) && !self.sources.carried.contains_key(&symbol) {
                    self.learn_uniform(symbol, value);
                }
            }
        }
    }

    /// Whether a value is an argument of the kernel itself.
    pub(super) fn is_argument(&self, value: Value<'c, 'a>) -> bool {
        let owner = tile_dialect::ir::argument_of(value).and_then(|(block, _)| block.parent_operation());
        kernel::is_entry(self.function) && owner.is_some_and(|owner| owner.to_raw().ptr == self.function.to_raw().ptr)
    }

    /// The items of a region of one basic block. There are none where no thread reaches it.
    pub(super) fn region(&mut self, op: OperationRef<'c, 'a>, region: usize) -> Vec<Item> {
        let mut items = Vec::new();
        if self.is_dead(op, region) {
            return items;
        }
        let block = op.region_at(region).and_then(|region| region.first_block());
        if block.is_some_and(|block| block.next_in_region().is_some()) {
            self.refuse(op, "has control flow that is not structured, expected scf.if, scf.for and scf.while");
        }
        let mut next = block.and_then(|block| block.first_operation());
        while let Some(op) = next {
            items.extend(self.reads_of_sums(op));
            items.extend(self.item(op));
            next = op.next_in_block();
        }
        items
    }

    fn item(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        match name(op) {
            scf::IfOp::NAME | affine::AffineIfOp::NAME => vec![self.branch(op)],
            scf::IndexSwitchOp::NAME => vec![self.switch(op)],
            scf::ForOp::NAME | affine::AffineForOp::NAME => vec![self.counted(op)],
            scf::WhileOp::NAME => self.repeated(op),
            scf::ExecuteRegionOp::NAME => self.region(op, 0),
            gpu::ReturnOp::NAME | func::ReturnOp::NAME | gpu::TerminatorOp::NAME => {
                let does = self.reached(op);
                self.program.end = Some(self.program.ops.len());
                vec![self.push(op, does)]
            }
            scf::YieldOp::NAME | scf::ConditionOp::NAME | affine::AffineYieldOp::NAME | cf::AssertOp::NAME => {
                Vec::new()
            }
            tile::CopyOp::NAME | tile::CopyAsyncOp::NAME | tile::FillOp::NAME => self.copy(op),
            _ => self.plain(op),
        }
    }

    /// A counted loop.
    fn counted(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let number = self.program.loops.len();
        let of = self.bounds(op);
        let open = name(op) == scf::ForOp::NAME && of.trips.is_none() && of.rounds == Rounds::Together;
        let count = if open { self.count(op) } else { None };
        self.program.loops.push(Loop { count, ..of });
        self.numbers.insert(op.to_raw().ptr as usize, number);
        let variable = op.region_at(0).and_then(|region| region.first_block()?.argument(0).ok());
        if let Some(variable) = variable.filter(|_| name(op) == scf::ForOp::NAME) {
            self.loops.insert(crate::read::values::key(variable.into()), number);
            self.learn_exchanged(op, number);
        }
        if let Some(trips) = self.program.loops[number].trips {
            self.sources.trips.insert(number, trips);
        }
        self.around += 1;
        self.level.push(op);
        let body = self.region(op, 0);
        self.level.pop();
        self.around -= 1;
        Item::Loop(number, body)
    }

    /// An `scf.while` loop; or one that only waits for a phase of an mbarrier.
    fn repeated(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        if let Some(item) = self.spin(op) {
            return vec![item];
        }
        let number = self.program.loops.len();
        let rounds = self.rounds(op, 1);
        self.program.loops.push(Loop { rotated: true, rounds, ..Loop::default() });
        self.numbers.insert(op.to_raw().ptr as usize, number);
        self.around += 1;
        let mut items = self.region(op, 0);
        self.level.push(op);
        let mut body = self.region(op, 1);
        body.extend(self.region(op, 0));
        self.level.pop();
        self.around -= 1;
        items.push(Item::Loop(number, body));
        items
    }
}
