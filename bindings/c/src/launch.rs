//! The shape of a launch, completed and checked by what the kernel needs.

use mlir_sys::MlirStringRef;
use ptx_sim::{Dim3, Interface, Launch};

use crate::arguments::{ErrorHandler, text};

/// `MlirTileSimLaunch`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawLaunch {
    grid: [u32; 3],
    block: [u32; 3],
    cluster: [u32; 3],
    dynamic_shared: u32,
    pub schedule: MlirStringRef,
    pub no_check: MlirStringRef,
}

impl RawLaunch {
    /// The launch of a kernel, which states what is zero here.
    ///
    /// # Errors
    /// A launch that the kernel cannot have.
    pub fn complete(&self, kernel: &Interface) -> Result<Launch, String> {
        let given = |extents: [u32; 3]| (extents != [0; 3]).then_some(Dim3(extents));
        let shared = (self.dynamic_shared != 0).then_some(self.dynamic_shared);
        let launch = kernel.needs.complete(Dim3(self.grid), given(self.block), given(self.cluster), shared);
        launch.map_err(|mismatch| format!("kernel `{}` cannot be launched: {mismatch}", kernel.name))
    }
}

/// Completes and checks a launch.
///
/// # Safety
/// Strings are null or valid; the launch is null or valid, and nothing else uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileCompleteLaunch(
    ptx: MlirStringRef,
    kernel: MlirStringRef,
    launch: *mut RawLaunch,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (ptx, kernel) = unsafe { (text("PTX", ptx)?, text("name of the kernel", kernel)?) };
        // SAFETY: as above.
        let raw = unsafe { launch.as_mut() }.ok_or("got a null launch, expected one")?;
        let kernels = ptx_sim::interfaces(ptx).map_err(|error| format!("in the PTX: {error}"))?;
        let Launch { grid, block, cluster, dynamic_shared } = raw.complete(named(&kernels, kernel)?)?;
        let (grid, block, cluster) = (grid.0, block.0, cluster.map_or([0; 3], |cluster| cluster.0));
        *raw = RawLaunch { grid, block, cluster, dynamic_shared, ..*raw };
        Ok(true)
    })
}

/// The kernel of that name.
pub fn named<'a>(kernels: impl IntoIterator<Item = &'a Interface>, name: &str) -> Result<&'a Interface, String> {
    let missing = || format!("kernel `{name}` cannot be launched: the module has no such kernel");
    kernels.into_iter().find(|kernel| kernel.name == name).ok_or_else(missing)
}
