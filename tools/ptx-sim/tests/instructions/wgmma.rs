//! `wgmma`: every layout of A and B, against models written here, and the synchronization that it needs.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::errors::refused;
use super::fragments::Type;
use super::kernel;
use super::operands::{Side, a, b, encode};
use crate::support::launch_text;

/// Bytes of A's part of shared memory; B comes after it.
const LEFT: usize = 16384;
const SHARED: usize = 3 * LEFT;

fn descriptor(side: Side, start: usize) -> u64 {
    let (leading, stride) = side.dimensions();
    let mode: u64 = [(16, 0), (128, 1), (64, 2), (32, 3)].iter().find(|mode| mode.0 == side.row_bytes).unwrap().1;
    (start >> 4 | leading >> 4 << 16 | stride >> 4 << 32) as u64 | mode << 62
}

struct Case {
    /// The types of A and B.
    types: [&'static str; 2],
    out: &'static str,
    columns: usize,
    a: Option<Side>,
    b: Side,
    /// `scale-d`, and the scales of A and B.
    scales: (bool, i32, i32),
}

impl Case {
    fn bytes(&self) -> usize {
        Type::of(self.types[0]).bits as usize / 8
    }

    fn depth(&self) -> usize {
        32 / self.bytes()
    }

    fn registers(&self) -> usize {
        if self.out == "f16" { self.columns / 4 } else { self.columns / 2 }
    }

    /// Elements of A and of B; none is negative where the type has no sign.
    fn a(&self, row: usize, k: usize) -> i32 {
        a(row, k) + if self.types[0] == "u8" { 3 } else { 0 }
    }

    fn b(&self, k: usize, column: usize) -> i32 {
        b(k, column) + if self.types[1] == "u8" { 2 } else { 0 }
    }

    /// Shared memory, then for each thread its registers of D and four of A.
    fn input(&self) -> Vec<u8> {
        let mut image = vec![0; SHARED];
        let mut put = |at: usize, ty: &'static str, value: i32| {
            image[at..at + self.bytes()].copy_from_slice(&encode(ty, value).to_le_bytes()[..self.bytes()]);
        };
        let [left, right] = self.types;
        for k in 0..self.depth() {
            (0..64).for_each(|row| {
                if let Some(side) = self.a {
                    put(side.at(row, k, self.bytes()), left, self.a(row, k));
                }
            });
            (0..self.columns)
                .for_each(|column| put(LEFT + self.b.at(column, k, self.bytes()), right, self.b(k, column)));
        }
        for thread in 0..128 {
            let d = |i| {
                let (row, column) = place(thread, i);
                encode(self.out, start(row, column))
            };
            for n in 0..self.registers() {
                let word = if self.out == "f16" { d(2 * n) | d(2 * n + 1) << 16 } else { d(n) };
                image.extend(word.to_le_bytes());
            }
            for n in 0..4 {
                let row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (n % 2);
                let packed = 4 / self.bytes();
                let k = |i| packed * (thread % 4) + 4 * packed * (n / 2) + i;
                let element = |i| encode(left, self.a(row, k(i))) << (8 * self.bytes() * i);
                image.extend((0..packed).map(element).fold(0, |word, bits| word | bits).to_le_bytes());
            }
        }
        image
    }

    fn multiply(&self) -> String {
        let names = |letter: &str, count| (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ");
        let Case { types: [a, b], out, columns, scales: (_, left, right), .. } = self;
        let (clamped, signs) = match *out {
            "s32" => (".satfinite", String::new()),
            _ => ("", format!(", {left}, {right}")),
        };
        let from = if self.a.is_some() { "%rd10".into() } else { format!("{{{}}}", names("a", 4)) };
        let mut text = format!(
            "wgmma.mma_async.sync.aligned.m64n{columns}k{}{clamped}.{out}.{a}.{b} {{{}}}, {from}, %rd11, %p7{signs}",
            self.depth(),
            names("d", self.registers())
        );
        if self.bytes() == 2 {
            for side in self.a.iter().chain([&self.b]) {
                text += if side.transposed { ", 1" } else { ", 0" };
            }
        }
        text + ";\n"
    }

    fn body(&self) -> String {
        let (count, words) = (self.registers(), self.registers() + 4);
        let mut body = format!(
            ".reg .b32 d<{count}>; .reg .b32 a<4>; ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1]; mov.u32 %r1, %tid.x;\n\
             mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, data; add.s64 %rd4, %rd4, %rd2; mov.u32 %r2, 0;\n\
             FILL: ld.global.b32 %r3, [%rd3]; st.shared.b32 [%rd4], %r3; add.s64 %rd3, %rd3, 512; add.s64 %rd4, %rd4, 512;\n\
             add.u32 %r2, %r2, 512; setp.lt.u32 %p1, %r2, {SHARED}; @%p1 bra FILL;\n\
             mul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, data; shr.u64 %rd4, %rd4, 4;\n",
            4 * words
        );
        for n in 0..words {
            let name = if n < count { format!("d{n}") } else { format!("a{}", n - count) };
            body += &format!("ld.global.b32 {name}, [%rd3+{}];\n", SHARED + 4 * n);
        }
        let left = self.a.map_or(0, |side| descriptor(side, 0));
        body += &format!(
            "add.s64 %rd10, %rd4, {left}; add.s64 %rd11, %rd4, {}; setp.ne.u32 %p7, {}, 0;\n\
             fence.proxy.async.shared::cta; bar.sync 0;\nwgmma.fence.sync.aligned;\n{}\
             wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n",
            descriptor(self.b, LEFT),
            i32::from(self.scales.0),
            self.multiply()
        );
        body += &format!("mul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd0, %rd2;\n", 4 * count);
        (0..count).for_each(|n| body += &format!("st.global.b32 [%rd3+{}], d{n};\n", 4 * n));
        body
    }

    fn run(&self, threads: u32, body: &str) -> Result<Vec<u32>, LaunchError> {
        let text = kernel("sm_90a", 2, &format!(".shared .align 1024 .b8 data[{SHARED}];"), body);
        let mut memory = Memory::new();
        let out = memory.alloc_with(&vec![0; 512 * self.registers()]).unwrap();
        let input = memory.alloc_with(&self.input()).unwrap();
        launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, threads), &[Arg::Ptr(out), Arg::Ptr(input)])?;
        let bytes = memory.read(out, 512 * self.registers()).unwrap();
        Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
    }

    fn check(&self) {
        let body = self.body();
        let out = self.run(128, &body).unwrap_or_else(|e| panic!("{}: {e}", self.multiply()));
        for thread in 0..128 {
            for i in 0..self.columns / 2 {
                let (row, column) = place(thread, i);
                let sum: i32 = (0..self.depth()).map(|k| self.a(row, k) * self.b(k, column)).sum();
                let want = sum * self.scales.1 * self.scales.2 + i32::from(self.scales.0) * start(row, column);
                let word = |n: usize| out[thread * self.registers() + n];
                let got = if self.out == "f16" { word(i / 2) >> (16 * (i % 2)) & 0xffff } else { word(i) };
                assert_eq!(got, encode(self.out, want), "{}: ({row}, {column})", self.multiply());
            }
        }
    }
}

/// Element `i` of a thread's part of D.
fn place(thread: usize, i: usize) -> (usize, usize) {
    (16 * (thread / 32) + thread % 32 / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (thread % 4) + i % 2)
}

fn start(row: usize, column: usize) -> i32 {
    row as i32 - column as i32 / 2
}

const PLAIN: Side = Side { row_bytes: 16, transposed: false };
const WIDE: Side = Side { row_bytes: 128, transposed: false };

#[test]
fn every_layout_of_both_operands() {
    for row_bytes in [16, 32, 64, 128] {
        for transposed in [false, true] {
            let side = Side { row_bytes, transposed };
            let (first, second) = (Some(side), Some(WIDE));
            for (a, b, ty) in [(first, WIDE, "f16"), (second, side, "bf16"), (first, side, "f16")] {
                Case { types: [ty; 2], out: "f32", columns: 64, a, b, scales: (true, 1, 1) }.check();
            }
        }
    }
}

#[test]
fn every_type_shape_and_scale() {
    for (a, b, out, columns) in [
        ("f16", "f16", "f32", 8),
        ("f16", "f16", "f32", 256),
        ("f16", "f16", "f16", 24),
        ("bf16", "bf16", "f32", 40),
        ("tf32", "tf32", "f32", 8),
        ("tf32", "tf32", "f32", 64),
        ("e4m3", "e4m3", "f32", 16),
        ("e4m3", "e5m2", "f16", 40),
        ("e5m2", "e4m3", "f32", 256),
        ("e5m2", "e5m2", "f16", 8),
    ] {
        for scales in [(true, 1, 1), (false, 1, -1), (true, -1, 1), (true, -1, -1)] {
            for left in [Some(WIDE), None] {
                Case { types: [a, b], out, columns, a: left, b: PLAIN, scales }.check();
            }
        }
    }
}

#[test]
fn integers() {
    for (a, b, columns) in [("s8", "s8", 8), ("u8", "u8", 24), ("s8", "u8", 48), ("u8", "s8", 256)] {
        for adds in [false, true] {
            for (left, right) in [(Some(WIDE), PLAIN), (Some(PLAIN), WIDE), (None, WIDE)] {
                Case { types: [a, b], out: "s32", columns, a: left, b: right, scales: (adds, 1, 1) }.check();
            }
        }
    }
}

/// All elements are 1 and D begins at the greatest integer.
#[test]
fn integers_beyond_the_range() {
    let case = Case { types: ["s8"; 2], out: "s32", scales: (true, 1, 1), ..CASE };
    let ones = (0..4).fold(case.body(), |body, n| {
        let d = format!("ld.global.b32 d{n}, [%rd3+{}];", SHARED + 4 * n);
        assert!(body.contains(&d));
        body.replace(&d, &format!("mov.u32 d{n}, 0x7fffffff;"))
    });
    let ones = ones.replace("ld.global.b32 %r3, [%rd3];", "mov.u32 %r3, 0x01010101;");
    for (modifier, want) in [(".satfinite", i32::MAX), ("", i32::MIN + 31)] {
        let out = case.run(128, &ones.replace(".satfinite", modifier)).unwrap_or_else(|e| panic!("{e}"));
        assert!(out.iter().all(|&word| word as i32 == want), "{modifier}: {out:x?}");
    }
}

#[test]
fn what_does_not_exist_is_refused() {
    let text = "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1;";
    for (old, new, part) in [
        ("k32", "k16", "got k16, expected k32 for these types"),
        ("n8k", "n40k", "got n40, expected 8, 24, or a multiple of 16 for integers"),
        ("n8k", "n12k", "got n12, expected a multiple of 8 up to 256"),
        ("s8.s8", "s4.s4", "elements of 4 or 64 bits cannot be multiplied by a warpgroup"),
        ("s32.s8.s8", "f64.f64.f64", "elements of 4 or 64 bits cannot be multiplied by a warpgroup"),
        ("s32.s8.s8", "f32.s8.s8", "products of s8 cannot be summed in D of f32"),
        ("s32.s8.s8", "f16.bf16.bf16", "products of bf16 cannot be summed in D of f16"),
        ("s8.s8", "s8.e4m3", "A of s8 cannot be multiplied by B of e4m3"),
        ("s32.s8.s8", "satfinite.f32.e4m3.e4m3", "`.satfinite` is for integers only"),
        ("s32.s8.s8", "s32.b1.b1", "unknown modifier `.b1`"),
        ("mma_async", "mma_async.sp", "unknown modifier `.sp`"),
        (", 1;", ", 1, 1, 1;", "operands, expected 4"),
        ("{%r1, %r2, %r3, %r4}", "{%r1, %r2}", "got 2 registers, expected 4"),
    ] {
        assert!(text.contains(old), "{old}");
        let message = refused(&text.replacen(old, new, 1));
        assert!(message.contains(part), "{message}");
    }
}

const CASE: Case = Case { types: ["f16"; 2], out: "f32", columns: 8, a: Some(WIDE), b: WIDE, scales: (true, 1, 1) };

fn fault(threads: u32, case: &Case, old: &str, new: &str) -> (FaultKind, String) {
    let body = case.body();
    assert!(body.contains(old), "{body}");
    match case.run(threads, &body.replacen(old, new, 1)) {
        Err(error) => error.fault().map_or_else(|| panic!("{error}"), |f| (f.kind, f.detail.clone())),
        Ok(_) => panic!("a fault is expected without {old}"),
    }
}

#[test]
fn what_must_be_around_it() {
    let expect = |case: &Case, old: &str, new: &str, kind: FaultKind, part: &str| {
        let (got, detail) = fault(128, case, old, new);
        assert_eq!(got, kind, "{detail}");
        assert!(detail.contains(part), "{detail}");
    };
    const WAIT: &str = "wgmma.wait_group.sync.aligned 0;";
    let registers = Case { a: None, ..CASE };
    expect(&CASE, WAIT, "", FaultKind::InFlight, "`wgmma.wait_group` is missing");
    expect(&CASE, WAIT, "wgmma.wait_group.sync.aligned 1;", FaultKind::InFlight, "`wgmma.wait_group` is missing");
    expect(&CASE, "wgmma.commit_group.sync.aligned;", "", FaultKind::InFlight, "`wgmma.wait_group` is missing");
    expect(&registers, WAIT, "mov.b32 a0, 0;", FaultKind::InFlight, "`wgmma.wait_group` is missing");
    expect(&CASE, WAIT, "ret;", FaultKind::CopyLeak, "`wgmma.wait_group` is missing");
    expect(&CASE, WAIT, "st.shared.b32 [data], %r1;", FaultKind::InFlight, "does not know that it is complete");
    let late = "bar.sync 0; st.shared.b32 [data], %r1; wgmma.wait_group.sync.aligned 0;";
    expect(&CASE, WAIT, late, FaultKind::InFlight, "does not know that it is complete");
    expect(&CASE, "fence.proxy.async.shared::cta;", "", FaultKind::Race, "fence.proxy.async");
    expect(&CASE, "bar.sync 0;", "", FaultKind::Race, "without a barrier");
    expect(&CASE, "wgmma.fence.sync.aligned;", "", FaultKind::Invalid, "before the first product");
    let touched = "wgmma.fence.sync.aligned; add.u32 d0, d1, 0;";
    expect(&CASE, "wgmma.fence.sync.aligned;", touched, FaultKind::Invalid, "has touched a register");
    let touched = "wgmma.fence.sync.aligned; add.u32 a1, a1, 0;";
    expect(&registers, "wgmma.fence.sync.aligned;", touched, FaultKind::Invalid, "has touched a register");
    let other = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {d0, d1, d2, d3}, %rd10, %rd11, 1, 1, 1; wgmma.commit_group.sync.aligned;";
    expect(&CASE, "wgmma.commit_group.sync.aligned;", other, FaultKind::Invalid, "of another shape");
}

#[test]
fn products_of_one_shape_are_summed_without_a_fence() {
    let twice = CASE.multiply().repeat(2);
    let out = CASE.run(128, &CASE.body().replace(&CASE.multiply(), &twice)).unwrap_or_else(|e| panic!("{e}"));
    let sum: i32 = (0..16).map(|k| a(0, k) * b(k, 0)).sum();
    assert_eq!(f32::from_bits(out[0]), (2 * sum + start(0, 0)) as f32);
}

#[test]
fn misuse() {
    let expect = |threads: u32, old: &str, new: &str, part: &str| {
        let (kind, detail) = fault(threads, &CASE, old, new);
        assert_eq!(kind, FaultKind::Invalid, "{detail}");
        assert!(detail.contains(part), "{detail}");
    };
    const FENCE: &str = "wgmma.fence.sync.aligned;";
    let multiply = CASE.multiply();
    expect(96, "wait_group.sync.aligned 0", "wait_group.sync.aligned 0", "a warpgroup has 128 threads: got 96");
    let some = format!("setp.lt.u32 %p2, %r1, 96; {FENCE} @!%p2 bra OVER; {FENCE} OVER:");
    expect(128, FENCE, &some, "must execute the same `wgmma` instructions");
    let lanes = format!("and.b32 %r5, %r1, 31; setp.lt.u32 %p2, %r5, 8; @%p2 {multiply}");
    assert_eq!(fault(128, &CASE, &multiply, &lanes).0, FaultKind::BarrierDivergence);
    let differ = format!("cvt.u64.u32 %rd6, %r1; and.b64 %rd6, %rd6, 64; add.s64 %rd10, %rd10, %rd6; {multiply}");
    expect(128, &multiply, &differ, "must be the same in all warps of a warpgroup");
    expect(128, &multiply, &format!("cvt.u64.u32 %rd6, %r1; add.s64 %rd10, %rd10, %rd6; {multiply}"), "in all lanes");
    expect(128, &multiply, &format!("add.s64 %rd10, %rd10, 8; {multiply}"), "where the pattern of its swizzle begins");
    let body = CASE.body().replace(&multiply, &format!("add.s64 %rd11, %rd11, 8192; {multiply}"));
    let outside = CASE.run(128, &body).unwrap_err();
    assert_eq!(outside.fault().unwrap().kind, FaultKind::OutOfBounds);
    let mut memory = Memory::new();
    let text = kernel("sm_100a", 0, "", FENCE);
    let old = launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 128), &[]).unwrap_err();
    assert!(old.to_string().contains("got the target sm_100a, expected sm_90a"), "{old}");
}
