//! The module, functions and shared memory of kernels.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Type};
use tile_dialect::ir::Parts;
use tile_dialect::ops::kernel_names;
use tile_dialect::{BY_HAND, DYNAMIC_SHARED, ORDER};
use tile_isa::registers::thread_registers;
use tile_ops::interface::SYMBOL_NAME;
use tile_ops::llvm_type::{self, Space};
use tile_ops::{Builder, builtin, constant, function_type, gpu, llvm, nvvm, region};
use tile_plan::target::Target;

use crate::emit::{Kit, Val};
use crate::read::{kernel, name};
use crate::walk;

/// The `gpu.module` that a host-side op names, created if it does not exist.
///
/// # Errors
/// An op outside a module, or another op with that name.
pub fn find_or_make<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    target: &Target,
) -> Result<OperationRef<'c, 'a>, String> {
    let (wanted, _) = kernel_names(op).ok_or("names no kernel")?;
    let host =
        kernel::ancestors(op).find(|parent| name(*parent) == builtin::ModuleOp::NAME).ok_or("is outside a module")?;
    builder.rewriter.set_attribute(host, gpu::attribute::CONTAINER_MODULE, builder.context.unit());
    if let Some(symbol) = walk::symbol(host, &wanted) {
        return match name(symbol) {
            gpu::GPUModuleOp::NAME => Ok(symbol),
            other => Err(format!("names @{wanted}, a '{other}', expected a gpu.module")),
        };
    }
    let before = std::iter::successors(Some(op), |op| op.parent_operation())
        .find(|op| op.parent_operation().is_some_and(|parent| parent == host))
        .ok_or("is outside a module")?;
    Ok(builder
        .elsewhere(|rewriter| rewriter.set_insertion_point_before(before), |builder| make(builder, &wanted, target)))
}

fn make<'c: 'a, 'a>(builder: Builder<'c, 'a>, name: &str, target: &Target) -> OperationRef<'c, 'a> {
    let targets = builder.context.array(&[constant::nvvm_target(builder.context, &target.name())]);
    gpu::module(builder, name, builder.body(&[])).targets(targets).build().operation()
}

/// The signature of a kernel to create.
pub struct Signature<'t, 'c> {
    /// Its name.
    pub name: &'t str,
    /// The types of its parameters.
    pub parameters: &'t [Type<'c>],
    /// The number of leading parameters that point to memory that the kernel only reads and no other parameter points
    /// to. LLVM assumes that a barrier does not touch such memory, so a parameter for written memory must not count.
    pub read_only: usize,
    /// Threads of a block.
    pub threads: i64,
    /// The number of blocks that should be resident on an SM.
    pub resident: i64,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: i64,
}

/// Makes a kernel at the end of a `gpu.module`; `body` writes its code.
///
/// # Errors
/// A name that is taken.
pub fn kernel<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    signature: &Signature<'_, 'c>,
    body: impl FnOnce(Kit<'c, 'a>, &[Val<'c, 'a>]),
) -> Result<(), String> {
    let place = module.region_at(0).and_then(|region| region.first_block()).ok_or("names a module without a body")?;
    if walk::symbol(module, signature.name).is_some() {
        return Err(format!("names kernel @{}, but its module has that symbol already", signature.name));
    }
    builder.elsewhere(
        |rewriter| rewriter.set_insertion_point_to_end(place),
        |builder| {
            let function = function(builder, signature);
            builder.fill(function, 0, |arguments| {
                body(Kit::new(builder), arguments);
                gpu::r#return(builder, &[]).build();
            });
        },
    );
    Ok(())
}

fn function<'c: 'a, 'a>(builder: Builder<'c, 'a>, signature: &Signature<'_, 'c>) -> OperationRef<'c, 'a> {
    let (context, parameters) = (builder.context, signature.parameters);
    let alone = context.dictionary(&[(context.identifier(llvm::attribute::NO_ALIAS), context.unit())]);
    let plain = context.dictionary(&[]);
    let promises: Vec<_> =
        (0..parameters.len()).map(|index| if index < signature.read_only { alone } else { plain }).collect();
    // Without this limit ptxas spills: it saves registers for blocks that do not fit into shared memory.
    let registers = thread_registers(signature.threads * signature.resident);
    let r#type = function_type(context, parameters, &[]);
    let function = gpu::func(builder, r#type, builder.body(parameters))
        .arg_attrs(context.array(&promises))
        .with(SYMBOL_NAME, context.string(signature.name))
        .with(gpu::attribute::KERNEL_FUNC, context.unit())
        // Blocks wait for each other in assembly, which is not followed.
        .with(ORDER, context.string(BY_HAND))
        .with(nvvm::attribute::REQNTID, context.i32_array(&[signature.threads as i32, 1, 1]))
        .with(nvvm::attribute::MAXNREG, context.integer_attribute(32, registers))
        .build()
        .operation();
    if signature.dynamic_shared > 0 {
        let needed = context.i64_array(&[signature.dynamic_shared, DYNAMIC_ALIGNMENT]);
        builder.rewriter.set_attribute(function, DYNAMIC_SHARED, needed);
    }
    function
}

/// The alignment of dynamic shared memory.
const DYNAMIC_ALIGNMENT: i64 = 128;

/// Declares shared memory of `bytes` bytes next to a kernel; for 0 bytes, the dynamic memory that the launch sizes.
pub fn shared<'c: 'a, 'a>(kit: Kit<'c, 'a>, module: OperationRef<'c, 'a>, name: &str, bytes: i64) -> Val<'c, 'a> {
    let place = module.region_at(0).and_then(|region| region.first_block()).expect("the kernel is in it");
    // The alignment must divide the size, because LLVM loads a whole aligned vector even where its last elements are
    // unused.
    let alignment = if bytes == 0 { DYNAMIC_ALIGNMENT } else { (bytes & bytes.wrapping_neg()).min(16) };
    kit.builder.elsewhere(
        |rewriter| {
            // A module's body is never empty here: the kernel is in it.
            if let Some(first) = place.first_operation() {
                rewriter.set_insertion_point_before(first);
            }
        },
        |builder| {
            let context = builder.context;
            let linkage = if bytes == 0 { llvm_type::external(context) } else { llvm_type::internal(context) };
            let count = u32::try_from(bytes).expect("shared memory is smaller");
            let r#type = llvm_type::array(context.integer(8), count);
            let global = llvm::mlir_global(builder, r#type, name, linkage, region());
            global.addr_space(Space::Shared as i64).alignment(alignment).build();
        },
    );
    llvm::mlir_addressof(kit.builder, name, kit.pointer(Space::Shared)).value()
}
