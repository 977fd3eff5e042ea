//! Copies that change the order of elements in global memory: blocks that threads turn.

use crate::common::build::{
    F16, F32, F64, U8, chip, copy, cta, declined, laid_out, only, part, planned, planned_with, rows, thread, warp,
    warpgroup,
};
use crate::common::oracle::Values;
use proptest::prelude::*;
use tile_isa::Space::{Global, Shared};
use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::threads::Threads;
use tile_plan::target::Target;
use tile_plan::traffic::Traffic;

/// Rows of a matrix to columns of another one.
fn turned(shape: [i64; 2], bits: u32, threads: Threads) -> Problem {
    let [height, width] = shape;
    let columns = laid_out(Global, &shape, &format!("({height}, {width}) : (1, {height})"));
    copy(rows(Global, &shape), columns, bits, threads)
}

fn by_blocks(problem: &Problem) -> Composite {
    composite(planned(problem))
}

fn composite(plan: CopyPlan) -> Composite {
    match plan {
        CopyPlan::Composite(plan) => plan,
        other => panic!("not by blocks: {other:?}"),
    }
}

/// The accesses of a thread in each step that has any: their width in bits, and how many.
fn accesses(plan: &Composite) -> Vec<(i64, i64)> {
    let steps = plan.steps.iter().filter_map(|step| match &step.plan {
        CopyPlan::Partition(copy) => Some(vectorize(copy, &chip("sm_90a"), 128).unwrap().0),
        _ => None,
    });
    steps.map(|plan| (plan.vector_bits(), plan.rounds)).collect()
}

fn traffic(problem: &Problem, plan: Composite) -> Traffic {
    Traffic::new(&CopyPlan::Composite(plan), problem, &chip("sm_90a")).unwrap()
}

#[test]
fn blocks_as_wide_as_high() {
    for (side, bits, threads, swizzle) in [
        (64, F32, 256, "swizzle<base = 2, bits = 3, shift = 6>"),
        (128, F16, 256, "swizzle<base = 3, bits = 3, shift = 7>"),
        (128, U8, 64, "swizzle<base = 4, bits = 3, shift = 7>"),
        (32, F64, 256, "swizzle<base = 1, bits = 3, shift = 5>"),
    ] {
        let problem = turned([side, side], bits, cta(threads));
        let plan = by_blocks(&problem);
        let bytes = side * side * i64::from(bits) / 8;
        assert_eq!(accesses(&plan), [(128, bytes / 16 / threads); 3], "{plan:#?}");
        let tile = plan.buffers.tile.as_ref().unwrap();
        assert_eq!(tile.layout.to_string(), format!("({side}, {side}) : (1, {side}), {swizzle}"));
        assert_eq!(tile.bytes(), bytes);
        // Two sides of global memory and two of shared memory, each in lines of 128 bytes.
        let (costs, counted) = (plan.lines.unwrap(), traffic(&problem, plan));
        assert_eq!((counted.lines, counted.sectors, counted.wavefronts), (bytes / 64, bytes / 16, bytes / 64));
        assert_eq!((costs.plan.lines, costs.plan.wavefronts), (counted.lines, counted.wavefronts));
        assert!(costs.direct.lines > 8 * costs.plan.lines);
    }
}

/// Tiles of more than 48 KiB: halves of the columns, of which each thread has as many blocks.
#[test]
fn a_region_leaves_in_parts() {
    for (side, bits, threads, parts, stored) in [
        (256, U8, 256, 2, (64, 16)),
        (256, U8, 512, 2, (64, 8)),
        (128, F32, 256, 2, (128, 8)),
        (256, F16, 512, 4, (64, 8)),
    ] {
        let problem = turned([side, side], bits, cta(threads));
        let plan = by_blocks(&problem);
        let bytes = side * side * i64::from(bits) / 8;
        assert_eq!(plan.buffers.tile.as_ref().unwrap().bytes(), bytes / parts);
        let each = bytes / 16 / threads;
        let of_part = [stored, (128, each / parts)];
        let loaded = if threads == 512 && bits == U8 { (64, 2 * each) } else { (128, each) };
        let expected = [loaded].into_iter().chain((0..parts).flat_map(|_| of_part));
        assert_eq!(accesses(&plan), expected.collect::<Vec<_>>());
        let (costs, counted) = (plan.lines.unwrap(), traffic(&problem, plan));
        assert_eq!((counted.lines, counted.sectors, counted.wavefronts), (bytes / 64, bytes / 16, bytes / 64));
        assert_eq!((costs.plan.lines, costs.plan.wavefronts), (counted.lines, counted.wavefronts));
    }
    // A block of WebGPU has 16 KiB.
    let (plan, _) = select(&turned([128, 128], F16, cta(256)), &Target::portable("webgpu").unwrap()).unwrap();
    assert_eq!(composite(plan).buffers.tile.unwrap().bytes(), 16384);
    // The edges of a masked copy have no parts: they leave from registers.
    let limit = MaskLimit {
        role: Role::Src,
        dimension: Some(0),
        offset: 0,
        scale: 1,
        begin: Begin::Const(0),
        extent: Begin::Const(100),
    };
    let mask = Some(Mask::of(&[128, 128], vec![limit], None));
    assert!(by_blocks(&Problem { mask, ..turned([128, 128], F32, cta(256)) }).buffers.tile.is_none());
}

/// Records of a few fields, taken apart and put together: 128 bits of both sides, without a tile.
#[test]
fn records_of_any_number_of_fields() {
    for (records, fields, bits, threads) in [
        (4096, 3, U8, 256),
        (2048, 3, F16, 256),
        (2048, 5, F16, 128),
        (1536, 3, U8, 96),
        (512, 12, U8, 32),
        (256, 6, F16, 32),
    ] {
        let joined = rows(Global, &[records, fields]);
        let apart = laid_out(Global, &[records, fields], &format!("({records}, {fields}) : (1, {records})"));
        let vectors = records * fields * i64::from(bits) / 128 / threads;
        for (src, dst) in [(&joined, &apart), (&apart, &joined)] {
            let problem = copy(src.clone(), dst.clone(), bits, cta(threads));
            let plan = by_blocks(&problem);
            assert!(plan.buffers.tile.is_none() && plan.steps.iter().all(|step| !step.barrier));
            assert_eq!(accesses(&plan), [(128, vectors); 2]);
            let (costs, counted) = (plan.lines.unwrap(), traffic(&problem, plan));
            // Of 6 or 12 vectors, lanes exchange 2 or 4, so that each access is of adjacent ones.
            assert!(costs.plan.lines >= counted.lines, "{records} records of {fields} fields");
            assert_eq!(costs.plan.lines == counted.lines, fields % 2 == 1, "{records} records of {fields} fields");
            assert!(costs.direct.lines > costs.plan.lines);
        }
    }
    // Fields that begin at 4 bytes are stored by 32 bits.
    let apart = laid_out(Global, &[4096, 3], "(4096, 3) : (1, 4100)");
    let plan = by_blocks(&copy(rows(Global, &[4096, 3]), apart, U8, cta(256)));
    assert_eq!(accesses(&plan), [(32, 12); 2]);
}

#[test]
fn records_that_threads_cannot_share() {
    let apart = |records: i64| laid_out(Global, &[records, 3], &format!("({records}, 3) : (1, {records})"));
    let problem = |records, bits, threads| copy(rows(Global, &[records, 3]), apart(records), bits, cta(threads));
    for (problem, cause, reason) in [
        (
            problem(2048, F16, 96),
            "threads-do-not-divide",
            "the region has 256 blocks of 8 records; needed as many for each of 96 threads",
        ),
        (problem(4096, F16, 32), "too-many-registers", "a thread holds 768 bytes; needed 512 at most"),
        (
            problem(2048, F32, 256),
            "same-memory-cheaper",
            "blocks take 768 lines, 0 wavefronts; needed less than vectors of elements as they are, 768 lines, 0 wavefronts",
        ),
    ] {
        let decline = declined(&problem, "transpose");
        assert_eq!((decline.cause, decline.reason.as_str()), (cause, reason));
    }
}

#[test]
fn the_layouts_of_a_block() {
    let plan = by_blocks(&turned([64, 64], F32, cta(256)));
    let registers = plan.buffers.registers.iter().map(|registers| registers.layout.to_string());
    let expected = ["(16, 4, 16, 4) : (16@tx, 4, 1@tx, 1)", "(16, 4, 16, 4) : (16@tx, 1, 1@tx, 4)"];
    assert_eq!(registers.collect::<Vec<_>>(), expected);
    let barriers = plan.steps.iter().map(|step| step.barrier).collect::<Vec<_>>();
    assert_eq!(barriers, [false, false, true, true]);
}

/// More threads have smaller blocks. Rows of the source are loaded in whole lines as long as columns have bytes to share.
#[test]
fn threads_share_blocks() {
    for (threads, accesses_of_thread) in [
        (128, [(128, 8), (64, 16), (128, 8)]),
        (256, [(64, 8), (64, 8), (128, 4)]),
        (512, [(128, 2), (16, 16), (128, 2)]),
        (1024, [(128, 1), (8, 16), (128, 1)]),
    ] {
        let problem = turned([128, 128], U8, cta(threads));
        let plan = by_blocks(&problem);
        assert_eq!(accesses(&plan), accesses_of_thread, "{threads} threads");
        let (costs, counted) = (plan.lines.unwrap(), traffic(&problem, plan));
        assert_eq!((costs.plan.lines, costs.plan.wavefronts), (counted.lines, counted.wavefronts), "{threads} threads");
        assert_eq!(counted.wavefronts, counted.ideal_wavefronts, "{threads} threads");
    }
}

#[test]
fn scopes_have_tiles_of_their_own() {
    let plan = by_blocks(&turned([32, 32], F32, Threads { block: Some(128), ..warp() }));
    let tile = plan.buffers.tile.as_ref().unwrap();
    assert_eq!((tile.instances, tile.bytes()), (4, 4 * 4096));
    let plan = by_blocks(&turned([64, 64], F16, warpgroup()));
    assert_eq!(plan.buffers.registers[0].layout.to_string(), "(16, 4, 8, 8) : (8@tid_in_wg, 8, 1@tid_in_wg, 1)");
}

/// The variants of the steps.
fn variants(plan: &Composite) -> Vec<&'static str> {
    plan.steps.iter().map(|step| step.plan.variant()).collect()
}

/// Run-time strides and begins, as of a block of a matrix of any size.
#[test]
fn run_time_rows() {
    let window = |layout: &str, divisor| {
        let begin = |value| Begin::Dynamic { value, divisor: 64, residue: 0 };
        let whole = laid_out(Global, &[1 << 12, 1 << 12], layout);
        let strides = vec![RunTimeStride { value: 2, divisor }];
        Operand { begin: vec![begin(0), begin(1)], extent: vec![64, 64], strides, ..whole }
    };
    let problem = |divisor| {
        let [src, dst] = ["(4096, 4096) : (1@s0, 1)", "(4096, 4096) : (1, 1@s0)"].map(|layout| window(layout, divisor));
        copy(src, dst, F32, cta(256))
    };
    let values = Values { src: vec![128, 64, 4096], dst: vec![64, 192, 8192], mask: Vec::new() };
    let plan = composite(planned_with(&problem(4), &values));
    assert_eq!(accesses(&plan), [(128, 4); 3]);
    // Rows that may begin at any element: one at a time, in lines.
    let values = Values { src: vec![128, 64, 4097], dst: vec![64, 192, 4099], mask: Vec::new() };
    let plan = composite(planned_with(&problem(1), &values));
    assert_eq!(accesses(&plan), [(32, 16); 3]);
    assert_eq!(plan.buffers.registers.len(), 1, "nothing is turned");
}

/// Words that are stored one by one, in rows of 128 that begin anywhere: threads rotate within each, so that it takes 5 requests of lines.
#[test]
fn threads_rotate_in_long_rows() {
    let begin = |value| Begin::Dynamic { value, divisor: 64, residue: 0 };
    let problem = |layouts: [&str; 2]| {
        let [src, dst] = layouts.map(|layout| {
            let whole = laid_out(Global, &[1 << 12, 1 << 12], layout);
            let strides = vec![RunTimeStride { value: 2, divisor: 1 }];
            Operand { begin: vec![begin(0), begin(1)], extent: vec![128, 64], strides, ..whole }
        });
        copy(src, dst, F32, cta(256))
    };
    let of_run_time = problem(["(4096, 4096) : (1@s0, 1)", "(4096, 4096) : (1, 1@s0)"]);
    let values = Values { src: vec![128, 64, 4097], dst: vec![64, 192, 4099], mask: Vec::new() };
    let stores = |plan: &Composite| match &plan.steps.last().unwrap().plan {
        CopyPlan::Partition(copy) => vectorize(copy, &chip("sm_90a"), 128).unwrap().0,
        other => panic!("{other:?}"),
    };
    let rotation = |plan: &Composite| stores(plan).rotation;
    assert_eq!(rotation(&composite(planned_with(&of_run_time, &values))), 128);
    let side = |layout: &str| part(laid_out(Global, &[320, 320], layout), &[(64, 128), (128, 64)]);
    let of_constants = copy(side("(320, 320) : (321, 1)"), side("(320, 320) : (1, 323)"), F32, cta(256));
    let plan = composite(planned(&of_constants));
    assert_eq!((rotation(&plan), variants(&plan)), (128, vec!["reg", "reg", "gmem_smem"]));
    let stored = |plan: Composite| traffic(&of_constants, Composite { steps: plan.steps[2..].to_vec(), ..plan }).lines;
    let error = VectorCopy { rotation: 64, ..stores(&plan) }.verify().unwrap_err();
    assert_eq!((error.cause, error.reason.as_str()), ("malformed-vector-copy", "got a rotation among 64 elements"));
    let mut as_they_are = plan.clone();
    if let Some(CopyPlan::Partition(copy)) = as_they_are.steps.last_mut().map(|step| &mut step.plan) {
        copy.rotates = false;
    }
    assert_eq!((stored(plan), stored(as_they_are)), (64 * 5 - 2, 64 * 8 - 4 * 2));
}

/// Rows of words that are known to begin anywhere are realigned, where vectors of half a chunk are not proven.
#[test]
fn realigned_rows() {
    let problem = |pitches: [i64; 2], bits, threads| {
        let side = |layout: String| part(laid_out(Global, &[320, 320], &layout), &[(64, 64), (128, 64)]);
        let [src, dst] = pitches;
        copy(side(format!("(320, 320) : ({src}, 1)")), side(format!("(320, 320) : (1, {dst})")), bits, cta(threads))
    };
    let steps = |problem: &Problem| variants(&composite(planned(problem)));
    let both = problem([321, 323], F32, 256);
    assert_eq!(steps(&both), ["realign_loads", "shuffle", "reg", "realign"]);
    assert_eq!(accesses(&composite(planned(&both))), [(128, 4)]);
    assert_eq!(steps(&problem([321, 324], F32, 256)), ["realign_loads", "shuffle", "reg", "gmem_smem"]);
    assert_eq!(steps(&problem([324, 323], F32, 256)), ["reg", "shuffle", "reg", "realign"]);
    assert_eq!(steps(&problem([322, 326], F32, 256)), ["reg", "shuffle", "reg", "gmem_smem"]);
    assert_eq!(steps(&problem([321, 323], F16, 256)), ["reg", "reg", "gmem_smem"]);
    assert_eq!(steps(&Problem { max_vector_bits: 64, ..both }), ["reg", "reg", "gmem_smem"]);
}

#[test]
fn dimensions_trade_places() {
    // (b, s, h, d) to (b, d, s, h): the innermost ones differ.
    let shape = [2, 16, 8, 64];
    let src = laid_out(Global, &shape, "(2, 16, 8, 64) : (8192, 512, 64, 1)");
    let dst = laid_out(Global, &shape, "(2, 16, 8, 64) : (8192, 8, 1, 128)");
    let plan = by_blocks(&copy(src, dst, F16, cta(128)));
    assert_eq!(accesses(&plan), [(128, 16); 3]);
    // Both sides have rows of 64: vectors of them need no blocks.
    let moved = laid_out(Global, &shape, "(2, 16, 8, 64) : (8192, 64, 1024, 1)");
    let problem = copy(rows(Global, &shape), moved, F16, cta(128));
    assert_eq!(declined(&problem, "transpose").cause, "same-order");
    assert_eq!(planned(&problem).variant(), "same_memory");
}

/// A masked copy has the steps of the copy without the mask, two of them masked.
#[test]
fn masked_copies_go_through_the_same_tile() {
    let problem = turned([64, 64], F32, cta(256));
    let end = |role, dimension, extent| MaskLimit {
        role,
        dimension: Some(dimension),
        offset: 0,
        scale: 1,
        begin: Begin::Const(0),
        extent: Begin::Const(extent),
    };
    for fill in [None, Some(Fill::Zero)] {
        let limits = vec![end(Role::Src, 0, 40), end(Role::Src, 1, 50), end(Role::Dst, 0, 60), end(Role::Dst, 1, 30)];
        let masked = Problem { mask: Some(Mask::of(&[64, 64], limits, fill)), ..problem.clone() };
        let plan = by_blocks(&masked);
        assert_eq!(plan.buffers, by_blocks(&problem).buffers);
        assert_eq!(accesses(&plan), [(64, 8), (128, 4), (128, 4)], "a limit of 50 cuts vectors");
    }
}

/// Pairs to two planes: vectors of both are loaded and stored from registers.
#[test]
fn fields_need_no_tile() {
    for (fields, bits, stored) in [(2, F16, (64, 2)), (4, U8, (32, 4)), (2, F32, (64, 2))] {
        let elements = 128 * 128 / i64::from(bits) / fields;
        let shape = [elements, fields];
        let planes = laid_out(Global, &shape, &format!("({elements}, {fields}) : (1, {elements})"));
        let problem = copy(rows(Global, &shape), planes, bits, cta(128));
        let plan = by_blocks(&problem);
        assert_eq!(accesses(&plan), [(128, 1), stored], "{fields} fields of {bits} bits");
        let costs = plan.lines.unwrap();
        assert!(plan.buffers.tile.is_none() && costs.plan.wavefronts == 0, "{plan:?}");
        let counted = traffic(&problem, plan);
        assert_eq!((counted.lines, counted.sectors), (costs.plan.lines, counted.ideal_sectors));
    }
}

#[test]
fn declines() {
    let square = || turned([64, 64], F32, cta(256));
    let cause = |problem: &Problem| declined(problem, "transpose").cause;
    let same = copy(rows(Global, &[64, 64]), rows(Global, &[64, 64]), F32, cta(256));
    assert_eq!(cause(&same), "same-order");
    assert_eq!(cause(&copy(rows(Shared, &[64, 64]), rows(Shared, &[64, 64]), F32, cta(256))), "unsupported-spaces");
    assert_eq!(cause(&turned([48, 64], F32, cta(256))), "not-powers-of-two");
    assert_eq!(cause(&turned([64, 64], F32, cta(192))), "not-powers-of-two");
    assert_eq!(cause(&turned([8, 8], F32, cta(256))), "too-few-elements");
    assert_eq!(cause(&turned([128, 128], F32, cta(32))), "too-many-registers");
    // Rows of 65: blocks have no vectors, and 32 tiles are too much even in parts.
    let [src, dst] = ["(64, 64) : (65, 1)", "(64, 64) : (1, 65)"].map(|layout| laid_out(Global, &[64, 64], layout));
    let warps = || Threads { block: Some(1024), ..warp() };
    assert_eq!(cause(&copy(src, dst, F32, warps())), "transpose-too-large");
    // With vectors, blocks are better than elements without a tile, too.
    assert!(by_blocks(&turned([64, 64], F32, warps())).buffers.tile.is_none());
    assert_eq!(cause(&turned([8, 8], F32, thread())), "scope-has-no-warps");
    let some = Problem { threads: only(cta(256), |thread| thread < 128), ..square() };
    assert_eq!(cause(&some), "not-all-threads-active");
    assert_eq!(planned(&some).variant(), "same_memory");
    // A line on either side is a line, in whatever order lanes access it.
    assert_eq!(cause(&turned([8, 4], F32, warp())), "same-memory-cheaper");
    let alone = Problem { allowed: Some(vec!["transpose".to_owned()]), ..square() };
    assert_eq!(cause(&alone), "transpose-not-reached");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 80, ..ProptestConfig::default() })]

    /// Each element arrives once, and what was counted on digits is what the accesses of the plan are.
    #[test]
    fn random_orders(
        order in Just((0..4).collect::<Vec<usize>>()).prop_shuffle(),
        extents in prop::collection::vec(0u32..=4, 4),
        bits in prop::sample::select(vec![U8, F16, F32, F64]),
        threads in 4u32..=8,
    ) {
        let shape: Vec<i64> = extents.iter().map(|extent| 1 << extent).collect();
        let mut strides = [1; 4];
        order.iter().fold(1, |stride, &dimension| {
            strides[dimension] = stride;
            stride * shape[dimension]
        });
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let dst = laid_out(Global, &shape, &format!("({}) : ({})", list(&shape), list(&strides)));
        let problem = copy(rows(Global, &shape), dst, bits, cta(1 << threads));
        if let CopyPlan::Composite(plan) = planned(&problem) {
            let costs = plan.lines.unwrap();
            let text = format!("{plan:?}");
            let counted = traffic(&problem, plan);
            prop_assert_eq!((costs.plan.lines, costs.plan.wavefronts), (counted.lines, counted.wavefronts), "{}", text);
        }
    }
}
