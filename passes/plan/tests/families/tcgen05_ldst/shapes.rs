//! The instructions for fragments of all lanes, or of 64.

use super::*;

#[test]
fn a_lane_for_each_thread() {
    for (bits, columns, num) in
        [(F32, 1, 1), (F32, 8, 8), (F64, 8, 16), (F32, 128, 128), (F16, 8, 4), (U8, 16, 4), (F64, 4, 8), (128, 2, 8)]
    {
        assert_eq!(both(&lanes(columns, bits)), ("32x32b", num, 1), "{columns} of {bits} bits");
    }
}

/// Numbers of columns that are not a power of two, or more than one instruction has.
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
    // The same function, with threads counted in the warpgroup.
    let fused = fragment(16, "(4, 2, 8, 2, 4, 2) : (32@tid_in_wg, 2, 4@tid_in_wg, 4, 1@tid_in_wg, 1)", F32);
    assert_eq!(access_with(&fused, &Values::default()), access_with(&f256b, &Values::default()));
    // 64-bit elements are two adjacent columns, as 16x256b has them.
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
    refused(&upper(8), "lanes-not-reached", Some(Role::Src), "would begin at lanes 8 to 8 of the source");
    refused(&back(&upper(8)), "lanes-not-reached", Some(Role::Dst), "needed lane 0 or 16");
}

/// Datapath B: the two halves of the columns in the two halves of the lanes.
#[test]
fn two_halves_of_columns() {
    let src = tmem(&[64, 64], "(64, 2, 32) : (1@TLane, 64@TLane, 1@TCol)");
    let dst = local(&[64, 64], "(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)");
    assert_eq!(both(&between(src.clone(), dst.clone(), F32)), ("32x32b", 32, 1));
    let left = |operand| part(operand, &[(0, 64), (0, 32)]);
    let half = between(left(src.clone()), left(dst.clone()), F32);
    refused(&half, "threads-not-covered", Some(Role::Dst), "spread over 64 threads; needed the 128");
    // A slice of both halves leaves every thread something.
    let split = |operand: Operand| Operand { shape: vec![64, 2, 32], ..operand };
    let slice =
        |operand| part(Operand { begin: vec![Begin::Const(0); 3], ..split(operand) }, &[(0, 64), (0, 2), (8, 8)]);
    assert_eq!(both(&between(slice(src), slice(dst), F32)), ("32x32b", 8, 1));
}
