//! Conflicts that nothing orders.

use crate::sync::finding::{Conflict, Finding, Needs, Threads};
use crate::sync::flow::{Flow, Round};
use crate::sync::known::Known;
use crate::sync::pairs::{Pairs, Unordered};
use crate::sync::program::{Access, Completion, Program};
use crate::sync::shift::{Apart, Shift};

/// The most iterations whose accesses are compared one by one.
const MOST_APART: usize = 8;

/// Everything that is wrong with a program. Of two operations one conflict is reported, the first found.
pub fn check(program: &Program) -> Vec<Finding> {
    let flow = Flow::new(program);
    let mut found = Vec::new();
    for first in 0..program.ops.len() {
        beside(program, &flow, first, &mut found);
        for number in 0..program.ops[first].accesses.len() {
            after(program, &flow, (first, number), &mut found);
        }
    }
    found
}

/// The accesses that would need an order if nothing gave one: of two operations, one conflict.
pub fn all_pairs(program: &Program) -> Vec<Conflict> {
    let mut bare = program.clone();
    for op in &mut bare.ops {
        op.effects.clear();
        op.accesses.iter_mut().for_each(|access| access.completion = Completion::Now);
    }
    let conflict = |finding| match finding {
        Finding::Conflict(conflict) => Some(*conflict),
        Finding::NeverWaited { .. } => None,
    };
    check(&bare).into_iter().filter_map(conflict).collect()
}

/// One conflict of two operations is enough.
fn add(found: &mut Vec<Finding>, conflict: Conflict) {
    let same = |it: &Finding| match it {
        Finding::Conflict(it) => it.first.0 == conflict.first.0 && it.second.0 == conflict.second.0,
        Finding::NeverWaited { .. } => false,
    };
    if !found
        .iter()
        .rev()
        .take_while(|it| !matches!(it, Finding::Conflict(it) if it.first.0 < conflict.first.0))
        .any(same)
    {
        found.push(Finding::Conflict(Box::new(conflict)));
    }
}

/// What comes after an access.
fn after(program: &Program, flow: &Flow<'_>, first: (usize, usize), found: &mut Vec<Finding>) {
    let access = &program.ops[first.0].accesses[first.1];
    let around = &flow.around[first.0];
    let most = counted(program, access);
    for depth in 0..=around.len() {
        let entered = entered(program, flow, first, depth);
        let own = depth.checked_sub(1).map(|last| around[last]);
        let round = Round { depth, counted: own, most };
        flow.follow(first.0, access, round, |op, times, known| {
            if depth == 0 {
                ends(program, first, op, known, found);
            }
            let common = flow.common(first.0, op);
            // Iterations of loops that are entered afterwards are counted, where it matters.
            let staged = flow.around[op].get(depth).is_some_and(|next| common == depth && entered.contains(next));
            let is_asked = if times == 0 { common == depth && !staged } else { common >= depth };
            // A loop that goes round so often.
            let trips = own.filter(|_| times > 0).and_then(|own| program.loops[own].trips);
            if !is_asked || trips.is_some_and(|trips| trips <= times as i64) {
                return;
            }
            let apart = |number: usize| match around[..common].iter().position(|&it| it == number) {
                Some(place) if place + 1 < depth || place < depth && times == 0 => Apart::Same,
                Some(place) if place < depth && times == most => Apart::AtLeast(times as i64),
                Some(place) if place < depth => Apart::Later(times as i64),
                _ => Apart::Any,
            };
            let carried = own.filter(|_| times > 0);
            all(program, flow, (first, op, carried), known, &apart, found);
        });
        for next in entered {
            let round = Round { depth, counted: Some(next), most };
            flow.follow(first.0, access, round, |op, times, known| {
                if flow.common(first.0, op) != depth || flow.around[op].get(depth) != Some(&next) {
                    return;
                }
                let apart = |number: usize| match () {
                    () if around[..depth].contains(&number) => Apart::Same,
                    () if number == next && times == most => Apart::From(times as i64),
                    () if number == next => Apart::At(times as i64),
                    () => Apart::Any,
                };
                all(program, flow, (first, op, None), known, &apart, found);
            });
        }
    }
}

/// The conflicts of an access with those of a later operation.
fn all(
    program: &Program,
    flow: &Flow<'_>,
    (first, op, carried): ((usize, usize), usize, Option<usize>),
    known: &Known,
    apart: &impl Fn(usize) -> Apart,
    found: &mut Vec<Finding>,
) {
    for second in 0..program.ops[op].accesses.len() {
        let place = Place { first, second: (op, second), carried };
        let conflict = between(program, flow, place, known, apart);
        conflict.into_iter().for_each(|it| add(found, it));
    }
}

/// Loops that do not go around an access, `depth` of those around it around them, in which the same memory is touched
/// elsewhere in each iteration.
fn entered(program: &Program, flow: &Flow<'_>, first: (usize, usize), depth: usize) -> Vec<usize> {
    let access = &program.ops[first.0].accesses[first.1];
    let around = &flow.around[first.0];
    let mut entered = Vec::new();
    if program.loops.is_empty() {
        return entered;
    }
    for (op, loops) in program.ops.iter().zip(&flow.around) {
        let Some(&next) = loops.get(depth).filter(|_| loops[..depth] == around[..depth]) else { continue };
        let moves = |it: &Access| it.object == access.object && it.shift.loops.contains_key(&next);
        if !around.contains(&next) && !entered.contains(&next) && op.accesses.iter().any(moves) {
            entered.push(next);
        }
    }
    entered
}

/// Iterations that are compared one by one: as many as the access has different beginnings.
fn counted(program: &Program, access: &Access) -> usize {
    if program.loops.is_empty() {
        return 2;
    }
    let period = access.shift.loops.values().map(|it| it.period()).max().unwrap_or(1);
    let others = program.ops.iter().flat_map(|op| &op.accesses).filter(|it| it.object == access.object);
    let period = others.flat_map(|it| it.shift.loops.values()).map(|it| it.period()).max().unwrap_or(1).max(period);
    (period as usize + 1).clamp(2, MOST_APART)
}

/// The end of a kernel, where shared memory ends.
fn ends(program: &Program, first: (usize, usize), op: usize, known: &Known, found: &mut Vec<Finding>) {
    let access = &program.ops[first.0].accesses[first.1];
    if Some(op) != program.end || !access.shared {
        return;
    }
    let queue = match access.completion {
        Completion::Now => return,
        Completion::Group(queue) => Some(queue),
        Completion::Phase(_) | Completion::Never => None,
    };
    let makers = program.ops[first.0].makers(access).warps();
    let open = (0..32).any(|warp| makers >> warp & 1 == 1 && known.own >> warp & 1 == 0 && known.rows[warp] == 0);
    let finding = Finding::NeverWaited { op: first.0, queue };
    if open && !found.contains(&finding) {
        found.push(finding);
    }
}

/// Accesses in one iteration that no way leads between: those of one operation, and of different arms.
fn beside(program: &Program, flow: &Flow<'_>, first: usize, found: &mut Vec<Finding>) {
    // Nothing is beside what is in no branch.
    let end = if flow.arms[first].is_empty() { first + 1 } else { program.ops.len() };
    for op in first..end {
        if op != first && flow.beside(first, op) != Some(true) {
            continue;
        }
        let common = &flow.around[first][..flow.common(first, op)];
        let apart = |number| if common.contains(&number) { Apart::Same } else { Apart::Any };
        for (i, access) in program.ops[first].accesses.iter().enumerate() {
            let from = if op == first { i } else { 0 };
            for j in from..program.ops[op].accesses.len() {
                let mut known = Known::new(access);
                // A thread is in order with itself.
                (known.own, known.own_fence) = (u32::MAX, u32::MAX);
                if op == first && i == j && access.by_warps {
                    known.rows = std::array::from_fn(|warp| 1 << warp);
                }
                let place = Place { first: (first, i), second: (op, j), carried: None };
                if let Some(conflict) = between(program, flow, place, &known, apart) {
                    add(found, Conflict { needs: Needs::Apart, ..conflict });
                }
            }
        }
    }
}

struct Place {
    first: (usize, usize),
    second: (usize, usize),
    carried: Option<usize>,
}

/// Whether two accesses conflict, for what is known of the first at the second.
fn between(
    program: &Program,
    flow: &Flow<'_>,
    place: Place,
    known: &Known,
    apart: impl Fn(usize) -> Apart,
) -> Option<Conflict> {
    let (op, later) = (&program.ops[place.first.0], &program.ops[place.second.0]);
    let (a, b) = (&op.accesses[place.first.1], &later.accesses[place.second.1]);
    let one = program.related(a.object, b.object)?;
    if !a.conflicts(b) {
        return None;
    }
    let proxy = a.write && !a.through_async_proxy && b.through_async_proxy;
    let mut pairs = Pairs::new(&flow.groups, known, proxy);
    let mut later_by = None;
    let exact = a.bytes.as_ref().zip(b.bytes.as_ref()).filter(|_| one).and_then(|(bytes, others)| {
        let (from, to) = (bytes.bounds()?, others.bounds()?);
        let span = from
            .1
            .saturating_sub(from.0)
            .saturating_add(to.1.saturating_sub(to.0))
            .saturating_add(from.0.saturating_abs().max(to.0.saturating_abs()));
        let distances = Shift::distances(&a.shift, &b.shift, &program.loops, apart, span)?;
        Some((bytes, others, distances))
    });
    match exact {
        Some((bytes, others, distances)) => {
            for (distance, iterations) in distances {
                for (byte, from, to) in bytes.meeting(others, distance) {
                    if pairs.look(&from.threads, &to.threads, Some(byte)) && later_by.is_none() {
                        later_by = Some(iterations);
                    }
                }
            }
        }
        // An empty footprint touches nothing.
        None if [a, b].iter().any(|it| it.bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty())) => {}
        None => {
            pairs.look(&op.makers(a), &later.makers(b), None);
        }
    }
    let found = pairs.found?;
    let needs = needs(program, a, known, &found);
    let (first, second, carried) = (place.first, place.second, place.carried);
    Some(Conflict { first, second, carried, later: later_by.flatten(), example: found.example, needs })
}

/// The narrowest order that would do.
fn needs(program: &Program, access: &Access, known: &Known, found: &Unordered) -> Needs {
    let threads = match () {
        () if found.alone => None,
        () if found.within_warps => Some(Threads::Warp),
        () if found.threads.warps() == program.block.warps() => Some(Threads::Block),
        () => Some(Threads::Some(found.threads)),
    };
    let waits = (0..32).any(|warp| found.makers >> warp & 1 == 1 && known.own >> warp & 1 == 0);
    match access.completion {
        Completion::Group(queue) if waits => {
            let makers = (0..32).filter(|warp| found.makers >> warp & 1 == 1);
            let commits = makers.map(|warp| i64::from(known.commits[warp])).min().unwrap_or(0);
            Needs::Group { queue, pending: (commits - 1).max(0), committed: commits > 0, threads }
        }
        Completion::Phase(phase) if waits => Needs::Phase(phase),
        Completion::Never => Needs::Completion,
        _ if found.only_fence => Needs::ProxyFence,
        _ => Needs::Barrier(threads.unwrap_or(Threads::Warp)),
    }
}
