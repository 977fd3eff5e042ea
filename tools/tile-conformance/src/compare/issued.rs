//! Compares asynchronous copies with the recording: instructions by the number of times that the program executes them,
//! and the tiles of a copy to tensor memory.
//!
//! A recorded count is one of a text in which the instruction may be in a loop. The number of executions must be that
//! of the plan: one for each round and warp, tile, instruction and warp, or chunk and CTA.

use std::collections::BTreeSet;

use ptx_sim::Report;
use tile_isa::Scope;
use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tmem::copy::TmemCopy;
use tile_plan::families::vector::plan::VectorCopy;

use super::Mismatch;
use crate::case::{Case, Expect, Tiles};
use crate::kernel::{issue, tensor};
use crate::lower::LoweredPlan;

/// The instruction of an asynchronous plan, and the number of times that warps issue it in the executed program.
pub(super) fn instruction(case: &Case, plan: &LoweredPlan) -> Option<(String, i64)> {
    match plan {
        LoweredPlan::One(CopyPlan::Vectors(copy)) => Some((copy.instruction()?, rounds_of_warps(case, copy))),
        LoweredPlan::One(CopyPlan::TmemCopy(copy)) => Some((copy.instruction(), copy.tiles())),
        LoweredPlan::One(CopyPlan::TmemAccess(access)) => {
            let name = access.instruction();
            let more = tensor::own_instructions(&name);
            Some((name, access.instructions() * warps(case) + more))
        }
        LoweredPlan::One(CopyPlan::Bulk(copy)) => Some((copy.instruction(), copy.chunks() * bulk_issuers(case))),
        _ => None,
    }
}

/// The number of times that a bulk copy is issued: by one thread of each group that shares the copy. At thread scope
/// that is every thread, and a warp issues for all its threads together.
fn bulk_issuers(case: &Case) -> i64 {
    match case.scope {
        Scope::Thread if !issue::by_one_thread(case) => warps(case),
        _ if issue::by_one_thread(case) => issue::ctas(case),
        _ => issue::issuers(case),
    }
}

/// The total over all warps of the rounds in which any thread of the warp takes part.
fn rounds_of_warps(case: &Case, copy: &VectorCopy) -> i64 {
    let rounds = |thread: i64| copy.number_of(thread % case.threads()).map_or(0, |number| copy.rounds_of(number));
    let of_warp = |warp: i64| {
        let lanes = (warp * 32..(warp * 32 + 32).min(case.block)).filter(|thread| case.is_active(*thread));
        lanes.map(rounds).max().unwrap_or(0)
    };
    (0..(case.block + 31) / 32).map(of_warp).sum()
}

/// The number of warps with a thread that reaches the copy. At thread scope, each thread of a warp does a copy of its
/// own.
fn warps(case: &Case) -> i64 {
    let active: BTreeSet<i64> = (0..case.block).filter(|thread| case.is_active(*thread)).map(|t| t / 32).collect();
    active.len() as i64
}

/// Checks that the plan's instruction is the recorded one, and that it is executed the required number of times.
pub(super) fn instructions(case: &Case, expect: Option<&Expect>, plan: &LoweredPlan, report: &Report) -> Vec<Mismatch> {
    let Some((name, needed)) = instruction(case, plan) else { return Vec::new() };
    let mut mismatches = Vec::new();
    let recorded: Vec<&str> = expect.iter().flat_map(|expect| &expect.ptx).map(|(name, _)| name.as_str()).collect();
    if !recorded.is_empty() && !recorded.contains(&name.as_str()) {
        mismatches.push(Mismatch::new("instruction", &name, recorded.join(" or ")));
    }
    let counts = report.by_opcode();
    let issued: u64 = counts.iter().filter(|(opcode, _)| same(opcode, &name)).map(|(_, count)| count.warps).sum();
    if i64::try_from(issued) != Ok(needed) {
        mismatches.push(Mismatch::new(format!("executions of {name}"), issued, needed));
    }
    mismatches
}

/// Whether two names are the same instruction, where `.shared` may be printed as `.shared::cta`.
fn same(printed: &str, name: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split('.').map(|word| if word == "shared::cta" { "shared" } else { word }.to_owned()).collect()
    };
    words(printed) == words(name)
}

/// Compares the descriptors and the tile starts of a copy to tensor memory.
pub(super) fn tiles(wanted: &Tiles, plan: &LoweredPlan) -> Vec<Mismatch> {
    let LoweredPlan::One(CopyPlan::TmemCopy(copy)) = plan else {
        return vec![Mismatch::new("tiles", "none", "a copy to tensor memory")];
    };
    let mut mismatches = Vec::new();
    let mut number = |what: &str, got: i64, wanted: i64| {
        if got != wanted {
            mismatches.push(Mismatch::new(what, got, wanted));
        }
    };
    let descriptor = copy.descriptor;
    number("bits of an element", i64::from(copy.element_bits), wanted.element_bits);
    number("elements of a row", copy.form.row_bits() / i64::from(copy.element_bits.max(1)), wanted.row_elements);
    number("swizzle mode", descriptor.swizzle, wanted.swizzle);
    number("bytes between rows", 16 << descriptor.swizzle, wanted.row_bytes);
    number("stride offset", descriptor.stride, wanted.stride);
    // Rows of 16 bytes are one chunk: the leading offset is not used (PTX ISA, matrix descriptor).
    if copy.form.row_bits() > 128 {
        number("leading offset", descriptor.leading, wanted.leading);
    }
    let form = (copy.form.shape(), copy.form.multicast().unwrap_or_default());
    if form != (wanted.shape.as_str(), wanted.multicast.as_str()) {
        mismatches.push(Mismatch::new(
            "form",
            format!("{form:?}"),
            format!("{:?}", (&wanted.shape, &wanted.multicast)),
        ));
    }
    let (got, wanted) = (beginnings(copy), recorded_beginnings(wanted));
    if got != wanted {
        mismatches.push(Mismatch::new("tiles, in 16 bytes and addresses", format!("{got:?}"), format!("{wanted:?}")));
    }
    mismatches
}

/// The start of each tile on both sides; the order in which tiles are copied is irrelevant.
fn beginnings(copy: &TmemCopy) -> BTreeSet<(i64, i64)> {
    let at = |tile| {
        let src = address::tensor_descriptor_units(&mut Eval, copy, tile, &[]).unwrap_or(i64::MIN);
        (src, address::tensor_address(&mut Eval, copy, tile, &[]).unwrap_or(i64::MIN))
    };
    (0..copy.tiles()).map(at).collect()
}

fn recorded_beginnings(tiles: &Tiles) -> BTreeSet<(i64, i64)> {
    let first = BTreeSet::from([(tiles.source, tiles.destination)]);
    tiles.digits.iter().fold(first, |all, &[extent, src, dst]| {
        let further = |(from, to): (i64, i64)| (0..extent).map(move |digit| (from + digit * src, to + digit * dst));
        all.into_iter().flat_map(further).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_shared_memory_are_one() {
        assert!(same("cp.async.cg.shared::cta.global.L2::128B", "cp.async.cg.shared.global.L2::128B"));
        assert!(!same("cp.async.ca.shared.global", "cp.async.cg.shared.global"));
        assert!(!same("cp.async.cg.shared.global.L2::64B", "cp.async.cg.shared.global"));
    }
}
