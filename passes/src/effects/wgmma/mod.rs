//! `wgmma`: products that read descriptors, and the registers of their sums.
//!
//! Sums are values, or a tile of registers, whose elements are packed before a product and unpacked after it. That moves nothing:
//!
//! ```text
//!   memref.load %sums[0] ─ llvm.insertvalue … ─ mma_async … mma_async ─ llvm.extractvalue [0] ─ memref.store %sums[0]
//! ```

mod packed;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Arguments, Parts, argument_of, defining_op};
use tile_ops::nvvm::{self, MMALayout, WGMMATypes};
use tile_ops::{llvm, llvm_type, memref, scf, tile};
use tile_plan::sync::Engine;
use tile_plan::touch::Collective;

use super::error::UnknownEffects;
use super::{AccessedMemory, Described, Effects, MemoryAccess, Participants};
use crate::read::divisibility;
use crate::read::name;
use crate::read::values::key;
use crate::walk;

pub use packed::PackedSums;

/// Rows of A of a product.
const ROWS: i64 = 64;

/// The effects of an operation of `wgmma`; [`super::groups`] has its groups.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    match name(op) {
        // It orders registers, which SSA values stand for here.
        nvvm::WgmmaFenceAlignedOp::NAME => Some(Ok(Effects::default())),
        nvvm::WgmmaMmaAsyncOp::NAME => nvvm::WgmmaMmaAsyncOp::cast(op).map(product),
        tile::WarpgroupMmaOp::NAME => tile::WarpgroupMmaOp::cast(op).map(product_of_registers),
        _ => None,
    }
}

/// Whether an operation, or one in it, multiplies by `wgmma`.
pub fn multiplies(op: OperationRef<'_, '_>) -> bool {
    !walk::matching(op, is_product_name).is_empty()
}

/// Whether an operation multiplies by `wgmma`: its first operand and its result are the sums.
pub fn is_product(op: OperationRef<'_, '_>) -> bool {
    is_product_name(name(op))
}

/// Whether operations of a name do.
pub fn is_product_name(name: &str) -> bool {
    [nvvm::WgmmaMmaAsyncOp::NAME, tile::WarpgroupMmaOp::NAME].contains(&name)
}

fn product<'c: 'a, 'a>(mma: nvvm::WgmmaMmaAsyncOp<'c, 'a>) -> Result<Effects<'c, 'a>, UnknownEffects> {
    let registers = llvm_type::struct_fields(mma.results().r#type()).ok_or(UnknownEffects::Sums)?;
    let columns = if mma.type_d() == Some(WGMMATypes::F16) { 4 * registers } else { 2 * registers };
    let halves = matches!(mma.type_a(), Some(WGMMATypes::F16 | WGMMATypes::Bf16));
    let left = factor("A", mma.descriptor_a(), ROWS, halves && mma.layout_a() == Some(MMALayout::Col));
    let right = factor("B", mma.descriptor_b(), columns, halves && mma.layout_b() == Some(MMALayout::Row));
    Ok(by_warpgroups([left, right].into_iter().chain(sums(mma.results()))))
}

fn product_of_registers<'c: 'a, 'a>(mma: tile::WarpgroupMmaOp<'c, 'a>) -> Result<Effects<'c, 'a>, UnknownEffects> {
    let registers = llvm_type::struct_fields(mma.result().r#type()).ok_or(UnknownEffects::Sums)?;
    // Nothing touches the registers of A until the product has been waited for: to others it looks as if it wrote them.
    let left = mma.a().find_map(tile_of_word).map(|tile| written(key(tile)));
    let right = factor("B", mma.b(), 2 * registers, mma.transposed());
    Ok(by_warpgroups([right].into_iter().chain(left).chain(sums(mma.result()))))
}

fn by_warpgroups<'c, 'a>(accesses: impl Iterator<Item = MemoryAccess<'c, 'a>>) -> Effects<'c, 'a> {
    Effects { by: Participants::Warpgroups, accesses: accesses.collect(), ..Effects::default() }
}

/// A factor in shared memory.
fn factor<'c: 'a, 'a>(
    name: &'static str,
    descriptor: Value<'c, 'a>,
    rows: i64,
    transposed: bool,
) -> MemoryAccess<'c, 'a> {
    let tile = Described { name, descriptor, rows, transposed, is_of_tensor: false, is_known: true };
    MemoryAccess { collective: Collective::Warp, ..MemoryAccess::read(AccessedMemory::Descriptor(tile), Engine::WGMMA) }
}

fn written<'c: 'a, 'a>(registers: usize) -> MemoryAccess<'c, 'a> {
    MemoryAccess::write(AccessedMemory::Accumulator(registers), Engine::WGMMA)
}

fn sums<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<MemoryAccess<'c, 'a>> {
    accumulator(value).map(written)
}

/// The registers that hold a value, if it is a sum of products: named by the first product in the chain that adds to it, or by
/// the value that a loop around them carries.
fn accumulator(value: Value<'_, '_>) -> Option<usize> {
    let Some(op) = defining_op(value) else {
        let (block, place) = argument_of(value)?;
        let for_op = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0)?;
        return handed(for_op, place - 1);
    };
    match name(op) {
        _ if is_product(op) => {
            let sums = op.operand_at(0)?;
            let known = accumulator(sums).or_else(|| Some(key(packed_tile(sums)?)));
            Some(known.unwrap_or_else(|| key(value)))
        }
        scf::ForOp::NAME => {
            let same = |place: &usize| op.result_at(*place).is_some_and(|result| key(result.into()) == key(value));
            handed(op, (0..op.result_count()).find(same)?)
        }
        _ => None,
    }
}

/// The tile of registers whose elements a product adds to, if its sum is packed from one.
pub fn tile_of_sums<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    packed_tile(product.operand_at(0)?)
}

/// The tile of registers of which a product has its left factor.
pub fn tile_of_left_factor<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    tile::WarpgroupMmaOp::cast(product)?.a().find_map(tile_of_word)
}

/// The tile of registers of which a word is made.
fn tile_of_word<'c: 'a, 'a>(word: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let mut made = std::iter::successors(defining_op(word), |op| defining_op(op.operand_at(0)?));
    let tile = made.find(|op| name(*op) == tile::LocalViewOp::NAME)?.operand_at(0)?;
    defining_op(tile).filter(|op| name(*op) == tile::AllocOp::NAME).map(|_| tile)
}

/// The tile from whose registers a value is packed.
fn packed_tile<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let load = defining_op(defining_op(value).filter(|op| name(*op) == llvm::InsertValueOp::NAME)?.operand_at(1)?)?;
    Some(register(load, 0)?.0)
}

/// Whether an operation accesses a tile of registers, regardless of the operations in it.
pub fn accesses_tile(op: OperationRef<'_, '_>, tile: usize) -> bool {
    let is_tile = |value| key(value) == tile;
    let is_view = |value| {
        let view = defining_op(value).filter(|view| name(*view) == tile::LocalViewOp::NAME);
        view.and_then(|view| view.operand_at(0)).is_some_and(is_tile)
    };
    name(op) != tile::LocalViewOp::NAME && op.operands().any(|value| is_tile(value) || is_view(value))
}

/// The tile, as it is allocated, and the register that a load or a store of one element accesses.
fn register<'c: 'a, 'a>(op: OperationRef<'c, 'a>, memory: usize) -> Option<(Value<'c, 'a>, i64)> {
    [memref::LoadOp::NAME, memref::StoreOp::NAME].contains(&name(op)).then_some(())?;
    let view = defining_op(op.operand_at(memory)?).filter(|op| name(*op) == tile::LocalViewOp::NAME)?;
    let tile = view.operand_at(0)?;
    defining_op(tile).filter(|op| name(*op) == tile::AllocOp::NAME)?;
    Some((tile, divisibility::infer(op.operand_at(memory + 1)?).constant()?))
}

/// A value that a loop carries, if it is a sum.
fn handed(for_op: OperationRef<'_, '_>, place: usize) -> Option<usize> {
    if !is_handed(for_op, place) {
        return None;
    }
    let first = for_op.operand_at(place + 3)?;
    let block = for_op.region_at(0)?.first_block()?;
    Some(accumulator(first).unwrap_or(key(block.argument_at(place + 1)?.into())))
}

/// Whether an iteration passes a sum to the next.
fn is_handed(for_op: OperationRef<'_, '_>, place: usize) -> bool {
    let last = || {
        let end = for_op.region_at(0)?.first_block()?.terminator()?;
        let value = end.operand_at(place)?;
        let made = defining_op(value)?;
        let inner = (0..made.result_count())
            .find(|at| made.result_at(*at).is_some_and(|result| key(result.into()) == key(value)));
        match name(made) {
            _ if is_product(made) => Some(true),
            scf::ForOp::NAME => Some(is_handed(made, inner?)),
            _ => None,
        }
    };
    last().unwrap_or(false)
}
