//! Realigned loads, run on numbers: every byte that is loaded, for sources that begin anywhere.

use std::collections::BTreeSet;

use tile_layout::Eval;
use tile_plan::address::{realigned_load, vector_address};
use tile_plan::families::family::Family as _;
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::families::realign::plan::CHUNK_BYTES;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;

use super::machine::{cells, count, is_active};
use super::oracle::Values;

/// Checks one scope, for sources at different remainders of 16: that chunks are aligned, that only bytes of the region are loaded, and that
/// each vector is where its chunks say.
///
/// # Errors
/// The first defect.
pub fn check_realigned_loads(problem: &Problem, plan: &RealignedLoads, values: &Values) -> Result<(), String> {
    plan.verify().map_err(|error| error.to_string())?;
    let bytes = plan.element_bytes();
    let held = cells(problem, problem.operand(Role::Src).unwrap(), &values.src, false);
    let region: BTreeSet<i64> =
        held.into_iter().flat_map(|((_, element), _)| element * bytes..(element + 1) * bytes).collect();
    let active = (0..count(problem)).filter(|thread| is_active(problem, *thread));
    let sharers: Vec<i64> = active.filter_map(|thread| plan.vectors.number_of(thread)).collect();
    for base in (0..CHUNK_BYTES).step_by(bytes as usize) {
        for &thread in &sharers {
            for round in 0..plan.vectors.rounds_of(thread) {
                load(plan, values, (round, thread), base, &region)
                    .map_err(|error| format!("a source at {base} mod 16, round {round}, thread {thread}: {error}"))?;
            }
        }
    }
    Ok(())
}

fn load(
    plan: &RealignedLoads,
    values: &Values,
    (round, thread): (i64, i64),
    base: i64,
    region: &BTreeSet<i64>,
) -> Result<(), String> {
    let load = realigned_load(&mut Eval, plan, (round, thread), (base, &values.src)).map_err(|error| error.reason)?;
    let first = vector_address(&mut Eval, &plan.vectors, Role::Src, round, thread, &values.src)
        .map_err(|error| error.reason)?;
    if load.first != first * plan.element_bytes() {
        return Err(format!("the vector is at byte {}", load.first));
    }
    let is_inner = (0..load.inner.extent).contains(&load.inner.place);
    if is_inner && load.chunks.iter().any(|chunk| (chunk + base) % CHUNK_BYTES != 0) {
        return Err(format!("chunks at {:?}", load.chunks));
    }
    let loaded: Vec<i64> = match is_inner {
        true => load.chunks.iter().flat_map(|&chunk| chunk..chunk + CHUNK_BYTES).collect(),
        false => (load.first..load.first + CHUNK_BYTES).collect(),
    };
    if let Some(outside) = loaded.iter().find(|byte| !region.contains(byte)) {
        return Err(format!("byte {outside} is loaded"));
    }
    let begin = if is_inner { load.shift as usize } else { 0 };
    let held = loaded.get(begin..begin + CHUNK_BYTES as usize).unwrap_or_default();
    if !held.iter().copied().eq(load.first..load.first + CHUNK_BYTES) {
        return Err(format!("holds bytes {held:?}"));
    }
    Ok(())
}
