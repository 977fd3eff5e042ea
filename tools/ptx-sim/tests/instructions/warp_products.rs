//! `mma.sync`: every shape and type, against a model written here; the errors.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::errors::refused;
use super::fragments::{Random, Type, left, right, sum};
use super::kernel;
use crate::support::launch_text;

/// A matrix as bits, in rows.
type Matrix = Vec<Vec<u64>>;

#[derive(Debug, Clone, Copy)]
struct Case {
    rows: usize,
    depth: usize,
    total: Type,
    inputs: [Type; 2],
    saturates: bool,
}

/// The shapes of products, with the types of D, A and B.
fn cases() -> Vec<Case> {
    let case = |rows, depth, total, a, b| {
        let (total, inputs) = (Type::of(total), [Type::of(a), Type::of(b)]);
        Case { rows, depth, total, inputs, saturates: false }
    };
    let mut all = Vec::new();
    for (depth, ty) in [(8, "f16"), (16, "f16"), (8, "bf16"), (16, "bf16"), (4, "tf32"), (8, "tf32")] {
        all.push(case(16, depth, "f32", ty, ty));
    }
    all.extend([8, 16].map(|depth| case(16, depth, "f16", "f16", "f16")));
    for (a, b) in [("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e4m3", "e5m2"), ("e5m2", "e4m3")] {
        all.extend([(16, "f32"), (32, "f32"), (16, "f16"), (32, "f16")].map(|(k, d)| case(16, k, d, a, b)));
    }
    for (a, b) in [("s8", "s8"), ("u8", "u8"), ("s8", "u8"), ("u8", "s8")] {
        all.extend([(8, 16), (16, 16), (16, 32)].map(|(rows, k)| case(rows, k, "s32", a, b)));
    }
    for (a, b) in [("s4", "s4"), ("u4", "u4"), ("s4", "u4"), ("u4", "s4")] {
        all.extend([(8, 32), (16, 32), (16, 64)].map(|(rows, k)| case(rows, k, "s32", a, b)));
    }
    all.extend([(8, 4), (16, 4), (16, 8), (16, 16)].map(|(rows, k)| case(rows, k, "f64", "f64", "f64")));
    let clamped = all.iter().filter(|case| case.total.name == "s32").map(|case| Case { saturates: true, ..*case });
    all.extend(clamped.collect::<Vec<_>>());
    all
}

impl Case {
    fn opcode(&self) -> String {
        let Case { rows, depth, total, inputs: [a, b], saturates } = self;
        let (clamped, d) = (if *saturates { ".satfinite" } else { "" }, total.name);
        format!("mma.sync.aligned.m{rows}n8k{depth}.row.col{clamped}.{d}.{}.{}.{d}", a.name, b.name)
    }

    /// Elements that a lane has of A, B and C.
    fn elements(&self) -> [usize; 3] {
        [self.rows * self.depth / 32, self.depth / 4, self.rows / 4]
    }

    /// The types of A, B and C.
    fn types(&self) -> [Type; 3] {
        [self.inputs[0], self.inputs[1], self.total]
    }

    /// Registers of A, B and C.
    fn registers(&self) -> [usize; 3] {
        let count =
            |i: usize| self.elements()[i] * self.types()[i].bits as usize / self.types()[i].bits.max(32) as usize;
        [0, 1, 2].map(count)
    }

    /// The name of its kernel.
    fn name(&self) -> String {
        let Case { rows, depth, total, inputs: [a, b], saturates } = self;
        let clamped = if *saturates { "_satfinite" } else { "" };
        format!("m{rows}n8k{depth}_{}_{}_{}{clamped}", total.name, a.name, b.name)
    }

    /// A kernel of blocks of one warp: `a`, `b`, `c` and `d` are the registers of lane 0, lane 1, … of each block.
    fn entry(&self) -> String {
        let (letters, counts) = (["a", "b", "c", "d"], self.registers());
        let (width, count) = (|i: usize| self.types()[i.min(2)].bits.max(32), |i: usize| counts[i.min(2)]);
        let params = letters.map(|letter| format!(".param .u64 {letter}")).join(", ");
        let mut text = format!(".visible .entry {}({params}) .reqntid 32\n{{\n", self.name());
        text += "\t.reg .b32 lane, block; .reg .b64 offset, pa, pb, pc, pd;\n\tmov.u32 lane, %tid.x; mov.u32 block, %ctaid.x; mad.lo.u32 lane, block, 32, lane;\n";
        for (i, letter) in letters.iter().enumerate() {
            let bytes = width(i) as usize / 8 * count(i);
            text += &format!(
                "\t.reg .b{} {letter}<{}>; ld.param.b64 p{letter}, [{letter}]; mul.wide.u32 offset, lane, {bytes}; \
                 add.s64 p{letter}, p{letter}, offset;\n",
                width(i),
                count(i)
            );
        }
        let list = |i: usize| {
            let names: Vec<_> = (0..count(i)).map(|n| format!("{}{n}", letters[i])).collect();
            format!("{{{}}}", names.join(", "))
        };
        let moves = |i: usize, form: &dyn Fn(String, String) -> String| {
            let place = |n: usize| format!("[p{}+{}]", letters[i], n * width(i) as usize / 8);
            let all: Vec<_> = (0..count(i)).map(|n| form(place(n), format!("{}{n}", letters[i]))).collect();
            format!("\t{}\n", all.join(" "))
        };
        for i in 0..3 {
            text += &moves(i, &|place, register| format!("ld.global.b{} {register}, {place};", width(i)));
        }
        text += &format!("\t{} {}, {}, {}, {};\n", self.opcode(), list(3), list(0), list(1), list(2));
        text += &moves(3, &|place, register| format!("st.global.b{} {place}, {register};", width(3)));
        text + "\tret;\n}\n"
    }

    /// The registers of A, B or C, lane by lane.
    fn input(&self, which: usize, matrix: &Matrix) -> Vec<u8> {
        let (ty, registers) = (self.types()[which], self.registers()[which]);
        let packed = self.elements()[which] / registers;
        let bits = |lane: usize, i: usize| match which {
            0 => {
                let (row, k) = left(self.rows, self.depth, ty.bits, lane, i);
                matrix[row][k]
            }
            1 => matrix[right(self.depth, ty.bits, lane, i)][lane >> 2],
            _ => {
                let (row, column) = sum(lane, i);
                matrix[row][column]
            }
        };
        let mut image = Vec::new();
        for lane in 0..32 {
            for n in 0..registers {
                let word = (0..packed).fold(0, |word, i| word | bits(lane, packed * n + i) << (i as u32 * ty.bits));
                image.extend(&u64::to_le_bytes(word)[..ty.bits.max(32) as usize / 8]);
            }
        }
        image
    }

    /// D of several products, by the kernel in a text.
    fn run_in(&self, text: &str, products: &[[Matrix; 3]]) -> Vec<Matrix> {
        let (mut memory, bytes, each) = (Memory::new(), self.total.bits as usize / 8, self.elements()[2]);
        let input = |i: usize| products.iter().flat_map(|matrices| self.input(i, &matrices[i])).collect::<Vec<_>>();
        let inputs = [0, 1, 2].map(|i| memory.alloc_with(&input(i)).unwrap());
        let size = products.len() * self.rows * 8 * bytes;
        let out = memory.alloc_with(&vec![0; size]).unwrap();
        let args = inputs.into_iter().chain([out]).map(Arg::Ptr).collect::<Vec<_>>();
        launch_text(&mut memory, text, &self.name(), &LaunchConfig::new(products.len() as u32, 32), &args)
            .unwrap_or_else(|e| panic!("{}: {e}", self.opcode()));
        let mut all = vec![vec![vec![0; 8]; self.rows]; products.len()];
        for (i, element) in memory.read(out, size).unwrap().chunks_exact(bytes).enumerate() {
            let (lane, i) = (i / each, i % each);
            let (row, column) = sum(lane % 32, i);
            all[lane / 32][row][column] = element.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
        }
        all
    }

    fn run(&self, products: &[[Matrix; 3]]) -> Vec<Matrix> {
        self.run_in(&format!(".version 8.8\n.target sm_90\n.address_size 64\n{}", self.entry()), products)
    }

    fn random(&self, random: &mut Random) -> [Matrix; 3] {
        let mut matrix = |rows: usize, columns: usize, ty: Type| {
            (0..rows).map(|_| (0..columns).map(|_| ty.random(random)).collect()).collect::<Matrix>()
        };
        let (a, b) = (matrix(self.rows, self.depth, self.inputs[0]), matrix(self.depth, 8, self.inputs[1]));
        [a, b, matrix(self.rows, 8, self.total)]
    }

    /// Checks D.
    fn check_all(&self, matrices: &[Matrix; 3], d: &Matrix) {
        for (row, line) in d.iter().enumerate() {
            line.iter().enumerate().for_each(|(column, &got)| self.check(matrices, row, column, got));
        }
    }

    fn check(&self, [a, b, c]: &[Matrix; 3], row: usize, column: usize, got: u64) {
        let number = |i: usize, bits: u64| self.types()[i].number(bits);
        let pairs: Vec<(f64, f64)> = (0..self.depth).map(|k| (number(0, a[row][k]), number(1, b[k][column]))).collect();
        let start = number(2, c[row][column]);
        let place = format!("{}: ({row}, {column})", self.opcode());
        match self.total.name {
            "s32" => {
                let exact = pairs.iter().fold(start as i64, |sum, (a, b)| sum + (a * b) as i64);
                let clamped = exact.clamp(i32::MIN.into(), i32::MAX.into());
                assert_eq!(got as u32, (if self.saturates { clamped } else { exact }) as u32, "{place}");
            }
            "f64" => {
                let want = pairs.iter().fold(start, |sum, (a, b)| a.mul_add(*b, sum));
                assert_eq!(f64::from_bits(got), want, "{place}");
            }
            _ => {
                // Exact: the products have few bits and similar exponents.
                let want = pairs.iter().fold(start, |sum, (a, b)| sum + a * b);
                let size = pairs.iter().fold(start.abs(), |sum, (a, b)| sum + (a * b).abs());
                let rounding = if self.total.name == "f16" { want.abs() * 2f64.powi(-11) } else { 0.0 };
                let bound = size * self.depth as f64 * 2f64.powi(-24) + rounding;
                assert!((number(2, got) - want).abs() <= bound, "{place}: {} for {want}", number(2, got));
            }
        }
    }
}

#[test]
fn random_matrices() {
    let mut random = Random(1);
    for case in cases() {
        let products: Vec<_> = (0..8).map(|_| case.random(&mut random)).collect();
        case.run(&products).iter().zip(&products).for_each(|(d, matrices)| case.check_all(matrices, d));
    }
}

/// A with a single 1 in each row, or B with a single 1 in each column: D is rows of B, or columns of A.
#[test]
fn unit_matrices() {
    let mut random = Random(2);
    for case in cases() {
        let zero = vec![vec![0; 8]; case.rows];
        let one = |which: usize, line: usize, k: usize, first: usize| {
            if k == (line + first) % case.depth { case.inputs[which].bits_of(1.0) } else { 0 }
        };
        let units = |first: usize| {
            let [a, b, _] = case.random(&mut random);
            let left = (0..case.rows).map(|row| (0..case.depth).map(|k| one(0, row, k, first)).collect()).collect();
            let right = (0..case.depth).map(|k| (0..8).map(|column| one(1, column, k, first)).collect()).collect();
            [[left, b, zero.clone()], [a, right, zero.clone()]]
        };
        let products: Vec<[Matrix; 3]> = (0..case.depth).flat_map(units).collect();
        let out = case.run(&products);
        for (i, (pair, d)) in products.chunks_exact(2).zip(out.chunks_exact(2)).enumerate() {
            for row in 0..case.rows {
                for column in 0..8 {
                    let number = |which: usize, bits: u64| case.types()[which].number(bits);
                    let from_b = number(1, pair[0][1][(row + i) % case.depth][column]);
                    let from_a = number(0, pair[1][0][row][(column + i) % case.depth]);
                    let got = (number(2, d[0][row][column]), number(2, d[1][row][column]));
                    assert_eq!(got, (from_b, from_a), "{}: ({row}, {column})", case.opcode());
                }
            }
        }
    }
}

#[test]
fn integers_beyond_the_range() {
    for (saturates, want) in [(false, (i32::MIN + 15) as u32), (true, i32::MAX as u32)] {
        let (total, inputs) = (Type::of("s32"), [Type::of("s8"); 2]);
        let case = Case { rows: 16, depth: 16, total, inputs, saturates };
        let (a, b) = (vec![vec![1; 16]; 16], vec![vec![1; 8]; 16]);
        let d = case.run(&[[a, b, vec![vec![i32::MAX as u64; 8]; 16]]]);
        assert!(d[0].iter().flatten().all(|&got| got as u32 == want), "{d:x?}");
    }
}

fn run(target: &str, threads: u32, body: &str) -> Result<Vec<u64>, LaunchError> {
    let text = kernel(target, 1, "", body);
    let mut memory = Memory::new();
    let out = memory.alloc_with(&[0; 2048]).unwrap();
    launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, threads), &[Arg::Ptr(out)])?;
    let bytes = memory.read(out, 2048).unwrap();
    Ok(bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect())
}

/// Kernels for a GPU: `tile-run FILE --entry NAME --device cuda`.
const FILE: &str = include_str!("../ptx/products.ptx");

#[test]
fn kernels_for_a_gpu() {
    let mut random = Random(3);
    let kernels: Vec<Case> =
        cases().into_iter().filter(|case| FILE.contains(&format!(".entry {}(", case.name()))).collect();
    assert_eq!(kernels.len(), FILE.matches(".entry").count());
    for case in kernels {
        let products = [0; 4].map(|_| case.random(&mut random));
        case.run_in(FILE, &products).iter().zip(&products).for_each(|(d, matrices)| case.check_all(matrices, d));
    }
}

/// D in the registers of C, and A and B in one register.
#[test]
fn registers_may_be_shared() {
    let body = "ld.param.b64 %rd0, [p0]; mov.u32 %r1, 0x3c003c00; mov.b32 %r2, 0f40000000; mov.b32 %r3, %r2;\n\
        mov.u32 %r6, %tid.x; mul.wide.u32 %rd2, %r6, 8; add.s64 %rd0, %rd0, %rd2;\n\
        mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r2, %r3, %r1, %r5}, {%r1, %r1}, {%r1}, {%r2, %r3, %r2, %r2};\n\
        xor.b32 %r2, %r2, %r3; xor.b32 %r2, %r2, %r1; cvt.u64.u32 %rd3, %r2; st.global.b64 [%rd0], %rd3;";
    let out = run("sm_75", 32, body).unwrap_or_else(|e| panic!("{e}"));
    assert!(out[..32].iter().all(|&word| f32::from_bits(word as u32) == 10.0), "{out:x?}");
}

const HALVES: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%r9, %r10}, {%r11, %r12, %r13, %r14};";

#[test]
fn misuse() {
    let clear = (1..15).fold(String::new(), |text, n| text + &format!("mov.u32 %r{n}, 0; "));
    let fault = |target: &str, threads: u32, body: &str| {
        let error = run(target, threads, body).unwrap_err();
        error.fault().map_or_else(|| panic!("{error}"), |f| (f.kind, f.detail.clone()))
    };
    let (kind, detail) = fault("sm_75", 32, &format!("{clear}{HALVES}"));
    assert_eq!((kind, &*detail), (FaultKind::Invalid, "got the target sm_75, expected sm_80 or later"));
    let (kind, detail) = fault("sm_80", 24, &format!("{clear}{HALVES}"));
    assert_eq!((kind, &*detail), (FaultKind::Invalid, "all 32 lanes must take part, got 0x00ffffff"));
    let some = format!("{clear}mov.u32 %r20, %tid.x; setp.lt.u32 %p1, %r20, 8; @%p1 {HALVES}");
    let (kind, detail) = fault("sm_80", 32, &some);
    assert_eq!((kind, &*detail), (FaultKind::Invalid, "all 32 lanes must take part, got 0x000000ff"));
    let (kind, detail) = fault("sm_80", 32, &(clear.replace("mov.u32 %r9, 0;", "") + HALVES));
    assert_eq!(kind, FaultKind::Undefined, "{detail}");
    assert!(detail.contains("the instruction depends on a register that has not been written"), "{detail}");
}

#[test]
fn what_does_not_exist_is_refused() {
    for (old, new, part) in [
        ("m16n8k16", "m16n8k4", "got m16n8k4, expected m16n8k8 or m16n8k16 for these types"),
        ("m16n8k16", "m8n8k4", "got m8n8k4, expected m16n8k8 or m16n8k16"),
        ("m16n8k16", "m16n16k16", "`.m16n16k16` is not a shape of products"),
        ("f32.f16.f16.f32", "f32.f16.bf16.f32", "A of f16 cannot be multiplied by B of bf16"),
        ("f32.f16.f16.f32", "f32.s8.e4m3.f32", "A of s8 cannot be multiplied by B of e4m3"),
        ("f32.f16.f16.f32", "f16.bf16.bf16.f16", "products of bf16 cannot be summed in D of f16"),
        ("f32.f16.f16.f32", "f32.s8.s8.f32", "products of s8 cannot be summed in D of f32"),
        ("f32.f16.f16.f32", "f32.f16.f16.f16", "C and D of different types are not supported"),
        ("f32.f16.f16.f32", "f32.e3m2.e3m2.f32", "unknown modifier `.e3m2`"),
        ("row.col", "row.col.satfinite", "`.satfinite` is for integers only"),
        ("row.col", "col.row", "`.row.col`"),
        ("row.col", "row.col.kind::f8f6f4", "unknown modifier `.kind::f8f6f4`"),
        ("mma.sync", "mma.sp.sync", "unknown modifier `.sp`"),
        ("{%r9, %r10}", "{%r9}", "got 1 registers of B, expected 2"),
        ("{%r1, %r2, %r3, %r4}", "{%r1, %r2}", "got 2 registers of D, expected 4"),
    ] {
        assert!(HALVES.contains(old), "{old}");
        let message = refused(&HALVES.replacen(old, new, 1));
        assert!(message.contains(part), "{message}");
    }
}
