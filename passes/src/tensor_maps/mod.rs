//! `--tile-make-maps`: tensor maps for the copies that go through them, and their way from the host to the kernel.
//!
//! | step | of | what |
//! | --- | --- | --- |
//! | [`choose`] | `--tile-make-maps` | a copy that names the variant `tma` and no map gets a `tile.tensor_map` of its tile, with the fields of its plan |
//! | [`own`], [`workspace`] | `--tile-make-maps` | the map of a tile that only the kernel knows is a template, and a `tile.update_map` where the tile is made |
//! | [`hoist`] | `--tile-make-maps` | a `tile.tensor_map` in a kernel becomes an argument; each launch makes the map and passes it |
//! | [`encode`] | `--tile-expand-copy` | a `tile.tensor_map` on the host becomes a call of the runtime's encoder |
//! | [`prefetch`] | `--tile-expand-copy` | the kernel's first thread prefetches the arguments that every launch uses |
//! | [`update`] | `--tile-expand-copy` | a `tile.update_map` in a kernel becomes instructions that change 128 bytes |
//! | [`argument`] | `--tile-prepare-kernels`, `--tile-finish-kernels` | the argument becomes 128 bytes in the kernel's parameters |
//!
//! ```mlir
//!   gpu.func @copy(%A: memref<?x512xf16>) kernel {            gpu.func @copy(%A: memref<?x512xf16>, %m: !tile.tensor_map<…>) kernel {
//!     %a = tile.view %A : …                                     %a = tile.view %A : …
//!     tile.copy_async %a[%i, 0] [64, 64] to %s                  tile.copy_async %a[%i, 0] [64, 64] to %s
//!       … {variant = "tma"}                             ──▶       … through(%m : …) {variant = "tma"}
//!   }                                                         }
//!                                                             %a = tile.view %A : …
//!                                                             %m = tile.tensor_map %a : … to !tile.tensor_map<…>
//!   gpu.launch_func @kernels::@copy … args(%A)                gpu.launch_func @kernels::@copy … args(%A, %m)
//! ```

pub mod argument;
pub mod choose;
mod described;
pub mod encode;
pub mod error;
mod hoist;
mod numbers;
mod own;
pub mod prefetch;
pub mod update;
mod workspace;

use tile_dialect::ir::Ir;

use self::own::OutOfOrder;
use crate::options::LoweringOptions;

/// Makes the maps that copies below the root need, and moves all maps out of kernels; `false`, after errors, where one is left. Whether
/// a map may be changed again in a loop, `out_of_order` tells.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, out_of_order: OutOfOrder) -> bool {
    let chosen = choose::run(ir, options, out_of_order);
    hoist::run(ir) && chosen
}
