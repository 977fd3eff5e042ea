//! Global memory that several ops of a kernel use becomes memory of the kernel's own, which is loaded once, and stored after the last op
//! that writes it.
//!
//! ```text
//!   linalg.reduce ins(%x)  outs(%m)         memref.copy %x, %x1
//!   linalg.map    ins(%x, %m) outs(%y)      linalg.reduce ins(%x1) outs(%m)
//!   linalg.reduce ins(%y)  outs(%s)         linalg.map    ins(%x1, %m) outs(%y1)
//!   linalg.map    ins(%y, %s) outs(%y)      linalg.reduce ins(%y1) outs(%s)
//!                                           linalg.map    ins(%y1, %s) outs(%y1)
//!                                           memref.copy %y1, %y
//! ```
//!
//! The result of a product becomes sums in registers, which are filled instead of loaded. This comes before the depths of the product are
//! split, and the loop is between the two.
//!
//! ```text
//!   linalg.fill   ins(%zero) outs(%y)       linalg.fill   ins(%zero) outs(%y1)
//!   linalg.matmul ins(%a, %b) outs(%y)      linalg.matmul ins(%a, %b) outs(%y1)
//!                                           memref.copy %y1, %y
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::Space;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, arguments_of, is_used};
use tile_dialect::memref::{self as memrefs, DYNAMIC, bit_width};
use tile_dialect::ops::Scope;
use tile_ops::{Builder, memref};
use tile_plan::linalg::{LinalgForm, LinalgRefusal};

use super::convert::{Converter, LinalgCandidate};
use super::team::Team;
use super::tiles::{self, element_of, memref_type};
use super::{read, split};
use crate::read::effects::touches_nothing;
use crate::read::values::key;
use crate::read::{alias, name};
use crate::{report, shim, walk};

/// A use of memory by an op that is converted.
struct GlobalUse<'r, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    operand: usize,
    candidate: &'r LinalgCandidate<'c, 'a>,
}

impl GlobalUse<'_, '_, '_> {
    fn is_written(&self) -> bool {
        self.operand >= self.candidate.reading.structured.inputs
    }

    /// Whether the op multiplies, and adds to what the memory has.
    fn is_sums(&self) -> bool {
        self.is_written() && matches!(self.candidate.form, LinalgForm::Product(_))
    }

    /// Whether the op's loops go along the dimensions of the memory in their order.
    fn is_in_order(&self) -> bool {
        self.candidate.reading.structured.maps[self.operand].as_ref().is_some_and(|map| map.is_sorted())
    }

    /// Whether the op needs what the memory has before.
    fn is_read(&self) -> bool {
        let body = self.candidate.reading.body.map(arguments_of).unwrap_or_default();
        !self.is_written() || body.get(self.operand).is_none_or(|argument| is_used(*argument))
    }
}

/// What gets memory of the kernel's own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PromotedSet {
    /// The results of products, whose depths are still to be split.
    Sums,
    /// These, and what tiles hold.
    All,
}

/// Gives the kernels at or below the root memory of their own for what several ops use.
pub fn run<'c: 'a, 'a>(converter: &Converter<'_, '_, 'c, 'a>, root: OperationRef<'c, 'a>, promoted: PromotedSet) {
    let ops = walk::matching(root, |_| true).into_iter().filter(|op| read::read(*op).is_some());
    let candidates: Vec<_> = ops.filter_map(|op| Some((op, candidate(converter, op)?.ok()?))).collect();
    let mut memories: Vec<(Value<'c, 'a>, Vec<GlobalUse<'_, 'c, 'a>>)> = Vec::new();
    for (op, candidate) in &candidates {
        for (operand, value) in candidate.reading.operands.iter().enumerate() {
            let used = GlobalUse { op: *op, operand, candidate };
            match memories.iter_mut().find(|(known, _)| key(*known) == key(*value)) {
                Some((_, uses)) => uses.push(used),
                None => memories.push((*value, vec![used])),
            }
        }
    }
    for (memory, uses) in memories {
        let is_sums = uses.iter().any(GlobalUse::is_sums);
        if (promoted == PromotedSet::Sums && !is_sums) || !is_used_together(memory, &uses) {
            continue;
        }
        let shape = if is_sums { sums_shape(converter, memory, &uses) } else { tile_shape(converter, memory, &uses) };
        if let Some(shape) = shape.filter(|_| is_apart(converter, memory, &uses)) {
            keep(converter, memory, &uses, &shape);
        }
    }
}

/// Reads an op, or the part of a product whose depths nothing bounds.
fn candidate<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<Result<LinalgCandidate<'c, 'a>, LinalgRefusal>> {
    let candidate = converter.candidate(op)?;
    Some(candidate.or_else(|refusal| split::part(converter, op).ok_or(refusal)))
}

/// Whether the uses of global memory are ops of one block that compute with all of it, and nothing else uses it. Products load their factors
/// as their instruction takes them, and copies say where they copy to.
fn is_used_together<'c: 'a, 'a>(memory: Value<'c, 'a>, uses: &[GlobalUse<'_, 'c, 'a>]) -> bool {
    let Some((first, last)) = uses.first().zip(uses.last()) else { return false };
    let computes = |used: &GlobalUse<'_, 'c, 'a>| {
        let is_computed = matches!(used.candidate.form, LinalgForm::Map | LinalgForm::Reduce { .. } | LinalgForm::Fill);
        (is_computed || used.is_sums()) && used.candidate.scope == Scope::Cta && used.op.block() == first.op.block()
    };
    let is_global = memref_type(memory).is_some_and(|memref| memrefs::space(memref) == Some(Space::Global));
    let is_elsewhere = tile_dialect::ir::uses(memory).len() != uses.len();
    let is_of_kernel = alias::is_made_in(memory, first.candidate.kernel);
    is_global && first.op != last.op && !is_of_kernel && !is_elsewhere && uses.iter().all(computes)
}

/// The shape of the kernel's own memory, if that would become a tile, in the order of its dimensions: others load it in theirs. A size that
/// is known only at run time has a bound, and is that of rows in registers.
fn tile_shape<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: Value<'c, 'a>,
    uses: &[GlobalUse<'_, 'c, 'a>],
) -> Option<Vec<i64>> {
    let first = uses.first()?;
    let r#type = memref_type(memory)?;
    let extents = memrefs::extents(r#type).into_iter().enumerate();
    let most = |(dimension, extent)| match extent {
        DYNAMIC => shim::most_extent(memory, dimension),
        _ => Some(extent),
    };
    let shape: Vec<i64> = extents.map(most).collect::<Option<_>>()?;
    if !uses.iter().all(GlobalUse::is_in_order) {
        return None;
    }
    let team = Team::new(converter.reader, first.op, Scope::Cta).ok()?;
    let bits = i64::from(bit_width(element_of(r#type))?);
    let bytes = shape.iter().fold(bits, |all, &extent| all.saturating_mul(extent)) / 8;
    let is_in_registers = converter.rows(first.candidate.kernel).is_some_and(|rows| rows.shape == shape);
    let is_known = shape == memrefs::extents(r#type);
    let is_held = is_in_registers || is_known && allocated(first.candidate.kernel) + bytes <= team.shared_bytes / 2;
    is_held.then_some(shape)
}

/// The shape of the sums of products, with what their instruction has beyond the memory, if all uses take them in registers. What is beyond
/// stays 0, which maps need not keep.
fn sums_shape<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: Value<'c, 'a>,
    uses: &[GlobalUse<'_, 'c, 'a>],
) -> Option<Vec<i64>> {
    let shapes = uses.iter().filter(|used| used.is_sums());
    let shapes: Vec<_> = shapes.map(|used| split::sums_shape(converter, used.op, &used.candidate.reading)).collect();
    let shape = shapes
        .first()?
        .clone()
        .filter(|shape| shape.len() == 2 && shapes.iter().all(|one| one.as_ref() == Some(shape)))?;
    let is_exact = memref_type(memory).is_some_and(|memref| memrefs::extents(memref) == shape);
    let is_taken = |used: &GlobalUse<'_, 'c, 'a>| match &used.candidate.form {
        LinalgForm::Fill => is_exact || used.candidate.reading.filled(used.operand).is_some_and(tiles::is_zero),
        LinalgForm::Product(_) => true,
        _ => is_exact && used.candidate.takes_registers(used.operand),
    };
    uses.iter().all(is_taken).then_some(shape)
}

/// The bytes of the memory that a kernel allocates.
fn allocated(kernel: OperationRef<'_, '_>) -> i64 {
    let allocs = walk::matching(kernel, |name| [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name));
    let bytes = |op: OperationRef<'_, '_>| {
        let memref = op.result_at(0).and_then(|result| memref_type(result.into()))?;
        let bits = bit_width(element_of(memref)).map_or(64, i64::from);
        Some(memrefs::extents(memref).iter().fold(bits, |all, &extent| all.saturating_mul(extent.max(1))) / 8)
    };
    allocs.into_iter().filter_map(bytes).fold(0, i64::saturating_add)
}

/// Whether nothing between the first and the last use accesses the memory through another value: writes it, or reads it where the uses
/// write it.
fn is_apart<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: Value<'c, 'a>,
    uses: &[GlobalUse<'_, 'c, 'a>],
) -> bool {
    let [Some(first), Some(last)] = [uses.first(), uses.last()].map(|used| used.map(|used| used.op)) else {
        return false;
    };
    let kernel = uses[0].candidate.kernel;
    let is_written = uses.iter().any(GlobalUse::is_written);
    let (root, noalias) = (converter.root(kernel, memory), converter.noalias(kernel));
    let between = walk::before(last).unwrap_or_default();
    let between = between.into_iter().skip_while(|op| *op != first).chain([last]);
    between.into_iter().all(|op| match candidate(converter, op) {
        Some(Ok(candidate)) => candidate.reading.operands.iter().enumerate().all(|(operand, value)| {
            let is_other = memref_type(*value).is_some() && key(*value) != key(memory);
            let conflicts = is_written || operand >= candidate.reading.structured.inputs;
            !is_other || !conflicts || !converter.root(kernel, *value).may_alias(&root, noalias)
        }),
        Some(Err(_)) => false,
        None => touches_nothing(op) || [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name(op)),
    })
}

/// Gives the uses memory of the kernel's own.
fn keep<'c: 'a, 'a>(
    converter: &Converter<'_, '_, 'c, 'a>,
    memory: Value<'c, 'a>,
    uses: &[GlobalUse<'_, 'c, 'a>],
    shape: &[i64],
) {
    let Some(first) = uses.first() else { return };
    let builder = Builder::before(converter.rewriter, first.op);
    let kept = shim::allocate_like(first.op, memory, shape);
    if uses.iter().take_while(|used| used.op == first.op).any(GlobalUse::is_read) {
        memref::copy(builder, memory, kept).build();
    }
    let last = uses.iter().rev().find(|used| used.is_written());
    if let Some(last) = last {
        let after = |rewriter: tile_dialect::ir::Rewriter<'c, 'a>| rewriter.set_insertion_point_after(last.op);
        builder.elsewhere(after, |builder| {
            memref::copy(builder, kept, memory).build();
        });
    }
    uses.iter().for_each(|used| converter.rewriter.set_operand(used.op, used.operand, kept));
    let count = uses.len().to_string();
    let text = if last.is_some() { "is kept by the kernel, and stored once" } else { "is loaded once" };
    report::emit(first.op, RemarkKind::Passed, "memory-kept", text, &[("Uses", count)]);
}
