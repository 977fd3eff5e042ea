//! Rows as aligned chunks, run on numbers: every byte that is loaded and stored, compared with the region's elements.

use std::collections::{BTreeMap, BTreeSet};

use tile_isa::Space;
use tile_layout::Eval;
use tile_plan::address::{RealignedChunk, RowEdge, RowValues, filled_chunk, filled_element, realigned_chunk, row_edge};
use tile_plan::families::family::Family as _;
use tile_plan::families::realign::plan::{CHUNK_BYTES, RealignedCopy};
use tile_plan::problem::Problem;
use tile_plan::problem::mask::Bounded;
use tile_plan::problem::role::Role;

use super::machine::{cells, count, is_active};
use super::oracle::{Values, inside};

/// For each byte of the destination that is stored, the byte of the source, or `None` for a filler; from the storages' first elements on.
type Stored = BTreeMap<i64, Option<i64>>;

/// Checks one scope for storages at different remainders of 16: that loads and stores are aligned, that only bytes of the region are loaded,
/// and that each byte is stored once, from the right place.
///
/// # Errors
/// The first defect.
pub fn check_realigned(problem: &Problem, plan: &RealignedCopy, values: &Values) -> Result<(), String> {
    plan.verify().map_err(|error| error.to_string())?;
    let expected = expected(problem, values);
    let element = plan.element_bytes() as usize;
    // Tiles in shared memory begin with a chunk.
    let global = |role| plan.of(role).space == Space::Global;
    for src in (0..if global(Role::Src) { CHUNK_BYTES } else { 1 }).step_by(element) {
        let apart = (src * 5 + 6) % CHUNK_BYTES / element as i64 * element as i64;
        for dst in if global(Role::Dst) { vec![0, apart] } else { vec![0] } {
            let at = |error| format!("storages at {src} and {dst} mod 16: {error}");
            let stored = run(problem, plan, values, [src, dst], &expected).map_err(at)?;
            if stored != expected {
                return Err(at(format!("stored {} bytes, expected {}", stored.len(), expected.len())));
            }
        }
    }
    Ok(())
}

/// The bytes that the layouts and the mask demand.
fn expected(problem: &Problem, values: &Values) -> Stored {
    let of_side = |role, values| -> BTreeMap<usize, i64> {
        let held = cells(problem, problem.operand(role).unwrap(), values, false);
        held.into_iter().map(|((_, address), element)| (element, address)).collect()
    };
    let (src, dst) = (of_side(Role::Src, &values.src), of_side(Role::Dst, &values.dst));
    let bytes = problem.element.bytes();
    let is_filled = problem.mask.as_ref().is_some_and(|mask| mask.fill.is_some());
    let written = dst.iter().filter(|(element, _)| inside(problem, values, Role::Dst, **element));
    let written = written.filter_map(|(element, to)| match inside(problem, values, Role::Src, *element) {
        true => Some((*to, Some(src[element]))),
        false => is_filled.then_some((*to, None)),
    });
    let each = |(to, from): (i64, Option<i64>)| {
        (0..bytes).map(move |byte| (to * bytes + byte, from.map(|from| from * bytes + byte)))
    };
    written.flat_map(each).collect()
}

fn run(
    problem: &Problem,
    plan: &RealignedCopy,
    values: &Values,
    bases: [i64; 2],
    expected: &Stored,
) -> Result<Stored, String> {
    let (mut stored, read) = (Stored::new(), expected.values().filter_map(|from| *from).collect::<BTreeSet<i64>>());
    let values = RowValues { bases: &bases, src: &values.src, dst: &values.dst, mask: &values.mask };
    let mut put = |from: Option<i64>, to: i64| match stored.insert(to, from) {
        None if from.is_none_or(|from| read.contains(&from)) => Ok(()),
        None => Err(format!("byte {to} comes from byte {from:?}, outside of the region")),
        Some(_) => Err(format!("byte {to} is stored twice")),
    };
    let active = (0..count(problem)).filter(|thread| is_active(problem, *thread));
    for number in active.filter_map(|thread| plan.number_of(thread)) {
        for round in 0..plan.chunk_rounds() {
            let chunk =
                realigned_chunk(&mut Eval, plan, (round, number), &values).map_err(|error| error.to_string())?;
            let RealignedChunk { inside, loads, shift, store } = chunk;
            if !holds(&inside) {
                continue;
            }
            if loads.iter().any(|load| (load + bases[0]) % CHUNK_BYTES != 0) || (store + bases[1]) % CHUNK_BYTES != 0 {
                return Err(format!("loads at {loads:?} and a store at {store}"));
            }
            if let Some(outside) = loads.iter().flat_map(|&at| at..at + CHUNK_BYTES).find(|byte| !read.contains(byte)) {
                return Err(format!("byte {outside} is loaded"));
            }
            let loaded: Vec<i64> = loads.iter().flat_map(|&at| at..at + CHUNK_BYTES).collect();
            (0..CHUNK_BYTES).try_for_each(|byte| put(Some(loaded[(shift + byte) as usize]), store + byte))?;
        }
        for round in 0..plan.edge_rounds() {
            let edge = row_edge(&mut Eval, plan, (round, number), &values).map_err(|error| error.to_string())?;
            let RowEdge { inside, load, store } = edge;
            if holds(&inside) {
                (0..plan.element_bytes()).try_for_each(|byte| put(Some(load + byte), store + byte))?;
            }
        }
        for round in 0..plan.filled_chunk_rounds() {
            let filled = filled_chunk(&mut Eval, plan, (round, number), &values).map_err(|error| error.to_string())?;
            if holds(&filled.inside) {
                if (filled.store + bases[1]) % CHUNK_BYTES != 0 {
                    return Err(format!("a chunk is filled at {}", filled.store));
                }
                (0..CHUNK_BYTES).try_for_each(|byte| put(None, filled.store + byte))?;
            }
        }
        for round in 0..plan.filled_element_rounds() {
            let filled =
                filled_element(&mut Eval, plan, (round, number), &values).map_err(|error| error.to_string())?;
            if holds(&filled.inside) {
                (0..plan.element_bytes()).try_for_each(|byte| put(None, filled.store + byte))?;
            }
        }
    }
    Ok(stored)
}

fn holds(inside: &[Bounded<i64>]) -> bool {
    inside.iter().all(|bound| (0..bound.extent).contains(&bound.place))
}
