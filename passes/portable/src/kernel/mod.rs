//! A kernel as statements on scalars: what copies, and the code around them, become on portable targets.
//!
//! A value is the bits of a scalar: a `u32`, of 64 bits a `vec2<u32>`, of one bit a `bool`. So what is only moved keeps its bits,
//! whatever they stand for. An index is a number of 32 bits.
//!
//! ```
//! use tile_plan::Target;
//! use tile_portable::Scalar;
//! use tile_portable::kernel::{Access, Body, Dimension, Expression, Kernel, Memory, Statement, program};
//!
//! let access = |memory, lanes| Access::new(memory, 0, 32, lanes, 4);
//! let statements = vec![
//!     Statement::Let(0, Expression::Thread(Dimension::X)),
//!     Statement::Load(access(0, vec![1])),
//!     Statement::Store(access(1, vec![1])),
//! ];
//! let kernel = Kernel {
//!     name: "copy".into(),
//!     block: [32, 1, 1],
//!     memories: vec![Memory::Argument; 2],
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
//! | [`expression`] | what gives one value |
//! | `write` | the text |

pub mod expression;
pub mod memory;
mod write;

pub use expression::{Dimension, Expression, Function, Shift};
pub use memory::{Access, Memory};

use tile_plan::Target;
use tile_plan::scan::Workspace;

use crate::element::Scalar;
use crate::operator::Id;
use crate::program::Error;
use crate::program::{Launch, Program};

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// What it is called.
    pub name: String,
    /// Threads of a block, by dimension.
    pub block: [i64; 3],
    /// Its memories: arguments first, in the order of their bindings.
    pub memories: Vec<Memory>,
    /// Words of the uniform block, whose binding is behind those of the memories.
    pub numbers: u32,
    /// What it is declared to take, for those who launch it.
    pub arguments: Vec<String>,
    /// What it does.
    pub body: Body,
}

/// Statements in order, and what they give to what is around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// In order.
    pub statements: Vec<Statement>,
    /// Values for the results of the branch, or for what the loop carries.
    pub yields: Vec<Id>,
}

/// A statement. Each value is given once, before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A value.
    Let(Id, Expression),
    /// Values from memory.
    Load(Access),
    /// Values to memory.
    Store(Access),
    /// Waits for all threads of the block; what they have written, to any memory, is there.
    Barrier,
    /// One of two bodies, by a bit.
    If {
        /// The bit.
        condition: Id,
        /// What the bodies give.
        results: Vec<(Id, Scalar)>,
        /// If it is set, and if not.
        bodies: [Body; 2],
    },
    /// A loop over indices.
    For(Box<Loop>),
    /// A loop as long as a bit is set.
    While(Box<While>),
}

/// A loop over indices: from the first one, as long as they are below the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The index.
    pub counter: Id,
    /// Its type.
    pub scalar: Scalar,
    /// First, end and step.
    pub range: [Id; 3],
    /// Are indices compared with their sign?
    pub signed: bool,
    /// What goes from one iteration to the next.
    pub carried: Vec<Carried>,
    /// An iteration.
    pub body: Body,
}

/// A loop of two bodies, which ends between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct While {
    /// What the first body takes, and what that is before the first iteration.
    pub carried: Vec<(Id, Id)>,
    /// The first body. It yields what is given.
    pub before: Body,
    /// Its bit: does the loop go on?
    pub condition: Id,
    /// What the first body gives to the second one, and to what is behind the loop.
    pub given: Vec<Given>,
    /// The second body. It yields what the first one takes next.
    pub after: Body,
}

/// What the first body of a loop gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its type.
    pub scalar: Scalar,
    /// In the second body.
    pub inside: Id,
    /// Behind the loop.
    pub result: Id,
}

/// What goes from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its type.
    pub scalar: Scalar,
    /// Before the first iteration.
    pub first: Id,
    /// In an iteration.
    pub inside: Id,
    /// Behind the loop.
    pub result: Id,
}

/// The program of a kernel.
///
/// # Errors
/// A target that is not portable, or text that naga does not take.
pub fn program(kernel: &Kernel, target: Target) -> Result<Program, Error> {
    let entry = crate::program::Kernel {
        entry: write::ENTRY,
        name: kernel.name.clone(),
        threads: kernel.block.iter().product(),
        elements: None,
    };
    let launch = Launch { workspace: Workspace { tile: 1, words: 0 }, last_epoch: None, subgroup: None };
    let program = Program::new(write::text(kernel), vec![entry], launch, target)?;
    Ok(program.taking(kernel.arguments.clone()))
}
