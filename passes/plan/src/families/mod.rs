//! The registry of families and variants.
//!
//! A *family* is a kind of memory access with its own type of plan. Its folder holds the plan with its invariants, its
//! address formula, the memory that it touches, its cost, and its variants. A *variant* is a rule that takes a copy or
//! declines it, and makes a plan of its family.
//!
//! | family | plans |
//! | --- | --- |
//! | [`vector`] | rounds of vectors: loads and stores, or `cp.async` |
//! | [`matrix`] | 8x8 matrices: `ldmatrix` and `stmatrix` |
//! | [`bulk`] | chunks: `cp.async.bulk` and `cp.reduce.async.bulk` |
//! | [`tensor_map`] | boxes of a tensor: `cp.async.bulk.tensor` and its relatives |
//! | [`tmem`] | tensor memory: `tcgen05.cp`, `tcgen05.ld` and `tcgen05.st` |
//! | [`realign`] | rows at any element, as aligned chunks: two loads, shifts and a store |
//! | [`registers`] | moves, selects and shuffles between registers |
//! | [`composite`] | other plans, one after the other: parts of regions, registers through shared memory |
//! | [`scalar`] | one element at a time |
//!
//! The plan types have one line each in [`copy_plan`], the variants one line each here. All other lists are derived:
//! patterns, the values of options, messages, and the tables of [`markdown`].

pub mod bulk;
pub mod carried;
pub mod composite;
pub mod copy_plan;
pub mod family;
pub mod matrix;
mod plan_text;
pub mod realign;
pub mod registers;
pub mod scalar;
pub mod summary;
mod synchronous;
pub mod tensor_map;
pub mod tmem;
mod transpose;
pub mod variant;
pub mod vector;

use std::fmt::Write;

use tile_isa::Space;

use copy_plan::CopyPlan;
use variant::{About, Variant};
use vector::plan::MatchedCopy;

use crate::choose::{OpWords, Plannable, Rule, SelectError, choose};
use crate::problem::refusal::{Decline, Refusal};
use crate::problem::{Problem, Request};
use crate::sides::require::{unconverted, unmasked};
use crate::target::Target;

/// The variants of a copy between registers and shared memory, which is half of a copy between registers through
/// scratch.
const HALVES: &[&dyn Variant] =
    &[&matrix::ldstmatrix::LdStMatrix, &vector::reg::LaneRegisters, &scalar::fallback::ScalarLoop];

/// The variants of the steps of a copy by blocks that threads turn: from and to memory, and between registers.
const STEPS: &[&dyn Variant] =
    &[&vector::gmem_smem::GlobalShared, &vector::reg::LaneRegisters, &registers::shuffle::Shuffle { by: &[] }];

/// The variants of the steps of a copy between registers and rows that begin at any element.
const ROW_STEPS: &[&dyn Variant] =
    &[&realign::Realign { is_step: false }, &vector::gmem_smem::GlobalShared, &vector::reg::LaneRegisters];

/// The variants of a `tile.copy`; of equal priorities the first is tried first.
const SYNCHRONOUS: &[&dyn Variant] = &[
    &vector::forced::ForcedWidth::new("vec_256b", 256),
    &vector::forced::ForcedWidth::new("vec_128b", 128),
    &vector::forced::ForcedWidth::new("vec_64b", 64),
    &vector::forced::ForcedWidth::new("vec_32b", 32),
    &vector::forced::ForcedWidth::new("vec_16b", 16),
    &matrix::ldstmatrix::LdStMatrix,
    &transpose::Transpose {
        by: transpose::StepVariants {
            any: STEPS,
            loads: &[&realign::loads::RealignLoads { is_step: true }],
            stores: &[&realign::Realign { is_step: true }],
        },
    },
    &realign::Realign { is_step: false },
    &realign::loads::RealignLoads { is_step: false },
    &vector::gmem_smem::GlobalShared,
    &realign::registers::RealignRegisters { by: ROW_STEPS },
    &vector::reg::LaneRegisters,
    &vector::same_memory::SameMemory,
    &registers::shuffle::Shuffle { by: HALVES },
    &registers::by_scratch::Scratch { by: HALVES },
    &scalar::fallback::ScalarLoop,
];

/// The variants of a `tile.copy_async`, likewise.
const ASYNCHRONOUS: &[&dyn Variant] = &[
    &vector::ldgsts::LdGsts,
    &bulk::dsmem::ClusterShared,
    &tmem::tcgen05_cp::TensorCp,
    &tmem::tcgen05_ldst::TensorLdSt,
    &tensor_map::tma::TensorMaps,
    &bulk::global::GlobalBulk,
    &synchronous::Synchronous { by: SYNCHRONOUS },
];

/// The variants of a `tile.fill`, likewise.
const FILLS: &[&dyn Variant] = &[&vector::fill::VectorFill, &scalar::fallback::ScalarLoop];

/// Every variant of a synchronous copy, in the order in which they are tried.
pub fn all() -> &'static [&'static dyn Variant] {
    SYNCHRONOUS
}

/// Every variant of an asynchronous copy, in the order in which they are tried.
pub fn all_async() -> &'static [&'static dyn Variant] {
    ASYNCHRONOUS
}

/// The variants of an op, in the order in which they are tried.
pub fn by_request(request: Request) -> &'static [&'static dyn Variant] {
    match request {
        Request::Copy => SYNCHRONOUS,
        Request::CopyAsync => ASYNCHRONOUS,
        Request::Fill => FILLS,
    }
}

/// Every variant, once even if several ops have it.
pub fn each() -> impl Iterator<Item = &'static dyn Variant> {
    let mut names = Vec::new();
    let mut is_new = move |name| {
        let is_new = !names.contains(&name);
        names.push(name);
        is_new
    };
    Request::ALL.into_iter().flat_map(by_request).copied().filter(move |variant| is_new(variant.name()))
}

/// The variants that plan vectors of a partition.
pub fn partitioning() -> impl Iterator<Item = &'static dyn Variant> {
    each().filter(|variant| variant.transfer().is_some())
}

/// The partition in vectors of a copy with that plan: the plan itself, or what stands in for it where rows of global memory are aligned,
/// with a tile in shared memory or in registers on the other side. `None` for plans of other kinds.
pub fn in_vectors(plan: &CopyPlan, problem: &Problem, target: &Target) -> Option<MatchedCopy> {
    let is_realigned = match plan {
        CopyPlan::Partition(copy) => return Some(copy.clone()),
        CopyPlan::Realigned(plan) => [&plan.src, &plan.dst].iter().any(|side| side.space != Space::Global),
        CopyPlan::Composite(plan) => plan.variant == realign::registers::ABOUT.name,
        _ => false,
    };
    let vectors: [&dyn Variant; 2] = [&vector::gmem_smem::GlobalShared, &vector::reg::LaneRegisters];
    vectors.iter().filter(|_| is_realigned).find_map(|variant| match variant.plan(problem, target) {
        Ok(CopyPlan::Partition(copy)) => Some(copy),
        _ => None,
    })
}

/// The variant of that name, of any op.
pub fn by_name(name: &str) -> Option<&'static dyn Variant> {
    Request::ALL.into_iter().flat_map(by_request).copied().find(|variant| variant.name() == name)
}

/// Stage 1: the first variant that takes the copy, and the declines of those tried before.
///
/// # Errors
/// An unknown forced variant, or the declines of all.
pub fn select(problem: &Problem, target: &Target) -> Result<(CopyPlan, Vec<Decline>), SelectError> {
    choose(by_request(problem.request()), problem, target).map(|chosen| (chosen.plan, chosen.declines))
}

impl Plannable for Problem {
    type Plan = CopyPlan;

    fn op(&self) -> OpWords {
        OpWords { name: self.request().op(), rule: "variant", rules: "variants" }
    }

    fn forced(&self) -> Option<&str> {
        self.forced.as_deref()
    }

    fn allowed(&self) -> Option<&[String]> {
        self.allowed.as_deref()
    }

    /// Accepts a plan that has the mask, the effect and the conversion of the copy.
    fn accept(&self, plan: CopyPlan) -> Result<CopyPlan, Refusal> {
        if !plan.is_masked() {
            unmasked(self)?;
        }
        self.effect.done_by(plan.effect())?;
        if plan.conversion() != self.conversion {
            unconverted(self)?;
        }
        Ok(plan)
    }
}

/// A table of the variants in the order in which they are tried: name, priority, operation, chips, and what they move.
///
/// ```
/// let table = tile_plan::variants::table::markdown();
/// assert!(table.contains("| `ldgsts` | 20 | `tile.copy_async` | sm_80 or later | "), "{table}");
/// ```
pub fn markdown() -> String {
    let mut table = String::from("| variant | priority | of | chips | moves |\n| --- | --- | --- | --- | --- |\n");
    for request in Request::ALL {
        by_request(request).iter().for_each(|variant| row(&mut table, request.op(), *variant));
    }
    table
}

fn row(table: &mut String, op: &str, variant: &dyn Variant) {
    let About { name, priority, only_when_forced, engine, moves, .. } = *variant.about();
    let named = if only_when_forced { ", only when named" } else { "" };
    let chips = engine.map_or("all", |engine| engine.chips);
    // Writing to a string does not fail.
    let _ = writeln!(table, "| `{name}` | {priority}{named} | `{op}` | {chips} | {moves} |");
}
