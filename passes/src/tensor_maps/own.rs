//! Maps of tiles that only the kernel knows, as the matrices of a group: the host makes a template of each, which the kernel changes
//! where it makes the tile. The changed maps are in memory that the kernel takes for them.
//!
//! ```mlir
//!   gpu.func @group(…, %W: memref<?x128xi8> {tile.map_workspace}) kernel
//!     %scratch = tile.alloc : !tile.buffer<128xi8, shared>                 once
//!     %first = the number of the block * maps of the kernel
//!     %any = tile.view of the address of %W, with extents of 1             a template for each map, which hoist moves to the host
//!     %map = tile.tensor_map %any
//!     …
//!     %a = tile.view %pointer extents(%rows)
//!     %own = tile.update_map %map to %a in(row %first + k of %W) scratch(%scratch) scope(cta)
//! ```
//!
//! | needed | since |
//! | --- | --- |
//! | all threads of the block make the tile, of numbers that they agree on | they change the map together |
//! | run-time strides are known to be multiples of 16 bytes | a GPU drops the low bits |
//! | the tile is made in no loop; or copies through the map are complete when it is made again, which the order of accesses tells | the engine may still read the map |

use std::collections::BTreeMap;

use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, Rewriter, defining_op};
use tile_dialect::ops::CopyOp;
use tile_isa::Scope;
use tile_layout::counted;
use tile_ops::{Builder, scf};
use tile_plan::families::tensor_map::{MapDim, Stride, TensorMap};
use tile_plan::problem::threads::Active;

use super::error::MapError;
use super::workspace::{self, MapWorkspace};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::values::{self, key};
use crate::read::{kernel, name, root, run_time};
use crate::report::COPIES;

/// The operations around which a kernel goes once at most.
const ONCE: [&str; 3] = [scf::IfOp::NAME, scf::IndexSwitchOp::NAME, scf::ExecuteRegionOp::NAME];

/// For each of some operations of a kernel, whether what it accesses is not known to be in order with all else.
pub type OutOfOrder = fn(OperationRef<'_, '_>, &[OperationRef<'_, '_>], &LoweringOptions) -> Vec<bool>;

/// Why a copy of a tile that only the kernel knows has no map of its own.
///
/// # Errors
/// What was found, and what is expected instead.
pub fn check<'c: 'a, 'a>(tile: Value<'c, 'a>, map: &TensorMap, reader: &Reader<'_>) -> Result<(), MapError> {
    let made = defining_op(tile).ok_or(MapError::NotMade)?;
    let function = kernel::function(made).filter(|&function| kernel::is_entry(function));
    let function = function.ok_or(MapError::NoKernel)?;
    workspace::argument(function)?;
    let target = reader.target(made)?;
    if !target.has_map_updates() {
        return Err(MapError::NoUpdates(target.to_string()));
    }
    if map.pixels != 0 {
        return Err(MapError::Pixels);
    }
    if reader.threads(made, Scope::Cta)?.active != Active::All {
        return Err(MapError::SomeThreads);
    }
    let root_op = defining_op(root::root(tile)).unwrap_or(made);
    if let Some(value) = values::operands(root_op).into_iter().find(|&value| !reader.is_uniform(function, value)) {
        return Err(MapError::Differs(value.r#type().to_string()));
    }
    check_strides(tile, map)
}

/// Requires a tile that its kernel makes once at most.
///
/// # Errors
/// One that is made in a loop.
pub fn check_once(tile: Value<'_, '_>) -> Result<(), MapError> {
    let made = defining_op(tile);
    let is_in_loop =
        made.is_some_and(|made| kernel::function(made).is_some_and(|function| is_repeated(made, function)));
    if is_in_loop { Err(MapError::InLoop) } else { Ok(()) }
}

/// Requires run-time strides that a map has.
fn check_strides(tile: Value<'_, '_>, map: &TensorMap) -> Result<(), MapError> {
    let strides = run_time::strides(root::root(tile));
    for dim in &map.dims {
        let Stride::Times { stride, bytes } = dim.stride else { continue };
        let known = strides.get(stride).map_or(1, |stride| stride.known().factor());
        if known.saturating_mul(bytes) % 16 != 0 {
            return Err(MapError::StrideBytes(known.saturating_mul(bytes)));
        }
    }
    Ok(())
}

/// The maps of tiles of their own, by kernel.
#[derive(Default)]
pub struct OwnMaps<'c, 'a> {
    kernels: Vec<ChangedMaps<'c, 'a>>,
}

/// A map that a kernel changes.
#[derive(Clone, Copy)]
struct OwnMap<'c, 'a> {
    changed: Value<'c, 'a>,
    /// A copy that goes through it.
    copy: CopyOp<'c, 'a>,
}

/// Those of a kernel.
struct ChangedMaps<'c, 'a> {
    function: OperationRef<'c, 'a>,
    /// Each by its tile, and by its fields.
    wanted: Vec<(usize, TensorMap)>,
    /// Where they are.
    workspace: Option<MapWorkspace<'c, 'a>>,
    /// Those that have been made.
    made: BTreeMap<usize, OwnMap<'c, 'a>>,
}

impl<'c: 'a, 'a> OwnMaps<'c, 'a> {
    /// Counts a map that will be made.
    pub fn want(&mut self, tile: Value<'c, 'a>, map: &TensorMap) {
        let Some(function) = defining_op(tile).and_then(kernel::function) else { return };
        let place = self.kernels.iter().position(|kernel| kernel.function == function).unwrap_or_else(|| {
            self.kernels.push(ChangedMaps { function, wanted: Vec::new(), workspace: None, made: BTreeMap::new() });
            self.kernels.len() - 1
        });
        let (entry, wanted) = ((key(tile), map.clone()), &mut self.kernels[place].wanted);
        if !wanted.contains(&entry) {
            wanted.push(entry);
        }
    }

    /// The map of a copy's tile, one that was counted.
    ///
    /// # Errors
    /// A workspace that cannot be read.
    pub fn make(
        &mut self,
        copy: CopyOp<'c, 'a>,
        tile: Value<'c, 'a>,
        map: &TensorMap,
        rewriter: Rewriter<'c, 'a>,
    ) -> Result<Value<'c, 'a>, MapError> {
        let made_by = defining_op(tile).ok_or(MapError::NotCounted)?;
        let function = kernel::function(made_by).ok_or(MapError::NotCounted)?;
        let maps = self.kernels.iter_mut().find(|kernel| kernel.function == function).ok_or(MapError::NotCounted)?;
        let number = maps.wanted.iter().position(|one| *one == (key(tile), map.clone())).ok_or(MapError::NotCounted)?;
        if let Some(known) = maps.made.get(&number) {
            return Ok(known.changed);
        }
        let builder = Builder::before(rewriter, copy.0);
        let body = function.region_at(0).and_then(|region| region.first_block()).ok_or(MapError::NotCounted)?;
        let r#type = TensorMapType::new(builder.context, map).ok_or(MapError::NoText)?;
        let go = |rewriter: Rewriter<'c, 'a>| rewriter.set_insertion_point_to_start(body);
        let workspace = match maps.workspace {
            Some(known) => known,
            None => builder.elsewhere(go, |builder| MapWorkspace::new(builder, function, maps.wanted.len()))?,
        };
        maps.workspace = Some(workspace);
        let template = builder.elsewhere(go, |builder| workspace.template(builder, tile, r#type.as_type()));
        let template = template.ok_or(MapError::NoTemplate)?;
        let after = |rewriter: Rewriter<'c, 'a>| rewriter.set_insertion_point_after(made_by);
        let changed = builder.elsewhere(after, |builder| workspace.update(builder, template, tile, number));
        let changed = changed.ok_or(MapError::Rows)?;
        report(copy, map, number, maps.wanted.len());
        maps.made.insert(number, OwnMap { changed, copy });
        Ok(changed)
    }

    /// The copies through a map that is changed again in a loop before they are known to be complete.
    pub fn unordered(&self, options: &LoweringOptions, out_of_order: OutOfOrder) -> Vec<CopyOp<'c, 'a>> {
        let mut copies = Vec::new();
        for kernel in &self.kernels {
            let again = |map: &&OwnMap<'c, 'a>| {
                defining_op(map.changed).is_some_and(|update| is_repeated(update, kernel.function))
            };
            let repeated: Vec<_> = kernel.made.values().filter(again).copied().collect();
            let updates: Vec<_> = repeated.iter().filter_map(|map| defining_op(map.changed)).collect();
            let unproved = out_of_order(kernel.function, &updates, options);
            let unproved = repeated.iter().zip(unproved).filter(|(_, unproved)| *unproved);
            copies.extend(unproved.map(|(map, _)| map.copy));
        }
        copies
    }
}

/// Says what a map costs: where the tile is made, the fields that are replaced, and a row of the workspace.
fn report(copy: CopyOp<'_, '_>, map: &TensorMap, number: usize, maps: usize) {
    let is_open = |dim: &MapDim| [dim.extent.open().is_some(), matches!(dim.stride, Stride::Times { .. })];
    let replaced = 1 + map.dims.iter().flat_map(is_open).filter(|&open| open).count() as i64;
    let fields = counted(replaced, "field");
    let text = format!(
        "goes through a map that the kernel changes where it makes the tile: {fields} replaced, in row {number} of {maps} that \
         each block has in the workspace"
    );
    let args = [("Fields", replaced.to_string()), ("Maps", maps.to_string())];
    COPIES.emit(copy.0, RemarkKind::Passed, "map-of-kernel", &text, &args);
}

/// Whether a kernel may go through an op more than once.
fn is_repeated<'c: 'a, 'a>(op: OperationRef<'c, 'a>, function: OperationRef<'c, 'a>) -> bool {
    let around = kernel::ancestors(op).take_while(|around| *around != function);
    let body = function.region_at(0).and_then(|region| region.first_block());
    let has_branches = body.is_some_and(|body| body.next_in_region().is_some());
    has_branches || around.into_iter().any(|around| !ONCE.contains(&name(around)))
}
