//! `tcgen05.mma`: every type, and every layout of A, B and D, against models written here.

mod forms;
mod rules;
mod scales;

use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory};

use super::fragments::Type;
use super::kernel;
use super::operands::{Side, a, b, encode};
use super::tensor::{ALLOC, FREE};
use crate::support::launch_text;

/// Bytes of A's part of shared memory; B comes after it.
const LEFT: usize = 16384;
const SHARED: usize = 40960;

/// The first column of A in tensor memory.
const A_COLUMN: usize = 256;

#[derive(Clone, Copy)]
enum A {
    Shared(Side),
    Tensor,
}

#[derive(Clone, Copy)]
struct Case {
    /// The types of A and B.
    types: [&'static str; 2],
    out: &'static str,
    rows: usize,
    columns: usize,
    a: A,
    b: Side,
    /// Whether the product is added to D, and whether A, and B, is negated.
    signs: (bool, bool, bool),
    /// The first lane of D.
    lane: usize,
}

fn descriptor(side: Side, start: usize) -> u64 {
    let (leading, stride) = side.dimensions();
    let mode: u64 = [(16, 0), (128, 2), (64, 4), (32, 6)].iter().find(|mode| mode.0 == side.row_bytes).unwrap().1;
    (start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | 1 << 46) as u64 | mode << 61
}

fn start(row: usize, column: usize) -> i32 {
    row as i32 - column as i32 / 2
}

impl Case {
    fn bytes(&self) -> usize {
        Type::of(self.types[0]).bits as usize / 8
    }

    fn depth(&self) -> usize {
        32 / self.bytes()
    }

    /// Elements of A and of B; none is negative where the type has no sign.
    fn a(&self, row: usize, k: usize) -> i32 {
        a(row, k) + if self.types[0] == "u8" { 3 } else { 0 }
    }

    fn b(&self, k: usize, column: usize) -> i32 {
        b(k, column) + if self.types[1] == "u8" { 2 } else { 0 }
    }

    /// The row of D and of A that a lane holds.
    fn row(&self, lane: usize) -> Option<usize> {
        match self.rows {
            128 => Some(lane),
            _ => (lane % 32 / 16 == self.lane / 16).then(|| lane / 32 * 16 + lane % 16),
        }
    }

    /// Table 42 of the ISA.
    fn instruction(&self) -> u32 {
        let ty = |name: &str| match name {
            "f16" | "e4m3" | "u8" => 0,
            "bf16" | "e5m2" | "s8" => 1,
            "tf32" => 2,
            other => panic!("{other}"),
        };
        let out = ["f16", "f32", "s32"].iter().position(|ty| *ty == self.out).unwrap() as u32;
        let turned = |side: Side| u32::from(side.transposed);
        let left = if let A::Shared(side) = self.a { turned(side) } else { 0 };
        let (_, negate_a, negate_b) = self.signs;
        out << 4
            | ty(self.types[0]) << 7
            | ty(self.types[1]) << 10
            | u32::from(negate_a) << 13
            | u32::from(negate_b) << 14
            | left << 15
            | turned(self.b) << 16
            | (self.columns as u32 >> 3) << 17
            | (self.rows as u32 >> 4) << 24
    }

    /// Shared memory, then for each lane its columns of D and eight of A.
    fn input(&self) -> Vec<u8> {
        let mut image = vec![0; SHARED];
        let mut put = |at: usize, ty: &'static str, value: i32| {
            image[at..at + self.bytes()].copy_from_slice(&encode(ty, value).to_le_bytes()[..self.bytes()]);
        };
        let [left, right] = self.types;
        for k in 0..self.depth() {
            for row in 0..self.rows {
                if let A::Shared(side) = self.a {
                    put(side.at(row, k, self.bytes()), left, self.a(row, k));
                }
            }
            (0..self.columns)
                .for_each(|column| put(LEFT + self.b.at(column, k, self.bytes()), right, self.b(k, column)));
        }
        for lane in 0..128 {
            let row = self.row(lane);
            for column in 0..self.columns {
                image.extend(row.map_or(1, |row| encode(self.out, start(row, column))).to_le_bytes());
            }
            let packed = 4 / self.bytes();
            for k in (0..self.depth()).step_by(packed) {
                let part = |i: usize| row.map_or(0, |row| encode(left, self.a(row, k + i))) << (8 * self.bytes() * i);
                image.extend((0..packed).fold(0, |word, i| word | part(i)).to_le_bytes());
            }
        }
        image
    }

    fn multiply(&self) -> String {
        let kind = match self.types[0] {
            "tf32" => "tf32",
            "e4m3" | "e5m2" => "f8f6f4",
            "s8" | "u8" => "i8",
            _ => "f16",
        };
        let left = if let A::Shared(_) = self.a { "%rd10" } else { "[%r43]" };
        format!("@%p3 tcgen05.mma.cta_group::1.kind::{kind} [%r42], {left}, %rd11, {}, %p7;\n", self.instruction())
    }

    fn body(&self) -> String {
        let words = self.columns + 8;
        let mut body = format!(
            ".reg .b32 t<2>; ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1];\n{ALLOC}mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n\
             mov.u64 %rd4, data; add.s64 %rd4, %rd4, %rd2; mov.u32 %r20, 0;\n\
             FILL: ld.global.b32 %r21, [%rd3]; st.shared.b32 [%rd4], %r21; add.s64 %rd3, %rd3, 512; add.s64 %rd4, %rd4, 512;\n\
             add.u32 %r20, %r20, 512; setp.lt.u32 %p2, %r20, {SHARED}; @%p2 bra FILL;\n\
             mul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, data; shr.u64 %rd4, %rd4, 4;\n",
            4 * words
        );
        for n in 0..words {
            let column = if n < self.columns { n } else { A_COLUMN + n - self.columns };
            body += &format!(
                "ld.global.b32 t0, [%rd3+{}]; add.u32 %r5, %r41, {column}; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {{t0}};\n",
                SHARED + 4 * n
            );
        }
        let left = if let A::Shared(side) = self.a { descriptor(side, 0) } else { 0 };
        body += &format!(
            "add.s64 %rd10, %rd4, {left}; add.s64 %rd11, %rd4, {}; setp.ne.u32 %p7, {}, 0;\n\
             add.u32 %r42, %r40, {}; add.u32 %r43, %r42, {A_COLUMN}; setp.eq.u32 %p3, %r1, 0;\n\
             @%p3 mbarrier.init.shared.b64 [bar], 1; @%p3 mbarrier.init.shared.b64 [bar+8], 1; tcgen05.wait::st.sync.aligned;\n\
             fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync;\nbar.sync 0;\n\
             tcgen05.fence::after_thread_sync;\n{}{COMMIT}\n{WAIT}\ntcgen05.fence::after_thread_sync;\n",
            descriptor(self.b, LEFT),
            i32::from(self.signs.0),
            self.lane << 16,
            self.multiply()
        );
        body += &format!("mul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd0, %rd2;\n", 4 * self.columns);
        let mask = if self.out == "f16" { "0xffff" } else { "0xffffffff" };
        for n in 0..self.columns {
            body += &format!(
                "add.u32 %r5, %r41, {n}; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{t1}}, [%r5]; tcgen05.wait::ld.sync.aligned;\n\
                 and.b32 t1, t1, {mask}; st.global.b32 [%rd3+{}], t1;\n",
                4 * n
            );
        }
        body + FREE
    }

    fn run(&self, target: &str, body: &str) -> Result<Vec<u32>, LaunchError> {
        let variables = format!(
            ".shared .align 4 .b8 base[4]; .shared .align 8 .b8 bar[16]; .shared .align 1024 .b8 data[{SHARED}];"
        );
        let text = kernel(target, 2, &variables, body);
        let mut memory = Memory::new();
        let out = memory.alloc_with(&vec![0; 512 * self.columns]).unwrap();
        let input = memory.alloc_with(&self.input()).unwrap();
        launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 128), &[Arg::Ptr(out), Arg::Ptr(input)])?;
        let bytes = memory.read(out, 512 * self.columns).unwrap();
        Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
    }

    /// The expected D: the sum of `times` products and, if these are added to D, of its initial value.
    fn check(&self, body: &str, times: i32) {
        let out = self.run("sm_100a", body).unwrap_or_else(|e| panic!("{}: {e}", self.multiply()));
        let (adds, negate_a, negate_b) = self.signs;
        let sign = if negate_a == negate_b { times } else { -times };
        for lane in 0..128 {
            for column in 0..self.columns {
                let want = self.row(lane).map_or(1, |row| {
                    let sum: i32 = (0..self.depth()).map(|k| self.a(row, k) * self.b(k, column)).sum();
                    encode(self.out, sign * sum + i32::from(adds) * start(row, column))
                });
                assert_eq!(out[lane * self.columns + column], want, "{}: ({lane}, {column})", self.multiply());
            }
        }
    }
}

const COMMIT: &str = "@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];";
const WAIT: &str = "WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra WAIT;";
const PLAIN: Side = Side { row_bytes: 16, transposed: false };
const WIDE: Side = Side { row_bytes: 128, transposed: false };
const CASE: Case = Case {
    types: ["f16"; 2],
    out: "f32",
    rows: 128,
    columns: 16,
    a: A::Shared(WIDE),
    b: WIDE,
    signs: (true, false, false),
    lane: 0,
};

/// LLVM folds an addition into the operand, and ptxas emits it.
#[test]
fn descriptors_may_have_an_addend() {
    let (descriptor, product) = (descriptor(CASE.b, LEFT), CASE.multiply());
    let body = CASE.body().replace(&product, &product.replace("%rd11", "%rd11+2"));
    let moved = body.replace(&format!("%rd11, %rd4, {descriptor}"), &format!("%rd11, %rd4, {}", descriptor - 2));
    assert!(body != CASE.body() && moved != body);
    CASE.check(&moved, 1);
}

#[test]
fn every_layout_of_both_operands() {
    for row_bytes in [16, 32, 64, 128] {
        for transposed in [false, true] {
            let side = Side { row_bytes, transposed };
            for (left, b, ty, rows) in [
                (side, WIDE, "f16", 128),
                (WIDE, side, "bf16", 64),
                (side, side, "f16", 64),
                (side, WIDE, "e4m3", 128),
                (WIDE, side, "e5m2", 64),
                (side, side, "e4m3", 64),
            ] {
                let case = Case { types: [ty; 2], rows, columns: 64, a: A::Shared(left), b, ..CASE };
                case.check(&case.body(), 1);
            }
        }
    }
}

#[test]
fn every_type_shape_and_sign() {
    for (a, b, out, rows, columns, lane) in [
        ("f16", "f16", "f32", 64, 8, 16),
        ("f16", "f16", "f32", 128, 256, 0),
        ("f16", "f16", "f16", 64, 24, 0),
        ("f16", "f16", "f16", 128, 16, 0),
        ("bf16", "bf16", "f32", 64, 40, 16),
        ("tf32", "tf32", "f32", 64, 8, 0),
        ("tf32", "tf32", "f32", 128, 48, 0),
        ("e4m3", "e4m3", "f32", 128, 32, 0),
        ("e5m2", "e5m2", "f16", 64, 8, 16),
        ("e4m3", "e5m2", "f32", 64, 40, 0),
        ("e5m2", "e4m3", "f16", 128, 16, 0),
    ] {
        let types = [a, b];
        for (signs, a) in [
            ((true, false, false), A::Shared(PLAIN)),
            ((false, false, true), A::Tensor),
            ((true, true, false), A::Shared(WIDE)),
            ((true, true, true), A::Tensor),
        ] {
            let case = Case { types, out, rows, columns, a, b: PLAIN, signs, lane };
            case.check(&case.body(), 1);
        }
    }
}

#[test]
fn integers() {
    for (a, b, rows, columns) in
        [("s8", "s8", 128, 32), ("u8", "u8", 64, 24), ("s8", "u8", 64, 8), ("u8", "s8", 64, 48)]
    {
        for (adds, left) in [(true, A::Shared(WIDE)), (false, A::Tensor), (true, A::Tensor), (false, A::Shared(PLAIN))]
        {
            let (types, signs) = ([a, b], (adds, false, false));
            let case = Case { types, out: "s32", rows, columns, a: left, b: PLAIN, signs, lane: 0 };
            case.check(&case.body(), 1);
        }
    }
}

/// The lanes that a mask names keep their D, and other threads may use them meanwhile.
#[test]
fn lanes_that_are_not_written() {
    let masked = |body: &str| body.replace(", %p7;", ", {0, %r50, 0xffffffff, 1}, %p7;");
    let body = format!("mov.u32 %r50, 0x80000000;\n{}", masked(&CASE.body()));
    let (out, whole) = (CASE.run("sm_100a", &body).unwrap(), CASE.run("sm_100a", &CASE.body()).unwrap());
    for (i, (got, product)) in out.iter().zip(whole).enumerate() {
        let (lane, column) = (i / CASE.columns, i % CASE.columns);
        let kept = lane == 63 || (64..97).contains(&lane);
        let want = if kept { encode("f32", start(lane, column)) } else { product };
        assert_eq!(*got, want, "({lane}, {column})");
    }
    // Warp 2 reads its lanes during the product; warp 0 must not.
    let reads = |warp: usize| {
        let read = format!(
            "setp.ne.u32 %p6, %r2, {warp}; @%p6 bra OVER; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{t1}}, [%r41]; tcgen05.wait::ld.sync.aligned; OVER:"
        );
        CASE.run("sm_100a", &body.replacen(WAIT, &format!("{read}\n{WAIT}"), 1))
    };
    assert_eq!(reads(2).unwrap(), out);
    assert!(reads(0).is_err_and(|error| error.fault().is_some()));
}

#[test]
fn scales_of_the_initial_value() {
    for out in ["f32", "f16"] {
        let case = Case { out, ..CASE };
        let [body, plain] = [case.body().replace(", %p7;", ", %p7, 1;"), case.body()];
        let zeros = plain.replace("setp.ne.u32 %p7, 1, 0", "setp.ne.u32 %p7, 0, 0");
        assert!(body != plain && zeros != plain);
        let [got, product] = [body, zeros].map(|body| case.run("sm_100a", &body).unwrap());
        for (i, (got, product)) in got.iter().zip(product).enumerate() {
            let number = |bits: u32| Type::of(out).number(bits.into());
            let want = number(product) + f64::from(start(i / 16, i % 16)) / 2.0;
            assert_eq!(number(*got), want, "{out}: {i}");
        }
    }
}

/// D begins at the greatest integer; the product of A's first row and B's first column is positive.
#[test]
fn integers_beyond_the_range() {
    let case = Case { types: ["u8"; 2], out: "s32", ..CASE };
    let sum: i32 = (0..32).map(|k| case.a(0, k) * case.b(k, 0)).sum();
    let load = format!("ld.global.b32 t0, [%rd3+{SHARED}];");
    let body = case.body().replace(&load, "mov.u32 t0, 0x7fffffff;");
    let saturating = body.replace(&format!(" {},", case.instruction()), &format!(" {},", case.instruction() | 1 << 3));
    assert!(body != case.body() && saturating != body);
    for (body, want) in [(body, i32::MAX.wrapping_add(sum)), (saturating, i32::MAX)] {
        let out = case.run("sm_100a", &body).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(out[0] as i32, want);
    }
    let error = case.run("sm_103a", &case.body()).unwrap_err().to_string();
    assert!(
        error.contains("got the target sm_103a, expected one of sm_100a, sm_101a, sm_110a for `.kind::i8`"),
        "{error}"
    );
}

#[test]
fn products_follow_copies_and_each_other() {
    let multiply = CASE.multiply();
    CASE.check(&CASE.body().replace(&multiply, &multiply.repeat(2)), 2);
    // A is copied to tensor memory, and replaces the previous contents.
    let copied = "@%p3 tcgen05.cp.cta_group::1.128x256b [%r43], %rd10;\n";
    let product = multiply.replace(" %rd10", " [%r43]");
    CASE.check(&CASE.body().replace(&multiply, &format!("{copied}{product}")), 1);
}
