//! A kernel's parameters for a memref, and `--tile-finish-launches`, by which the host passes them: a pointer, and after it what
//! the memref's type leaves to run time.
//!
//! ```text
//!   gpu.launch_func @kernels::@copy … args(%A : memref<32x32xf32>)      llvm.func @copy(!llvm.ptr)
//!     └▶ the address of %A's memory, one !llvm.ptr
//!   … args(%B : memref<?x?xf16, strided<[?, 1]>>)                       llvm.func @copy(!llvm.ptr, i64, i64, i64)
//!     └▶ the address, the extents, the stride
//! ```
//!
//! A memref that is left would become the fields of a descriptor, where the kernel expects a pointer and what the type leaves
//! open.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{AttributeLike, OperationRef, RegionLike, ShapedTypeLike, Type, TypeLike, Value, ValueLike};
use thiserror::Error;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Arguments, Ir, Parts, Rewriter};
use tile_dialect::memref::{DYNAMIC, extents, has_no_layout, strides_and_offset};
use tile_ops::{Builder, constant, gpu, interface, llvm, memref};

use crate::emit::Kit;
use crate::needs::LaunchNeeds;
use crate::read::{kernel, name};
use crate::{shim, walk};

/// A number of a memref, which its type states or leaves open: `?`, [`DYNAMIC`].
///
/// ```
/// use tile_passes::{MemrefNumber, Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"gpu.module @kernels {
///   gpu.func @take(%A: memref<?x8xf32, strided<[?, 1], offset: ?>>) kernel { gpu.return }
/// }"#)?;
/// let ptx = compile(&mut module, &Options::new())?;
/// let numbers: Vec<_> = ptx.kernels[0].arguments.iter().filter_map(|argument| argument.number).collect();
/// assert_eq!(numbers, [MemrefNumber::Offset, MemrefNumber::Extent(0), MemrefNumber::Stride(0)]);
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemrefNumber {
    /// The distance of the first element from the start of the memory, in elements.
    Offset,
    /// The extent of a dimension.
    Extent(usize),
    /// The stride of a dimension, in elements.
    Stride(usize),
}

/// An argument of a kernel whose addresses do not follow from numbers.
#[derive(Debug, Error)]
#[error("has argument {index} of type {memref}, expected strides: a kernel takes a pointer and numbers")]
pub struct UnstridedArgument {
    index: usize,
    memref: String,
}

impl From<UnstridedArgument> for String {
    fn from(error: UnstridedArgument) -> Self {
        error.to_string()
    }
}

/// The numbers that a memref's type leaves to run time, in the order in which a kernel takes them after the pointer.
///
/// # Errors
/// A memref without strides.
pub(crate) fn open_numbers(index: usize, memref: MemRefType<'_>) -> Result<Vec<MemrefNumber>, UnstridedArgument> {
    let (strides, offset) =
        strides_and_offset(memref).ok_or_else(|| UnstridedArgument { index, memref: memref.to_string() })?;
    let dimensions = |list: Vec<i64>| list.into_iter().enumerate().filter(|&(_, number)| number == DYNAMIC);
    let extents = dimensions(extents(memref)).map(|(dimension, _)| MemrefNumber::Extent(dimension));
    // Strides of dense rows follow from the extents.
    let strides = if has_no_layout(memref) { Vec::new() } else { strides };
    let strides = dimensions(strides).map(|(dimension, _)| MemrefNumber::Stride(dimension));
    Ok((offset == DYNAMIC).then_some(MemrefNumber::Offset).into_iter().chain(extents).chain(strides).collect())
}

/// The launches below the root of a kernel.
pub fn kernel_launches<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let of_it = |launch: &OperationRef<'c, 'a>| named_by(*launch).is_some_and(|callee| callee == kernel);
    walk::named(root, gpu::LaunchFuncOp::NAME).into_iter().filter(of_it).collect()
}

/// Sets the bytes of dynamic shared memory of a launch.
pub fn set_dynamic_shared<'c: 'a, 'a>(launch: OperationRef<'c, 'a>, bytes: i64, rewriter: Rewriter<'c, 'a>) {
    let size = constant::integer(Builder::before(rewriter, launch), 32, bytes);
    shim::set_dynamic_shared_memory(launch, size);
}

/// Sets the threads of a launch's blocks along x.
pub fn set_block_width<'c: 'a, 'a>(launch: OperationRef<'c, 'a>, threads: i64, rewriter: Rewriter<'c, 'a>) {
    let Some(launch_func) = gpu::LaunchFuncOp::cast(launch) else { return };
    // Behind the tokens that it waits for, and the extents of the grid.
    let at = launch_func.async_dependencies().count() + 3;
    let builder = Builder::before(rewriter, launch);
    let index = launch_func.block_size_x().r#type().is_index();
    let width = if index { constant::index(builder, threads) } else { constant::integer(builder, 32, threads) };
    rewriter.set_operand(launch, at, width);
}

/// Makes the launches of a kernel below the root pass the parts of its arguments `memrefs`, which have been split: the memory
/// from its first element on, and the numbers that the memref's type leaves open. Launches outside of the root stay as they are.
pub fn split(ir: &Ir<'_>, kernel: OperationRef<'_, '_>, memrefs: &[usize]) {
    for launch in kernel_launches(ir.root(), kernel) {
        pass_parts(launch, kernel, memrefs, ir.rewriter());
    }
}

fn pass_parts<'c: 'a, 'a>(
    launch: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    memrefs: &[usize],
    rewriter: Rewriter<'c, 'a>,
) {
    let builder = Builder::before(rewriter, launch);
    let body = kernel.region_at(0).and_then(|region| region.first_block());
    let parameter = |index| body.as_ref().and_then(|body| body.argument_at(index));
    let mut passed: Vec<Value<'c, 'a>> = Vec::new();
    for (index, argument) in arguments(launch).enumerate() {
        let memref = MemRefType::try_from(argument.r#type()).ok().filter(|_| memrefs.contains(&index));
        let (Some(memref), Some(parameter)) = (memref, parameter(passed.len())) else {
            passed.push(argument);
            continue;
        };
        let metadata = memref::extract_strided_metadata(builder, argument).build().operation();
        let Some(base) = metadata.result_at(0) else { continue };
        let first = memref::reinterpret_cast(builder, base.into(), &[], &[], &[], &[0], &[1], &[1], parameter.r#type());
        passed.push(first.value());
        passed.extend(numbers(builder, index, argument, memref));
    }
    shim::set_kernel_operands(launch, &passed);
}

/// The arguments that a launch passes to its kernel.
pub fn arguments<'c: 'a, 'a>(launch: OperationRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    gpu::LaunchFuncOp::cast(launch).into_iter().flat_map(|launch| launch.kernel_operands())
}

/// Makes every `gpu.launch_func` below the root pass pointers to kernels that take pointers; `false`, after errors, when one
/// passes something else, or has sizes that the kernel cannot be launched with.
pub fn finish(ir: &mut Ir<'_>) -> bool {
    walk::named(ir.root(), gpu::LaunchFuncOp::NAME).into_iter().fold(true, |complete, launch| {
        let Some(kernel) = kernel_of(launch) else { return complete };
        match decide(launch, kernel) {
            Ok(Host::Agrees) => complete,
            Ok(Host::Pointers) => {
                pass_pointers(launch, kernel, ir.rewriter());
                complete
            }
            Err(reason) => {
                Diagnostic::error(reason).note(kernel.location(), "the kernel is here").emit(launch);
                false
            }
        }
    })
}

/// The change that the host needs.
enum Host {
    /// None: it passes pointers already, or the kernel takes descriptors.
    Agrees,
    /// It passes memrefs to a kernel that takes pointers.
    Pointers,
}

fn decide(launch: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>) -> Result<Host, String> {
    gpu::LaunchFuncOp::cast(launch).map_or(Ok(()), |launch| LaunchNeeds::of(kernel).check(launch))?;
    let taken = parameters(kernel).len();
    let (mut passed, mut descriptors, mut any) = (0, 0, false);
    for (index, argument) in arguments(launch).enumerate() {
        let memref = MemRefType::try_from(argument.r#type()).ok();
        any |= memref.is_some();
        descriptors += memref.map_or(1, |memref| 3 + 2 * memref.rank());
        // A pointer, and what the type leaves open.
        passed += 1 + memref.map_or(Ok(0), |memref| open_numbers(index, memref).map(|numbers| numbers.len()))?;
    }
    match (passed == taken, descriptors == taken) {
        (true, _) => Ok(if any { Host::Pointers } else { Host::Agrees }),
        (_, true) => Ok(Host::Agrees),
        _ => Err(format!("passes {passed} arguments, but the kernel takes {taken}")),
    }
}

/// Replaces each memref by the address of its memory, and what its type leaves open.
fn pass_pointers<'c: 'a, 'a>(launch: OperationRef<'c, 'a>, kernel: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let builder = Builder::before(rewriter, launch);
    let (parameters, mut passed) = (parameters(kernel), Vec::new());
    for (index, argument) in arguments(launch).enumerate() {
        let memref = MemRefType::try_from(argument.r#type()).ok();
        let (Some(memref), Some(&parameter)) = (memref, parameters.get(passed.len())) else {
            passed.push(argument);
            continue;
        };
        let address = memref::extract_aligned_pointer_as_index(builder, argument).value();
        let address = Kit::new(builder).index_as_i64(address);
        passed.push(llvm::inttoptr(builder, address, parameter).value());
        passed.extend(numbers(builder, index, argument, memref));
    }
    shim::set_kernel_operands(launch, &passed);
}

/// The values on the host of what a memref's type leaves open.
fn numbers<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    index: usize,
    argument: Value<'c, 'a>,
    memref: MemRefType<'c>,
) -> Vec<Value<'c, 'a>> {
    let open = open_numbers(index, memref).unwrap_or_default();
    if open.is_empty() {
        return Vec::new();
    }
    let metadata = memref::extract_strided_metadata(builder, argument).build().operation();
    // The memory, the offset, the extents, the strides.
    let result = |number| match number {
        MemrefNumber::Offset => 1,
        MemrefNumber::Extent(dimension) => 2 + dimension,
        MemrefNumber::Stride(dimension) => 2 + memref.rank() + dimension,
    };
    open.into_iter().filter_map(|number| Some(metadata.result_at(result(number))?.into())).collect()
}

/// The converted kernel that a launch names: an `llvm.func`; `None` where there is none yet.
fn kernel_of<'c, 'a>(launch: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    named_by(launch).filter(|&op| name(op) == llvm::LLVMFuncOp::NAME)
}

/// The kernel that a launch names.
fn named_by<'c, 'a>(launch: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let symbol = gpu::LaunchFuncOp::cast(launch)?.kernel()?.to_raw();
    // SAFETY: the attribute is accessed only as a symbol reference with one nested name; the strings live in its context.
    let (module, function) = unsafe {
        if !mlir_sys::mlirAttributeIsASymbolRef(symbol)
            || mlir_sys::mlirSymbolRefAttrGetNumNestedReferences(symbol) != 1
        {
            return None;
        }
        let nested = mlir_sys::mlirSymbolRefAttrGetNestedReference(symbol, 0);
        (
            crate::shim::text(mlir_sys::mlirSymbolRefAttrGetRootReference(symbol)).to_owned(),
            crate::shim::text(mlir_sys::mlirSymbolRefAttrGetLeafReference(nested)).to_owned(),
        )
    };
    let module = kernel::ancestors(launch).find_map(|scope| walk::symbol(scope, &module))?;
    walk::symbol(module, &function)
}

/// Types of the parameters of an `llvm.func`.
fn parameters<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let Some(function_type) = interface::function_type(function) else { return Vec::new() };
    // SAFETY: the attribute of an llvm.func is the type of an LLVM function; indices are below the count.
    unsafe {
        let raw = function_type.to_raw();
        (0..mlir_sys::mlirLLVMFunctionTypeGetNumInputs(raw))
            .map(|index| Type::from_raw(mlir_sys::mlirLLVMFunctionTypeGetInput(raw, index)))
            .collect()
    }
}
