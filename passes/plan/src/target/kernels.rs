//! What a portable target supports in a kernel with copies: block size, shared memory, types and operations.
//!
//! ```
//! use tile_plan::target::{Target, kernels};
//!
//! let browser = Target::portable("webgpu").unwrap();
//! assert!(kernels::block(Some([256, 1, 1]), &browser).is_ok());
//! assert_eq!(kernels::block(Some([512, 1, 1]), &browser).unwrap_err().cause, "block-exceeds-target");
//! ```

use crate::problem::refusal::Refusal;
use crate::target::Target;

/// The most threads of a block in z: the limit of Vulkan and WebGPU, the lowest of all targets.
const DEPTH: i64 = 64;

/// Checks the size of a block.
///
/// # Errors
/// An unknown size, since shaders declare it, or a size that the target does not guarantee.
pub fn block(size: Option<[i64; 3]>, target: &Target) -> Result<[i64; 3], Refusal> {
    let Some(size) = size else {
        let reason = format!("{target} takes kernels of one block size; got none, expected known_block_size");
        return Err(Refusal::new("block-size-unknown", reason));
    };
    let most = target.api().map_or(0, |api| api.threads);
    let threads = size.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
    if size.iter().all(|extent| *extent > 0) && threads.is_some_and(|threads| threads <= most) && size[2] <= DEPTH {
        return Ok(size);
    }
    let [x, y, z] = size;
    let larger = threads.filter(|_| size.iter().all(|extent| *extent > 0) && z <= DEPTH).and_then(larger);
    let larger = larger.map_or(String::new(), |(name, most)| format!("; {name} has {most}"));
    let reason =
        format!("got blocks of {x}x{y}x{z} threads, {target} has at most {most}, of them {DEPTH} in z{larger}");
    Err(Refusal::new("block-exceeds-target", reason))
}

/// The portable target with the fewest threads in a block that has at least `threads`, and their number.
fn larger(threads: i64) -> Option<(&'static str, i64)> {
    let most = |name| Target::portable(name).ok().and_then(|target| target.api().map(|api| api.threads));
    let rows = Target::portable_names().filter_map(|name| Some((name, most(name)?)));
    rows.filter(|(_, most)| *most >= threads).min_by_key(|(_, most)| *most)
}

/// Checks the size of a block's shared memory.
///
/// # Errors
/// More than the target guarantees.
pub fn shared(bytes: i64, target: &Target) -> Result<(), Refusal> {
    let most = target.api().map_or(0, |api| api.workgroup_bytes);
    if bytes <= most {
        return Ok(());
    }
    let reason = format!("needs {bytes} bytes of shared memory, {target} has {most}");
    Err(Refusal::new("shared-memory-exceeds-target", reason))
}

/// Checks that the target has arithmetic on 64-bit floats.
///
/// # Errors
/// A target without them.
pub fn floats_64(target: &Target) -> Result<(), Refusal> {
    if target.api().is_some_and(|api| api.floats_64) {
        return Ok(());
    }
    Err(Refusal::new("target-lacks-64-bit-floats", format!("computes with f64, which {target} does not")))
}

/// Checks that the target can update an element of `bits` bits atomically.
///
/// # Errors
/// An element of more than 32 bits: compare-and-swap of words is all that shading languages guarantee.
pub fn atomic(bits: u32, target: &Target) -> Result<(), Refusal> {
    if bits <= 32 {
        return Ok(());
    }
    let reason = format!("updates elements of {bits} bits atomically, {target} those of at most 32");
    Err(Refusal::new("target-lacks-64-bit-atomics", reason))
}

/// An index constant in the 32 bits of an index.
///
/// # Errors
/// A constant that does not fit.
pub fn index(value: i64, target: &Target) -> Result<u64, Refusal> {
    i32::try_from(value).map(|value| u64::from(value.cast_unsigned())).map_err(|_| {
        let reason = format!("uses index {value}; those of {target} have 32 bits, with their sign");
        Refusal::new("index-beyond-32-bits", reason)
    })
}

/// The refusal of an operation that a target has no form for.
pub fn operation(name: &str, target: &Target) -> Refusal {
    let reason = format!(
        "has no form for {target}: {name}; expected tile copies without NVIDIA's instructions, barriers of the block, \
         scf.for, scf.if, scf.while, and arith, vector and memref on numbers of at most 64 bits"
    );
    Refusal::new("target-lacks-operation", reason)
}

/// The refusal of a type that a target has no form for.
pub fn r#type(name: &str, target: &Target) -> Refusal {
    let reason = format!(
        "has a value of type {name}, for which {target} has no form; expected integers of 1, 8, 16, 32 or 64 bits, floats, \
         vectors of these, memrefs of them with strides in global, shared or a thread's memory"
    );
    Refusal::new("target-lacks-type", reason)
}

/// Checks that arguments do not overlap.
///
/// # Errors
/// Arguments that may overlap: bindings are distinct buffers.
pub fn overlap(may: bool, target: &Target) -> Result<(), Refusal> {
    if !may {
        return Ok(());
    }
    let reason =
        format!("has arguments that may overlap, tile.noalias = false; the buffers of {target} are different ones");
    Err(Refusal::new("arguments-overlap", reason))
}

/// Checks that the target can shuffle the lanes of a warp.
///
/// # Errors
/// A portable target: its subgroups are not known to be warps.
pub fn shuffles(target: &Target) -> Result<(), Refusal> {
    if target.api().is_none() {
        return Ok(());
    }
    let reason = format!("shuffles lanes of warps; the subgroups of {target} are not known to be warps");
    Err(Refusal::new("target-lacks-shuffles", reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_row() {
        let target = |name| Target::portable(name).unwrap();
        let cause = |outcome: Result<[i64; 3], Refusal>| outcome.map_err(|refusal| refusal.cause);
        assert_eq!(cause(block(Some([16, 8, 1]), &target("vulkan1.2"))), Ok([16, 8, 1]));
        assert_eq!(cause(block(Some([16, 16, 1]), &target("vulkan1.2"))), Err("block-exceeds-target"));
        assert_eq!(cause(block(Some([1, 1, 128]), &target("vulkan1.2"))), Err("block-exceeds-target"));
        assert_eq!(cause(block(Some([i64::MAX, 2, 1]), &target("metal"))), Err("block-exceeds-target"));
        let reason = |size, name| block(Some(size), &target(name)).unwrap_err().to_string();
        assert!(reason([256, 1, 1], "vulkan1.2").ends_with("; vulkan1.2-64 has 256"));
        assert!(reason([1 << 20, 1, 1], "vulkan1.2").ends_with(" in z"));
        assert_eq!(cause(block(None, &target("metal"))), Err("block-size-unknown"));
        assert!(shared(16384, &target("webgpu")).is_ok() && shared(16385, &target("webgpu")).is_err());
        assert!(atomic(32, &target("metal")).is_ok());
        assert_eq!(atomic(64, &target("metal")).unwrap_err().cause, "target-lacks-64-bit-atomics");
        assert!(floats_64(&target("vulkan1.2-64")).is_ok() && floats_64(&target("vulkan1.2")).is_err());
        assert_eq!(index(-4, &target("d3d12")).ok(), Some(0xffff_fffc));
        assert!(index(1 << 31, &target("d3d12")).is_err());
        assert!(shuffles(&Target::parse("sm_80").unwrap()).is_ok() && shuffles(&target("metal")).is_err());
    }
}
