//! The number of a warpgroup as a value that all lanes get from one.
//!
//! Where warpgroups multiply different rows, their descriptors follow from their numbers. `ptxas` keeps descriptors in registers that a
//! warp has once, and moves values there for each instruction if it does not know that lanes agree. It knows that of what a shuffle gives
//! to all lanes. So the number is computed and shuffled once, where the kernel begins:
//!
//! ```text
//!   %number = tile.assume %thread / 128 uniform(warpgroup)      ──▶  %word = nvvm.shfl.sync idx %number, lane 0
//! ```
//!
//! What is known of a number is not known of a shuffled one: this is done where nothing asks any more.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter, defining_op};
use tile_dialect::ops::Scope;
use tile_isa::{WARP, WARPGROUP};
use tile_ops::{Builder, arith, tile};

use crate::effects::wgmma::is_product_name;
use crate::emit::{Kit, scope_number};
use crate::read::divisibility::block;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::walk;

/// The ops by which a descriptor follows from a number.
const COMPUTES: [&str; 8] = [
    arith::OrIOp::NAME,
    arith::ExtUIOp::NAME,
    arith::AddIOp::NAME,
    arith::MulIOp::NAME,
    arith::RemUIOp::NAME,
    arith::DivUIOp::NAME,
    arith::IndexCastOp::NAME,
    arith::IndexCastUIOp::NAME,
];

/// Shuffles the numbers of warpgroups of which descriptors below the root are computed.
pub fn broadcast_numbers<'c: 'a, 'a>(root: OperationRef<'c, 'a>, reader: &Reader<'_>, rewriter: Rewriter<'c, 'a>) {
    let mut made: Vec<(OperationRef<'c, 'a>, Value<'c, 'a>)> = Vec::new();
    for product in walk::matching(root, is_product_name) {
        let Some(function) = kernel::function(product).filter(|&function| begins_with_whole_warps(function)) else {
            continue;
        };
        let is_own = |number: &OperationRef<'c, 'a>| {
            number.result_at(0).is_some_and(|value| reader.is_group_number(function, value.into(), WARPGROUP))
        };
        for number in product.operands().filter_map(number).filter(is_own) {
            let known = made.iter().find(|(of, _)| *of == function).map(|(_, value)| *value);
            let Some(value) = known.or_else(|| shuffled(product, function, rewriter)) else { continue };
            if known.is_none() {
                made.push((function, value));
            }
            rewriter.replace(number, &[value]);
        }
    }
}

/// Whether all lanes of all warps execute the begin of a function.
fn begins_with_whole_warps(function: OperationRef<'_, '_>) -> bool {
    let threads = block::size(function).ok().flatten().map(|size| size.iter().product::<i64>());
    (kernel::is_entry(function) || kernel::is_launch(function)) && threads.is_some_and(|count| count % WARP == 0)
}

/// The `tile.assume` of a value that is the same for a warpgroup, from which another value follows.
fn number<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let op = defining_op(value)?;
    match tile::AssumeOp::cast(op) {
        Some(assumed) => (assumed.uniform() == Some(Scope::Warpgroup)).then_some(op),
        None if COMPUTES.contains(&name(op)) => op.operands().find_map(number),
        None => None,
    }
}

/// The number of the warpgroup, from lane 0 of each warp, where the kernel begins.
fn shuffled<'c: 'a, 'a>(
    product: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let body = function.region_at(0)?.first_block()?;
    let go = |rewriter: Rewriter<'c, 'a>| rewriter.set_insertion_point_to_start(body);
    Builder::before(rewriter, product).elsewhere(go, |builder| {
        let kit = Kit::new(builder);
        let warpgroup = scope_number(builder, product, Scope::Warpgroup)?;
        let word = arith::index_cast(builder, warpgroup, kit.int_type(32)).value();
        let agreed = kit.shuffle_from(word, kit.i32(0));
        Some(arith::index_cast(builder, agreed, warpgroup.r#type()).value())
    })
}
