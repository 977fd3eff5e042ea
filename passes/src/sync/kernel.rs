//! A kernel read as a program of accesses and of what orders them.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::Parts;
use tile_ops::{affine, cf, func, gpu, scf, tile};
use tile_plan::bounds::Term;
use tile_plan::integer::Operation;
use tile_plan::sync::{Form, Item, Loop, Op, Program, Sources};
use tile_plan::{Active, Scope, ThreadSet};

use crate::options::Options;
use crate::read::place::Root;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use crate::read::run_time::RunTime;
use crate::read::terms::{Origin, Reading};
use crate::read::{divisibility, kernel, name};
use crate::sync::block::{self, Leader};
use crate::sync::phases::{Phases, Tensor};
use crate::sync::plans::Plans;

/// What cannot be right, whatever the order of accesses.
pub struct Wrong<'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Why not.
    pub text: String,
    /// What else has a part in it.
    pub notes: Vec<(OperationRef<'c, 'a>, String)>,
}

/// What was read of a kernel.
pub struct Kernel<'r, 'c, 'a> {
    /// What it does.
    pub program: Program,
    /// The operation of the IR behind each operation of the program; a `scf.while` has those of its condition twice.
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// The branches and loops around each operation of the program, outer to inner: an operation that is executed before a loop
    /// and in it, too, is not in the loop the first time.
    pub levels: Vec<Vec<OperationRef<'c, 'a>>>,
    pub(super) level: Vec<OperationRef<'c, 'a>>,
    /// The memory that each object is.
    pub objects: Vec<Root>,
    /// What could not be read, and why: nothing is proved of a kernel that has any.
    pub unread: Vec<(OperationRef<'c, 'a>, String)>,
    /// What cannot be right.
    pub wrong: Vec<Wrong<'c, 'a>>,
    /// What can be followed only where the program is executed: phases of mbarriers in loops and in arms.
    pub(super) rings: Vec<(OperationRef<'c, 'a>, String)>,
    /// What cannot be right of phases, if these are passed in the order of the text.
    pub(super) phased: Vec<Wrong<'c, 'a>>,
    /// mbarriers.
    pub(super) phases: Phases,
    /// Tensor memory.
    pub(super) tensor: Tensor,
    /// What reads copies.
    pub reader: Reader<'r>,
    pub(super) sources: Sources,
    pub(super) plans: Plans,
    pub(super) terms: Reading<'r, 'c, 'a>,
    loops: HashMap<usize, usize>,
    /// Bounds and steps of loops of which only the run knows how often they go round.
    pub(super) counts: Vec<Vec<Term>>,
    block: [i64; 3],
    /// How many loops, and branches of which it is not known who takes them, are around.
    pub(super) around: usize,
    /// The sets of threads of named barriers, and where they were last met.
    pub(super) barriers: HashMap<i64, (ThreadSet, OperationRef<'c, 'a>)>,
    function: OperationRef<'c, 'a>,
    /// Which block of a cluster it is.
    pub(super) cluster: Option<block::Block>,
    /// Which threads `elect.sync` is taken to elect.
    pub(super) leader: Leader,
}

impl<'r, 'c: 'a, 'a> Kernel<'r, 'c, 'a> {
    /// Reads a function, or a `gpu.launch`.
    ///
    /// # Errors
    /// What of the function itself is not known.
    pub fn read(function: OperationRef<'c, 'a>, options: &'r Options, ranges: &'r Ranges<'r>) -> Result<Self, String> {
        let mut kernel = Kernel::with_rings(function, options, ranges, Leader::Last)?;
        kernel.unread.append(&mut kernel.rings);
        kernel.wrong.append(&mut kernel.phased);
        kernel.program.ringed = false;
        if let Some(&op) = kernel.ops.first().filter(|_| kernel.program.cluster.is_some()) {
            kernel.refuse(op, "is not followed: its blocks reach shared memory of each other");
        }
        Ok(kernel)
    }

    /// What one block does, of a cluster that it is in.
    ///
    /// # Errors
    /// As [`Kernel::read`].
    pub(super) fn of_block(
        function: OperationRef<'c, 'a>,
        options: &'r Options,
        ranges: &'r Ranges<'r>,
        (cluster, leader): (Option<block::Block>, Leader),
    ) -> Result<Self, String> {
        let reader = Reader::new(options).with_leader(leader.lane());
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
            block,
            // Phases of mbarriers that other blocks use are followed by executing all of them.
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
        kernel.relate();
        kernel.execute();
        Ok(kernel)
    }

    /// Which objects may be the same memory.
    fn relate(&mut self) {
        for (b, later) in self.objects.iter().enumerate() {
            for (a, earlier) in self.objects[..b].iter().enumerate() {
                if earlier.may_alias(later) {
                    self.program.perhaps.push((a, b));
                }
            }
        }
        self.program.perhaps.sort_unstable();
    }

    /// The object that memory is.
    pub(super) fn object(&mut self, root: Root) -> usize {
        let found = self.objects.iter().position(|it| *it == root);
        found.unwrap_or_else(|| {
            self.objects.push(root);
            self.objects.len() - 1
        })
    }

    /// The number of the loop that has a variable.
    pub fn number_of(&self, variable: Value<'c, 'a>) -> Option<usize> {
        self.loops.get(&crate::read::values::key(variable)).copied()
    }

    /// The object that a `tile.alloc` is, where something touches it.
    pub fn object_of(&self, alloc: OperationRef<'c, 'a>) -> Option<usize> {
        let root = Root::Made(crate::read::values::key(alloc.result_at(0)?.into()));
        self.objects.iter().position(|it| *it == root)
    }

    pub(super) fn refuse(&mut self, op: OperationRef<'c, 'a>, why: impl Into<String>) {
        self.unread.push((op, why.into()));
    }

    /// A new operation, and its number.
    pub(super) fn push(&mut self, op: OperationRef<'c, 'a>, does: Op) -> Item {
        let here = self.narrowed() != Some(ThreadSet::new());
        self.program.ops.push(if here { does } else { Op { exact: true, ..Op::default() } });
        self.ops.push(op);
        self.levels.push(self.level.clone());
        Item::Op(self.program.ops.len() - 1)
    }

    /// Who gets to an op: an operation that does nothing yet.
    pub(super) fn reached(&self, op: OperationRef<'c, 'a>) -> Op {
        let active = self.reader.threads(op, Scope::Cta).map(|threads| threads.active);
        let block = self.program.block;
        match active {
            Ok(Active::All) => Op { active: block, exact: true, ..Op::default() },
            Ok(Active::Known(set)) => Op { active: set.intersect(&block), exact: true, ..Op::default() },
            // Where no thread of this block comes, all are read as if they did.
            _ => match self.narrowed() {
                Some(set) if set.is_empty() => Op { active: block, exact: true, ..Op::default() },
                Some(set) => Op { active: set, exact: true, ..Op::default() },
                None => Op { active: block, exact: false, ..Op::default() },
            },
        }
    }

    /// The quotient of a number of the run by another one, rounded down, as each thread has it.
    pub(super) fn quotient(&mut self, number: &RunTime<'c, 'a>, by: i64) -> Option<Form> {
        let term = self.terms.number(number);
        if let Some(quotient) = self.of_term(term)?.floor(by) {
            return Some(quotient);
        }
        let by = self.terms.question.terms.constant(by);
        let quotient = self.terms.question.terms.wide(Operation::DivFloor, term, by);
        self.of_term(quotient)
    }

    /// A value as each thread has it.
    pub(super) fn of_value(&mut self, value: Value<'c, 'a>) -> Option<Form> {
        let term = self.terms.term(value);
        self.of_term(term)
    }

    fn of_term(&mut self, term: Term) -> Option<Form> {
        for symbol in self.terms.question.terms.needs(term).clone() {
            self.learn(symbol);
        }
        Form::of(&self.terms.question.terms, term, &self.sources)
    }

    /// What a symbol is.
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
            Origin::BlockSize(_) | Origin::GridSize(_) | Origin::Extent(..) => {
                self.sources.fixed.insert(symbol);
            }
            Origin::Value(value) if self.learn_rank(symbol, value) => {}
            Origin::Value(value) => {
                let leads = self.leader.leads(value, &self.program.block);
                self.sources.threads.extend(leads.map(|leads| (symbol, leads)));
                self.learn_carried(value);
                if let Some(&number) = self.loops.get(&crate::read::values::key(value)) {
                    let bounds = self.terms.question.terms.operands(symbol);
                    let constant = |at: usize| self.terms.question.terms.as_constant(*bounds.get(at)?);
                    if let (Some(lower), Some(step)) = (constant(0), constant(2)) {
                        self.sources.loops.insert(symbol, (number, lower, step));
                    }
                } else if self.is_argument(value) {
                    self.sources.fixed.insert(symbol);
                }
            }
        }
    }

    /// Is a value an argument of the kernel itself?
    pub(super) fn is_argument(&self, value: Value<'c, 'a>) -> bool {
        let owner = tile_dialect::ir::argument_of(value).and_then(|(block, _)| block.parent_operation());
        kernel::is_entry(self.function) && owner.is_some_and(|owner| owner.to_raw().ptr == self.function.to_raw().ptr)
    }

    /// The items of a region of one block.
    pub(super) fn region(&mut self, op: OperationRef<'c, 'a>, region: usize) -> Vec<Item> {
        let mut items = Vec::new();
        let block = op.region_at(region).and_then(|region| region.first_block());
        if block.is_some_and(|block| block.next_in_region().is_some()) {
            self.refuse(op, "has control flow that is not structured, expected scf.if, scf.for and scf.while");
        }
        let mut next = block.and_then(|block| block.first_operation());
        while let Some(op) = next {
            items.extend(self.looks_at_sums(op));
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

    /// A loop that counts.
    fn counted(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let number = self.program.loops.len();
        let of = if name(op) == scf::ForOp::NAME { self.bounds(op) } else { Loop::default() };
        let count = if name(op) == scf::ForOp::NAME && of.trips.is_none() { self.count(op) } else { None };
        self.program.loops.push(Loop { count, ..of });
        let variable = op.region_at(0).and_then(|region| region.first_block()?.argument(0).ok());
        if let Some(variable) = variable.filter(|_| name(op) == scf::ForOp::NAME) {
            self.loops.insert(crate::read::values::key(variable.into()), number);
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

    /// A loop that goes on while its first part says so; or one that only waits for a phase of an mbarrier.
    fn repeated(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        if let Some(item) = self.spin(op) {
            return vec![item];
        }
        let number = self.program.loops.len();
        self.program.loops.push(Loop { rotated: true, ..Loop::default() });
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
