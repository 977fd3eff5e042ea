//! Tiles of portable targets. Where neither the size of a subgroup nor the order of its lanes is known:
//!
//! ```text
//!   row 0   thread 0 | thread 1 | …              a vector each
//!   row 1   thread 0 | thread 1 | …
//! ```
//!
//! All threads of the block share a row, and threads exchange data through shared memory only. Where the target has a
//! known subgroup size, tiles are striped over subgroups as over [warps](Tile), and lanes shuffle.

use super::problem::{Problem, Requests, ScannedElement};
use super::tile::{MAX_BYTES, Tile, WARP, widest};
use crate::problem::refusal::Refusal;
use crate::target::Target;
use crate::target::api::Api;

/// The default number of threads: the most that WebGPU lets a block have.
const THREADS: i64 = 256;

/// The narrowest access to global memory, in bytes.
const WORD: i64 = 4;

/// Shared memory besides that for scanning elements: a word by which threads agree on the next step, and the sum before
/// the tile.
const CONTROL_BYTES: i64 = 32;

/// Bytes of an element in registers, in shared memory and in a workspace: whole words, so that no two threads write to
/// the same word.
pub fn stored_bytes(element: ScannedElement, target: &Target) -> i64 {
    if target.api().is_some() { element.bytes().max(WORD) } else { element.bytes() }
}

/// Bytes of shared memory for scanning a tile: the total of each vector, and two slots for each thread; with subgroups,
/// one slot for each thread and each subgroup.
///
/// ```
/// # use tile_plan::scan::{Tile, workgroup::shared_bytes};
/// assert_eq!(shared_bytes(&Tile { threads: 256, lanes: 256, rows: 4, vector: 4 }, 4), 32 + 4096 + 2048);
/// assert_eq!(shared_bytes(&Tile { threads: 256, lanes: 32, rows: 4, vector: 4 }, 4), 32 + 1024 + 32);
/// ```
pub fn shared_bytes(tile: &Tile, stored_bytes: i64) -> i64 {
    let places = if tile.warps() > 1 { tile.threads + tile.warps() } else { (tile.rows + 2) * tile.threads };
    CONTROL_BYTES + places * stored_bytes
}

/// Checks that the target has instructions for the element, and that kernels for it are written for these arrays.
///
/// # Errors
/// Floats of 64 bits where there are none; on portable targets, arrays that are scanned from their end.
pub fn check_portable(problem: &Problem, target: &Target) -> Result<(), Refusal> {
    let Some(api) = target.api() else { return Ok(()) };
    if problem.element.float && problem.element.bits == 64 && !api.floats_64 {
        return Err(Refusal::new(
            "target-lacks-64-bit-floats",
            format!("got f64, which {target} does not compute with"),
        ));
    }
    if problem.is_backwards {
        return Err(Refusal::new(
            "backwards-on-nvidia-only",
            format!("got an array of stride -1, expected stride 1 for {target}"),
        ));
    }
    Ok(())
}

/// The tile of a block that holds one: in registers of warps, by default of `threads` threads, or that of a portable
/// target.
///
/// # Errors
/// Numbers that no block can have, or elements that the target has no instructions for.
pub fn tile(problem: &Problem, target: &Target, threads: i64) -> Result<Tile, Refusal> {
    target.api().map_or_else(|| Tile::in_registers(problem, threads), |api| portable(problem, target, api))
}

/// The tile that a problem requests on a portable target. By default, a thread has 64 bytes or 16 elements, or fewer
/// where these need more shared memory than there is. Where lanes shuffle, which needs no shared memory for elements,
/// it has 160 bytes or 40 elements: the fastest of 32 to 192 bytes on an H200.
fn portable(problem: &Problem, target: &Target, api: &Api) -> Result<Tile, Refusal> {
    check_portable(problem, target)?;
    let (element, requests) = (problem.element, &problem.requests);
    let [threads, lanes] = threads(requests, target, api)?;
    let bits_of_word = i64::from(element.bits.min(32));
    let usual = bits_of_word * if api.subgroup.is_some() { 5 } else { 2 } / element.bytes();
    let items = requests.items.unwrap_or(usual.max(1));
    if items < 1 || items.saturating_mul(element.bytes()) > MAX_BYTES {
        let most = MAX_BYTES / element.bytes();
        let reason = format!("got {items} items per thread, expected 1 to {most} of {} bytes", element.bytes());
        return Err(Refusal::new("items-not-registers", reason));
    }
    let vector = widest(element, problem.alignment, items);
    if vector * element.bytes() < WORD {
        let reason = format!(
            "a thread has vectors of {} bytes, with {items} items and arrays aligned to {} bytes; expected words of 4",
            vector * element.bytes(),
            problem.alignment
        );
        return Err(Refusal::new("vector-below-word", reason));
    }
    within_memory(Tile { threads, lanes, rows: items / vector, vector }, element, requests, (target, api))
}

/// The requested number of threads, and how many of them share a row.
///
/// # Errors
/// A number that no block of the target has.
pub(crate) fn threads(requests: &Requests, target: &Target, api: &Api) -> Result<[i64; 2], Refusal> {
    let threads = requests.threads.unwrap_or(THREADS.min(api.threads));
    if threads % WARP != 0 || !(WARP..=api.threads).contains(&threads) {
        let reason =
            format!("got {threads} threads, expected a multiple of 32 from 32 to the {} of {target}", api.threads);
        return Err(Refusal::new("threads-not-warps", reason));
    }
    let lanes = api.subgroup.unwrap_or(threads);
    if threads % lanes != 0 {
        let reason = format!("got {threads} threads, expected a multiple of the {lanes} of a subgroup of {target}");
        return Err(Refusal::new("threads-not-warps", reason));
    }
    Ok([threads, lanes])
}

/// The tile, with fewer rows where its sums need more shared memory than there is and no number of items is requested.
///
/// # Errors
/// A tile that needs too much.
pub(crate) fn within_memory(
    mut tile: Tile,
    element: ScannedElement,
    requests: &Requests,
    (target, api): (&Target, &Api),
) -> Result<Tile, Refusal> {
    let bytes = |tile: &Tile| shared_bytes(tile, stored_bytes(element, target));
    while requests.items.is_none() && tile.rows > 1 && bytes(&tile) > api.workgroup_bytes {
        tile.rows /= 2;
    }
    if bytes(&tile) > api.workgroup_bytes {
        let reason = format!("needs {} bytes of shared memory, {target} has {}", bytes(&tile), api.workgroup_bytes);
        return Err(Refusal::new("tile-exceeds-shared-memory", reason));
    }
    Ok(tile)
}
