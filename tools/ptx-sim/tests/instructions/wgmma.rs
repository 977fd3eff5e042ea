//! `wgmma`: every layout of A and B, against models written here, and the synchronization that it needs.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::kernel;
use super::operands::{Side, a, b, encode};
use crate::support::launch_text;

/// Bytes of A's part of shared memory; B comes after it.
const LEFT: usize = 16384;
const SHARED: usize = 3 * LEFT;

fn descriptor(side: Side, start: usize) -> u64 {
    let (leading, stride) = side.dimensions();
    let mode: u64 = [(16, 0), (128, 1), (64, 2), (32, 3)].iter().find(|it| it.0 == side.row_bytes).unwrap().1;
    (start >> 4 | leading >> 4 << 16 | stride >> 4 << 32) as u64 | mode << 62
}

struct Case {
    ty: &'static str,
    out: &'static str,
    columns: usize,
    a: Option<Side>,
    b: Side,
    /// `scale-d`, and the scales of A and B.
    scales: (bool, i32, i32),
}

impl Case {
    fn bytes(&self) -> usize {
        if self.ty == "tf32" { 4 } else { 2 }
    }

    fn depth(&self) -> usize {
        32 / self.bytes()
    }

    fn registers(&self) -> usize {
        if self.out == "f32" { self.columns / 2 } else { self.columns / 4 }
    }

    /// Shared memory, then for each thread its registers of D and four of A.
    fn input(&self) -> Vec<u8> {
        let mut image = vec![0; SHARED];
        let mut put = |at: usize, value: i32| {
            image[at..at + self.bytes()].copy_from_slice(&encode(self.ty, value).to_le_bytes()[..self.bytes()]);
        };
        for k in 0..self.depth() {
            (0..64).for_each(|row| {
                if let Some(side) = self.a {
                    put(side.at(row, k, self.bytes()), a(row, k));
                }
            });
            (0..self.columns).for_each(|column| put(LEFT + self.b.at(column, k, self.bytes()), b(k, column)));
        }
        for thread in 0..128 {
            let d = |i| {
                let (row, column) = place(thread, i);
                encode(self.out, start(row, column))
            };
            for n in 0..self.registers() {
                let word = if self.out == "f32" { d(n) } else { d(2 * n) | d(2 * n + 1) << 16 };
                image.extend(word.to_le_bytes());
            }
            for n in 0..4 {
                let row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (n % 2);
                let k =
                    |i| if self.bytes() == 2 { 2 * (thread % 4) + 8 * (n / 2) + i } else { thread % 4 + 4 * (n / 2) };
                let low = encode(self.ty, a(row, k(0)));
                let word = if self.bytes() == 2 { low | encode(self.ty, a(row, k(1))) << 16 } else { low };
                image.extend(word.to_le_bytes());
            }
        }
        image
    }

    fn multiply(&self) -> String {
        let names = |letter: &str, count| (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ");
        let Case { ty, out, columns, scales: (_, left, right), .. } = self;
        let from = if self.a.is_some() { "%rd10".into() } else { format!("{{{}}}", names("a", 4)) };
        let mut text = format!(
            "wgmma.mma_async.sync.aligned.m64n{columns}k{}.{out}.{ty}.{ty} {{{}}}, {from}, %rd11, %p7, {left}, {right}",
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
                let sum: i32 = (0..self.depth()).map(|k| a(row, k) * b(k, column)).sum();
                let want = sum * self.scales.1 * self.scales.2 + i32::from(self.scales.0) * start(row, column);
                let word = |n: usize| out[thread * self.registers() + n];
                let got = if self.out == "f32" { word(i) } else { word(i / 2) >> (16 * (i % 2)) & 0xffff };
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
                Case { ty, out: "f32", columns: 64, a, b, scales: (true, 1, 1) }.check();
            }
        }
    }
}

#[test]
fn every_type_shape_and_scale() {
    for (ty, out, columns) in [
        ("f16", "f32", 8),
        ("f16", "f32", 256),
        ("f16", "f16", 24),
        ("bf16", "f32", 40),
        ("tf32", "f32", 8),
        ("tf32", "f32", 64),
    ] {
        for scales in [(true, 1, 1), (false, 1, -1), (true, -1, 1), (true, -1, -1)] {
            for a in [Some(WIDE), None] {
                Case { ty, out, columns, a, b: PLAIN, scales }.check();
            }
        }
    }
}

const CASE: Case = Case { ty: "f16", out: "f32", columns: 8, a: Some(WIDE), b: WIDE, scales: (true, 1, 1) };

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
