//! `wmma`: loads, products and stores of every shape and type, against products computed here; the errors.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory};

use super::errors::refused;
use super::fragments::{Random, Type};
use super::kernel;
use crate::support::launch_text;

/// A product: m, n and k; the type of A and B, and that of C and D; registers of A, B and C.
struct Case {
    sizes: [usize; 3],
    input: &'static str,
    total: &'static str,
    registers: [usize; 3],
}

const fn case(sizes: [usize; 3], input: &'static str, total: &'static str, registers: [usize; 3]) -> Case {
    Case { sizes, input, total, registers }
}

const CASES: [Case; 15] = [
    case([16, 16, 16], "f16", "f32", [8, 8, 8]),
    case([8, 32, 16], "f16", "f32", [8, 8, 8]),
    case([32, 8, 16], "f16", "f32", [8, 8, 8]),
    case([16, 16, 16], "f16", "f16", [8, 8, 4]),
    case([32, 8, 16], "f16", "f16", [8, 8, 4]),
    case([16, 16, 16], "bf16", "f32", [4, 4, 8]),
    case([8, 32, 16], "bf16", "f32", [2, 8, 8]),
    case([32, 8, 16], "bf16", "f32", [8, 2, 8]),
    case([16, 16, 16], "s8", "s32", [2, 2, 8]),
    case([8, 32, 16], "s8", "s32", [1, 4, 8]),
    case([32, 8, 16], "s8", "s32", [4, 1, 8]),
    case([16, 16, 16], "u8", "s32", [2, 2, 8]),
    case([16, 16, 8], "tf32", "f32", [4, 4, 8]),
    case([8, 8, 4], "f64", "f64", [1, 1, 2]),
    case([8, 32, 16], "u8", "s32", [1, 4, 8]),
];

/// Whether the rows of A, B, C and D are contiguous.
type Orders = [bool; 4];

impl Case {
    fn opcode(&self, operation: &str, order: bool, types: &str) -> String {
        let [m, n, k] = self.sizes;
        let order = if order { "row" } else { "col" };
        format!("wmma.{operation}.sync.aligned.{order}.m{m}n{n}k{k}.global.{types}")
    }

    /// Loads from the parameters 0 to 2, a product, and a store to parameter 3; lines are at least `gap` elements longer in memory.
    fn body(&self, orders: Orders, gap: usize) -> String {
        let Case { input, total, registers, .. } = self;
        let list = |from: usize, count: usize, ty: &str| {
            let (prefix, from) = if ty == "f64" { ("%rd", 10 + from / 10) } else { ("%r", 10 + from) };
            let names: Vec<String> = (from..from + count).map(|i| format!("{prefix}{i}")).collect();
            format!("{{{}}}", names.join(", "))
        };
        let [a, b] = [list(0, registers[0], input), list(10, registers[1], input)];
        let c = list(20, registers[2], total);
        let mut body = String::new();
        for (i, (register, operand, ty)) in [(&a, "a", input), (&b, "b", input), (&c, "c", total)].iter().enumerate() {
            let opcode = self.opcode(&format!("load.{operand}"), orders[i], ty);
            body += &format!(
                "ld.param.u64 %rd{i}, [p{i}];\n{opcode} {register}, [%rd{i}], {};\n",
                self.stride(i, orders, gap)
            );
        }
        let (rounds, [m, n, k]) = (if *input == "f64" { ".rn" } else { "" }, self.sizes);
        let types =
            if *input == "f16" { format!("{total}.{total}") } else { format!("{total}.{input}.{input}.{total}") };
        let words = orders.map(|order| if order { "row" } else { "col" });
        body += &format!(
            "wmma.mma.sync.aligned.{}.{}.m{m}n{n}k{k}{rounds}.{types} {c}, {a}, {b}, {c};\nld.param.u64 %rd3, [p3];\n",
            words[0], words[1]
        );
        body + &format!("{} [%rd3], {c}, {};\n", self.opcode("store.d", orders[3], total), self.stride(3, orders, gap))
    }

    /// Rows and columns of A, B, C and D.
    fn extents(&self, which: usize) -> (usize, usize) {
        let [m, n, k] = self.sizes;
        [(m, k), (k, n), (m, n), (m, n)][which]
    }

    fn stride(&self, which: usize, orders: Orders, gap: usize) -> usize {
        let (rows, columns) = self.extents(which);
        (gap + if orders[which] { columns } else { rows }).next_multiple_of(16)
    }

    /// The index in memory of an element.
    fn index(&self, which: usize, orders: Orders, gap: usize, (row, column): (usize, usize)) -> usize {
        let stride = self.stride(which, orders, gap);
        if orders[which] { row * stride + column } else { column * stride + row }
    }
}

#[test]
fn products_of_every_type() {
    let mut random = Random(1);
    for (case, orders) in CASES.iter().flat_map(|case| {
        let all = [[true, false, true, true], [false, true, false, true], [true, true, false, false]];
        all.map(|orders| (case, orders))
    }) {
        let types = [case.input, case.input, case.total, case.total].map(Type::of);
        let gap = 1;
        let mut memory = Memory::new();
        let mut numbers: Vec<Vec<f64>> = Vec::new();
        let mut pointers = Vec::new();
        for (which, ty) in types.iter().enumerate() {
            let (rows, columns) = case.extents(which);
            let size = ty.bits as usize / 8;
            let mut bytes = vec![0; (rows.max(columns)) * (rows.max(columns) + 32) * size];
            let low = if case.input == "u8" && which < 2 { 0.0 } else { -2.0 };
            let values: Vec<f64> = (0..rows * columns).map(|_| (random.next() % 5) as f64 + low).collect();
            for (i, value) in values.iter().enumerate() {
                let at = case.index(which, orders, gap, (i / columns, i % columns)) * size;
                bytes[at..at + size].copy_from_slice(&ty.bits_of(*value).to_le_bytes()[..size]);
            }
            numbers.push(values);
            pointers.push(memory.alloc_with(&bytes).unwrap());
        }
        let text = kernel("sm_90a", 4, "", &case.body(orders, gap));
        let args: Vec<Arg> = pointers.iter().map(|&at| Arg::Ptr(at)).collect();
        launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 32), &args)
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        let [m, n, k] = case.sizes;
        let (ty, size) = (types[3], types[3].bits as usize / 8);
        for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let products = (0..k).map(|i| numbers[0][row * k + i] * numbers[1][i * n + column]);
            let expected = numbers[2][row * n + column] + products.sum::<f64>();
            let at = case.index(3, orders, gap, (row, column)) * size;
            let bytes = memory.read(pointers[3].offset(at as u64), size).unwrap();
            let bits = bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
            assert_eq!(ty.number(bits), expected, "{} {} {row} {column}\n{text}", case.input, case.total);
        }
    }
}

fn fault(body: &str, elements: usize) -> (FaultKind, String) {
    let text = kernel("sm_80", 1, ".shared .align 32 .b8 s[512];", &format!("ld.param.u64 %rd0, [p0];\n{body}"));
    let mut memory = Memory::new();
    let out = memory.alloc_with(&vec![0; 2 * elements]).unwrap();
    match launch_text(&mut memory, &text, "k", &LaunchConfig::new(1, 64), &[Arg::Ptr(out)]) {
        Err(LaunchError::Fault(fault)) => (fault.kind, fault.to_string()),
        other => panic!("{other:?}"),
    }
}

const LOAD: &str = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}";

#[test]
fn accesses_are_checked() {
    // A matrix begins at a multiple of the 32 bytes that a lane's registers have, and its lines are a multiple of 16 bytes apart.
    assert_eq!(fault(&format!("{LOAD}, [%rd0+16], 16;"), 512).0, FaultKind::Misaligned);
    assert_eq!(fault(&format!("{LOAD}, [%rd0], 20;"), 512).0, FaultKind::Misaligned);
    assert_eq!(fault(&format!("{LOAD}, [%rd0];"), 255).0, FaultKind::OutOfBounds);
    let apart = fault(&format!("mov.u32 %r9, %tid.x; mul.lo.u32 %r9, %r9, 16;\n{LOAD}, [%rd0], %r9;"), 9000);
    assert!(apart.1.contains("the lanes give different addresses or strides"), "{}", apart.1);
    let half = fault(&format!("mov.u32 %r9, %tid.x; setp.lt.u32 %p1, %r9, 16;\n@%p1 {LOAD}, [%rd0];"), 512);
    assert!(half.1.contains("all 32 lanes must take part"), "{}", half.1);
    // Both warps store the same matrix.
    let store = "mov.u64 %rd1, s; mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; mov.u32 %r3, %r1; mov.u32 %r4, %r1;\n\
        wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%rd1], {%r1,%r2,%r3,%r4};";
    assert_eq!(fault(store, 1).0, FaultKind::Race);
    // Bytes without a value are found where the product uses them.
    let product = "mov.u64 %rd1, s; mov.f32 %r20, 0f00000000;\n\
        wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1];\n\
        wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r30,%r31,%r32,%r33,%r34,%r35,%r36,%r37},\n\
        {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},\n\
        {%r20,%r20,%r20,%r20,%r20,%r20,%r20,%r20};";
    assert!(matches!(fault(product, 1).0, FaultKind::Undefined | FaultKind::Uninitialized));
}

#[test]
fn what_there_is_not_is_refused() {
    for (line, why) in [
        ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];", "got 1 registers, expected 8"),
        (
            "wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%rd1];",
            "products of 4-bit and 1-bit integers are not simulated",
        ),
        ("wmma.load.a.sync.aligned.row.m8n8k4.f16 {%r1}, [%rd1];", "there is no m8n8k4 of f16"),
        ("wmma.load.d.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];", "unknown modifier `.d`"),
        ("wmma.store.d.sync.aligned.m16n16k16.f16 [%rd1], {%r1};", "unknown modifier"),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};", "C and D of different types"),
    ] {
        let message = refused(line);
        assert!(message.contains(why), "{message}");
    }
}
