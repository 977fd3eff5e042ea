//! Values that the code of a kernel shares: its arguments, thread ids and shared memory.

use tile_isa::WARP;
use tile_ops::llvm;
use tile_plan::scan::workspace;

use super::operator::{Maybe, Operator};
use crate::emit::{Cmp, EmittedElement, Kit, Special, Val};

/// An array whose elements are numbered in the order of the scan.
///
/// ```text
///   address     a   a + 4   a + 8   a + 12       elements of 4 bytes
///   stride 1    0     1       2       3          first = a,      step = 4
///   stride -1   3     2       1       0          first = a + 12, step = -4
/// ```
#[derive(Clone, Copy)]
pub struct ScannedArray<'c, 'a> {
    /// The address of element 0.
    pub first: Val<'c, 'a>,
    /// Bytes from an element to the next one.
    pub step: i64,
    /// The element type.
    pub element: EmittedElement<'c>,
    /// The alignment of element 0, in bytes.
    pub alignment: i64,
}

impl<'c: 'a, 'a> ScannedArray<'c, 'a> {
    /// The address of an element (i64).
    pub fn place(&self, kit: Kit<'c, 'a>, index: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.first, kit.times(index, self.step))
    }

    /// The address of the element `offset` elements after the one at `pointer`.
    pub fn after(&self, kit: Kit<'c, 'a>, pointer: Val<'c, 'a>, offset: i64) -> Val<'c, 'a> {
        kit.beyond(pointer, offset * self.step)
    }

    /// The alignment of a single element, in bytes.
    pub fn lone_alignment(&self) -> i64 {
        self.element.bytes().min(self.alignment)
    }

    /// Reads the element at a pointer, from memory that is not written while the kernel runs.
    pub fn read(&self, kit: Kit<'c, 'a>, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
        let loaded = kit.load_constant(pointer, self.element.vector_type(1), self.lone_alignment());
        self.element.unpack(kit, loaded, 1)[0]
    }

    /// Reads an element of the array that was copied to shared memory.
    pub fn read_shared(&self, kit: Kit<'c, 'a>, pointer: Val<'c, 'a>) -> Val<'c, 'a> {
        self.element.unpack(kit, kit.load(pointer, self.element.vector_type(1), self.element.bytes()), 1)[0]
    }

    /// Writes the element at a pointer.
    pub fn write(&self, kit: Kit<'c, 'a>, pointer: Val<'c, 'a>, item: Val<'c, 'a>) {
        kit.store(self.element.pack(kit, &[item]), pointer, self.lone_alignment());
    }
}

/// What the blocks of a kernel exchange, and where: the part of a kernel that knows nothing of its arrays.
#[derive(Clone, Copy)]
pub struct TileChain<'c, 'a> {
    /// The operator.
    pub operator: Operator<'c, 'a>,
    /// The workspace.
    pub workspace: Val<'c, 'a>,
    /// The number of elements, i64.
    pub n: Val<'c, 'a>,
    /// The number of the launch, i32.
    pub epoch: Val<'c, 'a>,
    /// Shared memory.
    pub shared: Val<'c, 'a>,
    /// The initial value, combined before the first element; `None` for an inclusive scan without one.
    pub first: Option<Val<'c, 'a>>,
    /// The most that one element is, where elements are counts that are added up.
    pub most: Option<i64>,
    /// The thread's index in the block.
    pub thread: Val<'c, 'a>,
    /// The lane's index in the warp.
    pub lane: Val<'c, 'a>,
    /// The warp's index in the block.
    pub warp: Val<'c, 'a>,
}

/// A kernel of a scan that is being written.
#[derive(Clone, Copy)]
pub struct ScanKernel<'c, 'a> {
    /// What its blocks exchange.
    pub chain: TileChain<'c, 'a>,
    /// The source array.
    pub source: ScannedArray<'c, 'a>,
    /// The destination array.
    pub dest: ScannedArray<'c, 'a>,
    /// Whether each result excludes its own element.
    pub exclusive: bool,
}

/// The arguments of a kernel that the chain of its blocks takes, and its shared memory.
#[derive(Clone, Copy)]
pub struct ChainArguments<'c, 'a> {
    /// The workspace.
    pub workspace: Val<'c, 'a>,
    /// The number of elements, i64.
    pub n: Val<'c, 'a>,
    /// The number of the launch, i32.
    pub epoch: Val<'c, 'a>,
    /// Shared memory.
    pub shared: Val<'c, 'a>,
}

impl<'c: 'a, 'a> TileChain<'c, 'a> {
    /// The chain of a kernel's blocks; `first` is the initial value.
    pub fn new(
        kit: Kit<'c, 'a>,
        operator: Operator<'c, 'a>,
        first: Option<Val<'c, 'a>>,
        arguments: ChainArguments<'c, 'a>,
    ) -> Self {
        let thread = kit.special(Special::Thread);
        let ChainArguments { workspace, n, epoch, shared } = arguments;
        let (lane, warp) = (kit.special(Special::Lane), kit.over(thread, WARP));
        TileChain { operator, workspace, n, epoch, shared, first, most: None, thread, lane, warp }
    }

    /// The element type.
    pub fn element(&self) -> EmittedElement<'c> {
        self.operator.element
    }

    /// Bytes of an element.
    pub fn bytes(&self) -> i64 {
        self.element().bytes()
    }

    /// The address of an element of an array of the workspace.
    pub fn element_at(&self, kit: Kit<'c, 'a>, array: Val<'c, 'a>, index: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(array, kit.times(index, self.bytes()))
    }

    /// The number of tiles of `elements` elements in the array, i32.
    pub fn tiles(&self, kit: Kit<'c, 'a>, elements: i64) -> Val<'c, 'a> {
        kit.narrow(kit.over(kit.plus(self.n, elements - 1), elements))
    }

    /// The address of a field at the start of the workspace.
    pub fn field(&self, kit: Kit<'c, 'a>, offset: i64) -> Val<'c, 'a> {
        kit.beyond(self.workspace, offset)
    }

    /// The initial value, if there is one.
    pub fn beginning(&self, kit: Kit<'c, 'a>) -> Maybe<'c, 'a> {
        match self.first {
            Some(first) => Maybe::always(first),
            None => Maybe::where_set(self.nothing(kit), kit.int(1, 0)),
        }
    }

    /// An element whose value is never used: zero bits.
    pub fn nothing(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        llvm::mlir_zero(kit.builder, self.element().0.r#type).value()
    }

    /// Whether the thread is the first lane of its warp.
    pub fn is_first_lane(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        kit.is(Cmp::Eq, self.lane, 0)
    }

    /// Adds to an 8-byte counter of the workspace.
    pub fn count(&self, kit: Kit<'c, 'a>, field: i64, by: Val<'c, 'a>) {
        assert!((workspace::POLLS..workspace::STATES).contains(&field));
        kit.fetch_add(self.field(kit, field), kit.wide(by));
    }
}
