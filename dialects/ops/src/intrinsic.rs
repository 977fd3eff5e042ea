//! LLVM's intrinsics that neither the LLVM nor the NVVM dialect has an op for.

/// Approximate square root.
pub const SQRT_APPROX: &str = "llvm.nvvm.sqrt.approx.f";
