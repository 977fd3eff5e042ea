//! Copies whose regions start at run-time coordinates, and copies inside branches and loops on arguments.

use std::path::Path;

use tile_conformance::case::{self, Begin, Case, Enclosing, Suite};
use tile_conformance::compare::judge;
use tile_conformance::execute::{execute, text};
use tile_conformance::kernel::kernel;
use tile_conformance::lower::{Compiler, Lowering};
use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};

/// A copy from global to shared memory by a warp: 8 rows of 32 f32, whole on both sides.
fn whole() -> Case {
    let mut suite = Suite::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance");
    case::read(&folder.join("copies.json"), &mut suite).unwrap();
    let spaces = |case: &Case| (case.src.space, case.dst.space) == (Space::Global, Space::Shared);
    let suits = |case: &Case| case.scope == Scope::Warp && case.issue.is_none() && spaces(case);
    let mut case = suite.cases.into_iter().find(suits).expect("a copy by a warp");
    case.wanted = case::Wanted::Right;
    (case.block, case.active, case.forced) = (32, Vec::new(), None);
    for (side, rows) in [(&mut case.src, 64), (&mut case.dst, 8)] {
        side.shape = vec![rows, 32];
        side.region = vec![Range::new(0, 8), Range::new(0, 32)];
        side.layout = Layout::row_major(&side.shape);
    }
    case
}

/// The width of one access, and the mismatches.
fn judged(case: &Case) -> (String, Vec<String>) {
    let verdict = judge(case, &Compiler::new(), None);
    (verdict.access, verdict.mismatches.iter().map(ToString::to_string).collect())
}

#[test]
fn begins_at_run_time() {
    for (begin, at, column, access) in [
        (Begin::Assumed(8), 24, 0, "128 bits"),
        (Begin::Product(5), 35, 0, "128 bits"),
        (Begin::Assumed(1), 7, 0, "128 bits"),
        (Begin::Assumed(4), 24, 4, "128 bits"),
        (Begin::Assumed(2), 24, 6, "64 bits"),
        (Begin::Product(1), 24, 3, "32 bits"),
    ] {
        let mut case = whole();
        case.src.begins = vec![begin, Begin::Written];
        case.src.region[0].begin = at;
        if column > 0 {
            // A part of each row, from a column that is known only at run time.
            case.src.shape[1] = 64;
            case.src.layout = Layout::row_major(&case.src.shape);
            case.src.begins = vec![Begin::Assumed(1), begin];
            case.src.region[1].begin = column;
        }
        assert!(text(&case).contains("%src_at_0"), "{begin:?}");
        assert_eq!(judged(&case), (access.to_owned(), vec![]), "{begin:?} at {at}, {column}");
    }
}

/// The number of warp-level vector stores to shared memory.
fn stores(case: &Case, compiler: &Compiler) -> u64 {
    let Lowering::Lowered { plan, .. } = compiler.lower(&kernel(case), |_, _| {}) else { panic!("{case:?}") };
    let report = execute(case, &plan, compiler).unwrap_or_else(|wrong| panic!("{:?}: {wrong}", case.enclosing));
    // 16 bytes, however they are spelt.
    let wide = ["st.shared.v4.b32", "st.shared.v2.b64"];
    wide.iter().filter_map(|name| report.by_opcode().get(name).map(|counts| counts.warps)).sum()
}

#[test]
fn branches_and_loops_on_arguments() {
    use Enclosing::{For, If, Unless};
    let compiler = Compiler::new();
    assert!(stores(&whole(), &compiler) > 0);
    for (around, runs) in [
        (vec![If(true)], true),
        (vec![Unless(false)], true),
        (vec![For(1)], true),
        (vec![For(3)], true),
        (vec![If(true), For(2), Unless(false)], true),
        (vec![If(false)], false),
        (vec![For(0)], false),
        (vec![If(true), Unless(true)], false),
    ] {
        let case = Case { enclosing: around.clone(), ..whole() };
        assert_eq!(case.runs(), runs);
        // LLVM may hoist a copy out of a loop that repeats it.
        assert_eq!(stores(&case, &compiler) > 0, runs, "{around:?}");
    }
}
