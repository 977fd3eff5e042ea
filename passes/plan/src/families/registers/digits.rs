//! Two register operands over the same digits; digits that lanes may exchange have two positions.

use tile_layout::{Axis, Fusion, Iter, Layout};

use crate::families::registers::places::thread_bits;
use crate::problem::Problem;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chain::{gaps, on_threads, thread_offset};
use crate::sides::order::{Pair, refine};
use crate::sides::region::moved_region;
use crate::sides::require::unswizzled;
use crate::sides::side::Side;
use tile_isa::{Scope, Space};

/// Both sides over the common digits; replica and offset hold what no digit moves.
pub(super) struct Digits {
    pub src: Side,
    pub dst: Side,
}

/// The digits of a copy between registers of `count` threads.
///
/// # Errors
/// A region that starts at a run-time register; layouts without a common refinement, or with digits that move between
/// threads and are not bits of the thread id.
pub(super) fn digits(problem: &Problem, count: i64) -> Result<Digits, Refusal> {
    let axis = axis_of(problem.threads.scope);
    let [src, dst] = [flat(problem, Role::Src, count, axis)?, flat(problem, Role::Dst, count, axis)?];
    let refined = refine(&dst.shard, &src.shard)
        .ok_or_else(|| Refusal::new("no-common-refinement", "the iters of the two sides have no common refinement"))?;
    let mut pairs = Vec::new();
    for pair in refined {
        pairs.extend(cut(pair)?);
    }
    let operands = problem.sides()?;
    let side = |operand: &Operand, layout: &Layout, iters: Vec<Iter>| Side {
        space: Space::Local,
        layout: Layout { shard: iters, ..layout.clone() },
        dynamic: Vec::new(),
        strides: Vec::new(),
        align_bytes: operand.align_bytes,
    };
    let lead = pairs.iter().map(|pair| Iter::new(pair.extent, pair.lead, pair.axis)).collect();
    let follow = pairs.iter().map(|pair| Iter::new(pair.extent, pair.follow, pair.follow_axis)).collect();
    let digits = Digits { src: side(operands.0, &src, follow), dst: side(operands.1, &dst, lead) };
    for (role, side) in [(Role::Src, &digits.src), (Role::Dst, &digits.dst)] {
        thread_bits(&side.layout, count)
            .map_err(|error| Refusal::of(role, "not-powers-of-two", format!("the {role}: {error}")))?;
    }
    Ok(digits)
}

/// The axis that counts all threads of a scope.
fn axis_of(scope: Scope) -> Axis {
    match scope {
        Scope::Thread | Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        Scope::Cta => Axis::Tx,
    }
}

/// The layout of an operand's region, with all thread iters on one axis. Its replica includes threads that hold the
/// same elements.
fn flat(problem: &Problem, role: Role, count: i64, axis: Axis) -> Result<Layout, Refusal> {
    let operand = problem.operand(role)?;
    unswizzled(operand, role)?;
    let gaps = gaps(&operand.layout, role, &problem.threads, count, true)?;
    let (layout, dynamic) = moved_region(operand, role)?;
    if !dynamic.is_empty() {
        let reason = format!("the {role} begins at a run-time register; needed a known one");
        return Err(Refusal::of(role, "dynamic-register", reason));
    }
    let place = |iter: &Iter| match on_threads(*iter) {
        _ if iter.stride == 0 || iter.extent == 1 => Iter::memory(iter.extent, 0),
        Some(on) => Iter { axis, ..on },
        None => *iter,
    };
    let copies = layout.replica.iter().map(place).filter(|iter| iter.extent != 1 && iter.stride != 0);
    let copies = copies.filter(|iter| role == Role::Dst || iter.axis != Axis::Memory);
    let gaps = gaps.into_iter().map(|gap| Iter { axis, ..gap });
    let threads = thread_offset(&layout);
    let registers = layout.offset_on(Axis::Memory);
    let offset = [(axis, threads), (Axis::Memory, registers)].into_iter().filter(|(_, value)| *value != 0);
    let unfused = layout.canonicalize(Fusion::None);
    Ok(Layout {
        shard: unfused.shard.iter().map(place).collect(),
        replica: copies.chain(gaps).collect(),
        offset: offset.collect(),
        swizzle: None,
    })
}

/// Splits a common iter into digits of two positions, the fastest last. An odd factor that remains must stay on the
/// same threads, if it is on threads at all.
fn cut(pair: Pair) -> Result<Vec<Pair>, Refusal> {
    let moves = pair.axis != Axis::Memory || pair.follow_axis != Axis::Memory;
    let (mut rest, mut digits) = (pair, Vec::new());
    while rest.extent % 2 == 0 && rest.extent > 1 {
        let (outer, inner) = rest.split(2);
        digits.push(inner);
        rest = outer;
    }
    let stays = (rest.axis, rest.lead) == (rest.follow_axis, rest.follow);
    if rest.extent > 1 {
        if moves && !stays {
            let reason = format!("an iter of {} positions moves between threads; needed a power of two", pair.extent);
            return Err(Refusal::new("not-powers-of-two", reason));
        }
        digits.push(rest);
    }
    digits.reverse();
    Ok(digits)
}
