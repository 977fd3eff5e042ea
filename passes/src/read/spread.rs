//! The value that each thread of a block has for an SSA value.
//!
//! Thread ids, lane ids and everything computed from them and constants is known exactly, per thread. For other values only the
//! scope is known within which all threads see the same value: a kernel argument or a block id is uniform over the block, a value
//! loaded from a thread's own address over nothing.
//!
//! Values that a loop carries depend on themselves. Each is first assumed to be uniform over the block. Whenever the values that
//! it may be, or what decides between them, are less uniform, the assumption is lowered and everything is evaluated again:
//!
//! ```text
//!   scf.for … iter_args(%x = %c0) {          %x: block?
//!     %y = arith.addi %x, %thread            %y: thread      -> %x: thread, again
//!     scf.yield %y
//! ```

use std::cell::RefCell;
use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use rustc_hash::FxHashMap;
use tile_dialect::ir::defining_op;
use tile_layout::Level;
use tile_ops::affine;
use tile_plan::threads::MAX_BLOCK;
use tile_plan::uniform::Spread;

use super::sources::{self, Source};
use super::values::key;
use super::{affine_map, arithmetic, joins, kernel, name};

/// The level at which all operands are uniform, at most `limit`.
fn mixed(operands: &[Spread], limit: Level) -> Level {
    operands.iter().map(Spread::level).fold(limit, Level::min)
}

/// Evaluates values of one function.
pub struct Evaluator {
    /// The address of the `gpu.launch` in whose body the values are used.
    launch: Option<usize>,
    block: Option<[i64; 3]>,
    /// Threads of a warp.
    subgroup: i64,
    threads: usize,
    /// The lane that `elect.sync` elects, where one is assumed.
    leader: Option<i64>,
    known: RefCell<FxHashMap<usize, Spread>>,
    /// The levels that are assumed of values that control flow makes.
    assumed: RefCell<FxHashMap<usize, Level>>,
}

impl Evaluator {
    /// An evaluator for blocks of a size, in warps of `subgroup` threads; for blocks of at most 1024 threads when the size is
    /// not known.
    pub fn new(function: OperationRef<'_, '_>, block: Option<[i64; 3]>, subgroup: i64) -> Self {
        let launch = kernel::is_launch(function).then(|| function.to_raw().ptr as usize);
        let threads = block.map_or(MAX_BLOCK, |size| size.iter().product()).max(1) as usize;
        let (known, assumed) = Default::default();
        Evaluator { launch, block, subgroup, threads, leader: None, known, assumed }
    }

    /// The same evaluator, as if `elect.sync` elected this lane.
    #[must_use]
    pub fn with_leader(self, leader: Option<i64>) -> Self {
        Evaluator { leader, ..self }
    }

    /// The value for each thread, or the level at which it is uniform.
    pub fn evaluate(&self, value: Value<'_, '_>) -> Spread {
        loop {
            let joined = self.explore(value);
            let lowered = joined.into_iter().filter(|(value, from)| self.lower(*value, from)).count();
            if lowered == 0 {
                return self.look_up(value);
            }
            self.known.borrow_mut().clear();
        }
    }

    /// Evaluates `value` and all that it depends on, under the assumptions about values that control flow makes; returns those
    /// that were visited, each with what it depends on. Dependences wait on a list, so that chains may have any length.
    fn explore<'c: 'a, 'a>(&self, value: Value<'c, 'a>) -> Vec<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
        let (mut waiting, mut open) = (vec![value], HashSet::new());
        let mut met = Vec::new();
        while let Some(next) = waiting.pop() {
            if self.known.borrow().contains_key(&key(next)) {
                continue;
            }
            if self.is_captured(next) {
                self.known.borrow_mut().insert(key(next), self.of_source(sources::captured(next), &[]));
                continue;
            }
            if let Some(from) = joins::of(next) {
                let level = *self.assumed.borrow_mut().entry(key(next)).or_insert(Level::Cta);
                self.known.borrow_mut().insert(key(next), Spread::Uniform(level));
                waiting.extend(&from);
                met.push((next, from));
                continue;
            }
            let operands: Vec<_> = defining_op(next).map(|op| op.operands().collect()).unwrap_or_default();
            let unknown = |operand: &Value<'_, '_>| !self.known.borrow().contains_key(&key(*operand));
            // A value that is open already waits for itself, which happens in code that is never executed.
            if open.insert(key(next)) && operands.iter().any(unknown) {
                waiting.push(next);
                waiting.extend(operands.into_iter().filter(unknown));
            } else {
                let spread = self.of_value(next);
                self.known.borrow_mut().insert(key(next), spread);
            }
        }
        met
    }

    /// Lowers what is assumed of a value, if what it depends on is less uniform.
    fn lower(&self, value: Value<'_, '_>, from: &[Value<'_, '_>]) -> bool {
        let level = from.iter().map(|&value| self.look_up(value).level()).fold(Level::Cta, Level::min);
        let mut assumed = self.assumed.borrow_mut();
        let before = assumed.entry(key(value)).or_insert(Level::Cta);
        let lowered = level < *before;
        *before = level.min(*before);
        lowered
    }

    fn look_up(&self, value: Value<'_, '_>) -> Spread {
        self.known.borrow().get(&key(value)).cloned().unwrap_or(Spread::Uniform(Level::Thread))
    }

    fn each(&self, value: impl Fn(i64) -> i64) -> Spread {
        Spread::Each((0..self.threads as i64).map(value).collect())
    }

    /// Whether the value is made outside of the launch that the function is.
    fn is_captured(&self, value: Value<'_, '_>) -> bool {
        self.launch.is_some_and(|launch| kernel::is_captured(value, launch))
    }

    fn of_value(&self, value: Value<'_, '_>) -> Spread {
        let Some(op) = defining_op(value) else { return self.of_source(sources::of_argument(value), &[]) };
        match sources::of(op) {
            Source::Computed => self.computed(op),
            source => self.of_source(source, &self.operands(op)),
        }
    }

    fn of_source(&self, source: Source, operands: &[Spread]) -> Spread {
        match source {
            Source::Constant(value) => Spread::Constant(value),
            Source::Thread(dimension) => self.thread_id(dimension),
            Source::BlockSize(dimension) => match self.block {
                Some(size) => Spread::Constant(size[dimension]),
                None => Spread::Uniform(Level::Cta),
            },
            Source::WarpSize => Spread::Constant(self.subgroup),
            Source::Lane => self.each(|thread| thread % self.subgroup),
            Source::Warp => self.each(|thread| thread / self.subgroup),
            Source::Leader => match self.leader {
                Some(lane) => self.each(|thread| i64::from(thread % self.subgroup == lane)),
                None => Spread::Uniform(Level::Thread),
            },
            Source::Computed => Spread::Uniform(mixed(operands, Level::Cta)),
            Source::Mixed(limit) => Spread::Uniform(mixed(operands, limit)),
            Source::Gathered { level, by } => gathered(operands, level, by),
            Source::Promised(level) => promised(operands, level),
        }
    }

    fn operands(&self, op: OperationRef<'_, '_>) -> Vec<Spread> {
        op.operands().map(|operand| self.look_up(operand)).collect()
    }

    fn thread_id(&self, dimension: usize) -> Spread {
        let Some([x, y, _]) = self.block else { return Spread::Uniform(Level::Thread) };
        match dimension {
            0 => self.each(|thread| thread % x),
            1 => self.each(|thread| thread / x % y),
            _ => self.each(|thread| thread / (x * y)),
        }
    }

    /// The exact value, where every operand is known for each thread.
    fn computed(&self, op: OperationRef<'_, '_>) -> Spread {
        let operands = self.operands(op);
        self.exactly(op, &operands).unwrap_or_else(|| self.of_source(Source::Computed, &operands))
    }

    fn exactly(&self, op: OperationRef<'_, '_>, operands: &[Spread]) -> Option<Spread> {
        if operands.is_empty() || operands.iter().any(|operand| matches!(operand, Spread::Uniform(_))) {
            return None;
        }
        let constant = operands.iter().all(|operand| matches!(operand, Spread::Constant(_)));
        let computation =
            if name(op) == affine::AffineApplyOp::NAME { None } else { Some(arithmetic::computation(op)?) };
        let result = |values: &[i64]| match &computation {
            Some(computation) => computation.at(values),
            None => affine_map::evaluate(op, values),
        };
        let mut values = vec![0; operands.len()];
        let mut of_thread = |thread: usize| {
            for (value, operand) in values.iter_mut().zip(operands) {
                *value = operand.at(thread)?;
            }
            result(&values)
        };
        if constant {
            return of_thread(0).map(Spread::Constant);
        }
        (0..self.threads).map(of_thread).collect::<Option<_>>().map(Spread::Each)
    }
}

/// A value that the threads of a group compute together: uniform where they agree on the operands `by`.
fn gathered(operands: &[Spread], level: Level, by: &[usize]) -> Spread {
    let agreed = by.iter().all(|&index| operands.get(index).is_some_and(|operand| operand.level() >= level));
    let as_given = mixed(operands, Level::Cta);
    Spread::Uniform(if agreed { as_given.max(level) } else { Level::Thread })
}

/// A promise only adds to what is known.
fn promised(operands: &[Spread], level: Level) -> Spread {
    match operands.first() {
        Some(Spread::Uniform(known)) => Spread::Uniform(level.max(*known)),
        Some(exactly) => exactly.clone(),
        None => Spread::Uniform(level),
    }
}
