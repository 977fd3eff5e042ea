//! A program: one kernel, its arguments and buffers, and what it does.

mod expr;

pub use expr::{Compare, Cond, Expr};

use crate::layout::Layout;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// As MLIR writes it.
    pub name: &'static str,
    /// Its width: 8, 16, 32, 64 or 128, or one that must be refused.
    pub bits: u32,
    /// Is it a signless integer?
    pub integer: bool,
}

impl Element {
    /// Bytes of one element.
    pub fn bytes(self) -> i64 {
        i64::from(self.bits.div_ceil(8))
    }
}

/// Threads that do a copy together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Each alone.
    Thread,
    /// 32.
    Warp,
    /// 128.
    Warpgroup,
    /// All of a block.
    Cta,
}

impl Scope {
    /// The word in the program.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Thread => "thread",
            Scope::Warp => "warp",
            Scope::Warpgroup => "warpgroup",
            Scope::Cta => "cta",
        }
    }

    /// Threads of one such group, in blocks of `block`.
    pub fn threads(self, block: i64) -> i64 {
        match self {
            Scope::Thread => 1,
            Scope::Warp => 32,
            Scope::Warpgroup => 128,
            Scope::Cta => block,
        }
    }
}

/// Where a buffer lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Device memory.
    Global,
    /// A block's memory.
    Shared,
    /// Registers.
    Local,
}

impl Space {
    /// The word in the type.
    pub fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
        }
    }
}

/// A kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Device memory.
    Memory(Storage),
    /// `index`.
    Index(i64),
    /// `memref<nxi32>`, read only: numbers that a program loads.
    Table(Vec<i64>),
}

/// Device memory behind a memref argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// Of its elements.
    pub element: Element,
    /// Extents of the memref.
    pub shape: Vec<i64>,
    /// Its strides where they are not dense.
    pub strides: Option<Vec<i64>>,
    /// Elements from the pointer to its first one.
    pub offset: i64,
    /// `llvm.align` in bytes; the pointer is aligned to this and no more.
    pub align: Option<i64>,
    /// Random values before the launch; else nothing, and it must not be read before it is written.
    pub filled: bool,
    /// Are these values numbers, all of them? What a NaN is converted to depends on the chip.
    pub numbers: bool,
}

impl Storage {
    /// Strides, also of a dense memref.
    pub fn all_strides(&self) -> Vec<i64> {
        let dense = || Layout::row_major(&self.shape).digits.iter().map(|digit| digit.stride).collect();
        self.strides.clone().unwrap_or_else(dense)
    }

    /// Elements from the pointer to the end.
    pub fn elements(&self) -> i64 {
        let last = self.shape.iter().zip(self.all_strides()).map(|(extent, stride)| (extent - 1) * stride);
        self.offset + last.sum::<i64>() + 1
    }
}

/// How a buffer comes by its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `tile.view` of an argument, perhaps through a `memref.subview` that begins so.
    View {
        /// The number of the argument.
        argument: usize,
        /// Begins of the subview.
        window: Option<Vec<Expr>>,
    },
    /// `tile.view` of an argument of one dimension, with extents and strides as operands where the type leaves them to the
    /// run.
    Open {
        /// The number of the argument.
        argument: usize,
        /// The extents that are operands, by dimension.
        extents: Vec<Option<Expr>>,
        /// The strides that are operands.
        strides: Vec<Option<Expr>>,
    },
    /// `tile.alloc`, with an alignment in bytes.
    Alloc(Option<i64>),
    /// `tile.view` of a workgroup attribution of so many elements.
    Attribution(i64),
}

/// A tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Where it is.
    pub space: Space,
    /// Of its elements.
    pub element: Element,
    /// Its extents.
    pub shape: Vec<i64>,
    /// Which place holds which element.
    pub layout: Layout,
    /// Its memory.
    pub source: Source,
}

/// A part of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The number of the buffer.
    pub buffer: usize,
    /// Begin in each dimension; none for the whole buffer.
    pub begin: Vec<Expr>,
    /// Extent in each dimension.
    pub extent: Vec<i64>,
    /// How the program names it.
    pub view: View,
}

/// How a program names a region. What it means is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// In the copy.
    #[default]
    Written,
    /// By `tile.subview`, all of which is copied.
    Part,
    /// The same, then `tile.reshape` without dimensions of extent 1.
    Flat,
    /// The same, then `tile.permute`; both sides of a copy are permuted alike.
    Turned(Vec<usize>),
    /// Of a `tile.cast` of the buffer, to a type that leaves extents and strides to the run where the buffer's states them,
    /// and states them where it leaves them.
    Cast,
}

/// What completes an asynchronous copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The caller commits.
    Caller,
    /// A group of its own.
    Group,
}

/// What makes a copy asynchronous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What completes it.
    pub completion: Completion,
    /// Whether each thread copies its share.
    pub predicate: Option<Cond>,
    /// Zeros where the predicate is false.
    pub fill: bool,
}

/// A copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The number of the copy in the program.
    pub id: usize,
    /// From where.
    pub src: Region,
    /// To where.
    pub dst: Region,
    /// By whom.
    pub scope: Scope,
    /// `tile.copy_async`.
    pub issue: Option<Issue>,
    /// The variant that it requests.
    pub variant: Option<&'static str>,
    /// `cache = "nc"`.
    pub read_only: bool,
    /// May the regions leave their buffers? What is outside is not copied.
    pub masked: bool,
    /// The bits of what an element of the destination becomes whose source is outside.
    pub filler: Option<u64>,
    /// How integers are converted, or that `tf32` is meant: the word of `convert(…)`.
    pub convert: Option<&'static str>,
}

/// What a kernel does, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// A copy.
    Copy(Copy),
    /// `gpu.barrier`.
    Barrier,
    /// `nvvm.cp.async.commit.group`.
    Commit,
    /// `nvvm.cp.async.wait.group`.
    Wait(usize),
    /// `scf.if`.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `scf.for`.
    For {
        /// The number of the variable.
        variable: usize,
        /// First, end, step.
        range: [Expr; 3],
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Each register of each thread: its bits times `factor`, plus `addend`, plus its number.
    Compute {
        /// The buffer.
        buffer: usize,
        /// Odd.
        factor: i64,
        /// Anything.
        addend: i64,
    },
    /// Each thread stores all its registers into its own part of an argument.
    Dump {
        /// The buffer.
        buffer: usize,
        /// The number of the argument.
        argument: usize,
    },
}

/// One kernel and its launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The chip.
    pub chip: &'static str,
    /// Blocks in x, y, z.
    pub grid: [i64; 3],
    /// Threads of a block in x, y, z.
    pub block: [i64; 3],
    /// Does the kernel say how large its blocks are?
    pub known_block: bool,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its tiles.
    pub buffers: Vec<Buffer>,
    /// What it does.
    pub body: Vec<Stmt>,
}

impl Program {
    /// Threads of a block.
    pub fn threads(&self) -> i64 {
        self.block.iter().product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> i64 {
        self.grid.iter().product()
    }
}

/// Calls `visit` for each statement, outer before inner.
pub fn walk<'p>(body: &'p [Stmt], visit: &mut dyn FnMut(&'p Stmt)) {
    for stmt in body {
        visit(stmt);
        match stmt {
            Stmt::If(_, then, otherwise) => {
                walk(then, visit);
                walk(otherwise, visit);
            }
            Stmt::For { body, .. } => walk(body, visit),
            _ => {}
        }
    }
}

/// The copies of a program, in the order of the text.
pub fn copies(body: &[Stmt]) -> Vec<&Copy> {
    let mut found = Vec::new();
    walk(body, &mut |stmt| {
        if let Stmt::Copy(copy) = stmt {
            found.push(copy);
        }
    });
    found
}
