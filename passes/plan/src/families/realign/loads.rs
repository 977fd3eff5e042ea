//! Vectors of registers from rows that begin at any element: two aligned loads, shifted together.
//!
//! ```text
//!   a row of 16 f32 from 4 mod 16 on, to four threads with a vector of 4 each
//!     thread             0            1            2            3
//!     vector         4 … 20       20 … 36      36 … 52      52 … 68           bytes
//!     loads          4 words      16, 32       32, 48       4 words           aligned chunks of 16 bytes, shifted by 4
//! ```
//!
//! The chunks of the first and of the last vector of a row may reach beyond it. These are loaded element by element, so that no byte is
//! read that is not copied.

use serde::{Deserialize, Serialize};
use tile_isa::words::one_of;
use tile_isa::{Space, Transfer};
use tile_layout::{Axis, IndexArith, Iter, Layout};

use super::plan::{CHUNK_BYTES, is_row};
use super::{ABOUT_LOADS, FUNNEL_SHIFT, LOADS_OF_STEPS, wide_accesses};
use crate::families::carried::{Carried, CarriedError, CarriedSide};
use crate::families::copy_plan::CopyPlan;
use crate::families::family::Family;
use crate::families::variant::{About, Variant};
use crate::families::vector::address::vector_address;
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::reg::by_registers;
use crate::families::vector::split::split;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::effect::Effect;
use crate::problem::mask::Bounded;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::require::{between, unconverted, unmasked};
use crate::sides::side::Side;
use crate::target::Target;

/// Vectors of 16 bytes in registers, from rows of global memory that begin anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealignedLoads {
    /// The rounds of vectors. Those of the source are contiguous, but not aligned.
    pub vectors: VectorCopy,
}

/// What a thread loads of a round. All addresses are in bytes from the source's first element.
#[derive(Clone, Debug)]
pub struct RealignedLoad<V> {
    /// What is within bounds for a vector that is neither the first nor the last of its row.
    pub inner: Bounded<V>,
    /// The two aligned chunks that hold it.
    pub chunks: [V; 2],
    /// The place in the first of them where its first byte is.
    pub shift: V,
    /// Its first byte.
    pub first: V,
}

/// The variant of realigned loads: by itself only when named, and as a step of other plans.
pub(crate) struct RealignLoads {
    /// Whether it is a step.
    pub is_step: bool,
}

impl Variant for RealignLoads {
    fn about(&self) -> &About {
        if self.is_step { &LOADS_OF_STEPS } else { &ABOUT_LOADS }
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        between(problem, &[(Space::Global, Space::Local)])?;
        check_copy(problem)?;
        unconverted(problem)?;
        problem.effect.done_by(Effect::Stored)?;
        unmasked(problem)?;
        FUNNEL_SHIFT.check(target, "shifts of two words need")?;
        wide_accesses(problem)?;
        let copy = by_registers(problem, ABOUT_LOADS.name, Role::Dst)?;
        let vector = CHUNK_BYTES / problem.element.bytes();
        whole_vectors(&copy, vector)?;
        let plan = RealignedLoads { vectors: split(&copy, vector) };
        plan.check_rows()?;
        Ok(CopyPlan::RealignedLoads(plan))
    }
}

/// Requires that vectors of `vector` elements are contiguous on both sides.
fn whole_vectors(copy: &MatchedCopy, vector: i64) -> Result<(), Refusal> {
    for role in Role::ALL {
        let last = copy.side(role).layout.shard.iter().rev().find(|iter| iter.extent != 1);
        if let Some(iter) = last.filter(|iter| !is_row(iter) || iter.extent % vector != 0) {
            let reason =
                format!("the {role}'s fastest iter is {iter}; needed a multiple of {vector} elements of stride 1");
            return Err(Refusal::of(role, "not-contiguous", reason));
        }
    }
    Ok(())
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-realigned-loads", reason.to_string())
}

impl RealignedLoads {
    /// The source.
    pub fn src(&self) -> &Side {
        self.vectors.side(Role::Src)
    }

    /// Bytes of an element.
    pub fn element_bytes(&self) -> i64 {
        i64::from(self.vectors.element_bits / 8)
    }

    /// Elements of a row: the longest contiguous run of the source.
    pub fn row(&self) -> i64 {
        let mut iters: Vec<&Iter> = self.src().layout.shard.iter().filter(|iter| iter.extent != 1).collect();
        iters.sort_by_key(|iter| iter.stride);
        let continued = |row: i64, iter: &&Iter| {
            (iter.axis == Axis::Memory && iter.stride == row).then(|| row.saturating_mul(iter.extent))
        };
        iters.iter().fold(1, |row, iter| continued(row, iter).unwrap_or(row))
    }

    /// The vectors of a row.
    pub fn vectors_of_row(&self) -> i64 {
        self.row() / self.vectors.vector.max(1)
    }

    /// The same vectors in a memory that is a row: their addresses are places in rows.
    fn in_row(&self) -> VectorCopy {
        let row = self.row();
        let place = |iter: &Iter| {
            let is_along = iter.axis == Axis::Memory && (0..row).contains(&iter.stride);
            Iter::memory(iter.extent, if is_along { iter.stride } else { 0 })
        };
        let layout = Layout::new(self.src().layout.shard.iter().map(place).collect::<Vec<_>>());
        let side = Side { layout, space: Space::Global, align_bytes: 1, dynamic: Vec::new(), strides: Vec::new() };
        VectorCopy { src: Some(side), ..self.vectors.clone() }
    }

    /// Requires rows of several vectors.
    ///
    /// # Errors
    /// `run-too-short`.
    fn check_rows(&self) -> Result<(), Refusal> {
        if self.row() % self.vectors.vector == 0 && self.vectors_of_row() > 2 {
            return Ok(());
        }
        let (row, least) = (self.row(), 3 * self.vectors.vector);
        let reason = format!(
            "the source has rows of {row} elements; needed a multiple of {} from {least} on",
            self.vectors.vector
        );
        Err(Refusal::of(Role::Src, "run-too-short", reason))
    }

    fn check(&self) -> Result<(), Refusal> {
        let copy = &self.vectors;
        copy.check_structure()?;
        if (self.src().space, copy.dst.space) != (Space::Global, Space::Local) {
            return Err(malformed(format!("got {} to {}, expected global to local", self.src().space, copy.dst.space)));
        }
        let is_plain = copy.conversion.is_none() && copy.effect == Effect::Stored && copy.mask.is_none();
        if !is_plain || copy.transfer != Transfer::LoadStore || copy.exchange != 1 {
            return Err(malformed(
                "got a conversion, an effect, a mask or an exchange, expected loads and stores alone",
            ));
        }
        if copy.vector * self.element_bytes() != CHUNK_BYTES {
            return Err(malformed(format!("got vectors of {} bits, expected {}", copy.vector_bits(), 8 * CHUNK_BYTES)));
        }
        if self.src().layout.swizzle.is_some_and(|swizzle| swizzle.len != 0) {
            return Err(malformed(format!(
                "got the swizzled layout {}, expected rows that stay contiguous",
                self.src().layout
            )));
        }
        for role in Role::ALL {
            if let Some(iter) = copy.side(role).layout.shard.last().filter(|iter| !is_row(iter)) {
                return Err(malformed(format!(
                    "got last iter {iter} in the {role}'s layout, expected a vector of stride 1"
                )));
            }
        }
        self.check_rows().map_err(|refusal| malformed(refusal.reason))
    }
}

/// What thread `thread` loads in round `round`; `base` is the address of the source's first element.
///
/// # Errors
/// `missing-value` where values are too few.
pub fn realigned_load<A: IndexArith>(
    a: &mut A,
    plan: &RealignedLoads,
    (round, thread): (A::Value, A::Value),
    (base, values): (A::Value, &[A::Value]),
) -> Result<RealignedLoad<A::Value>, Refusal> {
    let first = vector_address(a, &plan.vectors, Role::Src, round.clone(), thread.clone(), values)?;
    let first = a.scale(first, plan.element_bytes());
    let address = a.add(base, first.clone());
    let rest = a.constant(CHUNK_BYTES - 1);
    let shift = a.and(address, rest);
    let chunk = a.sub(first.clone(), shift.clone());
    let size = a.constant(CHUNK_BYTES);
    let next = a.add(chunk.clone(), size);
    Ok(RealignedLoad { inner: inner(a, plan, (round, thread))?, chunks: [chunk, next], shift, first })
}

/// What is within bounds for a vector that is neither the first nor the last of its row.
pub(super) fn inner<A: IndexArith>(
    a: &mut A,
    plan: &RealignedLoads,
    (round, thread): (A::Value, A::Value),
) -> Result<Bounded<A::Value>, Refusal> {
    let place = vector_address(a, &plan.in_row(), Role::Src, round, thread, &[])?;
    let vector = a.constant(plan.vectors.vector);
    let number = a.div(place, vector);
    let one = a.constant(1);
    Ok(Bounded { place: a.sub(number, one), extent: a.constant(plan.vectors_of_row() - 2) })
}

impl Family for RealignedLoads {
    fn variant(&self) -> &'static str {
        ABOUT_LOADS.name
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.check()
    }
}

impl Carried for RealignedLoads {
    fn set_variant(&mut self, variant: &'static str, _transfer: Option<Transfer>) -> Result<(), CarriedError> {
        self.vectors.variant = variant;
        Ok(one_of("variant", variant, [ABOUT_LOADS.name])?)
    }

    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        Some(CarriedSide::of(self.vectors.side(role), self.vectors.element_bits))
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.vectors.src.iter_mut().for_each(|src| src.each_value(ValueList::Of(Role::Src), visit));
        self.vectors.dst.each_value(ValueList::Of(Role::Dst), visit);
    }
}
