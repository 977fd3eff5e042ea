//! The guarantees of the portable targets, one row each.
//!
//! A row says what a program may rely on, not what a device has: the shading language or API guarantees it to every
//! program that requests the row's features.
//!
//! ```
//! use tile_plan::target::Target;
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
        /// The version of SPIR-V, major and minor.
        version: (u8, u8),
        /// The version of Vulkan, major and minor.
        vulkan: (u8, u8),
    },
    /// WebGPU's language.
    Wgsl,
    /// Metal's language.
    Msl,
    /// Direct3D's language.
    Hlsl,
}

/// What a program may rely on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Api {
    /// The language that kernels are written in.
    pub language: Language,
    /// The most threads of a block.
    pub threads: i64,
    /// The most bytes of a block's shared memory, which these APIs call workgroup memory.
    pub workgroup_bytes: i64,
    /// The number of threads of a subgroup, all of which are threads of the block; `None` where it is unknown, or one
    /// of a range. Where it is known, subgroups shuffle registers.
    pub subgroup: Option<i64>,
    /// Whether there are 64-bit atomic accesses to global memory; 32-bit ones are always available. All are relaxed.
    pub atomics_64: bool,
    /// Whether there are 64-bit floats, and with them 64-bit integers.
    pub floats_64: bool,
}
