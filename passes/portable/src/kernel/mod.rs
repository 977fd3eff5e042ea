//! A kernel as statements on scalars: the form of copies, and of the code around them, for portable targets.
//!
//! A value is the bits of a scalar: a `u32`; for 64 bits a `vec2<u32>`; for one bit a `bool`. So a value that is only
//! moved keeps its bits, whatever they mean. An index is an integer of 32 bits.
//!
//! ```
//! use tile_plan::target::Target;
//! use tile_portable::Scalar;
//! use tile_portable::kernel::{
//!     Body, Dimension, Expression, KernelAccess, KernelMemory, PortableKernel, Statement, program,
//! };
//!
//! let access = |memory, lanes| KernelAccess::new(memory, 0, 32, lanes, 4);
//! let statements = vec![
//!     Statement::Let(0, Expression::Thread(Dimension::X)),
//!     Statement::Load(access(0, vec![1])),
//!     Statement::Store(access(1, vec![1])),
//! ];
//! let kernel = PortableKernel {
//!     name: "copy".into(),
//!     block: [32, 1, 1],
//!     memories: vec![KernelMemory::Argument; 2],
//!     numbers: 0,
//!     arguments: Vec::new(),
//!     body: Body { statements, yields: Vec::new() },
//! };
//! let text = program(&kernel, Target::portable("webgpu").unwrap()).unwrap().wgsl().unwrap();
//! assert!(text.contains("@workgroup_size(32, 1, 1)"));
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`memory`] | memories as arrays of words or vectors, and accesses to them |
//! | [`expression`] | operations that give one value |
//! | `write` | the WGSL text |

pub mod expression;
pub mod memory;
mod write;

pub use expression::{Dimension, Expression, Function, Shift};
pub use memory::{KernelAccess, KernelMemory};
pub(crate) use write::{floats, statements};

use tile_plan::scan::Workspace;
use tile_plan::target::Target;

use crate::element::Scalar;
use crate::operator::Id;
use crate::program::Error;
use crate::program::{Launch, PortableProgram};

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortableKernel {
    /// Its name.
    pub name: String,
    /// Threads of a block, by dimension.
    pub block: [i64; 3],
    /// Its memories: arguments first, in the order of their bindings.
    pub memories: Vec<KernelMemory>,
    /// Words of the uniform block, whose binding follows those of the memories.
    pub numbers: u32,
    /// The types of its declared arguments, for the code that launches it.
    pub arguments: Vec<String>,
    /// Its statements.
    pub body: Body,
}

/// Statements in order, and the values that they yield to the enclosing statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// In order.
    pub statements: Vec<Statement>,
    /// Values for the results of the branch, or for the values that the loop carries.
    pub yields: Vec<Id>,
}

/// A statement. Each value is defined once, before its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Defines a value.
    Let(Id, Expression),
    /// Loads values from memory.
    Load(KernelAccess),
    /// Stores values to memory.
    Store(KernelAccess),
    /// Replaces an element of at most 32 bits by a function of itself, atomically: the access's only lane is the element
    /// as it is found, and the body yields the new one. The body may be executed several times.
    Update(KernelAccess, Body),
    /// Waits for all threads of the block; what they have written, to any memory, is visible afterwards.
    Barrier,
    /// Executes one of two bodies, selected by a bit.
    If {
        /// The bit.
        condition: Id,
        /// The values that the bodies yield.
        results: Vec<(Id, Scalar)>,
        /// The body for a set bit, and that for a clear one.
        bodies: [Body; 2],
    },
    /// A loop over indices.
    For(Box<Loop>),
    /// A loop that continues as long as a bit is set.
    While(Box<While>),
}

/// A loop over indices, from the first one, as long as they are below the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The index.
    pub counter: Id,
    /// Its type.
    pub scalar: Scalar,
    /// First, end and step.
    pub range: [Id; 3],
    /// Whether indices are compared as signed integers.
    pub signed: bool,
    /// Values carried from one iteration to the next.
    pub carried: Vec<Carried>,
    /// The body of an iteration.
    pub body: Body,
}

/// A loop of two bodies, with its exit between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct While {
    /// The values that the first body takes, each with its initial value.
    pub carried: Vec<(Id, Id)>,
    /// The first body. It yields the [`While::given`] values.
    pub before: Body,
    /// The bit, computed in the first body, that says whether the loop continues.
    pub condition: Id,
    /// The values that the first body passes to the second one, and to the code after the loop.
    pub given: Vec<PassedOn>,
    /// The second body. It yields the values that the first one takes next.
    pub after: Body,
}

/// A value that the first body of a loop passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedOn {
    /// Its type.
    pub scalar: Scalar,
    /// Its name in the second body.
    pub inside: Id,
    /// Its name after the loop.
    pub result: Id,
}

/// Values carried from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its type.
    pub scalar: Scalar,
    /// Its value before the first iteration.
    pub first: Id,
    /// Its name in an iteration.
    pub inside: Id,
    /// Its name after the loop.
    pub result: Id,
}

/// The program that consists of this kernel.
///
/// # Errors
/// A target that is not portable, or text that naga rejects.
pub fn program(kernel: &PortableKernel, target: Target) -> Result<PortableProgram, Error> {
    let entry = crate::program::ProgramKernel {
        entry: write::ENTRY,
        name: kernel.name.clone(),
        threads: kernel.block.iter().product(),
        elements: None,
    };
    let launch = Launch { workspace: Workspace { tile: 1, words: 0 }, last_epoch: None, subgroup: None };
    let program = PortableProgram::new(write::text(kernel), vec![entry], launch, target)?;
    Ok(program.taking(kernel.arguments.clone()))
}
