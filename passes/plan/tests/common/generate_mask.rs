//! Random masks on random copies.

use tile_plan::{Begin, Fill, Limit, Mask, Operand, Problem, Which};

use super::oracle::Values;
use super::tape::Tape;

/// The copy masked: some dimensions of either side end earlier or later than its region does.
pub fn masked(tape: &mut Tape, (mut problem, mut values): (Problem, Values)) -> (Problem, Values) {
    let mut limits = Vec::new();
    for which in [Which::Src, Which::Dst] {
        let operand = problem.operand(which).clone();
        let known = if which == Which::Src { &values.src } else { &values.dst };
        for dimension in (0..operand.shape.len()).filter(|_| tape.chance(1, 2)).collect::<Vec<_>>() {
            limits.push(limit(tape, which, (&operand, dimension), known, &mut values.mask));
        }
    }
    let fill = tape.pick(&[None, Some(Fill::Zero), Some(Fill::Value)]);
    let extents: Vec<i64> = problem.src.extent.iter().copied().filter(|&extent| extent != 1).collect();
    problem.mask = Some(Mask::of(&extents, limits, fill));
    (problem, values)
}

fn limit(
    tape: &mut Tape,
    which: Which,
    (operand, dimension): (&Operand, usize),
    known: &[i64],
    values: &mut Vec<i64>,
) -> Limit {
    let size = operand.extent[dimension];
    let walked = operand.extent[..dimension].iter().filter(|&&extent| extent != 1).count();
    // A masked region may begin before the buffer.
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
    Limit { which, dimension: (size != 1).then_some(walked), offset: 0, begin, extent }
}
