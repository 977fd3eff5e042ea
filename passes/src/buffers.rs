//! Tiles as values: loops carry them, branches and selects forward them, and functions take them.
//!
//! ```text
//!   %x = scf.if %c { yield %a } else { yield %a }          is %a
//!   %y = scf.if %c { yield %a } else { yield %b }          a pointer, which is that of %a or of %b
//! ```
//! A tile of registers has no address: it must be the first case, or is refused.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts, argument_of, arguments_of, defining_op, is_used, parent_of, results_of, uses};
use tile_dialect::{BufferType, Space};
use tile_ops::tile;

use crate::read::{joins, name};
use crate::{shim, walk};

/// Replaces tiles below the root that are values of control flow or of functions by their parts; `false`, after errors, where a
/// tile is not known.
pub fn convert(ir: &mut Ir<'_>) -> bool {
    if !shim::has_buffer_values(ir.root()) {
        return true;
    }
    resolve(ir);
    refuse(ir.root()) && shim::convert_buffer_types(ir)
}

/// The tiles that no op of the tile dialect makes.
fn forwarded_tiles<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut tiles = Vec::new();
    for op in walk::matching(root, |_| true) {
        if !name(op).starts_with(tile::PREFIX) {
            tiles.extend(results_of(op));
        }
        for region in 0..op.region_count() {
            let mut next = op.region_at(region).and_then(|region| region.first_block());
            while let Some(block) = next {
                tiles.extend(arguments_of(block));
                next = block.next_in_region();
            }
        }
    }
    tiles.retain(|value| BufferType::from_type(value.r#type()).is_some());
    tiles
}

/// Replaces a value that can be one tile only by that tile.
fn resolve(ir: &mut Ir<'_>) {
    let rewriter = ir.rewriter();
    for value in forwarded_tiles(ir.root()) {
        let Some([leaf]) = joins::leaves(value).and_then(|leaves| <[Value<'_, '_>; 1]>::try_from(leaves).ok()) else {
            continue;
        };
        if !is_around(leaf, value) {
            continue;
        }
        for (user, operand) in uses(value) {
            rewriter.set_operand(user, operand, leaf);
        }
    }
}

/// Whether `value` is inside of the region in which `leaf` is made. All that flows into the value is the leaf, so that comes
/// before it.
fn is_around(leaf: Value<'_, '_>, value: Value<'_, '_>) -> bool {
    let Some(around) = parent_of(leaf) else { return false };
    std::iter::successors(parent_of(value), |op| op.parent_operation()).any(|op| op == around)
}

/// Refuses registers and tensor memory that are selected, or passed to a function: they have no address to pass.
fn refuse(root: OperationRef<'_, '_>) -> bool {
    let mut complete = true;
    for value in forwarded_tiles(root) {
        let space = BufferType::from_type(value.r#type()).map(BufferType::space);
        let Some(space @ (Space::Local | Space::Tmem)) = space else { continue };
        let op = defining_op(value).or_else(|| argument_of(value).and_then(|(block, _)| block.parent_operation()));
        if let Some(op) = op.filter(|_| is_used(value)) {
            complete = false;
            Diagnostic::error(format!(
                "forwards a {} tile that is known only at run time, expected the same one always: copy in each branch, \
                 unroll the loop, or inline the function",
                space.name()
            ))
            .emit(op);
        }
    }
    complete
}
