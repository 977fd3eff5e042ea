//! Copies that convert, executed: every pair of types, for chips whose instructions differ, gives the results of the
//! definition.

use ptx_sim::{Arg, LaunchConfig, Memory, Module, launch};
use tile_oracle::convert::{KINDS, NumberKind, convert, tf32};
use tile_passes::{Options, compile, embed};

const THREADS: u32 = 128;

/// Codes of a type: all of them, up to 16 bits; otherwise those around powers of two, of small numbers, and random
/// ones.
fn codes(kind: NumberKind) -> Vec<u64> {
    if kind.bits <= 16 {
        return (0..1 << kind.bits).collect();
    }
    let mask = u64::MAX >> (64 - kind.bits);
    let mut codes: Vec<u64> = Vec::new();
    for bit in 0..kind.bits {
        for near in [0u64, 1, 2, 3, u64::MAX, u64::MAX - 1] {
            let power = (1u64 << bit).wrapping_add(near);
            codes.extend([power, power.wrapping_neg(), power | 1 << (kind.bits - 1)]);
        }
    }
    codes.extend(ties(kind));
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    while codes.len() < 4096 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let exponent = (seed >> 59) as u32;
        // Floats around 1, and integers of all lengths.
        codes.push(if kind.is_integer() { seed >> (exponent % kind.bits) } else { seed ^ (seed << 17) });
    }
    codes.iter().map(|code| code & mask).take(4096).collect()
}

/// Numbers midway between two adjacent values of 16 and of 8 bits, and the numbers next to these.
fn ties(kind: NumberKind) -> Vec<u64> {
    let exact = |value: f64| match kind.name {
        "f64" => value.to_bits(),
        "f32" => u64::from((value as f32).to_bits()),
        _ => value as i64 as u64,
    };
    let mut codes = Vec::new();
    for power in [-26, -17, -16, -10, -9, -7, 0, 1, 8, 9, 14, 15, 16, 20, 30, 40, 62] {
        for kept in [4, 5, 9, 12, 13] {
            let (step, one) = (2f64.powi(power - kept), 2f64.powi(power));
            for odd in [1.0, 3.0] {
                let middle = exact(one + odd * step);
                codes.extend([middle, middle + 1, middle.wrapping_sub(1), exact(-one - odd * step)]);
            }
        }
    }
    codes.extend([448.0, 464.0, 464.1, 480.0, 57344.0, 61440.0, 65504.0, 65519.0, 65520.0, 3.4e38, -465.0].map(exact));
    codes
}

/// A kernel that copies from global to shared memory with the conversion, and back unchanged; with `fallback`, element
/// by element. `chip` is written as in a target: `"sm_89", features = "+ptx81"`.
fn kernel(chip: &str, from: &str, to: &str, count: usize, clause: &str, fallback: bool) -> String {
    let (scope, how) = if fallback { ("thread", "{variant = \"fallback\"}") } else { ("cta", "") };
    let (src, dst) = (format!("!tile.buffer<{count}x{from}, global>"), format!("!tile.buffer<{count}x{to}, global>"));
    // As much as fits in 48 KiB.
    let part = count.min(4096);
    let shared = format!("!tile.buffer<{part}x{to}, shared>");
    let copies = format!(
        "%end = arith.constant {count} : index
         %zero = arith.constant 0 : index
         %step = arith.constant {part} : index
         scf.for %i = %zero to %end step %step {{
           tile.copy %a[%i] [{part}] to %s[0] [{part}] scope({scope}) {clause} {how} : {src} to {shared}
           gpu.barrier
           tile.copy %s[0] [{part}] to %b[%i] [{part}] scope({scope}) : {shared} to {dst}
           gpu.barrier
         }}"
    );
    let block = if fallback { 1 } else { THREADS };
    format!(
        "gpu.module @kernels [#nvvm.target<chip = {chip}>] {{
           gpu.func @f(%A: memref<{count}x{from}>, %B: memref<{count}x{to}>) kernel
               attributes {{known_block_size = array<i32: {block}, 1, 1>}} {{
             %a = tile.view %A : memref<{count}x{from}> to {src}
             %b = tile.view %B : memref<{count}x{to}> to {dst}
             %s = tile.alloc : {shared}
             {copies}
             gpu.return
           }}
         }}"
    )
}

fn compiled(text: &str) -> Module {
    let context = embed::context();
    let mut module = embed::parse(&context, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let ptx = compile(&mut module, &Options::new()).unwrap_or_else(|error| panic!("{error}\n{text}")).text;
    Module::parse(&ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"))
}

/// The results of the kernel for the codes.
fn executed(text: &str, block: u32, from: u32, to: u32, codes: &[u64]) -> Vec<u64> {
    launched(&compiled(text), "f", block, (from, to), codes)
}

/// The results of a kernel of a module for the codes.
fn launched(module: &Module, name: &str, block: u32, (from, to): (u32, u32), codes: &[u64]) -> Vec<u64> {
    let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()[..from as usize / 8].to_vec()).collect();
    let mut memory = Memory::new();
    let src = memory.alloc_with(&bytes).unwrap();
    let dst = memory.alloc(codes.len() * to as usize / 8).unwrap();
    launch(&mut memory, module, name, &LaunchConfig::new(1, block), &[Arg::Ptr(src), Arg::Ptr(dst)])
        .unwrap_or_else(|error| panic!("{error}"));
    let got = memory.read(dst, codes.len() * to as usize / 8).unwrap();
    let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte));
    got.chunks(to as usize / 8).map(code).collect()
}

const NEW: &str = "\"sm_90a\"";

/// An older chip and a newer one: on the first, converting integers to `bf16` takes two instructions.
fn chips(from: NumberKind, to: NumberKind) -> [&'static str; 2] {
    if from.is_fp8() || to.is_fp8() { ["\"sm_89\", features = \"+ptx81\"", NEW] } else { ["\"sm_80\"", NEW] }
}

fn check(from: NumberKind, to: NumberKind, chip: &str, fallback: bool) {
    let codes = if fallback { codes(from).into_iter().step_by(16).take(64).collect() } else { codes(from) };
    for signed in [true, false] {
        let integers = from.is_integer() || to.is_integer();
        if !signed && !integers {
            continue;
        }
        let clause = match (integers, signed) {
            (false, _) => "",
            (_, true) => "convert(signed)",
            _ => "convert(unsigned)",
        };
        let text = kernel(chip, from.name, to.name, codes.len(), clause, fallback);
        let got = executed(&text, if fallback { 1 } else { THREADS }, from.bits, to.bits, &codes);
        for (&code, &got) in codes.iter().zip(&got) {
            let expected = convert(from, to, signed, code);
            let equal = got == expected || !to.is_integer() && to.is_nan(got) && to.is_nan(expected);
            let names = (from.name, to.name);
            assert!(equal, "{names:?} {clause} for {chip}: {code:#x} became {got:#x}, expected {expected:#x}");
        }
    }
}

fn all(chip: usize, fallback: bool) {
    for (from, to) in
        KINDS.iter().flat_map(|&from| KINDS.map(|to| (from, to))).filter(|(from, to)| from.converts_to(*to))
    {
        check(from, to, chips(from, to)[chip], fallback);
    }
}

/// Threads of a chain, and elements of each.
const CHAIN: (u32, usize) = (32, 8);

/// A type, the next one, and how integers of the copy between them are read.
type Link = (NumberKind, NumberKind, bool);

/// A kernel `name` that converts through registers of another type to a third one; every thread has its own elements.
fn chain(name: &str, [(from, between, first), (_, to, second)]: [Link; 2], fallback: bool) -> String {
    let (threads, each) = (CHAIN.0, CHAIN.1);
    let count = threads as usize * each;
    let clause = |(from, to): (NumberKind, NumberKind), signed| match (from.is_integer() || to.is_integer(), signed) {
        (false, _) => "",
        (_, true) => "convert(signed)",
        (_, false) => "convert(unsigned)",
    };
    let (load, store) = (clause((from, between), first), clause((between, to), second));
    let how = if fallback { "{variant = \"fallback\"}" } else { "" };
    let [from, between, to] = [from, between, to].map(|kind| kind.name);
    let (src, dst) = (format!("!tile.buffer<{count}x{from}, global>"), format!("!tile.buffer<{count}x{to}, global>"));
    let registers = format!("!tile.buffer<{each}x{between}, local>");
    format!(
        "gpu.func @{name}(%A: memref<{count}x{from}>, %B: memref<{count}x{to}>) kernel
             attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
           %a = tile.view %A : memref<{count}x{from}> to {src}
           %b = tile.view %B : memref<{count}x{to}> to {dst}
           %r = tile.alloc : {registers}
           %t = gpu.thread_id x
           %each = arith.constant {each} : index
           %i = arith.muli %t, %each : index
           tile.copy %a[%i] [{each}] to %r[0] [{each}] scope(thread) {load} {how} : {src} to {registers}
           tile.copy %r[0] [{each}] to %b[%i] [{each}] scope(thread) {store} {how} : {registers} to {dst}
           gpu.return
         }}"
    )
}

/// The conversions from a type, with each signedness of integers.
fn links(from: NumberKind) -> impl Iterator<Item = Link> {
    let next = KINDS.into_iter().filter(move |to| from.converts_to(*to));
    next.flat_map(move |to| {
        let ways: &[bool] = if from.is_integer() || to.is_integer() { &[true, false] } else { &[true] };
        ways.iter().map(move |&signed| (from, to, signed))
    })
}

/// Two consecutive conversions: each gives the same result as it does alone, although LLVM sees both.
fn chained(chip: usize, fallback: bool) {
    for first in KINDS.into_iter().flat_map(links) {
        let (from, between, signed) = first;
        let chains: Vec<[Link; 2]> = links(between).map(|second| [first, second]).collect();
        let oldest = chains.iter().flatten().find(|(from, to, _)| from.is_fp8() || to.is_fp8());
        let chip = oldest.map_or(chips(from, between), |&(from, to, _)| chips(from, to))[chip];
        let kernels = (0..).zip(&chains).map(|(at, &links)| chain(&format!("f{at}"), links, fallback));
        let text = format!("gpu.module @kernels [#nvvm.target<chip = {chip}>] {{\n{}}}", kernels.collect::<String>());
        let module = compiled(&text);
        let all = codes(from);
        let count = CHAIN.0 as usize * CHAIN.1;
        let codes: Vec<u64> = (0..count).map(|at| all[at * (all.len() - 1) / (count - 1)]).collect();
        for (at, &[_, (_, to, again)]) in chains.iter().enumerate() {
            let got = launched(&module, &format!("f{at}"), CHAIN.0, (from.bits, to.bits), &codes);
            for (&code, &got) in codes.iter().zip(&got) {
                let expected = convert(between, to, again, convert(from, between, signed, code));
                let equal = got == expected || !to.is_integer() && to.is_nan(got) && to.is_nan(expected);
                let names = [from, between, to].map(|kind| kind.name).join(" to ");
                let ways = (signed, again);
                assert!(equal, "{names} {ways:?} for {chip}: {code:#x} became {got:#x}, expected {expected:#x}");
            }
        }
    }
}

#[test]
fn chains_on_an_older_chip() {
    chained(0, true);
}

#[test]
fn chains_on_a_newer_chip() {
    chained(1, true);
}

#[test]
fn chains_of_vectors() {
    chained(1, false);
}

#[test]
fn every_pair_on_an_older_chip() {
    all(0, false);
}

#[test]
fn every_pair_on_a_newer_chip() {
    all(1, false);
}

#[test]
fn every_pair_element_by_element() {
    all(1, true);
}

#[test]
fn tf32_is_rounded_to_even() {
    for chip in ["\"sm_80\"", NEW] {
        let codes = codes(KINDS[1]);
        let got = executed(&kernel(chip, "f32", "f32", codes.len(), "convert(tf32)", false), THREADS, 32, 32, &codes);
        for (&code, &got) in codes.iter().zip(&got) {
            let expected = tf32(code);
            assert_eq!(got & 0x1fff, 0);
            let equal = got == expected || KINDS[1].is_nan(got) && KINDS[1].is_nan(expected);
            assert!(equal, "{chip}: {code:#x} became {got:#x}, expected {expected:#x}");
        }
    }
}
