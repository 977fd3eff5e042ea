//! Kernels whose accesses may or may not be ordered: a tree of statements.
//!
//! Expressions are written at their use, so that each statement can be removed without the others. What encloses a
//! statement binds names by number: the variable of a loop, and the memory that a loop carries or that a binding names.
//!
//! Every memory has [`Kernel::elements`] elements for each block, and is accessed through windows of as many elements as
//! the block has threads. A window begins in the first half; moves and indices stay below the rest.

/// A kernel, and its launch.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Threads of a block.
    pub threads: i64,
    /// Blocks of the grid.
    pub blocks: i64,
    /// The memories that accesses choose from.
    pub memories: Vec<Source>,
    /// The run-time argument `%n`.
    pub number: i64,
    /// The run-time argument `%q`.
    pub flag: bool,
    /// Whether barriers are to be inserted; otherwise, the kernel has some.
    pub insert: bool,
    /// The statements.
    pub body: Vec<Statement>,
}

impl Kernel {
    /// Elements of each memory, per block.
    pub fn elements(&self) -> i64 {
        4 * self.threads
    }
}

/// What a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A workgroup memref.
    Workgroup,
    /// A `tile.alloc` in shared memory.
    Tile,
    /// A global variable of the LLVM dialect in shared memory.
    Variable,
    /// An argument in global memory.
    Argument,
}

/// How a value refers to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A memref in shared memory.
    SharedMemref,
    /// A memref in global memory.
    GlobalMemref,
    /// An `!llvm.ptr<3>`.
    SharedPointer,
    /// An `!llvm.ptr<1>`.
    GlobalPointer,
    /// An `!llvm.ptr`.
    GenericPointer,
    /// A tile in shared memory.
    SharedTile,
    /// A tile in global memory.
    GlobalTile,
}

impl Reference {
    /// Whether a memory can be referred to in this way.
    pub fn accepts(self, source: Source) -> bool {
        match self {
            Self::SharedMemref => source == Source::Workgroup,
            Self::SharedPointer => source != Source::Argument,
            Self::GlobalMemref | Self::GlobalPointer | Self::GlobalTile => source == Source::Argument,
            Self::GenericPointer => true,
            Self::SharedTile => matches!(source, Source::Workgroup | Source::Tile),
        }
    }

    /// Whether it is an LLVM pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::SharedPointer | Self::GlobalPointer | Self::GenericPointer)
    }

    /// Whether it is a tile.
    pub fn is_tile(self) -> bool {
        matches!(self, Self::SharedTile | Self::GlobalTile)
    }
}

/// A number of type index, which is never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A constant.
    Constant(i64),
    /// The thread.
    Thread,
    /// The block.
    Block,
    /// The argument `%n`.
    Number,
    /// The variable of a loop: its number, and the most that it can be.
    Variable(usize, i64),
    /// A sum.
    Sum(Box<Index>, Box<Index>),
    /// A constant less another number.
    Difference(i64, Box<Index>),
    /// A multiple.
    Times(Box<Index>, i64),
    /// A quotient.
    Quotient(Box<Index>, i64),
    /// A remainder.
    Remainder(Box<Index>, i64),
    /// The bits in which a number and a constant differ.
    Xor(Box<Index>, i64),
    /// One of two numbers.
    Select(Box<Condition>, Box<Index>, Box<Index>),
    /// An element of the table in global memory, which holds numbers below the number of threads.
    Table(Box<Index>),
    /// An element of a memory, modulo a constant.
    Element(Box<Memory>, Reference, Box<Index>, i64),
}

/// A truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The argument `%q`.
    Flag,
    /// Whether a number is below a constant.
    Below(Index, i64),
    /// Whether a number is a constant.
    Is(Index, i64),
    /// Whether the thread is elected.
    Elected,
    /// Whether both hold.
    And(Box<Condition>, Box<Condition>),
    /// Whether it does not hold.
    Not(Box<Condition>),
}

/// A value that refers to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The part of a memory that begins at an element.
    Window(usize, Box<Index>),
    /// One of two, by `arith.select` or, if `branch`, as a result of `scf.if`.
    Choice {
        /// Whether a branch yields it.
        branch: bool,
        /// The condition.
        condition: Box<Condition>,
        /// If it holds.
        then: Box<Memory>,
        /// If it does not.
        otherwise: Box<Memory>,
    },
    /// What an enclosing statement binds, by its number.
    Bound(usize),
    /// A pointer and a number of elements beyond it; `integer` if through `inttoptr`.
    Moved {
        /// Whether the address is computed as an integer.
        integer: bool,
        /// The pointer.
        from: Box<Memory>,
        /// Elements.
        by: Box<Index>,
    },
}

/// The operation of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `memref.load` and `memref.store`; of pointers, `llvm.load` and `llvm.store`.
    Plain,
    /// `affine.load` and `affine.store`; of pointers, accesses of one byte.
    Affine,
    /// `vector.load` and `vector.store`; of pointers, accesses of two elements.
    Pair,
    /// `vector.transfer_read` and `vector.transfer_write`; of pointers, accesses of half an element.
    Transfer,
    /// Adds atomically, where it is a store.
    Atomic,
}

/// The scope of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each thread.
    Thread,
    /// Each warp.
    Warp,
    /// The block.
    Block,
}

/// A region of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// How the tile is referred to.
    pub reference: Reference,
    /// The tile.
    pub memory: Memory,
    /// The first element.
    pub begin: Index,
}

/// The kind of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// `scf.for`.
    For,
    /// `scf.while`.
    While,
    /// Branches of the cf dialect.
    Branches,
}

/// What a loop carries from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Its number.
    pub number: usize,
    /// Its type.
    pub reference: Reference,
    /// Its first value.
    pub first: Memory,
    /// The next value, inside the loop.
    pub next: Memory,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A load whose value is stored to a place of its own, or a store.
    Access {
        /// Whether it stores.
        store: bool,
        /// The operation.
        form: Form,
        /// How the memory is referred to.
        reference: Reference,
        /// The memory.
        memory: Memory,
        /// The element.
        index: Index,
        /// The number of the statement, which determines what it stores, or where a load leaves its value.
        number: usize,
    },
    /// All threads write all elements of a memory, each its own.
    Initialize(usize),
    /// A `tile.copy`; to registers, and from these to a place of its own, if there is no destination.
    Copy {
        /// Who copies.
        scope: Scope,
        /// Elements.
        count: i64,
        /// The source.
        from: Region,
        /// The destination.
        to: Option<Region>,
        /// Whether it is a `tile.copy_async` of a group.
        asynchronous: bool,
        /// The number of the statement.
        number: usize,
    },
    /// A `tile.fill`.
    Fill(Scope, i64, Region),
    /// A `cp.async` of one element from the table to a pointer.
    CopyAsync(Memory, Index),
    /// A `gpu.shuffle`, whose value is stored to a place of its own, by the number of the statement.
    Shuffle(usize),
    /// `cp.async.commit_group`.
    Commit,
    /// `cp.async.wait_group`.
    Wait(i64),
    /// `gpu.barrier`.
    Barrier,
    /// A barrier by its number, for a number of threads.
    Named(i64, i64),
    /// `bar.warp.sync`, with a mask.
    WarpBarrier(i32),
    /// A branch.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A branch of the cf dialect.
    Branch(Condition, Vec<Statement>, Vec<Statement>),
    /// `scf.index_switch`.
    Switch(Index, Vec<Vec<Statement>>),
    /// `scf.execute_region`.
    Region(Vec<Statement>),
    /// Memory that is computed once, and used by several statements.
    Bind {
        /// Its number.
        number: usize,
        /// Its type.
        reference: Reference,
        /// The memory.
        memory: Memory,
        /// Its uses.
        body: Vec<Statement>,
    },
    /// A loop from 0.
    Loop {
        /// The operation.
        kind: LoopKind,
        /// The number of its variable.
        variable: usize,
        /// The end.
        end: Index,
        /// What it carries.
        carried: Option<Carried>,
        /// The statements.
        body: Vec<Statement>,
    },
}

impl Statement {
    /// The statements inside.
    pub fn bodies(&self) -> Vec<&Vec<Statement>> {
        match self {
            Self::If(_, then, otherwise) | Self::Branch(_, then, otherwise) => vec![then, otherwise],
            Self::Switch(_, cases) => cases.iter().collect(),
            Self::Region(body) | Self::Bind { body, .. } | Self::Loop { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The statements inside.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Self::If(_, then, otherwise) | Self::Branch(_, then, otherwise) => vec![then, otherwise],
            Self::Switch(_, cases) => cases.iter_mut().collect(),
            Self::Region(body) | Self::Bind { body, .. } | Self::Loop { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Whether it orders accesses, and accesses nothing.
    pub fn is_synchronization(&self) -> bool {
        matches!(self, Self::Barrier | Self::Named(..) | Self::WarpBarrier(_) | Self::Commit | Self::Wait(_))
    }
}

/// The number of a statement that has one.
pub fn number(statement: &Statement) -> Option<usize> {
    match statement {
        Statement::Access { number, .. } | Statement::Copy { number, .. } | Statement::Shuffle(number) => Some(*number),
        _ => None,
    }
}
