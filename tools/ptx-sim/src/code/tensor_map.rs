//! Changes of tensor maps on the device (PTX ISA 9.7.9.28, 9.7.9.29, 9.7.13.4).

use super::memory::Scope;
use super::operand::{Addr, Src};
use crate::parse::Space;
use crate::tensor_map::MapField;

/// An instruction that changes a tensor map, or orders changes before the uses of a map.
#[derive(Debug)]
pub(crate) enum MapOp {
    /// `tensormap.replace`.
    Replace { space: Space, addr: Addr, field: MapField, value: Src },
    /// `tensormap.cp_fenceproxy`: a warp copies a map from shared to global memory, and releases it.
    Copy { dst: Addr, src: Addr, scope: Scope },
    /// `fence.proxy.tensormap::generic.release`.
    Release(Scope),
    /// `fence.proxy.tensormap::generic.acquire`.
    Acquire { addr: Addr, scope: Scope },
}
