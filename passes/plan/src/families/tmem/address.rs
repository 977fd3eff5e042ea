//! Descriptors, tensor-memory addresses and registers of each tile or instruction of a tensor-memory copy.

use tile_isa::{TENSOR_LANES, WARP, WARPGROUP};
use tile_layout::{Axis, Eval, IndexArith, Iter};

use crate::families::tmem::access::TmemAccess;
use crate::families::tmem::copy::TmemCopy;
use crate::families::tmem::region::{LANE, address_iters, address_offset};
use crate::problem::refusal::Refusal;
use crate::problem::run_time::DynamicTerm;
use crate::sides::address::{digits, dynamic};
use crate::sides::side::Side;

/// Lanes that one warp of a warpgroup reaches (PTX ISA, tcgen05 access restrictions).
const WARP_LANES: i64 = TENSOR_LANES / (WARPGROUP / WARP);

/// The distance from the shared buffer's first element to tile `tile` of a copy, in units of 16 bytes, which is added
/// to the address field of the descriptor. `values` are the run-time values of the source.
///
/// # Errors
/// `missing-value` when `values` is too short; `malformed-tmem-copy` for tiles that do not start at multiples of 16
/// bytes.
pub fn tensor_descriptor_units<A: IndexArith>(
    a: &mut A,
    copy: &TmemCopy,
    tile: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let unit = 128 / i64::from(copy.element_bits.clamp(1, 128));
    let iters: Option<Vec<Iter>> = leading(&copy.src, copy.tile_iters)
        .iter()
        .map(|iter| Some(Iter::memory(iter.extent, whole(iter.stride, unit)?)))
        .collect();
    let terms: Option<Vec<DynamicTerm>> =
        copy.src.dynamic.iter().map(|&term| Some(DynamicTerm { stride: whole(term.stride, unit)?, ..term })).collect();
    let offset = whole(copy.src.layout.offset_on(Axis::Memory), unit);
    let (Some(iters), Some(terms), Some(offset)) = (iters, terms, offset) else {
        let reason = format!("the source's tiles start inside 16 bytes; needed multiples of {unit} elements");
        return Err(Refusal::new("malformed-tmem-copy", reason));
    };
    total(a, &iters, tile, &terms, offset, values)
}

/// The offset of tile `tile` of a copy from the tensor-memory address of the destination buffer. `values` are the
/// run-time values of the destination.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn tensor_address<A: IndexArith>(
    a: &mut A,
    copy: &TmemCopy,
    tile: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    tmem_address(a, &copy.dst, copy.tile_iters, copy.element_bits, tile, values)
}

/// The offset from the tensor-memory address of the buffer of instruction `instruction`, in the warp that `thread`
/// (scope-relative or in the block) belongs to. `values` are the run-time values of the tensor-memory side.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn access_address<A: IndexArith>(
    a: &mut A,
    access: &TmemAccess,
    instruction: A::Value,
    thread: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let iters = access.instruction_iters;
    let begin = tmem_address(a, &access.tmem, iters, access.element_bits, instruction, values)?;
    let (threads, warps) = (a.constant(WARP), a.constant(WARPGROUP / WARP));
    let warp = a.div(thread, threads);
    let warp = a.rem(warp, warps);
    let quarter = a.scale(warp, WARP_LANES * LANE);
    Ok(a.add(begin, quarter))
}

/// The first of the 32-bit registers of instruction `instruction`; the others follow it.
///
/// # Errors
/// `missing-value` for registers that depend on run-time values, which are not supported.
pub fn access_register(access: &TmemAccess, instruction: i64) -> Result<i64, Refusal> {
    let (side, bits) = (&access.registers, i64::from(access.element_bits));
    let words = |elements: i64| elements.saturating_mul(bits) / 32;
    let iters: Vec<Iter> = leading(side, access.instruction_iters)
        .iter()
        .map(|iter| Iter::new(iter.extent, words(iter.stride), iter.axis))
        .collect();
    total(&mut Eval, &iters, instruction, &side.dynamic, words(side.layout.offset_on(Axis::Memory)), &[])
}

fn tmem_address<A: IndexArith>(
    a: &mut A,
    side: &Side,
    count: usize,
    bits: u32,
    index: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let iters = address_iters(leading(side, count), bits);
    total(a, &iters, index, &side.dynamic, address_offset(&side.layout, bits), values)
}

/// The leading iters, which number instructions.
fn leading(side: &Side, count: usize) -> &[Iter] {
    side.layout.shard.get(..count).unwrap_or(&side.layout.shard)
}

/// `distance / unit` where it is whole.
fn whole(distance: i64, unit: i64) -> Option<i64> {
    (distance % unit == 0).then(|| distance / unit)
}

/// The address of position `index` of the iters, plus the run-time terms and the offset.
fn total<A: IndexArith>(
    a: &mut A,
    iters: &[Iter],
    index: A::Value,
    run_time: &[DynamicTerm],
    offset: i64,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let mut terms = Vec::new();
    digits(a, iters, index, &mut terms);
    dynamic(a, run_time, values, &mut terms)?;
    let terms = terms.into_iter().map(|step| a.scale(step.digit, step.stride)).collect();
    Ok(a.sum(terms, offset))
}
