//! The table of portable targets.

use super::api::{Api, Language};
use super::chips::{Chip, Model};

const VULKAN_1_2: Language = Language::SpirV { version: (1, 5), vulkan: (1, 2) };
const VULKAN_1_3: Language = Language::SpirV { version: (1, 6), vulkan: (1, 3) };

const fn api(language: Language, threads: i64, kib: i64, atomics_64: bool, floats_64: bool) -> Api {
    Api { language, threads, workgroup_bytes: kib << 10, subgroup: None, atomics_64, floats_64 }
}

/// With subgroups of that size, which a pipeline requires.
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
// Metal feature set tables: every family has 32 KiB, and 512 threads at least. Doubles and 64-bit atomics that return what
// was there it does not have.
static METAL: Api = api(Language::Msl, 256, 32, false, false);
// Direct3D 12: 32 KiB, 1024 threads; doubles, and atomics of 64 bits, are optional.
static D3D12: Api = api(Language::Hlsl, 256, 32, false, false);

/// No chip of NVIDIA's: it has none of their instructions.
static MODEL: Model = Model { number: 0, shared_kib: 16, sms: 1 };

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
