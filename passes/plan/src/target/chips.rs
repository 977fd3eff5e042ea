//! The table of chips.

use super::api::Api;

/// What all chips of a number share.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Model {
    /// 90 for `sm_90a`.
    pub number: u32,
    /// Shared memory that a block may have, in KiB, as the table of technical specifications per compute capability of
    /// the CUDA programming guide has it.
    pub shared_kib: i64,
    /// SMs of the largest chip of that number that is sold.
    pub sms: i64,
}

const fn model(number: u32, shared_kib: i64, sms: i64) -> Model {
    Model { number, shared_kib, sms }
}

/// One chip.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Chip {
    pub name: &'static str,
    pub model: &'static Model,
    /// The least PTX version that LLVM 22 pairs with it, times ten.
    pub least: u32,
    /// The PTX version to print unless a module names another, times ten: one that has the chip's instructions
    /// (256-bit accesses: 8.8; 128-bit atomics: 8.3).
    pub usual: u32,
    /// What a portable target guarantees; none for a chip of NVIDIA.
    pub api: Option<&'static Api>,
}

const fn chip(name: &'static str, model: &'static Model, least: u32, usual: u32) -> Chip {
    Chip { name, model, least, usual, api: None }
}

static SM_75: Model = model(75, 64, 72);
static SM_80: Model = model(80, 163, 108);
static SM_86: Model = model(86, 99, 84);
static SM_87: Model = model(87, 163, 16);
static SM_89: Model = model(89, 99, 142);
static SM_90: Model = model(90, 227, 132);
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
