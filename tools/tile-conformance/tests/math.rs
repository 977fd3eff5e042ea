//! Elementary functions, executed: the PTX of each computes, bit for bit, the result of the same formula on numbers.
//! The accuracy of the formulas is measured in tile-plan's own tests.

use ptx_sim::{Arg, LaunchConfig, Memory, Module, launch};
use tile_passes::{Options, compile, embed};
use tile_plan::math::numbers::MathNumber::{self, F32, F64};
use tile_plan::math::numbers::Numbers;
use tile_plan::math::{Approximate, Arithmetic, error, exp, fast, inverse, log, power, trig};

const M: &Numbers = &Numbers;
const COUNT: usize = 512;

/// Arguments: all magnitudes and signs, and special values.
fn arguments() -> Vec<f64> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-40,
        88.7,
        -103.9,
        3e5,
        -7e37,
    ];
    let rest = (0..COUNT - special.len()).map(|i| {
        let size = 2f64.powi((i % 61) as i32 - 40) * (1.0 + (i as f64 * 0.618_034).fract());
        if i % 3 == 0 { -size } else { size }
    });
    special.into_iter().chain(rest).map(|x| f64::from(x as f32)).collect()
}

/// The results of a kernel that applies an op to each of the arguments; `y` is the second operand.
fn executed(op: &str, r#type: &str, flags: &str, x: &[f64], y: Option<&[f64]>) -> Vec<u64> {
    let operands = if y.is_some() { "%x, %y" } else { "%x" };
    let text = format!(
        "gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{
          gpu.func @f(%X: memref<{COUNT}x{type}>, %Y: memref<{COUNT}x{type}>, %Z: memref<{COUNT}x{type}>) kernel
              attributes {{known_block_size = array<i32: {COUNT}, 1, 1>}} {{
            %i = gpu.thread_id x
            %x = memref.load %X[%i] : memref<{COUNT}x{type}>
            %y = memref.load %Y[%i] : memref<{COUNT}x{type}>
            %z = {op} {operands} {flags} : {type}
            memref.store %z, %Z[%i] : memref<{COUNT}x{type}>
            gpu.return
          }}
        }}",
        r#type = r#type
    );
    let context = embed::context();
    let mut module = embed::parse(&context, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let text = compile(&mut module, &Options::new()).unwrap_or_else(|error| panic!("{op}: {error}")).text;
    assert!(!text.contains("__nv_") && !text.contains("call"), "{op}: {text}");
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{op}: {error}"));
    let mut memory = Memory::new();
    let bytes = |values: &[f64]| -> Vec<u8> {
        match r#type {
            "f32" => values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
            _ => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
        }
    };
    let size = bytes(x).len();
    let args =
        [bytes(x), bytes(y.unwrap_or(x)), vec![0; size]].map(|bytes| memory.alloc_with(&bytes).expect("there is room"));
    launch(&mut memory, &module, "f", &LaunchConfig::new(1, COUNT as u32), &args.map(Arg::Ptr))
        .unwrap_or_else(|error| panic!("{op}: {error}"));
    let out = memory.read(args[2], size).expect("every result is written");
    out.chunks(size / COUNT)
        .map(|chunk| chunk.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
        .collect()
}

fn number(r#type: &str, x: f64) -> MathNumber {
    if r#type == "f32" { F32(x as f32) } else { F64(x) }
}

/// Compares bits; all NaNs are equal.
fn agree(op: &str, x: f64, got: u64, want: MathNumber) {
    let (same, got) = match want {
        F32(want) => {
            let got = f32::from_bits(got as u32);
            (got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), f64::from(got))
        }
        F64(want) => (got == want.to_bits() || f64::from_bits(got).is_nan() && want.is_nan(), f64::from_bits(got)),
        other => panic!("{other:?} is no float"),
    };
    assert!(same, "{op} of {x:e}: the PTX computes {got:e}, the formula {want:?}");
}

fn check(op: &str, r#type: &str, flags: &str, function: impl Fn(MathNumber) -> MathNumber) {
    let x = arguments();
    for (&x, got) in x.iter().zip(executed(op, r#type, flags, &x, None)) {
        agree(op, x, got, function(number(r#type, x)));
    }
}

type Unary = fn(&Numbers, MathNumber) -> MathNumber;

const UNARY: [(&str, Unary); 21] = [
    ("math.exp", exp::exp),
    ("math.exp2", exp::exp2),
    ("math.expm1", exp::expm1),
    ("math.sinh", exp::sinh),
    ("math.cosh", exp::cosh),
    ("math.tanh", exp::tanh),
    ("math.log", log::log),
    ("math.log2", log::log2),
    ("math.log10", log::log10),
    ("math.log1p", log::log1p),
    ("math.asinh", log::asinh),
    ("math.acosh", log::acosh),
    ("math.atanh", log::atanh),
    ("math.sin", trig::sin),
    ("math.cos", trig::cos),
    ("math.tan", trig::tan),
    ("math.atan", inverse::atan),
    ("math.asin", inverse::asin),
    ("math.acos", inverse::acos),
    ("math.cbrt", power::cbrt),
    ("math.rsqrt", power::rsqrt),
];

#[test]
fn functions_of_f32() {
    for (op, function) in UNARY.into_iter().chain([("math.erf", error::erf as Unary), ("math.erfc", error::erfc)]) {
        check(op, "f32", "", |x| function(M, x));
    }
}

#[test]
fn functions_of_f64() {
    for (op, function) in UNARY {
        check(op, "f64", "", |x| function(M, x));
    }
}

#[test]
fn the_chips_approximations() {
    let approximated = |function| move |x| M.approximate(function, x);
    let flags = "fastmath<afn>";
    check("math.exp", "f32", flags, |x| fast::exp(M, x));
    check("math.log", "f32", flags, |x| fast::log(M, x));
    check("math.log10", "f32", flags, |x| fast::log10(M, x));
    check("math.exp2", "f32", flags, approximated(Approximate::Ex2));
    check("math.log2", "f32", flags, approximated(Approximate::Lg2));
    check("math.sin", "f32", flags, approximated(Approximate::Sin));
    check("math.cos", "f32", flags, approximated(Approximate::Cos));
    check("math.tanh", "f32", flags, approximated(Approximate::Tanh));
    check("math.rsqrt", "f32", flags, approximated(Approximate::Rsqrt));
}

#[test]
fn functions_of_two() {
    let x = arguments();
    let y: Vec<f64> = x.iter().rev().map(|y| if y.abs() < 100.0 { (y * 8.0).round() / 4.0 } else { *y }).collect();
    type OfTwo = fn(&Numbers, MathNumber, MathNumber) -> MathNumber;
    let both: [(&str, OfTwo); 3] =
        [("math.powf", power::powf), ("math.atan2", inverse::atan2), ("arith.remf", power::remainder)];
    for (op, function) in both {
        for (index, got) in executed(op, "f32", "", &x, Some(&y)).into_iter().enumerate() {
            agree(op, x[index], got, function(M, number("f32", x[index]), number("f32", y[index])));
        }
    }
}
