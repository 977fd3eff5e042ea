//! LoweringOptions of the passes, checked.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::error_at;
use tile_isa::words::one_of;
use tile_plan::choose::Rule;
use tile_plan::target::Target;

use crate::shim::{PassOptions, text};

/// The options of the passes.
#[derive(Clone, Debug)]
pub struct LoweringOptions {
    /// The chip to compile for, or a portable target. A `gpu.module` that the pass may change is made to name the chip; see
    /// [`crate::read::target`].
    pub chip: Option<Target>,
    /// Widest access, in bits.
    pub max_vector_bits: u32,
    /// The alignment of memref arguments, in bytes.
    pub argument_bytes: i64,
    /// The variants that may be chosen; all when `None`.
    pub variants: Option<Vec<String>>,
    /// Whether memref arguments of a kernel do not overlap.
    pub noalias: bool,
}

impl Default for LoweringOptions {
    fn default() -> Self {
        LoweringOptions { chip: None, max_vector_bits: 128, argument_bytes: 256, variants: None, noalias: true }
    }
}

impl LoweringOptions {
    /// The options as C++ passes them; an error on `op` when one is not valid.
    pub(crate) fn read(op: OperationRef<'_, '_>, raw: PassOptions) -> Option<Self> {
        match Self::check(raw) {
            Ok(options) => Some(options),
            Err(reason) => {
                error_at(op.location(), &format!("in the options of the pass: {reason}"));
                None
            }
        }
    }

    /// The options as C++ passes them.
    ///
    /// # Errors
    /// Got and expected.
    pub(crate) fn check(raw: PassOptions) -> Result<Self, String> {
        // SAFETY: C++ keeps the strings alive during the call.
        let (chip, variants) = unsafe {
            let count = usize::try_from(raw.variant_count).unwrap_or(0);
            let names = if count == 0 { &[] } else { std::slice::from_raw_parts(raw.variants, count) };
            (text(raw.chip), names.iter().map(|&name| text(name).to_owned()).collect::<Vec<_>>())
        };
        let widths = (raw.max_vector_bits, raw.argument_alignment);
        Self::checked((!chip.is_empty()).then_some(chip), widths, &variants, raw.noalias)
    }

    /// LoweringOptions from a chip, widest access in bits and alignment of arguments in bytes, and variants (none: all).
    pub(crate) fn checked(
        chip: Option<&str>,
        (max_vector_bits, argument_alignment): (u32, u32),
        variants: &[String],
        noalias: bool,
    ) -> Result<Self, String> {
        let chip = chip.map(target).transpose()?;
        let all = tile_plan::variants::each();
        let known: Vec<&str> = all.map(|variant| variant.name()).collect();
        for name in variants {
            one_of("variants", name, known.iter().copied())?;
        }
        power_of_two("max-vector-bits", max_vector_bits, 8, 256)?;
        power_of_two("argument-alignment", argument_alignment, 1, 1 << 30)?;
        Ok(LoweringOptions {
            chip,
            max_vector_bits,
            argument_bytes: i64::from(argument_alignment),
            variants: (!variants.is_empty()).then(|| variants.to_vec()),
            noalias,
        })
    }
}

/// The chip of a module that names none: the oldest with all but `stmatrix` and 256-bit accesses.
pub const DEFAULT_CHIP: &str = "sm_80";

/// A chip, or a portable target.
fn target(name: &str) -> Result<Target, String> {
    Target::portable(name).or_else(|_| Target::parse(name).map_err(|error| error.to_string()))
}

fn power_of_two(name: &str, value: u32, least: u32, most: u32) -> Result<(), String> {
    if value.is_power_of_two() && (least..=most).contains(&value) {
        return Ok(());
    }
    Err(format!("got {name} = {value}, expected a power of two from {least} to {most}"))
}
