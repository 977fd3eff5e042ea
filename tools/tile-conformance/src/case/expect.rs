//! The conditions for a case to pass: the recorded results, including the plan of a copy to tensor memory.

use serde::Deserialize;

/// The conditions for a case to pass.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// The same choice and the same numbers, and the right elements.
    Same(Box<Expect>),
    /// The right elements, whichever variant moves them; or a clear refusal.
    Right,
}

/// The recorded results. A field that is absent was not recorded, and is not compared.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// The variant; `None` when every variant refused.
    pub variant: Option<String>,
    /// Vectors per thread; elements per thread of a scalar loop.
    pub rounds: Option<i64>,
    /// Width of an access, in bits.
    pub vec_bits: Option<i64>,
    /// Width of an access, in elements.
    pub vec_elems: Option<i64>,
    /// Addresses of some vectors.
    pub samples: Vec<Sample>,
    /// The threads, counted in the scope, that are elected to copy; empty if none is.
    pub guards: Option<Vec<i64>>,
    /// Instructions, each with the number of times that it occurs in the program's text.
    pub ptx: Vec<(String, i64)>,
    /// The tiles of a copy to tensor memory.
    pub tiles: Option<Tiles>,
}

/// The addresses of thread `thread` in round `round`, in elements from the start of each buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of the thread's vector.
    pub round: i64,
    /// The thread, counted in the scope.
    pub thread: i64,
    /// Its element in global memory.
    pub global: i64,
    /// Its element in shared memory.
    pub shared: i64,
}

/// The instructions of a copy to tensor memory: the contents of their descriptors, and the start of each tile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiles {
    /// Width of an element.
    #[serde(rename = "dtype_bits")]
    pub element_bits: i64,
    /// The instruction's shape, as PTX spells it.
    pub shape: String,
    /// Its multicast; empty if it has none.
    pub multicast: String,
    /// Elements of a row of a tile.
    #[serde(rename = "elem_per_atom")]
    pub row_elements: i64,
    /// The swizzle mode: 0 none, 1 for 32, 2 for 64, 3 for 128 bytes.
    #[serde(rename = "swizzle_mode")]
    pub swizzle: i64,
    /// Leading dimension offset, in units of 16 bytes.
    #[serde(rename = "LDO_field")]
    pub leading: i64,
    /// Stride dimension offset, in units of 16 bytes.
    #[serde(rename = "SDO_field")]
    pub stride: i64,
    /// Bytes between two rows of 8.
    #[serde(rename = "atom_K_byte")]
    pub row_bytes: i64,
    /// Start of the first tile in shared memory, in units of 16 bytes.
    #[serde(rename = "init_off_16B")]
    pub source: i64,
    /// Its destination, as an address of tensor memory.
    #[serde(rename = "t_addr_off")]
    pub destination: i64,
    /// For each iter of the tiles, slowest first: its extent, and its step on each side in the units of the starts.
    #[serde(rename = "middle_extent_sstep16B_tstep")]
    pub digits: Vec<[i64; 3]>,
    #[serde(rename = "dtype")]
    _element: String,
    #[serde(rename = "elem_per_32b")]
    _per_word: i64,
}
