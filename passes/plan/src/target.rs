//! What a chip can do: one table, and the questions that plans ask of it.

use std::fmt;

use thiserror::Error;

/// A chip, by number and suffix: `sm_90a` is `(90, Some('a'))`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    number: u32,
    suffix: Option<char>,
    /// Versions are PTX versions times ten: 80 for 8.0.
    pub(crate) least: u32,
    pub(crate) usual: u32,
    pub(crate) ptx: u32,
}

/// A chip that the table does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown chip '{name}'; known chips: {}", known().collect::<Vec<_>>().join(", "))]
pub struct UnknownChip {
    /// As written.
    pub name: String,
}

/// Chip, the least PTX version that LLVM 22 pairs with it, and the one to print unless a module asks for another:
/// one that has the chip's instructions (256-bit accesses: 8.8; 128-bit atomics: 8.3).
const CHIPS: &[(&str, u32, u32)] = &[
    ("sm_75", 63, 74),
    ("sm_80", 70, 74),
    ("sm_86", 71, 74),
    ("sm_87", 74, 74),
    ("sm_89", 78, 78),
    ("sm_90", 78, 83),
    ("sm_90a", 80, 83),
    ("sm_100", 86, 88),
    ("sm_100a", 86, 88),
    ("sm_100f", 88, 88),
    ("sm_103", 88, 88),
    ("sm_103a", 88, 88),
    ("sm_103f", 88, 88),
    ("sm_110", 90, 90),
    ("sm_110a", 90, 90),
    ("sm_110f", 90, 90),
    ("sm_120", 87, 88),
    ("sm_120a", 87, 88),
    ("sm_120f", 88, 88),
    ("sm_121", 88, 88),
    ("sm_121a", 88, 88),
    ("sm_121f", 88, 88),
];

fn known() -> impl Iterator<Item = &'static str> {
    CHIPS.iter().map(|(name, ..)| *name)
}

impl Target {
    /// The chip of that name.
    ///
    /// # Errors
    /// A name that is not in the table; the message lists those that are.
    pub fn parse(name: &str) -> Result<Self, UnknownChip> {
        let unknown = || UnknownChip { name: name.to_owned() };
        let &(chip, least, usual) = CHIPS.iter().find(|(chip, ..)| *chip == name).ok_or_else(unknown)?;
        let digits = chip.trim_start_matches("sm_").trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number = digits.parse().map_err(|_| unknown())?;
        let suffix = chip.chars().last().filter(char::is_ascii_alphabetic);
        Ok(Target { number, suffix, least, usual, ptx: usual })
    }

    /// The names that [`Target::parse`] takes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        known()
    }

    /// The chip's name, as [`Target::parse`] takes it.
    pub fn name(&self) -> String {
        format!("sm_{}{}", self.number, self.suffix.map(String::from).unwrap_or_default())
    }

    /// The number: 90 for `sm_90a`.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// `a` for one chip's own instructions, `f` for a family's.
    pub fn suffix(&self) -> Option<char> {
        self.suffix
    }

    /// PTX version to print, times ten: 80 for 8.0.
    pub fn ptx_version(&self) -> u32 {
        self.ptx
    }

    /// `ldmatrix` of 8x8 16-bit matrices.
    pub fn has_ldmatrix(&self) -> bool {
        self.number >= 75 && self.ptx >= 65
    }

    /// `stmatrix` of 8x8 16-bit matrices.
    pub fn has_stmatrix(&self) -> bool {
        self.number >= 90
    }

    /// `cp.async` from global to shared memory.
    pub fn has_cp_async(&self) -> bool {
        self.number >= 80
    }

    /// Clusters of CTAs, and bulk copies to the shared memory of another CTA.
    pub fn has_cluster_copy(&self) -> bool {
        self.number >= 90 && self.ptx >= 80
    }

    /// Tensor memory and the tcgen05 instructions: the chips and families of sm_100 to sm_110, not the plain chips
    /// and not sm_120 (PTX ISA, tcgen05.cp, target notes).
    pub fn has_tcgen05(&self) -> bool {
        self.suffix.is_some() && (100..=110).contains(&self.number)
    }

    /// 256-bit loads and stores of global memory.
    pub fn has_256_bit_global(&self) -> bool {
        self.number >= 100 && self.ptx >= 88
    }

    /// Eviction priorities and prefetch sizes of loads.
    pub fn has_cache_policies(&self) -> bool {
        self.ptx >= 74
    }

    /// `bf16` arithmetic and conversions; copies need none of it.
    pub fn has_bf16(&self) -> bool {
        self.number >= 80
    }

    /// `cp.async.bulk` between global and shared memory, completed on an mbarrier.
    pub fn has_bulk_copy(&self) -> bool {
        self.number >= 90 && self.ptx >= 80
    }

    /// Compare-and-swap of 128 bits.
    pub fn has_128_bit_atomics(&self) -> bool {
        self.number >= 90 && self.ptx >= 83
    }

    /// Does a block that has begun go on whatever other blocks do? So from Volta on.
    pub fn guarantees_progress(&self) -> bool {
        self.number >= 70
    }

    /// Shared memory that a block may have, in bytes, as the table of technical specifications per compute capability
    /// of the CUDA programming guide has it.
    pub fn shared_bytes(&self) -> i64 {
        let kib = match self.number {
            75 => 64,
            80 | 87 => 163,
            86 | 89 | 120 | 121 => 99,
            _ => 227,
        };
        kib << 10
    }

    /// Multiprocessors of the largest chip of that number that is sold: how many blocks run at a time when each takes
    /// a multiprocessor. A smaller chip runs the rest later.
    pub fn multiprocessors(&self) -> i64 {
        match self.number {
            75 => 72,
            80 => 108,
            86 => 84,
            87 => 16,
            89 => 142,
            90 => 132,
            100 => 148,
            103 => 160,
            110 => 20,
            120 => 188,
            _ => 48,
        }
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
        if self.ptx != self.usual {
            write!(f, " with PTX {}.{}", self.ptx / 10, self.ptx % 10)?;
        }
        Ok(())
    }
}

/// Banks of shared memory. One phase moves `banks * bank_bytes` bytes; lanes of a phase that need
/// different words of one bank wait for each other.
///
/// ```text
///   bytes per lane   4    8   16
///   lanes a phase   32   16    8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedBanks {
    /// Number of banks.
    pub banks: i64,
    /// Bytes of a bank's word.
    pub bank_bytes: i64,
}

impl SharedBanks {
    /// Lanes that one phase serves when each accesses `bytes`.
    pub fn lanes_per_phase(&self, bytes: i64) -> i64 {
        (self.banks * self.bank_bytes / bytes.max(self.bank_bytes)).clamp(1, 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_chip_of_the_table() {
        for name in Target::names() {
            let target = Target::parse(name).unwrap();
            assert_eq!((target.to_string(), target.name()), (name.to_owned(), name.to_owned()));
            assert!(target.ptx_version() >= target.least);
        }
    }

    #[test]
    fn knows_what_chips_can_do() {
        let chip = |name| Target::parse(name).unwrap();
        assert!(chip("sm_75").has_ldmatrix() && !chip("sm_75").has_cp_async());
        assert!(!chip("sm_80").has_stmatrix() && chip("sm_90").has_stmatrix());
        assert!(!chip("sm_90a").has_256_bit_global() && chip("sm_100a").has_256_bit_global());
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
        assert_eq!([1, 4, 8, 16].map(|bytes| banks.lanes_per_phase(bytes)), [32, 32, 16, 8]);
    }
}
