//! A map that a kernel changes: `tile.update_map`.
//!
//! ```text
//!   first thread of the scope      %map ──▶ 128 bytes of shared memory; tensormap.replace of the base, and of what the type leaves open
//!   its warp                       bar.warp.sync
//!                                  tensormap.cp_fenceproxy ──▶ the workspace in global memory
//!                                  fence.proxy.tensormap::generic.acquire
//!   the scope                      a barrier
//! ```

use melior::ir::{Type, Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::ir::results_of;
use tile_dialect::ops::UpdateMapOp;
use tile_isa::{Scope, WARP};
use tile_ops::llvm_type::Space;
use tile_ops::nvvm::MemScopeKind;
use tile_ops::{Builder, builtin, gpu, llvm, nvvm};
use tile_plan::families::tensor_map::{MAP_BYTES, Stride, TensorMap};
use tile_plan::target::Target;

use super::described::{MapNumbers, describe};
use super::error::MapError;
use crate::emit::{Cmp, Emit, Function, Kit};

/// The largest vector of a load, in bytes.
const VECTOR_BYTES: i64 = 16;

/// Where the parts of an update are, as pointers.
struct UpdateStorage<'c, 'a> {
    /// The map that is changed.
    map: Value<'c, 'a>,
    scratch: Value<'c, 'a>,
    workspace: Value<'c, 'a>,
    /// The workspace as a generic pointer.
    made: Value<'c, 'a>,
}

/// Writes an update, in place of the op.
///
/// # Errors
/// A chip that cannot change maps; a tile that has no memory there.
pub fn write<'c: 'a, 'a>(
    op: UpdateMapOp<'c, 'a>,
    function: &Function<'c, 'a>,
    builder: Builder<'c, 'a>,
    target: &Target,
) -> Result<(), MapError> {
    if !target.has_map_updates() {
        return Err(MapError::Chip(target.to_string()));
    }
    let (template, tile) = (op.map().ok_or(MapError::Malformed)?, op.tile().ok_or(MapError::Malformed)?);
    let result = results_of(op.0)[0].r#type();
    let map = TensorMapType::from_type(result).and_then(TensorMapType::map).ok_or(MapError::Malformed)?;
    let numbers = describe(&map, tile, builder)?;
    let mut emit = Emit::new(builder, function);
    let mut pointer =
        |bytes: Option<Value<'c, 'a>>| Ok::<_, MapError>(emit.parts(bytes.ok_or(MapError::Malformed)?)?[0]);
    let (workspace, scratch) = (pointer(op.workspace())?, pointer(op.scratch())?);
    let kit = Kit::new(builder);
    let generic = kit.pointer(Space::Generic);
    let converted = |value, r#type: Type<'c>| {
        let cast = builtin::unrealized_conversion_cast(builder, &[value], &[r#type]).build().operation();
        results_of(cast)[0]
    };
    let made = llvm::addrspacecast(builder, workspace, generic).value();
    let places = UpdateStorage { map: converted(template, generic), scratch, workspace, made };
    let thread = kit.index_as_i64(function.thread_in(builder, op.scope()).ok_or(MapError::Malformed)?);
    let by_warp = |kit: Kit<'c, 'a>| places.write(kit, thread, &map, &numbers);
    match op.scope() {
        Scope::Warp => by_warp(kit),
        _ => drop(kit.when(kit.is(Cmp::Ult, thread, WARP), by_warp)),
    }
    match op.scope() {
        Scope::Warp => drop(nvvm::bar_warp_sync(builder, kit.i32(-1)).build()),
        _ => drop(gpu::barrier(builder).build()),
    }
    builder.rewriter.replace(op.0, &[converted(made, result)]);
    Ok(())
}

impl<'c: 'a, 'a> UpdateStorage<'c, 'a> {
    /// What one warp does.
    fn write(&self, kit: Kit<'c, 'a>, thread: Value<'c, 'a>, map: &TensorMap, numbers: &MapNumbers<'c, 'a>) {
        kit.when(kit.is(Cmp::Eq, thread, 0), |kit| {
            self.copy_to_scratch(kit);
            self.replace(kit, map, numbers);
        });
        nvvm::bar_warp_sync(kit.builder, kit.i32(-1)).build();
        let copy = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned";
        kit.assembly(&format!("{copy} [$0], [$1], {MAP_BYTES};"), "l,l,~{memory}", &[self.workspace, self.scratch]);
        nvvm::fence_proxy_acquire(kit.builder, self.made, kit.i32(MAP_BYTES), MemScopeKind::Gpu).build();
    }

    fn copy_to_scratch(&self, kit: Kit<'c, 'a>) {
        let vector = Type::vector(&[2], kit.int_type(64));
        for at in (0..MAP_BYTES).step_by(VECTOR_BYTES as usize) {
            let bytes = kit.load(kit.beyond(self.map, at), vector, VECTOR_BYTES);
            kit.store(bytes, kit.beyond(self.scratch, at), VECTOR_BYTES);
        }
    }

    /// Replaces the base, and the extents and strides that the map leaves open.
    fn replace(&self, kit: Kit<'c, 'a>, map: &TensorMap, numbers: &MapNumbers<'c, 'a>) {
        self.replace_field(kit, "global_address", 64, None, numbers.base);
        for (number, (dim, [extent, stride])) in map.dims.iter().zip(&numbers.dims).enumerate() {
            if dim.extent.open().is_some() {
                self.replace_field(kit, "global_dim", 32, Some(number), kit.truncated(*extent, 32));
            }
            // The innermost stride is that of adjacent elements, and is not counted.
            if let (Stride::Times { .. }, Some(place)) = (dim.stride, number.checked_sub(1)) {
                self.replace_field(kit, "global_stride", 64, Some(place), *stride);
            }
        }
    }

    fn replace_field(&self, kit: Kit<'c, 'a>, field: &str, bits: u32, number: Option<usize>, value: Value<'c, 'a>) {
        let number = number.map_or(String::new(), |number| format!("{number}, "));
        let text = format!("tensormap.replace.tile.{field}.shared::cta.b1024.b{bits} [$0], {number}$1;");
        let constraints = if bits == 64 { "l,l,~{memory}" } else { "l,r,~{memory}" };
        kit.assembly(&text, constraints, &[self.scratch, value]);
    }
}
