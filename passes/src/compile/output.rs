//! What comes of a module.

use crate::ptx::kernels::Kernel;

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
