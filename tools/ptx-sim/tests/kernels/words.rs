//! Atomics of every operation, order and scope, and operations of the lanes of a warp together, as LLVM prints them.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Schedule};

use super::{config, fault, read_words, schedules, words};
use crate::support::launch_text;

const TEXT: &str = include_str!("../ptx/words.ptx");

/// The old values of 24 words with 100 + k in word k, and the words after `kernel` has changed them by `x`.
fn changed(kernel: &str, bytes: usize, x: u64) -> (Vec<u64>, Vec<u64>) {
    let mut memory = Memory::new();
    let before: Vec<u8> = (0..24u64).flat_map(|k| (100 + k).to_le_bytes()[..bytes].to_vec()).collect();
    let data = memory.alloc_with(&before).unwrap();
    let out = memory.alloc(20 * bytes).unwrap();
    let operand = if bytes == 4 { Arg::U32(x as u32) } else { Arg::U64(x) };
    let args = [Arg::Ptr(data), Arg::Ptr(out), operand];
    launch_text(&mut memory, TEXT, kernel, &config(1, 1, Schedule::Fair), &args).unwrap_or_else(|e| panic!("{e}"));
    let read = |at, count: usize| {
        let bytes = memory.read(at, count * bytes).unwrap().chunks_exact(bytes);
        bytes.map(|w| w.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b))).collect()
    };
    (read(out, 20), read(data, 24))
}

#[test]
fn every_atomic_operation_and_order() {
    for bytes in [4, 8] {
        let mask = u64::MAX >> (64 - 8 * bytes);
        let kernel = if bytes == 4 { "atomics32" } else { "atomics64" };
        // The second operand is negative if interpreted as signed.
        for x in [103u64, (mask << 4) & mask] {
            let signed = |v: u64| if v > mask / 2 { v as i64 | !mask as i64 } else { v as i64 };
            let mut want: Vec<u64> = (100..124).collect();
            let old = want.clone();
            let rmw: [fn(u64, u64) -> u64; 6] =
                [|_, x| x, u64::wrapping_add, u64::wrapping_sub, |a, x| a & x, |a, x| a | x, |a, x| a ^ x];
            for (word, f) in want.iter_mut().zip(rmw) {
                *word = f(*word, x) & mask;
            }
            want[6] = if signed(x) > 106 { x } else { 106 };
            want[7] = if signed(x) < 107 { x } else { 107 };
            want[8] = x.max(108);
            want[9] = x.min(109);
            want[10] = if 110 >= x { 0 } else { 111 };
            want[11] = if 111 > x { x } else { 110 };
            // Compare-and-swap of every order finds what it expects; loads change nothing; stores and the volatile sum do.
            want[12..17].fill(x);
            want[20..23].fill(x);
            want[23] = 123u64.wrapping_add(x) & mask;
            let (got_old, got) = changed(kernel, bytes, x);
            assert_eq!(got_old, old[..20], "{kernel} {x:#x}");
            assert_eq!(got, want, "{kernel} {x:#x}");
        }
    }
}

/// 96 threads in three blocks add to words of every width.
fn sums(text: &str, schedule: Schedule) -> Result<Vec<u8>, LaunchError> {
    let mut memory = Memory::new();
    let data = memory.alloc_with(&[0; 64]).unwrap();
    let config = LaunchConfig { step_limit: 5_000_000, ..config(3, 32, schedule) };
    launch_text(&mut memory, text, "sums", &config, &[Arg::Ptr(data)])?;
    Ok(memory.read(data, 64).unwrap().to_vec())
}

#[test]
fn contended_words_of_every_width() {
    // LLVM reads the first value of a compare-and-swap loop with a weak load, which is formally a race.
    let race = fault(sums(TEXT, Schedule::Fair));
    assert_eq!(race.kind, FaultKind::Race, "{race}");
    assert!(race.to_string().contains("(`ld.global.b32`)"), "{race}");
    let strong = TEXT.replace("ld.global.b32 \t%r3", "ld.relaxed.gpu.global.b32 \t%r3");
    let whole = "{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%rd5+32]; mov.b128 {%rd15, %rd16}, w; }";
    let strong = strong.replace("ld.global.v2.b64 \t{%rd15, %rd16}, [%rd5+32];", whole);
    for schedule in schedules() {
        let got = sums(&strong, schedule).unwrap_or_else(|e| panic!("{schedule}: {e}"));
        let number =
            |at: usize, bytes: usize| got[at..at + bytes].iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
        assert_eq!([number(1, 1), number(2, 2), number(4, 4), number(8, 8)], [96, 3 * 96, 5 * 96, 7 * 96]);
        assert_eq!(f32::from_bits(number(16, 4) as u32), 48.0);
        assert_eq!(f64::from_bits(number(24, 8) as u64), 24.0);
        assert_eq!((number(20, 2), number(22, 2)), (0x5600, 0x42c0), "96 in f16 and bf16");
        assert_eq!(number(32, 16), 96 * 36893488147419103233);
        assert_eq!(f32::from_bits(number(48, 4) as u32), 2.0);
    }
}

#[test]
fn what_lanes_do_together() {
    let x = |i: usize| (i as i32 - 9) * 5;
    let all = 0..32usize;
    let mut memory = Memory::new();
    let input = memory.alloc_with(&words(all.clone().map(|i| x(i) as u32))).unwrap();
    let out = memory.alloc(30 * 128).unwrap();
    launch_text(&mut memory, TEXT, "warp", &config(1, 32, Schedule::Fair), &[Arg::Ptr(input), Arg::Ptr(out)])
        .unwrap_or_else(|e| panic!("{e}"));
    let got = read_words(&memory, out, 30 * 32);
    let mask = |f: &dyn Fn(usize) -> bool| all.clone().filter(|&j| f(j)).fold(0u32, |m, j| m | 1 << j);
    let unsigned = || all.clone().map(|i| x(i) as u32);
    let fold = |f: fn(u32, u32) -> u32| unsigned().reduce(f).unwrap();
    let third = |i: usize| x(i) as u32 % 3;
    let float = |i: usize| (x(i) as f32).to_bits();
    let eight = |i: usize, j: usize| if j / 8 == i / 8 { j } else { i };
    let row = |i: usize| {
        [
            all.clone().map(x).sum::<i32>() as u32,
            all.clone().map(x).min().unwrap() as u32,
            all.clone().map(x).max().unwrap() as u32,
            fold(u32::min),
            fold(u32::max),
            fold(|a, b| a & b),
            fold(|a, b| a | b),
            fold(|a, b| a ^ b),
            0,
            1,
            0,
            0xaaaa_aaaa,
            mask(&|j| third(j) == third(i)),
            mask(&|j| j % 5 == i % 5),
            0,
            u32::MAX,
            1,
            x(if i >= 3 { i - 3 } else { i }) as u32,
            float(eight(i, i.wrapping_sub(5))),
            x(if i + 3 < 32 { i + 3 } else { i }) as u32,
            float(eight(i, i + 5)),
            x(i ^ 3) as u32,
            float(i ^ 5),
            x(3) as u32,
            float(i / 8 * 8 + 5),
            u32::MAX,
            u32::from(i == 0),
            1,
            1,
            1,
        ]
    };
    for i in all.clone() {
        let lane: Vec<u32> = (0..30).map(|r| got[32 * r + i]).collect();
        assert_eq!(lane, row(i), "lane {i}");
    }
}
