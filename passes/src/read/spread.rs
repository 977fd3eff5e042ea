//! What a value is for each thread of a block.
//!
//! Thread ids, lane ids and everything computed from them and constants is known exactly, per thread.
//! Of other values only the scope is known within which all threads see the same: a kernel argument or
//! a block id is uniform over the block, a value loaded from a thread's own address over nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::attribute::IntegerAttribute;
use melior::ir::block::BlockArgument;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ops::defining_op;
use tile_dialect::{Space, memref};
use tile_layout::Level;
use tile_plan::threads::MAX_BLOCK;

use super::divisibility::key;
use super::{affine, name};

mod arithmetic;

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
        let Spread::Each(values) = self else {
            let Spread::Uniform(level) = self else { return Level::Thread };
            return *level;
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

/// Evaluates values of one function.
pub struct Evaluator {
    block: Option<[i64; 3]>,
    threads: usize,
    known: RefCell<HashMap<usize, Spread>>,
}

impl Evaluator {
    /// For blocks of a size; for blocks of at most 1024 threads when the size is not known.
    pub fn new(block: Option<[i64; 3]>) -> Self {
        let threads = block.map_or(MAX_BLOCK, |size| size.iter().product());
        Evaluator { block, threads: threads.max(1) as usize, known: RefCell::default() }
    }

    /// The value for each thread, or how far it is uniform.
    pub fn evaluate(&self, value: Value<'_, '_>) -> Spread {
        if let Some(spread) = self.known.borrow().get(&key(value)) {
            return spread.clone();
        }
        let spread = match defining_op(value) {
            Some(op) => self.of_op(op),
            None => self.of_argument(value),
        };
        self.known.borrow_mut().insert(key(value), spread.clone());
        spread
    }

    fn each(&self, value: impl Fn(i64) -> i64) -> Spread {
        Spread::Each((0..self.threads as i64).map(value).collect())
    }

    fn operands(&self, op: OperationRef<'_, '_>) -> Vec<Spread> {
        op.operands().map(|operand| self.evaluate(operand)).collect()
    }

    /// Uniform as far as all operands are, and at most over `limit`.
    fn mixed(&self, operands: &[Spread], limit: Level) -> Spread {
        Spread::Uniform(operands.iter().map(Spread::level).fold(limit, Level::min))
    }

    fn of_op(&self, op: OperationRef<'_, '_>) -> Spread {
        match name(op).as_str() {
            "arith.constant" | "index.constant" => {
                let value = op.attribute("value").ok().and_then(|value| IntegerAttribute::try_from(value).ok());
                value.map_or(Spread::Uniform(Level::Cta), |value| self.each(|_| value.value()))
            }
            "gpu.thread_id" => self.thread_id(&op.attribute("dimension").map(|d| d.to_string()).unwrap_or_default()),
            "nvvm.read.ptx.sreg.tid.x" => self.thread_id("x"),
            "nvvm.read.ptx.sreg.tid.y" => self.thread_id("y"),
            "nvvm.read.ptx.sreg.tid.z" => self.thread_id("z"),
            "gpu.lane_id" | "nvvm.read.ptx.sreg.laneid" => self.each(|thread| thread % 32),
            "gpu.subgroup_id" => self.each(|thread| thread / 32),
            "nvvm.elect.sync" => Spread::Uniform(Level::Thread),
            "memref.load" | "vector.load" => self.load(op),
            "scf.for" | "scf.while" | "scf.if" => self.of_region_op(op),
            _ => self.computed(op),
        }
    }

    fn thread_id(&self, dimension: &str) -> Spread {
        let Some([x, y, _]) = self.block else { return Spread::Uniform(Level::Thread) };
        match dimension.chars().rev().find(|c| c.is_ascii_alphabetic()) {
            Some('x') => self.each(|thread| thread % x),
            Some('y') => self.each(|thread| thread / x % y),
            Some('z') => self.each(|thread| thread / (x * y)),
            _ => Spread::Uniform(Level::Thread),
        }
    }

    /// A load from one address of shared or global memory gives all its threads the same; private memory
    /// is each thread's own.
    fn load(&self, op: OperationRef<'_, '_>) -> Spread {
        let source = op.operand(0).ok().and_then(|source| {
            let private =
                defining_op(source).is_some_and(|op| matches!(name(op).as_str(), "memref.alloca" | "tile.local_view"));
            (!private).then(|| MemRefType::try_from(source.r#type()).ok()).flatten()
        });
        let shared = source.and_then(memref::space).is_some_and(|space| space != Space::Local);
        self.mixed(&self.operands(op), if shared { Level::Cta } else { Level::Thread })
    }

    fn computed(&self, op: OperationRef<'_, '_>) -> Spread {
        let operands = self.operands(op);
        let known: Option<Vec<&Rc<[i64]>>> = operands
            .iter()
            .map(|operand| match operand {
                Spread::Each(values) => Some(values),
                Spread::Uniform(_) => None,
            })
            .collect();
        let computed = known.filter(|known| !known.is_empty()).and_then(|known| {
            let at = |thread: usize| known.iter().map(|values| values[thread]).collect::<Vec<_>>();
            let result = |thread| self.compute(op, &at(thread));
            (0..self.threads).map(result).collect::<Option<Rc<[i64]>>>()
        });
        computed.map_or_else(|| self.unknown(op, &operands), Spread::Each)
    }

    /// An op that is not evaluated. Ops with regions or effects of their own may differ between threads.
    fn unknown(&self, op: OperationRef<'_, '_>, operands: &[Spread]) -> Spread {
        let name = name(op);
        let pure = [
            "arith.",
            "index.",
            "math.",
            "affine.apply",
            "affine.m",
            "memref.",
            "gpu.block",
            "gpu.grid",
            "gpu.num_subgroups",
            "gpu.cluster",
            "gpu.global_id",
            "vector.",
            "nvvm.read.ptx.sreg.ctaid",
            "nvvm.read.ptx.sreg.n",
            "tile.",
            "llvm.mlir.constant",
        ];
        let pure = pure.iter().any(|prefix| name.starts_with(prefix)) && name != "gpu.global_id";
        let atomic = name.contains("atomic") || op.region_count() > 0;
        self.mixed(operands, if pure && !atomic { Level::Cta } else { Level::Thread })
    }

    fn compute(&self, op: OperationRef<'_, '_>, operands: &[i64]) -> Option<i64> {
        if name(op) == "affine.apply" {
            return affine::evaluate(op, operands);
        }
        arithmetic::compute(op, operands)
    }

    /// Results of a structured op: what its regions yield, chosen by what decides them.
    fn of_region_op(&self, op: OperationRef<'_, '_>) -> Spread {
        let mut level = self.mixed(&self.operands(op), Level::Cta).level();
        // A loop's own values may feed what it yields: assume the best, then take back what does not hold.
        for _ in 0..4 {
            self.assume_results(op, level);
            let yielded: Vec<Spread> = yields_of(&op).iter().map(|&value| self.evaluate_fresh(value)).collect();
            let next = self.mixed(&yielded, level).level();
            if next == level {
                break;
            }
            level = next;
        }
        Spread::Uniform(level)
    }

    /// Values inside a loop are evaluated anew under each assumption.
    fn evaluate_fresh(&self, value: Value<'_, '_>) -> Spread {
        let saved = self.known.borrow().clone();
        let spread = self.evaluate(value);
        *self.known.borrow_mut() = saved;
        spread
    }

    fn assume_results(&self, op: OperationRef<'_, '_>, level: Level) {
        let mut known = self.known.borrow_mut();
        for region in op.regions() {
            let Some(block) = region.first_block() else { continue };
            for index in 0..block.argument_count() {
                if let Ok(argument) = block.argument(index) {
                    known.insert(key(argument.into()), Spread::Uniform(level));
                }
            }
        }
        for result in op.results() {
            known.insert(key(result.into()), Spread::Uniform(level));
        }
    }

    /// An argument of a kernel is the same for the whole grid; one of a loop as far as the loop's values are.
    fn of_argument(&self, value: Value<'_, '_>) -> Spread {
        let Ok(argument) = BlockArgument::try_from(value) else { return Spread::Uniform(Level::Thread) };
        let Some(op) = argument.owner().parent_operation() else { return Spread::Uniform(Level::Thread) };
        let entry = op.regions().next().and_then(|region| region.first_block());
        if op.has_attribute("function_type") {
            let is_entry = entry.is_some_and(|entry| entry.to_raw().ptr == argument.owner().to_raw().ptr);
            return Spread::Uniform(if is_entry { Level::Cta } else { Level::Thread });
        }
        match name(op).as_str() {
            "scf.for" | "scf.while" => self.of_region_op(op),
            _ => Spread::Uniform(Level::Thread),
        }
    }
}

/// What the regions of a structured op yield.
fn yields_of<'c, 'a>(op: &'a OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut values = Vec::new();
    for region in op.regions() {
        let Some(terminator) = region.first_block().and_then(|block| block.terminator()) else { continue };
        let raw = terminator.to_raw();
        // SAFETY: the terminator lives as long as its op, which the caller holds.
        let terminator = unsafe { OperationRef::<'c, 'a>::from_raw(raw) };
        values.extend(terminator.operands());
    }
    values
}
