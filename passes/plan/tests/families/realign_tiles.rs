//! Rows of global memory that begin at any element, and tiles in shared memory or in registers.

use crate::common::build::{F16, F32, F64, U8, chip, copy, cta, declined, laid_out, part, planned, rows, warp};
use crate::common::oracle::Values;
use crate::common::realign::check_realigned;
use proptest::prelude::*;
use tile_isa::Space::{Global, Local, Shared};
use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::realign::plan::RealignedCopy;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::sides::side::Side;
use tile_plan::touch::Collective;

/// Rows of a matrix with that leading dimension, from the second on.
fn pitched([height, width]: [i64; 2], pitch: i64) -> Operand {
    part(rows(Global, &[height + 1, pitch]), &[(1, height), (0, width)])
}

fn columns(begin: i64, extent: i64) -> MaskLimit {
    let (begin, extent) = (Begin::Const(begin), Begin::Const(extent));
    MaskLimit { role: Role::Src, dimension: Some(1), offset: 0, scale: 1, begin, extent }
}

fn realigned(problem: &Problem) -> RealignedCopy {
    match planned(problem) {
        CopyPlan::Realigned(plan) => plan,
        other => panic!("not realigned: {other:?}"),
    }
}

fn composite(problem: &Problem) -> Composite {
    match planned(problem) {
        CopyPlan::Composite(plan) => plan,
        other => panic!("no composite: {other:?}"),
    }
}

/// Bytes to a tile, and bytes and halves from one, in chunks; swizzled, too.
#[test]
fn tiles_in_shared_memory() {
    let swizzled = "(4, 1024) : (1024, 1), swizzle<base = 4, bits = 3, shift = 3>";
    for tile in [rows(Shared, &[4, 1024]), laid_out(Shared, &[4, 1024], swizzled)] {
        let plan = realigned(&copy(pitched([4, 1024], 8191), tile.clone(), U8, cta(128)));
        assert_eq!((plan.rows(), plan.chunk_rounds(), plan.edge_rounds()), (4, 2, 1));
        assert_eq!(realigned(&copy(tile, pitched([4, 1024], 8191), U8, cta(128))).chunk_rounds(), 2);
    }
    let halves = copy(rows(Shared, &[4, 1024]), pitched([4, 1024], 8191), F16, cta(128));
    assert_eq!(realigned(&halves).chunk_rounds(), 4);
    // Loads of 64 bytes a warp are no bottleneck; nor are vectors of 8 bytes.
    let halves = copy(pitched([4, 1024], 8191), rows(Shared, &[4, 1024]), F16, cta(128));
    assert_eq!(declined(&halves, "realign").cause, "elements-cheaper");
    let vectors = copy(pitched([4, 1024], 8184), rows(Shared, &[4, 1024]), U8, cta(128));
    assert_eq!(declined(&vectors, "realign").cause, "rows-aligned");
    let torn = laid_out(Shared, &[4, 1024], "(4, 1024) : (1024, 1), swizzle<base = 3, bits = 3, shift = 3>");
    let torn = copy(pitched([4, 1024], 8191), torn, U8, cta(128));
    assert_eq!(declined(&torn, "realign").cause, "swizzle-chunk-too-small");
    let halfway = Operand { align_bytes: 8, ..rows(Shared, &[4, 1024]) };
    let halfway = copy(pitched([4, 1024], 8191), halfway, U8, cta(128));
    assert_eq!(declined(&halfway, "realign").cause, "storage-alignment");
}

/// What a mask leaves out is filled: whole chunks, and the elements beside the copied part.
#[test]
fn filled_rows() {
    let plain = copy(pitched([4, 1024], 8191), rows(Shared, &[4, 1024]), U8, cta(128));
    let row = |begin, extent| MaskLimit { dimension: Some(0), ..columns(begin, extent) };
    for limits in [vec![columns(7000, 8000)], vec![columns(-77, 400), row(2, 5)], vec![row(9, 5)], vec![columns(0, 16)]]
    {
        let mask = Some(Mask::of(&[4, 1024], limits, Some(Fill::Value)));
        let plan = realigned(&Problem { mask, ..plain.clone() });
        assert_eq!((plan.filled_chunk_rounds(), plan.filled_element_rounds()), (2, 1));
        let touched = CopyPlan::Realigned(plan.clone()).touched(&plain, &chip("sm_90a")).unwrap();
        let written = touched.of(Role::Dst).unwrap();
        let segments = written.footprint.as_ref().unwrap().segments();
        let bytes: i64 = segments.iter().map(|segment| segment.end - segment.begin).sum();
        assert_eq!((bytes, written.collective), (4 * 1024, Collective::Block));
    }
    // Rows of 1000 bytes, one behind the other, do not begin with chunks.
    let mask = Some(Mask::of(&[4, 1000], vec![columns(0, 900)], Some(Fill::Zero)));
    let short = copy(pitched([4, 1000], 8191), rows(Shared, &[4, 1000]), U8, cta(128));
    assert_eq!(declined(&Problem { mask, ..short }, "realign").cause, "masked-fill");
}

/// 48 bytes of pixels a thread, and planes of 16 bytes: through shared memory that has the rows.
#[test]
fn registers_of_pixels() {
    let pixels = laid_out(Local, &[4096, 3], "(256, 16, 3) : (1@tx, 3, 1)");
    let planes = laid_out(Local, &[4096, 3], "(256, 16, 3) : (1@tx, 1, 16)");
    let image = part(rows(Global, &[5001, 3]), &[(1, 4096), (0, 3)]);
    let image = Operand { align_bytes: 1, ..image };
    let plan = composite(&copy(image.clone(), pixels.clone(), U8, cta(256)));
    assert_eq!((plan.variant, plan.buffers.tile.as_ref().unwrap().bytes()), ("realign_reg", 12288));
    let variants: Vec<&str> = plan.steps.iter().map(|step| step.plan.variant()).collect();
    assert_eq!(variants, ["realign", "reg"]);
    let turned = |pitch| laid_out(Global, &[4096, 3], &format!("(4096, 3) : (1, {pitch})"));
    let plan = composite(&copy(planes.clone(), turned(4099), U8, cta(256)));
    assert_eq!(plan.steps.iter().map(|step| step.plan.variant()).collect::<Vec<_>>(), ["reg", "realign"]);
    // Planes at multiples of 16 bytes have whole vectors.
    let aligned = copy(planes, turned(4112), U8, cta(256));
    assert_eq!((planned(&aligned).variant(), declined(&aligned, "realign_reg").cause), ("reg", "wide-vectors"));
    // What is outside of a mask would have to stay.
    let limit = MaskLimit { dimension: Some(0), ..columns(0, 4000) };
    let masked = |fill| {
        let mask = Some(Mask::of(&[4096, 3], vec![limit], fill));
        Problem { mask, ..copy(image.clone(), pixels.clone(), U8, cta(256)) }
    };
    assert_eq!(declined(&masked(None), "realign_reg").cause, "registers-kept");
    assert_eq!(composite(&masked(Some(Fill::Zero))).variant, "realign_reg");
}

#[test]
fn registers_decline() {
    let cause = |problem: &Problem| declined(problem, "realign_reg").cause;
    let held = |layout: &str| laid_out(Local, &[4, 1024], layout);
    let runs = held("(4, 64, 16) : (64@tx, 1@tx, 1)");
    assert_eq!(cause(&copy(pitched([4, 1024], 8191), runs.clone(), F32, cta(256))), "wide-vectors");
    assert_eq!(cause(&copy(rows(Shared, &[4, 1024]), runs.clone(), U8, cta(256))), "unsupported-spaces");
    let few = held("(4, 256, 4) : (256@tx, 1@tx, 1)");
    assert_eq!(cause(&copy(pitched([4, 1024], 8191), few, U8, cta(1024))), "few-accesses");
    let alone = Some(vec!["realign_reg".to_owned()]);
    let alone = Problem { allowed: alone, ..copy(pitched([4, 1024], 8191), runs.clone(), U8, cta(256)) };
    assert_eq!(cause(&alone), "realign-not-reached");
    let column = laid_out(Global, &[4, 1024], "(4, 1024) : (3, 14)");
    assert_eq!(cause(&copy(column, runs.clone(), U8, cta(256))), "not-contiguous");
    // Neighbours that have neighbouring bytes access whole lines as they are.
    let spread = held("(4, 4, 256) : (4, 1, 1@tx)");
    assert_eq!(cause(&copy(pitched([4, 1024], 8191), spread, U8, cta(256))), "reg-cheaper");
    let large = laid_out(Local, &[64, 1024], "(64, 4, 256) : (256, 1@tx, 1)");
    let large = copy(pitched([64, 1024], 8191), large, U8, cta(4));
    assert_eq!(cause(&large), "scratch-too-large");
    let of_warps = laid_out(Local, &[1, 1024], "(1, 32, 32) : (1, 1@laneid, 1)");
    let of_warps = copy(pitched([1, 1024], 8191), of_warps, U8, warp());
    assert_eq!(planned(&of_warps).variant(), "realign_reg");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    /// Every element arrives once and what a mask leaves out is filled, for any shape, pitch, width and mask, in both directions.
    #[test]
    fn random_tiles(
        (height, chunks) in (1i64..6, 1i64..20),
        (more, start) in (0i64..40, 0i64..20),
        bits in prop::sample::select(vec![U8, F16, F32, F64]),
        threads in prop::sample::select(vec![32i64, 48, 128]),
        (is_swizzled, is_store) in (any::<bool>(), any::<bool>()),
        masked in prop::option::of((-30i64..60, -30i64..400, -2i64..3, 0i64..8)),
        fill in prop::option::of(Just(Fill::Value)),
    ) {
        let chunk = 128 / i64::from(bits);
        let (width, pitch) = (chunks * chunk, chunks * chunk + 40 + more);
        let global = part(rows(Global, &[height, pitch]), &[(0, height), (start, width)]);
        let tile_layout = match is_swizzled {
            true => format!("({height}, {width}) : ({width}, 1), swizzle<base = {}, bits = 2, shift = 3>", chunk.ilog2()),
            false => format!("({height}, {width}) : ({width}, 1)"),
        };
        let tile = laid_out(Shared, &[height, width], &tile_layout);
        let side = |space, layout: String, align_bytes| Side {
            layout: layout.parse().unwrap(), space, align_bytes, dynamic: Vec::new(), strides: Vec::new()
        };
        let shared = side(Shared, tile_layout, 128);
        let outside = side(Global, format!("({height}, {width}) : ({pitch}, 1) + {start}"), 8);
        let ((from, src), (to, dst)) =
            if is_store { ((tile, shared), (global, outside)) } else { ((global, outside), (tile, shared)) };
        let extents: Vec<i64> = [height, width].into_iter().filter(|&extent| extent != 1).collect();
        let mask = masked.map(|(begin, extent, row, rows)| {
            let along = MaskLimit { dimension: Some(extents.len() - 1), ..columns(begin, extent) };
            let (begin, extent) = (Begin::Const(row), Begin::Const(rows));
            let across = MaskLimit { dimension: (height > 1).then_some(0), begin, extent, ..along };
            Mask::of(&extents, vec![along, across], fill.filter(|_| !is_store))
        });
        prop_assume!(width > 1);
        let problem = Problem { mask: mask.clone(), ..copy(from, to, bits, cta(threads)) };
        let plan = RealignedCopy { threads, ranks: None, element_bits: bits, mask, weighed: None, src, dst };
        let checked = check_realigned(&problem, &plan, &Values::default());
        prop_assert!(checked.is_ok(), "{:?}\n{:?}", checked, plan);
        // What is chosen is checked, too.
        let _ = planned(&problem);
    }

    /// Registers that hold runs of a row, or of all rows, between any offsets.
    #[test]
    fn random_registers(
        (rows_of, run) in (1i64..4, prop::sample::select(vec![8i64, 16, 32])),
        (more, start) in (0i64..40, 0i64..20),
        bits in prop::sample::select(vec![U8, F16]),
        is_store in any::<bool>(),
        masked in prop::option::of((-30i64..60, -30i64..1200)),
    ) {
        let width = 32 * run;
        let global = part(rows(Global, &[rows_of, width + 40 + more]), &[(0, rows_of), (start, width)]);
        let held = laid_out(Local, &[rows_of, width], &format!("({rows_of}, 32, {run}) : ({run}, 1@laneid, 1)"));
        let (from, to) = if is_store { (held, global) } else { (global, held) };
        let extents: Vec<i64> = [rows_of, width].into_iter().filter(|&extent| extent != 1).collect();
        let role = if is_store { Role::Dst } else { Role::Src };
        let mask = masked.map(|(begin, extent)| {
            let limit = MaskLimit { role, dimension: Some(extents.len() - 1), ..columns(begin, extent) };
            Mask::of(&extents, vec![limit], (!is_store).then_some(Fill::Zero))
        });
        // `planned` checks every step.
        let plan = planned(&Problem { mask, ..copy(from, to, bits, warp()) });
        prop_assert!(["realign_reg", "reg"].contains(&plan.variant()), "{}", plan.variant());
    }
}
