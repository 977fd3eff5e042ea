//! The maps of copies that name the variant `tma`, or rows by their numbers, and no map.

use melior::ir::Value;
use tile_dialect::TensorMapType;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_ops::{Builder, tile};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{Part, TMA};
use tile_plan::variants::{self, ask};

use super::error::MapError;
use super::hoist;
use super::own::{self, OutOfOrder, OwnMaps};
use crate::copies;
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{root, tensor_map};
use crate::report::COPIES;
use crate::walk;

/// Gives each such copy below the root its maps; `false`, after errors, where there are none for it.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, out_of_order: OutOfOrder) -> bool {
    let copies: Vec<_> = walk::named(ir.root(), tile::CopyAsyncOp::NAME)
        .into_iter()
        .map(CopyOp)
        .filter(|copy| copy.maps().is_empty() && tensor_map::is_requested(*copy))
        .collect();
    let (reader, count) = (Reader::new(options), copies.len());
    let plans: Vec<_> = copies.into_iter().filter_map(|copy| Some((copy, plan(copy, &reader)?))).collect();
    let mut own_maps = OwnMaps::default();
    let made: Vec<_> =
        plans.iter().filter(|(copy, plan)| reported(*copy, want(*copy, plan, &reader, &mut own_maps))).collect();
    let mut complete = made.len() == count;
    for (copy, plan) in made {
        complete &= reported(*copy, make(*copy, plan, ir.rewriter(), &mut own_maps));
    }
    for copy in own_maps.unordered(options, out_of_order) {
        complete &= reported(copy, Err(MapError::Unordered));
    }
    complete
}

/// Whether all went well; reports why not.
fn reported(copy: CopyOp<'_, '_>, outcome: Result<(), MapError>) -> bool {
    outcome.map_err(|reason| Diagnostic::error(reason).emit(copy.0)).is_ok()
}

/// The tile that the maps of a plan describe.
///
/// # Errors
/// One whose run-time extents are not those that the plan numbers.
fn tile<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, plan: &TensorMapCopy) -> Result<Value<'c, 'a>, MapError> {
    let operand = copy.operand(plan.form.global()).ok_or(MapError::NoTile)?;
    let tile = tensor_map::whole(operand.value);
    let open = plan.parts.iter().flat_map(|part| &part.map.dims).any(|dim| dim.extent.open().is_some());
    // The plan numbers the dimensions of the whole tile as the last view orders them.
    let permuted = !root::parts(tile).is_empty();
    if open && permuted {
        return Err(MapError::Reordered);
    }
    Ok(if open { tile } else { root::root(tile) })
}

/// Checks that the maps of a plan can be made: on the host, or in the kernel, and there `once` where that is asked for.
///
/// # Errors
/// What only the kernel knows, and why it makes no map of that.
pub fn check(copy: CopyOp<'_, '_>, plan: &TensorMapCopy, reader: &Reader<'_>, once: bool) -> Result<(), MapError> {
    let tile = tile(copy, plan)?;
    let Err(unknown) = hoist::check_tile(tile) else { return Ok(()) };
    let is_made_once = || if once { own::check_once(tile) } else { Ok(()) };
    let check_part = |part: &Part| own::check(tile, &part.map, reader).and_then(|()| is_made_once());
    plan.parts
        .iter()
        .try_for_each(check_part)
        .map_err(|why| MapError::Neither { unknown: Box::new(unknown), made: Box::new(why) })
}

/// Counts the maps of a copy whose tile only the kernel knows.
///
/// # Errors
/// Such a tile that no map of the kernel can describe.
fn want<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    plan: &TensorMapCopy,
    reader: &Reader<'_>,
    own_maps: &mut OwnMaps<'c, 'a>,
) -> Result<(), MapError> {
    let tile = tile(copy, plan)?;
    let Err(unknown) = hoist::check_tile(tile) else { return Ok(()) };
    let checked = plan.parts.iter().try_for_each(|part| own::check(tile, &part.map, reader));
    checked.map_err(|why| MapError::Neither { unknown: Box::new(unknown), made: Box::new(why) })?;
    plan.parts.iter().for_each(|part| own_maps.want(tile, &part.map));
    Ok(())
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
/// As [`tile`].
fn make<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    plan: &TensorMapCopy,
    rewriter: Rewriter<'c, 'a>,
    own_maps: &mut OwnMaps<'c, 'a>,
) -> Result<(), MapError> {
    let tile = tile(copy, plan)?;
    let is_own = hoist::check_tile(tile).is_err();
    let builder = Builder::before(rewriter, copy.0);
    let map = |part: &Part| {
        if is_own {
            return own_maps.make(copy, tile, &part.map, rewriter);
        }
        let map = TensorMapType::new(builder.context, &part.map).ok_or(MapError::NoText)?;
        Ok(tile::tensor_map(builder, tile, map.as_type()).value())
    };
    let maps: Vec<Value<'c, 'a>> = plan.parts.iter().map(map).collect::<Result<_, MapError>>()?;
    let made = copies::again(copy.0, builder, copy.barrier(), &maps);
    made.map(drop).ok_or(MapError::Malformed)
}
