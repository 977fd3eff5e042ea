//! Which threads agree on a value that is neither computed from others nor chosen by control flow.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, as_argument, defining_op};
use tile_isa::WARP;
use tile_layout::Level;
use tile_ops::{gpu, interface, llvm, nvvm};
use tile_plan::terms::{SymbolSource, Term};

use super::interpreter::{LeafFacts, Run};
use crate::read::kernel::{self, EntryArgument};
use crate::read::values::operands;
use crate::read::{divisibility, effects, name};

impl<'c: 'a, 'a, L: LeafFacts<'c, 'a>> Run<'_, 'c, 'a, L> {
    /// The term of a value that is made outside of the launch around its use: all threads see the same.
    pub fn captured(&mut self, value: Value<'c, 'a>) -> Term {
        match divisibility::infer(value).constant() {
            Some(constant) => self.terms.constant(constant),
            None => self.symbol_from(value, SymbolSource::Mixed(Vec::new(), Level::Cta)),
        }
    }

    /// The symbol of a value, with what it is a function of.
    pub fn made(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        let source = match defining_op(value) {
            Some(op) => self.source(op)?,
            None => SymbolSource::Mixed(Vec::new(), of_argument(value)),
        };
        Some(self.symbol_from(value, source))
    }

    fn symbol_from(&mut self, value: Value<'c, 'a>, source: SymbolSource) -> Term {
        let symbol = self.unknown(value);
        self.terms.set_source(symbol, source);
        symbol
    }

    fn source(&mut self, op: OperationRef<'c, 'a>) -> Option<SymbolSource> {
        let level = match name(op) {
            // Among all threads of a warp; with a mask, the leader depends on the mask.
            nvvm::ElectSyncOp::NAME if op.operand_count() == 0 => return Some(SymbolSource::Leader),
            nvvm::WarpIdOp::NAME => Level::Warp,
            _ if effects::is_shared_load(op) => within(op),
            _ if op.region_count() == 0 && effects::is_function_of_operands(op) && !makes_private(op) => Level::Cta,
            other => match together(op, other) {
                Some((level, by)) => {
                    let operands = self.operands(operands(op))?;
                    let by = by.iter().filter_map(|&index| operands.get(index).copied()).collect();
                    return Some(SymbolSource::Gathered { terms: operands, by, level });
                }
                None => Level::Thread,
            },
        };
        let operands = if level == Level::Thread { Vec::new() } else { self.operands(operands(op))? };
        Some(SymbolSource::Mixed(operands, level))
    }
}

/// Ops by which the threads of a group compute one value: the group, and the operands on which its threads have to agree.
fn together(op: OperationRef<'_, '_>, name: &str) -> Option<(Level, &'static [usize])> {
    let operand_is = |index: usize, wanted: i64| {
        op.operand_at(index).and_then(|value| divisibility::infer(value).constant()) == Some(wanted)
    };
    let mode = || gpu::ShuffleOp::cast(op)?.mode();
    let kind = || nvvm::ShflOp::cast(op)?.kind();
    Some(match name {
        gpu::AllReduceOp::NAME => (Level::Cta, &[]),
        gpu::SubgroupReduceOp::NAME if gpu::SubgroupReduceOp::cast(op)?.cluster_size().is_none() => (Level::Warp, &[]),
        gpu::SubgroupBroadcastOp::NAME => (Level::Warp, &[]),
        // From one lane of a warp to all.
        gpu::ShuffleOp::NAME if mode() == Some(gpu::ShuffleMode::Idx) && operand_is(2, WARP) => (Level::Warp, &[1]),
        nvvm::ShflOp::NAME if kind() == Some(nvvm::ShflKind::Idx) && operand_is(0, -1) && operand_is(3, WARP - 1) => {
            (Level::Warp, &[2])
        }
        // The threads that execute it are in the mask that it names.
        nvvm::VoteSyncOp::NAME => (Level::Warp, &[0]),
        nvvm::ReduxOp::NAME => (Level::Warp, &[1]),
        _ => return None,
    })
}

fn makes_private(op: OperationRef<'_, '_>) -> bool {
    op.results().any(|result| effects::is_private(result.into()))
}

fn within(load: OperationRef<'_, '_>) -> Level {
    // A volatile load, or one in an order with others' stores, may see a change between two threads' loads.
    let changes = llvm::LoadOp::cast(load).is_some_and(|load| {
        load.volatile() || load.ordering().is_some_and(|ordering| ordering != llvm::AtomicOrdering::NotAtomic)
    });
    let shared = load.operand_at(0).is_some_and(|source| !effects::is_private(source));
    if shared && !changes { Level::Cta } else { Level::Thread }
}

/// The level at which a block argument is uniform.
///
/// The threads of a scope that call a function together pass it the same memory, and the same extents and strides of it;
/// [`crate::read::calls`] checks the calls in sight. Other arguments may differ between threads, unless the host passes them.
fn of_argument(value: Value<'_, '_>) -> Level {
    match kernel::argument(value) {
        Some(EntryArgument::Memory) if effects::is_private(value) => return Level::Thread,
        Some(_) => return Level::Cta,
        None => {}
    }
    let uniform = || {
        let argument = as_argument(value)?;
        let function = argument.owner().parent_operation()?;
        let entry = function.regions().next()?.first_block()?;
        let in_entry = entry.to_raw().ptr == argument.owner().to_raw().ptr && interface::is_function(function);
        let shared = kernel::is_entry(function) || effects::must_be_uniform_argument(value);
        Some(in_entry && shared && !effects::is_private(value))
    };
    if uniform().unwrap_or(false) { Level::Cta } else { Level::Thread }
}
