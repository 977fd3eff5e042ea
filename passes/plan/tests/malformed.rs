//! No input makes the planner panic: extreme numbers end in a refusal or in a plan.

use crate::common::bulk::{bulk_copy, cluster_copy};
use crate::common::generate::{async_copy, fragment_copy, memory_copy, register_copy};
use crate::common::generate_tensor::{tmem_access, tmem_copy};
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use tile_isa::{Cache, Conversion, Red, Scope, Space, TmemForm, TmemShape, Transfer};
use tile_layout::{Axis, Eval, Iter, Layout, Swizzle};
use tile_plan::address::{
    access_address, access_register, bulk_address, matrix_address, matrix_register, prefetch_address, tensor_address,
    tensor_descriptor_units, vector_address,
};
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family as _;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::families::prefetch::plan::{Hint, Prefetch};
use tile_plan::families::select;
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::families::tmem::copy::{Descriptor, TmemCopy};
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::asynchronous::{Asynchronous, Completion, CtaMask};
use tile_plan::problem::check::check_copy;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::{Coordinate, Fill, Limit, Mask};
use tile_plan::problem::operands::{Operand, Operands};
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm, RunTimeStride};
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};
use tile_plan::sides::ranks::Ranks;
use tile_plan::sides::side::{Guard, Side};
use tile_plan::target::Target;

const NUMBERS: [i64; 18] =
    [1, 0, 2, 8, 32, -1, 3, 4, 7, 16, 64, 128, 1024, i64::MAX, i64::MIN, 1 << 40, -32, (1 << 62) + 1];
const AXES: [Axis; 12] = [
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

fn list<T>(tape: &mut Tape, mut item: impl FnMut(&mut Tape) -> T) -> Vec<T> {
    (0..tape.below(4)).map(|_| item(tape)).collect()
}

fn number(tape: &mut Tape) -> i64 {
    tape.pick(&NUMBERS)
}

fn layout(tape: &mut Tape) -> Layout {
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

fn space(tape: &mut Tape) -> Space {
    tape.pick(&[Space::Global, Space::Shared, Space::Local, Space::Tmem])
}

fn begin(tape: &mut Tape) -> Begin {
    match tape.below(3) {
        2 => Begin::Dynamic { value: tape.below(3) as usize, divisor: number(tape), residue: number(tape) },
        1 => Begin::Const(number(tape)),
        _ => Begin::Const(0),
    }
}

fn operand(tape: &mut Tape) -> Operand {
    let layout = layout(tape);
    // More often than not the shape fits the layout, so that the planner gets further.
    let shape: Vec<i64> =
        if tape.chance(3, 4) { layout.shard.iter().map(|iter| iter.extent).collect() } else { list(tape, number) };
    let begins = shape.iter().map(|_| begin(tape)).collect();
    let extent = shape.iter().map(|&extent| if tape.chance(1, 4) { number(tape) } else { extent }).collect();
    let sound = RunTimeStride { value: 0, divisor: 8 };
    let strides = if tape.chance(1, 2) { vec![sound; 3] } else { list(tape, stride) };
    let origin = if tape.chance(1, 2) { vec![] } else { list(tape, term) };
    Operand { space: space(tape), layout, shape, begin: begins, extent, origin, strides, align_bytes: number(tape) }
}

fn problem(tape: &mut Tape) -> Problem {
    let scope = tape.pick(&[Scope::Warp, Scope::Thread, Scope::Warpgroup, Scope::Cta]);
    let block = if tape.chance(1, 8) { None } else { Some(number(tape)) };
    let active = match tape.below(4) {
        3 => Active::Known(ThreadSet::range(number(tape), number(tape))),
        2 => Active::Unknown { why: String::new() },
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

fn effect(tape: &mut Tape) -> Effect {
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

fn mask(tape: &mut Tape) -> Option<Mask> {
    let digit =
        |tape: &mut Tape| Coordinate { extent: number(tape), dimension: tape.below(3) as usize, step: number(tape) };
    let limit = |tape: &mut Tape| Limit {
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

fn asynchronous(tape: &mut Tape) -> Option<Asynchronous> {
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
fn mutated(tape: &mut Tape) -> Problem {
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

fn term(tape: &mut Tape) -> DynamicTerm {
    let [div, stride, divisor, residue] = [0; 4].map(|_| number(tape));
    DynamicTerm { value: 0, div, stride, axis: tape.pick(&AXES), divisor, residue }
}

fn side(tape: &mut Tape) -> Side {
    let (dynamic, strides) = (list(tape, term), list(tape, stride));
    Side { space: space(tape), layout: layout(tape), dynamic, strides, align_bytes: number(tape) }
}

fn stride(tape: &mut Tape) -> RunTimeStride {
    RunTimeStride { value: 0, divisor: number(tape) }
}

fn conversion(tape: &mut Tape) -> Option<Conversion> {
    let (from, to) = tape.pick(&[("f32", "f32"), ("f32", "f16"), ("i8", "f64"), ("f8E5M2", "f32")]);
    Conversion::of(from, to, (from == "i8").then_some("signed")).unwrap()
}

/// Replaces a number on one of two sides, or none.
fn damage(tape: &mut Tape, one: &mut Side, other: &mut Side) {
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

fn guards(tape: &mut Tape) -> Vec<Guard> {
    list(tape, |tape| Guard { div: number(tape), extent: number(tape) })
}

fn target() -> Target {
    Target::parse("sm_100a").unwrap()
}

fn ranks(tape: &mut Tape) -> Ranks {
    let digits = (0..tape.below(4)).map(|_| (number(tape), number(tape))).collect();
    Ranks { first: number(tape), digits }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn problems(mut tape in tapes()) {
        for round in 0..8 {
            let problem = if round == 0 { mutated(&mut tape) } else { problem(&mut tape) };
            let checked = check_copy(&problem);
            if let Ok((aligned, _)) = select(&problem, &target()) {
                prop_assert_eq!(&checked, &Ok(()));
                prop_assert_eq!(aligned.verify(), Ok(()));
                match aligned {
                    CopyPlan::Partition(copy) => {
                        prop_assert!(vectorize(&copy, &target(), problem.max_vector_bits).is_ok());
                    }
                    CopyPlan::Composite(plan) => {
                        let planned = |plan: &CopyPlan| match plan {
                            CopyPlan::Partition(copy) => vectorize(copy, &target(), problem.max_vector_bits).is_ok(),
                            _ => true,
                        };
                        prop_assert!(plan.steps.iter().all(|step| planned(&step.plan)));
                    }
                    _ => {}
                }
            }
            let _ = (problem.threads.count(), problem.threads.narrowed(), problem.threads.elected());
        }
    }

    #[test]
    fn copies_written_by_hand(mut tape in tapes()) {
        for _ in 0..16 {
            let src = side(&mut tape);
            let dst = if tape.chance(1, 2) { src.clone() } else { side(&mut tape) };
            let (variant, transfer) = tape.pick(&[("reg", Transfer::LoadStore), ("ldgsts", Transfer::CpAsync)]);
            let copy = MatchedCopy {
                variant,
                transfer,
                threads: number(&mut tape),
                thread_iters: tape.below(4) as usize,
                ranks: tape.chance(1, 4).then(|| ranks(&mut tape)),
                element_bits: tape.pick(&[32, 0, 8, u32::MAX]),
                conversion: conversion(&mut tape),
                effect: effect(&mut tape),
                mask: mask(&mut tape),
                src: tape.chance(7, 8).then_some(src),
                dst,
                forced_bits: tape.chance(1, 4).then(|| tape.pick(&[128, 0, 24])),
                guards: guards(&mut tape),
                cache: Cache::default(),
            };
            if let Ok((copy, _)) = vectorize(&copy, &target(), 128) {
                let vectors = (copy.rounds - 1) * copy.threads + copy.last();
                prop_assert_eq!(vectors * copy.vector, copy.dst.layout.size());
                prop_assert_eq!(copy.verify(), Ok(()));
                let _ = vector_address(&mut Eval, &copy, Role::Src, 0, 0, &[0]);
            }
        }
    }

    #[test]
    fn bulk_copies_written_by_hand(mut tape in tapes()) {
        for _ in 0..16 {
            let src = side(&mut tape);
            let dst = if tape.chance(1, 2) { src.clone() } else { side(&mut tape) };
            let element_bits = tape.pick(&[32, 0, 8, u32::MAX]);
            let copy = BulkCopy { element_bits, chunk: number(&mut tape), src, dst, reduction: None, l2_evict: None };
            if copy.verify().is_ok() {
                prop_assert_eq!(copy.chunks() * copy.chunk, copy.dst.layout.size());
                let _ = bulk_address(&mut Eval, &copy, Role::Dst, number(&mut tape), &[0]);
            }
        }
    }

    #[test]
    fn prefetches_written_by_hand(mut tape in tapes()) {
        let hint = tape.pick(&[Hint::Lines, Hint::Bulk, Hint::Dropped]);
        let (threads, element_bits, src) = (number(&mut tape), tape.pick(&[32, 0, 8, u32::MAX]), side(&mut tape));
        let plan = Prefetch { hint, threads, ranks: None, element_bits, last_line: tape.chance(1, 4), src };
        for sequence in plan.verify().map(|()| plan.sequences()).unwrap_or_default() {
            let _ = (plan.rounds(), plan.run_bytes(), plan.count(&sequence));
            let _ = prefetch_address(&mut Eval, &plan, &sequence, number(&mut tape), &[0]);
        }
    }

    #[test]
    fn matrices_written_by_hand(mut tape in tapes()) {
        let copy = MatrixCopy {
            load: true,
            trans: false,
            num: number(&mut tape),
            threads: 32,
            shape: [1, 8, 4, 1, 2, 2].map(|extent| if tape.chance(1, 4) { number(&mut tape) } else { extent }),
            row_stride: number(&mut tape),
            shared: side(&mut tape),
            registers: side(&mut tape),
            guards: guards(&mut tape),
        };
        let _ = matrix_address(&mut Eval, &copy, number(&mut tape), number(&mut tape), &[0]);
        let _ = matrix_register(&copy, number(&mut tape), number(&mut tape));
    }

    #[test]
    fn tmem_copies_written_by_hand(mut tape in tapes()) {
        let (problem, _) = tmem_copy(&mut tape);
        let planned = select(&problem, &target());
        let (form, cta_group) = (tape.pick(&TmemForm::ALL), tape.pick(&[1, 2, 0, i64::MAX]));
        let descriptor = Descriptor { leading: number(&mut tape), stride: number(&mut tape), swizzle: number(&mut tape) };
        let (src, dst, element_bits) = (side(&mut tape), side(&mut tape), tape.pick(&[32, 0, 8, u32::MAX]));
        let tile_iters = tape.below(4) as usize;
        let mut copy = TmemCopy { form, cta_group, descriptor, element_bits, tile_iters, src, dst };
        if let Ok((CopyPlan::TmemCopy(planned), _)) = planned && tape.chance(3, 4) {
            copy = planned;
            damage(&mut tape, &mut copy.src, &mut copy.dst);
        }
        let good = copy.verify().is_ok();
        let tile = number(&mut tape);
        let units = tensor_descriptor_units(&mut Eval, &copy, tile, &[0, 0, 0]);
        let address = tensor_address(&mut Eval, &copy, tile, &[0, 0, 0]);
        prop_assert!(!good || units.is_ok() && address.is_ok(), "{copy:?}");
        let _ = (copy.tiles(), copy.instruction());
    }

    #[test]
    fn tmem_accesses_written_by_hand(mut tape in tapes()) {
        let (problem, _) = tmem_access(&mut tape);
        let planned = select(&problem, &target());
        let (shape, num) = (tape.pick(&TmemShape::ALL), number(&mut tape));
        let (tmem, registers, element_bits) = (side(&mut tape), side(&mut tape), tape.pick(&[32, 0, 8, u32::MAX]));
        let instruction_iters = tape.below(4) as usize;
        let load = tape.chance(1, 2);
        let mut access = TmemAccess { load, shape, num, element_bits, instruction_iters, tmem, registers };
        if let Ok((CopyPlan::TmemAccess(planned), _)) = planned && tape.chance(3, 4) {
            access = planned;
            damage(&mut tape, &mut access.tmem, &mut access.registers);
        }
        let good = access.verify().is_ok();
        let step = number(&mut tape);
        let register = access_register(&access, step);
        let address = access_address(&mut Eval, &access, step, number(&mut tape), &[0, 0, 0]);
        prop_assert!(!good || register.is_ok() && address.is_ok(), "{access:?}");
        let _ = (access.instructions(), access.instruction());
    }
}
