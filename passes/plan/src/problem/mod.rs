//! The op to be planned: its operands, the threads that cooperate, and what the caller requests.
//!
//! | module | subject |
//! | --- | --- |
//! | [`operands`] | the operands: buffers, and regions of them |
//! | [`role`] | what an operand is to its op |
//! | [`threads`] | the threads that cooperate, and which of them are active |
//! | [`asynchronous`] | what an asynchronous copy requests |
//! | [`check`] | the requirements on every copy |
//! | [`effect`] | the effect on an element of the destination: stored, filled, reduced |
//! | [`uniform`] | the operands on which threads must agree, and whether they do |
//! | [`mask`] | the elements that a masked copy leaves out |
//! | [`run_time`] | run-time parts of an address: starts of regions, terms, strides |
//! | [`open`] | dimensions that a region may leave: those of run-time extents, and masked ones |
//! | [`overlap`] | whether source and destination overlap; that each element of a destination has a place of its own |
//! | [`tensor_map`] | what a copy through a tensor map requests |
//! | [`refusal`] | reasons why there is no plan |

pub mod asynchronous;
pub mod check;
pub mod effect;
pub mod mask;
pub mod open;
pub mod operands;
pub mod overlap;
pub mod refusal;
pub mod role;
pub mod run_time;
pub mod tensor_map;
pub mod threads;
pub mod uniform;

use tile_isa::{Cache, Conversion, Space};

use crate::problem::asynchronous::Asynchronous;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::operands::{Operand, Operands};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::Threads;

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

    /// The request of the op of that name; `None` for any other op.
    pub fn of_op(name: &str) -> Option<Request> {
        Request::ALL.into_iter().find(|request| request.op() == name)
    }
}

/// A copy to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The buffers.
    pub operands: Operands,
    /// The type of the elements; of a copy that converts them, those of the source.
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
        Problem::with_operands(Operands::copied(src, dst), element, threads)
    }

    /// The same for any operands.
    pub fn with_operands(operands: Operands, element: Element, threads: Threads) -> Self {
        Problem {
            operands,
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

    /// The operand of that role.
    ///
    /// # Errors
    /// `operand-missing` for an op without one.
    pub fn operand(&self, role: Role) -> Result<&Operand, Refusal> {
        self.operands.require(role)
    }

    /// The source and the destination of a copy.
    ///
    /// # Errors
    /// As [`Problem::operand`].
    pub fn sides(&self) -> Result<(&Operand, &Operand), Refusal> {
        Ok((self.operand(Role::Src)?, self.operand(Role::Dst)?))
    }

    /// The number of elements that take part, the same of each operand; saturated.
    pub fn elements(&self) -> i64 {
        let first = self.operands.iter().next();
        first.map_or(0, |(_, operand)| operand.extent.iter().fold(1i64, |all, &extent| all.saturating_mul(extent)))
    }

    /// The memory spaces of the source and of the destination of a copy.
    ///
    /// # Errors
    /// As [`Problem::operand`].
    pub fn spaces(&self) -> Result<(Space, Space), Refusal> {
        self.sides().map(|(src, dst)| (src.space, dst.space))
    }

    /// The same problem, with `operand` in that role.
    #[must_use]
    pub fn with_operand(self, role: Role, operand: Operand) -> Self {
        Problem { operands: self.operands.with(role, operand), ..self }
    }
}
