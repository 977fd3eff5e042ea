//! Changes to random copies: masks, and buffers in global memory with run-time strides.

use tile_isa::Space;
use tile_layout::{Axis, Iter};
use tile_plan::problem::Problem;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm, RunTimeStride};

use super::oracle::Values;
use super::tape::Tape;

/// The copy masked: some dimensions of either side end earlier or later than its region does.
pub fn masked(tape: &mut Tape, (mut problem, mut values): (Problem, Values)) -> (Problem, Values) {
    let mut limits = Vec::new();
    for role in [Role::Src, Role::Dst] {
        let operand = problem.operand(role).unwrap().clone();
        let known = if role == Role::Src { &values.src } else { &values.dst };
        for dimension in (0..operand.shape.len()).filter(|_| tape.chance(1, 2)).collect::<Vec<_>>() {
            limits.push(limit(tape, role, (&operand, dimension), known, &mut values.mask));
        }
    }
    let fill = tape.pick(&[None, Some(Fill::Zero), Some(Fill::Value)]);
    let extents: Vec<i64> =
        problem.operand(Role::Src).unwrap().extent.iter().copied().filter(|&extent| extent != 1).collect();
    problem.mask = Some(Mask::of(&extents, limits, fill));
    (problem, values)
}

fn limit(
    tape: &mut Tape,
    role: Role,
    (operand, dimension): (&Operand, usize),
    known: &[i64],
    values: &mut Vec<i64>,
) -> MaskLimit {
    let size = operand.extent[dimension];
    let walked = operand.extent[..dimension].iter().filter(|&&extent| extent != 1).count();
    // A masked region may start before the buffer.
    let before = if tape.chance(1, 4) { tape.pick(&[8, 1, 16, 4]) } else { 0 };
    let (begin, at) = match operand.begin[dimension] {
        Begin::Const(begin) => (Begin::Const(begin - before), begin - before),
        Begin::Dynamic { value, divisor, residue } => {
            let at = known[value] - before;
            values.push(at);
            let residue = (residue - before).rem_euclid(divisor);
            (Begin::Dynamic { value: values.len() - 1, divisor, residue }, at)
        }
    };
    let unit = tape.pick(&[8, 1, 16, 4, 2]);
    let extent = (at + tape.below(size + 2)).max(0) / unit * unit + tape.below(2) * unit;
    let extent = if tape.chance(1, 2) {
        Begin::Const(extent)
    } else {
        values.push(extent);
        Begin::Dynamic { value: values.len() - 1, divisor: unit, residue: 0 }
    };
    MaskLimit { role, dimension: (size != 1).then_some(walked), offset: 0, scale: 1, begin, extent }
}

/// The operand in another space; run-time strides, which only global buffers have, become numbers.
pub fn moved_to(space: Space, mut operand: Operand, values: &[i64]) -> Operand {
    if space == Space::Global {
        return Operand { space, ..operand };
    }
    let stride = |axis: Axis| axis.stride_index().map(|index| values[operand.strides[index].value]);
    for iter in &mut operand.layout.shard {
        if let Some(known) = stride(iter.axis) {
            *iter = Iter::memory(iter.extent, iter.stride * known);
        }
    }
    operand.origin.retain(|term| term.axis == Axis::Memory);
    Operand { space, strides: vec![], ..operand }
}

/// The same buffer, with its longest strides known only at run time, and its origin somewhere after that of the
/// storage.
pub fn with_run_time_strides(tape: &mut Tape, mut operand: Operand, values: &mut Vec<i64>) -> Operand {
    let mut order: Vec<usize> = (0..operand.layout.shard.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(operand.layout.shard[index].stride));
    order.truncate(1 + tape.below(2) as usize);
    // Longer than the reach of all shorter strides, so that no two elements share an address.
    let mut reached = 0;
    for (index, axis) in order.into_iter().rev().zip(Axis::STRIDES) {
        let divisor = tape.pick(&[8, 4, 1, 16, 2, 3]);
        let iter = &mut operand.layout.shard[index];
        if iter.stride == 0 || !operand.layout.replica.is_empty() {
            break;
        }
        let steps = if tape.chance(1, 4) { 2 } else { 1 };
        let least = iter.stride.max(reached);
        let stride = (least + steps * divisor - 1) / (steps * divisor) * divisor + tape.below(2) * divisor;
        reached = steps * stride * iter.extent;
        values.push(stride);
        operand.strides.push(RunTimeStride { value: values.len() - 1, divisor });
        (iter.stride, iter.axis) = (steps, axis);
    }
    for axis in Axis::STRIDES.into_iter().take(operand.strides.len()).chain([Axis::Memory]) {
        if tape.chance(1, 4) {
            let (divisor, steps) = (tape.pick(&[1, 8, 2]), tape.below(4));
            values.push(steps * divisor + divisor / 2);
            let (value, residue) = (values.len() - 1, divisor / 2);
            operand.origin.push(DynamicTerm { value, div: 1, stride: tape.pick(&[1, 2]), axis, divisor, residue });
        }
    }
    operand.layout.swizzle = operand.layout.swizzle.filter(|_| operand.strides.is_empty());
    operand
}
