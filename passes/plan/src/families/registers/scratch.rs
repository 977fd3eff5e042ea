//! The plan of a copy through shared memory.

use tile_isa::Conversion;
use tile_layout::Layout;

use crate::families::family::{Cost, Costs, Family, Touches};
use crate::families::registers::steps::CostComparison;
use crate::problem::refusal::Refusal;
use crate::problem::scope::{Role, Space};
use crate::problem::{Begin, Element, Operand, Problem};
use crate::target::Target;
use crate::touch::Touched;
use crate::touch::enumeration::Enumeration;

/// The most bytes of scratch that a copy takes: static shared memory of a block.
pub const MOST_BYTES: i64 = 48 * 1024;

/// The alignment of scratch, in bytes.
pub const ALIGN_BYTES: i64 = 128;

/// A copy to a tile in shared memory, and a copy from it.
///
/// ```text
///   16x8 f32, 4 warps of a block, each with a tile of its own
///     scratch   (4, 16, 8) : (192, 12, 1)      rows of 8, 4 more between them
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScratchCopy {
    /// Scopes per block, each with its own tile.
    pub instances: i64,
    /// The shape of a tile: the extents of the region without units.
    pub shape: Vec<i64>,
    /// The layout of all tiles together, with one more dimension where there are several.
    pub layout: Layout,
    /// Bits of an element.
    pub element_bits: u32,
    /// The conversion of an element; `None` where it is moved as it is.
    pub conversion: Option<Conversion>,
    /// Whether the first copy converts, so that the tile has the destination's element type.
    pub converts_first: bool,
    /// The costs of both alternatives.
    pub weighed: CostComparison,
}

impl Family for ScratchCopy {
    fn variant(&self) -> &'static str {
        "scratch"
    }

    fn verify(&self) -> Result<(), Refusal> {
        let elements = self.buffer_shape().iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let fits = self.layout.validate().is_ok() && self.layout.size() == elements && self.bytes() <= MOST_BYTES;
        if fits { Ok(()) } else { Err(Refusal::new("malformed-scratch-copy", "the layout is not that of the tiles")) }
    }

    fn conversion(&self) -> Option<Conversion> {
        self.conversion
    }
}

impl Costs for ScratchCopy {
    /// The cost of both copies and of the two barriers.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Option<Cost>, Refusal> {
        Ok(self.weighed.scratch)
    }
}

impl Touches for ScratchCopy {
    fn touched(&self, _by: &Enumeration<'_>) -> Result<Touched, String> {
        Ok(Touched::by_threads([None, None]))
    }
}

impl ScratchCopy {
    /// The shape of all tiles.
    pub fn buffer_shape(&self) -> Vec<i64> {
        let several = (self.instances > 1).then_some(self.instances);
        several.into_iter().chain(self.shape.iter().copied()).collect()
    }

    /// Bytes of shared memory.
    pub fn bytes(&self) -> i64 {
        self.layout.memory_span().saturating_mul(i64::from(self.element_bits / 8))
    }

    /// The two copies: to shared memory, and from it. Run-time value 0 of the tile is the index of the scope in its
    /// block.
    pub fn halves(&self, problem: &Problem) -> [Problem; 2] {
        let whole = Operand::whole(Space::Shared, self.layout.clone(), &self.buffer_shape(), ALIGN_BYTES);
        let mut tile = whole;
        if self.instances > 1 {
            tile.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
            tile.extent[0] = 1;
        }
        let half = |src: &Operand, dst: &Operand, converts: bool, element: Element| Problem {
            src: src.clone(),
            dst: dst.clone(),
            element,
            conversion: self.conversion.filter(|_| converts),
            forced: None,
            ..problem.clone()
        };
        let converted = self.conversion.map_or(problem.element.clone(), |conversion| {
            Element::new(problem.bits_of(Role::Dst), conversion.to.name())
        });
        let (first, second) =
            (problem.element.clone(), if self.converts_first { converted } else { problem.element.clone() });
        [half(&problem.src, &tile, self.converts_first, first), half(&tile, &problem.dst, !self.converts_first, second)]
    }
}
