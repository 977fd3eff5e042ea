//! `--tile-prepare-kernels`: states what a kernel's caller promises about its memref arguments.
//! `--tile-finish-kernels`: dynamic shared memory that the launch sizes, the only size of blocks, and padding after shared variables.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Type, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Arguments, Ir, Rewriter, as_argument};
use tile_dialect::memref::{bit_width, extents, strides_and_offset};
use tile_dialect::ops::integers;
use tile_dialect::{CONVERTED, Ctx, DYNAMIC_SHARED, NOALIAS, ORDER};
use tile_ops::llvm_type::{self, Space};
use tile_ops::{gpu, llvm, memref, nvvm};

use crate::launches::{self, open_numbers};
use crate::options::LoweringOptions;
use crate::read::{alias, kernel, name, role, traffic};
use crate::tensor_maps::argument;
use crate::{foreign, promise, read_only, shim, unlowered, walk, write_out};

const ALIGN: &str = llvm::attribute::ALIGN;

/// Marks the memref arguments of every kernel below the root; `false`, after errors, when one cannot be passed or ops of
/// the tile dialect are left.
pub fn prepare(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    write_out::structure(ir);
    let lowered = unlowered::check_tile(ir.root()) & foreign::check_types(ir.root()) & role::name_barriers(ir);
    promise::kernels(ir.root()).into_iter().fold(lowered, |complete, kernel| {
        let outcome = prepare_kernel(ir, kernel, options);
        outcome.map_err(|reason| Diagnostic::error(reason).emit(kernel)).is_ok() && are_instructions(kernel) && complete
    })
}

/// Makes shared arrays without elements external; `false`, after errors, when ops are left that are not LLVM IR.
pub fn finish(ir: &mut Ir<'_>) -> bool {
    externalize(ir);
    let mut complete = true;
    for function in walk::named(ir.root(), llvm::LLVMFuncOp::NAME) {
        align_dynamic(ir, function);
        read_only::mark_loads(ir, function);
        argument::place(ir.rewriter(), function);
        ir.rewriter().remove_attribute(function, NOALIAS);
        ir.rewriter().remove_attribute(function, CONVERTED);
        ir.rewriter().remove_attribute(function, ORDER);
        let required = require_block(ir.rewriter(), function);
        share_registers(ir.rewriter(), function);
        complete &= required.map_err(|reason| Diagnostic::error(reason).emit(function)).is_ok();
    }
    unlowered::check_llvm(ir.root()) && complete
}

/// States the block size that a kernel was compiled for as the only one that it can be launched with, where upstream's conversion
/// states it as the largest.
///
/// # Errors
/// The kernel states another one, too.
fn require_block<'c>(rewriter: Rewriter<'c, '_>, kernel: OperationRef<'c, '_>) -> Result<(), String> {
    let Ok(known) = kernel.attribute(gpu::attribute::KNOWN_BLOCK_SIZE) else { return Ok(()) };
    if let Some(other) = kernel.attribute(nvvm::attribute::REQNTID).ok().filter(|&other| other != known) {
        return Err(format!("has known_block_size = {known} and nvvm.reqntid = {other}, expected the same"));
    }
    rewriter.remove_attribute(kernel, nvvm::attribute::MAXNTID);
    rewriter.set_attribute(kernel, nvvm::attribute::REQNTID, known);
    Ok(())
}

/// States that an SM has room for one block of a kernel that changes how many registers its warps have, unless the kernel states another
/// number: ptxas may ignore `setmaxnreg` where it cannot tell how many a thread begins with.
fn share_registers<'c>(rewriter: Rewriter<'c, '_>, kernel: OperationRef<'c, '_>) {
    let is_stated = [nvvm::attribute::MINCTASM, nvvm::attribute::MAXNREG].map(|name| kernel.attribute(name).is_ok());
    if is_stated == [false; 2] && !walk::named(kernel, nvvm::SetMaxRegisterOp::NAME).is_empty() {
        rewriter.set_attribute(kernel, nvvm::attribute::MINCTASM, Ctx::of(kernel).integer_attribute(32, 1));
    }
}

/// Rounds the sizes of the shared variables below the root up to whole multiples of their alignment: LLVM loads an aligned vector
/// even if its last elements are not used, and those must belong to the variable.
pub fn pad(ir: &mut Ir<'_>) {
    for op in walk::named(ir.root(), llvm::GlobalOp::NAME) {
        let Some(global) = llvm::GlobalOp::cast(op).filter(|&global| is_shared(global)) else { continue };
        let undefined = op.regions().all(|region| region.first_block().is_none());
        let Some(alignment) = global.alignment().filter(|_| undefined) else { continue };
        let Some(bytes) = global.global_type().and_then(size) else { continue };
        let step = alignment.max(1);
        let whole = bytes.checked_add(step - 1).map_or(bytes, |sum| sum / step * step);
        let Some(count) = u32::try_from(whole).ok().filter(|_| bytes != 0 && whole != bytes) else { continue };
        let padded = llvm_type::array(Ctx::of(op).integer(8), count);
        global.set_global_type(ir.rewriter(), padded);
    }
}

/// Whether a global is shared memory.
pub fn is_shared(global: llvm::GlobalOp<'_, '_>) -> bool {
    global.addr_space() == Some(Space::Shared as i64)
}

/// Bytes of a number, or of an array of numbers.
pub fn size(r#type: Type<'_>) -> Option<i64> {
    match llvm_type::array_parts(r#type) {
        Some((count, element)) => count.checked_mul(size(element)?),
        None => Some(i64::from(bit_width(r#type)?.div_ceil(8))),
    }
}

/// Makes shared arrays without elements external.
fn externalize(ir: &Ir<'_>) {
    for op in walk::named(ir.root(), llvm::GlobalOp::NAME) {
        let Some(global) = llvm::GlobalOp::cast(op).filter(|&global| is_shared(global)) else { continue };
        let elements = global.global_type().and_then(llvm_type::array_parts);
        if elements.is_some_and(|(count, _)| count == 0) {
            global.set_linkage(ir.rewriter(), llvm_type::external(Ctx::of(op)));
        }
    }
}

/// Aligns the dynamic shared memory of a kernel as the kernel states.
fn align_dynamic(ir: &Ir<'_>, function: OperationRef<'_, '_>) {
    let [_, alignment] = integers(function, DYNAMIC_SHARED)[..] else { return };
    for address in walk::named(function, llvm::AddressOfOp::NAME) {
        let Some(wanted) = llvm::AddressOfOp::cast(address).and_then(|op| op.global_name()) else { continue };
        let global = kernel::ancestors(function).find_map(|around| walk::symbol(around, &wanted));
        let Some(global) = global.and_then(llvm::GlobalOp::cast).filter(|&global| is_shared(global)) else {
            continue;
        };
        let is_dynamic = global.global_type().and_then(llvm_type::array_parts).is_some_and(|(count, _)| count == 0);
        if is_dynamic && global.alignment().unwrap_or(1) < alignment {
            global.set_alignment(ir.rewriter(), alignment);
        }
    }
}

fn prepare_kernel<'c>(ir: &Ir<'c>, kernel: OperationRef<'c, '_>, options: &LoweringOptions) -> Result<(), String> {
    let rewriter = ir.rewriter();
    let context = Ctx::of(kernel);
    let noalias = alias::noalias(kernel, options.noalias)?;
    let maps = argument::read(kernel)?;
    let split = split_arguments(kernel)?;
    if !split.is_empty() {
        launches::split(ir, kernel, &split);
    }
    // Only once memrefs are split are the numbers of the parameters known.
    argument::make_pointers(ir, kernel, &maps);
    rewriter.set_attribute(kernel, NOALIAS, context.boolean(noalias));
    let assumed = promise::assumptions(kernel);
    promise::amend(rewriter, kernel, |(index, memref), promises| {
        let promised = promises.get(ALIGN).and_then(|align| Some(IntegerAttribute::try_from(align).ok()?.value()));
        let promised = promised.or_else(|| assumed.get(&index).copied()).unwrap_or(options.argument_bytes);
        let promises = promises.insert(ALIGN, context.integer_attribute(64, known_alignment(memref, promised)));
        if !noalias || maps.may_write(index) || !is_alone(kernel, index) {
            return Ok(promises);
        }
        // LLVM does not find out by itself that memory is only read where an intrinsic is given its address.
        let promises = promises.or_insert(llvm::attribute::NO_ALIAS, context.unit());
        Ok(promises.or_insert(llvm::attribute::READONLY, context.unit()))
    })?;
    align_shared(kernel);
    Ok(())
}

/// Whether the upstream copies that are left become instructions; `false`, after errors, where one would call MLIR's host runtime.
fn are_instructions(kernel: OperationRef<'_, '_>) -> bool {
    let mut left = walk::named(kernel, memref::CopyOp::NAME);
    left.retain(|&copy| !shim::is_copied_by_memcpy(copy));
    for &copy in &left {
        let error = Diagnostic::error("is left in a kernel, where only dense memrefs are copied without a tile copy");
        unlowered::with_reason(error, copy).emit(copy);
    }
    left.is_empty()
}

/// Whether LLVM may assume that nothing else reaches the memory of an argument.
///
/// To LLVM `noalias` excludes the other threads, too: a barrier does not touch such memory, so that a load or a store may move
/// across it. That is right for memory that is never written. It also suffices: LLVM knows that such memory overlaps with none of
/// the other arguments, whatever these state.
///
/// ```text
///   thread 0: store B[1], 5                         thread 0: barrier
///             barrier           LLVM, B noalias:              store B[1], 5       B[1] is 5 or 6
///   thread 1: store B[1], 6                         thread 1: store B[1], 6
/// ```
fn is_alone(kernel: OperationRef<'_, '_>, index: usize) -> bool {
    let body = kernel.regions().next().and_then(|region| region.first_block());
    let argument = body.as_ref().and_then(|body| body.argument_at(index));
    argument.map(|argument| traffic::accesses(argument.into())).is_some_and(|traffic| !traffic.written)
}

/// Gives workgroup memory the alignment that the body states for it. A `gpu.launch` cannot state it on its attributions, so that
/// outlining leaves it in the body alone.
fn align_shared(kernel: OperationRef<'_, '_>) {
    for op in walk::named(kernel, memref::AssumeAlignmentOp::NAME) {
        let Some(stated) = memref::AssumeAlignmentOp::cast(op) else { continue };
        let (Some(argument), Some(alignment)) = (as_argument(stated.memref()), stated.alignment()) else { continue };
        if argument.owner().parent_operation() == Some(kernel) && name(kernel) == gpu::GPUFuncOp::NAME {
            shim::align_workgroup_attribution(kernel, argument.argument_number(), alignment);
        }
    }
}

/// Splits each memref argument that has run-time numbers into a pointer and these numbers; the indices of those that were split.
fn split_arguments(kernel: OperationRef<'_, '_>) -> Result<Vec<usize>, String> {
    let body = kernel.regions().next().and_then(|region| region.first_block());
    let mut split = Vec::new();
    let Some(body) = body else { return Ok(split) };
    // The last first: what comes after an argument moves.
    for index in (0..shim::inputs(kernel)).rev() {
        let argument = body.argument_at(index).ok_or("has no argument for one of its inputs")?;
        let Ok(memref) = MemRefType::try_from(argument.r#type()) else { continue };
        if !open_numbers(index, memref)?.is_empty() {
            shim::split_memref_argument(kernel, index);
            split.push(index);
        }
    }
    Ok(split)
}

/// The alignment that LLVM may assume of a memref, in bytes.
///
/// It is the one that is promised, but no more than divides the memref's size: LLVM loads an aligned vector even if its last
/// elements are not used, and those must belong to the memref. The compiler's loads and stores state their alignment themselves.
fn known_alignment(memref: MemRefType<'_>, promised: i64) -> i64 {
    let (strides, offset) = strides_and_offset(memref).unwrap_or_default();
    let reach = |(extent, stride): (i64, i64)| (extent - 1).max(0).saturating_mul(stride.saturating_abs());
    let elements = extents(memref).into_iter().zip(strides).map(reach).fold(offset + 1, i64::saturating_add);
    let bytes = elements.saturating_mul(i64::from(bit_width(memref.element()).unwrap_or(8).div_ceil(8)));
    promised.min(bytes & bytes.wrapping_neg()).max(1)
}
