//! A loop with a producer: which stages are awaited and released together, where, and the registers of each role.
//!
//! ```text
//!   producer                       consumers, each warp for itself
//!   wait for empty, copy keys      wait for full;  keys:  product, its wait;  arrive on empty
//!   wait for empty, copy values    wait for full;  values: product in flight … behind a wait of the next iteration, arrive on empty
//! ```

use std::collections::HashMap;

use crate::pipeline::PipelineRequest;
use crate::pipeline::roles::{Inside, collect, destination};
use crate::sync::{Access, Completion, Effect, Queue, SyncProgram};
use tile_isa::Space;
use tile_isa::registers::MAX_THREAD_REGISTERS;

/// Tiles of one stage that are awaited at one place and released at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageUse {
    /// The copies to them.
    pub copies: Vec<usize>,
    /// The first operation that reads one of them.
    pub first: usize,
    /// Where they have been read.
    pub release: StageRelease,
}

/// Where all reads of a stage are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageRelease {
    /// Behind this operation.
    Behind(usize),
    /// Behind this operation of the next iteration, which waits for the product that reads it.
    NextBehind(usize),
    /// At the end of the next iteration, behind a wait for all but so many groups of products.
    NextEnd {
        /// The groups that an iteration closes.
        pending: i64,
    },
}

/// The uses of a loop's stages, in the order of their first reads.
///
/// # Errors
/// A copy to a tile that nothing in the loop reads.
pub fn stage_uses(program: &SyncProgram, request: &PipelineRequest) -> Result<Vec<StageUse>, usize> {
    let mut inside = HashMap::from([(request.number, Inside::default())]);
    collect(&program.body, None, &mut Vec::new(), &mut inside);
    let inside = &inside[&request.number];
    let mut uses: Vec<(usize, StageUse)> = Vec::new();
    for &copy in &request.copies {
        let Some(tile) = destination(&program.ops[copy]).map(|access| access.object) else { continue };
        let reads = |op: &usize| {
            !request.copies.contains(op) && program.ops[*op].accesses.iter().any(|access| access.object == tile)
        };
        let readers: Vec<usize> = (0..inside.all.len()).filter(|&at| reads(&inside.all[at])).collect();
        let &at = readers.first().ok_or(copy)?;
        let (first, release) = (inside.all[at], release(program, inside, tile, &readers));
        match uses.iter_mut().find(|(_, known)| (known.first, known.release) == (first, release)) {
            Some((_, known)) => known.copies.push(copy),
            None => uses.push((at, StageUse { copies: vec![copy], first, release })),
        }
    }
    uses.sort_by_key(|(at, _)| *at);
    Ok(uses.into_iter().map(|(_, stage)| stage).collect())
}

/// Where the reads of a tile by these operations, one at least, are complete; they are given by their places in the loop.
fn release(program: &SyncProgram, inside: &Inside, tile: usize, readers: &[usize]) -> StageRelease {
    let last = readers[readers.len() - 1];
    let is_in_flight = |at: &&usize| {
        let accesses = &program.ops[inside.all[**at]].accesses;
        accesses.iter().any(|access| access.object == tile && access.completion == Completion::Group(Queue::Product))
    };
    let Some(&product) = readers.iter().rev().find(is_in_flight) else { return StageRelease::Behind(inside.all[last]) };
    let mut groups = GroupsAfter::default();
    let count = inside.all.len();
    for (is_next, at) in (product..count).map(|at| (false, at)).chain((0..count).map(|at| (true, at))) {
        let op = inside.all[at];
        if groups.complete(program, (op, inside.top.contains(&op))) {
            return if is_next { StageRelease::NextBehind(op) } else { StageRelease::Behind(inside.all[at.max(last)]) };
        }
    }
    let closes = |op: &&usize| program.ops[**op].effects.contains(&Effect::Commit(Queue::Product));
    let closed = inside.all.iter().filter(closes).count() as i64;
    StageRelease::NextEnd { pending: if groups.is_counted() { closed } else { 0 } }
}

/// The groups of products that are closed from a product on: the first has it.
#[derive(Default)]
struct GroupsAfter {
    closed: i64,
    /// Those in branches and inner loops, which may be any number.
    nested: i64,
}

impl GroupsAfter {
    fn is_counted(&self) -> bool {
        self.nested == 0
    }

    /// Goes on to an operation, which may be in the body itself; whether the product is complete behind it.
    fn complete(&mut self, program: &SyncProgram, (op, is_top): (usize, bool)) -> bool {
        for effect in &program.ops[op].effects {
            match effect {
                Effect::Commit(Queue::Product) if is_top => self.closed += 1,
                Effect::Commit(Queue::Product) => self.nested += 1,
                Effect::Wait { queue: Queue::Product, pending, .. } if is_top => {
                    let all = *pending == 0 && self.closed + self.nested > 0;
                    if all || self.is_counted() && *pending < self.closed {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

/// What the consumers wrote to shared memory before the loop, and read in it: they meet once before it, so that nothing in it makes them
/// wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Whether engines read, by the async proxy, what threads have written.
    pub to_engines: bool,
}

/// What a loop reads of shared memory that is written before it; `None` where it reads its stages alone.
pub fn published(program: &SyncProgram, request: &PipelineRequest) -> Option<Publication> {
    let mut inside = HashMap::from([(request.number, Inside::default())]);
    collect(&program.body, None, &mut Vec::new(), &mut inside);
    let inside = &inside[&request.number].all;
    let before = inside.first().copied()?;
    let is_shared = |access: &&Access| access.space == Space::Shared;
    let written: Vec<&Access> =
        program.ops[..before].iter().flat_map(|op| &op.accesses).filter(is_shared).filter(|one| one.write).collect();
    let read = inside.iter().flat_map(|&op| &program.ops[op].accesses).filter(is_shared).filter(|one| !one.write);
    let pairs = read.flat_map(|read| written.iter().map(move |write| (*write, read)));
    let related = pairs.filter(|(write, read)| program.related(write.object, read.object).is_some());
    let proxies = related.map(|(write, read)| read.through_async_proxy && !write.through_async_proxy);
    proxies.reduce(|any, one| any || one).map(|to_engines| Publication { to_engines })
}

/// The registers of a thread in each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleRegisters {
    /// Of the producer.
    pub producer: i64,
    /// Of a consumer.
    pub consumer: i64,
}

/// The most warpgroups of consumers beside which a producer has registers.
pub const MAX_CONSUMERS: i64 = 3;

/// The registers that a thread needs beside its tiles: addresses, counters, and what is computed.
const SPARE_REGISTERS: i64 = 24;

/// The registers that a producer of one warpgroup gives to the consumers; `None` where these have all that a thread can have, or there
/// are more than [`MAX_CONSUMERS`] warpgroups of them.
///
/// ```
/// # use tile_isa::registers::SM_REGISTERS;
/// # use tile_plan::pipeline::role_registers;
/// assert!([2, 3].into_iter().all(|consumers| {
///     let registers = role_registers(consumers).unwrap();
///     128 * (registers.producer + consumers * registers.consumer) <= SM_REGISTERS
/// }));
/// ```
pub fn role_registers(warpgroups: i64) -> Option<RoleRegisters> {
    match warpgroups {
        // A producer with 24 spills.
        2 => Some(RoleRegisters { producer: 40, consumer: 232 }),
        3 => Some(RoleRegisters { producer: 32, consumer: 160 }),
        _ => None,
    }
}

/// The registers of the tiles that a consumer can keep through the loop.
pub fn tile_registers(warpgroups: i64) -> i64 {
    role_registers(warpgroups).map_or(MAX_THREAD_REGISTERS, |registers| registers.consumer) - SPARE_REGISTERS
}
