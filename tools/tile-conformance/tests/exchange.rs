//! Random copies reach every size of a warp-shuffle transpose, and the evaluator checks its moves.

use std::collections::BTreeSet;

use tile_conformance::case::Case;
use tile_conformance::evaluate::evaluate;
use tile_conformance::kernel::kernel;
use tile_conformance::lower::{Compiler, LoweredPlan, Lowering};
use tile_conformance::random;
use tile_isa::Space;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::vector::plan::VectorCopy;

fn exchanged(compiler: &Compiler, case: &Case) -> Option<VectorCopy> {
    match compiler.lower(&kernel(case), |_, _| {}) {
        Lowering::Lowered { plan, .. } => match *plan {
            LoweredPlan::One(CopyPlan::Vectors(copy)) if copy.exchange > 1 => Some(copy),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn lanes_that_exchange_are_reached_and_judged() {
    let compiler = Compiler::new();
    let (mut seen, mut damaged) = (BTreeSet::new(), 0);
    let through_registers =
        |case: &Case| [Space::Local, Space::Global].iter().all(|&s| [case.src.space, case.dst.space].contains(&s));
    for case in (0..6000).map(|number| random::case(5, number)).filter(through_registers) {
        let Some(copy) = exchanged(&compiler, &case) else { continue };
        seen.insert((copy.exchange, copy.guards.is_empty()));
        assert_eq!(evaluate(&case, &LoweredPlan::One(CopyPlan::Vectors(copy.clone()))), Ok(()), "{}", case.id);
        if copy.rounds % 8 != 0 {
            let wider = VectorCopy { exchange: 8, ..copy };
            assert!(evaluate(&case, &LoweredPlan::One(CopyPlan::Vectors(wider))).is_err(), "{}", case.id);
            damaged += 1;
        }
        let reached = |lanes: i64| seen.iter().any(|&(seen, _)| seen == lanes);
        if [2, 4, 8].into_iter().all(reached) && seen.iter().any(|(_, everybody)| !everybody) && damaged > 3 {
            break;
        }
    }
    let lanes: BTreeSet<i64> = seen.iter().map(|(lanes, _)| *lanes).collect();
    assert_eq!(lanes, BTreeSet::from([2, 4, 8]), "{seen:?}");
    assert!(seen.iter().any(|(_, everybody)| !everybody), "no guards: {seen:?}");
    assert!(damaged > 3, "{damaged} damaged plans");
}
