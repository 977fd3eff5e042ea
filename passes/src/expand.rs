//! `--tile-expand-copy`: expands planned copies and buffers to loads, stores and matrix instructions.

use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use thiserror::Error;
use tile_dialect::emit::{Diagnostic, error_at};
use tile_dialect::guard::{self, Panicked};
use tile_dialect::ir::{Ir, Rewriter, is_used, results_of};
use tile_dialect::memref::extents;
use tile_dialect::ops::{PlannedOp, UpdateMapOp};
use tile_ops::{memref, tile};

use crate::effects::inherent;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Function, check_shared, operand};
use crate::families::{self, Staged};
use crate::mma;
use crate::mma::error::MmaError;
use crate::options::LoweringOptions;
use crate::read::error::ReadError;
use crate::read::problem::Reader;
use crate::read::{kernel, name, root, values};
use crate::tensor_maps::error::MapError;
use crate::tensor_maps::prefetch::KernelMaps;
use crate::tensor_maps::{encode, prefetch, update};
use crate::walk;
use tile_ops::Builder;

/// Expands every planned copy below the root to ops of other dialects; `false`, after errors, when one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    expand(ir, options, false)
}

/// As [`run`], in the pass that has planned the copies: errors do not name an op that nobody has written.
pub fn run_at_once(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    expand(ir, options, true)
}

fn expand(ir: &mut Ir<'_>, options: &LoweringOptions, at_once: bool) -> bool {
    if !check_shared(ir.root()) {
        return false;
    }
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let reader = Reader::new(options);
    mma::broadcast_numbers(root, &reader, rewriter);
    let mut expansion = Expansion { root, reader, rewriter, functions: HashMap::new(), at_once };
    mma::hold_sums(root, rewriter);
    // The expansion makes ops of other dialects only: one walk finds all that there is to do.
    let tile_ops = walk::matching(root, |name| name.starts_with(tile::PREFIX));
    let (copies, others): (Vec<_>, Vec<_>) = tile_ops.into_iter().partition(|&op| name(op) == PlannedOp::NAME);
    let maps = prefetch::find(&copies, options);
    let mut complete = maps.iter().all(|maps| expansion.report(maps.kernel, |all, _| all.prefetch(maps)));
    for op in copies {
        complete &= expansion.report(op, Expansion::copy);
    }
    inherent::unmark(root, rewriter);
    complete && expansion.clean_up(&others)
}

/// Why an op is left.
#[derive(Debug, Error)]
enum ExpandError {
    #[error("is used by an op that is not lowered here; expected tile ops only")]
    Used,
    #[error(transparent)]
    Emit(#[from] EmitError),
    #[error(transparent)]
    Mma(#[from] MmaError),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

struct Expansion<'o, 'c, 'a> {
    /// The op that the pass runs on.
    root: OperationRef<'c, 'a>,
    reader: Reader<'o>,
    rewriter: Rewriter<'c, 'a>,
    functions: HashMap<usize, Rc<Function<'c, 'a>>>,
    /// Whether planned copies and parts of tiles are the pass's own: then nobody has written these ops.
    at_once: bool,
}

impl<'c, 'a> Expansion<'_, 'c, 'a> {
    /// Runs a step on `op`; a failure becomes an error at the op.
    fn report(
        &mut self,
        op: OperationRef<'c, 'a>,
        step: impl FnOnce(&mut Self, OperationRef<'c, 'a>) -> Result<(), ExpandError>,
    ) -> bool {
        let outcome = guard::quiet(|| step(self, op));
        let outcome = outcome.unwrap_or_else(|panicked| Err(panicked.into()));
        let refuse = |reason: ExpandError| match name(op) {
            PlannedOp::NAME if self.at_once => error_at(op.location(), &format!("the copy {reason}")),
            tile::PartsOp::NAME if self.at_once => error_at(op.location(), &format!("the tile {reason}")),
            _ => Diagnostic::error(reason.to_string()).emit(op),
        };
        outcome.map_err(refuse).is_ok()
    }

    fn builder(&self, op: OperationRef<'c, 'a>) -> Builder<'c, 'a> {
        Builder::before(self.rewriter, op)
    }

    fn function(&mut self, op: OperationRef<'c, 'a>) -> Result<Rc<Function<'c, 'a>>, ExpandError> {
        let function = kernel::function(op).ok_or(ReadError::NoFunction)?;
        let key = function.to_raw().ptr as usize;
        if let Some(known) = self.functions.get(&key) {
            return Ok(known.clone());
        }
        let block = self.reader.block(op)?;
        let function = Rc::new(Function::new(function, self.root, block).ok_or(EmitError::NoBody)?);
        self.functions.insert(key, function.clone());
        Ok(function)
    }

    fn copy(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(op)?;
        let builder = self.builder(op);
        let mut emit = Emit::new(builder, &function);
        let planned = PlannedOp(op);
        let plan = planned.plan().ok_or(EmitError::Sides)?;
        let family = families::family(plan).ok_or(EmitError::Sides)?;
        let staged = Staged { op: planned, scope: planned.scope(), reader: &self.reader };
        family.expand(&mut emit, &staged, plan)?;
        builder.rewriter.erase(op);
        Ok(())
    }

    fn prefetch(&mut self, maps: &KernelMaps<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(maps.copy)?;
        Ok(prefetch::write(&function, self.builder(maps.copy), maps)?)
    }

    /// Replaces the remaining ops of the dialect.
    fn clean_up(&mut self, left: &[OperationRef<'c, 'a>]) -> bool {
        let named = |names: &'static [&'static str]| left.iter().copied().filter(move |&op| names.contains(&name(op)));
        let mut complete = true;
        for op in named(&[tile::WarpgroupMmaOp::NAME]) {
            complete &= self.report(op, |all, op| Ok(mma::expand(op, all.rewriter)?));
        }
        for op in named(&[tile::LocalViewOp::NAME]) {
            complete &= self.report(op, Self::local_view);
        }
        for op in named(&[tile::AssumeOp::NAME]) {
            complete &= self.report(op, Self::assume);
        }
        for op in named(&[tile::PartsOp::NAME]) {
            complete &= self.report(op, Self::parts);
        }
        for op in named(&[UpdateMapOp::NAME]) {
            complete &= self.report(op, Self::update_map);
        }
        for op in named(&[tile::TensorMapOp::NAME]) {
            complete &= self.report(op, Self::tensor_map);
        }
        if !complete {
            return false;
        }
        self.views(left.iter().copied().filter(|&op| values::is_view(op)).collect());
        for op in named(&[tile::ViewOp::NAME, tile::AllocOp::NAME, tile::TmemOp::NAME]) {
            complete &= self.report(op, Self::definition);
        }
        complete
    }

    /// Erases views of tiles that are no longer used, and then the views that only these used.
    fn views(&mut self, mut left: Vec<OperationRef<'c, 'a>>) {
        while let Some(index) = left.iter().rposition(|&op| !results_of(op).into_iter().any(is_used)) {
            self.rewriter.erase(left.remove(index));
        }
    }

    fn local_view(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(op)?;
        let source = operand(op)?;
        let storage = function.storage_of(self.builder(op), root::root(source))?;
        let (own, of) = (results_of(op)[0].r#type(), storage.memref.r#type());
        if own == of {
            return self.replace(op, storage.memref);
        }
        // A view of a part, whose registers are numbered as those of the whole are.
        let registers = MemRefType::try_from(own).map_err(|_| EmitError::Operands)?;
        let sizes = extents(registers);
        let memref =
            memref::reinterpret_cast(self.builder(op), storage.memref, &[], &[], &[], &[0], &sizes, &[1], own).value();
        self.replace(op, memref)
    }

    fn parts(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(op)?;
        let parts = Emit::new(self.builder(op), &function).parts(operand(op)?)?;
        self.rewriter.replace(op, &parts);
        Ok(())
    }

    fn update_map(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(op)?;
        Ok(update::write(UpdateMapOp(op), &function, self.builder(op), &self.reader.target(op)?)?)
    }

    fn tensor_map(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let function = self.function(op)?;
        Ok(encode::encode(self.root, op, &function, self.builder(op))?)
    }

    fn assume(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        let value = operand(op)?;
        self.replace(op, value)
    }

    fn replace(&self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<(), ExpandError> {
        self.rewriter.replace(op, &[value]);
        Ok(())
    }

    fn definition(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ExpandError> {
        if results_of(op).into_iter().any(is_used) {
            return Err(ExpandError::Used);
        }
        self.rewriter.erase(op);
        Ok(())
    }
}
