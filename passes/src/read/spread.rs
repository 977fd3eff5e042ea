//! What a value is for each thread of a block.
//!
//! Thread ids, lane ids and everything computed from them and constants is known exactly, per thread.
//! Of other values only the scope is known within which all threads see the same: a kernel argument or
//! a block id is uniform over the block, a value loaded from a thread's own address over nothing.
//!
//! Values that go round a loop depend on themselves. They are taken to be uniform over the block, and
//! whenever what the loop yields says less, less is taken and everything is evaluated again:
//!
//! ```text
//!   scf.for … iter_args(%x = %c0) {          %x: block?
//!     %y = arith.addi %x, %thread            %y: thread      -> %x: thread, again
//!     scf.yield %y
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ops::defining_op;
use tile_layout::Level;
use tile_plan::threads::MAX_BLOCK;

use super::arithmetic::Computation;
use super::divisibility::key;
use super::sources::{self, Source};
use super::{affine, launch, name};

/// A value over the threads of a block, in linear order.
#[derive(Clone, Debug)]
pub enum Spread {
    /// Known for each thread.
    Each(Rc<[i64]>),
    /// Not known, but the same for all threads of one such group.
    Uniform(Level),
}

impl Spread {
    /// The widest scope over which the value is the same for all threads.
    pub fn level(&self) -> Level {
        let values = match self {
            Spread::Each(values) => values,
            Spread::Uniform(level) => return *level,
        };
        let same = |size: usize| values.chunks(size).all(|group| group.iter().all(|value| *value == group[0]));
        if same(values.len().max(1)) {
            Level::Cta
        } else if same(128) {
            Level::Warpgroup
        } else if same(32) {
            Level::Warp
        } else {
            Level::Thread
        }
    }
}

/// Uniform as far as all operands are, and at most over `limit`.
fn mixed(operands: &[Spread], limit: Level) -> Level {
    operands.iter().map(Spread::level).fold(limit, Level::min)
}

/// Evaluates values of one function.
pub struct Evaluator {
    /// The address of the `gpu.launch` in whose body the values are used.
    launch: Option<usize>,
    block: Option<[i64; 3]>,
    threads: usize,
    known: RefCell<HashMap<usize, Spread>>,
    /// What the values of a structured op are taken to be, by the address of the op.
    assumed: RefCell<HashMap<usize, Level>>,
}

impl Evaluator {
    /// For blocks of a size; for blocks of at most 1024 threads when the size is not known.
    pub fn new(function: OperationRef<'_, '_>, block: Option<[i64; 3]>) -> Self {
        let launch = launch::is_launch(function).then(|| function.to_raw().ptr as usize);
        let threads = block.map_or(MAX_BLOCK, |size| size.iter().product()).max(1) as usize;
        Evaluator { launch, block, threads, known: RefCell::default(), assumed: RefCell::default() }
    }

    /// The value for each thread, or how far it is uniform.
    pub fn evaluate(&self, value: Value<'_, '_>) -> Spread {
        loop {
            let structured = self.explore(value);
            let lowered = structured.into_iter().filter(|&op| self.lower(op)).count();
            if lowered == 0 {
                return self.look_up(value);
            }
            self.known.borrow_mut().clear();
        }
    }

    /// Evaluates `value` and all that it depends on, under what is assumed of structured ops; returns those
    /// that were met. Dependencies wait on a list, so that chains may have any length.
    fn explore<'c: 'a, 'a>(&self, value: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
        let (mut waiting, mut open) = (vec![value], HashSet::new());
        let (mut structured, mut met) = (Vec::new(), HashSet::new());
        while let Some(next) = waiting.pop() {
            if self.known.borrow().contains_key(&key(next)) {
                continue;
            }
            if self.is_captured(next) {
                self.known.borrow_mut().insert(key(next), self.of_source(sources::captured(next), &[]));
                continue;
            }
            if let Some(op) = sources::structured(next) {
                let address = op.to_raw().ptr as usize;
                let level = *self.assumed.borrow_mut().entry(address).or_insert(Level::Cta);
                self.known.borrow_mut().insert(key(next), Spread::Uniform(level));
                if met.insert(address) {
                    waiting.extend(sources::decisive(op));
                    structured.push(op);
                }
                continue;
            }
            let operands: Vec<_> = defining_op(next).map(|op| op.operands().collect()).unwrap_or_default();
            let unknown = |operand: &Value<'_, '_>| !self.known.borrow().contains_key(&key(*operand));
            // A value that is open already waits for itself, which happens in code that is never run.
            if open.insert(key(next)) && operands.iter().any(unknown) {
                waiting.push(next);
                waiting.extend(operands.into_iter().filter(unknown));
            } else {
                let spread = self.of_value(next);
                self.known.borrow_mut().insert(key(next), spread);
            }
        }
        structured
    }

    /// Takes less for granted of a structured op, if what decides its values says so.
    fn lower(&self, op: OperationRef<'_, '_>) -> bool {
        let decisive: Vec<Spread> = sources::decisive(op).into_iter().map(|value| self.look_up(value)).collect();
        let level = mixed(&decisive, Level::Cta);
        let mut assumed = self.assumed.borrow_mut();
        let before = assumed.entry(op.to_raw().ptr as usize).or_insert(Level::Cta);
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

    /// Is the value made outside of the launch that the function is?
    fn is_captured(&self, value: Value<'_, '_>) -> bool {
        self.launch.is_some_and(|launch| launch::is_captured(value, launch))
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
            Source::Constant(value) => self.each(|_| value),
            Source::Thread(dimension) => self.thread_id(dimension),
            Source::Lane => self.each(|thread| thread % 32),
            Source::Warp => self.each(|thread| thread / 32),
            Source::Computed => Spread::Uniform(mixed(operands, Level::Cta)),
            Source::Mixed(limit) => Spread::Uniform(mixed(operands, limit)),
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

    /// Exactly, where every operand is known for each thread.
    fn computed(&self, op: OperationRef<'_, '_>) -> Spread {
        let operands = self.operands(op);
        let each = self.computed_each(op, &operands);
        each.map_or_else(|| self.of_source(Source::Computed, &operands), Spread::Each)
    }

    fn computed_each(&self, op: OperationRef<'_, '_>, operands: &[Spread]) -> Option<Rc<[i64]>> {
        let each = |operand: &Spread| match operand {
            Spread::Each(values) => Some(values.clone()),
            Spread::Uniform(_) => None,
        };
        let operands = operands.iter().map(each).collect::<Option<Vec<_>>>()?;
        let at = |thread: usize| operands.iter().map(|values| values[thread]).collect::<Vec<_>>();
        if name(op) == "affine.apply" {
            return (0..self.threads).map(|thread| affine::evaluate(op, &at(thread))).collect();
        }
        let computation = Computation::of(op)?;
        (0..self.threads).map(|thread| computation.at(&at(thread))).collect()
    }
}
