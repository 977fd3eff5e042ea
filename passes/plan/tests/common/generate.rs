//! Random copies: iters in any order, padding, swizzles, replicas, regions, run-time begins, threads.

use tile_isa::{Conversion, Scope, Space};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};

use super::generate_changes::{moved_to, with_run_time_strides};
use super::oracle::Values;
use super::tape::Tape;

/// A copy between global and shared memory, or within one of them.
pub fn memory_copy(tape: &mut Tape) -> (Problem, Values) {
    memory_copy_up_to(tape, 1024)
}

/// A copy between memory and registers that no thread axis divides: every thread has all elements, so there are few.
pub fn private_copy(tape: &mut Tape) -> (Problem, Values) {
    let (mut problem, values) = memory_copy_up_to(tape, 48);
    let (operand, known) = if tape.chance(1, 2) {
        (problem.operands.get_mut(Role::Src).unwrap(), &values.src)
    } else {
        (problem.operands.get_mut(Role::Dst).unwrap(), &values.dst)
    };
    *operand = moved_to(Space::Local, operand.clone(), known);
    (problem, values)
}

/// An asynchronous copy between memories, with or without requests.
pub fn async_copy(tape: &mut Tape) -> (Problem, Values) {
    let (problem, values) = memory_copy(tape);
    let completion = tape.pick(&[Completion::Caller, Completion::Group, Completion::Barrier]);
    let mut requests = Asynchronous::new(completion);
    requests.predicated = tape.chance(1, 8);
    requests.zero_fill = requests.predicated && tape.chance(1, 2);
    let from_global = tape.chance(3, 4) && problem.operand(Role::Src).unwrap().layout.swizzle.is_none();
    let (src, dst) = if from_global {
        (Space::Global, Space::Shared)
    } else {
        (problem.operand(Role::Src).unwrap().space, problem.operand(Role::Dst).unwrap().space)
    };
    let src = moved_to(src, problem.operand(Role::Src).unwrap().clone(), &values.src);
    let dst = moved_to(dst, problem.operand(Role::Dst).unwrap().clone(), &values.dst);
    (
        Problem { asynchronous: Some(requests), ..problem.with_operand(Role::Src, src).with_operand(Role::Dst, dst) },
        values,
    )
}

fn memory_copy_up_to(tape: &mut Tape, most: i64) -> (Problem, Values) {
    let spaces = [
        (Space::Global, Space::Shared),
        (Space::Shared, Space::Global),
        (Space::Global, Space::Shared),
        (Space::Shared, Space::Global),
        (Space::Global, Space::Global),
        (Space::Shared, Space::Shared),
    ];
    let (src, dst) = tape.pick(&spaces);
    let bits = tape.pick(&[32, 16, 8, 64]);
    let threads = threads(tape);
    let extents = extents(tape, threads.count().unwrap(), most);
    let mut values = Values::default();
    let src = memory_operand(tape, src, &extents, bits, false, &mut values.src);
    let dst = memory_operand(tape, dst, &extents, bits, true, &mut values.dst);
    (Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads), values)
}

/// A copy between registers and memory; the register layout covers the scope's threads more often than not.
pub fn register_copy(tape: &mut Tape) -> (Problem, Values) {
    let bits = tape.pick(&[32, 16, 8, 64]);
    let threads = threads(tape);
    let load = tape.chance(1, 2);
    let space = tape.pick(&[Space::Shared, Space::Global]);
    let mut values = Values::default();
    let (local_values, memory_values) =
        if load { (&mut values.dst, &mut values.src) } else { (&mut values.src, &mut values.dst) };
    let local = register_operand(tape, &threads, bits, local_values);
    let memory = memory_operand(tape, space, &local.extent, bits, !load, memory_values);
    let (src, dst) = if load { (memory, local) } else { (local, memory) };
    (Problem::new(src, dst, Element::new(bits, format!("i{bits}")), threads), values)
}

/// A 16-bit copy whose register side consists of 8x8 fragments; the shared side often consists of matrix rows.
pub fn fragment_copy(tape: &mut Tape) -> (Problem, Values) {
    let (scope, block) = tape.pick(&[(Scope::Warp, 32), (Scope::Warp, 64), (Scope::Warpgroup, 128), (Scope::Cta, 64)]);
    let threads = Threads::all(scope, Some(block));
    let warps = threads.count().unwrap() / 32;
    let axis = match scope {
        Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        _ => Axis::Tx,
    };
    let trans = tape.chance(1, 2);
    let mut digits = vec![(8, Some(4)), (4, Some(1)), (2, None)];
    digits.extend((warps > 1).then_some((warps, Some(32))));
    for _ in 0..tape.below(3) {
        digits.push((tape.pick(&[2, 4, 3]), None));
    }
    // Registers: the register pair first; shared memory: a row of 8 first, all else at multiples of it.
    let (mut register, mut address) = (2, 8 * (1 + tape.below(2)));
    let mut shared = vec![0; digits.len()];
    let (row, column, pair) = if trans { (1, 0, 0) } else { (0, 2, 1) };
    (shared[0], shared[1], shared[2]) = (row, column, pair);
    let mut order: Vec<usize> = (0..digits.len()).filter(|&digit| shared[digit] == 0 && digit != 1).collect();
    tape.shuffle(&mut order);
    for digit in order {
        shared[digit] = address;
        address *= if trans && digit == 2 { 8 } else { digits[digit].0 };
        address += 8 * tape.below(2) * tape.below(2);
    }
    if trans {
        shared[1] = 2 * shared[2];
    }
    let mut registers = Vec::new();
    for (index, &(extent, thread)) in digits.iter().enumerate() {
        registers.push(match thread {
            Some(stride) => Iter::new(extent, stride, axis),
            None if index == 2 => Iter::memory(2, 1),
            None => {
                let stride = register;
                register *= extent;
                Iter::memory(extent, stride)
            }
        });
    }
    let mut order: Vec<usize> = (0..digits.len()).collect();
    tape.shuffle(&mut order);
    let shape: Vec<i64> = order.iter().map(|&index| digits[index].0).collect();
    let registers = Layout::new(order.iter().map(|&index| registers[index]).collect::<Vec<_>>());
    let mut memory =
        Layout::new(order.iter().map(|&index| Iter::memory(digits[index].0, shared[index])).collect::<Vec<_>>());
    if tape.chance(1, 4) {
        memory = memory.with_offset(Axis::Memory, tape.pick(&[8, 16, 4]));
    }
    if tape.chance(1, 2) {
        memory = memory.with_swizzle(swizzle(tape));
    }
    let registers = Operand::whole(Space::Local, registers, &shape, 16);
    let memory = Operand::whole(Space::Shared, memory, &shape, 16);
    let (src, dst) = if tape.chance(1, 2) { (memory, registers) } else { (registers, memory) };
    (Problem::new(src, dst, Element::new(16, "f16"), threads), Values::default())
}

fn threads(tape: &mut Tape) -> Threads {
    let scope = tape.pick(&[Scope::Warp, Scope::Cta, Scope::Thread, Scope::Warpgroup]);
    let blocks = if scope == Scope::Thread { vec![2, 32] } else { vec![128, 256, 32, 64, 128, 96, 48] };
    let block = tape.pick(&blocks);
    let active = match tape.below(16) {
        13 => {
            let (step, rest) = (tape.pick(&[2, 3, 4, 8]), tape.below(2));
            Active::Known((0..block).filter(|thread| thread % step == rest).collect())
        }
        15 => {
            let begin = tape.below(block);
            Active::Known(ThreadSet::range(begin, begin + 1 + tape.below(block)).intersect(&ThreadSet::range(0, block)))
        }
        14 => {
            let lanes = 1 + tape.below(31);
            Active::Known((0..block).filter(|thread| thread % 32 >= lanes).collect())
        }
        _ => Active::All,
    };
    let active = match active {
        Active::Known(set) if set.is_empty() => Active::All,
        active => active,
    };
    Threads { scope, block: Some(block), active }
}

/// The region's extents, divisible by `count` more often than not.
fn extents(tape: &mut Tape, count: i64, most: i64) -> Vec<i64> {
    let mut extents: Vec<i64> = (0..1 + tape.below(3)).map(|_| tape.pick(&[8, 4, 1, 16, 2, 3, 6])).collect();
    if tape.chance(3, 4) {
        let dim = tape.below(extents.len() as i64) as usize;
        extents[dim] = count.max(2) * tape.pick(&[1, 2]);
    }
    while extents.iter().product::<i64>() > most / if count == 1 { 4 } else { 1 } {
        let largest = (0..extents.len()).max_by_key(|&dim| extents[dim]).unwrap();
        extents[largest] = (extents[largest] / 2).max(1);
    }
    extents
}

/// A memory buffer with a region of the given extents; unit dimensions come and go.
fn memory_operand(
    tape: &mut Tape,
    space: Space,
    extents: &[i64],
    bits: u32,
    written: bool,
    values: &mut Vec<i64>,
) -> Operand {
    let mut extent: Vec<i64> = extents.iter().copied().filter(|&extent| extent != 1 || tape.chance(1, 2)).collect();
    if tape.chance(1, 4) || extent.is_empty() {
        extent.insert(tape.below(extent.len() as i64 + 1) as usize, 1);
    }
    let shape: Vec<i64> = extent
        .iter()
        .map(|&extent| match tape.below(6) {
            4 => extent * 2,
            5 => extent + tape.pick(&[1, 2, 4, 8]),
            _ => extent,
        })
        .collect();
    let begin = begins(tape, &shape, &extent, values);
    let (mut layout, span) = memory_layout(tape, &shape);
    if tape.chance(1, 16) {
        let times = tape.pick(&[2, 3]);
        layout = layout.with_replica([Iter::memory(times, span + tape.below(2) * 8)]);
    }
    if !written && tape.chance(1, 16) {
        // Only a source may have two elements at one address.
        layout.shard[0].stride = 0;
    }
    if tape.chance(1, 4) {
        layout = layout.with_offset(Axis::Memory, tape.pick(&[16, 8, 4, 1]));
    }
    if space == Space::Shared && tape.chance(1, 3) {
        layout = layout.with_swizzle(swizzle(tape));
    }
    let align = i64::from(bits / 8).max(tape.pick(&[32, 16, 8, 1]));
    let operand = Operand { begin, extent, ..Operand::whole(space, layout, &shape, align) };
    if space == Space::Global && tape.chance(1, 3) { with_run_time_strides(tape, operand, values) } else { operand }
}

pub fn swizzle(tape: &mut Tape) -> Swizzle {
    let atom = tape.pick(&[3, 2, 4]);
    let len = u32::try_from(tape.below(i64::from(atom) + 1)).unwrap();
    Swizzle::new(tape.pick(&[3, 2, 4, 1, 0]), len, atom, !tape.chance(1, 4)).unwrap()
}

/// Begins inside the shape: constants, or run-time values with a known residue.
pub fn begins(tape: &mut Tape, shape: &[i64], extent: &[i64], values: &mut Vec<i64>) -> Vec<Begin> {
    let dims = shape.iter().zip(extent);
    dims.map(|(&limit, &extent)| {
        let begin = tape.below(limit - extent + 1);
        let begin = if tape.chance(1, 2) { begin / 8 * 8 } else { begin };
        if !tape.chance(1, 6) {
            return Begin::Const(begin);
        }
        let divisor = tape.pick(&[1, 8, 4, 2, 16, 3, limit, (limit / 2).max(1)]);
        values.push(begin);
        Begin::Dynamic { value: values.len() - 1, divisor, residue: begin % divisor }
    })
    .collect()
}

/// A layout of several iters per dimension, their strides in any order, with padding; and the memory it takes.
fn memory_layout(tape: &mut Tape, shape: &[i64]) -> (Layout, i64) {
    let mut shard: Vec<Iter> = Vec::new();
    let mut extents = shape.to_vec();
    if tape.chance(1, 10) {
        // The same number of elements, but the iters do not end at dimension boundaries.
        extents.reverse();
    }
    for extent in extents {
        shard.extend(factors(tape, extent).into_iter().map(|factor| Iter::memory(factor, 0)));
    }
    let mut order: Vec<usize> = (0..shard.len()).rev().collect();
    match tape.below(4) {
        3 => tape.shuffle(&mut order),
        2 if order.len() > 1 => order.rotate_left(1),
        _ => {}
    }
    let mut stride = 1;
    for index in order {
        shard[index].stride = stride;
        stride *= shard[index].extent;
        if tape.chance(1, 6) {
            stride += tape.pick(&[8, 4, 1, 2]);
        }
    }
    (Layout::new(shard), stride)
}

/// Factors with the given product; mostly the number itself.
fn factors(tape: &mut Tape, extent: i64) -> Vec<i64> {
    if tape.chance(1, 3) {
        let divisors: Vec<i64> = (2..extent).filter(|divisor| extent % divisor == 0).collect();
        if !divisors.is_empty() {
            let divisor = tape.pick(&divisors);
            return vec![extent / divisor, divisor];
        }
    }
    vec![extent]
}

/// A register buffer distributed over threads, and a region of it.
fn register_operand(tape: &mut Tape, threads: &Threads, bits: u32, values: &mut Vec<i64>) -> Operand {
    let mut iters = thread_iters(tape, threads);
    let replica: Vec<Iter> = if iters.len() > 1 && tape.chance(1, 4) {
        vec![iters.remove(tape.below(iters.len() as i64) as usize)]
    } else {
        vec![]
    };
    let mut held: Vec<i64> = (0..tape.below(3)).map(|_| tape.pick(&[4, 2, 8, 3])).collect();
    held.push(tape.pick(&[4, 8, 2, 1]));
    let mut register = 1;
    for extent in held.into_iter().rev() {
        iters.push(Iter::memory(extent, register));
        register *= extent;
        register += if tape.chance(1, 8) { tape.pick(&[1, 4]) } else { 0 };
    }
    if tape.chance(1, 2) {
        tape.shuffle(&mut iters);
    }
    let mut layout = Layout::new(iters.clone()).with_replica(replica);
    if tape.chance(1, 8) {
        layout = layout.with_offset(Axis::Memory, tape.pick(&[4, 1, 8]));
    }
    if tape.chance(1, 16) {
        layout.replica.push(Iter::memory(2, register));
    }
    let shape = shape_of(tape, &iters);
    let extent: Vec<i64> =
        shape.iter().map(|&limit| if tape.chance(1, 6) { 1 + tape.below(limit) } else { limit }).collect();
    let begin = begins(tape, &shape, &extent, values);
    let align = i64::from(bits / 8).max(tape.pick(&[16, 32, 8]));
    Operand { begin, extent, ..Operand::whole(Space::Local, layout, &shape, align) }
}

/// Dimensions of one or two iters each.
fn shape_of(tape: &mut Tape, iters: &[Iter]) -> Vec<i64> {
    let mut shape: Vec<i64> = Vec::new();
    for iter in iters {
        match shape.last_mut() {
            Some(last) if tape.chance(1, 3) => *last *= iter.extent,
            _ => shape.push(iter.extent),
        }
    }
    shape
}

/// Iters on thread axes; all threads of the scope, unless the tape wants otherwise.
fn thread_iters(tape: &mut Tape, threads: &Threads) -> Vec<Iter> {
    let block = threads.block.unwrap();
    let lanes = (Axis::LaneId, 32);
    let axes: Vec<(Axis, i64)> = match threads.scope {
        Scope::Thread => vec![],
        Scope::Warp if block <= 32 => tape.pick(&[vec![lanes], vec![], vec![(Axis::Tx, block)]]),
        Scope::Warp => tape.pick(&[vec![lanes], vec![]]),
        Scope::Warpgroup => tape.pick(&[
            vec![(Axis::TidInWg, 128.min(block))],
            vec![(Axis::WidInWg, 4.min((block + 31) / 32)), lanes],
            vec![lanes],
            vec![(Axis::WidInWg, 4.min((block + 31) / 32))],
        ]),
        Scope::Cta => tape.pick(&[
            vec![(Axis::Tx, block)],
            vec![(Axis::WarpId, (block + 31) / 32), lanes],
            vec![lanes],
            vec![(Axis::WarpId, (block + 31) / 32)],
            vec![(Axis::TidInWg, 128.min(block))],
        ]),
    };
    let mut iters = Vec::new();
    for (axis, units) in axes {
        let extent = if tape.chance(1, 8) { 1 + tape.below(units) } else { units };
        let mut stride = 1;
        for factor in factors(tape, extent).into_iter().rev() {
            iters.push(Iter::new(factor, stride, axis));
            stride *= factor;
        }
        if tape.chance(1, 16) {
            iters.iter_mut().filter(|iter| iter.axis == axis).for_each(|iter| iter.stride *= 2);
        }
    }
    iters.reverse();
    iters
}

/// The same copy, with its elements converted to another type.
pub fn converting(tape: &mut Tape, (mut problem, values): (Problem, Values)) -> (Problem, Values) {
    let from = match problem.element.bits {
        8 => tape.pick(&["i8", "f8E4M3FN", "f8E5M2"]),
        16 => tape.pick(&["f16", "bf16", "i16"]),
        32 => tape.pick(&["f32", "f32", "i32"]),
        _ => tape.pick(&["f64", "i64"]),
    };
    let pairs = ["f16", "f32", "i8", "f8E4M3FN", "f64", "bf16", "i32", "i16", "i64", "f8E5M2"];
    let clause = tape.pick(&["signed", "unsigned"]);
    let to: Vec<Conversion> = pairs
        .into_iter()
        .flat_map(|to| [Conversion::of(from, to, Some(clause)), Conversion::of(from, to, None)])
        .filter_map(|conversion| conversion.ok().flatten())
        .collect();
    let conversion = tape.pick(&to);
    problem.element = Element::new(conversion.from.bits(), from);
    problem.conversion = Some(conversion);
    problem.operands.get_mut(Role::Dst).unwrap().align_bytes =
        problem.operand(Role::Dst).unwrap().align_bytes.max(i64::from(conversion.to.bits() / 8));
    (problem, values)
}
