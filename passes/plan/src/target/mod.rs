//! The capabilities of a chip, of any vendor, that plans depend on.
//!
//! | module | subject |
//! | --- | --- |
//! | [`api`] | the guarantees of portable targets |
//! | `chips` | the tables of NVIDIA chips and of portable targets |
//! | [`engine`] | instructions that not every chip has |
//! | [`features`] | the PTX version that a module names |
//! | [`kernels`] | what portable targets support in kernels with copies |
//! | [`speeds`] | how fast chips are, as measured |

pub mod api;
mod chips;
pub mod engine;
pub mod features;
pub mod kernels;
pub mod speeds;

use std::fmt;

use api::Api;
use chips::{CHIPS, Chip, PORTABLE};
use speeds::Speeds;
use thiserror::Error;
use tile_isa::{Red, RedForms, Space, WARP};

/// A chip of the table, and the PTX version to print for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    chip: &'static Chip,
    /// Times ten: 80 for 8.0.
    ptx: u32,
}

/// A chip that the table does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown chip '{name}'; known chips: {}", Target::names().collect::<Vec<_>>().join(", "))]
pub struct UnknownChip {
    /// The name as written.
    pub name: String,
}

/// A portable target that the table does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown target '{name}'; known portable targets: {}", Target::portable_names().collect::<Vec<_>>().join(", "))]
pub struct UnknownApi {
    /// The name as written.
    pub name: String,
}

impl Target {
    /// The chip of that name.
    ///
    /// # Errors
    /// A name that is not in the table; the message lists those that are.
    pub fn parse(name: &str) -> Result<Self, UnknownChip> {
        let chip = CHIPS.iter().find(|chip| chip.name == name);
        let chip = chip.ok_or_else(|| UnknownChip { name: name.to_owned() })?;
        Ok(Target { chip, ptx: chip.usual })
    }

    /// The portable target of that name, for kernels that are not PTX.
    ///
    /// # Errors
    /// A name that is not in its table; the message lists those that are.
    pub fn portable(name: &str) -> Result<Self, UnknownApi> {
        let chip = PORTABLE.iter().find(|chip| chip.name == name);
        let chip = chip.ok_or_else(|| UnknownApi { name: name.to_owned() })?;
        Ok(Target { chip, ptx: chip.usual })
    }

    /// The names that [`Target::portable`] takes.
    pub fn portable_names() -> impl Iterator<Item = &'static str> {
        PORTABLE.iter().map(|chip| chip.name)
    }

    /// What a portable target guarantees; `None` for an NVIDIA chip.
    pub fn api(&self) -> Option<&'static Api> {
        self.chip.api
    }

    /// The names that [`Target::parse`] takes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|chip| chip.name)
    }

    /// The chip's name, as [`Target::parse`] takes it.
    pub fn name(&self) -> String {
        self.chip.name.to_owned()
    }

    /// The number: 90 for `sm_90a`.
    pub fn number(&self) -> u32 {
        self.chip.model.number
    }

    /// `a` for an architecture-specific target, `f` for a family-specific one.
    pub fn suffix(&self) -> Option<char> {
        self.chip.name.chars().last().filter(char::is_ascii_alphabetic)
    }

    /// PTX version to print, times ten: 80 for 8.0.
    pub fn ptx_version(&self) -> u32 {
        self.ptx
    }

    /// Threads of a subgroup, which executes in step and shuffles registers: a warp.
    pub fn subgroup(&self) -> i64 {
        WARP
    }

    /// The widest access of one thread to a memory, in bits. Registers impose no limit: their side is as wide as the
    /// other.
    pub fn widest_access(&self, space: Space) -> u32 {
        if space != Space::Shared && self.has(&engine::WIDE_GLOBAL) { 256 } else { 128 }
    }

    /// Whether loads have eviction priorities and prefetch sizes.
    pub fn has_cache_policies(&self) -> bool {
        self.ptx >= 74
    }

    /// Whether the chip has compare-and-swap of 128 bits.
    pub fn has_128_bit_atomics(&self) -> bool {
        self.number() >= 90 && self.ptx >= 83
    }

    /// Whether the chip has `red` of vectors in global memory (PTX ISA, red, target notes).
    pub fn has_vector_red(&self) -> bool {
        self.number() >= 90 && self.ptx >= 81
    }

    /// The forms of a reduction that the chip has in a memory.
    pub fn red_forms(&self, red: Red, space: Space) -> RedForms {
        if self.api().is_some() {
            return RedForms { packed: false, vectors: false };
        }
        // Pairs of bf16 were added later than pairs of f16.
        let packed = red.element() != "bf16" || self.number() >= 90;
        RedForms { packed, vectors: space == Space::Global && self.has_vector_red() }
    }

    /// Whether a running block makes progress whatever other blocks do, as from Volta on.
    pub fn guarantees_progress(&self) -> bool {
        self.number() >= 70
    }

    /// Shared memory that a block may have, in bytes.
    pub fn shared_bytes(&self) -> i64 {
        self.chip.model.shared_kib << 10
    }

    /// SMs of the largest chip of that number that is sold: the number of blocks that run at a time when each takes an
    /// SM. A smaller chip runs the rest later.
    pub fn sm_count(&self) -> i64 {
        self.chip.model.sms
    }

    /// How fast the chip is; `None` where that was not measured.
    pub fn speeds(&self) -> Option<&'static Speeds> {
        self.chip.model.speeds.as_ref()
    }

    /// How the shared memory of the chip serves a warp.
    pub fn shared_banks(&self) -> SharedBanks {
        SharedBanks { banks: 32, bank_bytes: 4 }
    }
}

/// The chip's name, and the PTX version where it is not the one that the chip usually has.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        if self.ptx != self.chip.usual {
            write!(f, " with PTX {}.{}", self.ptx / 10, self.ptx % 10)?;
        }
        Ok(())
    }
}

/// The most banks that any chip has.
pub const MAX_BANKS: usize = 64;

/// Banks of shared memory. One phase moves `banks * bank_bytes` bytes; lanes of a phase that access different words of
/// one bank are serialized.
///
/// ```text
///   bytes per lane   4    8   16
///   lanes a phase   32   16    8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedBanks {
    /// Number of banks, a power of two up to [`MAX_BANKS`].
    pub banks: i64,
    /// Bytes per word of a bank, a power of two.
    pub bank_bytes: i64,
}

impl SharedBanks {
    /// Number of lanes that one phase serves when each accesses `bytes` bytes.
    pub fn lanes_per_phase(&self, bytes: i64) -> i64 {
        (self.banks * self.bank_bytes / bytes.max(self.bank_bytes)).clamp(1, WARP)
    }
}

#[cfg(test)]
mod tests {
    use super::engine::{LDMATRIX, STMATRIX, WIDE_GLOBAL};
    use super::*;

    #[test]
    fn reads_every_chip_of_the_table() {
        for name in Target::names() {
            let target = Target::parse(name).unwrap();
            assert_eq!((target.to_string(), target.name()), (name.to_owned(), name.to_owned()));
            assert!(target.ptx_version() >= target.chip.least);
        }
    }

    #[test]
    fn knows_what_chips_can_do() {
        let chip = |name| Target::parse(name).unwrap();
        assert!(chip("sm_75").has(&LDMATRIX) && !chip("sm_75").has_cp_async());
        assert!(!chip("sm_80").has(&STMATRIX) && chip("sm_90").has(&STMATRIX));
        assert!(!chip("sm_90a").has(&WIDE_GLOBAL) && chip("sm_100a").has(&WIDE_GLOBAL));
        let tensor: Vec<&str> = Target::names().filter(|name| chip(name).has_tcgen05()).collect();
        assert_eq!(tensor, ["sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"]);
        assert_eq!((chip("sm_90a").number(), chip("sm_90a").suffix()), (90, Some('a')));
        assert_eq!((chip("sm_90a").ptx_version(), chip("sm_100a").ptx_version()), (83, 88));
    }

    #[test]
    fn refuses_other_names_with_the_list() {
        for name in ["sm_50", "sm_90b", "90", "", "gfx90a", "sm_90aa"] {
            let text = Target::parse(name).unwrap_err().to_string();
            assert!(text.contains(&format!("unknown chip '{name}'")) && text.contains("sm_90a, sm_100"), "{text}");
        }
    }

    #[test]
    fn phases_follow_the_access_width() {
        let banks = Target::parse("sm_90").unwrap().shared_banks();
        assert!(banks.banks.count_ones() == 1 && banks.banks <= MAX_BANKS as i64 && banks.bank_bytes.count_ones() == 1);
        assert_eq!([1, 4, 8, 16].map(|bytes| banks.lanes_per_phase(bytes)), [32, 32, 16, 8]);
    }
}
