//! From a module at any stage to PTX, in one call.

mod lower;
mod request;

pub use crate::launches::MemrefNumber;
pub use crate::ptx::kernels::{Argument, ArgumentType, Kernel};
pub(crate) use lower::compile_reporting;
pub use request::Options;

use melior::ir::Module;

use crate::diagnostics::collect;
use crate::error::Error;

/// Runs the remaining passes on a module, which is at any stage, and translates its `gpu.module` to PTX.
///
/// ```
/// use tile_passes::{ArgumentType, Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"
/// gpu.module @kernels {
///   gpu.func @copy(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %row: i32) kernel
///       attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
///     tile.copy %a to %b scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, global>
///     gpu.return
///   }
/// }"#)?;
/// let ptx = compile(&mut module, &Options::new().chip("sm_90a"))?;
/// assert!(ptx.text.contains(".target sm_90a"));
/// let [kernel] = ptx.kernels.as_slice() else { panic!("one kernel") };
/// assert_eq!((kernel.name.as_str(), kernel.required_threads), ("copy", Some([32, 1, 1])));
/// let [from, _, row] = kernel.arguments.as_slice() else { panic!("three arguments") };
/// assert_eq!((from.r#type, from.alignment, from.bytes()), (ArgumentType::Pointer, Some(256), Some(8)));
/// assert_eq!(from.declared.as_deref(), Some("memref<32x32xf32>"));
/// assert_eq!(row.r#type, ArgumentType::Integer { bits: 32 });
/// # Ok::<(), tile_passes::Error>(())
/// ```
///
/// The module is lowered in place; where compiling fails it is left at the stage that it has reached. Nothing is printed: errors
/// are in [`Error::diagnostics`], warnings in [`Ptx::diagnostics`]. If the chip has no instruction for an operation of another
/// dialect, LLVM's back end finds that out: [`Error::BackEnd`].
///
/// # Errors
/// See [`Error`].
pub fn compile(module: &mut Module<'_>, options: &Options) -> Result<Ptx, Error> {
    // SAFETY: the module is alive.
    let context = unsafe { mlir_sys::mlirOperationGetContext(module.as_operation().to_raw()) };
    let (outcome, diagnostics) = collect(context, || compile_reporting(module, options));
    match outcome {
        Ok(ptx) => Ok(Ptx { diagnostics, ..ptx }),
        Err(error) => Err(error.with(diagnostics)),
    }
}

/// A compiled `gpu.module`.
///
/// ```
/// use tile_passes::{Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, "gpu.module @kernels { gpu.func @idle() kernel { gpu.return } }")?;
/// let ptx = compile(&mut module, &Options::new().chip("sm_90a"))?;
/// assert!(ptx.text.contains(".target sm_90a") && ptx.diagnostics.is_empty());
/// assert_eq!((ptx.kernels.len(), ptx.kernels[0].name.as_str()), (1, "idle"));
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ptx {
    /// The PTX.
    pub text: String,
    /// The chip that it is for, such as `sm_90a`.
    pub chip: String,
    /// The PTX version, times ten: 83 is 8.3.
    pub ptx_version: u32,
    /// Its kernels, and what a launch passes to each.
    pub kernels: Vec<Kernel>,
    /// Warnings, and remarks where [`crate::embed::remarks_as_diagnostics`] reports those.
    pub diagnostics: Vec<crate::Diagnostic>,
}
