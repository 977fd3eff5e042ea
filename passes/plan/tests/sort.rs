//! Plans of sorts: tiles that registers and shared memory hold, rooms that do not overlap, and the reasons of strategies that decline.

use tile_plan::scan::Wait;
use tile_plan::sort::{DIGITS, KeyKind, SortPlan, SortProblem, select};
use tile_plan::target::Target;

fn plan(key_bytes: i64, value_bytes: Option<i64>, chip: &str) -> SortPlan {
    let problem = SortProblem::new((KeyKind::Signed, key_bytes), value_bytes);
    select(&problem, &Target::parse(chip).unwrap()).unwrap().0
}

fn cause(problem: &SortProblem, chip: &str) -> &'static str {
    select(problem, &Target::parse(chip).unwrap()).unwrap_err().into_declines()[0].cause
}

#[test]
fn tiles_fit_registers_and_shared_memory() {
    for chip in ["sm_80", "sm_86", "sm_90a", "sm_120"] {
        for key in [1, 2, 4, 8] {
            for value in [None, Some(1), Some(2), Some(4), Some(8)] {
                let plan = plan(key, value, chip);
                let (tile, rooms) = (plan.tile, plan.tile.rooms());
                assert!(tile.slot_bytes >= key.max(value.unwrap_or(4)) && tile.elements() < 1 << 16);
                let counts = tile.elements() / 32 * 33 * tile.slot_bytes;
                let in_order = [counts, rooms.counts, rooms.dests, rooms.helped, rooms.sums, rooms.bytes];
                assert!(in_order.is_sorted() && rooms.counts % 16 == 0 && rooms.dests - rooms.counts == 8 * 2 * DIGITS);
                let shared = Target::parse(chip).unwrap().shared_bytes();
                assert!(rooms.bytes <= shared && plan.histogram.shared_bytes <= shared, "{chip} {key} {value:?}");
                assert_eq!(plan.passes, key);
            }
        }
    }
}

#[test]
fn the_workspace_has_elements_between_passes() {
    let sort = plan(4, Some(8), "sm_80");
    assert_eq!(sort.tile.elements(), 20 * DIGITS);
    let rows = sort.workspace.rows();
    assert_eq!(sort.workspace.bytes(6145, 6144), rows + 2 * 1024 + 24592 + 49168);
    assert_eq!(plan(1, Some(8), "sm_80").workspace.bytes(1, 6144), 256 + 2 * 1024 + 4 * 1024 + 1024);
}

#[test]
fn what_cannot_be_planned_is_declined() {
    let problem = SortProblem::new((KeyKind::Float, 8), None);
    assert_eq!(cause(&problem, "sm_75"), "chip-lacks-redux");
    let mut many = problem.clone();
    many.requests.items = Some(33);
    assert_eq!(cause(&many, "sm_80"), "items-not-registers");
    // More than shared memory holds.
    many.requests.items = Some(64);
    many.key_bytes = 4;
    many.value_bytes = Some(4);
    assert!(select(&many, &Target::parse("sm_90").unwrap()).is_ok());
    let mut spins = problem.clone();
    spins.requests.max_spin = Some(0);
    assert_eq!(cause(&spins, "sm_80"), "spin-out-of-range");
    let mut waits = problem;
    waits.requests.strategy = Some("decoupled_lookback".to_owned());
    let (plan, ..) = select(&waits, &Target::parse("sm_80").unwrap()).unwrap();
    assert_eq!(plan.wait, Wait::Forever);
}
