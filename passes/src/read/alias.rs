//! Which memory a memref, a tile or a pointer is of, and whether two of them may overlap. Every analysis asks here.
//!
//! ```text
//!   %p = arith.select %c, %s, %t                        one of %s and %t
//!   scf.for … iter_args(%p = %s) { scf.yield %v }       one of %s, and what %v is of
//!   %p = llvm.load %slot                                not known: anything of its address space
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, argument_of, defining_op, is_inside};
use tile_dialect::{BufferType, NOALIAS, Space, memref as memrefs};
use tile_ops::{arith, builtin, gpu, interface, llvm, llvm_type, memref, tile};

use super::values::key;
use super::{joins, kernel, name};
use crate::read::error::ReadError;
use crate::shim;

/// How memory was made or passed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// An argument of a kernel.
    Argument(usize),
    /// An argument of another function, which may be any memory that was there before the call.
    Borrowed(usize, Option<Space>),
    /// Made in the function.
    Made(usize, Option<Space>),
    /// A global, by its name.
    Global(String, Option<Space>),
    /// Dynamic shared memory, of which there is one.
    Dynamic,
    /// Tensor memory whose address `tcgen05.alloc` stores at this location: the memory and the byte.
    Tensor(Box<Root>, i64),
    /// Tensor memory at another address.
    SomeTensor(usize),
    /// One of several, chosen at run time for the value of this identity.
    OneOf(usize, Vec<Root>),
    /// Not known.
    Unknown(usize, Option<Space>),
}

impl Root {
    /// The memory of an allocation.
    pub fn of_allocation(made: Value<'_, '_>) -> Self {
        Root::Made(key(made), space(made))
    }

    /// The memories that it may be.
    pub fn each(&self) -> &[Root] {
        match self {
            Root::OneOf(_, roots) => roots,
            _ => std::slice::from_ref(self),
        }
    }

    /// The address space; `None` where it is not known.
    pub fn space(&self) -> Option<Space> {
        match self {
            Root::Argument(_) => Some(Space::Global),
            Root::Dynamic => Some(Space::Shared),
            Root::Tensor(..) | Root::SomeTensor(_) => Some(Space::Tmem),
            Root::Borrowed(_, space) | Root::Made(_, space) | Root::Global(_, space) | Root::Unknown(_, space) => {
                *space
            }
            Root::OneOf(_, roots) => {
                let first = roots.first()?.space();
                first.filter(|_| roots.iter().all(|root| root.space() == first))
            }
        }
    }

    /// Whether it may be memory that is known only by its space.
    pub fn is_unknown(&self) -> bool {
        self.each().iter().any(|root| matches!(root, Root::Unknown(..)))
    }

    /// Whether the two may overlap. `noalias`: whether the [caller promises](noalias) that arguments do not.
    pub fn may_alias(&self, other: &Root, noalias: bool) -> bool {
        let spaces = [self.space(), other.space()];
        if matches!(spaces, [Some(a), Some(b)] if a != b) {
            return false;
        }
        if spaces.iter().any(|space| matches!(space, Some(Space::Local | Space::Tmem))) && spaces[0] != spaces[1] {
            // No pointer points to registers of another thread, or to tensor memory.
            return false;
        }
        match (self, other) {
            (Root::OneOf(_, roots), other) | (other, Root::OneOf(_, roots)) => {
                roots.iter().any(|root| root.may_alias(other, noalias))
            }
            (Root::SomeTensor(_), _) | (_, Root::SomeTensor(_)) | (Root::Unknown(..), _) | (_, Root::Unknown(..)) => {
                true
            }
            (Root::Made(..), _) | (_, Root::Made(..)) => self == other,
            (Root::Borrowed(..), _) | (_, Root::Borrowed(..)) => true,
            (Root::Argument(_), Root::Argument(_) | Root::Global(..)) | (Root::Global(..), Root::Argument(_)) => {
                self == other || !noalias
            }
            _ => self == other,
        }
    }
}

/// Whether memory that a kernel writes through one argument or global is not accessed through another: what the kernel states,
/// else the option of the pass.
///
/// # Errors
/// The kernel states neither: got and expected.
pub fn noalias(function: OperationRef<'_, '_>, option: bool) -> Result<bool, ReadError> {
    let Ok(stated) = function.attribute(NOALIAS) else { return Ok(option) };
    match stated.to_string().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(ReadError::NoAlias(other.to_owned())),
    }
}

/// The memory of a memref, a tile or a pointer.
pub fn root<'c: 'a, 'a>(value: Value<'c, 'a>) -> Root {
    let (value, space) = base(value, None);
    let (mut waiting, mut met, mut roots) = (vec![(value, space)], HashSet::new(), Vec::new());
    while let Some((next, space)) = waiting.pop() {
        let (next, space) = base(next, space);
        if !met.insert(key(next)) {
            continue;
        }
        match joins::leaves(next) {
            Some(leaves) => waiting.extend(leaves.into_iter().map(|leaf| (leaf, space))),
            None => {
                let root = made_by(next, space);
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
    }
    match roots.len() {
        1 => roots.remove(0),
        0 => Root::Unknown(key(value), space),
        _ => Root::OneOf(key(value), roots),
    }
}

/// The value that a memref, a tile or a pointer is derived from, by views, casts and steps; and the address space that one of them
/// states, which is `space` if that is given.
fn base<'c: 'a, 'a>(value: Value<'c, 'a>, space: Option<Space>) -> (Value<'c, 'a>, Option<Space>) {
    let (mut at, mut known) = (value, space.or(self::space(value)));
    while let Some(source) = viewed(at) {
        at = source;
        known = known.or(self::space(at));
    }
    (at, known)
}

/// The value in whose memory a derived value is; `None` for a value that is not derived from another.
pub fn viewed<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    const CASTS: [&str; 9] = [
        arith::IndexCastOp::NAME,
        arith::IndexCastUIOp::NAME,
        builtin::UnrealizedConversionCastOp::NAME,
        llvm::BitcastOp::NAME,
        llvm::IntToPtrOp::NAME,
        llvm::PtrToIntOp::NAME,
        memref::ExtractAlignedPointerAsIndexOp::NAME,
        tile::AssumeOp::NAME,
        tile::PartsOp::NAME,
    ];
    let op = defining_op(value)?;
    let first = op.result_at(0).is_some_and(|result| key(result.into()) == key(value));
    if !first {
        return None;
    }
    shim::view_source(op).or_else(|| op.operand_at(0).filter(|_| CASTS.contains(&name(op))))
}

/// Whether a kernel makes the memory that a value is, or views.
pub fn is_made_in<'c: 'a, 'a>(value: Value<'c, 'a>, kernel: OperationRef<'c, 'a>) -> bool {
    let base = std::iter::successors(Some(value), |value| viewed(*value)).last();
    base.and_then(defining_op).is_some_and(|made| is_inside(made, kernel))
}

/// Whether a value is a memref, a tile or a pointer.
pub fn is_address(value: Value<'_, '_>) -> bool {
    BufferType::from_type(value.r#type()).is_some()
        || MemRefType::try_from(value.r#type()).is_ok()
        || llvm_type::is_pointer(value.r#type())
}

/// The address space that the type of a memref, a tile or a pointer states.
pub fn space(value: Value<'_, '_>) -> Option<Space> {
    let r#type = value.r#type();
    if let Some(buffer) = BufferType::from_type(r#type) {
        return Some(buffer.space());
    }
    match MemRefType::try_from(r#type) {
        // A memref without a space may be made from a generic pointer.
        Ok(memref) => memrefs::space(memref).filter(|space| *space != Space::Global || memref.memory_space().is_some()),
        Err(_) => match llvm_type::Space::of(r#type)? {
            llvm_type::Space::Global => Some(Space::Global),
            llvm_type::Space::Shared | llvm_type::Space::Cluster => Some(Space::Shared),
            llvm_type::Space::Local => Some(Space::Local),
            llvm_type::Space::Tensor => Some(Space::Tmem),
            llvm_type::Space::Generic | llvm_type::Space::Constant => None,
        },
    }
}

/// The memory of a value that is neither derived from another nor chosen among several.
fn made_by(value: Value<'_, '_>, space: Option<Space>) -> Root {
    const ALLOCATES: [&str; 3] = [memref::AllocOp::NAME, gpu::AllocOp::NAME, tile::AllocOp::NAME];
    let unknown = || Root::Unknown(key(value), space);
    let Some(op) = defining_op(value) else { return of_argument(value).unwrap_or_else(unknown) };
    match name(op) {
        memref::GetGlobalOp::NAME | llvm::AddressOfOp::NAME => {
            let symbol = ["name", "global_name"].into_iter().find_map(|name| op.attribute(name).ok());
            symbol.map_or_else(unknown, |symbol| Root::Global(symbol.to_string(), self::space(value)))
        }
        gpu::DynamicSharedMemoryOp::NAME => Root::Dynamic,
        memref::AllocaOp::NAME | llvm::AllocaOp::NAME => Root::Made(key(value), Some(Space::Local)),
        allocates if ALLOCATES.contains(&allocates) => Root::of_allocation(value),
        _ => unknown(),
    }
}

/// The memory of an argument of a function.
fn of_argument(value: Value<'_, '_>) -> Option<Root> {
    let (block, number) = argument_of(value)?;
    let function = block.parent_operation()?;
    let entry = function.regions().next().and_then(|region| region.first_block());
    let in_entry = entry.is_some_and(|entry| entry.to_raw().ptr == block.to_raw().ptr);
    if !in_entry || !(interface::is_function(function) || name(function) == gpu::LaunchOp::NAME) {
        return None;
    }
    Some(match () {
        // A number from which a pointer is made: no promise is about it.
        () if !is_address(value) => return None,
        // Workgroup and private memory.
        () if number >= shim::inputs(function) => Root::of_allocation(value),
        () if kernel::is_entry(function) => Root::Argument(key(value)),
        () => Root::Borrowed(key(value), space(value)),
    })
}
