//! Why an op, a type or an attribute is not valid.

use std::fmt::Display;

use thiserror::Error;
use tile_isa::cache::CacheError;
use tile_isa::convert::ConversionError;
use tile_isa::fragment::FragmentError;
use tile_isa::red::RedError;
use tile_isa::tmem_copy::TmemCopyError;
use tile_isa::words::UnknownWord;
use tile_layout::{Axis, Layout, LayoutError};
use tile_plan::families::carried::CarriedError;
use tile_plan::problem::refusal::Refusal;

use crate::guard::Panicked;

/// What is not valid, with what would be.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum VerifyError {
    /// Something that is given where something else is allowed.
    #[error("got {got}, expected {expected}")]
    Mismatch { got: String, expected: String },
    /// What an op or a layout says of itself, where something else is allowed.
    #[error("{is}, expected {expected}")]
    Malformed { is: String, expected: String },
    /// An op that lacks what its definition requires.
    #[error("has too few operands, results or regions")]
    Incomplete,
    /// A name that nothing reads.
    #[error("got {got}, {}", meant(.known, .nearest))]
    UnknownName { got: String, known: &'static [&'static str], nearest: Option<&'static str> },
    /// A value that is no tile.
    #[error("uses a value that is not a buffer")]
    NotABuffer,
    /// A region whose rank is not that of its buffer.
    #[error("has a malformed region")]
    Region,
    /// A fill of what no predicate excludes.
    #[error("got {0} without a predicate that says where to fill")]
    NoPredicate(&'static str),
    /// A layout whose negative strides would have to be given at run time.
    #[error("{error}; strides of global memory that are below 0 are given at run time: {given}")]
    NegativeStrides { error: LayoutError, given: Box<Layout> },
    /// A layout with extents that the shape leaves open in another way.
    #[error("got a layout that does not fit shape {shape}: {error}; each '?' is an iter of its own")]
    Shape { shape: String, error: LayoutError },
    /// A layout of memory that holds elements several times.
    #[error("got a replica in memory; replicas are on thread axes or in tensor memory")]
    ReplicaInMemory,
    /// A swizzle of memory that has no addresses.
    #[error("got a swizzle in a {0} tile's layout; swizzles are for addressed memory")]
    Swizzle(&'static str),
    /// A type that MLIR refuses to build.
    #[error("has a type that cannot be built")]
    Unbuildable,
    /// A region whose end overflows.
    #[error("{name} region begins at {begin} in dimension {dimension}, and its end does not fit 64 bits")]
    RegionEnd { name: &'static str, begin: i64, dimension: usize },
    /// Regions of different extents.
    #[error("regions differ in extents other than 1: got {src:?} from the source, {dst:?} in the destination")]
    Extents { src: Vec<i64>, dst: Vec<i64> },
    /// A tile that is written twice.
    #[error("got a tile as result {number} that is {role} already")]
    ResultTaken { number: usize, role: &'static str },
    /// A region without an end.
    #[error("has a region without tile.yield")]
    NoYield,
    /// A plan's side whose layout is malformed.
    #[error("the {name}'s layout: {error}")]
    SideLayout { name: &'static str, error: LayoutError },
    /// A plan's side that leaves its buffer.
    #[error("the {name}'s layout reaches {} of a buffer that spans {whole}", place(.axis, .last))]
    SideReach { name: &'static str, axis: Axis, last: i64, whole: i64 },
    /// A plan's side in memory whose layout is one of registers.
    #[error("the {0} is not in registers, but its layout has thread axes")]
    ThreadAxes(&'static str),
    /// A run-time value that a plan does not number.
    #[error("got value {index} of {name}, which the plan does not use")]
    UnusedValue { index: usize, name: &'static str },
    /// A scan between arrays of different elements.
    #[error("scans one element type: got {src} from the source, {dst} in the destination")]
    ElementTypes { src: String, dst: String },
    /// An identity of an operator that has one.
    #[error("has an identity, but operator {0} has its own")]
    OwnIdentity(&'static str),
    /// A source whose type does not tell the tile's.
    #[error("got {0}, which does not say the tile's type; expected it after 'to'")]
    UnknownTile(String),
    /// A view without a number of its tile.
    #[error("got no {missing}, which {source_type} does not say; expected one for each '?' of the tile")]
    NotPassed { missing: &'static str, source_type: String },
    /// A view of too little memory.
    #[error("the layout needs {needed} of a memref that spans {there}")]
    Span { needed: String, there: i64 },
    /// A layout that is malformed by itself.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A fragment that does not exist, or not of such a tile.
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    /// An option with an unknown value.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// A form of tensor memory's copies that does not exist.
    #[error(transparent)]
    TmemCopy(#[from] TmemCopyError),
    /// An operator that the elements' type does not have.
    #[error(transparent)]
    Red(#[from] RedError),
    /// Types that do not convert into each other.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    /// An unknown cache hint.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A clause that does not go with the plan.
    #[error(transparent)]
    Carried(#[from] CarriedError),
    /// A plan that is malformed.
    #[error(transparent)]
    Plan(#[from] Refusal),
    /// A panic.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

impl From<VerifyError> for String {
    fn from(error: VerifyError) -> Self {
        error.to_string()
    }
}

/// Something that is given where something else is allowed.
pub(crate) fn mismatch(got: impl Display, expected: impl Display) -> VerifyError {
    VerifyError::Mismatch { got: got.to_string(), expected: expected.to_string() }
}

/// What an op or a layout says of itself, where something else is allowed.
pub(crate) fn malformed(is: impl Display, expected: impl Display) -> VerifyError {
    VerifyError::Malformed { is: is.to_string(), expected: expected.to_string() }
}

/// What may have been meant by a name that nothing reads.
fn meant(known: &[&str], nearest: &Option<&str>) -> String {
    match nearest {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("expected one of {}", known.join(", ")),
    }
}

/// The last place that a layout reaches.
fn place(axis: &Axis, last: &i64) -> String {
    if *axis == Axis::Memory { format!("element {last}") } else { format!("position '{axis}' {last}") }
}
