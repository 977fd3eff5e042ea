//! The copy to be planned: two operands, the threads that cooperate, and what the caller requests.
//!
//! | module | subject |
//! | --- | --- |
//! | [`scope`] | memory spaces and scopes |
//! | [`threads`] | the threads that cooperate, and which of them are active |
//! | [`asynchronous`] | what an asynchronous copy requests |
//! | [`check`] | the requirements on every copy |
//! | [`effect`] | the effect on an element of the destination: stored, filled, reduced |
//! | [`uniform`] | the operands on which threads must agree, and whether they do |
//! | [`mask`] | the elements that a masked copy leaves out |
//! | [`run_time`] | run-time parts of an address |
//! | [`open`] | dimensions that a region may leave: those of run-time extents, and masked ones |
//! | [`overlap`] | whether source and destination overlap |
//! | [`refusal`] | reasons why there is no plan |

pub mod asynchronous;
pub mod check;
pub mod effect;
pub mod mask;
pub mod open;
pub mod overlap;
pub mod refusal;
pub mod run_time;
pub mod scope;
pub mod threads;
pub mod uniform;

use serde::{Deserialize, Serialize};
use tile_isa::{Cache, Conversion};
use tile_layout::{Layout, Range};

use crate::problem::asynchronous::Asynchronous;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::run_time::{DynamicTerm, RunTimeStride};
use crate::problem::scope::{Role, Space};
use crate::problem::threads::Threads;
use crate::text::{is_default, is_one, one};

/// The type of one element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// Its width.
    pub bits: u32,
    /// Its name, for messages: `f32`, `bf16`, `i8`.
    pub name: String,
}

impl Element {
    /// A type of `bits` bits called `name`.
    pub fn new(bits: u32, name: impl Into<String>) -> Self {
        Element { bits, name: name.into() }
    }

    /// Bytes of one element; meaningful once `check_copy` accepted the width.
    pub fn bytes(&self) -> i64 {
        i64::from(self.bits / 8)
    }
}

/// Width of an element of one side, where those of the source have `element_bits`.
pub(crate) fn bits_of(element_bits: u32, conversion: Option<Conversion>, role: Role) -> u32 {
    match (role, conversion) {
        (Role::Dst, Some(conversion)) => conversion.to.bits(),
        _ => element_bits,
    }
}

/// The start of a region in one dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begin {
    /// Known.
    Const(i64),
    /// Known only at run time, but `value ≡ residue (mod divisor)`.
    ///
    /// With nothing known, `divisor` is 1 and `residue` 0. `8*i + 3` has divisor 8 and residue 3.
    Dynamic {
        /// Index into the operand's list of run-time values.
        value: usize,
        /// At least 1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        divisor: i64,
        /// In `0..divisor`.
        #[serde(default, skip_serializing_if = "is_default")]
        residue: i64,
    },
}

/// One side of a copy: a buffer, and the region of it that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The memory space of the buffer.
    pub space: Space,
    /// The location of each element of the whole buffer.
    pub layout: Layout,
    /// The buffer's logical shape.
    pub shape: Vec<i64>,
    /// Start of the region, per dimension.
    pub begin: Vec<Begin>,
    /// Extent of the region, per dimension.
    pub extent: Vec<i64>,
    /// The run-time part of the distance from the storage's first element to the start of the buffer.
    pub origin: Vec<DynamicTerm>,
    /// The strides of the layout's axes `s0`, `s1`, ….
    pub strides: Vec<RunTimeStride>,
    /// Proven alignment of the storage's first element, in bytes; a power of two.
    pub align_bytes: i64,
}

impl Operand {
    /// A whole buffer.
    pub fn whole(space: Space, layout: Layout, shape: &[i64], align_bytes: i64) -> Self {
        let begin = vec![Begin::Const(0); shape.len()];
        let (shape, extent) = (shape.to_vec(), shape.to_vec());
        Operand { space, layout, shape, begin, extent, origin: Vec::new(), strides: Vec::new(), align_bytes }
    }

    /// The same buffer with a static region.
    #[must_use]
    pub fn region(mut self, ranges: &[Range]) -> Self {
        self.begin = ranges.iter().map(|range| Begin::Const(range.begin)).collect();
        self.extent = ranges.iter().map(|range| range.extent).collect();
        self
    }

    /// Number of elements that take part. Call it after `check_copy`.
    pub fn elements(&self) -> i64 {
        self.extent.iter().product()
    }
}

/// The ops that are planned, each with its own variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// `tile.copy`.
    Copy,
    /// `tile.copy_async`.
    CopyAsync,
    /// `tile.fill`.
    Fill,
}

impl Request {
    /// All of them.
    pub const ALL: [Request; 3] = [Request::Copy, Request::CopyAsync, Request::Fill];

    /// The op's name.
    pub fn op(self) -> &'static str {
        match self {
            Request::Copy => "tile.copy",
            Request::CopyAsync => "tile.copy_async",
            Request::Fill => "tile.fill",
        }
    }
}

/// A copy to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The source.
    pub src: Operand,
    /// The destination.
    pub dst: Operand,
    /// The type of the source's elements, and of the destination's unless the copy converts them.
    pub element: Element,
    /// The conversion of an element; `None` where elements are moved as they are.
    pub conversion: Option<Conversion>,
    /// The effect on an element of the destination.
    pub effect: Effect,
    /// What the copy leaves out; `None` where it copies all of its region.
    pub mask: Option<Mask>,
    /// The threads that copy.
    pub threads: Threads,
    /// The only variant that may be chosen, by name.
    pub forced: Option<String>,
    /// The variants that may be chosen, by name, including those that perform an asynchronous copy synchronously;
    /// `None` allows all.
    pub allowed: Option<Vec<String>>,
    /// Cache hints.
    pub cache: Cache,
    /// What an asynchronous copy requests; `None` for a synchronous one.
    pub asynchronous: Option<Asynchronous>,
    /// Widest access allowed, in bits; 128 unless the caller says otherwise.
    pub max_vector_bits: u32,
}

impl Problem {
    /// A copy without hints, of accesses up to 128 bits.
    pub fn new(src: Operand, dst: Operand, element: Element, threads: Threads) -> Self {
        Problem {
            src,
            dst,
            element,
            conversion: None,
            effect: Effect::Stored,
            mask: None,
            threads,
            forced: None,
            allowed: None,
            cache: Cache::default(),
            asynchronous: None,
            max_vector_bits: 128,
        }
    }

    /// The op that makes the request.
    pub fn request(&self) -> Request {
        match self.effect {
            Effect::Filled => Request::Fill,
            _ if self.asynchronous.is_some() => Request::CopyAsync,
            _ => Request::Copy,
        }
    }

    /// The width of an element of one of the operands.
    pub fn bits_of(&self, role: Role) -> u32 {
        bits_of(self.element.bits, self.conversion, role)
    }

    /// One of the two operands.
    pub fn operand(&self, role: Role) -> &Operand {
        match role {
            Role::Src => &self.src,
            Role::Dst => &self.dst,
        }
    }
}
