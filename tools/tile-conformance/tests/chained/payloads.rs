//! Payloads and regions besides those of the named bodies: operators that do not commute, payloads of four numbers, numbers from the
//! host, indices as results.

use ptx_sim::{Arg, LaunchConfig, Memory, Module, Schedule, launch};
use tile_conformance::lower::Compiler;

use crate::inputs::{encoded, odd_in};
use crate::run::schedules;

/// Each shape of a kernel, with the threads of a block: of a ring, one warp reduces of four.
const SHAPES: [(&str, u32); 2] = [("register", 32), ("ring", 128)];

/// Runs a kernel of i32 on one source, one array of results of i64, a total and a number; its results.
fn run(text: &str, threads: u32, schedule: Schedule, elements: &[i64], number: i32) -> (Vec<i64>, i32) {
    let ptx = Compiler::default().ptx(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let module = Module::parse(&ptx).unwrap_or_else(|error| panic!("{error}"));
    let mut memory = Memory::new();
    let mut room = |bytes: &[u8]| memory.alloc_with(bytes).expect("there is room");
    let (source, workspace) = (room(&encoded("i32", elements)), room(&[0; 8192]));
    let (dest, total) = (room(&vec![0; 8 * elements.len()]), room(&[0; 4]));
    let n = elements.len();
    let args =
        [Arg::Ptr(source), Arg::Ptr(dest), Arg::Ptr(total), Arg::Ptr(workspace), Arg::U64(n as u64), Arg::U32(1)];
    let args = [args.to_vec(), vec![Arg::U32(number as u32)]].concat();
    let config =
        LaunchConfig { schedule, dynamic_shared: 1 << 16, ..LaunchConfig::new(n.div_ceil(128) as u32, threads) };
    launch(&mut memory, &module, "chained", &config, &args).unwrap_or_else(|error| panic!("{error}"));
    let dest = memory.read(dest, 8 * n).expect("it was zero");
    let total = memory.read(total, 4).expect("it was zero");
    let words = dest.chunks(8).map(|word| i64::from_le_bytes(word.try_into().expect("8 bytes"))).collect();
    (words, i32::from_le_bytes(total.try_into().expect("4 bytes")))
}

/// The module of such a pass.
pub fn module(shape: &str, init: &str, regions: &str) -> String {
    format!(
        "func.func @host(%from: memref<?xi32>, %to: memref<?xi64>, %total: memref<1xi32>, %space: memref<?xi8>, %epoch: i32, %number: i32) {{
           tile.chained @kernels::@chained ins(%from : memref<?xi32>) outs(%to : memref<?xi64>) totals(%total : memref<1xi32>)
             with(%number : i32) init {init} workspace(%space : memref<?xi8>) epoch(%epoch) {{shape = \"{shape}\", threads = 32 : i64, items = 4 : i64}}
             {regions}
           return
         }}
         gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{}}"
    )
}

/// A pass of i32 with a number of run time, and its results.
pub struct NumberedPass {
    /// The payload before the first element.
    pub init: &'static str,
    /// The regions.
    pub regions: &'static str,
    /// The elements.
    pub elements: Vec<i64>,
    /// The number.
    pub number: i32,
    /// The results, i64.
    pub expected: Vec<i64>,
    /// The total, i32.
    pub total: i32,
}

/// The indices of the elements above a number of run time.
pub fn indices() -> NumberedPass {
    let regions = "summary { ^bb0(%i: i64, %v: i32, %t: i32): %k = arith.cmpi sgt, %v, %t : i32
           %one = arith.extui %k : i1 to i32 tile.yield %one : i32 }
         combine { ^bb0(%l: i32, %r: i32): %s = arith.addi %l, %r : i32 tile.yield %s : i32 }
         emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32, %t: i32): %k = arith.cmpi sgt, %v, %t : i32
           tile.yield %k, %b, %i : i1, i32, i64 }
         finish { ^bb0(%s: i32, %t: i32): %sum = arith.addi %s, %t : i32 tile.yield %sum : i32 }";
    let elements = odd_in(50, 1000);
    let expected: Vec<i64> = (0..1000).filter(|&index| elements[index as usize] > 70).collect();
    let total = expected.len() as i32 + 70;
    NumberedPass { init: "[0 : i32]", regions, elements, number: 70, expected, total }
}

/// An operator that does not commute, on 2 x 2 matrices of four numbers: each element is kept, with what the product maps 1 to.
pub fn matrices() -> NumberedPass {
    let regions = "summary { ^bb0(%i: i64, %v: i32, %t: i32): %one = arith.constant 1 : i32
           tile.yield %v, %one, %one, %t : i32, i32, i32, i32 }
         combine { ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32):
           %ae = arith.muli %a, %e : i32 %bg = arith.muli %b, %g : i32 %p = arith.addi %ae, %bg : i32
           %af = arith.muli %a, %f : i32 %bh = arith.muli %b, %h : i32 %q = arith.addi %af, %bh : i32
           %ce = arith.muli %c, %e : i32 %dg = arith.muli %d, %g : i32 %r = arith.addi %ce, %dg : i32
           %cf = arith.muli %c, %f : i32 %dh = arith.muli %d, %h : i32 %s = arith.addi %cf, %dh : i32
           tile.yield %p, %q, %r, %s : i32, i32, i32, i32 }
         emit { ^bb0(%i: i64, %a: i32, %b: i32, %c: i32, %d: i32, %p: i32, %q: i32, %r: i32, %s: i32, %v: i32, %t: i32):
           %k = arith.constant true %low = arith.extui %q : i32 to i64 tile.yield %k, %i, %low : i1, i64, i64 }
         finish { ^bb0(%p: i32, %q: i32, %r: i32, %s: i32, %t: i32): tile.yield %r : i32 }";
    let elements = odd_in(50, 700);
    let mut product = [1i32, 0, 0, 1];
    let expected: Vec<i64> = elements
        .iter()
        .map(|&v| {
            let ([a, b, c, d], [e, f, g, h]) = (product, [v as i32, 1, 1, 3]);
            let dot = |x: i32, y: i32, z: i32, w: i32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
            product = [dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)];
            i64::from(product[1] as u32)
        })
        .collect();
    let init = "[1 : i32, 0 : i32, 0 : i32, 1 : i32]";
    NumberedPass { init, regions, elements, number: 3, expected, total: product[2] }
}

#[test]
fn payloads_of_several_numbers_and_numbers_of_run_time() {
    for pass in [indices(), matrices()] {
        for (shape, threads) in SHAPES {
            let text = module(shape, pass.init, pass.regions);
            for schedule in schedules() {
                let (got, total) = run(&text, threads, schedule, &pass.elements, pass.number);
                assert_eq!((&got[..pass.expected.len()], total), (&pass.expected[..], pass.total));
                assert!(got[pass.expected.len()..].iter().all(|&rest| rest == 0));
            }
        }
    }
}
