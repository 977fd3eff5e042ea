//! `tcgen05.mma` with scales, which a copy from shared memory brings.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::super::errors::refused;
use super::super::fragments::Type;
use super::super::kernel;
use super::super::operands::{Side, a, b};
use super::super::tensor::{ALLOC, FREE};
use super::{COMMIT, WAIT, descriptor};
use crate::support::launch_text;

/// Bytes of A's part of shared memory; B comes after it, then the scales of A and of B: 32 lanes of 16 bytes each for 128
/// rows or columns.
const LEFT: usize = 8192;
const SCALES: usize = 2 * LEFT;
const SHARED: usize = SCALES + 4096;

const NARROW: Side = Side { row_bytes: 32, transposed: false };

/// The first column of the scales of A, and of B, in tensor memory.
const COLUMNS: [usize; 2] = [256, 264];

/// A kind of instruction.
#[derive(Clone, Copy)]
struct Kind {
    modifiers: &'static str,
    /// Elements of a row of A.
    depth: usize,
    /// Scales of a row.
    per_line: usize,
    /// Scales are `ue4m3`, and not powers of two.
    is_ue4m3: bool,
}

const MXF8: Kind =
    Kind { modifiers: "kind::mxf8f6f4.block_scale.scale_vec::1X", depth: 32, per_line: 1, is_ue4m3: false };
const MXF4: Kind = Kind { modifiers: "kind::mxf4.block_scale.scale_vec::2X", depth: 64, per_line: 2, is_ue4m3: false };
const NVF4: Kind =
    Kind { modifiers: "kind::mxf4nvf4.block_scale.scale_vec::4X", depth: 64, per_line: 4, is_ue4m3: true };

/// The numbers of `e2m1`.
const E2M1: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

#[derive(Clone, Copy)]
struct Case {
    kind: Kind,
    types: [&'static str; 2],
    columns: usize,
    /// The first byte of the cells with the scales of A, and of B.
    bytes: [usize; 2],
}

/// The bits of four of an element of A or B.
fn nibble(line: usize, k: usize) -> u8 {
    ((line * 7 + k * 3 + k / 16) % 16) as u8
}

/// The number of such an element.
fn e2m1(line: usize, k: usize) -> f32 {
    let bits = nibble(line, k);
    if bits < 8 { E2M1[usize::from(bits)] } else { -E2M1[usize::from(bits - 8)] }
}

impl Case {
    /// The byte of the cell of a row of A or a column of B, and the number that it represents.
    fn scale(&self, line: usize, byte: usize) -> (u8, f32) {
        if self.kind.is_ue4m3 {
            return [(0x30, 0.5), (0x38, 1.0), (0x3c, 1.5), (0x40, 2.0)][(line + byte * 3) % 4];
        }
        let range = if self.kind.depth == 32 { 9 } else { 3 };
        let exponent = ((line * 5 + byte * 3) % range) as i32 - range as i32 / 2;
        ((127 + exponent) as u8, 2f32.powi(exponent))
    }

    /// The scaled element of a row of A (0) or a column of B (1).
    fn scaled(&self, operand: usize, line: usize, k: usize) -> f32 {
        let part = k * self.kind.per_line / self.kind.depth;
        let element = match (self.kind.depth, operand) {
            (64, _) => e2m1(line + operand, k),
            (_, 0) => a(line, k) as f32,
            _ => b(k, line) as f32,
        };
        element * self.scale(line, self.bytes[operand] + part).1
    }

    fn input(&self) -> Vec<u8> {
        let mut image = vec![0; SHARED];
        let [left, right] = self.types.map(Type::of);
        for k in 0..32 {
            let pair = |line| nibble(line, 2 * k) | nibble(line, 2 * k + 1) << 4;
            for row in 0..128 {
                let element = if self.kind.depth == 64 { pair(row) } else { left.bits_of(a(row, k).into()) as u8 };
                image[NARROW.at(row, k, 1)] = element;
            }
            for column in 0..self.columns {
                let element =
                    if self.kind.depth == 64 { pair(column + 1) } else { right.bits_of(b(k, column).into()) as u8 };
                image[LEFT + NARROW.at(column, k, 1)] = element;
            }
        }
        // 32 rows of 16 bytes for each 128 lines: four cells, each with four bytes.
        for which in 0..3 {
            for line in 0..128 {
                for byte in 0..4 {
                    let at = SCALES + 512 * which + line % 32 * 16 + line / 32 * 4 + byte;
                    let line = if which == 2 { 128 + line } else { line };
                    image[at] = self.scale(line, byte).0;
                }
            }
        }
        image
    }

    fn multiply(&self) -> String {
        let ty = |name: &str| u32::from(name == "e5m2" || self.kind.depth == 64);
        let [left, right] = self.types.map(ty);
        let instruction = left << 7
            | right << 10
            | (self.columns as u32 >> 3) << 17
            | u32::from(!self.kind.is_ue4m3) << 23
            | (128 >> 4) << 24
            | (self.bytes[0] as u32) << 29
            | (self.bytes[1] as u32) << 4;
        format!(
            "@%p3 tcgen05.mma.cta_group::1.{} [%r40], %rd10, %rd11, {instruction}, [%r43], [%r44], %p7;\n",
            self.kind.modifiers
        )
    }

    fn body(&self) -> String {
        let mut body = format!(
            ".reg .b32 t<2>; ld.param.b64 %rd0, [p0]; ld.param.b64 %rd1, [p1];\n{ALLOC}mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n\
             mov.u64 %rd4, data; add.s64 %rd4, %rd4, %rd2; mov.u32 %r20, 0;\n\
             FILL: ld.global.b32 %r21, [%rd3]; st.shared.b32 [%rd4], %r21; add.s64 %rd3, %rd3, 512; add.s64 %rd4, %rd4, 512;\n\
             add.u32 %r20, %r20, 512; setp.lt.u32 %p2, %r20, {SHARED}; @%p2 bra FILL;\n\
             mov.u64 %rd4, data; shr.u64 %rd4, %rd4, 4; add.s64 %rd10, %rd4, {}; add.s64 %rd11, %rd4, {};\n\
             add.u32 %r43, %r40, {}; add.u32 %r44, %r40, {}; setp.eq.u32 %p3, %r1, 0; setp.ne.u32 %p7, 0, 0;\n\
             @%p3 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async.shared::cta; bar.sync 0;\n",
            descriptor(NARROW, 0),
            descriptor(NARROW, LEFT),
            COLUMNS[0],
            COLUMNS[1]
        );
        let mut copy = |start: usize, column: usize| {
            // Groups of eight rows of 16 bytes, 128 bytes apart.
            let descriptor = ((SCALES + start) >> 4 | 8 << 32 | 1 << 46) as u64;
            body += &format!(
                "add.s64 %rd12, %rd4, {descriptor}; add.u32 %r5, %r40, {column}; @%p3 tcgen05.cp.cta_group::1.32x128b.warpx4 [%r5], %rd12;\n"
            );
        };
        copy(0, COLUMNS[0]);
        copy(512, COLUMNS[1]);
        copy(1024, COLUMNS[1] + 4);
        body += &format!(
            "{}{COMMIT}\n{WAIT}\ntcgen05.fence::after_thread_sync;\nmul.wide.u32 %rd2, %r1, {}; add.s64 %rd3, %rd0, %rd2;\n",
            self.multiply(),
            4 * self.columns
        );
        for n in 0..self.columns {
            body += &format!(
                "add.u32 %r5, %r41, {n}; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{t1}}, [%r5]; tcgen05.wait::ld.sync.aligned;\n\
                 st.global.b32 [%rd3+{}], t1;\n",
                4 * n
            );
        }
        body + FREE
    }

    fn run(&self, body: &str) -> Result<Vec<f32>, LaunchError> {
        let variables = format!(
            ".shared .align 4 .b8 base[4]; .shared .align 8 .b8 bar[8]; .shared .align 1024 .b8 data[{SHARED}];"
        );
        let text = kernel("sm_100a", 2, &variables, body);
        let mut memory = Memory::new();
        let out = memory.alloc_with(&vec![0; 512 * self.columns]).unwrap();
        let input = memory.alloc_with(&self.input()).unwrap();
        launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 128), &[Arg::Ptr(out), Arg::Ptr(input)])?;
        let bytes = memory.read(out, 512 * self.columns).unwrap();
        Ok(bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect())
    }
}

const CASE: Case = Case { kind: MXF8, types: ["e4m3"; 2], columns: 32, bytes: [0, 0] };

#[test]
fn every_byte_and_type() {
    let powers = |modifiers, per_line| Kind { modifiers, per_line, ..MXF4 };
    for (kind, types, columns, bytes) in [
        (MXF8, ["e4m3", "e4m3"], 8, [0, 0]),
        (MXF8, ["e4m3", "e5m2"], 40, [1, 2]),
        (MXF8, ["e5m2", "e4m3"], 128, [3, 1]),
        (MXF8, ["e5m2", "e5m2"], 256, [2, 3]),
        (MXF4, ["e4m3"; 2], 24, [0, 0]),
        (powers("kind::mxf4.block_scale", 2), ["e4m3"; 2], 256, [2, 0]),
        (powers("kind::mxf4nvf4.block_scale.block32", 2), ["e4m3"; 2], 64, [0, 2]),
        (powers("kind::mxf4nvf4.block_scale.block16", 4), ["e4m3"; 2], 32, [0, 0]),
        (NVF4, ["e4m3"; 2], 72, [0, 0]),
    ] {
        let case = Case { kind, types, columns, bytes };
        let out = case.run(&case.body()).unwrap_or_else(|e| panic!("{}: {e}", case.multiply()));
        for row in 0..128 {
            for column in 0..columns {
                let terms = (0..kind.depth).map(|k| case.scaled(0, row, k) * case.scaled(1, column, k));
                let sum: f32 = terms.sum();
                assert_eq!(out[row * columns + column], sum, "{}: ({row}, {column})", case.multiply());
            }
        }
    }
}

#[test]
fn misuse() {
    let expect = |old: &str, new: &str, kind: FaultKind, part: &str| {
        let body = CASE.body();
        assert!(body.contains(old), "{body}");
        let error = CASE.run(&body.replacen(old, new, 1)).err().unwrap_or_else(|| panic!("{new} for {old}"));
        let fault = error.fault().unwrap_or_else(|| panic!("{error}"));
        assert!(fault.kind == kind && fault.detail.contains(part), "{error}");
    };
    let multiply = CASE.multiply();
    let before = |text: &str| format!("{text} {multiply}");
    expect(&multiply, &before("add.u32 %r43, %r40, 16;"), FaultKind::Invalid, "the scales of A and D overlap");
    expect(&multiply, &before("add.u32 %r44, %r40, 0x200000;"), FaultKind::Invalid, "scales of B begin in lane 32");
    expect(&multiply, &before("add.u32 %r44, %r40, 300;"), FaultKind::Uninitialized, "column 300 of tensor memory");
    expect(&multiply, &before("add.u32 %r43, %r40, 511;"), FaultKind::OutOfBounds, "columns 511 to 514");
    let negative = Case { kind: NVF4, ..CASE };
    let body = negative
        .body()
        .replace("ld.global.b32 %r21, [%rd3];", "ld.global.b32 %r21, [%rd3]; or.b32 %r21, %r21, 0x80808080;");
    let error = negative.run(&body).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("expected `ue4m3`, without a sign"), "{error}");
    // A copy of 128 different rows.
    let other = "add.u32 %r43, %r40, 288; @%p3 tcgen05.cp.cta_group::1.128x128b [%r43], %rd12;";
    expect(&multiply, &before(other), FaultKind::Invalid, "but its copy in lane 32 is");
    for (old, new, part) in [
        (".block_scale", "", "unknown modifier `.scale_vec::1X`"),
        ("scale_vec::1X", "scale_vec::2X", "`.scale_vec::2X` is not supported"),
        ("kind::mxf8f6f4", "kind::mxf4", "`.scale_vec::1X` is not supported"),
        ("kind::mxf8f6f4.block_scale.scale_vec::1X", "kind::mxf4nvf4.block_scale", "expected one of `.scale_vec::2X`"),
        ("cta_group::1", "cta_group::2", "with scales of a pair of blocks, or with `.ws`"),
        ("mma.cta_group::1", "mma.ws.cta_group::1", "with scales of a pair of blocks, or with `.ws`"),
    ] {
        let error = refused(&multiply.replacen(old, new, 1));
        assert!(error.contains(part), "{error}");
    }
}
