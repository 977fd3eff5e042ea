//! Windows of lanes, columns and registers, and copies of an element; each refusal beside a case that is just accepted.

use super::*;
use tile_plan::problem::role::Role;

/// The first 64 rows of a buffer of 128 lanes are not a tile of 64 rows, 16 of each warp; the reason has its layout.
#[test]
fn a_window_of_64_rows() {
    let dst = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
    let window = |first| part(tmem(&[128, 8], "(128, 8) : (1@TLane, 1@TCol)"), &[(first, 64), (0, 8)]);
    let problem = between(window(0), dst.clone(), F32);
    let layout = "(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)";
    refused(&problem, "lanes-not-reached", Some(Role::Src), &format!("64 rows with #tile.layout<{layout}>"));
    refused(&back(&problem), "lanes-not-reached", Some(Role::Dst), layout);
    assert_eq!(both(&between(tmem(&[64, 8], layout), dst.clone(), F32)), ("16x128b", 2, 1));
    let halves = part(tmem(&[128, 8], "(2, 64, 8) : (64@TLane, 1@TLane, 1@TCol)"), &[(0, 64), (0, 8)]);
    refused(&between(halves, dst.clone(), F32), "lanes-not-reached", Some(Role::Src), layout);
    refused(
        &between(window(64), dst, F32),
        "fragment-not-of-shape",
        Some(Role::Dst),
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
        Some(Role::Src),
        "begins 48 bits into its lanes",
    );
    refused(
        &between(source(6), target(5), F16),
        "register-misaligned",
        Some(Role::Dst),
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
    refused(&crossed, "elements-not-of-column", Some(Role::Dst), "the 2 elements of a 32-bit register");
    // In whole registers any order will do, one instruction each.
    assert_eq!(both(&between(src(), dst("(128, 2, 2) : (1@tid_in_wg, 1, 2)"), F32)), ("32x32b", 1, 4));
    let odd =
        between(tmem(&[128, 1], "(128, 1) : (1@TLane, 1@TCol)"), local(&[128, 1], "(128, 1) : (1@tid_in_wg, 1)"), F16);
    refused(&odd, "elements-not-of-column", Some(Role::Dst), "");
}

#[test]
fn threads_that_reach_other_lanes() {
    let dst = |layout: &str| local(&[128, 4], layout);
    let src = || tmem(&[128, 4], "(128, 4) : (1@TLane, 1@TCol)");
    let turned = between(src(), dst("(32, 4, 4) : (1@laneid, 1@wid_in_wg, 1)"), F32);
    let reason = "32x32b comes closest and needs 32 threads, counted in steps of 1, to be 1 lane and 0 bits apart; got 32 that are 4 lanes";
    refused(&turned, "fragment-not-of-shape", Some(Role::Dst), reason);
    let few =
        between(tmem(&[64, 4], "(64, 4) : (1@TLane, 1@TCol)"), local(&[64, 4], "(64, 4) : (1@tid_in_wg, 1)"), F32);
    refused(&few, "threads-not-covered", Some(Role::Dst), "spread over 64 threads");
    let part_of = between(
        part(tmem(&[128, 4], "(128, 4) : (1@TLane, 1@TCol)"), &[(32, 96), (0, 4)]),
        part(dst("(128, 4) : (1@tid_in_wg, 1)"), &[(32, 96), (0, 4)]),
        F32,
    );
    refused(&part_of, "threads-not-covered", Some(Role::Dst), "begins at thread 32");
    let wide = between(src(), dst("(128, 4) : (1@tx, 1)"), F32);
    assert_eq!(both(&wide), ("32x32b", 4, 1));
    let two = Problem { threads: Threads::all(Scope::Warpgroup, Some(256)), ..wide };
    refused(&two, "thread-axis-wider-than-scope", Some(Role::Dst), "'tx'");
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
    refused(&between(single.clone(), same.clone(), F32), "replica-unmatched", Some(Role::Dst), reason);
    refused(&between(same, single, F32), "threads-not-covered", Some(Role::Src), "spread over 32 threads");
    // A source with copies need not be read at all of them.
    let tile = tmem(&[64, 8], "(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol) + R(2 : 16@TLane)");
    let fragment = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
    assert_eq!(access_with(&between(tile.clone(), fragment.clone(), F32), &Values::default()).instructions(), 1);
    let reason = "every element is in 1 thread and in 2 places of tensor memory; needed the same number";
    refused(&between(fragment, tile, F32), "replica-unmatched", Some(Role::Dst), reason);
    let twice = local(&[128, 4], "(128, 4) : (1@tid_in_wg, 1) + R(2 : 4)");
    refused(
        &between(lanes(4, F32).operand(Role::Src).unwrap().clone(), twice, F32),
        "memory-replica",
        Some(Role::Dst),
        "2 times",
    );
}

#[test]
fn run_time_begins() {
    let window = |layout: &str, columns, divisor| {
        let mut src = part(tmem(&[128, columns], layout), &[(0, 128), (0, 16)]);
        src.begin[1] = Begin::Dynamic { value: 0, divisor, residue: 0 };
        src
    };
    let target = |bits| lanes(16, bits).operand(Role::Dst).unwrap().clone();
    let values = Values { src: vec![5], dst: vec![], ..Values::default() };
    let wide = between(window("(128, 64) : (1@TLane, 1@TCol)", 64, 1), target(F32), F32);
    let access = access_with(&wide, &values);
    assert_eq!(access_address(&mut Eval, &access, 0, 0, &[5]).unwrap(), 5);
    let values = Values { src: vec![6], dst: vec![], ..Values::default() };
    let half = |divisor| between(window("(128, 64) : (1@TLane, 1@TCol)", 64, divisor), target(F16), F16);
    let access = access_with(&half(2), &values);
    assert_eq!(access_address(&mut Eval, &access, 0, 0, &[6]).unwrap(), 3);
    refused(&half(1), "dynamic-begin-not-divisible", Some(Role::Src), "steps of 2 elements");
    let registers = {
        let mut dst = part(local(&[128, 32], "(128, 32) : (1@tid_in_wg, 1)"), &[(0, 128), (0, 16)]);
        dst.begin[1] = Begin::Dynamic { value: 0, divisor: 16, residue: 0 };
        between(lanes(16, F32).operand(Role::Src).unwrap().clone(), dst, F32)
    };
    refused(&registers, "dynamic-register", Some(Role::Dst), "begin at a run-time value");
    let threads = {
        let mut dst =
            part(local(&[2, 128, 16], "(2, 128, 16) : (0@tid_in_wg, 1@tid_in_wg, 1)"), &[(0, 1), (0, 128), (0, 16)]);
        dst.layout = "(2, 64, 2, 16) : (64@tid_in_wg, 1@tid_in_wg, 16, 1)".parse().unwrap();
        dst.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
        between(lanes(16, F32).operand(Role::Src).unwrap().clone(), dst, F32)
    };
    refused(&threads, "dynamic-begin-on-thread-axis", Some(Role::Dst), "on axis 'tid_in_wg'");
    let lane = {
        let layout = "(2, 4, 16, 8) : (16@TLane, 32@TLane, 1@TLane, 1@TCol)";
        let mut src = part(tmem(&[2, 64, 8], layout), &[(0, 1), (0, 64), (0, 8)]);
        src.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
        let dst = local(&[64, 8], "(4, 2, 8, 2, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)");
        between(src, dst, F32)
    };
    refused(&lane, "dynamic-lane", Some(Role::Src), "needed a lane that is known");
}
