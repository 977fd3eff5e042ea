//! From a module at any stage to PTX, in one call.

use melior::ir::Module;

use crate::diagnostics::collect;
use crate::error::Error;
use crate::options::Options as Defaults;
use crate::ptx;

pub use crate::ptx::kernels::{Argument, ArgumentType, Kernel};

/// What [`compile`] compiles for, and how. The defaults are those of the tools.
///
/// ```
/// let options = tile_passes::Options::new().chip("sm_90a").features("+ptx86").line_info(true);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) chip: Option<String>,
    pub(crate) features: Option<String>,
    pub(crate) gpu_module: Option<String>,
    pub(crate) line_info: bool,
    pub(crate) max_vector_bits: u32,
    pub(crate) argument_alignment: u32,
    pub(crate) variants: Vec<String>,
    pub(crate) noalias: bool,
}

impl Default for Options {
    fn default() -> Self {
        let passes = Defaults::default();
        Options {
            chip: None,
            features: None,
            gpu_module: None,
            line_info: false,
            max_vector_bits: passes.max_vector_bits,
            argument_alignment: u32::try_from(passes.argument_bytes).unwrap_or(1),
            variants: Vec::new(),
            noalias: passes.noalias,
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The chip, such as `sm_90a`; otherwise the one that the `gpu.module` names, else `sm_80`.
    #[must_use]
    pub fn chip(mut self, chip: impl Into<String>) -> Self {
        self.chip = Some(chip.into());
        self
    }

    /// The PTX version, such as `+ptx86`; otherwise the one that the `gpu.module` names, else the first that has all
    /// instructions of the chip.
    #[must_use]
    pub fn features(mut self, features: impl Into<String>) -> Self {
        self.features = Some(features.into());
        self
    }

    /// Which of several `gpu.module`s.
    #[must_use]
    pub fn gpu_module(mut self, name: impl Into<String>) -> Self {
        self.gpu_module = Some(name.into());
        self
    }

    /// Lets PTX name the lines of the MLIR that it is made of (`.file` and `.loc`).
    #[must_use]
    pub fn line_info(mut self, line_info: bool) -> Self {
        self.line_info = line_info;
        self
    }

    /// The widest load or store, in bits: a power of two from 8 to 256; 128 otherwise.
    #[must_use]
    pub fn max_vector_bits(mut self, bits: u32) -> Self {
        self.max_vector_bits = bits;
        self
    }

    /// What memref arguments of kernels are aligned to, in bytes, where they do not say so; 256 otherwise, as device
    /// allocations are.
    #[must_use]
    pub fn argument_alignment(mut self, bytes: u32) -> Self {
        self.argument_alignment = bytes;
        self
    }

    /// The variants that may be chosen; otherwise all.
    #[must_use]
    pub fn variants(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.variants = names.into_iter().map(Into::into).collect();
        self
    }

    /// Whether memref arguments of a kernel do not overlap where one of them is written; true otherwise.
    #[must_use]
    pub fn noalias(mut self, noalias: bool) -> Self {
        self.noalias = noalias;
        self
    }
}

/// A compiled `gpu.module`.
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

/// Runs what is left of the pipeline on a module, which is at any stage, and translates its `gpu.module` to PTX.
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
/// assert_eq!((kernel.name.as_str(), kernel.max_threads), ("copy", Some([32, 1, 1])));
/// let [from, _, row] = kernel.arguments.as_slice() else { panic!("three arguments") };
/// assert_eq!((from.r#type, from.alignment, from.bytes()), (ArgumentType::Pointer, Some(256), Some(8)));
/// assert_eq!(from.declared.as_deref(), Some("memref<32x32xf32>"));
/// assert_eq!(row.r#type, ArgumentType::Integer { bits: 32 });
/// # Ok::<(), tile_passes::Error>(())
/// ```
///
/// The module is lowered in place; where compiling fails it is left at the stage that it came to. Nothing is printed:
/// errors are in [`Error::diagnostics`], warnings in [`Ptx::diagnostics`]. An operation of another dialect for which the
/// chip has no instruction is found by LLVM's back end, which ends the process.
///
/// # Errors
/// See [`Error`].
pub fn compile(module: &mut Module<'_>, options: &Options) -> Result<Ptx, Error> {
    // SAFETY: the module is alive.
    let context = unsafe { mlir_sys::mlirOperationGetContext(module.as_operation().to_raw()) };
    let (outcome, diagnostics) = collect(context, || ptx::compile_reporting(module, options));
    match outcome {
        Ok(ptx) => Ok(Ptx { diagnostics, ..ptx }),
        Err(error) => Err(error.with(diagnostics)),
    }
}
