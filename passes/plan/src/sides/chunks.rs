//! Chunks of 16 bytes and multiples, which the units that copy and prefetch asynchronously take.

use tile_isa::CHUNK_BITS;
use tile_layout::Layout;

use super::side::Side;
use super::width::obstacle;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// Requires the runs of a side to be chunks by themselves: multiples of 16 bytes that start at multiples of 16 bytes.
///
/// # Errors
/// `chunk-not-16-bytes`, or why an address is not proven to be such a multiple.
pub(crate) fn whole_runs(side: &Side, role: Role, element_bits: u32) -> Result<(), Refusal> {
    let unit = i64::from(CHUNK_BITS / element_bits);
    multiple_of_16(side.layout.shard.last().map_or(1, |run| run.extent), unit, element_bits, "")?;
    aligned(side, role, unit, element_bits)
}

/// Requires a run to be a multiple of 16 bytes; `both` says on which sides it is contiguous.
///
/// # Errors
/// `chunk-not-16-bytes`.
pub(crate) fn multiple_of_16(run: i64, unit: i64, element_bits: u32, both: &str) -> Result<(), Refusal> {
    if run % unit == 0 {
        return Ok(());
    }
    let bytes = i128::from(run) * i128::from(element_bits) / 8;
    let reason = format!("chunk_bytes={bytes}, contiguous{both}; needed 16 or a multiple");
    Err(Refusal::new("chunk-not-16-bytes", reason))
}

/// Requires chunks to start at multiples of 16 bytes before the swizzle. It moves whole chunks, so they do after it,
/// too.
///
/// # Errors
/// Why an address is not proven to be such a multiple.
pub(crate) fn aligned(side: &Side, role: Role, unit: i64, element_bits: u32) -> Result<(), Refusal> {
    let plain = Side { layout: Layout { swizzle: None, ..side.layout.clone() }, ..side.clone() };
    let narrowing = obstacle(&plain, role, unit, CHUNK_BITS, i64::from(element_bits / 8));
    narrowing.map_or(Ok(()), |found| {
        let promise = match found.cause {
            "dynamic-begin-not-divisible" => format!(" (tile.assume … divisible_by {unit} would promise it)"),
            "storage-alignment" => " (llvm.align = 16 on the memory would promise it)".to_owned(),
            _ => String::new(),
        };
        let reason = format!("its chunks begin at multiples of 16 bytes{promise}: {}", found.reason);
        Err(Refusal { cause: found.cause, reason, operand: found.operand })
    })
}
