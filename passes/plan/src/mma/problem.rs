//! The product to be planned: C += A x B, of tiles in registers, in shared memory or in tensor memory.

use tile_isa::Space;
use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::mma::{Factor, SUMS};
use tile_layout::Layout;

use crate::choose::{OpWords, Plannable};
use crate::problem::refusal::Refusal;
use crate::problem::run_time::DynamicTerm;
use crate::problem::threads::Threads;

use super::plan::MmaPlan;
use super::shared_operand::SharedFactor;

/// A tile in registers, in shared memory or in tensor memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaOperand {
    /// The memory that it is in.
    pub space: Space,
    /// The alignment of its first element in shared memory, in bytes.
    pub align_bytes: i64,
    /// Where its elements are, rows first.
    pub layout: Layout,
    /// Rows and columns.
    pub shape: [i64; 2],
    /// The type of its elements.
    pub number: NumberFormat,
    /// How integers are read, or that `f32` elements are read as `tf32`.
    pub clause: Option<Clause>,
}

/// The scales of a factor, which may be a part of a tile in tensor memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleOperand {
    /// The scales; their layout is that of the tile, from the part's constant offset on.
    pub tile: MmaOperand,
    /// What its run-time offset adds to the place of each.
    pub origin: Vec<DynamicTerm>,
}

/// The product of a tile of m x k elements and one of k x n, added to one of m x n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaProblem {
    /// The left factor.
    pub a: MmaOperand,
    /// The right factor.
    pub b: MmaOperand,
    /// The sum.
    pub c: MmaOperand,
    /// The scales of A, m x k / 32 powers of two, and of B, k / 32 x n: each for a row or a column, and 32 depths.
    pub scales: Option<[ScaleOperand; 2]>,
    /// The threads that multiply.
    pub threads: Threads,
    /// The only variant that may be chosen, by name.
    pub forced: Option<String>,
}

impl MmaOperand {
    /// The tile as a factor in shared memory: A, or B, whose rows are depths.
    pub(super) fn factor(&self, name: &'static str, depth_first: bool) -> SharedFactor<'_> {
        let MmaOperand { layout, shape, align_bytes, number, .. } = self;
        let bytes = i64::from(number.bits()) / 8;
        SharedFactor { name, layout, shape: *shape, depth_first, bytes, align_bytes: *align_bytes }
    }
}

/// Factors as messages name them; those of several types by one.
const FACTORS: [(&str, Factor); 6] = [
    ("f16 x f16", Factor::F16),
    ("bf16 x bf16", Factor::Bf16),
    ("tf32 x tf32", Factor::Tf32),
    ("f64 x f64", Factor::F64),
    ("f8E4M3FN or f8E5M2", Factor::E4m3),
    ("signed or unsigned i8", Factor::S8),
];

impl MmaProblem {
    /// Rows of the product, columns, and terms of each element.
    pub fn sizes(&self) -> [i64; 3] {
        [self.c.shape[0], self.c.shape[1], self.a.shape[1]]
    }

    /// The types, as messages name them: `f16 x f16 + f32`.
    pub fn types(&self) -> String {
        let name = |operand: &MmaOperand| match operand.clause {
            Some(clause) => format!("{} {}", clause.word(), operand.number.name()),
            None => operand.number.name().to_owned(),
        };
        format!("{} x {} + {}", name(&self.a), name(&self.b), self.c.number.name())
    }

    /// Requires A, B and C to be each in one of some memories.
    pub(super) fn require_spaces(&self, needed: [&[Space]; 3]) -> Result<(), Refusal> {
        let operands = [("a", &self.a), ("b", &self.b), ("c", &self.c)];
        let other = operands.into_iter().zip(needed).find(|((_, operand), needed)| !needed.contains(&operand.space));
        let Some(((name, operand), needed)) = other else { return Ok(()) };
        let words = |space: &Space| match space {
            Space::Local => "registers".to_owned(),
            Space::Tmem => "tensor memory".to_owned(),
            space => format!("{space} memory"),
        };
        let needed: Vec<String> = needed.iter().map(words).collect();
        let reason = format!("{name} is in {} memory; needed {}", operand.space, needed.join(" or "));
        Err(Refusal::new("unsupported-spaces", reason))
    }

    /// The refusal of types that a variant does not multiply, which lists those that it does: `multiplies` says whether it has such
    /// factors and sums.
    pub(super) fn unsupported(&self, multiplies: impl Fn(Factor, NumberFormat) -> bool) -> Refusal {
        let types = |(names, factor): (&str, Factor)| {
            let sums: Vec<_> = SUMS.iter().filter(|sum| multiplies(factor, **sum)).map(|sum| sum.name()).collect();
            (!sums.is_empty()).then(|| format!("{names} + {}", sums.join(" or ")))
        };
        let mut all: Vec<String> = FACTORS.into_iter().filter_map(types).collect();
        if let [_, .., last] = &mut all[..] {
            last.insert_str(0, "or ");
        }
        Refusal::new("types-not-multiplied", format!("does not multiply {}; needed {}", self.types(), all.join(", ")))
    }
}

impl Plannable for MmaProblem {
    type Plan = MmaPlan;

    fn op(&self) -> OpWords {
        OpWords { name: "tile.mma", rule: "variant", rules: "variants" }
    }

    fn forced(&self) -> Option<&str> {
        self.forced.as_deref()
    }

    fn accept(&self, plan: MmaPlan) -> Result<MmaPlan, Refusal> {
        if self.scales.is_some() && !matches!(plan, MmaPlan::Tensor(_)) {
            return Err(Refusal::new(
                "scales-not-multiplied",
                "the factors have scales, by which only tcgen05.mma multiplies; needed none",
            ));
        }
        Ok(plan)
    }
}
