//! The tables of chips and of portable targets.

use crate::target::api::{Api, Language};
use crate::target::speeds::Speeds;

/// The properties that all chips with the same number share.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Model {
    /// 90 for `sm_90a`.
    pub number: u32,
    /// Shared memory that a block may have, in KiB, from the table of technical specifications per compute capability
    /// in the CUDA programming guide.
    pub shared_kib: i64,
    /// SMs of the largest chip of that number that is sold.
    pub sms: i64,
    /// How fast it is, where that was measured.
    pub speeds: Option<Speeds>,
}

const fn model(number: u32, shared_kib: i64, sms: i64) -> Model {
    Model { number, shared_kib, sms, speeds: None }
}

/// One chip.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Chip {
    pub name: &'static str,
    pub model: &'static Model,
    /// The least PTX version that LLVM 22 accepts for it, times ten.
    pub least: u32,
    /// The PTX version to print unless a module names another, times ten: one that has the chip's instructions
    /// (256-bit accesses: 8.8; 128-bit atomics: 8.3).
    pub usual: u32,
    /// What a portable target guarantees; `None` for an NVIDIA chip.
    pub api: Option<&'static Api>,
}

const fn chip(name: &'static str, model: &'static Model, least: u32, usual: u32) -> Chip {
    Chip { name, model, least, usual, api: None }
}

/// An H200: multiply-adds and L2 from its data sheet, the rest fitted to the times of 74 kernels of products.
const H200: Speeds = Speeds {
    clock_mhz: 1430,
    multiply_adds: 2048,
    warp_percent: 62,
    fragment_ns: 50,
    l2_bytes: 50 << 20,
    load_bytes: 87_500,
    latency_ns: 480,
    dram_bytes: 3_200_000,
    store_bytes: 64_000,
    launch_ns: 4_500,
};

static SM_75: Model = model(75, 64, 72);
static SM_80: Model = model(80, 163, 108);
static SM_86: Model = model(86, 99, 84);
static SM_87: Model = model(87, 163, 16);
static SM_89: Model = model(89, 99, 142);
static SM_90: Model = Model { speeds: Some(H200), ..model(90, 227, 132) };
static SM_100: Model = model(100, 227, 148);
static SM_103: Model = model(103, 227, 160);
static SM_110: Model = model(110, 227, 20);
static SM_120: Model = model(120, 99, 188);
static SM_121: Model = model(121, 99, 48);

pub(super) static CHIPS: &[Chip] = &[
    chip("sm_75", &SM_75, 63, 74),
    chip("sm_80", &SM_80, 70, 74),
    chip("sm_86", &SM_86, 71, 74),
    chip("sm_87", &SM_87, 74, 74),
    chip("sm_89", &SM_89, 78, 78),
    chip("sm_90", &SM_90, 78, 83),
    chip("sm_90a", &SM_90, 80, 83),
    chip("sm_100", &SM_100, 86, 88),
    chip("sm_100a", &SM_100, 86, 88),
    chip("sm_100f", &SM_100, 88, 88),
    chip("sm_103", &SM_103, 88, 88),
    chip("sm_103a", &SM_103, 88, 88),
    chip("sm_103f", &SM_103, 88, 88),
    chip("sm_110", &SM_110, 90, 90),
    chip("sm_110a", &SM_110, 90, 90),
    chip("sm_110f", &SM_110, 90, 90),
    chip("sm_120", &SM_120, 87, 88),
    chip("sm_120a", &SM_120, 87, 88),
    chip("sm_120f", &SM_120, 88, 88),
    chip("sm_121", &SM_121, 88, 88),
    chip("sm_121a", &SM_121, 88, 88),
    chip("sm_121f", &SM_121, 88, 88),
];

const VULKAN_1_2: Language = Language::SpirV { version: (1, 5), vulkan: (1, 2) };
const VULKAN_1_3: Language = Language::SpirV { version: (1, 6), vulkan: (1, 3) };

const fn api(language: Language, threads: i64, kib: i64, atomics_64: bool, floats_64: bool) -> Api {
    Api { language, threads, workgroup_bytes: kib << 10, subgroup: None, atomics_64, floats_64 }
}

/// The same with subgroups of `size` threads, which a pipeline can require.
const fn subgroups(api: Api, size: i64, threads: i64) -> Api {
    Api { subgroup: Some(size), threads, ..api }
}

// The limits that Vulkan 1.2 and 1.3 require of every device (table of required limits), and the same with the features
// shaderInt64, shaderFloat64 and shaderBufferInt64Atomics.
static VULKAN12: Api = api(VULKAN_1_2, 128, 16, false, false);
static VULKAN12_64: Api = api(VULKAN_1_2, 256, 32, true, true);
static VULKAN13: Api = api(VULKAN_1_3, 128, 16, false, false);
static VULKAN13_64: Api = api(VULKAN_1_3, 256, 32, true, true);
// With shuffles, subgroupSizeControl and computeFullSubgroups. Mesa's software driver has subgroups of 8, at most 32 of them in a
// block; NVIDIA's of 32, AMD's of 32 and 64.
static VULKAN13_8: Api = subgroups(api(VULKAN_1_3, 256, 32, true, true), 8, 256);
static VULKAN13_32: Api = subgroups(api(VULKAN_1_3, 256, 32, true, true), 32, 512);
static VULKAN13_64_LANES: Api = subgroups(api(VULKAN_1_3, 256, 32, true, true), 64, 512);
// WebGPU's default limits.
static WEBGPU: Api = api(Language::Wgsl, 256, 16, false, false);
// Metal feature set tables: every family has 32 KiB, and 512 threads at least. Metal has no doubles, and no 64-bit
// atomics that return the previous value.
static METAL: Api = api(Language::Msl, 256, 32, false, false);
// Direct3D 12: 32 KiB, 1024 threads; doubles and 64-bit atomics are optional.
static D3D12: Api = api(Language::Hlsl, 256, 32, false, false);

/// The model of portable targets: not an NVIDIA chip, so it has none of their instructions.
static MODEL: Model = model(0, 16, 1);

const fn row(name: &'static str, api: &'static Api) -> Chip {
    Chip { name, model: &MODEL, least: 0, usual: 0, api: Some(api) }
}

pub(super) static PORTABLE: &[Chip] = &[
    row("vulkan1.2", &VULKAN12),
    row("vulkan1.2-64", &VULKAN12_64),
    row("vulkan1.3", &VULKAN13),
    row("vulkan1.3-64", &VULKAN13_64),
    row("vulkan1.3-64-subgroup8", &VULKAN13_8),
    row("vulkan1.3-64-subgroup32", &VULKAN13_32),
    row("vulkan1.3-64-subgroup64", &VULKAN13_64_LANES),
    row("webgpu", &WEBGPU),
    row("metal", &METAL),
    row("d3d12", &D3D12),
];
