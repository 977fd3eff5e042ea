//! What the portable targets guarantee: one row each.
//!
//! A row is what a program may rely upon, not what a device has: a shading language or an API promises it to each program that
//! requests the row's features.
//!
//! ```
//! use tile_plan::Target;
//!
//! let browser = Target::portable("webgpu").unwrap();
//! let api = browser.api().unwrap();
//! assert_eq!((api.threads, api.workgroup_bytes, api.atomics_64), (256, 16384, false));
//! assert!(!browser.guarantees_progress() && !browser.has_cp_async());
//! ```

/// The language that kernels for a portable target are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// SPIR-V of this version, for Vulkan of that version.
    SpirV {
        /// Of SPIR-V: major and minor.
        version: (u8, u8),
        /// Of Vulkan: major and minor.
        vulkan: (u8, u8),
    },
    /// WebGPU's.
    Wgsl,
    /// Metal's.
    Msl,
    /// Direct3D's.
    Hlsl,
}

/// What a program may rely upon.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Api {
    /// What kernels are written in.
    pub language: Language,
    /// Most threads of a block.
    pub threads: i64,
    /// Most bytes of a block's shared memory, which others call workgroup memory.
    pub workgroup_bytes: i64,
    /// Threads of a subgroup, all of which are threads of the block; none where that is unknown, or one of a range. Where it is
    /// known, subgroups shuffle registers.
    pub subgroup: Option<i64>,
    /// Atomic accesses of 64 bits in global memory? Those of 32 bits are everywhere. All are relaxed.
    pub atomics_64: bool,
    /// Floats of 64 bits, and with them integers of 64 bits?
    pub floats_64: bool,
}
