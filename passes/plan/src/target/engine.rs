//! Instructions that not every chip has, one row each. Those that only one family uses are in its folder.

use crate::problem::refusal::Refusal;
use crate::target::Target;

/// An instruction, or a memory with its instructions, that not every chip has.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Engine {
    /// The cause of a refusal where a chip does not have it.
    pub cause: &'static str,
    /// The chips that have it, for messages and tables.
    pub chips: &'static str,
    /// The least and the greatest number of a chip that has it.
    numbers: (u32, u32),
    /// Whether only architecture-specific (`a`) and family-specific (`f`) targets have it.
    suffixed: bool,
    /// The least PTX version, times ten.
    ptx: u32,
}

impl Engine {
    /// An instruction of all chips from `number` on, in PTX from version `ptx` (times ten) on.
    pub(crate) const fn since(cause: &'static str, chips: &'static str, number: u32, ptx: u32) -> Self {
        Engine { cause, chips, numbers: (number, u32::MAX), suffixed: false, ptx }
    }

    /// Refuses a chip without it; `what` is the start of the message: `ldmatrix needs`.
    pub(crate) fn check(&self, target: &Target, what: &str) -> Result<(), Refusal> {
        if target.has(self) {
            return Ok(());
        }
        Err(Refusal::new(self.cause, format!("{what} {}; got {target}", self.chips)))
    }
}

/// `ldmatrix` of 8x8 16-bit matrices.
pub static LDMATRIX: Engine = Engine::since("chip-lacks-ldmatrix", "sm_75 or later", 75, 65);
/// `stmatrix` of 8x8 16-bit matrices.
pub static STMATRIX: Engine = Engine::since("chip-lacks-stmatrix", "sm_90 or later", 90, 0);
/// `cp.async` from global to shared memory.
pub static CP_ASYNC: Engine = Engine::since("chip-lacks-cp-async", "sm_80 or later", 80, 0);
/// Clusters of CTAs, and copies to the shared memory of another CTA.
pub static CLUSTER_COPY: Engine = Engine::since("chip-lacks-clusters", "sm_90 or later", 90, 80);
/// 256-bit loads and stores of global memory.
pub static WIDE_GLOBAL: Engine = Engine::since("chip-lacks-256-bit-access", "sm_100 or later", 100, 88);
/// `cvt` to and from 8-bit floats (PTX ISA, cvt, target notes).
pub static FP8_CONVERSION: Engine =
    Engine::since("chip-lacks-fp8-conversion", "sm_89 or later, with PTX 8.1 or later", 89, 81);
/// `L2::256B` prefetches of loads.
pub static PREFETCH_256: Engine = Engine::since("chip-lacks-prefetch-size", "sm_80 or later", 80, 0);
/// `redux.sync`, which reduces 32-bit integers over a warp (PTX ISA, redux.sync, target notes).
pub static REDUX: Engine = Engine::since("chip-lacks-redux", "sm_80 or later", 80, 70);
/// Tensor memory and the tcgen05 instructions: the chips and families of sm_100 to sm_110, not the plain chips and not
/// sm_120 (PTX ISA, tcgen05.cp, target notes).
pub static TENSOR_MEMORY: Engine = Engine {
    cause: "chip-lacks-tcgen05",
    chips: "a chip or family of sm_100 to sm_110, as sm_100a",
    numbers: (100, 110),
    suffixed: true,
    ptx: 0,
};

/// `wgmma`: sm_90a alone (PTX ISA, wgmma.mma_async, target notes).
pub static WARPGROUP_PRODUCTS: Engine =
    Engine { cause: "chip-lacks-wgmma", chips: "sm_90a", numbers: (90, 90), suffixed: true, ptx: 0 };

impl Target {
    /// Whether the chip has it, in the PTX version that is printed.
    pub fn has(&self, engine: &Engine) -> bool {
        let (least, most) = engine.numbers;
        (least..=most).contains(&self.number())
            && self.ptx_version() >= engine.ptx
            && (self.suffix().is_some() || !engine.suffixed)
    }

    /// `cp.async` from global to shared memory.
    pub fn has_cp_async(&self) -> bool {
        self.has(&CP_ASYNC)
    }

    /// Tensor memory and the tcgen05 instructions.
    pub fn has_tcgen05(&self) -> bool {
        self.has(&TENSOR_MEMORY)
    }

    /// `tcgen05.mma` of integers: architecture-specific targets but sm_103a (PTX ISA, tcgen05.mma, target notes).
    pub fn has_tensor_integers(&self) -> bool {
        self.has_tcgen05() && self.suffix() == Some('a') && self.number() != 103
    }

    /// Changes of tensor maps by a kernel: architecture-specific and family-specific targets (PTX ISA, tensormap.replace, target
    /// notes).
    pub fn has_map_updates(&self) -> bool {
        self.number() >= 90 && self.suffix().is_some() && self.ptx_version() >= 83
    }

    /// `redux.sync`, which reduces 32-bit integers over a warp.
    pub fn has_redux(&self) -> bool {
        self.has(&REDUX)
    }

    /// `cvt` of two `f32` to two numbers of 16 bits (PTX ISA, cvt, target notes).
    pub fn rounds_pairs(&self) -> bool {
        self.number() >= 80
    }

    /// `atom.add.noftz.bf16` (PTX ISA, atom, target notes).
    pub fn has_bf16_atomics(&self) -> bool {
        self.number() >= 90 && self.ptx_version() >= 78
    }
}
