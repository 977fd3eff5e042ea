//! Element conversion as a sequence of steps, each of which takes one or a few instructions of the chip.
//!
//! At most one step rounds, so the result is the exact value rounded once.

use tile_isa::{Conversion, NumberFormat};

use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::{Target, engine};

/// One step of a conversion, applied to a vector of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConversionStep {
    /// A float to a wider one, exactly.
    Widen(NumberFormat),
    /// A float to a narrower one, to nearest even; values beyond the largest finite number become infinity.
    Round(NumberFormat),
    /// An integer to one of `bits` bits: sign-extended, zero-extended or truncated.
    Resize {
        /// Whether the integer is signed.
        signed: bool,
        /// Bits of the result.
        bits: u32,
    },
    /// An integer to a float, to nearest even.
    FromInteger {
        /// Whether the integer is signed.
        signed: bool,
        /// The float.
        to: NumberFormat,
    },
    /// A float to an integer, towards zero; out-of-range values saturate, and NaN becomes 0.
    ToInteger {
        /// Whether the integer is signed.
        signed: bool,
        /// Bits of the result.
        bits: u32,
    },
    /// Sticky truncation: clears the low `drop` bits of an integer whose magnitude is `2^from` or more, and sets the
    /// lowest bit kept if any of them was set. Rounding to at least two bits fewer than are kept then gives the same
    /// result.
    Jam {
        /// Whether the integer is signed.
        signed: bool,
        /// Exponent of the least magnitude that is truncated.
        from: u32,
        /// Number of low bits cleared.
        drop: u32,
    },
    /// `f64` to `f32`, rounded to odd: of the two adjacent `f32` values, the one whose last bit is set. Rounding it
    /// again, to fewer bits, gives the same result as rounding the `f64`.
    RoundToOdd,
    /// `f32` or `f16` to a float of 8 bits, to nearest even; saturates to the largest finite number.
    ToFp8(NumberFormat),
    /// A float of 8 bits to `f16`, exactly.
    FromFp8(NumberFormat),
    /// An `f32` to the nearest `tf32` value, ties to even.
    Tf32 {
        /// Whether one instruction does it, instead of integer arithmetic.
        instruction: bool,
    },
}

/// The steps of a conversion on a chip, in order.
pub fn steps(conversion: Conversion, target: &Target) -> Vec<ConversionStep> {
    let signed = conversion.is_signed();
    let (from, to) = (conversion.from, conversion.to);
    if conversion.is_tf32() {
        return vec![ConversionStep::Tf32 { instruction: is_direct(target) }];
    }
    match (from, to) {
        (NumberFormat::Integer(_), NumberFormat::Integer(bits)) => vec![ConversionStep::Resize { signed, bits }],
        (_, NumberFormat::Integer(bits)) if from.is_fp8() => {
            vec![ConversionStep::FromFp8(from), ConversionStep::ToInteger { signed, bits }]
        }
        (_, NumberFormat::Integer(bits)) => vec![ConversionStep::ToInteger { signed, bits }],
        (NumberFormat::Integer(bits), NumberFormat::Bf16) if !is_direct(target) => to_bf16_bits(bits, signed),
        (NumberFormat::Integer(_), to) => vec![ConversionStep::FromInteger { signed, to }],
        (NumberFormat::F64, NumberFormat::Bf16) if !is_direct(target) => {
            vec![ConversionStep::RoundToOdd, ConversionStep::Round(NumberFormat::Bf16)]
        }
        (from, to) => floats(from, to),
    }
}

/// Whether the chip has `cvt` from integers and `f64` to `bf16`, and to `tf32` with rounding to nearest even (PTX ISA,
/// cvt, target notes).
fn is_direct(target: &Target) -> bool {
    target.number() >= 90 && target.ptx_version() >= 78
}

/// An integer to `bf16` through an `f32`. The jams reduce it to the 24 bits that an `f32` holds exactly, and keep at
/// least 10 bits, of which `bf16` needs 8. LLVM combines both conversions and expands the result through an `f32`
/// again, which would round a wider integer an additional time.
fn to_bf16_bits(bits: u32, signed: bool) -> Vec<ConversionStep> {
    let levels: &[(u32, u32)] = match bits {
        64 => &[(50, 40), (36, 26), (24, 12)],
        32 => &[(24, 8)],
        _ => &[],
    };
    let jams = levels.iter().map(|&(from, drop)| ConversionStep::Jam { signed, from, drop });
    jams.chain([
        ConversionStep::FromInteger { signed, to: NumberFormat::F32 },
        ConversionStep::Round(NumberFormat::Bf16),
    ])
    .collect()
}

fn floats(from: NumberFormat, to: NumberFormat) -> Vec<ConversionStep> {
    let mut steps = Vec::new();
    let mut has = from;
    if from.is_fp8() {
        steps.push(ConversionStep::FromFp8(from));
        has = NumberFormat::F16;
    }
    let between_16_bits =
        matches!((has, to), (NumberFormat::F16, NumberFormat::Bf16) | (NumberFormat::Bf16, NumberFormat::F16));
    if between_16_bits || (to.is_fp8() && has == NumberFormat::Bf16) {
        steps.push(ConversionStep::Widen(NumberFormat::F32));
        has = NumberFormat::F32;
    }
    if to.is_fp8() && has == NumberFormat::F64 {
        steps.push(ConversionStep::RoundToOdd);
        has = NumberFormat::F32;
    }
    match to {
        _ if has == to => {}
        to if to.is_fp8() => steps.push(ConversionStep::ToFp8(to)),
        to if to.bits() > has.bits() => steps.push(ConversionStep::Widen(to)),
        to => steps.push(ConversionStep::Round(to)),
    }
    steps
}

/// Refuses the conversion of a problem if the chip has no instructions for it.
pub(crate) fn on_chip(problem: &Problem, target: &Target) -> Result<(), Refusal> {
    problem.conversion.map_or(Ok(()), |conversion| check_chip(conversion, target))
}

/// Refuses a conversion that the chip has no instructions for.
///
/// # Errors
/// The conversion, the chips that have it, and the chip.
pub fn check_chip(conversion: Conversion, target: &Target) -> Result<(), Refusal> {
    if conversion.from.is_fp8() || conversion.to.is_fp8() {
        engine::FP8_CONVERSION.check(target, &format!("a conversion from {conversion} needs"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(from: &str, to: &str, clause: Option<&str>, chip: &str) -> Vec<ConversionStep> {
        let conversion = Conversion::of(from, to, clause).unwrap().unwrap();
        steps(conversion, &Target::parse(chip).unwrap())
    }

    #[test]
    fn one_step_rounds_at_most() {
        const FLOATS: [&str; 6] = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"];
        const INTEGERS: [&str; 4] = ["i8", "i16", "i32", "i64"];
        let all = || FLOATS.into_iter().chain(INTEGERS);
        let mut pairs = 0;
        for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
            let clause = [from, to].iter().any(|name| INTEGERS.contains(name)).then_some("signed");
            let Ok(Some(conversion)) = Conversion::of(from, to, clause) else { continue };
            pairs += 1;
            for chip in ["sm_80", "sm_90"] {
                let steps = steps(conversion, &Target::parse(chip).unwrap());
                let jammed = steps.iter().any(|step| matches!(step, ConversionStep::Jam { .. }));
                let rounding = steps.iter().filter(|step| rounds(**step, conversion.from, jammed)).count();
                assert!(rounding <= 1, "{conversion} on {chip}: {steps:?}");
            }
        }
        // 30 pairs of floats, 12 of integers, 48 between both; f8 has none with f64 and the integers.
        assert_eq!(pairs, 30 + 12 + 48 - 4 - 16);
    }

    /// Whether the step can change the value.
    fn rounds(step: ConversionStep, from: NumberFormat, jammed: bool) -> bool {
        match step {
            ConversionStep::Round(_)
            | ConversionStep::ToFp8(_)
            | ConversionStep::ToInteger { .. }
            | ConversionStep::Tf32 { .. } => true,
            ConversionStep::FromInteger { to, .. } => match (from, to) {
                (NumberFormat::Integer(32), NumberFormat::F64)
                | (NumberFormat::Integer(8 | 16), NumberFormat::F32 | NumberFormat::F64) => false,
                _ => !jammed,
            },
            _ => false,
        }
    }

    #[test]
    fn jams_leave_what_a_single_float_holds() {
        for bits in [32, 64] {
            let mut most = bits;
            for step in to_bf16_bits(bits, false) {
                if let ConversionStep::Jam { from, drop, .. } = step {
                    assert!(most - drop <= 24 && from - drop >= 10, "{bits} bits, {step:?}");
                    most = from;
                }
            }
            assert!(most <= 24, "{bits}");
        }
    }

    #[test]
    fn ways_go_through_types_that_hold_the_number() {
        use NumberFormat::{Bf16, E4m3, E5m2, F16, F32};
        assert_eq!(chosen("f32", "f16", None, "sm_80"), [ConversionStep::Round(F16)]);
        assert_eq!(chosen("f16", "bf16", None, "sm_80"), [ConversionStep::Widen(F32), ConversionStep::Round(Bf16)]);
        assert_eq!(
            chosen("f8E4M3FN", "bf16", None, "sm_89"),
            [ConversionStep::FromFp8(E4m3), ConversionStep::Widen(F32), ConversionStep::Round(Bf16)]
        );
        assert_eq!(chosen("bf16", "f8E5M2", None, "sm_89"), [ConversionStep::Widen(F32), ConversionStep::ToFp8(E5m2)]);
        assert_eq!(
            chosen("f8E4M3FN", "f8E5M2", None, "sm_89"),
            [ConversionStep::FromFp8(E4m3), ConversionStep::ToFp8(E5m2)]
        );
        assert_eq!(chosen("f8E4M3FN", "f16", None, "sm_89"), [ConversionStep::FromFp8(E4m3)]);
        let signed = true;
        assert_eq!(
            chosen("i64", "bf16", Some("signed"), "sm_80"),
            [
                ConversionStep::Jam { signed, from: 50, drop: 40 },
                ConversionStep::Jam { signed, from: 36, drop: 26 },
                ConversionStep::Jam { signed, from: 24, drop: 12 },
                ConversionStep::FromInteger { signed, to: F32 },
                ConversionStep::Round(Bf16)
            ]
        );
        // An earlier copy may have converted an integer to this `f64`: LLVM would combine both conversions.
        assert_eq!(chosen("f64", "bf16", None, "sm_80"), [ConversionStep::RoundToOdd, ConversionStep::Round(Bf16)]);
        assert_eq!(chosen("f64", "bf16", None, "sm_90"), [ConversionStep::Round(Bf16)]);
        assert_eq!(chosen("i64", "bf16", Some("signed"), "sm_90"), [ConversionStep::FromInteger { signed, to: Bf16 }]);
        assert_eq!(chosen("f32", "f32", Some("tf32"), "sm_80"), [ConversionStep::Tf32 { instruction: false }]);
    }
}
