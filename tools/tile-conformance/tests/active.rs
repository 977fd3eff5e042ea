//! The conditions around a copy let exactly the threads through that the case lists.

use std::path::Path;

use tile_conformance::case::{self, Case, Suite};
use tile_conformance::evaluate::evaluate;
use tile_conformance::kernel::kernel;
use tile_conformance::lower::{Compiler, LoweredPlan, Lowering};
use tile_isa::Scope;
use tile_layout::{Axis, Range};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::scalar::plan::Owner;

/// A copy from global to shared memory by a whole block of 256 threads.
fn block_copy() -> Case {
    let mut suite = Suite::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance");
    case::read(&folder.join("copies.json"), &mut suite).unwrap();
    let copy = suite.cases.into_iter().find(|case| case.scope == Scope::Cta && case.block == 256);
    copy.expect("a copy by 256 threads")
}

#[test]
fn the_first_thread_of_each_part_is_elected() {
    let (compiler, whole) = (Compiler::new(), block_copy());
    for (axis, begin, extent, first) in [
        (Axis::Tx, 70, 5, 70),
        (Axis::LaneId, 16, 16, 16),
        (Axis::WarpId, 5, 2, 160),
        (Axis::WidInWg, 3, 1, 96),
        (Axis::TidInWg, 100, 28, 100),
        (Axis::WgId, 1, 1, 128),
        (Axis::LaneId, 0, 31, 0),
    ] {
        let (active, forced) = (vec![(axis, Range::new(begin, extent))], Some("fallback".to_owned()));
        let case = Case { active, forced, ..whole.clone() };
        let Lowering::Lowered { plan, .. } = compiler.lower(&kernel(&case), |_, _| {}) else { panic!("{axis}") };
        let LoweredPlan::One(CopyPlan::Scalar(copy)) = &*plan else { panic!("{axis}: {plan:?}") };
        assert_eq!(copy.owner, Owner::ScopeThread(first), "{axis}");
        assert_eq!((0..256).find(|&thread| case.is_active(thread)), Some(first), "{axis}");
        assert_eq!(evaluate(&case, &plan), Ok(()), "{axis}");
    }
}

#[test]
fn two_parts_narrow_together() {
    let active = vec![(Axis::LaneId, Range::new(8, 8)), (Axis::WarpId, Range::new(2, 6))];
    let case = Case { active: active.clone(), forced: Some("fallback".to_owned()), ..block_copy() };
    let Lowering::Lowered { plan, .. } = Compiler::new().lower(&kernel(&case), |_, _| {}) else { panic!() };
    let LoweredPlan::One(CopyPlan::Scalar(copy)) = &*plan else { panic!("{plan:?}") };
    assert_eq!(copy.owner, Owner::ScopeThread(72));
    assert_eq!(evaluate(&case, &plan), Ok(()));
}

/// Unless a variant is requested, the active threads share the copy.
#[test]
fn active_threads_share_vectors() {
    let compiler = Compiler::new();
    for active in [
        vec![(Axis::Tx, Range::new(70, 5))],
        vec![(Axis::LaneId, Range::new(8, 8)), (Axis::WarpId, Range::new(2, 6))],
        vec![(Axis::LaneId, Range::new(0, 31))],
    ] {
        let threads = active.iter().map(|(_, range)| range.extent).product::<i64>();
        let case = Case { active, ..block_copy() };
        let Lowering::Lowered { plan, .. } = compiler.lower(&kernel(&case), |_, _| {}) else { panic!() };
        let LoweredPlan::One(CopyPlan::Vectors(copy)) = &*plan else { panic!("{plan:?}") };
        let of_all = if threads == 31 { 8 * threads } else { threads };
        assert_eq!((copy.threads, copy.ranks.is_some()), (of_all, true));
        assert_eq!(evaluate(&case, &plan), Ok(()));
    }
}

#[test]
fn what_is_not_narrowed_stays_whole() {
    let case = block_copy();
    assert!(!kernel(&case).text.contains("scf.if"));
}
