//! The plan types of all families, one line each: the type, and the word for it in text where an op carries the plan.

use tile_isa::{Conversion, Space};

use crate::families::bulk::plan::BulkCopy;
use crate::families::carried::Carried;
use crate::families::composite::Composite;
use crate::families::family::{Cost, Costs, Family, PlanReduction, Requests, Touches};
use crate::families::matrix::plan::MatrixCopy;
use crate::families::realign::loads::RealignedLoads;
use crate::families::realign::plan::RealignedCopy;
use crate::families::registers::plan::RegisterCopy;
use crate::families::scalar::plan::ScalarCopy;
use crate::families::tensor_map::map::TensorMap;
use crate::families::tensor_map::plan::TensorMapCopy;
use crate::families::tmem::access::TmemAccess;
use crate::families::tmem::copy::TmemCopy;
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;
use crate::text::{self, Header, Mistake};
use crate::touch::enumeration::{Enumeration, MEMORIES};
use crate::touch::{NotFollowed, Touched};
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;

/// The plan types of the families; each is a case of [`CopyPlan`] and of [`PlanKind`].
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($plan:ty) $(as $word:literal)?,)*) => {
        /// The plan that a variant made, of one of the families.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum CopyPlan {
            $($(#[$doc])* $name($plan),)*
        }

        /// The kind of plan that a variant makes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum PlanKind {
            $($(#[$doc])* $name,)*
        }

        impl CopyPlan {
            /// The kind of this plan.
            pub fn kind(&self) -> PlanKind {
                match self { $(CopyPlan::$name(_) => PlanKind::$name,)* }
            }

            /// The variant that took the copy.
            pub fn variant(&self) -> &'static str {
                match self { $(CopyPlan::$name(plan) => plan.variant(),)* }
            }

            /// As [`Family::conversion`].
            pub fn conversion(&self) -> Option<Conversion> {
                match self { $(CopyPlan::$name(plan) => Family::conversion(plan),)* }
            }

            /// As [`Family::effect`].
            pub fn effect(&self) -> Effect {
                match self { $(CopyPlan::$name(plan) => Family::effect(plan),)* }
            }

            /// As [`Family::reduces`].
            pub fn reduces(&self, element: &str) -> Option<PlanReduction> {
                match self { $(CopyPlan::$name(plan) => Family::reduces(plan, element),)* }
            }

            /// As [`Family::is_masked`].
            pub fn is_masked(&self) -> bool {
                match self { $(CopyPlan::$name(plan) => Family::is_masked(plan),)* }
            }

            /// As [`Costs::cost`].
            ///
            /// # Errors
            /// Why the plan has no instructions.
            pub fn cost(&self, problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
                match self { $(CopyPlan::$name(plan) => Costs::cost(plan, problem, target),)* }
            }

            /// The memory that the plan of `problem` touches.
            ///
            /// # Errors
            /// What the analysis does not follow: another CTA's memory, or a plan without vectors.
            pub fn touched(&self, problem: &Problem, target: &Target) -> Result<Touched, NotFollowed> {
                let by = Enumeration { problem, target, spaces: &MEMORIES, side: None };
                match self { $(CopyPlan::$name(plan) => Touches::touched(plan, &by),)* }
            }

            /// As [`Requests::requests`], of these memories.
            ///
            /// # Errors
            /// Why they are not known.
            pub fn requests(
                &self,
                (problem, target): (&Problem, &Target),
                spaces: &[Space],
                each: &mut dyn FnMut(&WarpRequest),
            ) -> Result<(), NotCounted> {
                self.requests_by(&Enumeration { problem, target, spaces, side: None }, each)
            }

            /// Those of one operand alone, without those of a tile that the plan has for itself.
            ///
            /// # Errors
            /// Why they are not known.
            pub fn requests_of_side(
                &self,
                (problem, target): (&Problem, &Target),
                side: Role,
                each: &mut dyn FnMut(&WarpRequest),
            ) -> Result<(), NotCounted> {
                self.requests_by(&Enumeration { problem, target, spaces: &MEMORIES, side: Some(side) }, each)
            }

            fn requests_by(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
                match self { $(CopyPlan::$name(plan) => Requests::requests(plan, by, each),)* }
            }

            /// What an op that carries the plan needs to know about it; `None` for a plan that becomes several copies.
            pub fn carried(&self) -> Option<&dyn Carried> {
                match self { $(CopyPlan::$name(plan) => families!(@carried plan $($word)?),)* }
            }

            /// Likewise, to change it.
            pub fn carried_mut(&mut self) -> Option<&mut dyn Carried> {
                match self { $(CopyPlan::$name(plan) => families!(@carried plan $($word)?),)* }
            }

            /// The word for the family, and the fields of the plan as text.
            pub(super) fn word_and_body(&self) -> Result<(&'static str, String), Mistake> {
                match self { $(CopyPlan::$name(plan) => families!(@written plan $($word)?),)* }
            }

            /// The plan that a text describes, with its family and without its variant.
            pub(super) fn of_header(header: &Header<'_>, body: &str) -> Result<Self, Mistake> {
                match header.family {
                    $($($word => Ok(CopyPlan::$name(text::read(body, header.body)?)),)?)*
                    _ => Err(header.unknown(&[$($($word,)?)*])),
                }
            }

            /// As [`Family::verify`].
            ///
            /// # Errors
            /// What was got and what is needed.
            pub fn verify(&self) -> Result<(), Refusal> {
                match self { $(CopyPlan::$name(plan) => Family::verify(plan),)* }
            }
        }
    };
    (@carried $plan:ident) => {{
        let _ = $plan;
        None
    }};
    (@carried $plan:ident $word:literal) => { Some($plan) };
    (@written $plan:ident) => {{
        let _ = $plan;
        Err(Mistake::new(0, "becomes several copies, each with its own plan"))
    }};
    (@written $plan:ident $word:literal) => { Ok(($word, text::write($plan)?)) };
}

families! {
    /// Vectors of a partition; [`vectorize`](crate::families::vector::vectorize::vectorize()) chooses their width.
    Partition(MatchedCopy) as "matched",
    /// Rounds of vectors, whose width has been chosen.
    Vectors(VectorCopy) as "vectors",
    /// 8x8 matrices through `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy) as "matrix",
    /// Tiles of shared memory to tensor memory.
    TmemCopy(TmemCopy) as "tmem_copy",
    /// Tensor memory to registers, or back.
    TmemAccess(TmemAccess) as "tmem_access",
    /// Chunks between global and shared memory, or to another CTA's shared memory.
    Bulk(BulkCopy) as "bulk",
    /// Boxes of a tensor, through tensor maps.
    TensorMap(TensorMapCopy) as "tensor_map",
    /// Rows as aligned chunks of the destination.
    Realigned(RealignedCopy) as "realigned",
    /// Vectors of registers, from rows that begin at any element.
    RealignedLoads(RealignedLoads) as "realigned_loads",
    /// Moves within threads, and shuffles within warps.
    Registers(RegisterCopy) as "registers",
    /// Several plans, one after the other.
    Composite(Composite),
    /// One element at a time.
    Scalar(ScalarCopy) as "scalar",
}

impl CopyPlan {
    /// The tensor maps that it goes through: an op that carries it has an operand for each.
    pub fn tensor_maps(&self) -> impl Iterator<Item = &TensorMap> {
        let parts = match self {
            CopyPlan::TensorMap(plan) => plan.parts.as_slice(),
            _ => &[],
        };
        parts.iter().map(|part| &part.map)
    }

    /// Whether a variant that plans vectors made it.
    pub fn is_of_vectors(&self) -> bool {
        matches!(self, CopyPlan::Partition(_) | CopyPlan::Vectors(_))
    }
}
