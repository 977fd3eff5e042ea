//! Random copies to tensor memory, and between it and registers: built from the digits of an instruction, in any order,
//! in windows of larger buffers, and occasionally with a number that does not fit.

use tile_isa::{Scope, Space, TmemForm, TmemShape};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};

use super::oracle::Values;
use super::tape::Tape;

/// One digit of a copy: its place in tensor memory (axis, stride), and its place on the other side.
#[derive(Clone, Copy)]
struct Digit {
    extent: i64,
    tensor: (Axis, i64),
    other: (Axis, i64),
    /// Whether a window may cut it.
    free: bool,
}

fn digit(extent: i64, tensor: (Axis, i64), other: (Axis, i64)) -> Digit {
    Digit { extent, tensor, other, free: false }
}

const LANE: Axis = Axis::TLane;
const COLUMN: Axis = Axis::TCol;
const MEMORY: Axis = Axis::Memory;

/// A copy from shared to tensor memory.
pub fn tmem_copy(tape: &mut Tape) -> (Problem, Values) {
    let form = tape.pick(&TmemForm::ALL);
    let bits = tape.pick(&[16, 32, 8, 64, 128]);
    let mode = tape.below(4);
    let unit = 128 / i64::from(bits);
    let row = unit << mode;
    let group = 8 * row + unit * tape.pick(&[0, 0, 1, 8]);
    let mut digits = rows(form, row, group);
    let mut far = 16 * group;
    digits.push(digit(unit, (COLUMN, 1), (MEMORY, 1)));
    let mut column = unit;
    if form.row_bits() == 256 {
        let half = if mode == 0 { far } else { unit };
        far += if mode == 0 { 16 * group } else { 0 };
        digits.push(digit(2, (COLUMN, column), (MEMORY, half)));
        column *= 2;
    }
    // Tiles: within the rows where there is room, else far away; adjacent in tensor memory, or with gaps.
    let mut inside = if form.row_bits() == 256 { 2 * unit } else { unit };
    for _ in 0..tape.below(3) {
        let extent = tape.pick(&[2, 4, 3]);
        let near = mode > 0 && inside * extent <= row && tape.chance(1, 2);
        let place = if near { &mut inside } else { &mut far };
        let stride = *place + if near { 0 } else { unit * tape.pick(&[0, 0, 3]) };
        *place = 2 * stride * extent;
        column += unit * tape.pick(&[0, 0, 1]);
        digits.push(Digit { free: true, ..digit(extent, (COLUMN, column), (MEMORY, stride)) });
        column *= 2 * extent;
    }
    if form == TmemForm::Rows4Bits256 && tape.chance(1, 2) {
        digits.push(Digit { free: true, ..digit(8, (LANE, 1), (MEMORY, 4 * row)) });
    }
    disturb(tape, &mut digits);
    let (tensor, shared, values) = operands(tape, &digits, (Space::Tmem, Space::Shared), false);
    let mut shared = Operand { align_bytes: tape.pick(&[1024, 1024, 1024, 256, 16]), ..shared };
    if mode > 0 {
        let chunk = unit.ilog2();
        shared.layout.swizzle = Swizzle::new(chunk, mode as u32, 3, true).ok();
    }
    let mut tensor = tensor;
    tensor.layout.replica = form.replica().into_iter().filter(|_| !tape.chance(1, 16)).collect();
    let threads = Threads::all(Scope::Thread, Some(128));
    let mut problem = Problem::new(shared, tensor, Element::new(bits, format!("i{bits}")), threads);
    let mut requests = Asynchronous::new(Completion::Caller);
    requests.cta_group = tape.pick(&[None, Some(1), Some(2)]);
    if tape.chance(1, 2) {
        requests.shape = Some(form.shape().to_owned());
        requests.multicast = form.multicast().map(str::to_owned);
    }
    problem.asynchronous = Some(requests);
    (problem, Values { src: values.1, dst: values.0, ..Values::default() })
}

fn rows(form: TmemForm, row: i64, group: i64) -> Vec<Digit> {
    let rows = |extent, lane, stride| digit(extent, (LANE, lane), (MEMORY, stride));
    match form {
        TmemForm::Rows128Bits256 | TmemForm::Rows128Bits128 => vec![rows(16, 8, group), rows(8, 1, row)],
        TmemForm::Rows4Bits256 => vec![rows(4, 32, row)],
        TmemForm::Rows64Warpx2Split02 => vec![rows(8, 8, group), rows(8, 1, row)],
        TmemForm::Rows64Warpx2Split01 => vec![rows(2, 64, 4 * group), rows(4, 8, group), rows(8, 1, row)],
        TmemForm::Rows32Warpx4 => vec![rows(4, 8, group), rows(8, 1, row)],
    }
}

/// A copy between tensor memory and the registers of a warpgroup.
pub fn tmem_access(tape: &mut Tape) -> (Problem, Values) {
    let shape = tape.pick(&TmemShape::ALL);
    let bits = if shape == TmemShape::Lanes32Bits32 { tape.pick(&[16, 32, 8, 64]) } else { tape.pick(&[16, 32, 8]) };
    let part = 32 / i64::from(bits.min(32));
    let fused = tape.chance(1, 2);
    let thread = |extent, stride, tensor| digit(extent, tensor, (Axis::TidInWg, stride)).on(fused);
    let register = |extent, word, tensor| digit(extent, tensor, (MEMORY, word * part));
    let warps = thread(4, 32, (LANE, 32));
    let rows = thread(8, 4, (LANE, 1));
    let mut digits = match shape {
        TmemShape::Lanes32Bits32 => vec![warps, thread(32, 1, (LANE, 1))],
        TmemShape::Lanes16Bits64 => vec![warps, rows, thread(2, 2, (COLUMN, part)), thread(2, 1, (LANE, 8))],
        TmemShape::Lanes16Bits128 => vec![warps, rows, thread(4, 1, (COLUMN, part)), register(2, 1, (LANE, 8))],
        TmemShape::Lanes16Bits256 => vec![
            warps,
            rows,
            thread(4, 1, (COLUMN, 2 * part)),
            register(2, 1, (COLUMN, part)),
            register(2, 2, (LANE, 8)),
        ],
    };
    digits.extend((part > 1).then(|| digit(part, (COLUMN, 1), (MEMORY, 1))));
    let (mut word, mut column) = (shape.registers(), shape.columns() * part);
    for _ in 0..tape.below(3) {
        let extent = tape.pick(&[2, 4, 3, 1]);
        digits.push(Digit { free: true, ..register(extent, word, (COLUMN, column)) });
        word *= extent * tape.pick(&[1, 2]);
        column *= extent * tape.pick(&[1, 2, 1]);
    }
    if shape != TmemShape::Lanes32Bits32 && tape.chance(1, 3) {
        digits.push(Digit { free: true, ..register(2, 2 * word, (LANE, 16)) });
    }
    disturb(tape, &mut digits);
    let (tensor, registers, values) = operands(tape, &digits, (Space::Tmem, Space::Local), true);
    let threads = Threads::all(Scope::Warpgroup, Some(tape.pick(&[128, 256])));
    let load = tape.chance(1, 2);
    let (src, dst) = if load { (tensor, registers) } else { (registers, tensor) };
    let mut problem = Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads);
    problem.asynchronous = Some(Asynchronous::new(Completion::Caller));
    let (src, dst) = if load { values } else { (values.1, values.0) };
    let values = Values { src, dst, ..Values::default() };
    (problem, values)
}

impl Digit {
    /// Threads counted in the warpgroup, or in warps and lanes.
    fn on(self, fused: bool) -> Digit {
        let other = match self.other {
            (Axis::TidInWg, stride) if !fused && stride >= 32 => (Axis::WidInWg, stride / 32),
            (Axis::TidInWg, stride) if !fused => (Axis::LaneId, stride),
            other => other,
        };
        Digit { other, ..self }
    }
}

/// Occasionally replaces one number.
fn disturb(tape: &mut Tape, digits: &mut [Digit]) {
    if tape.chance(1, 6) {
        let digit = &mut digits[tape.below(digits.len() as i64) as usize];
        let place = if tape.chance(1, 2) { &mut digit.tensor } else { &mut digit.other };
        place.1 = (place.1 + tape.pick(&[1, 2, 8, -1])).max(1);
    }
}

/// The two buffers, of which the digits are a window; and the values of run-time begins.
fn operands(
    tape: &mut Tape,
    digits: &[Digit],
    spaces: (Space, Space),
    registers: bool,
) -> (Operand, Operand, (Vec<i64>, Vec<i64>)) {
    let mut digits = digits.to_vec();
    tape.shuffle(&mut digits);
    let extents: Vec<i64> = digits.iter().map(|digit| digit.extent).collect();
    let mut values = (Vec::new(), Vec::new());
    let operand = |tape: &mut Tape, space, places: Vec<(Axis, i64)>, values: &mut Vec<i64>| {
        let mut iters = Vec::new();
        let mut begins = Vec::new();
        for (digit, (axis, stride)) in digits.iter().zip(places) {
            let room = if digit.free && tape.chance(1, 3) { 1 + tape.below(2) } else { 0 };
            iters.push(Iter::new(digit.extent + room, stride, axis));
            let begin = tape.below(room + 1);
            let run_time = room > 0 && tape.chance(1, 3) && !(registers && space == Space::Local);
            begins.push(if run_time { dynamic(values, begin) } else { Begin::Const(begin) });
        }
        let shape: Vec<i64> = iters.iter().map(|iter| iter.extent).collect();
        let whole = Operand::whole(space, Layout::new(iters), &shape, 128);
        Operand { begin: begins, extent: extents.clone(), ..whole }
    };
    let tensor = operand(tape, spaces.0, digits.iter().map(|digit| digit.tensor).collect(), &mut values.0);
    let other = operand(tape, spaces.1, digits.iter().map(|digit| digit.other).collect(), &mut values.1);
    (tensor, other, values)
}

/// A begin that is known only at run time.
fn dynamic(values: &mut Vec<i64>, begin: i64) -> Begin {
    values.push(begin);
    Begin::Dynamic { value: values.len() - 1, divisor: 1, residue: 0 }
}
