//! Tiles in shared memory: copied to registers, computed with there, and copied back; large ones part by part.
//!
//! ```text
//!   tile.map %s to %s          tile.copy %s to %x        %x, %y: new tiles in registers, in the layout of the partition
//!                       ──▶    the map of %x to %y
//!                              tile.copy %y to %s
//! ```

use melior::ir::{Value, ValueLike};
use tile_dialect::ops::{CombineKind, ScanElement, Scope};
use tile_dialect::{BufferType, Space};
use tile_ops::tile;
use tile_plan::elementwise::{PartRegion, TileOperand, TileParts};

use super::warps;
use crate::emit::error::EmitError;
use crate::emit::{Emit, neutral};

/// The operands of one side of an op, of which shared tiles are held in registers.
pub struct SharedTiles<'p, 'c, 'a> {
    /// The scope of the op.
    scope: Scope,
    /// The parts; none where no tile is shared.
    parts: Option<&'p TileParts>,
    values: Vec<Value<'c, 'a>>,
    tiles: &'p [TileOperand],
    /// What is held of each tile.
    held: Vec<Option<HeldPart<'c, 'a>>>,
    /// The operator that changes nothing by what is loaded from beyond a tile.
    operator: Option<CombineKind>,
}

/// A part of a tile that is in registers.
struct HeldPart<'c, 'a> {
    region: PartRegion,
    registers: Value<'c, 'a>,
}

impl<'p, 'c: 'a, 'a> SharedTiles<'p, 'c, 'a> {
    /// Those of an op, of which nothing is held.
    pub fn new(
        scope: Scope,
        values: Vec<Value<'c, 'a>>,
        tiles: &'p [TileOperand],
        parts: Option<&'p TileParts>,
    ) -> Self {
        let held = values.iter().map(|_| None).collect();
        SharedTiles { scope, parts, values, tiles, held, operator: None }
    }

    /// The same, as terms that an operator combines.
    pub fn combined_by(self, operator: Option<CombineKind>) -> Self {
        SharedTiles { operator, ..self }
    }

    /// The operands as the op has them.
    pub fn values(&self) -> &[Value<'c, 'a>] {
        &self.values
    }

    /// The sources of the part that begins there, in registers, after copies of what is not held already.
    ///
    /// # Errors
    /// A layout that no tile has.
    pub fn load(&mut self, emit: &Emit<'c, 'a, '_>, begin: &[i64]) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        for number in self.hold(emit, begin)? {
            self.copy(emit, number, true);
        }
        Ok(self.registers())
    }

    /// Registers for the results of the part that begins there.
    ///
    /// # Errors
    /// A layout that no tile has.
    pub fn begin(&mut self, emit: &Emit<'c, 'a, '_>, begin: &[i64]) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        self.hold(emit, begin)?;
        Ok(self.registers())
    }

    /// Copies the results that are held to the shared tiles.
    pub fn store(&self, emit: &Emit<'c, 'a, '_>) {
        (0..self.values.len()).for_each(|number| self.copy(emit, number, false));
    }

    /// All operands in registers.
    fn registers(&self) -> Vec<Value<'c, 'a>> {
        let registers = |(value, held): (&Value<'c, 'a>, &Option<HeldPart<'c, 'a>>)| {
            held.as_ref().map_or(*value, |part| part.registers)
        };
        self.values.iter().zip(&self.held).map(registers).collect()
    }

    /// Makes registers for parts that are not held, and says of which tiles.
    fn hold(&mut self, emit: &Emit<'c, 'a, '_>, begin: &[i64]) -> Result<Vec<usize>, EmitError> {
        let mut new = Vec::new();
        for (number, tile) in self.tiles.iter().enumerate() {
            let (TileOperand::Shared(_), Some(parts)) = (tile, self.parts) else { continue };
            let region = parts.region(tile.shape(), begin)?;
            if self.held[number].as_ref().is_some_and(|held| held.region == region) {
                continue;
            }
            let partition = &region.partition;
            let registers = warps::alloc(emit, self.values[number], &partition.shape, &partition.layout, Space::Local);
            self.held[number] = Some(HeldPart { registers: registers.ok_or(EmitError::NotInRegisters)?, region });
            new.push(number);
        }
        Ok(new)
    }

    /// A copy of what is held of a tile: of a region, masked where that extends beyond the tile, or of all.
    fn copy(&self, emit: &Emit<'c, 'a, '_>, number: usize, is_load: bool) {
        let Some(HeldPart { region, registers }) = &self.held[number] else { return };
        let (value, extents) = (self.values[number], self.tiles[number].shape());
        let is_whole = region.partition.shape == extents;
        let (begin, sizes): (&[i64], &[i64]) =
            if is_whole { (&[], &[]) } else { (&region.begin, &region.partition.shape) };
        let is_masked = !region.limits(extents).is_empty();
        let (builder, scope) = (emit.kit.builder, self.scope);
        let copy = match is_load {
            true => tile::copy(builder, value, &[], *registers, &[], begin, sizes, &[], &[], scope),
            false => tile::copy(builder, *registers, &[], value, &[], &[], &[], begin, sizes, scope),
        };
        let neutral = |kind| {
            let element =
                BufferType::from_type(value.r#type()).and_then(|buffer| ScanElement::new(buffer.element()))?;
            neutral(emit.kit, kind, element)
        };
        let filler = self.operator.filter(|_| is_masked).and_then(neutral);
        copy.masked(is_masked).filler(filler).build();
    }
}
