//! The variants of a copy: one file each.
//!
//! | variant | priority | moves |
//! | --- | --- | --- |
//! | `vec_16b` to `vec_256b` | 20, only when named | one access of that width, per thread |
//! | `ldstmatrix` | 10 | 8x8 16-bit matrices between shared memory and the registers of warps |
//! | `gmem_smem` | 10 | between global and shared memory, by a partition made up here |
//! | `reg` | 10 | between registers and memory, by the partition of the register layout |
//! | `fallback` | 0 | anything, one element at a time |
//!
//! Those of an asynchronous copy:
//!
//! | variant | priority | moves |
//! | --- | --- | --- |
//! | `ldgsts` | 20 | from global to shared memory through `cp.async`, by the partition of `gmem_smem` |
//! | `dsmem` | 10 | from shared memory to that of another CTA, in bulk copies |
//! | `tcgen05_cp` | 10 | tiles of shared memory to tensor memory |
//! | `tcgen05_ldst` | 10 | between tensor memory and the registers of a warpgroup |
//! | `synchronous` | 0 | what a synchronous copy moves, where nothing else was asked |

mod dsmem;
mod fallback;
mod forced;
mod gmem_smem;
mod ldgsts;
mod ldstmatrix;
mod reg;
mod synchronous;
mod tcgen05_cp;
mod tcgen05_ldst;

use crate::plan::{Aligned, Decline, Refusal};
use crate::problem::Problem;
use crate::target::Target;

/// A way to do a copy.
pub trait Variant: Sync {
    /// What it is called, also as a forced variant.
    fn name(&self) -> &'static str;

    /// Variants of higher priority are asked first; ties keep the order of [`all`].
    fn priority(&self) -> u32;

    /// Is it asked only when named?
    fn only_when_forced(&self) -> bool {
        false
    }

    /// Does it plan vectors of a partition, for the next stage to choose their width?
    fn partitions(&self) -> bool {
        false
    }

    /// Stage 1 of the plan.
    ///
    /// # Errors
    /// Why this variant does not take the copy. The first cause found is the one that is given.
    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline>;
}

/// Every variant, in the order in which they are asked.
pub fn all() -> &'static [&'static dyn Variant] {
    const ALL: &[&dyn Variant] = &[
        &forced::ForcedWidth { name: "vec_256b", bits: 256 },
        &forced::ForcedWidth { name: "vec_128b", bits: 128 },
        &forced::ForcedWidth { name: "vec_64b", bits: 64 },
        &forced::ForcedWidth { name: "vec_32b", bits: 32 },
        &forced::ForcedWidth { name: "vec_16b", bits: 16 },
        &ldstmatrix::LdStMatrix,
        &gmem_smem::GlobalShared,
        &reg::Registers,
        &fallback::Fallback,
    ];
    ALL
}

/// Every variant of an asynchronous copy, in the order in which they are asked.
pub fn all_async() -> &'static [&'static dyn Variant] {
    const ALL: &[&dyn Variant] = &[
        &ldgsts::LdGsts,
        &dsmem::ClusterShared,
        &tcgen05_cp::TensorCp,
        &tcgen05_ldst::TensorLdSt,
        &synchronous::Synchronous,
    ];
    ALL
}

/// The variants that take part in a copy, synchronous or not.
pub fn of(asynchronous: bool) -> &'static [&'static dyn Variant] {
    if asynchronous { all_async() } else { all() }
}

/// The variant's plan, if it may be chosen.
///
/// # Errors
/// `variant-not-allowed`, or why the variant does not take the copy.
pub fn ask(variant: &dyn Variant, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
    match &problem.allowed {
        Some(allowed) if !allowed.iter().any(|name| name == variant.name()) => {
            let reason = format!("the pass option 'variants' does not allow it; allowed: {}", allowed.join(", "));
            Err(Refusal::new("variant-not-allowed", reason).by(variant.name()))
        }
        _ => variant.plan(problem, target),
    }
}

/// Does a `tcgen05_ldst` plan of this copy take 64 rows of 128 lanes for datapath F, row `16 w + i` in lane `32 w + i`?
/// The layout alone says lane `16 w + i`, which no fragment of 16 lanes reaches.
pub fn reads_half_slabs(problem: &Problem) -> bool {
    tcgen05_ldst::reads_half_slabs(problem)
}

/// The variants of either kind that plan vectors of a partition.
pub fn partitioning() -> impl Iterator<Item = &'static dyn Variant> {
    all().iter().chain(all_async()).copied().filter(|variant| variant.partitions())
}

/// The variant of that name, of either kind.
pub fn by_name(name: &str) -> Option<&'static dyn Variant> {
    all().iter().chain(all_async()).copied().find(|variant| variant.name() == name)
}
