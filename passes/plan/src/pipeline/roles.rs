//! The roles in a pipelined loop: which operations are its producers, which tiles become rings, and what completes the
//! copies; or what prevents pipelining.

use std::collections::{HashMap, HashSet};

use crate::pipeline::reads::{covers, overwritten, written};
use crate::pipeline::{PipelineCause, PipelineRefusal, PipelineRequest};
use crate::sync::{Access, Completion, Effect, Item, Op, Queue, SyncProgram};
use tile_isa::Space;

/// The roles in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles {
    /// The copies that are issued ahead.
    pub producers: Vec<usize>,
    /// The objects that become rings.
    pub rings: Vec<usize>,
    /// The mechanisms that complete the copies, each listed once.
    pub by: Vec<RingCompletion>,
}

/// The operations of a loop, and the loops around it.
#[derive(Default)]
pub(super) struct Inside {
    /// The operations of its body that are in no branch or inner loop.
    pub top: Vec<usize>,
    /// All operations of its body.
    pub all: Vec<usize>,
    /// The loops around it.
    around: Vec<usize>,
}

/// Determines the roles in each loop of a program that is to be pipelined, or what prevents a copy from being issued
/// earlier.
pub fn roles(program: &SyncProgram, requests: &[PipelineRequest]) -> Vec<Result<Roles, PipelineRefusal>> {
    let mut inside: HashMap<usize, Inside> =
        requests.iter().map(|request| (request.number, Inside::default())).collect();
    collect(&program.body, None, &mut Vec::new(), &mut inside);
    let outside = outside(program, &inside, requests);
    requests.iter().map(|request| of_loop(program, request, &inside[&request.number], &outside)).collect()
}

fn of_loop(
    program: &SyncProgram,
    request: &PipelineRequest,
    inside: &Inside,
    outside: &HashMap<usize, usize>,
) -> Result<Roles, PipelineRefusal> {
    let no = |cause, op, other| Err(PipelineRefusal { cause, op, other });
    if request.copies.is_empty() {
        return no(PipelineCause::NoCopy, None, None);
    }
    for &copy in &request.copies {
        match destination(&program.ops[copy]).map(|access| access.completion) {
            _ if !inside.top.contains(&copy) => return no(PipelineCause::NotInEachIteration, Some(copy), None),
            None | Some(Completion::Now) => return no(PipelineCause::Synchronous, Some(copy), None),
            Some(_) if RingCompletion::of(&program.ops[copy]).is_none() => {
                return no(PipelineCause::OrderedByHand, Some(copy), None);
            }
            Some(_) => {}
        }
    }
    let by = RingCompletion::of_all(request.copies.iter().map(|&copy| &program.ops[copy]));
    if let Some(&op) = inside.all.iter().find(|op| !request.copies.contains(op) && orders(&program.ops[**op])) {
        return no(PipelineCause::OrderedByHand, Some(op), Some(request.copies[0]));
    }
    let rings = rings(program, request);
    for &ring in &rings {
        let producers: Vec<usize> =
            request.copies.iter().copied().filter(|&op| fills(&program.ops[op], ring)).collect();
        of_ring(program, request, inside, (ring, &producers))?;
        if let Some(&other) = outside.get(&ring) {
            return no(PipelineCause::UsedOutside, Some(producers[0]), Some(other));
        }
    }
    let acquires = |op: &&usize| {
        let effects = &program.ops[**op].effects;
        effects.iter().any(|effect| matches!(effect, Effect::InterBlock { acquires: true, .. }))
    };
    if let Some(&op) = inside.all.iter().find(acquires) {
        return no(PipelineCause::Acquired, Some(request.copies[0]), Some(op));
    }
    match overwritten(program, request, (&inside.all, &inside.around)) {
        Some((copy, writer)) => no(PipelineCause::SourceWritten, Some(copy), Some(writer)),
        None => Ok(Roles { producers: request.copies.clone(), rings, by }),
    }
}

/// Checks what else an iteration does to a tile: it may only read what the producers have written before.
fn of_ring(
    program: &SyncProgram,
    request: &PipelineRequest,
    inside: &Inside,
    (ring, producers): (usize, &[usize]),
) -> Result<(), PipelineRefusal> {
    let last = producers.iter().copied().max().unwrap_or(0);
    let whole = request.whole.get(&ring).copied().unwrap_or(i64::MAX);
    let written = written(producers.iter().flat_map(|&op| &program.ops[op].accesses), ring);
    for &op in inside.all.iter().filter(|op| !producers.contains(op)) {
        let touching = program.ops[op].accesses.iter().filter(|access| program.related(access.object, ring).is_some());
        for access in touching {
            let cause = match () {
                () if access.write || access.object != ring => PipelineCause::AlsoWritten,
                () if op < last => PipelineCause::ReadBefore,
                () if !covers(&written, whole, access) => PipelineCause::ReadBeyond,
                () => continue,
            };
            return Err(PipelineRefusal { cause, op: Some(op), other: Some(last) });
        }
    }
    Ok(())
}

/// For each tile that becomes a ring, the first operation that touches it outside of the loops that make a ring of it;
/// none where there is no such operation.
fn outside(
    program: &SyncProgram,
    inside: &HashMap<usize, Inside>,
    requests: &[PipelineRequest],
) -> HashMap<usize, usize> {
    let mut allowed: HashMap<usize, HashSet<usize>> = HashMap::new();
    for request in requests {
        for ring in rings(program, request) {
            allowed.entry(ring).or_default().extend(&inside[&request.number].all);
        }
    }
    // For each object, the rings that it may overlap.
    let mut touched: HashMap<usize, Vec<usize>> = allowed.keys().map(|&ring| (ring, vec![ring])).collect();
    for &(a, b) in &program.may_alias {
        for (object, ring) in [(a, b), (b, a)] {
            if allowed.contains_key(&ring) {
                touched.entry(object).or_default().push(ring);
            }
        }
    }
    let mut outsiders = HashMap::new();
    for (number, op) in program.ops.iter().enumerate() {
        for ring in op.accesses.iter().filter_map(|access| touched.get(&access.object)).flatten() {
            if !allowed[ring].contains(&number) {
                outsiders.entry(*ring).or_insert(number);
            }
        }
    }
    outsiders
}

/// The tiles that the copies of a loop write.
fn rings(program: &SyncProgram, request: &PipelineRequest) -> Vec<usize> {
    let mut objects: Vec<usize> =
        request.copies.iter().filter_map(|&op| destination(&program.ops[op])).map(|access| access.object).collect();
    objects.sort_unstable();
    objects.dedup();
    objects
}

fn fills(op: &Op, ring: usize) -> bool {
    destination(op).is_some_and(|access| access.object == ring)
}

/// Whether an operation closes groups, waits, or issues copies in the way that a pipeline does.
fn orders(op: &Op) -> bool {
    let by_hand = |effect: &Effect| match effect {
        Effect::Commit(queue) | Effect::Wait { queue, .. } => *queue == Queue::CpAsync,
        Effect::PhaseWait(_) | Effect::Mbarrier(_) => true,
        _ => false,
    };
    let in_flight = |access: &Access| access.completion == Completion::Group(Queue::CpAsync);
    op.effects.iter().any(by_hand) || op.accesses.iter().any(in_flight)
}

/// Collects the operations of loops, and the loops around them. `body` is the loop whose body `items` are, `around` are all
/// loops around them.
pub(super) fn collect(
    items: &[Item],
    body: Option<usize>,
    around: &mut Vec<usize>,
    by_loop: &mut HashMap<usize, Inside>,
) {
    for item in items {
        match item {
            Item::Op(op) => {
                for number in around.iter() {
                    if let Some(inside) = by_loop.get_mut(number) {
                        inside.all.push(*op);
                        inside.top.extend((body == Some(*number)).then_some(*op));
                    }
                }
            }
            Item::Loop(number, body) => {
                if let Some(inside) = by_loop.get_mut(number) {
                    inside.around.clone_from(around);
                }
                around.push(*number);
                collect(body, Some(*number), around, by_loop);
                around.pop();
            }
            Item::Branch(branch) => branch.arms.iter().for_each(|arm| collect(arm, None, around, by_loop)),
        }
    }
}

/// What completes copies of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingCompletion {
    /// Groups of `cp.async`: each iteration closes one.
    Groups,
    /// Phases of one mbarrier per stage.
    Phases {
        /// The number of arrivals that complete a phase: those of the copies of an iteration.
        arrivals: i64,
    },
}

impl RingCompletion {
    /// The mechanism that completes a copy of a loop: for a bulk copy that names no mbarrier, the ring's mbarriers.
    /// `None` where the program completes the copy itself.
    pub fn of(copy: &Op) -> Option<RingCompletion> {
        let access = destination(copy)?;
        let named = copy.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_)));
        match access.completion {
            Completion::Group(Queue::CpAsync) => Some(RingCompletion::Groups),
            Completion::Arrival(_) if !named => {
                Some(RingCompletion::Phases { arrivals: copy.issuing_threads(access).len() })
            }
            _ => None,
        }
    }

    /// The mechanisms that complete some copies together: groups first, so that an iteration waits for these before
    /// phases.
    fn of_all<'p>(copies: impl Iterator<Item = &'p Op>) -> Vec<RingCompletion> {
        let all: Vec<RingCompletion> = copies.filter_map(RingCompletion::of).collect();
        let of_phases = |by: &RingCompletion| if let RingCompletion::Phases { arrivals } = by { *arrivals } else { 0 };
        let arrivals: i64 = all.iter().map(of_phases).sum();
        let groups = all.contains(&RingCompletion::Groups).then_some(RingCompletion::Groups);
        groups.into_iter().chain((arrivals > 0).then_some(RingCompletion::Phases { arrivals })).collect()
    }
}

/// The access by which a copy writes shared memory.
pub(super) fn destination(op: &Op) -> Option<&Access> {
    op.accesses.iter().find(|access| access.write && access.space == Space::Shared)
}
