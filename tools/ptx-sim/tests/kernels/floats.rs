//! Floating-point arithmetic and conversions as LLVM prints them, against the host's f64 rounded to each format.

use ptx_sim::{Arg, Memory, Schedule};

use super::config;
use crate::support::launch_text;

/// A format, by the widths of its mantissa and exponent.
#[derive(Clone, Copy, PartialEq)]
struct Format {
    name: &'static str,
    mantissa: u32,
    exponent: u32,
}

const F16: Format = Format { name: "f16", mantissa: 10, exponent: 5 };
const BF16: Format = Format { name: "bf16", mantissa: 7, exponent: 8 };
const F32: Format = Format { name: "f32", mantissa: 23, exponent: 8 };
const F64: Format = Format { name: "f64", mantissa: 52, exponent: 11 };

impl Format {
    fn bytes(self) -> usize {
        (1 + self.mantissa + self.exponent) as usize / 8
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The nearest value of this format, ties to even, as its bits.
    fn encode(self, x: f64) -> u64 {
        let sign = u64::from(x.is_sign_negative()) << (self.mantissa + self.exponent);
        let infinity = ((1u64 << self.exponent) - 1) << self.mantissa;
        if x.is_nan() {
            return infinity | 1 << (self.mantissa - 1);
        }
        if self == F64 {
            return x.to_bits();
        }
        if x.is_infinite() {
            return sign | infinity;
        }
        let a = x.abs();
        let least = 1 - self.bias();
        let scale = if a == 0.0 { least } else { (a.log2().floor() as i32).max(least) };
        let units = (a / 2f64.powi(scale - self.mantissa as i32)).round_ties_even();
        // The implicit bit of a normal number adds one to the exponent field, and so does rounding up to the next one.
        let bits = (((scale - least) as u64) << self.mantissa).saturating_add(units as u64);
        sign | bits.min(infinity)
    }

    fn decode(self, bits: u64) -> f64 {
        let fraction = bits & ((1 << self.mantissa) - 1);
        let field = (bits >> self.mantissa & ((1 << self.exponent) - 1)) as i32;
        let sign = if bits >> (self.mantissa + self.exponent) & 1 == 1 { -1.0 } else { 1.0 };
        if field == (1 << self.exponent) - 1 {
            return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN };
        }
        let normal = u64::from(field > 0) << self.mantissa;
        sign * (fraction | normal) as f64 * 2f64.powi(field.max(1) - self.bias() - self.mantissa as i32)
    }

    fn round(self, x: f64) -> f64 {
        self.decode(self.encode(x))
    }
}

/// The larger of two: a number wins over NaN, and +0 is larger than -0.
fn larger(a: f64, b: f64) -> f64 {
    match () {
        _ if a.is_nan() => b,
        _ if b.is_nan() => a,
        _ if a == b => {
            if a.is_sign_negative() {
                b
            } else {
                a
            }
        }
        _ => {
            if a > b {
                a
            } else {
                b
            }
        }
    }
}

fn nan_or(a: f64, b: f64, x: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { x }
}

/// A row of results: its name, and the value before it is rounded to the format.
type Row = (String, Box<dyn Fn(f64, f64, f64) -> f64>);

fn row(name: &str, f: impl Fn(f64, f64, f64) -> f64 + 'static) -> Row {
    (name.to_string(), Box::new(f))
}

/// The rows in the order of floats.ll.
fn rows(format: Format) -> Vec<Row> {
    let mut out = vec![
        row("add", |a, b, _| a + b),
        row("sub", |a, b, _| a - b),
        row("mul", |a, b, _| a * b),
        row("div", |a, b, _| a / b),
        row("neg", |a, _, _| -a),
        row("fma", |a, b, c| a.mul_add(b, c)),
        row("fabs", |a, _, _| a.abs()),
        row("floor", |a, _, _| a.floor()),
        row("ceil", |a, _, _| a.ceil()),
        row("trunc", |a, _, _| a.trunc()),
        row("roundeven", |a, _, _| a.round_ties_even()),
        row("sqrt", |a, _, _| a.sqrt()),
        row("minnum", |a, b, _| -larger(-a, -b)),
        row("maxnum", |a, b, _| larger(a, b)),
        row("minimum", |a, b, _| nan_or(a, b, -larger(-a, -b))),
        row("maximum", |a, b, _| nan_or(a, b, larger(a, b))),
        row("copysign", |a, b, _| a.copysign(b)),
        row("oeq", |a, b, c| if a == b { a } else { c }),
        row("olt", |a, b, c| if a < b { a } else { c }),
        row("ole", |a, b, c| if a <= b { a } else { c }),
        row("une", |a, b, c| if a != b { a } else { c }),
        row("ugt", |a, b, c| if a <= b { c } else { a }),
        row("uno", |a, b, c| if a.is_nan() || b.is_nan() { a } else { c }),
    ];
    for width in [8, 16, 32, 64] {
        for sign in ["s", "u"] {
            out.push(row(&format!("to {sign}{width} and back"), |_, _, c| c.trunc()));
        }
    }
    for other in [F16, BF16, F32, F64] {
        if other.bytes() > format.bytes() {
            out.push(row(&format!("squared in {}", other.name), move |a, _, _| other.round(a * a)));
        } else if other.bytes() < format.bytes() {
            out.push(row(&format!("through {}", other.name), move |a, _, _| other.round(a)));
        }
    }
    out
}

/// First operands; the others are taken from the same list in other orders.
const VALUES: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    0.1,
    -2.25,
    3.0,
    1e-3,
    100.25,
    65504.0,
    -7.5,
    2.5,
    3e-6,
    0.5,
    -0.3,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1.0009765625,
];
/// Third operands, which are also converted to integers of 8 bits.
const SMALL: [f64; 8] = [0.0, 1.0, 2.5, 7.75, 99.1, 126.0, 0.2, 33.3];

/// (a, b, c) of result `i`.
fn operands(format: Format, i: usize) -> [f64; 3] {
    [VALUES[i % 20], VALUES[(i * 7 + i / 20 * 3 + 3) % 20], SMALL[i * 3 % 8]].map(|x| format.round(x))
}

/// Groups of 32 operands.
const GROUPS: usize = 5;

/// Runs `kernel` of `lanes` lanes for each group of operands; returns the bits of each row.
fn run(kernel: &str, format: Format, rows: usize, lanes: u32) -> Vec<Vec<u64>> {
    let text = include_str!("../ptx/floats.ptx");
    let bytes = format.bytes();
    let mut out = vec![Vec::new(); rows];
    for group in 0..GROUPS {
        let column = |k: usize| (0..32).map(move |i| operands(format, 32 * group + i)[k]);
        let input: Vec<u8> =
            (0..3).flat_map(column).flat_map(|x| format.encode(x).to_le_bytes()[..bytes].to_vec()).collect();
        let mut memory = Memory::new();
        let from = memory.alloc_with(&input).unwrap();
        let to = memory.alloc(rows * 32 * bytes).unwrap();
        let config = config(1, lanes, Schedule::Fair);
        launch_text(&mut memory, text, kernel, &config, &[Arg::Ptr(from), Arg::Ptr(to)])
            .unwrap_or_else(|e| panic!("{e}"));
        let result = memory.read(to, rows * 32 * bytes).unwrap();
        for (i, element) in result.chunks_exact(bytes).enumerate() {
            let bits = element.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
            out[i / 32].push(bits);
        }
    }
    out
}

fn check(kernel: &str, format: Format, rows: &[Row], lanes: u32) {
    for ((name, want), got) in rows.iter().zip(run(kernel, format, rows.len(), lanes)) {
        for (i, &bits) in got.iter().enumerate() {
            let [a, b, c] = operands(format, i);
            let want = format.round(want(a, b, c));
            let got = format.decode(bits);
            let same = want.to_bits() == got.to_bits() || want.is_nan() && got.is_nan();
            assert!(same, "{kernel} {name} of {a}, {b}, {c}: got {got}, expected {want}");
        }
    }
}

#[test]
fn every_operation_in_every_format() {
    for format in [F16, BF16, F32, F64] {
        check(format.name, format, &rows(format), 32);
    }
}

/// Two values in each lane: in 32-bit registers, or as vectors.
#[test]
fn pairs() {
    for (kernel, format) in [("f16x2", F16), ("bf16x2", BF16), ("f32x2", F32)] {
        let all = rows(format);
        let names = ["add", "sub", "mul", "neg", "fma", "maxnum"];
        let picked: Vec<Row> = all.into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect();
        assert_eq!(picked.len(), names.len());
        check(kernel, format, &picked, 16);
    }
}

/// The host's model itself, at the limits of a format.
#[test]
fn rounding_of_the_model() {
    for (x, bits) in [(1.0, 0x3c00), (65504.0, 0x7bff), (65520.0, 0x7c00), (65519.0, 0x7bff), (-0.0, 0x8000)] {
        assert_eq!(F16.encode(x), bits, "{x}");
    }
    for (x, bits) in [(5.960464477539063e-8, 1), (2.98e-8, 0), (6.103515625e-5, 0x400), (2047.5 / 2048.0, 0x3c00)] {
        assert_eq!(F16.encode(x), bits, "{x}");
    }
    assert!((0..0x7c00).all(|bits| F16.encode(F16.decode(bits)) == bits));
    assert!((0..0x7f80).all(|bits| BF16.encode(BF16.decode(bits)) == bits));
    assert!((0..1000u32).map(|i| 0.37f32 * i as f32).all(|x| F32.encode(x.into()) == u64::from(x.to_bits())));
}
