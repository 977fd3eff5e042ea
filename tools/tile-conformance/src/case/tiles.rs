//! The recorded plan of a copy to tensor memory.

use serde::Deserialize;

/// The instructions of a copy to tensor memory: what their descriptors say, and where each begins.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiles {
    /// Width of an element.
    #[serde(rename = "dtype_bits")]
    pub element_bits: i64,
    /// The instruction's shape, as PTX spells it.
    pub shape: String,
    /// Its multicast; empty where it has none.
    pub multicast: String,
    /// Elements of a row of a tile.
    #[serde(rename = "elem_per_atom")]
    pub row_elements: i64,
    /// 0 none, 1 of 32, 2 of 64, 3 of 128 bytes.
    #[serde(rename = "swizzle_mode")]
    pub swizzle: i64,
    /// Leading dimension offset, in 16 bytes.
    #[serde(rename = "LDO_field")]
    pub leading: i64,
    /// Stride dimension offset, in 16 bytes.
    #[serde(rename = "SDO_field")]
    pub stride: i64,
    /// Bytes between two rows of 8.
    #[serde(rename = "atom_K_byte")]
    pub row_bytes: i64,
    /// Where the first tile begins in shared memory, in 16 bytes.
    #[serde(rename = "init_off_16B")]
    pub source: i64,
    /// Where it goes, as an address of tensor memory.
    #[serde(rename = "t_addr_off")]
    pub destination: i64,
    /// Per digit of the tiles, slowest first: its extent, and a step on each side in the units of the beginnings.
    #[serde(rename = "middle_extent_sstep16B_tstep")]
    pub digits: Vec<[i64; 3]>,
    #[serde(rename = "dtype")]
    _element: String,
    #[serde(rename = "elem_per_32b")]
    _per_word: i64,
}
