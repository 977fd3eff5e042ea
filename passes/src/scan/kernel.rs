//! What the code of one kernel shares: its arguments, its threads, its shared memory.

use tile_ops::llvm;
use tile_plan::scan::workspace;

use super::element::Element;
use super::operator::{Maybe, Operator};
use crate::emit::{Cmp, Kit, Val};

/// A kernel that is being written.
#[derive(Clone, Copy)]
pub struct Kernel<'c, 'a> {
    /// The operator.
    pub operator: Operator<'c, 'a>,
    /// The array that is scanned.
    pub source: Val<'c, 'a>,
    /// Where results go.
    pub dest: Val<'c, 'a>,
    /// The workspace.
    pub workspace: Val<'c, 'a>,
    /// Elements, i64.
    pub n: Val<'c, 'a>,
    /// Number of the launch, i32.
    pub epoch: Val<'c, 'a>,
    /// What comes before the first element; nothing, where an inclusive scan has no first value.
    pub first: Option<Val<'c, 'a>>,
    /// Does a result leave its element out?
    pub exclusive: bool,
    /// What the arrays are aligned to, in bytes.
    pub alignment: i64,
    /// Shared memory.
    pub shared: Val<'c, 'a>,
    /// Thread of the block.
    pub thread: Val<'c, 'a>,
    /// Lane of the warp.
    pub lane: Val<'c, 'a>,
    /// Warp of the block.
    pub warp: Val<'c, 'a>,
}

impl<'c: 'a, 'a> Kernel<'c, 'a> {
    /// The element type.
    pub fn element(&self) -> Element<'c> {
        self.operator.element
    }

    /// Bytes of an element.
    pub fn bytes(&self) -> i64 {
        self.element().bytes()
    }

    /// Alignment of a lone element of the arrays, in bytes.
    pub fn lone_alignment(&self) -> i64 {
        self.bytes().min(self.alignment)
    }

    /// The address of an element of an array.
    pub fn element_at(&self, kit: Kit<'c, 'a>, array: Val<'c, 'a>, index: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(array, kit.times(index, self.bytes()))
    }

    /// How many tiles of so many elements the array has, i32.
    pub fn tiles(&self, kit: Kit<'c, 'a>, elements: i64) -> Val<'c, 'a> {
        kit.narrow(kit.over(kit.plus(self.n, elements - 1), elements))
    }

    /// A field at the start of the workspace.
    pub fn field(&self, kit: Kit<'c, 'a>, offset: i64) -> Val<'c, 'a> {
        kit.beyond(self.workspace, offset)
    }

    /// What comes before the first element.
    pub fn beginning(&self, kit: Kit<'c, 'a>) -> Maybe<'c, 'a> {
        match self.first {
            Some(first) => Maybe::always(first),
            None => Maybe::where_set(self.nothing(kit), kit.int(1, 0)),
        }
    }

    /// An element that is never looked at: zero bits.
    pub fn nothing(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        llvm::mlir_zero(kit.builder, self.element().0.r#type).value()
    }

    /// The lowest thread of the warp.
    pub fn is_first_lane(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        kit.is(Cmp::Eq, self.lane, 0)
    }

    /// Adds to a counter of the workspace, which has 8 bytes.
    pub fn count(&self, kit: Kit<'c, 'a>, field: i64, by: Val<'c, 'a>) {
        assert!((workspace::POLLS..workspace::STATES).contains(&field));
        kit.fetch_add(self.field(kit, field), kit.wide(by));
    }
}
