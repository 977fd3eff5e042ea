//! The storage of a buffer's elements: a flat memref per `tile.view` and `tile.alloc`.

use std::collections::HashMap;
use tile_dialect::ir::Parts;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::is_used;
use tile_dialect::memref::{bit_width, extents, space};
use tile_dialect::ops::defining_op;
use tile_dialect::{BufferType, Space};
use tile_ops::{Builder, Case, gpu, memref, tile};

use super::function::{Function, Storage};
use super::pointer::Viewed;
use crate::emit::error::EmitError;
use crate::read::error::ReadError;
use crate::read::storage::{alloc_alignment, is_defined};
use crate::read::{kernel, name};
use crate::{shim, walk};

impl<'c, 'a> Function<'c, 'a> {
    /// The storage of a buffer, made after the buffer's definition, or at the start of the launch that uses a buffer
    /// from outside.
    ///
    /// # Errors
    /// A buffer whose definition is not visible.
    pub fn storage_of(&self, builder: Builder<'c, 'a>, buffer: Value<'c, 'a>) -> Result<Storage<'c, 'a>, EmitError> {
        let Some(op) = defining_op(buffer) else {
            return Err(EmitError::BlockArgument);
        };
        let key = op.to_raw().ptr as usize;
        if let Some(&known) = self.storage.borrow().get(&key) {
            return Ok(known);
        }
        let r#type = BufferType::from_type(buffer.r#type()).ok_or(ReadError::NotABuffer)?;
        let memref = match name(op) {
            tile::ViewOp::NAME if kernel::function(op) == Some(self.op) => {
                let viewed = Viewed::by(op)?;
                builder.elsewhere(
                    |rewriter| rewriter.set_insertion_point_after(op),
                    |builder| viewed.flat(builder, r#type),
                )
            }
            tile::ViewOp::NAME => {
                let viewed = Viewed::by(op)?;
                self.at_start(builder, |builder| viewed.flat(builder, r#type))
            }
            tile::AllocOp::NAME => {
                is_defined(buffer, self.op)?;
                self.alloc(builder, op, r#type)?
            }
            other => return Err(EmitError::DefinedBy(other.to_owned())),
        };
        let storage = Storage { memref, element: r#type.element() };
        self.storage.borrow_mut().insert(key, storage);
        Ok(storage)
    }

    fn alloc(
        &self,
        builder: Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        r#type: BufferType<'c>,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let elements = r#type.layout().memory_span();
        let alignment = alloc_alignment(op);
        if r#type.space() == Space::Local {
            let memref = MemRefType::new(r#type.element(), &[elements], None, None);
            // At the start of the function, because an alloca in a loop would grow the stack.
            return Ok(self.at_start(builder, |builder| {
                memref::alloca(builder, &[], &[], memref.into()).alignment(alignment).value()
            }));
        }
        let space = gpu::AddressSpace::Workgroup.attribute(builder.context);
        let memref = MemRefType::new(r#type.element(), &[padded(r#type, alignment)], None, Some(space));
        match name(self.op) {
            gpu::GPUFuncOp::NAME => {
                Ok(shim::add_workgroup_attribution(self.op, memref.into(), op.location(), alignment))
            }
            gpu::LaunchOp::NAME => {
                let memory = shim::add_launch_attribution(self.op, memref.into(), op.location());
                Ok(self.aligned(builder, memory, alignment))
            }
            _ => self.global(builder, memref, alignment),
        }
    }

    /// Memory of a launch, with the alignment as an op, because attributions of a launch cannot state it. The op moves
    /// into the kernel with the body, where `--tile-prepare-kernels` turns it into the attribution's alignment.
    fn aligned(&self, builder: Builder<'c, 'a>, memory: Value<'c, 'a>, alignment: i64) -> Value<'c, 'a> {
        self.at_start(builder, |builder| memref::assume_alignment(builder, memory, alignment).value())
    }

    /// Shared memory of a function that has no workgroup attributions: a global of the module.
    ///
    /// # Errors
    /// A pass that does not run on the module, which other threads may then be changing.
    fn global(
        &self,
        builder: Builder<'c, 'a>,
        memref: MemRefType<'c>,
        alignment: i64,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let module = self.op.parent_operation().ok_or(EmitError::NoModule)?;
        if !self.in_module {
            let [function, module] = [self.op, module].map(|op| name(op).to_owned());
            return Err(EmitError::Alone { function, module });
        }
        let taken = walk::symbols(module).filter(|&op| name(op) == memref::GlobalOp::NAME).count();
        let symbol = (taken..)
            .map(|number| format!("__tile_shared_{number}"))
            .find(|symbol| walk::symbol(module, symbol).is_none())
            .ok_or(EmitError::NoName)?;
        builder.elsewhere(
            |rewriter| rewriter.set_insertion_point_before(self.op),
            |builder| {
                let global = memref::global(builder, &symbol, memref.into()).sym_visibility("private");
                global.initial_value(builder.context.unit()).alignment(alignment).build()
            },
        );
        Ok(self.at_start(builder, |builder| memref::get_global(builder, &symbol, memref.into()).value()))
    }
}

/// Elements of shared storage, padded to a multiple of its alignment, because LLVM loads a whole aligned vector even
/// where its last elements are unused.
fn padded(r#type: BufferType<'_>, alignment: i64) -> i64 {
    let elements = r#type.layout().memory_span();
    let bytes = i64::from(bit_width(r#type.element()).unwrap_or(8).div_ceil(8));
    let step = (alignment / bytes).max(1);
    elements.checked_add(step - 1).map_or(elements, |sum| sum / step * step)
}

/// Static shared memory that a kernel may have, in bytes; more is dynamic.
pub const STATIC_SHARED_BYTES: i64 = 48 * 1024;

/// Whether the shared memory of each function below `root` fits. If not, reports an error at the alloc that exceeds the
/// limit.
pub fn check_shared(root: OperationRef<'_, '_>) -> bool {
    let mut used: HashMap<usize, i64> = HashMap::new();
    let mut fits = true;
    for op in walk::named(root, tile::AllocOp::NAME) {
        let Some(bytes) = shared_bytes(op) else { continue };
        let function = kernel::function(op).map_or(0, |function| function.to_raw().ptr as usize);
        let total = used.entry(function).or_default();
        *total = total.saturating_add(bytes);
        if *total > STATIC_SHARED_BYTES {
            let text = format!(
                "brings the kernel's static shared memory to {total} bytes, expected at most {STATIC_SHARED_BYTES}; \
                 --tile-plan-memory before this makes it dynamic, and lets tiles share it"
            );
            Diagnostic::error(text).emit(op);
            fits = false;
        }
    }
    fits
}

/// Bytes of shared memory that an alloc needs, padded to its alignment; `None` for registers and for an unused alloc.
fn shared_bytes(op: OperationRef<'_, '_>) -> Option<i64> {
    let result = op.result_at(0)?;
    let buffer = BufferType::from_type(result.r#type())?;
    if !is_used(result.into()) {
        return None;
    }
    let bytes = buffer_bytes(buffer)?;
    let alignment = alloc_alignment(op);
    (buffer.space() == Space::Shared).then_some(padded_bytes(bytes, alignment))
}

/// Bytes that a buffer spans in its memory; `None` for elements without a width.
pub fn buffer_bytes(buffer: BufferType<'_>) -> Option<i64> {
    let bits = i64::from(bit_width(buffer.element())?);
    Some(buffer.layout().memory_span().saturating_mul((bits + 7) / 8))
}

/// Bytes of storage, rounded up to a multiple of its alignment.
pub fn padded_bytes(bytes: i64, alignment: i64) -> i64 {
    bytes.saturating_add(alignment - 1) / alignment * alignment
}

/// Bytes of workgroup memory of a memref type; `None` for other memory.
pub fn attribution_bytes(r#type: Type<'_>) -> Option<i64> {
    let memref = MemRefType::try_from(r#type).ok().filter(|&memref| space(memref) == Some(Space::Shared))?;
    let elements = extents(memref).into_iter().try_fold(1i64, |all, extent| all.checked_mul(extent))?;
    elements.checked_mul(i64::from(bit_width(memref.element())?.div_ceil(8)))
}
