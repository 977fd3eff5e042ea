//! `tcgen05_ldst`: fragments, windows, repeats, and each refusal beside what is just not refused.

mod common;

use common::build::{
    F16, F32, F64, U8, chip, copy, declined_on, issued, laid_out, only, part, planned_on, thread, warp, warpgroup,
};
use common::oracle::Values;
use tile_layout::{Axis, Eval};
use tile_plan::address::{access_address, access_register};
use tile_plan::{
    Aligned, Asynchronous, Begin, Completion, Operand, Problem, Scope, Space, TensorAccess, TensorShape, Threads,
    Which, select,
};

fn tmem(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Tmem, shape, layout)
}

fn local(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Local, shape, layout)
}

fn between(src: Operand, dst: Operand, bits: u32) -> Problem {
    issued(&copy(src, dst, bits, warpgroup()), Completion::Caller, |_| {})
}

/// All lanes, `columns` elements of each: a thread has a lane.
fn lanes(columns: i64, bits: u32) -> Problem {
    let dst = local(&[128, columns], &format!("(128, {columns}) : (1@tid_in_wg, 1)"));
    between(tmem(&[128, columns], &format!("(128, {columns}) : (1@TLane, 1@TCol)")), dst, bits)
}

/// Datapath F: 64 rows, 16 in the lanes of each warp.
fn rows_64(columns: i64) -> Operand {
    tmem(&[64, columns], &format!("(4, 16, {columns}) : (32@TLane, 1@TLane, 1@TCol)"))
}

fn back(problem: &Problem) -> Problem {
    Problem { src: problem.dst.clone(), dst: problem.src.clone(), ..problem.clone() }
}

fn access_with(problem: &Problem, values: &Values) -> TensorAccess {
    match planned_on(problem, values, "sm_100a") {
        Aligned::TensorAccess(access) => access,
        other => panic!("no tensor access: {other:?}"),
    }
}

/// The load and the store of the same: shape, repeats, and instructions.
fn both(problem: &Problem) -> (&'static str, i64, i64) {
    let access = access_with(problem, &Values::default());
    let store = access_with(&back(problem), &Values::default());
    assert!(access.load && !store.load);
    assert_eq!((store.shape, store.num, store.instructions()), (access.shape, access.num, access.instructions()));
    (access.shape.name(), access.num, access.instructions())
}

fn refused(problem: &Problem, cause: &str, operand: Option<Which>, reason: &str) {
    let decline = declined_on(problem, "tcgen05_ldst", "sm_100a");
    assert_eq!((decline.cause, decline.operand), (cause, operand), "{}", decline.reason);
    assert!(decline.reason.contains(reason), "{}", decline.reason);
}

#[test]
fn a_lane_for_each_thread() {
    for (bits, columns, num) in
        [(F32, 1, 1), (F32, 8, 8), (F64, 8, 16), (F32, 128, 128), (F16, 8, 4), (U8, 16, 4), (F64, 4, 8), (128, 2, 8)]
    {
        assert_eq!(both(&lanes(columns, bits)), ("32x32b", num, 1), "{columns} of {bits} bits");
    }
}

/// Columns that are no power of two, or more than one instruction has.
#[test]
fn columns_in_several_instructions() {
    assert_eq!(both(&lanes(48, F32)), ("32x32b", 16, 3));
    assert_eq!(both(&lanes(256, F32)), ("32x32b", 128, 2));
    assert_eq!(both(&lanes(3, F32)), ("32x32b", 1, 3));
    let access = access_with(&lanes(48, F32), &Values::default());
    let starts: Vec<(i64, i64)> = (0..3)
        .map(|step| {
            let address = access_address(&mut Eval, &access, step, 70, &[]).unwrap();
            (address, access_register(&access, step).unwrap())
        })
        .collect();
    assert_eq!(starts, [(64 << 16, 0), ((64 << 16) + 16, 16), ((64 << 16) + 32, 32)]);
    assert_eq!(access.tmem.layout.to_string(), "(3, 128, 16) : (16@TCol, 1@TLane, 1@TCol)");
    assert_eq!(access.registers.layout.to_string(), "(3, 128, 16) : (16, 1@tid_in_wg, 1)");
}

#[test]
fn fragments_of_16_lanes() {
    let fragment = |columns, layout: &str, bits| between(rows_64(columns), local(&[64, columns], layout), bits);
    let f64b = fragment(8, "(4, 2, 8, 4, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)", F32);
    assert_eq!(both(&f64b), ("16x64b", 4, 1));
    let f128b = fragment(16, "(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)", F32);
    assert_eq!(both(&f128b), ("16x128b", 4, 1));
    let f256b = fragment(16, "(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)", F32);
    assert_eq!(both(&f256b), ("16x256b", 2, 1));
    let half = fragment(16, "(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)", F16);
    assert_eq!(both(&half), ("16x128b", 2, 1));
    // The same function, its digits counted in the warpgroup.
    let fused = fragment(16, "(4, 2, 8, 2, 4, 2) : (32@tid_in_wg, 2, 4@tid_in_wg, 4, 1@tid_in_wg, 1)", F32);
    assert_eq!(access_with(&fused, &Values::default()), access_with(&f256b, &Values::default()));
    // 64-bit elements are two neighbouring columns, as 16x256b has them.
    let wide = fragment(8, "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)", F64);
    assert_eq!(both(&wide), ("16x256b", 2, 1));
}

#[test]
fn rows_128_take_two_instructions() {
    let dst = local(&[128, 16], "(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)");
    let problem = between(tmem(&[128, 16], "(128, 16) : (1@TLane, 1@TCol)"), dst, F32);
    assert_eq!(both(&problem), ("16x256b", 2, 2));
    let access = access_with(&problem, &Values::default());
    let start = |step| access_address(&mut Eval, &access, step, 33, &[]).unwrap();
    assert_eq!((start(0), start(1)), (32 << 16, 48 << 16));
    assert_eq!((access_register(&access, 0), access_register(&access, 1)), (Ok(0), Ok(8)));
}

/// Datapath F in the upper half of each quarter.
#[test]
fn the_upper_half_of_a_quarter() {
    let dst = || local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
    let upper = |first: i64| {
        let layout = format!("(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol) + {first}@TLane");
        between(tmem(&[64, 8], &layout), dst(), F32)
    };
    assert_eq!(both(&upper(16)), ("16x128b", 2, 1));
    refused(&upper(8), "lanes-not-reached", Some(Which::Src), "would begin at lanes 8 to 8 of the source");
    refused(&back(&upper(8)), "lanes-not-reached", Some(Which::Dst), "needed lane 0 or 16");
}

/// Datapath B: the two halves of the columns in the two halves of the lanes.
#[test]
fn two_halves_of_columns() {
    let src = tmem(&[64, 64], "(64, 2, 32) : (1@TLane, 64@TLane, 1@TCol)");
    let dst = local(&[64, 64], "(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)");
    assert_eq!(both(&between(src.clone(), dst.clone(), F32)), ("32x32b", 32, 1));
    let left = |operand| part(operand, &[(0, 64), (0, 32)]);
    let half = between(left(src.clone()), left(dst.clone()), F32);
    refused(&half, "threads-not-covered", Some(Which::Dst), "spread over 64 threads; needed the 128");
    // A slice of both halves leaves every thread something.
    let split = |operand: Operand| Operand { shape: vec![64, 2, 32], ..operand };
    let slice =
        |operand| part(Operand { begin: vec![Begin::Const(0); 3], ..split(operand) }, &[(0, 64), (0, 2), (8, 8)]);
    assert_eq!(both(&between(slice(src), slice(dst), F32)), ("32x32b", 8, 1));
}

/// The first 64 rows of a buffer of 128 lanes are a tile of 64 rows, 16 of each warp.
#[test]
fn a_window_of_64_rows() {
    let dst = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
    let window = |first| part(tmem(&[128, 8], "(128, 8) : (1@TLane, 1@TCol)"), &[(first, 64), (0, 8)]);
    let problem = between(window(0), dst.clone(), F32);
    assert_eq!(both(&problem), ("16x128b", 2, 1));
    let access = access_with(&problem, &Values::default());
    let tile = access_with(&between(rows_64(8), dst.clone(), F32), &Values::default());
    assert_eq!(access.tmem.layout, tile.tmem.layout);
    refused(
        &between(window(64), dst, F32),
        "fragment-not-of-shape",
        Some(Which::Dst),
        "got 4 that are 16 lanes and 0 bits apart",
    );
}

#[test]
fn windows_of_columns_and_registers() {
    let source = |begin| part(tmem(&[128, 40], "(128, 40) : (1@TLane, 1@TCol)"), &[(0, 128), (begin, 16)]);
    let target = |begin| part(local(&[128, 24], "(128, 24) : (1@tid_in_wg, 1)"), &[(0, 128), (begin, 16)]);
    let start = |bits, from, to| {
        let access = access_with(&between(source(from), target(to), bits), &Values::default());
        (access_address(&mut Eval, &access, 0, 0, &[]).unwrap(), access_register(&access, 0).unwrap())
    };
    assert_eq!((start(F32, 3, 5), start(F16, 6, 8), start(U8, 12, 8)), ((3, 5), (3, 4), (3, 2)));
    refused(
        &between(source(3), target(8), F16),
        "columns-misaligned",
        Some(Which::Src),
        "begins 48 bits into its lanes",
    );
    refused(
        &between(source(6), target(5), F16),
        "register-misaligned",
        Some(Which::Dst),
        "begins 80 bits into its registers",
    );
}

/// Columns whose order is not that of the registers.
#[test]
fn elements_of_one_register_are_one_column() {
    let dst = |layout: &str| local(&[128, 4], layout);
    let src = || tmem(&[128, 4], "(128, 4) : (1@TLane, 1@TCol)");
    assert_eq!(both(&between(src(), dst("(128, 2, 2) : (1@tid_in_wg, 2, 1)"), F16)), ("32x32b", 2, 1));
    let crossed = between(src(), dst("(128, 2, 2) : (1@tid_in_wg, 1, 2)"), F16);
    refused(&crossed, "elements-not-of-column", Some(Which::Dst), "the 2 elements of a 32-bit register");
    // In whole registers any order will do, one instruction each.
    assert_eq!(both(&between(src(), dst("(128, 2, 2) : (1@tid_in_wg, 1, 2)"), F32)), ("32x32b", 1, 4));
    let odd =
        between(tmem(&[128, 1], "(128, 1) : (1@TLane, 1@TCol)"), local(&[128, 1], "(128, 1) : (1@tid_in_wg, 1)"), F16);
    refused(&odd, "elements-not-of-column", Some(Which::Dst), "");
}

#[test]
fn threads_that_reach_other_lanes() {
    let dst = |layout: &str| local(&[128, 4], layout);
    let src = || tmem(&[128, 4], "(128, 4) : (1@TLane, 1@TCol)");
    let turned = between(src(), dst("(32, 4, 4) : (1@laneid, 1@wid_in_wg, 1)"), F32);
    let reason = "32x32b comes closest and needs 32 threads, counted in steps of 1, to be 1 lane and 0 bits apart; got 32 that are 4 lanes";
    refused(&turned, "fragment-not-of-shape", Some(Which::Dst), reason);
    let few =
        between(tmem(&[64, 4], "(64, 4) : (1@TLane, 1@TCol)"), local(&[64, 4], "(64, 4) : (1@tid_in_wg, 1)"), F32);
    refused(&few, "threads-not-covered", Some(Which::Dst), "spread over 64 threads");
    let part_of = between(
        part(tmem(&[128, 4], "(128, 4) : (1@TLane, 1@TCol)"), &[(32, 96), (0, 4)]),
        part(dst("(128, 4) : (1@tid_in_wg, 1)"), &[(32, 96), (0, 4)]),
        F32,
    );
    refused(&part_of, "threads-not-covered", Some(Which::Dst), "begins at thread 32");
    let wide = between(src(), dst("(128, 4) : (1@tx, 1)"), F32);
    assert_eq!(both(&wide), ("32x32b", 4, 1));
    let two = Problem { threads: Threads::all(Scope::Warpgroup, Some(256)), ..wide };
    refused(&two, "thread-axis-wider-than-scope", Some(Which::Dst), "'tx'");
}

/// Copies in the lanes of every warp are read by every warp, or written by it.
#[test]
fn copies_of_an_element() {
    let src = tmem(&[32, 4], "(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)");
    let dst = local(&[32, 4], "(32, 4) : (1@laneid, 1) + R(4 : 1@wid_in_wg)");
    let problem = between(src.clone(), dst, F32);
    assert_eq!(both(&problem), ("32x32b", 4, 1));
    // No axis distinguishes the warps: each has all of it.
    let same = local(&[32, 4], "(32, 4) : (1@laneid, 1)");
    assert_eq!(both(&between(src, same.clone(), F32)), ("32x32b", 4, 1));
    let single = tmem(&[32, 4], "(32, 4) : (1@TLane, 1@TCol)");
    let reason = "every element is in 4 threads and in 1 place of tensor memory";
    refused(&between(single.clone(), same.clone(), F32), "replica-unmatched", Some(Which::Dst), reason);
    refused(&between(same, single, F32), "threads-not-covered", Some(Which::Src), "spread over 32 threads");
    // What is read need not be read from every copy.
    let tile = tmem(&[64, 8], "(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol) + R(2 : 16@TLane)");
    let fragment = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
    assert_eq!(access_with(&between(tile.clone(), fragment.clone(), F32), &Values::default()).instructions(), 1);
    let reason = "every element is in 1 thread and in 2 places of tensor memory; needed the same number";
    refused(&between(fragment, tile, F32), "replica-unmatched", Some(Which::Dst), reason);
    let twice = local(&[128, 4], "(128, 4) : (1@tid_in_wg, 1) + R(2 : 4)");
    refused(&between(lanes(4, F32).src, twice, F32), "memory-replica", Some(Which::Dst), "2 times");
}

#[test]
fn run_time_begins() {
    let window = |layout: &str, columns, divisor| {
        let mut src = part(tmem(&[128, columns], layout), &[(0, 128), (0, 16)]);
        src.begin[1] = Begin::Dynamic { value: 0, divisor, residue: 0 };
        src
    };
    let target = |bits| lanes(16, bits).dst;
    let values = Values { src: vec![5], dst: vec![] };
    let wide = between(window("(128, 64) : (1@TLane, 1@TCol)", 64, 1), target(F32), F32);
    let access = access_with(&wide, &values);
    assert_eq!(access_address(&mut Eval, &access, 0, 0, &[5]).unwrap(), 5);
    let values = Values { src: vec![6], dst: vec![] };
    let half = |divisor| between(window("(128, 64) : (1@TLane, 1@TCol)", 64, divisor), target(F16), F16);
    let access = access_with(&half(2), &values);
    assert_eq!(access_address(&mut Eval, &access, 0, 0, &[6]).unwrap(), 3);
    refused(&half(1), "dynamic-begin-not-divisible", Some(Which::Src), "steps of 2 elements");
    let registers = {
        let mut dst = part(local(&[128, 32], "(128, 32) : (1@tid_in_wg, 1)"), &[(0, 128), (0, 16)]);
        dst.begin[1] = Begin::Dynamic { value: 0, divisor: 16, residue: 0 };
        between(lanes(16, F32).src, dst, F32)
    };
    refused(&registers, "dynamic-register", Some(Which::Dst), "begin at a run-time value");
    let threads = {
        let mut dst =
            part(local(&[2, 128, 16], "(2, 128, 16) : (0@tid_in_wg, 1@tid_in_wg, 1)"), &[(0, 1), (0, 128), (0, 16)]);
        dst.layout = "(2, 64, 2, 16) : (64@tid_in_wg, 1@tid_in_wg, 16, 1)".parse().unwrap();
        dst.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
        between(lanes(16, F32).src, dst, F32)
    };
    refused(&threads, "dynamic-begin-on-thread-axis", Some(Which::Dst), "on axis 'tid_in_wg'");
    let lane = {
        let layout = "(2, 4, 16, 8) : (16@TLane, 32@TLane, 1@TLane, 1@TCol)";
        let mut src = part(tmem(&[2, 64, 8], layout), &[(0, 1), (0, 64), (0, 8)]);
        src.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
        let dst = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
        between(src, dst, F32)
    };
    refused(&lane, "dynamic-lane", Some(Which::Src), "needed a lane that is known");
}

#[test]
fn whole_warpgroups_of_a_chip_with_tensor_memory() {
    let with = |threads| Problem { threads, ..lanes(4, F32) };
    for threads in [thread(), warp(), Threads::all(Scope::Cta, Some(128))] {
        let reason = format!("needed warpgroup scope; got {}", threads.scope);
        refused(&with(threads), "scope-not-warpgroup", None, &reason);
    }
    assert_eq!(both(&with(Threads::all(Scope::Warpgroup, Some(256)))), ("32x32b", 4, 1));
    let second = only(Threads::all(Scope::Warpgroup, Some(256)), |thread| thread >= 128);
    assert_eq!(both(&with(second)), ("32x32b", 4, 1));
    let few = only(warpgroup(), |thread| thread < 96);
    refused(&with(few), "not-all-threads-active", None, "wid_in_wg narrowed to [0, 3) vs full [0, 4)");
    let decline = declined_on(&lanes(4, F32), "tcgen05_ldst", "sm_100");
    assert_eq!(decline.cause, "chip-lacks-tcgen05");
}

#[test]
fn other_memories_and_requests() {
    let shared = Problem { src: Operand { space: Space::Shared, ..lanes(4, F32).src }, ..lanes(4, F32) };
    refused(&shared, "unsupported-spaces", None, "src=shared dst=local; allowed: tmem <-> local");
    let asking = |completion, ask: &dyn Fn(&mut Asynchronous)| issued(&lanes(4, F32), completion, ask);
    refused(&asking(Completion::Barrier, &|_| {}), "request-not-supported", None, "requests mbarrier; allowed: none");
    let group = asking(Completion::Caller, &|ask| ask.cta_group = Some(2));
    refused(&group, "request-not-supported", None, "requests cta_group");
    let mut swizzled = back(&lanes(4, F32));
    swizzled.src = local(&[4], "(4) : (1), swizzle<0, 1, 1>");
    swizzled.dst = tmem(&[4], "(4) : (1@TCol)");
    refused(&swizzled, "swizzled-registers", Some(Which::Src), "a swizzled register buffer");
}

#[test]
fn what_does_not_fit_tensor_memory() {
    assert_eq!(both(&lanes(512, F32)), ("32x32b", 128, 4));
    refused(&lanes(513, F32), "columns-exceeded", Some(Which::Src), "takes 513 columns of 32 bits");
    let many = Problem { src: tmem(&[128, 4], "(128, 4) : (2@TLane, 1@TCol)"), ..lanes(4, F32) };
    refused(&many, "lanes-exceeded", Some(Which::Src), "reaches lane 254");
}

#[test]
fn sides_without_common_digits() {
    let src = tmem(&[128, 6], "(128, 2, 3) : (1@TLane, 8@TCol, 1@TCol)");
    let dst = |digits: &str| local(&[128, 6], &format!("(128, {digits}) : (1@tid_in_wg, 8, 1)"));
    assert_eq!(both(&between(src.clone(), dst("2, 3"), F32)), ("32x32b", 1, 6));
    refused(&between(src, dst("3, 2"), F32), "no-common-refinement", None, "no common refinement");
    let whole = tmem(&[128, 12], "(128, 3, 4) : (1@TLane, 8@TCol, 1@TCol)");
    let cut = between(part(whole, &[(0, 128), (3, 6)]), lanes(6, F32).dst, F32);
    refused(&cut, "region-not-sliceable", Some(Which::Src), "");
}

#[test]
fn every_place_is_written_once() {
    let places = |layout: &str| between(lanes(4, F32).src, local(&[128, 4], layout), F32);
    assert_eq!(both(&places("(128, 2, 2) : (1@tid_in_wg, 3, 1)")), ("32x32b", 2, 2));
    refused(&places("(128, 2, 2) : (1@tid_in_wg, 1, 1)"), "destination-overlaps", Some(Which::Dst), "several elements");
    let over = |layout: &str| back(&Problem { src: tmem(&[128, 4], layout), ..lanes(4, F32) });
    access_with(&over("(128, 2, 2) : (1@TLane, 3@TCol, 1@TCol)"), &Values::default());
    refused(
        &over("(128, 2, 2) : (1@TLane, 1@TCol, 1@TCol)"),
        "destination-overlaps",
        Some(Which::Dst),
        "several elements",
    );
}

/// A column that many registers get is read once for each.
#[test]
fn instructions_are_written_out() {
    let same = |count: i64| {
        let src = tmem(&[128, count], &format!("(128, {count}) : (1@TLane, 0@TCol)"));
        between(src, local(&[128, count], &format!("(128, {count}) : (1@tid_in_wg, 1)")), F32)
    };
    assert_eq!(access_with(&same(3), &Values::default()).instructions(), 3);
    let Ok((Aligned::TensorAccess(access), _)) = select(&same(2048), &chip("sm_100a")) else { panic!("no plan") };
    assert_eq!((access.num, access.instructions(), access.verify()), (1, 2048, Ok(())));
    refused(&same(2049), "too-many-instructions", None, "would issue 2049 instructions; needed 2048 at most");
}

#[test]
fn stages_written_by_hand_are_checked() {
    let access = access_with(&lanes(48, F32), &Values::default());
    assert_eq!(access.verify(), Ok(()));
    let bad = |change: &dyn Fn(&mut TensorAccess)| {
        let mut access = access.clone();
        change(&mut access);
        let refusal = access.verify().unwrap_err();
        assert_eq!(refusal.cause, "malformed-tensor-access");
        refusal.reason
    };
    assert!(bad(&|access| access.num = 3).contains("got num 3, expected a power of two from 1 to 128"));
    assert!(bad(&|access| access.num = 8).contains("one instruction moves 1024"));
    assert!(bad(&|access| access.shape = TensorShape::Lanes16Bits64).contains("no fragment of 16x64b"));
    assert!(bad(&|access| access.element_bits = 12).contains("12 bits"));
    assert!(bad(&|access| access.instruction_iters = 9).contains("there are 3"));
    assert!(bad(&|access| access.registers.layout.shard[0].stride = i64::MAX).contains("got address "));
    assert!(bad(&|access| access.registers.layout.shard[0].extent = 2).contains("[2, 128, 16]"));
    assert!(bad(&|access| access.registers.layout.shard[0].axis = Axis::TidInWg).contains("numbered by threads"));
    assert!(bad(&|access| access.registers.space = Space::Shared).contains("needed local"));
    assert!(bad(&|access| access.tmem.layout.shard[0].axis = Axis::TLane).contains("needed multiples of 32"));
    assert!(bad(&|access| access.tmem.layout.shard[2].stride = 2).contains("no fragment of 32x32b"));
    let narrow = access_with(&lanes(8, F16), &Values::default());
    let offset = TensorAccess { registers: side_from(&narrow, 1), ..narrow.clone() };
    assert!(offset.verify().unwrap_err().reason.contains("begin at bit 16; needed multiples of 32"));
}

fn side_from(access: &TensorAccess, begin: i64) -> tile_plan::Side {
    let mut side = access.registers.clone();
    side.layout = side.layout.with_offset(Axis::Memory, begin);
    side
}
