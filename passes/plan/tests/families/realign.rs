//! Copies of rows that begin at any element: aligned chunks of the destination.

use crate::common::build::{
    F16, F32, F64, U8, chip, copy, cta, declined, laid_out, only, part, planned, planned_with, rows, thread,
};
use crate::common::oracle::Values;
use crate::common::realign::check_realigned;
use proptest::prelude::*;
use tile_isa::Cache;
use tile_isa::Space::{Global, Local, Shared};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::family::Family as _;
use tile_plan::families::realign::plan::RealignedCopy;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::threads::Threads;
use tile_plan::sides::side::Side;
use tile_plan::target::Target;
use tile_plan::touch::Collective;
use tile_plan::traffic::Traffic;

/// The last rows, from the first column on, of matrices of these leading dimensions and one row more.
fn pitched(extents: [i64; 2], [src, dst]: [i64; 2], bits: u32, threads: Threads) -> Problem {
    let side = |pitch| part(rows(Global, &[extents[0] + 1, pitch]), &[(1, extents[0]), (0, extents[1])]);
    copy(side(src), side(dst), bits, threads)
}

fn realigned(problem: &Problem) -> RealignedCopy {
    match planned(problem) {
        CopyPlan::Realigned(plan) => plan,
        other => panic!("not realigned: {other:?}"),
    }
}

fn limit(role: Role, dimension: usize, begin: i64, extent: i64) -> MaskLimit {
    let (begin, extent) = (Begin::Const(begin), Begin::Const(extent));
    MaskLimit { role, dimension: Some(dimension), offset: 0, scale: 1, begin, extent }
}

/// A segment of a row, as a block takes it: chunks of 16 bytes for each thread, and elements at both ends.
#[test]
fn segments_of_rows() {
    for (bits, pitches, extent, edges) in [
        (F16, [8191, 8189], 1024, 1),
        (F16, [8191, 8190], 1024, 1),
        (F16, [8191, 8192], 1024, 1),
        (U8, [16383, 16381], 2048, 1),
        (F32, [4097, 4098], 1024, 1),
    ] {
        let plan = realigned(&pitched([1, extent], pitches, bits, cta(128)));
        let rounds = extent * i64::from(bits) / 8 / 16 / 128;
        assert_eq!((plan.rows(), plan.chunk_rounds(), plan.edge_rounds()), (1, rounds, edges), "{bits} bits");
        let costs = plan.weighed.unwrap();
        assert!(costs.plan.lines < costs.direct.lines, "{costs:?}");
    }
}

/// Tiles of several rows: the chunks of all rows are shared, whatever their number.
#[test]
fn tiles_of_rows() {
    for (extents, threads, rounds) in [([4, 1024], 128, (4, 1)), ([7, 1000], 96, (10, 2)), ([16, 500], 256, (4, 2))] {
        let plan = realigned(&pitched(extents, [1201, 1203], F16, cta(threads)));
        assert_eq!((plan.chunk_rounds(), plan.edge_rounds()), rounds, "{extents:?}");
    }
    // Half of the threads.
    let some =
        Problem { threads: only(cta(256), |thread| thread >= 128), ..pitched([2, 1024], [1201, 1203], F16, cta(256)) };
    let plan = realigned(&some);
    assert_eq!((plan.threads, plan.ranks.is_some(), plan.chunk_rounds()), (128, true, 2));
}

/// Every thread may read and write all of the rows, since which one does depends on addresses; each byte is written by one thread.
#[test]
fn touched_bytes() {
    let plain = pitched([3, 1000], [1201, 1203], F16, cta(96));
    let limits = vec![limit(Role::Src, 1, 300, 1100), limit(Role::Dst, 0, 1, 3)];
    let masked = Problem { mask: Some(Mask::of(&[3, 1000], limits, None)), ..plain.clone() };
    for (problem, written) in [(plain, 3 * 2000), (masked, 2 * 1600)] {
        let plan = CopyPlan::Realigned(realigned(&problem));
        let touched = plan.touched(&problem, &chip("sm_90a")).unwrap();
        let segments = |role| touched.of(role).unwrap().footprint.as_ref().unwrap().segments().to_vec();
        let bytes = |role| segments(role).iter().map(|segment| segment.end - segment.begin).sum::<i64>();
        assert_eq!((bytes(Role::Src), bytes(Role::Dst)), (3 * 2000, written));
        assert!(Role::ALL.iter().all(|&role| segments(role).iter().all(|segment| segment.threads.len() == 96)));
        let collective = Role::ALL.map(|role| touched.of(role).unwrap().collective);
        assert_eq!(collective, [Collective::Thread, Collective::Block]);
    }
}

/// The cost counts what requests touch, up to where rows begin in their lines.
#[test]
fn counted_lines() {
    for (extents, bits) in [([8, 1024], F16), ([9, 2000], U8), ([16, 999], F16)] {
        let problem = pitched(extents, [8191, 8189], bits, cta(128));
        let plan = realigned(&problem);
        let estimated = plan.weighed.unwrap().plan.lines;
        let counted = Traffic::new(&CopyPlan::Realigned(plan), &problem, &chip("sm_90a")).unwrap().lines;
        assert!((estimated - counted).abs() * 10 <= counted, "{extents:?} of {bits} bits: {estimated}, not {counted}");
    }
}

/// Run-time strides and begins.
#[test]
fn run_time_rows() {
    let window = |divisor| {
        let begin = |value| Begin::Dynamic { value, divisor: 1, residue: 0 };
        let whole = laid_out(Global, &[1 << 10, 1 << 14], "(1024, 16384) : (1@s0, 1)");
        let strides = vec![RunTimeStride { value: 2, divisor }];
        Operand { begin: vec![begin(0), begin(1)], extent: vec![2, 1024], strides, ..whole }
    };
    let problem = copy(window(1), window(1), F16, cta(128));
    for (src, dst) in [(8191, 8190), (8191, 8191), (8193, 8192)] {
        let values = Values { src: vec![3, 70, src], dst: vec![5, 13, dst], mask: Vec::new() };
        assert_eq!(planned_with(&problem, &values).variant(), "realign");
    }
    // Multiples of 8 promise vectors for rows, but not for where they begin.
    let aligned = |mut operand: Operand| {
        operand.begin[1] = Begin::Dynamic { value: 1, divisor: 8, residue: 0 };
        operand
    };
    let problem = copy(aligned(window(8)), aligned(window(8)), F16, cta(128));
    assert_eq!(declined(&problem, "realign").cause, "same-memory-cheaper");
    let values = Values { src: vec![3, 72, 8192], dst: vec![5, 16, 8200], mask: Vec::new() };
    assert_eq!(planned_with(&problem, &values).variant(), "same_memory");
}

/// Limits along rows shorten them on both ends, other limits leave out whole rows.
#[test]
fn masked_rows() {
    let plain = pitched([4, 1024], [1201, 1203], F16, cta(128));
    let limits = [
        vec![limit(Role::Src, 1, 300, 1100)],
        vec![limit(Role::Src, 1, 1000, 1003), limit(Role::Dst, 1, 0, 1003)],
        vec![limit(Role::Src, 1, -5, 1100), limit(Role::Dst, 0, 2, 5)],
        vec![limit(Role::Src, 1, 0, 40), limit(Role::Src, 0, 3, 5)],
        vec![limit(Role::Dst, 1, 2000, 1100)],
        vec![limit(Role::Dst, 0, 3, 5)],
    ];
    for limits in limits {
        let mask = Some(Mask::of(&[4, 1024], limits, None));
        assert!(realigned(&Problem { mask, ..plain.clone() }).mask.is_some());
    }
}

#[test]
fn declines() {
    let odd = || pitched([1, 1024], [8191, 8190], F16, cta(128));
    let cause = |problem: &Problem| declined(problem, "realign").cause;
    assert_eq!(cause(&copy(rows(Shared, &[1024]), rows(Shared, &[1024]), F16, cta(128))), "unsupported-spaces");
    assert_eq!(cause(&Problem { threads: thread(), ..odd() }), "scope-has-no-warps");
    assert_eq!(cause(&Problem { max_vector_bits: 64, ..odd() }), "vector-limit-under-16-bytes");
    assert_eq!(cause(&Problem { cache: Cache { nc: true, ..Cache::default() }, ..odd() }), "hinted-loads");
    let on_browsers =
        select(&Problem { forced: Some("realign".to_owned()), ..odd() }, &Target::portable("webgpu").unwrap());
    assert!(on_browsers.unwrap_err().to_string().contains("shifts of two words need sm_32 or later; got webgpu"));
    let columns = laid_out(Global, &[64, 64], "(64, 64) : (1, 64)");
    assert_eq!(cause(&copy(columns, rows(Global, &[64, 64]), F16, cta(128))), "not-contiguous");
    let swizzled = laid_out(Global, &[1024], "(1024) : (1), swizzle<base = 2, bits = 3, shift = 3>");
    assert_eq!(cause(&copy(swizzled, rows(Global, &[1024]), F16, cta(128))), "swizzle-chunk-too-small");
    let filled = Some(Mask::of(&[1024], vec![limit(Role::Src, 0, 0, 1000)], Some(Fill::Zero)));
    assert_eq!(cause(&Problem { mask: filled, ..odd() }), "masked-fill");
    // Whole vectors on both sides, elements of 16 bytes, short rows, and words in short rows.
    for (extents, pitches, bits) in [
        ([1, 1024], [8192, 8200], F16),
        ([16, 64], [8191, 8190], F16),
        ([16, 128], [4097, 4099], F32),
        ([8, 100], [101, 103], 128),
    ] {
        let problem = pitched(extents, pitches, bits, cta(128));
        assert_eq!(cause(&problem), "same-memory-cheaper", "{extents:?}");
        assert_eq!(planned(&problem).variant(), "same_memory");
    }
    // Vectors of 8 bytes on both sides are as good.
    assert_eq!(cause(&pitched([1, 1024], [8188, 8196], F16, cta(128))), "same-memory-cheaper");
}

/// Plans that someone wrote.
#[test]
fn malformed() {
    let side = |layout: &str| Side {
        layout: layout.parse().unwrap(),
        space: Global,
        align_bytes: 2,
        dynamic: Vec::new(),
        strides: Vec::new(),
    };
    let plan_side = || side("(2, 40) : (64, 1)");
    let (src, dst) = (side("(2, 40) : (41, 1)"), side("(2, 40) : (43, 1)"));
    let plan = RealignedCopy { threads: 32, ranks: None, element_bits: F16, mask: None, weighed: None, src, dst };
    assert_eq!(plan.verify(), Ok(()));
    let filled = |role| Some(Mask::of(&[2, 40], vec![limit(role, 1, 0, 30)], Some(Fill::Zero)));
    let swizzled = |space, base| {
        let layout = format!("(2, 40) : (64, 1), swizzle<base = {base}, bits = 3, shift = 3>").parse().unwrap();
        Side { space, align_bytes: 128, layout, ..plan_side() }
    };
    let short = Some(Mask::of(&[4, 20], vec![limit(Role::Src, 1, 0, 30)], None));
    for (plan, text) in [
        (RealignedCopy { threads: 0, ..plan.clone() }, "got 0 threads, expected 1 or more"),
        (RealignedCopy { element_bits: 12, ..plan.clone() }, "12"),
        (RealignedCopy { src: Side { space: Local, ..plan.src.clone() }, ..plan.clone() }, "source in local memory"),
        (
            RealignedCopy { src: Side { space: Shared, ..plan.src.clone() }, ..plan.clone() },
            "multiples of 2 bytes; needed 16",
        ),
        (
            RealignedCopy { src: swizzled(Global, 3), ..plan.clone() },
            "needed chunks of 16 bytes that stay together, in shared",
        ),
        (RealignedCopy { src: swizzled(Shared, 2), ..plan.clone() }, "needed chunks of 16 bytes that stay together"),
        (RealignedCopy { dst: side("(2, 40) : (80, 2)"), ..plan.clone() }, "got last iter 40:2 in the destination's"),
        (RealignedCopy { dst: side("(4, 20) : (80, 1)"), ..plan.clone() }, "got rows of 40 of 80 elements"),
        (RealignedCopy { mask: filled(Role::Src), ..plan.clone() }, "fills rows of 80 bytes from multiples of 2 on"),
        (RealignedCopy { mask: filled(Role::Dst), ..plan.clone() }, "fills a destination that it may leave"),
        (RealignedCopy { mask: short, ..plan.clone() }, "the mask counts 20 elements by steps of 1; needed the 40"),
    ] {
        let refusal = plan.verify().unwrap_err();
        assert_eq!(refusal.cause, "malformed-realigned-copy");
        assert!(refusal.reason.contains(text), "{}", refusal.reason);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 80, ..ProptestConfig::default() })]

    /// Every element arrives once, for any shape, pitch, width, mask and remainder of both storages, and however short rows are.
    #[test]
    fn random_rows(
        (height, width) in (2i64..6, 2i64..300),
        (src, dst, start) in (0i64..40, 0i64..40, 0i64..20),
        bits in prop::sample::select(vec![U8, F16, F32, F64]),
        threads in prop::sample::select(vec![32i64, 48, 64, 128, 256]),
        masked in prop::option::of((-30i64..60, -30i64..300, -2i64..3, 0i64..8)),
    ) {
        let sides = [(src, start), (dst, 20 - start)].map(|(more, start)| {
            let pitch = width + 40 + more;
            let side = part(rows(Global, &[height, pitch]), &[(0, height), (start, width)]);
            (side, format!("({height}, {width}) : ({pitch}, 1) + {start}"))
        });
        let mask = masked.map(|(begin, extent, row, rows)| {
            let limits = vec![limit(Role::Src, 1, begin, extent), limit(Role::Dst, 0, row, rows)];
            Mask::of(&[height, width], limits, None)
        });
        let [(src, src_layout), (dst, dst_layout)] = sides;
        let side = |layout: String| Side {
            layout: layout.parse().unwrap(), space: Global, align_bytes: 8, dynamic: Vec::new(), strides: Vec::new()
        };
        let problem = Problem { mask: mask.clone(), ..copy(src, dst, bits, cta(threads)) };
        let (src, dst) = (side(src_layout), side(dst_layout));
        let plan = RealignedCopy { threads, ranks: None, element_bits: bits, mask, weighed: None, src, dst };
        let checked = check_realigned(&problem, &plan, &Values::default());
        prop_assert!(checked.is_ok(), "{:?}\n{:?}", checked, plan);
        // What is chosen is checked, too.
        let _ = planned(&problem);
    }
}
