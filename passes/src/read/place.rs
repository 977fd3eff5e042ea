//! The memory of a memref or a pointer, and its distance from other memrefs of that memory.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::ir::{argument_of, defining_op};
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};
use tile_ops::{arith, builtin, gpu, interface, llvm, memref, tile};

use super::divisibility;

use super::values::key;
use super::{kernel, name};
use crate::shim;

/// How memory was made or passed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// An argument of a kernel, or of a launch: no other argument overlaps it (`noalias`).
    Argument(usize),
    /// An argument of another function, which may be any memory that was there before the call.
    Borrowed(usize),
    /// Made in the function.
    Made(usize),
    /// A global, by its name.
    Global(String),
    /// Dynamic shared memory, of which there is one.
    Dynamic,
    /// Tensor memory whose address `tcgen05.alloc` stores at this location: the memory and the byte.
    Tensor(Box<Root>, i64),
    /// Tensor memory at another address.
    SomeTensor(usize),
    /// Not known.
    Unknown(usize),
}

impl Root {
    /// Whether it is tensor memory.
    fn is_tensor(&self) -> bool {
        matches!(self, Root::Tensor(..) | Root::SomeTensor(_))
    }

    /// Whether the two may be the same memory.
    pub fn may_alias(&self, other: &Root) -> bool {
        match (self, other) {
            (Root::Tensor(..), Root::Tensor(..)) => self == other,
            (Root::Tensor(..) | Root::SomeTensor(_), _) | (_, Root::Tensor(..) | Root::SomeTensor(_)) => {
                self.is_tensor() && other.is_tensor()
            }
            (Root::Unknown(_), _) | (_, Root::Unknown(_)) => true,
            (Root::Made(_), _) | (_, Root::Made(_)) => self == other,
            (Root::Borrowed(_), _) | (_, Root::Borrowed(_)) => true,
            _ => self == other,
        }
    }
}

/// The address of a memref's first element: bytes from an anchor that other memrefs may share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The memory.
    pub root: Root,
    /// Identity of the anchor: that of the root, or of a memref whose distance from it is known only at run time.
    pub anchor: usize,
    /// The distance from the anchor, in bytes.
    pub bytes: i64,
}

/// The memory of a memref or a pointer.
pub fn root<'c: 'a, 'a>(value: Value<'c, 'a>) -> Root {
    let mut at = value;
    while let Some(op) = defining_op(at) {
        match (is_derived(name(op)), op.operand_at(0)) {
            (true, Some(source)) => at = source,
            _ => return of_op(op, at),
        }
    }
    of_argument(at)
}

/// The address of a memref's first element.
pub fn place<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Place {
    let root = root(memref);
    // Bytes from the pointer of `at` to the first element of `memref`; lost where they are known only at run time.
    let (mut at, mut shift) = (memref, 0);
    let Some(offset) = offset_bytes(memref) else {
        return Place { root, anchor: key(same_element(memref)), bytes: 0 };
    };
    while let Some(op) = defining_op(at).filter(|op| is_derived(name(*op))) {
        if name(op) == memref::ViewOp::NAME {
            let moved = op.operand_at(1).and_then(|bytes| divisibility::of(bytes).constant());
            let Some(moved) = moved else { break };
            shift += moved;
        }
        let Some(source) = op.operand_at(0) else { break };
        at = source;
    }
    let anchor = if is_root(at) { identity(&root) } else { key(at) };
    Place { root, anchor, bytes: shift + offset }
}

/// Whether an op's result is in the memory of its first operand.
fn is_derived(name: &str) -> bool {
    const DERIVED: [&str; 26] = [
        arith::IndexCastOp::NAME,
        arith::IndexCastUIOp::NAME,
        builtin::UnrealizedConversionCastOp::NAME,
        llvm::AddrSpaceCastOp::NAME,
        llvm::BitcastOp::NAME,
        llvm::GEPOp::NAME,
        llvm::IntToPtrOp::NAME,
        llvm::PtrToIntOp::NAME,
        memref::AssumeAlignmentOp::NAME,
        memref::CastOp::NAME,
        memref::CollapseShapeOp::NAME,
        memref::ExpandShapeOp::NAME,
        memref::ExtractAlignedPointerAsIndexOp::NAME,
        memref::MemorySpaceCastOp::NAME,
        memref::ReinterpretCastOp::NAME,
        memref::SubViewOp::NAME,
        memref::TransposeOp::NAME,
        memref::ViewOp::NAME,
        tile::AssumeOp::NAME,
        tile::CastOp::NAME,
        tile::LocalViewOp::NAME,
        tile::PartsOp::NAME,
        tile::PermuteOp::NAME,
        tile::ReshapeOp::NAME,
        tile::SubviewOp::NAME,
        tile::ViewOp::NAME,
    ];
    DERIVED.contains(&name)
}

fn is_root(value: Value<'_, '_>) -> bool {
    defining_op(value).is_none_or(|op| !is_derived(name(op)))
}

/// The first of the memrefs that share the first element of this one, where its distance is known only at run time.
fn same_element<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut at = memref;
    while let Some(op) = defining_op(at) {
        let keeps = [
            memref::AssumeAlignmentOp::NAME,
            memref::CastOp::NAME,
            memref::MemorySpaceCastOp::NAME,
            tile::AssumeOp::NAME,
        ];
        let Some(source) = op.operand_at(0) else { break };
        if !keeps.contains(&name(op)) || offset_bytes(source).is_some() {
            break;
        }
        at = source;
    }
    at
}

/// The offset that a memref's type states, in bytes.
fn offset_bytes(memref: Value<'_, '_>) -> Option<i64> {
    let r#type = MemRefType::try_from(memref.r#type()).ok()?;
    let (_, offset) = strides_and_offset(r#type).filter(|(_, offset)| *offset != DYNAMIC)?;
    offset.checked_mul(i64::from(bit_width(r#type.element())?.div_ceil(8)))
}

fn identity(root: &Root) -> usize {
    match root {
        Root::Argument(key) | Root::Borrowed(key) | Root::Made(key) | Root::Unknown(key) | Root::SomeTensor(key) => {
            *key
        }
        // Equal memory has the same anchor; differences between such roots are compared by the root itself.
        Root::Global(_) | Root::Dynamic | Root::Tensor(..) => 0,
    }
}

fn of_op(op: OperationRef<'_, '_>, value: Value<'_, '_>) -> Root {
    let made =
        [memref::AllocOp::NAME, memref::AllocaOp::NAME, gpu::AllocOp::NAME, tile::AllocOp::NAME, llvm::AllocaOp::NAME];
    match name(op) {
        memref::GetGlobalOp::NAME | llvm::AddressOfOp::NAME => {
            let symbol = ["name", "global_name"].into_iter().find_map(|name| op.attribute(name).ok());
            symbol.map_or(Root::Unknown(key(value)), |symbol| Root::Global(symbol.to_string()))
        }
        gpu::DynamicSharedMemoryOp::NAME => Root::Dynamic,
        made_by if made.contains(&made_by) => Root::Made(key(value)),
        _ => Root::Unknown(key(value)),
    }
}

fn of_argument(value: Value<'_, '_>) -> Root {
    let Some((block, number)) = argument_of(value) else { return Root::Unknown(key(value)) };
    let Some(function) = block.parent_operation() else { return Root::Unknown(key(value)) };
    let entry = function.regions().next().and_then(|region| region.first_block());
    let own = entry.is_some_and(|entry| entry.to_raw().ptr == block.to_raw().ptr);
    let attribution = number >= shim::inputs(function);
    match () {
        () if !own || !(interface::is_function(function) || name(function) == gpu::LaunchOp::NAME) => {
            Root::Unknown(key(value))
        }
        // Workgroup and private memory.
        () if attribution => Root::Made(key(value)),
        () if kernel::is_entry(function) => Root::Argument(key(value)),
        () => Root::Borrowed(key(value)),
    }
}
