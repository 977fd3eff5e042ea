//! Why an op, a type or an attribute is not valid.

use thiserror::Error;
use tile_isa::cache::CacheError;
use tile_isa::convert::ConversionError;
use tile_isa::fragment::FragmentError;
use tile_isa::red::RedError;
use tile_isa::tmem_copy::TmemCopyError;
use tile_isa::words::UnknownWord;
use tile_layout::{Axis, Layout, LayoutError};
use tile_plan::families::carried::CarriedError;
use tile_plan::linalg::ScheduleMistake;
use tile_plan::problem::refusal::Refusal;

use crate::guard::Panicked;

/// What is not valid, with what would be.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum VerifyError {
    #[error("got {got}, expected {expected}")]
    Mismatch { got: String, expected: String },
    #[error("{is}, expected {expected}")]
    Malformed { is: String, expected: String },
    #[error("has too few operands, results or regions")]
    Incomplete,
    #[error("got {got}, {}", meant(.known, .nearest))]
    UnknownName { got: String, known: &'static [&'static str], nearest: Option<&'static str> },
    #[error("uses a value that is not a buffer")]
    NotABuffer,
    #[error("has a malformed region")]
    Region,
    #[error("got {0} without a predicate that says where to fill")]
    NoPredicate(&'static str),
    #[error("{error}; strides of global memory that are below 0 are given at run time: {given}")]
    NegativeStrides { error: LayoutError, given: Box<Layout> },
    #[error("got a layout that does not fit shape {shape}: {error}; each '?' is an iter of its own")]
    Shape { shape: String, error: LayoutError },
    #[error("got a replica in memory; replicas are on thread axes or in tensor memory")]
    ReplicaInMemory,
    #[error("got a swizzle in a {0} tile's layout; swizzles are for addressed memory")]
    Swizzle(&'static str),
    #[error("has a type that cannot be built")]
    Unbuildable,
    #[error("{name} region begins at {begin} in dimension {dimension}, and its end does not fit 64 bits")]
    RegionEnd { name: &'static str, begin: i64, dimension: usize },
    #[error("regions differ in extents other than 1: got {src:?} from the source, {dst:?} in the destination")]
    Extents { src: Vec<i64>, dst: Vec<i64> },
    #[error("got a tile as result {number} that is {role} already")]
    ResultTaken { number: usize, role: &'static str },
    #[error("has a region without tile.yield")]
    NoYield,
    #[error("the {name}'s layout: {error}")]
    SideLayout { name: &'static str, error: LayoutError },
    #[error("the {name}'s layout reaches {} of a buffer that spans {whole}", place(.axis, .last))]
    SideReach { name: &'static str, axis: Axis, last: i64, whole: i64 },
    #[error("the {0} is not in registers, but its layout has thread axes")]
    ThreadAxes(&'static str),
    #[error("got value {index} of {name}, which the plan does not use")]
    UnusedValue { index: usize, name: &'static str },
    #[error("scans one element type: got {src} from the source, {dst} in the destination")]
    ElementTypes { src: String, dst: String },
    #[error("has an identity, but operator {0} has its own")]
    OwnIdentity(&'static str),
    #[error("got {0}, which does not say the tile's type; expected it after 'to'")]
    UnknownTile(String),
    #[error("got no {missing}, which {source_type} does not say; expected one for each '?' of the tile")]
    NotPassed { missing: &'static str, source_type: String },
    #[error("the layout needs {needed} of a memref that spans {there}")]
    Span { needed: String, there: i64 },
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    #[error(transparent)]
    Word(#[from] UnknownWord),
    #[error(transparent)]
    TmemCopy(#[from] TmemCopyError),
    #[error(transparent)]
    Red(#[from] RedError),
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(transparent)]
    Carried(#[from] CarriedError),
    #[error(transparent)]
    Schedule(#[from] ScheduleMistake),
    #[error(transparent)]
    Plan(#[from] Refusal),
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

impl From<VerifyError> for String {
    fn from(error: VerifyError) -> Self {
        error.to_string()
    }
}

/// What is given where something else is allowed: `mismatch!("{rows} rows"; expected "{columns}, the columns of a")`.
macro_rules! mismatch {
    ($got:literal $(, $value:expr)*; expected $expected:literal $(, $other:expr)*) => {
        $crate::error::VerifyError::Mismatch { got: format!($got $(, $value)*), expected: format!($expected $(, $other)*) }
    };
}

/// What an op or a layout says of itself where something else is allowed, likewise.
macro_rules! malformed {
    ($is:literal $(, $value:expr)*; expected $expected:literal $(, $other:expr)*) => {
        $crate::error::VerifyError::Malformed { is: format!($is $(, $value)*), expected: format!($expected $(, $other)*) }
    };
}

pub(crate) use {malformed, mismatch};

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
