//! The tile compiler as a library: MLIR with tiles in, PTX out.
//!
//! ```
//! let ptx = tile::compile(r#"
//! gpu.module @kernels {
//!   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
//!     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
//!     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
//!     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
//!     gpu.return
//!   }
//! }"#, &tile::Options::new().chip("sm_90a"))?;
//! assert!(ptx.contains(".visible .entry load"));
//! # Ok::<(), tile::Error>(())
//! ```
//!
//! The build script finds the compiler's shared library, or builds it with the LLVM that it finds; the library is loaded at
//! the first call. The environment variable `TILE_LIBRARY` of the program selects another one. For typed access to the IR
//! there is the crate `tile-passes`, which binds LLVM.

mod compiled;
mod library;
mod lowered;
mod raw;

use std::fmt;
use std::path::Path;

pub use compiled::{Argument, Compiled, Kernel, Kind, Number, Remark};
pub use lowered::{Lowered, lower};
use raw::{CompileOptions, ErrorHandler, Listener, StringRef};

/// The target and options of a compilation. The defaults are those of the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    chip: String,
    features: String,
    gpu_module: String,
    name: String,
    passes: String,
    max_vector_bits: Option<u32>,
    argument_alignment: Option<u32>,
    line_info: bool,
    overlapping: bool,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The chip, such as `sm_90a`. By default the one that the `gpu.module` names, else `sm_80`.
    #[must_use]
    pub fn chip(mut self, chip: impl Into<String>) -> Self {
        self.chip = chip.into();
        self
    }

    /// The PTX version, such as `+ptx86`.
    #[must_use]
    pub fn features(mut self, features: impl Into<String>) -> Self {
        self.features = features.into();
        self
    }

    /// The name of the `gpu.module`, where there are several.
    #[must_use]
    pub fn gpu_module(mut self, name: impl Into<String>) -> Self {
        self.gpu_module = name.into();
        self
    }

    /// The name of the text in errors and line information.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The passes to run, such as `lower-tile-copy,tile-to-nvvm`, in place of `tile-build`. Widths, alignment and `noalias` are
    /// then options of these passes.
    #[must_use]
    pub fn passes(mut self, pipeline: impl Into<String>) -> Self {
        self.passes = pipeline.into();
        self
    }

    /// The widest load or store, in bits.
    #[must_use]
    pub fn max_vector_bits(mut self, bits: u32) -> Self {
        self.max_vector_bits = Some(bits);
        self
    }

    /// The alignment of memref arguments of kernels, in bytes.
    #[must_use]
    pub fn argument_alignment(mut self, bytes: u32) -> Self {
        self.argument_alignment = Some(bytes);
        self
    }

    /// Whether the PTX refers to the lines of its MLIR.
    #[must_use]
    pub fn line_info(mut self, line_info: bool) -> Self {
        self.line_info = line_info;
        self
    }

    /// Whether memref arguments of a kernel never overlap where one of them is written; true by default.
    #[must_use]
    pub fn noalias(mut self, noalias: bool) -> Self {
        self.overlapping = !noalias;
        self
    }
}

/// The reason why there is no PTX: the compiler's messages, one per line, or why it could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Compiles the text of a module to PTX.
///
/// # Errors
/// See [`Error`].
pub fn compile(text: &str, options: &Options) -> Result<String, Error> {
    compile_with(text, options).map(|compiled| compiled.ptx)
}

/// Compiles the text of a module, and reports what a launch needs to know about its kernels, and how copies are lowered.
///
/// ```
/// let compiled = tile::compile_with(r#"
/// gpu.module @kernels {
///   gpu.func @load(%A: memref<?x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
///     %a = tile.view %A : memref<?x32xf32> to !tile.buffer<?x32xf32, global>
///     %s = tile.alloc : !tile.buffer<8x32xf32, shared>
///     tile.copy %a[0, 0] [8, 32] to %s scope(warp) : !tile.buffer<?x32xf32, global> to !tile.buffer<8x32xf32, shared>
///     gpu.return
///   }
/// }"#, &tile::Options::new().chip("sm_90a"))?;
/// let kernel = &compiled.kernels[0];
/// assert_eq!((kernel.name.as_str(), kernel.threads, kernel.static_shared), ("load", Some([32, 1, 1]), 1024));
/// assert_eq!(kernel.arguments[1].number, Some(tile::Number::Extent(0)));
/// assert!(compiled.remarks.iter().any(|remark| remark.passed && remark.name == "gmem_smem"));
/// # Ok::<(), tile::Error>(())
/// ```
///
/// # Errors
/// See [`Error`].
pub fn compile_with(text: &str, options: &Options) -> Result<Compiled, Error> {
    let library = library::get().map_err(Error)?;
    let (mut compiled, mut message) = (Compiled::default(), String::new());
    // SAFETY: the functions have the types of `tile-c/Compile.h`; all strings outlive the calls.
    let fine = unsafe {
        let defaults = (library.default_options)();
        let raw = CompileOptions {
            chip: StringRef::of(&options.chip),
            features: StringRef::of(&options.features),
            gpu_module: StringRef::of(&options.gpu_module),
            max_vector_bits: options.max_vector_bits.unwrap_or(defaults.max_vector_bits),
            argument_alignment: options.argument_alignment.unwrap_or(defaults.argument_alignment),
            line_info: options.line_info,
            noalias: !options.overlapping,
            passes: StringRef::of(&options.passes),
        };
        let (text, name) = (StringRef::of(text), StringRef::of(&options.name));
        let on_error = ErrorHandler { say: raw::append, user_data: (&raw mut message).cast() };
        let listener = Listener {
            ptx: compiled::on_ptx,
            kernel: compiled::on_kernel,
            remark: compiled::on_remark,
            warning: compiled::on_warning,
            user_data: (&raw mut compiled).cast(),
        };
        (library.compile_text)(text, name, &raw const raw, &raw const listener, on_error)
    };
    if fine { Ok(compiled) } else { Err(Error(message)) }
}

/// The path that the compiler's library was loaded from.
///
/// # Errors
/// The reason why it could not be loaded.
pub fn library() -> Result<&'static Path, Error> {
    library::get().map(|library| library.path.as_path()).map_err(Error)
}
