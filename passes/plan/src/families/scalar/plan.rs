//! The plan of one element at a time, and the threads that copy it.

use serde::{Deserialize, Serialize};
use tile_isa::{Conversion, Space, check_elected, check_element_bits};
use tile_layout::{Axis, Iter, Layout};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::family::Family;
use crate::problem::bits_of;
use crate::problem::effect::{Effect, check_source};
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm, RunTimeStride, ValueList, ValueUse, check_strides};
use crate::text::{is_default, is_one, one};

/// The largest number of elements that is copied without a loop, so that registers have constant indices.
pub const MAX_UNROLLED: i64 = 512;

/// One element at a time, by the thread that owns it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarCopy {
    /// The threads that copy, and the elements that each copies.
    pub owner: Owner,
    /// Extents of the region's dimensions that are not 1: the copy's loop nest, the same for both sides.
    pub extents: Vec<i64>,
    /// Width of an element of the source.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// The conversion of an element; `None` where it is moved as it is.
    #[serde(rename = "convert", default, skip_serializing_if = "is_default")]
    pub conversion: Option<Conversion>,
    /// The effect on an element of the destination.
    #[serde(default, skip_serializing_if = "is_default")]
    pub effect: Effect,
    /// What the copy leaves out; `None` where it copies everything.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mask: Option<Mask>,
    /// The source; `None` where nothing is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub src: Option<ScalarSide>,
    /// The destination.
    pub dst: ScalarSide,
}

/// One side of a scalar copy: the layout of the whole buffer, evaluated per element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarSide {
    /// Layout of the whole buffer, replica included: a source is read at replica 0, a destination is written at all
    /// replicas.
    pub layout: Layout,
    /// The memory space.
    pub space: Space,
    /// Proven alignment of the storage's first element, in bytes.
    #[serde(rename = "align", default = "one", skip_serializing_if = "is_one")]
    pub align_bytes: i64,
    /// Shape of the whole buffer.
    pub shape: Vec<i64>,
    /// Start of the region, per dimension.
    pub begin: Vec<Begin>,
    /// Further run-time terms of the address, added before the swizzle.
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: Vec<DynamicTerm>,
    /// The strides of the axes `s0`, `s1`, ….
    #[serde(default, skip_serializing_if = "is_default")]
    pub strides: Vec<RunTimeStride>,
    /// The loop of [`ScalarCopy::extents`] that walks each dimension; `None` where the extent is 1.
    pub walked: Vec<Option<usize>>,
}

impl ScalarSide {
    /// Memory iters of the replica: a destination is written at every combination of their coordinates.
    pub fn copies(&self) -> impl Iterator<Item = Iter> + '_ {
        let copies = self.layout.replica.iter().copied();
        copies.filter(|iter| iter.axis == Axis::Memory && iter.extent != 1 && iter.stride != 0)
    }
}

/// The threads that execute a scalar copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Every thread does all of it (thread scope; or every thread into its own registers).
    Everyone,
    /// The thread of this scope-relative index does all of it.
    ScopeThread(i64),
    /// The threads of these block-linear indices do all of it, one per scope.
    BlockThreads(Vec<i64>),
    /// Each thread copies the elements that it owns in registers.
    Distributed(Distributed),
}

/// The elements of a register buffer that a thread owns, decoded from its scope-relative id `t`.
///
/// ```text
///   t - offset  ->  digits, strides descending:  d = rest / stride, rest = rest mod stride
///                   the thread owns something only if every d < extent and the last rest is 0
///   element     x = first + Σ thread digit * weight + Σ serial digit * weight     linear in `domain`
///   register    offset + Σ serial digit * stride
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distributed {
    /// The register operand.
    pub local: Role,
    /// Subtracted from `t`; a thread with a negative difference owns nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub thread_offset: i64,
    /// The digits of `t`, in the order in which they are decoded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub digits: Vec<OwnerDigit>,
    /// The element of digits that are all 0: where threads count down, another one than the first.
    #[serde(rename = "first", default, skip_serializing_if = "is_default")]
    pub first_element: i64,
    /// Loops over the registers of a thread.
    #[serde(default, skip_serializing_if = "is_default")]
    pub serial: Vec<SerialDigit>,
    /// Added to every register index.
    #[serde(default, skip_serializing_if = "is_default")]
    pub register_offset: i64,
    /// Run-time terms added to every register index: the start of a masked region.
    #[serde(default, skip_serializing_if = "is_default")]
    pub origin: Vec<DynamicTerm>,
    /// The shape that `x` is linear in, one entry per dimension of the register operand.
    pub domain: Vec<i64>,
    /// For each dimension of `domain`, what is subtracted from the coordinate to get the position in the region, and
    /// whether `0 <= position < extent` must be checked.
    pub windows: Vec<Window>,
}

/// One digit of a thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerDigit {
    /// Threads between adjacent elements, at least 1.
    pub stride: i64,
    /// Number of values.
    pub extent: i64,
    /// Elements per step; 0 for a replica, negative where threads count down.
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: i64,
    /// Whether the digit must be 0 (a replica, when registers are the source).
    #[serde(default, skip_serializing_if = "is_default")]
    pub only_zero: bool,
}

/// One loop over the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SerialDigit {
    /// Number of values.
    pub extent: i64,
    /// Registers per step.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stride: i64,
    /// Elements per step; 0 for a replica.
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: i64,
}

/// The region in one dimension of a register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Start of the region.
    pub begin: Begin,
    /// Extent of the region.
    pub extent: i64,
    /// Whether a coordinate can lie outside.
    #[serde(default, skip_serializing_if = "is_default")]
    pub check: bool,
}
fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-scalar-copy", reason.to_string())
}

impl Family for ScalarCopy {
    fn variant(&self) -> &'static str {
        "fallback"
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.check()
    }

    fn conversion(&self) -> Option<Conversion> {
        self.conversion
    }

    fn effect(&self) -> Effect {
        self.effect
    }

    fn is_masked(&self) -> bool {
        self.mask.is_some()
    }
}

impl Carried for ScalarCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if role == Role::Src { self.src.as_ref() } else { Some(&self.dst) };
        side.map(|ScalarSide { space, layout, strides, align_bytes, .. }| CarriedSide {
            space: *space,
            layout,
            strides: strides.len(),
            align_bytes: *align_bytes,
            bits: self.bits_of(role),
        })
    }

    fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.iter_mut().for_each(|src| src.each_value(ValueList::Of(Role::Src), visit));
        self.dst.each_value(ValueList::Of(Role::Dst), visit);
        if let Owner::Distributed(owned) = &mut self.owner {
            owned.each_value(visit);
        }
        self.mask.iter_mut().for_each(|mask| mask.each_value(visit));
    }
}

impl ScalarCopy {
    /// The side of that role; the destination for both where nothing is read.
    pub fn side(&self, role: Role) -> &ScalarSide {
        self.src.as_ref().filter(|_| role == Role::Src).unwrap_or(&self.dst)
    }

    /// Width of an element of one side.
    pub fn bits_of(&self, role: Role) -> u32 {
        bits_of(self.element_bits, self.conversion, role)
    }

    fn check(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        if let Some(extent) = self.extents.iter().find(|extent| **extent < 1) {
            return Err(malformed(format!("got a loop of {extent}; needed at least 1")));
        }
        check_source(self.src.is_some(), self.effect).map_err(malformed)?;
        self.src.as_ref().map_or(Ok(()), |src| src.check("source", self.extents.len()))?;
        self.dst.check("destination", self.extents.len())?;
        let elements = self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        self.mask.as_ref().map_or(Ok(()), |mask| mask.check(elements).map_err(malformed))?;
        self.owner.check()
    }
}

impl ScalarSide {
    fn each_value(&mut self, list: ValueList, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.origin.iter_mut().for_each(|term| visit(term.value_use(list)));
        self.begin.iter_mut().filter_map(|begin| begin.value_use(list)).for_each(&mut *visit);
        self.strides.iter_mut().for_each(|stride| visit(stride.value_use(list)));
    }

    fn check(&self, name: &str, loops: usize) -> Result<(), Refusal> {
        self.layout.validate().map_err(|error| malformed(format!("the {name}'s layout: {error}")))?;
        let axes = self.layout.axes().chain(self.origin.iter().map(|term| term.axis));
        check_strides(name, axes, &self.strides).map_err(malformed)?;
        if self.space == Space::Tmem || self.align_bytes < 1 {
            return Err(malformed(format!("the {name} is in tensor memory, or its alignment is below 1")));
        }
        let rank = self.shape.len();
        if (self.begin.len(), self.walked.len()) != (rank, rank) {
            return Err(malformed(format!("the {name} has {rank} dimensions, but not as many begins and loops")));
        }
        match self.walked.iter().flatten().find(|walked| **walked >= loops) {
            Some(walked) => Err(malformed(format!("the {name} is walked by loop {walked}; there are {loops}"))),
            None => Ok(()),
        }
    }
}

impl Distributed {
    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        let list = ValueList::Of(self.local);
        self.origin.iter_mut().for_each(|term| visit(term.value_use(list)));
        let begins = self.windows.iter_mut().filter_map(|window| window.begin.value_use(list));
        begins.for_each(&mut *visit);
    }

    /// Whether each dimension has its window, and each digit is well-formed.
    fn is_whole(&self) -> bool {
        self.windows.len() == self.domain.len()
            && self.digits.iter().all(|digit| digit.stride >= 1 && digit.extent >= 1)
            && self.serial.iter().all(|digit| digit.extent >= 1)
    }
}

impl Owner {
    /// The way in which threads are elected, in a word, and the threads.
    pub fn words(&self) -> (&'static str, Vec<i64>) {
        match self {
            Owner::Everyone => ("everyone", Vec::new()),
            Owner::ScopeThread(thread) => ("elected", vec![*thread]),
            Owner::BlockThreads(threads) => ("elected_in_block", threads.clone()),
            Owner::Distributed(_) => ("owners", Vec::new()),
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        let (by, threads) = self.words();
        check_elected(by, &threads).map_err(malformed)?;
        match self {
            Owner::Distributed(owned) if !owned.is_whole() => {
                Err(malformed(format!("got the owner {self:?}, which no block has")))
            }
            _ => Ok(()),
        }
    }
}
