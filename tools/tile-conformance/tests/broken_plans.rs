//! The evaluator finds every kind of broken plan. Plans are produced by the compiler, and damaged afterwards.

use std::path::Path;

use tile_conformance::case::{self, Case, Suite};
use tile_conformance::evaluate::{Fault, evaluate};
use tile_conformance::kernel::kernel;
use tile_conformance::lower::{Compiler, LoweredPlan, Lowering};
use tile_isa::{TmemForm, TmemShape};
use tile_layout::{Axis, Swizzle};
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::matrix::plan::MatrixCopy;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::families::scalar::plan::{Owner, ScalarCopy};
use tile_plan::families::tmem::access::TmemAccess;
use tile_plan::families::tmem::copy::TmemCopy;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::sides::ranks::Ranks;
use tile_plan::sides::side::Guard;

fn suite() -> Suite {
    let mut suite = Suite::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance");
    for file in ["copies.json", "traps.json"] {
        case::read(&folder.join(file), &mut suite).unwrap();
    }
    suite
}

fn lower(compiler: &Compiler, case: &Case) -> Option<LoweredPlan> {
    match compiler.lower(&kernel(case), |_, _| {}) {
        Lowering::Lowered { plan, .. } => Some(*plan),
        Lowering::Refused { .. } => None,
        lost @ Lowering::Lost { .. } => panic!("{}: {lost:?}", case.id),
    }
}

/// The case of an id that contains `part`, and its plan.
fn planned(part: &str) -> (Case, LoweredPlan) {
    planned_by(part, None)
}

/// The case of an id that contains `part`, with a variant named, and its plan.
fn planned_by(part: &str, variant: Option<&str>) -> (Case, LoweredPlan) {
    let mut case = suite().cases.into_iter().find(|case| case.id.contains(part)).expect(part);
    case.forced = variant.map(str::to_owned).or(case.forced);
    let plan = lower(&Compiler::new(), &case).expect(part);
    evaluate(&case, &plan).unwrap();
    (case, plan)
}

fn vectors(plan: &LoweredPlan, damage: impl FnOnce(&mut VectorCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::Vectors(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::Vectors(copy))
}

fn matrices(plan: &LoweredPlan, damage: impl FnOnce(&mut MatrixCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::Matrix(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::Matrix(copy))
}

fn registers(plan: &LoweredPlan, damage: impl FnOnce(&mut RegisterCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::Registers(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::Registers(copy))
}

fn scalars(plan: &LoweredPlan, damage: impl FnOnce(&mut ScalarCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::Scalar(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::Scalar(copy))
}

fn tiles(plan: &LoweredPlan, damage: impl FnOnce(&mut TmemCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::TmemCopy(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::TmemCopy(copy))
}

fn accesses(plan: &LoweredPlan, damage: impl FnOnce(&mut TmemAccess)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::TmemAccess(mut access)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut access);
    LoweredPlan::One(CopyPlan::TmemAccess(access))
}

fn chunks(plan: &LoweredPlan, damage: impl FnOnce(&mut BulkCopy)) -> LoweredPlan {
    let LoweredPlan::One(CopyPlan::Bulk(mut copy)) = plan.clone() else { panic!("{plan:?}") };
    damage(&mut copy);
    LoweredPlan::One(CopyPlan::Bulk(copy))
}

macro_rules! assert_fault {
    ($case:expr, $plan:expr, $fault:pat) => {
        let outcome = evaluate(&$case, &$plan);
        assert!(matches!(outcome, Err($fault)), "{outcome:?}");
    };
}

#[test]
fn broken_vectors() {
    let (case, plan) = planned("test_gmem_smem_roundtrip[float32-warp-32-32x32]#0");
    assert_fault!(case, vectors(&plan, |copy| copy.rounds -= 1), Fault::Missing { .. });
    assert_fault!(case, vectors(&plan, |copy| copy.rounds += 1), Fault::OutOfBounds { side: "source", .. });
    assert_fault!(case, vectors(&plan, |copy| copy.vector /= 2), Fault::Missing { .. });
    assert_fault!(case, vectors(&plan, |copy| copy.vector *= 2), Fault::Misaligned { .. });
    assert_fault!(
        case,
        vectors(&plan, |copy| copy.src.as_mut().unwrap().align_bytes = 8),
        Fault::Misaligned { side: "source", .. }
    );
    assert_fault!(
        case,
        vectors(&plan, |copy| *copy.dst.layout.offset.entry(Axis::Memory).or_default() = 2),
        Fault::Misaligned { side: "destination", .. }
    );
    assert_fault!(
        case,
        vectors(&plan, |copy| *copy.dst.layout.offset.entry(Axis::Memory).or_default() = 4),
        Fault::WrongElement { got: 0, expected: 4, .. }
    );
    assert_fault!(
        case,
        vectors(&plan, |copy| copy.guards.push(Guard { div: 1, extent: 2 })),
        Fault::Missing { expected: 4, .. }
    );
    let swizzle = Swizzle::new(2, 3, 3, true).unwrap();
    assert_fault!(case, vectors(&plan, |copy| copy.dst.layout.swizzle = Some(swizzle)), Fault::WrongElement { .. });
    assert_fault!(
        case,
        vectors(&plan, |copy| {
            copy.src.as_mut().unwrap().layout.shard[1].stride = 0;
            copy.dst.layout.shard[1].stride = 0;
        }),
        Fault::WrittenTwice { thread: 1, .. }
    );
}

/// 24 elements by 6 lanes of a warp, and 32x32 by the last warp of four.
#[test]
fn broken_shares() {
    let (case, plan) = planned("test_fallback_round_trip[warp-32-4x6]#0");
    assert_fault!(
        case,
        vectors(&plan, |copy| copy.last_threads = Some(copy.last() - 1)),
        Fault::Missing { expected: 20, .. }
    );
    assert_fault!(
        case,
        vectors(&plan, |copy| copy.last_threads = Some(copy.last() + 1)),
        Fault::OutOfBounds { side: "source", .. }
    );
    assert_fault!(case, vectors(&plan, |copy| copy.rounds += 1), Fault::OutOfBounds { side: "source", .. });
    let (case, plan) = planned("test_scope_shape[shape0-cta-96]#0");
    assert_fault!(case, vectors(&plan, |copy| copy.rounds -= 1), Fault::Missing { .. });
    assert_fault!(case, vectors(&plan, |copy| copy.last_threads = None), Fault::OutOfBounds { side: "source", .. });
    let (case, plan) = planned("test_narrowed[warp_eq3_cta]#0");
    assert_fault!(case, vectors(&plan, |copy| copy.ranks = None), Fault::OutOfBounds { .. });
    let ranks = |first, digits: &[(i64, i64)]| Some(Ranks { first, digits: digits.to_vec() });
    assert_fault!(case, vectors(&plan, |copy| copy.ranks = ranks(95, &[(32, 1)])), Fault::Missing { .. });
    assert_fault!(case, vectors(&plan, |copy| copy.ranks = ranks(96, &[(16, 2)])), Fault::Missing { .. });
}

#[test]
fn reads_outside_of_the_region_are_found() {
    // Columns from 16 on, of a wider buffer.
    let (case, plan) = planned("test_region_col_offset[16-float16]#0");
    assert_fault!(
        case,
        vectors(&plan, |copy| *copy.src.as_mut().unwrap().layout.offset.entry(Axis::Memory).or_default() = 8),
        Fault::ReadsElsewhere { .. }
    );
}

#[test]
fn replicas_must_all_be_written() {
    let (case, plan) = planned("test_reg[None-shared-float32-replica2]#0");
    assert_fault!(case, vectors(&plan, |copy| copy.guards.push(Guard { div: 16, extent: 2 })), Fault::Missing { .. });
    // The other direction: both replicas would be stored.
    let (case, plan) = planned("test_reg[swz1-shared-float16-replica2]#1");
    assert_fault!(case, vectors(&plan, |copy| copy.guards.clear()), Fault::WrittenTwice { .. });
}

#[test]
fn broken_matrices() {
    let (case, plan) = planned("test_ldstmatrix[2-ld-False-warp]#0");
    assert_fault!(case, matrices(&plan, |copy| copy.trans = true), Fault::WrongElement { .. });
    assert_fault!(
        case,
        matrices(&plan, |copy| copy.row_stride += 8),
        Fault::OutOfBounds { .. } | Fault::WrongElement { .. }
    );
    assert_fault!(case, matrices(&plan, |copy| copy.row_stride += 4), Fault::Misaligned { .. });
    assert_fault!(
        case,
        matrices(&plan, |copy| copy.guards.push(Guard { div: 16, extent: 2 })),
        Fault::Diverged { thread: 0 }
    );
    let (case, plan) = planned("test_ldstmatrix[2-ld-False-warpgroup]#0");
    assert_fault!(case, matrices(&plan, |copy| copy.guards.push(Guard { div: 32, extent: 2 })), Fault::Missing { .. });
}

#[test]
fn broken_scalars() {
    let (case, plan) = planned_by("test_fallback_round_trip[warp-32-4x6]#0", Some("fallback"));
    assert_fault!(case, scalars(&plan, |copy| copy.owner = Owner::Everyone), Fault::WrittenTwice { thread: 1, .. });
    assert_fault!(case, scalars(&plan, |copy| copy.owner = Owner::ScopeThread(32)), Fault::Missing { expected: 0, .. });
    assert_fault!(case, scalars(&plan, |copy| copy.extents[1] = 5), Fault::Missing { expected: 5, .. });
    assert_fault!(
        case,
        scalars(&plan, |copy| copy.src.as_mut().unwrap().begin[1] = Begin::Const(1)),
        Fault::WrongElement { .. }
    );
    let (case, plan) = planned("test_reg[None-shared-float16-lane_stride2]#0");
    assert_fault!(
        case,
        scalars(&plan, |copy| {
            let Owner::Distributed(owned) = &mut copy.owner else { panic!("{:?}", copy.owner) };
            owned.digits[0].stride = 1;
        }),
        Fault::WritesElsewhere { .. }
    );
}

#[test]
fn broken_tiles() {
    let (case, plan) = planned("test_cp_shape_roundtrip_swizzled[single_cp-bfloat16-SW32-128x256b-None]#1");
    assert_fault!(case, tiles(&plan, |copy| copy.descriptor.stride += 1), Fault::WrongElement { .. });
    assert_fault!(case, tiles(&plan, |copy| copy.descriptor.swizzle = 2), Fault::WrongElement { .. });
    assert_fault!(case, tiles(&plan, |copy| copy.form = TmemForm::Rows128Bits128), Fault::Missing { .. });
    assert_fault!(case, tiles(&plan, |copy| copy.form = TmemForm::Rows4Bits256), Fault::WrongElement { .. });
    let shift = |axis: Axis, by: i64| tiles(&plan, |copy| *copy.dst.layout.offset.entry(axis).or_default() += by);
    assert_fault!(case, shift(Axis::TLane, 1), Fault::WrongElement { .. });
    assert_fault!(case, shift(Axis::TCol, 16), Fault::WritesElsewhere { .. } | Fault::OutOfBounds { .. });
    let (case, plan) = planned("test_single_cp");
    assert_fault!(
        case,
        tiles(&plan, |copy| copy.form = TmemForm::Rows128Bits128),
        Fault::WrongElement { .. } | Fault::OutOfBounds { .. }
    );
}

#[test]
fn broken_accesses() {
    let (case, plan) = planned("test_tcgen05_16xnb_roundtrip_16b_M128");
    assert_fault!(case, accesses(&plan, |access| access.shape = TmemShape::Lanes32Bits32), Fault::WrongElement { .. });
    let twice = accesses(&plan, |access| access.num *= 2);
    assert_fault!(case, twice, Fault::OutOfBounds { .. } | Fault::WritesElsewhere { .. });
    let (case, plan) = planned("test_copy_tmem2reg[");
    assert_fault!(case, accesses(&plan, |access| access.num /= 2), Fault::Missing { .. });
    let shift = |axis: Axis| accesses(&plan, |access| *access.tmem.layout.offset.entry(axis).or_default() += 1);
    assert_fault!(case, shift(Axis::TLane), Fault::WrongElement { .. } | Fault::OutOfBounds { .. });
}

#[test]
fn broken_chunks() {
    let (case, plan) = planned("test_dsmem[partial-contiguity-diff-stride]#2");
    assert_fault!(case, chunks(&plan, |copy| copy.chunk /= 2), Fault::Missing { .. });
    assert_fault!(case, chunks(&plan, |copy| copy.chunk *= 2), Fault::ReadsElsewhere { .. });
    assert_fault!(case, chunks(&plan, |copy| copy.dst.layout.shard[0].stride = 256), Fault::WritesElsewhere { .. });
    assert_fault!(case, chunks(&plan, |copy| copy.src.layout.shard[0].stride += 4), Fault::Misaligned { .. });
}

#[test]
fn an_elected_thread_must_be_active() {
    let (case, plan) = planned_by("test_narrowed[warp_eq3_cta]#0", Some("fallback"));
    assert_fault!(case, scalars(&plan, |copy| copy.owner = Owner::ScopeThread(0)), Fault::Missing { .. });
}

/// Moves one side by an element.
fn shift(copy: &mut ScalarCopy, role: Role) {
    match &mut copy.owner {
        Owner::Distributed(owned) if owned.local == role => owned.register_offset += 1,
        _ => {
            let side = if role == Role::Src { copy.src.as_mut().unwrap() } else { &mut copy.dst };
            *side.layout.offset.entry(Axis::Memory).or_default() += 1;
        }
    }
}

/// Damage that no plan survives.
#[test]
fn no_damaged_plan_of_the_suite_passes() {
    let (suite, compiler) = (suite(), Compiler::new());
    let mut damaged = 0;
    for case in suite.cases.iter().step_by(5) {
        let Some(plan) = lower(&compiler, case) else { continue };
        let broken = match &plan {
            LoweredPlan::One(CopyPlan::Vectors(_)) => vec![
                vectors(&plan, |copy| copy.rounds -= 1),
                vectors(&plan, |copy| copy.last_threads = Some(0)),
                vectors(&plan, |copy| {
                    *copy.src.as_mut().unwrap().layout.offset.entry(Axis::Memory).or_default() += copy.vector
                }),
                vectors(&plan, |copy| *copy.dst.layout.offset.entry(Axis::Memory).or_default() += copy.vector),
                vectors(&plan, |copy| copy.vector += 1),
            ],
            LoweredPlan::Parts(parts) => {
                vec![LoweredPlan::Parts(parts[1..].to_vec()), LoweredPlan::Parts(parts[..parts.len() - 1].to_vec())]
            }
            LoweredPlan::One(CopyPlan::Matrix(_)) => vec![
                matrices(&plan, |copy| copy.trans = !copy.trans),
                matrices(&plan, |copy| copy.row_stride *= 2),
                matrices(&plan, |copy| *copy.shared.layout.offset.entry(Axis::Memory).or_default() += 8),
                matrices(&plan, |copy| *copy.registers.layout.offset.entry(Axis::Memory).or_default() += 2),
            ],
            LoweredPlan::One(CopyPlan::TmemCopy(_)) => vec![
                tiles(&plan, |copy| copy.descriptor.swizzle ^= 1),
                tiles(&plan, |copy| *copy.dst.layout.offset.entry(Axis::TLane).or_default() += 1),
                tiles(&plan, |copy| *copy.src.layout.offset.entry(Axis::Memory).or_default() += 128),
            ],
            LoweredPlan::One(CopyPlan::TmemAccess(_)) => vec![
                accesses(&plan, |access| access.num *= 2),
                accesses(&plan, |access| *access.tmem.layout.offset.entry(Axis::TLane).or_default() += 1),
                accesses(&plan, |access| *access.registers.layout.offset.entry(Axis::Memory).or_default() += 4),
            ],
            LoweredPlan::One(CopyPlan::Bulk(_)) => vec![
                chunks(&plan, |copy| copy.chunk /= 2),
                chunks(&plan, |copy| *copy.src.layout.offset.entry(Axis::Memory).or_default() += 8),
            ],
            LoweredPlan::One(CopyPlan::Registers(_)) => vec![
                registers(&plan, |copy| *copy.src.layout.offset.entry(Axis::Memory).or_default() += 1),
                registers(&plan, |copy| *copy.dst.layout.offset.entry(Axis::Memory).or_default() += 1),
            ],
            LoweredPlan::Chain(plans) => vec![LoweredPlan::Chain(plans.iter().rev().cloned().collect())],
            LoweredPlan::One(CopyPlan::Scalar(_)) => {
                vec![scalars(&plan, |copy| shift(copy, Role::Src)), scalars(&plan, |copy| shift(copy, Role::Dst))]
            }
            LoweredPlan::One(other) => panic!("{}: {other:?}", case.id),
        };
        for (number, plan) in broken.into_iter().enumerate() {
            assert!(evaluate(case, &plan).is_err(), "{}, damage {number}: {plan:?}", case.id);
            damaged += 1;
        }
    }
    assert!(damaged > 300, "{damaged} damaged plans");
}
