//! Random copies between registers, with digits in registers and in bits of the thread id, in any order on either side;
//! and copies of rows that threads hold, between registers and global memory.

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};

use super::oracle::Values;
use super::tape::Tape;

/// Where a digit of one side is.
#[derive(Clone, Copy)]
enum Place {
    /// In the bits of the thread id from this one on.
    Bit(u32),
    Register,
}

/// A copy between registers of the threads of a scope.
pub fn register_pair(tape: &mut Tape) -> (Problem, Values) {
    let threads = threads(tape);
    let bits = tape.pick(&[32, 16, 8, 64]);
    let digits: Vec<i64> = (0..2 + tape.below(6)).map(|_| if tape.chance(1, 12) { 3 } else { 2 }).collect();
    let first = places(tape, &threads, &digits, None);
    let second = places(tape, &threads, &digits, Some(&first));
    let shape = dimensions(tape, &digits);
    let src = operand(tape, &threads, (&digits, &first), &shape, bits, false);
    let dst = operand(tape, &threads, (&digits, &second), &shape, bits, true);
    (Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads), Values::default())
}

fn threads(tape: &mut Tape) -> Threads {
    let (scope, block) = tape.pick(&[
        (Scope::Warp, 32),
        (Scope::Warp, 64),
        (Scope::Cta, 64),
        (Scope::Warpgroup, 128),
        (Scope::Cta, 128),
        (Scope::Cta, 96),
        (Scope::Warpgroup, 256),
        (Scope::Cta, 16),
        (Scope::Thread, 32),
    ]);
    let active = match tape.below(10) {
        8 => Active::Known(ThreadSet::range(0, 32.min(block))),
        9 => Active::Known((0..block).filter(|thread| thread % 32 < 16).collect()),
        _ => Active::All,
    };
    Threads { scope, block: Some(block), active }
}

/// The number of bits of the thread ids of a scope.
fn bits_of(threads: &Threads) -> u32 {
    (threads.count().unwrap() as u64).ilog2()
}

/// A place for each digit, more often than not the one that it has on the other side.
fn places(tape: &mut Tape, threads: &Threads, digits: &[i64], other: Option<&[Place]>) -> Vec<Place> {
    let mut free: Vec<u32> = (0..bits_of(threads)).collect();
    tape.shuffle(&mut free);
    let mut drawn = Vec::new();
    for (index, &extent) in digits.iter().enumerate() {
        let kept = other.map(|other| other[index]).filter(|_| tape.chance(1, 2));
        let place = match (extent, kept) {
            (2, Some(Place::Bit(bit))) if free.contains(&bit) => Place::Bit(bit),
            (2, _) if tape.chance(2, 3) => free.last().map_or(Place::Register, |&bit| Place::Bit(bit)),
            (3, Some(Place::Bit(bit))) if free.contains(&bit) && free.contains(&(bit + 1)) => Place::Bit(bit),
            (3, None) if tape.chance(1, 2) => match free.iter().find(|&&bit| free.contains(&(bit + 1))) {
                Some(&bit) => Place::Bit(bit),
                None => Place::Register,
            },
            _ => Place::Register,
        };
        if let Place::Bit(bit) = place {
            free.retain(|&other| other != bit && (extent == 2 || other != bit + 1));
        }
        drawn.push(place);
    }
    drawn
}

/// Dimensions of one or several digits each.
fn dimensions(tape: &mut Tape, digits: &[i64]) -> Vec<i64> {
    let mut shape: Vec<i64> = Vec::new();
    for &digit in digits {
        match shape.last_mut() {
            Some(last) if tape.chance(1, 2) => *last *= digit,
            _ => shape.push(digit),
        }
    }
    shape
}

/// The axis that counts from bit `bit` on, and how many threads its positions are apart.
fn axis_of(threads: &Threads, bit: u32, fine: bool) -> (Axis, u32) {
    match threads.scope {
        Scope::Warpgroup if fine && bit >= 5 => (Axis::WidInWg, 5),
        Scope::Warpgroup if !fine => (Axis::TidInWg, 0),
        Scope::Cta if fine && bit >= 5 => (Axis::WarpId, 5),
        Scope::Cta if !fine => (Axis::Tx, 0),
        _ => (Axis::LaneId, 0),
    }
}

fn operand(
    tape: &mut Tape,
    threads: &Threads,
    (digits, places): (&[i64], &[Place]),
    shape: &[i64],
    bits: u32,
    written: bool,
) -> Operand {
    let fine = tape.chance(1, 2);
    let thread_iter = |extent: i64, bit: u32| {
        let (axis, first) = axis_of(threads, bit, fine);
        Iter::new(extent, 1 << (bit - first), axis)
    };
    let mut order: Vec<usize> = (0..digits.len()).collect();
    tape.shuffle(&mut order);
    let (mut shard, mut stride) = (vec![Iter::memory(1, 0); digits.len()], 1);
    let mut free: Vec<u32> = (0..bits_of(threads)).collect();
    for index in order {
        let extent = digits[index];
        shard[index] = match places[index] {
            Place::Bit(bit) => {
                free.retain(|&other| other != bit && (extent == 2 || other != bit + 1));
                thread_iter(extent, bit)
            }
            Place::Register => {
                let iter = Iter::memory(extent, stride);
                stride = stride * extent + i64::from(tape.chance(1, 8));
                iter
            }
        };
    }
    let (mut replica, mut layout) = (Vec::new(), Layout::new(Vec::new()));
    for bit in free {
        let (axis, first) = axis_of(threads, bit, fine);
        match tape.below(4) {
            0 => {}
            3 if shard.iter().any(|iter| iter.axis == axis) => {
                *layout.offset.entry(axis).or_default() += 1 << (bit - first);
            }
            _ => replica.push(thread_iter(2, bit)),
        }
    }
    if written && tape.chance(1, 16) {
        replica.push(Iter::memory(2, stride));
        stride *= 2;
    }
    layout.shard = shard;
    layout.replica = replica;
    let align = i64::from(bits / 8).max(16);
    let mut whole = Operand::whole(Space::Local, layout, shape, align);
    if tape.chance(1, 4) {
        let (extent, at) = (tape.pick(&[2, 4, 3]), tape.below(2));
        whole.layout.shard.insert(0, Iter::memory(extent, stride));
        whole.shape.insert(0, extent);
        whole.begin.insert(0, Begin::Const(at));
        whole.extent.insert(0, 1);
    }
    whole
}

/// A copy between registers and global memory of rows of 16 to 256 bytes, one or several per lane: dense, apart, or
/// side by side in another order; whole, or a window of columns.
pub fn row_copy(tape: &mut Tape) -> (Problem, Values) {
    let bits = tape.pick(&[32, 16, 8, 64]);
    let (scope, block) =
        tape.pick(&[(Scope::Warp, 32), (Scope::Cta, 64), (Scope::Cta, 96), (Scope::Warpgroup, 128), (Scope::Cta, 48)]);
    let threads = Threads::all(scope, Some(block));
    let all = threads.count().unwrap();
    let axis = match scope {
        Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        _ => Axis::Tx,
    };
    // Some adjacent threads may hold the same row.
    let same = tape.pick(&[1, 1, 1, 2, 8, 16]);
    let (rows, row) = (all / same, tape.pick(&[2, 4, 8, 16, 1, 6]) * 128 / i64::from(bits));
    let tiles = tape.pick(&[1, 1, 2]);
    let outer = tape.chance(1, 2);
    let replica = if outer { Iter::new(same, rows, axis) } else { Iter::new(same, 1, axis) };
    let spread = Iter::new(rows, if outer { 1 } else { same }, axis);
    let registers = Layout::new([Iter::memory(tiles, row), spread, Iter::memory(row, 1)]).with_replica([replica]);
    let begin = 16 / i64::from(bits / 8) * tape.pick(&[0, 0, 1, 2, 8]);
    let pitch = begin + row + tape.pick(&[0, 0, 128, 16]) / i64::from(bits / 8);
    let memory = Layout::new([Iter::memory(tiles, rows * pitch), Iter::memory(rows, pitch), Iter::memory(pitch, 1)]);
    let shape = [tiles, rows, row];
    let align_bytes = tape.pick(&[128, 256, 32, 16]);
    let whole = Operand::whole(Space::Global, memory, &[tiles, rows, pitch], align_bytes);
    let memory = Operand { begin: [0, 0, begin].map(Begin::Const).to_vec(), extent: shape.to_vec(), ..whole };
    let registers = Operand::whole(Space::Local, registers, &shape, 16);
    let (src, dst) = if tape.chance(1, 2) { (memory, registers) } else { (registers, memory) };
    (Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads), Values::default())
}
