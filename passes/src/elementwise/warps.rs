//! Warps that exchange tiles: each writes what it has to shared memory, and reads what all have.

use melior::ir::{BlockLike, OperationRef, RegionLike, Type, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::Scope;
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_isa::WARPGROUP;
use tile_layout::{Axis, Iter, Layout};
use tile_ops::{scf, tile};
use tile_plan::elementwise::WarpTiles;
use tile_plan::families::composite::TILE_ALIGN_BYTES;
use tile_plan::problem::threads::Threads;

use crate::emit::error::EmitError;
use crate::emit::{Emit, scope_barrier, scope_number};
use crate::read::{kernel, name};

/// An exchange among the warps of a scope.
pub struct WarpExchange<'p, 'c, 'a> {
    /// The op that needs it.
    op: OperationRef<'c, 'a>,
    scope: Scope,
    /// The tiles.
    tiles: &'p WarpTiles,
    /// Scopes of a block that each exchange their own results.
    instances: i64,
}

impl<'p, 'c: 'a, 'a> WarpExchange<'p, 'c, 'a> {
    /// That of an op's threads.
    pub fn new(op: OperationRef<'c, 'a>, scope: Scope, threads: &Threads, tiles: &'p WarpTiles) -> Self {
        let block = threads.block.filter(|_| scope == Scope::Warpgroup);
        let instances = block.map_or(1, |threads| (threads / WARPGROUP).max(1));
        WarpExchange { op, scope, tiles, instances }
    }

    /// Tiles in registers for what each warp has, with the elements of `results`.
    ///
    /// # Errors
    /// A layout that no tile has.
    pub fn partial(&self, emit: &Emit<'c, 'a, '_>, results: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        self.local(emit, results, &self.tiles.partial)
    }

    fn local(
        &self,
        emit: &Emit<'c, 'a, '_>,
        sources: &[Value<'c, 'a>],
        layout: &Layout,
    ) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        let tile = |&source| alloc(emit, source, &self.tiles.shape, layout, Space::Local);
        let tiles: Option<_> = sources.iter().map(tile).collect();
        tiles.ok_or(EmitError::NoTileType)
    }

    /// What all warps have, in tiles in registers. Barriers keep the tile in shared memory from being read before it is written
    /// and, where the op may be executed again, from being written before it is read.
    ///
    /// # Errors
    /// As [`partial`](Self::partial).
    pub fn gathered(
        &self,
        emit: &Emit<'c, 'a, '_>,
        partial: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        let builder = emit.kit.builder;
        let gathered = self.local(emit, partial, &self.tiles.gathered)?;
        let number = if self.instances > 1 {
            Some(scope_number(builder, self.op, self.scope).ok_or(EmitError::NotInRegisters)?)
        } else {
            None
        };
        let instance = number.map(|number| (number, self.instances));
        let (mut shape, mut layout) = (self.tiles.shape.clone(), self.tiles.shared.clone());
        if number.is_some() {
            layout.shard.insert(0, Iter::new(self.instances, layout.size(), Axis::Memory));
            shape.insert(0, self.instances);
        }
        let shared = partial.iter().map(|&tile| alloc(emit, tile, &shape, &layout, Space::Shared));
        let shared: Vec<_> = shared.collect::<Option<_>>().ok_or(EmitError::NotInRegisters)?;
        let extents = &self.tiles.shape;
        let begins: Vec<i64> = number.map(|_| DYNAMIC).into_iter().chain(extents.iter().map(|_| 0)).collect();
        let sizes: Vec<i64> = number.map(|_| 1).into_iter().chain(extents.iter().copied()).collect();
        let values: Vec<_> = number.into_iter().collect();
        for (&from, &to) in partial.iter().zip(&shared) {
            tile::copy(builder, from, &[], to, &values, &[], &[], &begins, &sizes, self.scope).build();
        }
        scope_barrier(builder, self.scope, instance);
        for (&from, &to) in shared.iter().zip(&gathered) {
            tile::copy(builder, from, &values, to, &[], &begins, &sizes, &[], &[], self.scope).build();
        }
        if may_repeat(self.op) {
            scope_barrier(builder, self.scope, instance);
        }
        Ok(gathered)
    }
}

/// A tile with the elements of `source`, and another shape, layout and memory.
pub(super) fn alloc<'c: 'a, 'a>(
    emit: &Emit<'c, 'a, '_>,
    source: Value<'c, 'a>,
    shape: &[i64],
    layout: &Layout,
    space: Space,
) -> Option<Value<'c, 'a>> {
    alloc_of(emit, BufferType::from_type(source.r#type())?.element(), shape, layout, space)
}

/// A tile of elements of that type.
pub(super) fn alloc_of<'c: 'a, 'a>(
    emit: &Emit<'c, 'a, '_>,
    element: Type<'c>,
    shape: &[i64],
    layout: &Layout,
    space: Space,
) -> Option<Value<'c, 'a>> {
    let builder = emit.kit.builder;
    let layout = LayoutAttr::new(builder.location, layout)?;
    let buffer = BufferType::new(builder.location, shape, element, space, layout)?;
    let alloc = tile::alloc(builder, buffer.as_type());
    Some(if space == Space::Shared { alloc.alignment(TILE_ALIGN_BYTES).value() } else { alloc.value() })
}

/// Whether an op may be executed several times in one launch: it is in a loop, in a function of several blocks, or in one that
/// others call.
fn may_repeat(op: OperationRef<'_, '_>) -> bool {
    let Some(function) = kernel::function(op) else { return true };
    let is_started = kernel::is_entry(function) || kernel::is_launch(function);
    let entry = function.region_at(0).and_then(|region| region.first_block());
    let has_blocks = entry.is_none_or(|entry| entry.next_in_region().is_some());
    let mut around = kernel::ancestors(op).take_while(|&around| around != function);
    !is_started || has_blocks || around.any(|around| name(around) != scf::IfOp::NAME)
}
