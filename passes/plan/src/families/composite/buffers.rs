//! The buffers that a composite plan makes for itself: a tile in shared memory, and registers.

use tile_isa::{Conversion, Scope, Space};
use tile_layout::{Iter, Layout};

use crate::problem::operands::{Operand, Operands};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::{Element, Problem};
use crate::sides::require::full_scope;

/// The most bytes of a tile in shared memory that a plan makes for itself: static shared memory of a block.
pub const MAX_TILE_BYTES: i64 = 48 * 1024;

/// The alignment of such a tile, in bytes.
pub const TILE_ALIGN_BYTES: i64 = 128;

/// The alignment of registers that a plan makes for itself, in bytes: the widest vector.
const REGISTER_ALIGN_BYTES: i64 = 32;

/// A tile in shared memory that a plan makes for itself, one for each scope of the block.
///
/// ```text
///   16x8 f32, 4 warps of a block
///     layout   (4, 16, 8) : (192, 12, 1)      rows of 8, 4 more between them
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanTile {
    /// Scopes per block, each with its own tile.
    pub instances: i64,
    /// The shape of a tile: the extents of the region without units.
    pub shape: Vec<i64>,
    /// The layout of all tiles together, with one more dimension where there are several.
    pub layout: Layout,
    /// Bits of an element.
    pub element_bits: u32,
}

impl PlanTile {
    /// A tile of `layout` for each of `instances` scopes, each starting at a line, or at a period of its swizzle.
    pub(crate) fn for_each(instances: i64, shape: Vec<i64>, layout: Layout, element_bits: u32) -> Self {
        let layout = if instances == 1 { layout } else { repeated(layout, instances, element_bits) };
        PlanTile { instances, shape, layout, element_bits }
    }

    /// The shape of all tiles.
    pub fn buffer_shape(&self) -> Vec<i64> {
        let several = (self.instances > 1).then_some(self.instances);
        several.into_iter().chain(self.shape.iter().copied()).collect()
    }

    /// Bytes of shared memory.
    pub fn bytes(&self) -> i64 {
        self.layout.memory_span().saturating_mul(i64::from(self.element_bits / 8))
    }

    /// The tile of one scope as an operand. Its run-time value 0 is the index of the scope in its block.
    pub fn operand(&self) -> Operand {
        let mut tile = Operand::whole(Space::Shared, self.layout.clone(), &self.buffer_shape(), TILE_ALIGN_BYTES);
        if self.instances > 1 {
            tile.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
            tile.extent[0] = 1;
        }
        tile
    }

    pub(super) fn verify(&self) -> Result<(), Refusal> {
        let elements = self.buffer_shape().iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let fits = self.layout.validate().is_ok() && self.layout.size() == elements && self.bytes() <= MAX_TILE_BYTES;
        if fits { Ok(()) } else { Err(Refusal::new("malformed-scratch-copy", "the layout is not that of the tiles")) }
    }
}

/// The layout of one tile for each scope.
fn repeated(tile: Layout, instances: i64, bits: u32) -> Layout {
    let line = (TILE_ALIGN_BYTES * 8 / i64::from(bits)).max(tile.swizzle.map_or(1, |swizzle| swizzle.period()));
    let span = tile.memory_span();
    let stride = span.saturating_add(line - 1) / line * line;
    let shard = [vec![Iter::memory(instances, stride)], tile.shard].concat();
    Layout { shard, ..tile }
}

/// The number of scopes per block, each of which must be complete.
///
/// # Errors
/// `scope-has-no-warps`, `block-size-unknown`, or as [`full_scope`].
pub(crate) fn instances(problem: &Problem) -> Result<i64, Refusal> {
    let threads = &problem.threads;
    if threads.scope == Scope::Thread {
        return Err(Refusal::new("scope-has-no-warps", "got thread scope; needed a scope of several threads"));
    }
    let count = full_scope(problem)?;
    let block = threads.block.ok_or_else(|| {
        let reason = format!("each {} needs scratch of its own; got a block of unknown size", threads.scope);
        Refusal::new("block-size-unknown", reason)
    })?;
    Ok((block + count - 1) / count)
}

/// The extents of a region without units; a single unit if all extents are.
pub(crate) fn walked_shape(operand: &Operand) -> Vec<i64> {
    let walked: Vec<i64> = operand.extent.iter().copied().filter(|&extent| extent != 1).collect();
    if walked.is_empty() { vec![1] } else { walked }
}

/// The region in registers that a plan makes for itself, distributed over the threads of the scope.
///
/// ```text
///   64x64 f32, 256 threads, each with a block of 4x4
///     layout   (16, 4, 16, 4) : (16@tx, 4, 1@tx, 1)
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RegisterBuffer {
    /// The extents of the region without units.
    pub shape: Vec<i64>,
    /// Which thread holds which element in which register.
    pub layout: Layout,
}

impl RegisterBuffer {
    fn operand(&self) -> Operand {
        Operand::whole(Space::Local, self.layout.clone(), &self.shape, REGISTER_ALIGN_BYTES)
    }
}

/// One side of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The operand of the copy on that side.
    Operand,
    /// The tile that the plan makes.
    Tile,
    /// Registers that the plan makes, by their number.
    Registers(usize),
}

/// A part of the region of a copy, in one dimension: those of extent 1 are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegionPart {
    /// The dimension.
    pub dimension: usize,
    /// The first position.
    pub begin: i64,
    /// The number of positions.
    pub extent: i64,
}

impl RegionPart {
    /// The part of an operand, as a region of a buffer that is the region.
    fn of(self, operand: Operand, role: Role) -> Result<Operand, Refusal> {
        let mut operand = operand.settled(role)?;
        let mut walked = (0..operand.extent.len()).filter(|&dimension| operand.extent[dimension] != 1);
        if let Some(dimension) = walked.nth(self.dimension) {
            operand.begin[dimension] = Begin::Const(self.begin);
            operand.extent[dimension] = self.extent;
        }
        Ok(operand)
    }
}

/// What a plan makes for itself, between the operands of its copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlanBuffers {
    /// The tile in shared memory, if the steps need one.
    pub tile: Option<PlanTile>,
    /// The registers, by their numbers.
    pub registers: Vec<RegisterBuffer>,
}

impl PlanBuffers {
    /// A tile alone.
    pub(crate) fn through(tile: PlanTile) -> Self {
        PlanBuffers { tile: Some(tile), registers: Vec::new() }
    }

    /// The problem of copying from one endpoint to the other, as a part of `problem`. A tile has the elements of `part` alone; a mask limits the
    /// operands in memory.
    ///
    /// # Errors
    /// `operand-missing`, also of a buffer that is not made; as [`Operand::settled`] where there is a part.
    pub(crate) fn part(
        &self,
        (from, to): (Endpoint, Endpoint),
        part: Option<RegionPart>,
        conversion: Option<Conversion>,
        problem: &Problem,
    ) -> Result<Problem, Refusal> {
        let is_converted = problem.conversion.filter(|_| conversion.is_none() && from == Endpoint::Tile);
        let element = is_converted
            .map_or_else(|| problem.element.clone(), |whole| Element::new(problem.bits_of(Role::Dst), whole.to.name()));
        let cache = if from == Endpoint::Operand { problem.cache.clone() } else { Default::default() };
        let operand = |endpoint, role| match part.filter(|_| endpoint != Endpoint::Tile) {
            Some(part) => part.of(self.operand(endpoint, role, problem)?, role),
            None => self.operand(endpoint, role, problem),
        };
        let in_memory = |endpoint, role| {
            let space = problem.operand(role).map(|operand| operand.space);
            endpoint == Endpoint::Operand && space != Ok(Space::Local)
        };
        let is_limited = in_memory(from, Role::Src) || in_memory(to, Role::Dst);
        Ok(Problem {
            operands: Operands::copied(operand(from, Role::Src)?, operand(to, Role::Dst)?),
            element,
            conversion,
            mask: problem.mask.clone().filter(|_| is_limited),
            forced: None,
            cache,
            effect: problem.effect,
            threads: problem.threads.clone(),
            allowed: problem.allowed.clone(),
            asynchronous: problem.asynchronous.clone(),
            max_vector_bits: problem.max_vector_bits,
        })
    }

    fn operand(&self, endpoint: Endpoint, role: Role, problem: &Problem) -> Result<Operand, Refusal> {
        let made = match endpoint {
            Endpoint::Operand => return problem.operand(role).cloned(),
            Endpoint::Tile => self.tile.as_ref().map(PlanTile::operand),
            Endpoint::Registers(number) => self.registers.get(number).map(RegisterBuffer::operand),
        };
        made.ok_or_else(|| Refusal::of(role, "operand-missing", "the plan does not make the buffer of its step"))
    }

    pub(super) fn verify(&self) -> Result<(), Refusal> {
        self.tile.as_ref().map_or(Ok(()), PlanTile::verify)?;
        let is_valid = |registers: &RegisterBuffer| {
            let elements = registers.shape.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            registers.layout.validate().is_ok() && registers.layout.size() == elements
        };
        if self.registers.iter().all(is_valid) {
            return Ok(());
        }
        Err(Refusal::new("malformed-scratch-copy", "the layout is not that of the registers"))
    }
}
