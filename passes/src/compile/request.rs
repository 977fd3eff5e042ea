//! The options that a caller of the library sets.

use crate::error::Error;
use crate::options::LoweringOptions;

/// The chip and the options that [`compile`](super::compile) compiles with. The defaults are those of the tools.
///
/// ```
/// let options = tile_passes::Options::new().chip("sm_90a").features("+ptx86").line_info(true);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) chip: Option<String>,
    pub(crate) features: Option<String>,
    pub(crate) gpu_module: Option<String>,
    pub(crate) passes: Option<String>,
    pub(crate) line_info: bool,
    pub(crate) max_vector_bits: u32,
    pub(crate) argument_alignment: u32,
    pub(crate) variants: Vec<String>,
    pub(crate) noalias: bool,
}

impl Default for Options {
    fn default() -> Self {
        let passes = LoweringOptions::default();
        Options {
            chip: None,
            features: None,
            gpu_module: None,
            passes: None,
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
    ///
    /// ```
    /// use tile_passes::Options;
    ///
    /// assert_eq!(Options::new(), Options::new().max_vector_bits(128).argument_alignment(256).noalias(true));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The chip, such as `sm_90a`; by default the one that the `gpu.module` names, else `sm_80`.
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = "gpu.module @kernels [#nvvm.target<chip = \"sm_90\">] { gpu.func @idle() kernel { gpu.return } }";
    /// assert_eq!(compile(&mut embed::parse(&context, text)?, &Options::new())?.chip, "sm_90");
    /// assert_eq!(compile(&mut embed::parse(&context, text)?, &Options::new().chip("sm_100a"))?.chip, "sm_100a");
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    #[must_use]
    pub fn chip(mut self, chip: impl Into<String>) -> Self {
        self.chip = Some(chip.into());
        self
    }

    /// The PTX version, such as `+ptx86`; by default the one that the `gpu.module` names, else the first that has all
    /// instructions of the chip.
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let mut module = embed::parse(&context, "gpu.module @kernels { gpu.func @idle() kernel { gpu.return } }")?;
    /// assert_eq!(compile(&mut module, &Options::new().features("+ptx86"))?.ptx_version, 86);
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    #[must_use]
    pub fn features(mut self, features: impl Into<String>) -> Self {
        self.features = Some(features.into());
        self
    }

    /// The `gpu.module` to compile, where there are several.
    ///
    /// ```
    /// use tile_passes::{Error, Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let mut module = embed::parse(&context, "gpu.module @first {} gpu.module @second {}")?;
    /// assert!(matches!(compile(&mut module, &Options::new()), Err(Error::GpuModule { .. })));
    /// compile(&mut module, &Options::new().gpu_module("second"))?;
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn gpu_module(mut self, name: impl Into<String>) -> Self {
        self.gpu_module = Some(name.into());
        self
    }

    /// The passes to run, such as `lower-tile-copy,tile-to-nvvm`, in place of `tile-build`. Widths, variants, alignment and
    /// `noalias` are then options of these passes.
    ///
    /// ```
    /// use tile_passes::{Error, Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = "gpu.module @kernels { gpu.func @idle() kernel { gpu.return } }";
    /// compile(&mut embed::parse(&context, text)?, &Options::new().passes("tile-build{order=false}"))?;
    /// let error = compile(&mut embed::parse(&context, text)?, &Options::new().passes("lower-tile-copy")).unwrap_err();
    /// assert!(error.to_string().contains("is left in a kernel"), "{error}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn passes(mut self, pipeline: impl Into<String>) -> Self {
        self.passes = Some(pipeline.into());
        self
    }

    /// Lowers what is written, and does nothing else: the passes are `lower-tile-copy,tile-to-nvvm`.
    ///
    /// ```
    /// use tile_passes::Options;
    ///
    /// assert_eq!(Options::new().as_written(), Options::new().passes("lower-tile-copy,tile-to-nvvm"));
    /// ```
    #[must_use]
    pub fn as_written(self) -> Self {
        self.passes("lower-tile-copy,tile-to-nvvm")
    }

    /// Makes PTX name the lines of the MLIR that it comes from (`.file` and `.loc`).
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = "gpu.module @kernels { gpu.func @idle() kernel { gpu.return } }";
    /// let mut module = embed::parse_named(&context, text, "idle.mlir")?;
    /// let ptx = compile(&mut module, &Options::new().line_info(true))?;
    /// assert!(ptx.text.contains(".file") && ptx.text.contains("idle.mlir"));
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    #[must_use]
    pub fn line_info(mut self, line_info: bool) -> Self {
        self.line_info = line_info;
        self
    }

    /// The widest load or store, in bits: a power of two from 8 to 256; 128 by default.
    ///
    /// ```
    /// use tile_passes::{Error, Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let mut module = embed::parse(&context, "gpu.module @kernels {}")?;
    /// let error = compile(&mut module, &Options::new().max_vector_bits(96)).unwrap_err();
    /// assert!(matches!(&error, Error::Options { reason } if reason.contains("96")));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn max_vector_bits(mut self, bits: u32) -> Self {
        self.max_vector_bits = bits;
        self
    }

    /// The alignment of kernels' memref arguments, in bytes, where they do not state it; 256 by default, as device allocations
    /// have.
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = "gpu.module @kernels { gpu.func @take(%A: memref<32xf32>) kernel { gpu.return } }";
    /// let ptx = compile(&mut embed::parse(&context, text)?, &Options::new().argument_alignment(64))?;
    /// assert_eq!(ptx.kernels[0].arguments[0].alignment, Some(64));
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    #[must_use]
    pub fn argument_alignment(mut self, bytes: u32) -> Self {
        self.argument_alignment = bytes;
        self
    }

    /// The variants that may be chosen; by default all.
    ///
    /// ```
    /// use tile_passes::{Error, Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let mut module = embed::parse(&context, "gpu.module @kernels {}")?;
    /// compile(&mut module, &Options::new().variants(["gmem_smem", "fallback"]))?;
    /// let error = compile(&mut module, &Options::new().variants(["gmem"])).unwrap_err();
    /// assert!(matches!(&error, Error::Options { reason } if reason.contains("gmem_smem")), "the reason lists all: {error}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn variants(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.variants = names.into_iter().map(Into::into).collect();
        self
    }

    /// Whether memref arguments of a kernel do not overlap where one of them is written; true by default.
    ///
    /// ```
    /// use tile_passes::{Options, compile, embed};
    ///
    /// let context = embed::context();
    /// let text = r#"gpu.module @kernels {
    ///   gpu.func @copy(%A: memref<32xf32>, %B: memref<32xf32>) kernel {
    ///     %lane = gpu.lane_id
    ///     %x = memref.load %A[%lane] : memref<32xf32>
    ///     memref.store %x, %B[%lane] : memref<32xf32>
    ///     gpu.return
    ///   }
    /// }"#;
    /// // Memory that no store changes is read through the cache for it.
    /// let reads = |noalias| {
    ///     let ptx = compile(&mut embed::parse(&context, text)?, &Options::new().noalias(noalias))?;
    ///     Ok::<_, tile_passes::Error>(ptx.text.contains("ld.global.nc"))
    /// };
    /// assert_eq!((reads(true)?, reads(false)?), (true, false));
    /// # Ok::<(), tile_passes::Error>(())
    /// ```
    #[must_use]
    pub fn noalias(mut self, noalias: bool) -> Self {
        self.noalias = noalias;
        self
    }

    /// The options that the passes take from it.
    ///
    /// # Errors
    /// Got and expected.
    pub(crate) fn of_passes(&self) -> Result<LoweringOptions, Error> {
        let widths = (self.max_vector_bits, self.argument_alignment);
        LoweringOptions::checked(self.chip.as_deref(), widths, &self.variants, self.noalias)
            .map_err(|reason| Error::Options { reason })
    }
}
