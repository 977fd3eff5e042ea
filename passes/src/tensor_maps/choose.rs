//! The maps of copies and prefetches that name the variant `tma`, or rows by their numbers, and no map.

use melior::ir::{OperationRef, Value};
use tile_dialect::TensorMapType;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_ops::{Builder, tile};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{Extent, Part, TMA};
use tile_plan::variants::{self, ask};

use crate::copies;
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{name, root, tensor_map};
use crate::report::COPIES;
use crate::walk;

/// Gives each such copy below the root its maps; `false`, after errors, where there are none for it.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let may_have_maps =
        |op: &OperationRef<'_, '_>| [tile::CopyAsyncOp::NAME, tile::PrefetchOp::NAME].contains(&name(*op));
    let copies: Vec<_> = walk::matching(ir.root(), |_| true)
        .into_iter()
        .filter(may_have_maps)
        .map(CopyOp)
        .filter(|copy| copy.maps().is_empty() && tensor_map::is_requested(*copy))
        .collect();
    let reader = Reader::new(options);
    copies.into_iter().fold(true, |complete, copy| {
        let made = plan(copy, &reader).is_some_and(|plan| {
            let made = make(copy, &plan, ir.rewriter());
            made.map_err(|reason| Diagnostic::error(reason).emit(copy.0)).is_ok()
        });
        complete && made
    })
}

/// The plan of a copy through maps that are still to be made; `None` after an error at the copy.
fn plan(copy: CopyOp<'_, '_>, reader: &Reader<'_>) -> Option<TensorMapCopy> {
    let reading = reader.read(copy).map_err(|unreadable| unreadable.emit(copy.0)).ok()?;
    match ask(variants::by_name(TMA)?, &reading.problem, &reading.target) {
        Ok(CopyPlan::TensorMap(plan)) => Some(plan),
        Ok(_) => None,
        Err(decline) => {
            let declines = [decline];
            COPIES.declined(copy.0, &declines);
            COPIES.refused(copy.0, Some(TMA), &declines);
            None
        }
    }
}

/// Makes the maps of a plan, and the same copy through them.
///
/// # Errors
/// A tile whose run-time extents are not those that the plan numbers.
fn make<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, plan: &TensorMapCopy, rewriter: Rewriter<'c, 'a>) -> Result<(), String> {
    let operand = copy.operand(plan.form.global()).ok_or("has no tile in global memory")?;
    let tile = tensor_map::whole(operand.value);
    let is_open = |extent| matches!(extent, Extent::Of(_));
    let open = plan.parts.iter().flat_map(|part| &part.map.dims).any(|dim| is_open(dim.extent));
    // The plan numbers the dimensions of the whole tile as the last view orders them.
    let permuted = !root::parts(tile).is_empty();
    if open && permuted {
        return Err(
            "goes through a map of a part of a tile with run-time extents, whose dimensions were reordered after \
                    tile.subview; expected tile.subview last"
                .to_owned(),
        );
    }
    let builder = Builder::before(rewriter, copy.0);
    let map = |part: &Part| {
        let map = TensorMapType::new(builder.context, &part.map)?;
        Some(tile::tensor_map(builder, if open { tile } else { root::root(tile) }, map.as_type()).value())
    };
    let maps: Option<Vec<Value<'c, 'a>>> = plan.parts.iter().map(map).collect();
    let maps = maps.ok_or("has maps that cannot be written")?;
    let made = match tile::PrefetchOp::cast(copy.0) {
        Some(prefetch) => copies::prefetch_again(prefetch, builder, &maps),
        None => copies::again(copy.0, builder, copy.barrier(), &maps),
    };
    made.map(drop).ok_or_else(|| "is malformed".to_owned())
}
