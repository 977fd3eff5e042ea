//! Helpers for plans of bulk copies, and random bulk copies: to another CTA's shared memory, and between global and
//! shared memory.

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};

use super::build::planned_with;
use super::generate::{begins, swizzle};
use super::oracle::Values;
use super::tape::Tape;

/// The plan, which must be one of bulk copies.
pub fn bulk_with(problem: &Problem, values: &Values) -> BulkCopy {
    match planned_with(problem, values) {
        CopyPlan::Bulk(copy) => copy,
        other => panic!("no bulk copy: {other:?}"),
    }
}

/// The number of chunks, and the bytes of each.
pub fn bulk(problem: &Problem) -> (i64, i64) {
    let copy = bulk_with(problem, &Values::default());
    (copy.chunks(), copy.chunk_bytes())
}

/// A bulk copy between global and shared memory, at any scope, with a completion that the instruction has.
pub fn bulk_copy(tape: &mut Tape) -> (Problem, Values) {
    let (mut problem, values) = cluster_copy(tape);
    let to_shared = tape.chance(1, 2);
    let global = if to_shared {
        problem.operands.get_mut(Role::Src).unwrap()
    } else {
        problem.operands.get_mut(Role::Dst).unwrap()
    };
    global.space = Space::Global;
    if tape.chance(7, 8) {
        global.layout.swizzle = None;
    }
    let completion = if to_shared { Completion::Barrier } else { Completion::BulkGroup };
    problem.asynchronous = Some(Asynchronous::new(completion));
    problem.threads = tape.pick(&[
        Threads::all(Scope::Thread, Some(2)),
        Threads::all(Scope::Warp, Some(64)),
        Threads::all(Scope::Cta, Some(33)),
    ]);
    (problem, values)
}

/// A copy to another CTA's shared memory; both sides have the same layout or similar ones, often swizzled.
pub fn cluster_copy(tape: &mut Tape) -> (Problem, Values) {
    let bits = tape.pick(&[16, 32, 8, 64]);
    let extents = [tape.pick(&[8, 4, 16, 2, 3]), tape.pick(&[64, 32, 16, 64, 128, 24])];
    let pattern = tape.chance(2, 3).then(|| swizzle(tape));
    let mut values = Values::default();
    let src = cluster_operand(tape, extents, pattern, &mut values.src);
    let same = tape.chance(2, 3);
    let pattern = if same { pattern } else { tape.chance(1, 2).then(|| swizzle(tape)) };
    let mut dst = cluster_operand(tape, extents, pattern, &mut values.dst);
    if tape.chance(1, 16) {
        dst.layout = dst.layout.with_replica([Iter::memory(2, 1 << 14)]);
    }
    let mut problem =
        Problem::new(src, dst, Element::new(bits, format!("i{bits}")), Threads::all(Scope::Thread, Some(2)));
    let mut requests = Asynchronous::new(Completion::Barrier);
    requests.remote_cta = true;
    problem.asynchronous = Some(requests);
    (problem, values)
}

/// Rows or columns of up to 128 elements, padded, or in panels, and a window of them.
fn cluster_operand(tape: &mut Tape, extents: [i64; 2], swizzle: Option<Swizzle>, values: &mut Vec<i64>) -> Operand {
    let shape = [extents[0] * tape.pick(&[1, 2, 4]), extents[1] * tape.pick(&[1, 1, 2])];
    let pitch = shape[1] + tape.pick(&[0, 0, 0, 0, 16, 64, 8, 1]);
    let panels = shape[1] % 16 == 0 && tape.chance(1, 4);
    let iters = match tape.below(16) {
        15 => vec![Iter::memory(shape[0], 1), Iter::memory(shape[1], shape[0])],
        _ if panels => {
            let half = shape[1] / 2;
            vec![Iter::memory(shape[0], half), Iter::memory(2, half * shape[0]), Iter::memory(half, 1)]
        }
        _ => vec![Iter::memory(shape[0], pitch), Iter::memory(shape[1], 1)],
    };
    let mut layout = Layout::new(iters);
    layout.swizzle = swizzle;
    if tape.chance(1, 4) {
        layout = layout.with_offset(Axis::Memory, tape.pick(&[64, 512, 16, 1]));
    }
    let begin = match tape.below(4) {
        3 => begins(tape, &shape, &extents, values),
        _ => shape.iter().zip(&extents).map(|(limit, extent)| Begin::Const((limit - extent) / 8 * 8)).collect(),
    };
    let align_bytes = if tape.chance(1, 16) { 8 } else { tape.pick(&[128, 16]) };
    Operand { begin, extent: extents.to_vec(), ..Operand::whole(Space::Shared, layout, &shape, align_bytes) }
}
