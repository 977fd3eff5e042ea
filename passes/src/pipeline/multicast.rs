//! Copies of a ring that all blocks of a cluster make alike: each block copies a part of the tile to all of them.
//!
//! ```text
//!   the blocks of a pair need the same 64x256 of B      read by both: 64 KiB      divided: 32 KiB
//!
//!            block 0                      block 1
//!   columns 0 .. 128 to both     columns 128 .. 256 to both
//! ```
//!
//! | a copy is divided if | since |
//! | --- | --- |
//! | it goes through a tensor map that was [chosen](super::tensor_maps) | only the engine copies to several blocks |
//! | what its source, offsets and loop are computed from is the same in all blocks | the blocks then copy the same |
//! | a dimension of the tile is a multiple of the number of blocks, and a part takes few boxes | |
//! | the loop is in no other one, and all threads of the block come to it | a barrier of the cluster releases the stages |
//! | the kernel can be ordered with it | a choice is never an error: it is [tried](super::trial) |
//!
//! A block's mbarrier expects the bytes of all parts, since those of the others count there, too. Before the first copy all blocks have
//! made their mbarriers, and before a stage is copied to again all have read it: both are relaxed barriers of the cluster. One that
//! releases is a fence for the whole GPU in each iteration, which costs a third of a product's speed.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, argument_of, defining_op};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::CopyOp;
use tile_layout::by_x;
use tile_ops::{Builder, arith, constant, gpu, nvvm, scf, tile};
use tile_plan::families::tensor_map::TensorMapCopy;

use super::{Loop, complete, tensor_maps, when};
use crate::copies::{self, CopyRegions};
use crate::effects::barriers;
use crate::emit::Kit;
use crate::options::LoweringOptions;
use crate::read::divisibility::{self, block};
use crate::read::effects::is_portable;
use crate::read::values::{dimension, key};
use crate::read::{kernel, name};
use crate::report::{self, COPIES};

/// A copy that the blocks of a cluster divide among themselves.
#[derive(Clone, Copy, Debug)]
pub struct Divided {
    /// The number of blocks.
    pub blocks: i64,
    /// The dimension of the tile that they divide.
    pub dimension: usize,
}

/// The blocks of the cluster of a kernel, where it has several.
pub(super) fn cluster(function: OperationRef<'_, '_>) -> Option<[i64; 3]> {
    block::cluster(function).filter(|size| size.iter().product::<i64>() > 1)
}

/// How the blocks of a cluster divide those of the copies, planned as one, that they all make alike.
pub(super) fn choose<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    copies: &[(CopyOp<'c, 'a>, &TensorMapCopy)],
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> Vec<(OperationRef<'c, 'a>, Divided)> {
    let Some(size) = cluster(function) else { return Vec::new() };
    let blocks = size.iter().product();
    let mut same = SameInCluster { size, known: HashMap::new() };
    let divide = |(copy, _): &(CopyOp<'c, 'a>, &TensorMapCopy)| {
        let checked = check_alike(copy.0, &mut same)
            .and_then(|()| divided(*copy, blocks, options, rewriter).ok_or(NotDivided::NoDimension { blocks }));
        checked.map_err(|why| why.report(copy.0)).ok().map(|division| (copy.0, division))
    };
    copies.iter().filter_map(divide).collect()
}

/// The dimension in which parts take the fewest boxes, and of several the one with the widest boxes.
fn divided<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    blocks: i64,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> Option<Divided> {
    let regions = CopyRegions::of(tile::CopyAsyncOp::cast(copy.0)?);
    let extents = regions.dst.sizes.clone();
    let fits = |dimension: &usize| regions.src.sizes == extents && extents[*dimension] % blocks == 0;
    let planned = (0..extents.len()).filter(fits).filter_map(|dimension| {
        let divided = Divided { blocks, dimension };
        let before = preceding(copy.0).len();
        let made = part(copy.0, divided, Builder::before(rewriter, copy.0));
        let plan = made.and_then(|made| tensor_maps::better_plan(CopyOp(made), options));
        // The part, and what it is computed from.
        preceding(copy.0).split_off(before).into_iter().rev().for_each(|op| rewriter.erase(op));
        let plan = plan?;
        let narrowest = plan.parts.iter().map(|part| part.map.inner_bytes()).min()?;
        Some(((plan.instructions(), -narrowest), divided))
    });
    planned.min_by_key(|(cost, _)| *cost).map(|(_, divided)| divided)
}

/// The ops of a block before one of them.
fn preceding<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let first = op.block().and_then(|block| block.first_operation());
    std::iter::successors(first, |before| before.next_in_block()).take_while(|before| *before != op).collect()
}

/// Makes the copy of the part that belongs to the block that executes it, to all blocks; the other copy stays.
pub(super) fn part<'c: 'a, 'a>(
    copy: OperationRef<'c, 'a>,
    Divided { blocks, dimension }: Divided,
    builder: Builder<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let whole = tile::CopyAsyncOp::cast(copy)?;
    let mut regions = CopyRegions::of(whole);
    let extent = regions.dst.sizes.get(dimension)? / blocks;
    let rank = nvvm::read_ptx_sreg_cluster_ctarank(builder, builder.context.integer(32)).value();
    let rank = arith::index_cast(builder, rank, builder.context.index()).value();
    let begin = arith::muli(builder, rank, constant::index(builder, extent)).value();
    for region in [&mut regions.src, &mut regions.dst] {
        region.sizes[dimension] = extent;
        region.moves(dimension, begin, builder);
    }
    let mask = constant::integer(builder, 16, (1 << blocks) - 1);
    let made = copies::made(whole, &regions, builder, whole.barrier(), &[])?.cta_mask(mask);
    Some(copies::alike(copy, builder, made.build().operation()))
}

/// One thread expects the bytes of all parts, which a copy of one part is about to add.
pub(super) fn expect<'c: 'a, 'a>(
    ring: &Loop<'c, 'a>,
    copy: tile::CopyAsyncOp<'c, 'a>,
    builder: Builder<'c, 'a>,
) -> Option<()> {
    let elements: i64 = CopyRegions::of(copy).dst.sizes.iter().product();
    let bits = bit_width(BufferType::from_type(copy.dst().r#type())?.element())?;
    let blocks = block::cluster(kernel::function(ring.op)?)?.iter().product::<i64>();
    let (bytes, barrier) = (elements * i64::from(bits) / 8 * blocks, copy.barrier()?);
    builder.rewriter.set_insertion_point_before(copy.operation());
    let is_leader = complete::is_first(ring, &ring.reached.looping, builder)?;
    when(builder, is_leader, || {
        let kit = Kit::new(builder);
        kit.arrive_expecting(barrier, kit.i32(bytes));
    });
    builder.rewriter.set_insertion_point_after(copy.operation());
    Some(())
}

/// All blocks have read a stage, so that each may copy to all of them.
pub(super) fn release(builder: Builder<'_, '_>) {
    barriers::of_block(builder);
    barriers::of_cluster_relaxed(builder);
}

/// The remark of a copy that is divided.
pub(super) fn report(copy: OperationRef<'_, '_>, divided: Divided) {
    let Some(whole) = tile::CopyAsyncOp::cast(copy) else { return };
    let mut sizes = CopyRegions::of(whole).dst.sizes;
    let whole = by_x(&sizes);
    sizes[divided.dimension] /= divided.blocks;
    let text = format!("each of {} blocks copies {} of {whole} elements, to all of them", divided.blocks, by_x(&sizes));
    let args = [("Blocks", divided.blocks.to_string()), ("Part", by_x(&sizes))];
    COPIES.emit(copy, RemarkKind::Passed, "multicast", &text, &args);
}

/// The remark of a kernel whose blocks would divide copies if it could be ordered then.
pub(super) fn unproved(function: OperationRef<'_, '_>, why: &str) {
    let text = "the blocks of a cluster do not divide copies: the kernel is not known to be right then";
    report::emit(function, RemarkKind::Missed, "multicast-not-proved", text, &[("Reason", why.to_owned())]);
}

/// Why the blocks of a cluster each make all of a copy.
enum NotDivided {
    /// Its loop is under a condition, or in another loop.
    Nested,
    /// This operand of the copy, or bound of its loop, may differ between the blocks.
    Differs { what: &'static str, number: usize },
    /// No dimension of the tile has parts of few boxes.
    NoDimension { blocks: i64 },
}

impl NotDivided {
    fn report(&self, copy: OperationRef<'_, '_>) {
        let reason = match self {
            NotDivided::Nested => "its loop is in another op, expected it in the body of the kernel".to_owned(),
            NotDivided::Differs { what, number } => format!("{what} {number} may differ between the blocks"),
            NotDivided::NoDimension { blocks } => {
                format!("no dimension divides into {blocks} parts that take few boxes of at least 64 bytes a row")
            }
        };
        let text = "each block of the cluster copies all of the tile";
        COPIES.emit(copy, RemarkKind::Missed, "not-divided", text, &[("Reason", reason)]);
    }
}

/// Checks that all blocks of a cluster make a copy alike, and as often.
fn check_alike(copy: OperationRef<'_, '_>, same: &mut SameInCluster) -> Result<(), NotDivided> {
    let function = kernel::function(copy);
    let ring = copy.parent_operation().filter(|ring| ring.parent_operation() == function).ok_or(NotDivided::Nested)?;
    let mut first_other =
        |op: OperationRef<'_, '_>, count| op.operands().take(count).position(|value| !same.is_same(value));
    if let Some(number) = first_other(ring, 3) {
        return Err(NotDivided::Differs { what: "bound", number });
    }
    match first_other(copy, usize::MAX) {
        Some(number) => Err(NotDivided::Differs { what: "operand", number }),
        None => Ok(()),
    }
}

/// Finds values that are the same in all blocks of a cluster.
struct SameInCluster {
    size: [i64; 3],
    known: HashMap<usize, bool>,
}

impl SameInCluster {
    /// Whether a value follows from arguments of the kernel, constants, variables of loops, and ids that the blocks have in common:
    /// those of the cluster, and of the block along dimensions in which the cluster is one block wide.
    fn is_same(&mut self, value: Value<'_, '_>) -> bool {
        if let Some(known) = self.known.get(&key(value)) {
            return *known;
        }
        // Code that is never executed may derive a value from itself.
        self.known.insert(key(value), false);
        let same = match defining_op(value) {
            Some(op) => self.is_same_result(op),
            None => self.is_same_argument(value),
        };
        self.known.insert(key(value), same);
        same
    }

    fn is_same_result(&mut self, op: OperationRef<'_, '_>) -> bool {
        match name(op) {
            gpu::ClusterIdOp::NAME | gpu::ClusterDimOp::NAME | gpu::ClusterDimBlocksOp::NAME => true,
            gpu::GridDimOp::NAME | gpu::BlockDimOp::NAME => true,
            gpu::BlockIdOp::NAME | gpu::ClusterBlockIdOp::NAME => {
                dimension(op).is_some_and(|along| self.size[along] == 1)
            }
            tile::AllocOp::NAME => true,
            // Blocks of a cluster have consecutive numbers.
            arith::DivUIOp::NAME if self.counts_clusters(op) => true,
            _ => is_portable(op) && op.region_count() == 0 && op.operands().all(|operand| self.is_same(operand)),
        }
    }

    /// Whether an op divides the number of a block by a multiple of the number of blocks of its cluster along that dimension.
    fn counts_clusters(&self, quotient: OperationRef<'_, '_>) -> bool {
        let block = quotient.operand_at(0).and_then(defining_op).filter(|op| name(*op) == gpu::BlockIdOp::NAME);
        let by = quotient.operand_at(1).and_then(|by| divisibility::infer(by).constant());
        let along = block.and_then(dimension);
        along.zip(by).is_some_and(|(along, by)| by > 0 && by % self.size[along] == 0)
    }

    /// An argument of the kernel, or the variable of a loop with the same bounds everywhere.
    fn is_same_argument(&mut self, value: Value<'_, '_>) -> bool {
        let Some((block, number)) = argument_of(value) else { return false };
        let Some(around) = block.parent_operation() else { return false };
        match name(around) {
            gpu::GPUFuncOp::NAME => block.parent_region().and_then(|region| region.first_block()) == Some(block),
            scf::ForOp::NAME => number == 0 && around.operands().take(3).all(|bound| self.is_same(bound)),
            _ => false,
        }
    }
}
