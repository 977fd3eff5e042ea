//! A program: one kernel, its arguments, buffers and statements.

mod expr;

pub use expr::{Compare, Cond, Expr};

use crate::layout::Layout;
use crate::reduce::Operator;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name in MLIR.
    pub name: &'static str,
    /// Its width in bits: 8, 16, 32, 64 or 128, or one that the compiler must refuse.
    pub bits: u32,
    /// Whether it is a signless integer.
    pub integer: bool,
}

impl Element {
    /// Bytes of one element.
    pub fn bytes(self) -> i64 {
        i64::from(self.bits.div_ceil(8))
    }
}

/// The threads that do a copy together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// A single thread.
    Thread,
    /// 32 threads.
    Warp,
    /// 128 threads.
    Warpgroup,
    /// All threads of a block.
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

    /// The number of threads in one such group, in blocks of `block` threads.
    pub fn threads(self, block: i64) -> i64 {
        match self {
            Scope::Thread => 1,
            Scope::Warp => 32,
            Scope::Warpgroup => 128,
            Scope::Cta => block,
        }
    }
}

/// The memory space of a buffer.
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
    /// `memref<nxi32>`, read-only: numbers that a program loads.
    Table(Vec<i64>),
}

/// The device memory of a memref argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The element type.
    pub element: Element,
    /// Extents of the memref.
    pub shape: Vec<i64>,
    /// Its strides, if it is not dense.
    pub strides: Option<Vec<i64>>,
    /// Offset in elements from the pointer to the first element.
    pub offset: i64,
    /// `llvm.align` in bytes; the pointer is aligned to exactly this.
    pub align: Option<i64>,
    /// Whether it holds random values before the launch; otherwise it must not be read before it is written.
    pub filled: bool,
    /// Whether all these values are numbers, not NaN. The result of converting a NaN depends on the chip.
    pub numbers: bool,
}

impl Storage {
    /// The strides, also for a dense memref.
    pub fn all_strides(&self) -> Vec<i64> {
        let dense = || Layout::row_major(&self.shape).digits.iter().map(|digit| digit.stride).collect();
        self.strides.clone().unwrap_or_else(dense)
    }

    /// The number of elements from the pointer to the end.
    pub fn elements(&self) -> i64 {
        let last = self.shape.iter().zip(self.all_strides()).map(|(extent, stride)| (extent - 1) * stride);
        self.offset + last.sum::<i64>() + 1
    }
}

/// The origin of a buffer's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `tile.view` of an argument, optionally through a `memref.subview`.
    View {
        /// The number of the argument.
        argument: usize,
        /// The offsets of the subview.
        window: Option<Vec<Expr>>,
    },
    /// `tile.view` of an argument of one dimension, with operands for the extents and strides that the type leaves to
    /// run time.
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
    /// `tile.view` of a workgroup attribution with this number of elements.
    Attribution(i64),
}

/// A tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its memory space.
    pub space: Space,
    /// The element type.
    pub element: Element,
    /// Its extents.
    pub shape: Vec<i64>,
    /// Its layout.
    pub layout: Layout,
    /// Its memory.
    pub source: Source,
}

/// A part of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The number of the buffer.
    pub buffer: usize,
    /// Start in each dimension; none for the whole buffer.
    pub begin: Vec<Expr>,
    /// Extent in each dimension.
    pub extent: Vec<i64>,
    /// How the program expresses it.
    pub view: View,
}

/// How a program expresses a region; its meaning is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// In the copy itself.
    #[default]
    Written,
    /// By a `tile.subview` that is copied as a whole.
    Part,
    /// By `tile.subview`, then a `tile.reshape` that removes dimensions of extent 1.
    Flat,
    /// By `tile.subview`, then `tile.permute`; both sides of a copy are permuted alike.
    Turned(Vec<usize>),
    /// In a `tile.cast` of the buffer, to a type with dynamic extents and strides if the buffer's are static, and with
    /// static ones if they are dynamic.
    Cast,
}

/// The completion mechanism of an asynchronous copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The caller commits.
    Caller,
    /// A separate group.
    Group,
}

/// The properties of an asynchronous copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Its completion mechanism.
    pub completion: Completion,
    /// The condition under which a thread copies its share.
    pub predicate: Option<Cond>,
    /// Whether zeros are written where the predicate is false.
    pub fill: bool,
}

/// A copy, a reduction or a fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The number of the copy in the program.
    pub id: usize,
    /// The source; that of a fill is the destination, which is not read.
    pub src: Region,
    /// The destination.
    pub dst: Region,
    /// What becomes of the elements.
    pub effect: Effect,
    /// The threads that copy.
    pub scope: Scope,
    /// The properties of a `tile.copy_async`.
    pub issue: Option<Issue>,
    /// The variant that it requests.
    pub variant: Option<&'static str>,
    /// `cache = "nc"`.
    pub read_only: bool,
    /// Whether the regions may exceed their buffers. Elements outside are not copied.
    pub masked: bool,
    /// The bits that an element of the destination receives if its source is outside.
    pub filler: Option<u64>,
    /// The word of `convert(…)`: the signedness of integers, or `tf32`.
    pub convert: Option<&'static str>,
}

/// What becomes of the elements of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They are those of the source.
    Moved,
    /// They are combined with those of the source, atomically.
    Reduced(Operator),
    /// All have these bits.
    Filled(u64),
}

/// A statement of a kernel.
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
        /// Start, end and step.
        range: [Expr; 3],
        /// The repeated statements.
        body: Vec<Stmt>,
    },
    /// Replaces the bits of each register of each thread by their product with `factor`, plus `addend`, plus the
    /// register's number.
    Compute {
        /// The buffer.
        buffer: usize,
        /// An odd number.
        factor: i64,
        /// Any number.
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
    /// Whether the kernel states its block size.
    pub known_block: bool,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its tiles.
    pub buffers: Vec<Buffer>,
    /// Its statements.
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

/// Calls `visit` for each statement, outer ones before inner ones.
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
    let mut copies = Vec::new();
    walk(body, &mut |stmt| {
        if let Stmt::Copy(copy) = stmt {
            copies.push(copy);
        }
    });
    copies
}
