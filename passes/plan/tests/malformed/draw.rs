//! Problems and parts of plans with extreme numbers.

use crate::common::bulk::{bulk_copy, cluster_copy};
use crate::common::generate::{async_copy, fragment_copy, memory_copy, register_copy};
use crate::common::generate_tensor::{tmem_access, tmem_copy};
use crate::common::tape::Tape;
use tile_isa::{Cache, Conversion, Red, Scope, Space};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_plan::problem::asynchronous::{Asynchronous, Completion, CtaMask};
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::{Coordinate, Fill, Mask, MaskLimit};
use tile_plan::problem::operands::{Operand, Operands};
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm, RunTimeStride};
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};
use tile_plan::sides::ranks::Ranks;
use tile_plan::sides::side::{Guard, Side};
use tile_plan::target::Target;

pub const NUMBERS: [i64; 18] =
    [1, 0, 2, 8, 32, -1, 3, 4, 7, 16, 64, 128, 1024, i64::MAX, i64::MIN, 1 << 40, -32, (1 << 62) + 1];
pub const AXES: [Axis; 12] = [
    Axis::Memory,
    Axis::LaneId,
    Axis::Tx,
    Axis::WarpId,
    Axis::WgId,
    Axis::WidInWg,
    Axis::Bx,
    Axis::TLane,
    Axis::TCol,
    Axis::TidInWg,
    Axis::S0,
    Axis::S2,
];

pub fn list<T>(tape: &mut Tape, mut item: impl FnMut(&mut Tape) -> T) -> Vec<T> {
    (0..tape.below(4)).map(|_| item(tape)).collect()
}

pub fn number(tape: &mut Tape) -> i64 {
    tape.pick(&NUMBERS)
}

pub fn layout(tape: &mut Tape) -> Layout {
    let iter = |tape: &mut Tape| Iter::new(number(tape), number(tape), tape.pick(&AXES));
    let mut layout = Layout::new(list(tape, iter));
    if tape.chance(1, 4) {
        layout.replica = list(tape, iter);
    }
    if tape.chance(1, 4) {
        layout = layout.with_offset(tape.pick(&AXES), number(tape));
    }
    if tape.chance(1, 4) {
        let [per_element, len, atom_len] = [0; 3].map(|_| tape.pick(&[3, 0, 1, 40, u32::MAX]));
        layout.swizzle = Some(Swizzle { per_element, len, atom_len, inner: tape.chance(1, 2) });
    }
    layout
}

pub fn space(tape: &mut Tape) -> Space {
    tape.pick(&[Space::Global, Space::Shared, Space::Local, Space::Tmem])
}

pub fn begin(tape: &mut Tape) -> Begin {
    match tape.below(3) {
        2 => Begin::Dynamic { value: tape.below(3) as usize, divisor: number(tape), residue: number(tape) },
        1 => Begin::Const(number(tape)),
        _ => Begin::Const(0),
    }
}

pub fn operand(tape: &mut Tape) -> Operand {
    let layout = layout(tape);
    // More often than not the shape fits the layout, so that the planner gets further.
    let shape: Vec<i64> =
        if tape.chance(3, 4) { layout.shard.iter().map(|iter| iter.extent).collect() } else { list(tape, number) };
    let begins = shape.iter().map(|_| begin(tape)).collect();
    let extent = shape.iter().map(|&extent| if tape.chance(1, 4) { number(tape) } else { extent }).collect();
    let sound = RunTimeStride { value: 0, divisor: 8 };
    let strides = if tape.chance(1, 2) { vec![sound; 3] } else { list(tape, stride) };
    let origin = if tape.chance(1, 2) { vec![] } else { list(tape, term) };
    let whole = Operand::whole(space(tape), layout, &shape, number(tape));
    let extent_divisors = if tape.chance(1, 4) { list(tape, number) } else { vec![] };
    Operand { begin: begins, extent, extent_divisors, origin, strides, ..whole }
}

pub fn problem(tape: &mut Tape) -> Problem {
    let scope = tape.pick(&[Scope::Warp, Scope::Thread, Scope::Warpgroup, Scope::Cta]);
    let block = if tape.chance(1, 8) { None } else { Some(number(tape)) };
    let active = match tape.below(4) {
        3 => Active::Known(ThreadSet::range(number(tape), number(tape))),
        2 => Active::Unknown { why: String::new(), in_warps: false },
        _ => Active::All,
    };
    let src = operand(tape);
    let dst = if tape.chance(1, 2) { Operand { space: space(tape), ..src.clone() } } else { operand(tape) };
    let element = Element::new(tape.pick(&[32, 8, 16, 0, 1, u32::MAX]), "x");
    let forced = tape.chance(1, 4).then(|| tape.pick(&["vec_128b", "reg", "ldstmatrix", "fallback", "?"]).to_owned());
    let max_vector_bits = tape.pick(&[128, 0, u32::MAX]);
    let operands = match tape.below(8) {
        0 => Operands::one(Role::Src, src),
        1 => Operands::one(Role::Dst, dst),
        _ => Operands::copied(src, dst),
    };
    Problem {
        operands,
        element,
        conversion: conversion(tape),
        effect: effect(tape),
        mask: mask(tape),
        threads: Threads { scope, block, active },
        forced,
        allowed: None,
        cache: Cache::default(),
        asynchronous: asynchronous(tape),
        max_vector_bits,
    }
}

pub fn effect(tape: &mut Tape) -> Effect {
    let red = |word, element| Effect::Reduced(Red::of(word, element).unwrap());
    tape.pick(&[
        Effect::Stored,
        Effect::Stored,
        Effect::Filled,
        red("add", "f16"),
        red("min", "f32"),
        red("add", "i64"),
    ])
}

pub fn mask(tape: &mut Tape) -> Option<Mask> {
    let digit =
        |tape: &mut Tape| Coordinate { extent: number(tape), dimension: tape.below(3) as usize, step: number(tape) };
    let limit = |tape: &mut Tape| MaskLimit {
        role: tape.pick(&[Role::Src, Role::Dst]),
        dimension: tape.chance(3, 4).then(|| tape.below(3) as usize),
        offset: number(tape),
        scale: number(tape),
        begin: begin(tape),
        extent: begin(tape),
    };
    tape.chance(1, 4).then(|| Mask {
        digits: (0..tape.below(4)).map(|_| digit(tape)).collect(),
        limits: (0..tape.below(3)).map(|_| limit(tape)).collect(),
        fill: tape.pick(&[None, Some(Fill::Zero), Some(Fill::Value)]),
    })
}

pub fn asynchronous(tape: &mut Tape) -> Option<Asynchronous> {
    let completion = tape.pick(&[Completion::Caller, Completion::Group, Completion::Barrier, Completion::BulkGroup]);
    let (shape, multicast) = ("32x128b".to_owned(), "warpx4".to_owned());
    tape.chance(1, 2).then(|| Asynchronous {
        remote_cta: completion == Completion::Barrier && tape.chance(1, 2),
        cta_mask: tape.chance(1, 8).then(|| CtaMask {
            bits: tape.chance(1, 2).then(|| tape.below(8) as u16),
            cluster: tape.chance(1, 2).then(|| number(tape)),
        }),
        predicated: tape.chance(1, 8),
        zero_fill: tape.chance(1, 8),
        direct: tape.chance(1, 8),
        reduce: tape.chance(1, 8).then(|| tape.pick(&["add", "min", "none"]).to_owned()),
        shape: tape.chance(1, 4).then_some(shape),
        multicast: tape.chance(1, 4).then_some(multicast),
        cta_group: tape.chance(1, 4).then(|| number(tape)),
        ..Asynchronous::new(completion)
    })
}

/// A well-formed copy in which one or two numbers are replaced.
pub fn mutated(tape: &mut Tape) -> Problem {
    let (mut problem, _) = match tape.below(8) {
        0 => memory_copy(tape),
        1 => register_copy(tape),
        2 => async_copy(tape),
        3 => cluster_copy(tape),
        7 => bulk_copy(tape),
        4 => tmem_copy(tape),
        5 => tmem_access(tape),
        _ => fragment_copy(tape),
    };
    for _ in 0..tape.below(3) {
        let value = number(tape);
        let operand = if tape.chance(1, 2) {
            problem.operands.get_mut(Role::Src).unwrap()
        } else {
            problem.operands.get_mut(Role::Dst).unwrap()
        };
        let iter = tape.below(operand.layout.shard.len() as i64) as usize;
        let dim = tape.below(operand.shape.len() as i64) as usize;
        match tape.below(10) {
            0 => operand.layout.shard[iter].stride = value,
            1 => operand.layout.shard[iter].extent = value,
            2 => operand.layout.shard[iter].axis = tape.pick(&AXES),
            3 => operand.layout = operand.layout.clone().with_offset(tape.pick(&AXES), value),
            4 => operand.begin[dim] = Begin::Const(value),
            5 => operand.begin[dim] = Begin::Dynamic { value: 0, divisor: value, residue: 0 },
            6 => operand.extent[dim] = value,
            7 => operand.align_bytes = value,
            8 => operand.space = space(tape),
            _ => problem.threads.block = Some(value),
        }
    }
    let names = match problem.asynchronous {
        Some(_) => ["ldgsts", "dsmem", "tcgen05_ldst", "tcgen05_cp"],
        None => ["vec_128b", "reg", "fallback", "gmem_smem"],
    };
    problem.forced = tape.chance(1, 4).then(|| tape.pick(&names).to_owned());
    problem
}

pub fn term(tape: &mut Tape) -> DynamicTerm {
    let [div, stride, divisor, residue] = [0; 4].map(|_| number(tape));
    DynamicTerm { value: 0, div, stride, axis: tape.pick(&AXES), divisor, residue }
}

pub fn side(tape: &mut Tape) -> Side {
    let (dynamic, strides) = (list(tape, term), list(tape, stride));
    Side { space: space(tape), layout: layout(tape), dynamic, strides, align_bytes: number(tape) }
}

pub fn stride(tape: &mut Tape) -> RunTimeStride {
    RunTimeStride { value: 0, divisor: number(tape) }
}

pub fn conversion(tape: &mut Tape) -> Option<Conversion> {
    let (from, to) = tape.pick(&[("f32", "f32"), ("f32", "f16"), ("i8", "f64"), ("f8E5M2", "f32")]);
    Conversion::of(from, to, (from == "i8").then_some("signed")).unwrap()
}

/// Replaces a number on one of two sides, or none.
pub fn damage(tape: &mut Tape, one: &mut Side, other: &mut Side) {
    let side = if tape.chance(1, 2) { one } else { other };
    let value = number(tape);
    let iter = tape.below(side.layout.shard.len() as i64) as usize;
    let axis = tape.pick(&AXES);
    match tape.below(7) {
        0 => side.layout.shard[iter].stride = value,
        1 => side.layout.shard[iter].extent = value,
        2 => side.layout.shard[iter].axis = axis,
        3 => side.layout = side.layout.clone().with_offset(axis, value),
        4 => side.dynamic.push(DynamicTerm { value: 0, div: value, stride: value, axis, divisor: value, residue: 0 }),
        5 => side.space = space(tape),
        _ => {}
    }
}

pub fn guards(tape: &mut Tape) -> Vec<Guard> {
    list(tape, |tape| Guard { div: number(tape), extent: number(tape) })
}

pub fn target() -> Target {
    Target::parse("sm_100a").unwrap()
}

pub fn ranks(tape: &mut Tape) -> Ranks {
    let digits = (0..tape.below(4)).map(|_| (number(tape), number(tape))).collect();
    Ranks { first: number(tape), digits }
}
