//! Loops that load tiles and multiply them become rings: their copies are asynchronous, and `tile.stages` says how many are in flight.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, defining_op, is_inside, uses};
use tile_dialect::memref::{DYNAMIC, bit_width};
use tile_dialect::ops::integer;
use tile_dialect::{CONVERTED, Ctx, STAGES, STAGES_IF_ASYNC, Space, schedule_of};
use tile_isa::registers::REGISTER_BITS;
use tile_layout::{Axis, Iter};
use tile_ops::{Builder, scf, tile};
use tile_plan::integer::Residue;
use tile_plan::pipeline;

use super::tiles::buffer;
use crate::copies;
use crate::effects::inherent::is_other;
use crate::options::LoweringOptions;
use crate::read::divisibility::infer;
use crate::read::effects::only_computes_or_reads;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::{report, walk};

/// Gives stages to the loops at or below the root that load tiles from global memory and multiply them, at most so many.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, options: &LoweringOptions, most: u32, rewriter: Rewriter<'c, 'a>) {
    let reader = Reader::new(options);
    for op in walk::named(root, scf::ForOp::NAME) {
        let loads = loads(op);
        let is_marked = kernel::function(op)
            .is_some_and(|kernel| walk::matching(kernel, |_| true).iter().any(|op| op.has_attribute(CONVERTED)));
        if loads.is_empty() || !is_marked {
            continue;
        }
        let Ok(target) = reader.target(op) else { continue };
        let is_surely_async = stated(op).is_some() || loads.iter().all(is_in_words);
        let stages = match stated(op) {
            Some(1) => Err(OneStage { cause: "stages-stated", reason: "its schedule says so".to_owned() }),
            stated => stages(op, &loads, (&reader, target.shared_bytes()), (most, stated)),
        };
        match stages {
            Ok(stages) => {
                for load in loads.iter().map(|load| load.operation()) {
                    copies::asynchronous(load, Builder::before(rewriter, load));
                }
                rewriter.set_attribute(op, STAGES, Ctx::of(op).integer_attribute(64, stages));
                if !is_surely_async {
                    rewriter.set_attribute(op, STAGES_IF_ASYNC, Ctx::of(op).unit());
                }
            }
            Err(OneStage { cause, reason }) => {
                report::emit(op, RemarkKind::Missed, cause, "has one stage", &[("Reason", reason)])
            }
        }
    }
}

/// The stages that a loop has by its attribute, or that of a product in it.
fn stated(op: OperationRef<'_, '_>) -> Option<i64> {
    let of_loop = integer(op, STAGES);
    let of_products = walk::named(op, tile::MmaOp::NAME).into_iter().filter_map(|product| schedule_of(product).ok()?);
    of_loop.or(of_products.filter_map(|(schedule, _)| schedule.stages).max())
}

/// Whether rows of what a copy reads begin at words, of which asynchronous copies move whole ones: narrower elements, that is, are adjacent
/// in the last dimension that has several, as they are in the shared tile.
fn is_in_words(load: &tile::CopyOp<'_, '_>) -> bool {
    let Some(buffer) = buffer(load.src()) else { return false };
    let (shard, shape, given) = (buffer.layout().shard, buffer.shape(), load.src_sizes());
    let sizes = if given.is_empty() { shape.to_vec() } else { given };
    let bits = i64::from(bit_width(buffer.element()).unwrap_or_default());
    if shard.iter().any(|iter| iter.axis != Axis::Memory) || shard.len() != shape.len() {
        return false;
    }
    let mut offsets = load.src_offsets();
    let begins = load.src_static().into_iter().map(|begin| match begin {
        DYNAMIC => offsets.next().map_or(Residue::ANY, infer),
        begin => Residue::exactly(begin),
    });
    let is_in_words = |places: i64| places.saturating_mul(bits) % REGISTER_BITS == 0;
    let begins_in_words =
        begins.zip(&shard).all(|(begin, iter)| is_in_words(begin.factor().saturating_mul(iter.stride)));
    let last = sizes.iter().rposition(|&size| size > 1);
    let is_row = |(dimension, iter): (usize, &Iter)| {
        sizes[dimension] == 1 || is_in_words(iter.stride) || last == Some(dimension) && iter.stride == 1
    };
    begins_in_words
        && shard.iter().enumerate().all(is_row)
        && last.is_none_or(|last| is_in_words(1) || shard[last].stride == 1)
}

/// Why a loop has one stage.
struct OneStage {
    cause: &'static str,
    reason: String,
}

/// The copies of whole tiles from global memory in the body of a loop that also has a product.
fn loads<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<tile::CopyOp<'c, 'a>> {
    let first = op.region_at(0).and_then(|region| region.first_block()).and_then(|body| body.first_operation());
    let body: Vec<_> = std::iter::successors(first, |op| op.next_in_block()).collect();
    if !body.iter().any(|op| name(*op) == tile::MmaOp::NAME) {
        return Vec::new();
    }
    let is_load = |copy: &tile::CopyOp<'c, 'a>| {
        let spaces =
            [copy.src(), copy.dst()].map(|value| buffer(value).map(|buffer| (buffer.space(), buffer.element())));
        let [Some((Space::Global, from)), Some((Space::Shared, to))] = spaces else { return false };
        from == to
            && copy.dst_sizes().is_empty()
            && defining_op(copy.dst()).is_some_and(|made| name(made) == tile::AllocOp::NAME)
    };
    body.into_iter().filter_map(tile::CopyOp::cast).filter(is_load).collect()
}

/// How many stages the tiles of a loop have.
fn stages<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    loads: &[tile::CopyOp<'c, 'a>],
    (reader, shared_bytes): (&Reader<'_>, i64),
    (most, stated): (u32, Option<i64>),
) -> Result<i64, OneStage> {
    let inside = walk::matching(op, |_| true);
    if let Some(other) = inside.iter().find(|op| is_other(**op)) {
        let reason = format!("{} synchronizes in it, expected none of that: barriers are inserted", name(*other));
        return Err(OneStage { cause: "stages-synchronized", reason });
    }
    if inside.iter().any(|op| stores(*op)) {
        let reason =
            "it stores to global memory, which it may read again; expected sums that stay in registers".to_owned();
        return Err(OneStage { cause: "stages-stored", reason });
    }
    let tiles: Vec<Value<'c, 'a>> = loads.iter().map(|load| load.dst()).collect();
    if let Some((user, _)) = tiles.iter().flat_map(|tile| uses(*tile)).find(|(user, _)| !is_inside(*user, op)) {
        let reason = format!("{} outside of it uses a tile that it loads, expected none", name(user));
        return Err(OneStage { cause: "stages-used-outside", reason });
    }
    if let Some(user) = loads.iter().find_map(used_before) {
        let reason = format!("{} uses a tile before it is loaded, expected none", name(user));
        return Err(OneStage { cause: "stages-used-before", reason });
    }
    let kernel = kernel::function(op).unwrap_or(op);
    let shared =
        walk::named(kernel, tile::AllocOp::NAME).into_iter().filter_map(|alloc| alloc.result_at(0)).map(Value::from);
    let all: i64 = shared.filter(|tile| !is_used_after(*tile, op)).map(bytes).sum();
    let step: i64 = tiles.iter().copied().map(bytes).sum();
    let room = shared_bytes - (all - step);
    let trips = reader.trips(op).and_then(|trips| trips.into_iter().max()).unwrap_or(i64::MAX);
    let wanted = stated.unwrap_or(i64::from(most)).min(pipeline::MAX_STAGES).min(trips);
    let stages = wanted.min(room / step.max(1));
    if stages < 2 || stated.is_some() && stages < wanted {
        let reason = format!(
            "{step} bytes for each stage and {room} of shared memory for all, {trips} iterations; expected room for {}",
            wanted.max(2)
        );
        return Err(OneStage { cause: "stages-room", reason });
    }
    Ok(stages)
}

/// Whether only ops after a loop use a tile, which then has the memory of the loop's tiles.
fn is_used_after<'c: 'a, 'a>(tile: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let is_after = |user: OperationRef<'c, 'a>| {
        let around = std::iter::once(user).chain(kernel::ancestors(user));
        around.into_iter().any(|one| walk::precedes(op, one))
    };
    uses(tile).into_iter().all(|(user, _)| is_after(user))
}

/// Whether an op writes global memory, or memory that is no tile, which may be what the loads read.
fn stores<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let has_tiles =
        (0..op.operand_count()).filter_map(|index| op.operand_at(index)).any(|value| buffer(value).is_some());
    if op.region_count() == 0 && !has_tiles {
        return !only_computes_or_reads(op);
    }
    tile::CopyOp::cast(op).and_then(|copy| buffer(copy.dst())).is_some_and(|buffer| buffer.space() == Space::Global)
}

/// What uses the tile of a load in the body of the loop before it: what another iteration has loaded.
fn used_before<'c: 'a, 'a>(load: &tile::CopyOp<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let users = uses(load.dst()).into_iter().map(|(user, _)| user);
    let around = |user| std::iter::once(user).chain(kernel::ancestors(user));
    users.into_iter().find(|user| around(*user).any(|op| walk::precedes(op, load.operation())))
}

/// The bytes of a tile in shared memory; none for others.
fn bytes(tile: Value<'_, '_>) -> i64 {
    let shared = buffer(tile).filter(|buffer| buffer.space() == Space::Shared);
    shared.map_or(0, |buffer| {
        let bits = i64::from(bit_width(buffer.element()).unwrap_or_default());
        buffer.shape().iter().product::<i64>() * bits / 8
    })
}
