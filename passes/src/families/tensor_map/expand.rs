//! Expansion of copies through tensor maps: a `cp.async.bulk.tensor` per box, issued by the first thread of the scope.
//!
//! ```text
//!   to shared memory        mbarrier.arrive.expect_tx of all bytes, then the boxes
//!   pixels of images        im2col loads with the offsets of the filter, im2col_no_offs stores
//!   rows by their numbers   boxes of a row, or four rows each by gather4 and scatter4
//!   to several CTAs         the boxes, with the mask
//!   to global memory        the boxes, or cp.reduce.async.bulk.tensor; the group is committed after the op
//! ```

use melior::ir::Value;
use tile_dialect::ir::Parts;
use tile_isa::async_reduction::Reduction;
use tile_layout::IndexArith as _;
use tile_ops::llvm_type::Space;
use tile_ops::nvvm::{self, CTAGroupKind, TMALoadMode, TMAReduxKind, TMAStoreMode};
use tile_ops::{builtin, llvm};
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{MapForm, Part};

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Storage, Sum, pointer_to_barrier, run_time};

/// The largest number of boxes that is unrolled; more become a loop.
const MAX_UNROLLED: i64 = 16;

/// Operands that all boxes of a copy share.
struct Boxes<'p, 'c, 'a> {
    plan: &'p TensorMapCopy,
    /// The storage in shared memory.
    shared: Storage<'c, 'a>,
    /// The run-time values of the tensor, and of the region in shared memory.
    values: [Vec<Sum<'c, 'a>>; 2],
    /// The numbers of the rows that boxes name.
    rows: Vec<Value<'c, 'a>>,
    /// The row from which on rows are outside.
    until: Option<Value<'c, 'a>>,
    /// The offsets of a filter as halfwords, innermost first.
    filter: Vec<Value<'c, 'a>>,
    /// The mbarrier that counts the bytes of a load.
    barrier: Option<Value<'c, 'a>>,
    /// The CTAs that receive a load, where there are several.
    cta_mask: Option<Value<'c, 'a>>,
    /// The L2 eviction policy for the copy's data.
    policy: Option<Value<'c, 'a>>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or operands that do not fit the plan.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &TensorMapCopy,
) -> Result<(), EmitError> {
    let Some(thread) = emit.function.thread_in(emit.kit.builder, staged.scope) else {
        return issue(emit, staged, plan);
    };
    let first = emit.equal(Sum::value(thread), 0);
    emit.when_true(first, |emit| issue(emit, staged, plan))
}

fn issue<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &TensorMapCopy,
) -> Result<(), EmitError> {
    let (op, global) = (staged.op, plan.form.global());
    let shared = op.buffer(global.other()).ok_or(EmitError::Sides)?;
    let boxes = Boxes {
        plan,
        shared: emit.function.storage_of(emit.kit.builder, shared)?,
        values: [run_time(op, global), run_time(op, global.other())],
        rows: op.rows(),
        until: op.until(),
        filter: op.filter().into_iter().rev().map(|at| emit.kit.truncated(emit.kit.index_as_i64(at), 16)).collect(),
        barrier: op.barrier().map(|barrier| pointer_to_barrier(emit.kit.builder, barrier)),
        cta_mask: op.cta_mask(),
        policy: plan.l2_evict.as_deref().map(|policy| emit.kit.cache_policy(policy)),
    };
    // Threads of the CTAs that receive a multicast expect its bytes.
    if let Some(barrier) = boxes.barrier.filter(|_| plan.form == MapForm::Load) {
        emit.kit.arrive_expecting(barrier, emit.kit.i32(plan.bytes()));
    }
    let maps = op.maps();
    if maps.len() != plan.parts.len() {
        return Err(EmitError::Sides);
    }
    plan.parts.iter().zip(maps).try_for_each(|(part, map)| boxes.part(emit, part, map))
}

impl<'c, 'a> Boxes<'_, 'c, 'a> {
    /// The boxes of one map.
    fn part(&self, emit: &mut Emit<'c, 'a, '_>, part: &Part, map: Value<'c, 'a>) -> Result<(), EmitError> {
        let builder = emit.kit.builder;
        let pointer = emit.kit.pointer(Space::Generic);
        let map = builtin::unrealized_conversion_cast(builder, &[map], &[pointer]).build().operation();
        let map = map.result_at(0).ok_or(EmitError::Sides)?.into();
        // Which row is named where is known of each box by itself.
        if part.boxes() <= MAX_UNROLLED || self.plan.rows != 0 {
            return (0..part.boxes()).try_for_each(|number| self.one(emit, part, map, Sum::constant(number)));
        }
        emit.repeat(part.boxes(), |emit, number| self.one(emit, part, map, number))
    }

    fn one(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        part: &Part,
        map: Value<'c, 'a>,
        number: Sum<'c, 'a>,
    ) -> Result<(), EmitError> {
        let [global, shared] = &self.values;
        let issue = part.issue(emit, number, &self.plan.shared, [global, shared])?;
        let coordinates = self.coordinates(emit, part, issue.coordinates)?;
        let place = emit.pointer(self.shared, issue.offset, Space::Shared);
        let builder = emit.kit.builder;
        match (self.plan.form, self.barrier) {
            (MapForm::Load | MapForm::Multicast, Some(barrier)) => {
                let to = llvm::addrspacecast(builder, place, emit.kit.pointer(Space::Cluster)).value();
                let group = (self.plan.cta_group == 2).then_some(CTAGroupKind::Cta2);
                let filter = &self.filter;
                let load =
                    nvvm::cp_async_bulk_tensor_shared_cluster_global(builder, to, map, &coordinates, barrier, filter);
                load.mode(self.load_mode())
                    .group(group)
                    .multicast_mask(self.cta_mask)
                    .l2_cache_hint(self.policy)
                    .build();
            }
            (MapForm::Store, _) => {
                let store = nvvm::cp_async_bulk_tensor_global_shared_cta(builder, map, place, &coordinates);
                store.mode(self.store_mode()).l2_cache_hint(self.policy).build();
            }
            (MapForm::Reduce(reduction), _) => {
                let kind = kind(reduction).ok_or(EmitError::Sides)?;
                let reduce = nvvm::cp_async_bulk_tensor_reduce(builder, map, place, &coordinates, kind);
                reduce.mode(self.store_mode()).l2_cache_hint(self.policy).build();
            }
            _ => return Err(EmitError::Sides),
        }
        Ok(())
    }

    fn load_mode(&self) -> Option<TMALoadMode> {
        match self.plan.rows {
            _ if self.plan.walks_pixels() => Some(TMALoadMode::Im2col),
            2.. => Some(TMALoadMode::TileGather4),
            _ => None,
        }
    }

    fn store_mode(&self) -> Option<TMAStoreMode> {
        match self.plan.rows {
            _ if self.plan.walks_pixels() => Some(TMAStoreMode::Im2col),
            2.. => Some(TMAStoreMode::TileScatter4),
            _ => None,
        }
    }

    /// The coordinates of a box, with the numbers of its rows in place of which rows they are.
    fn coordinates(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        part: &Part,
        mut coordinates: Vec<Sum<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        if let Ok(count @ 1..) = usize::try_from(self.plan.rows) {
            let first = coordinates.pop().and_then(|row| usize::try_from(row.known()?).ok()).ok_or(EmitError::Sides)?;
            let rows = self.rows.get(first..first + count).ok_or(EmitError::Sides)?;
            coordinates.extend(rows.iter().map(|&row| Sum::value(row)));
        }
        if let Some(end) = self.until {
            let [from, to] = part.map.until().ok_or(EmitError::Sides)?;
            let minus = emit.scale(Sum::value(end), -1);
            coordinates[from] = emit.add(coordinates[from], minus);
            coordinates[to] = emit.add(coordinates[to], Sum::value(end));
        }
        Ok(coordinates.into_iter().map(|at| self.coordinate(emit, at)).collect())
    }

    /// A coordinate as the 32-bit number that the instruction takes.
    fn coordinate(&self, emit: &mut Emit<'c, 'a, '_>, at: Sum<'c, 'a>) -> Value<'c, 'a> {
        if let Some(known) = at.known() {
            return emit.kit.i32(known);
        }
        let wide = emit.materialize(at);
        let wide = emit.kit.index_as_i64(wide);
        emit.kit.truncated(wide, 32)
    }
}

/// The operator of a reduction as NVVM names it.
fn kind(reduction: Reduction) -> Option<TMAReduxKind> {
    let word = reduction.suffix();
    Some(match word.split('.').next()? {
        "add" => TMAReduxKind::Add,
        "min" => TMAReduxKind::Min,
        "max" => TMAReduxKind::Max,
        "inc" => TMAReduxKind::Inc,
        "dec" => TMAReduxKind::Dec,
        "and" => TMAReduxKind::And,
        "or" => TMAReduxKind::Or,
        "xor" => TMAReduxKind::Xor,
        _ => return None,
    })
}
