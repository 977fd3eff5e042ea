//! The plan types of all families, one line each.

use tile_isa::Conversion;

use crate::families::bulk::plan::BulkCopy;
use crate::families::family::{Cost, Costs, Family, Touches};
use crate::families::matrix::plan::MatrixCopy;
use crate::families::registers::plan::RegisterCopy;
use crate::families::registers::scratch::ScratchCopy;
use crate::families::scalar::plan::ScalarCopy;
use crate::families::tmem::access::TmemAccess;
use crate::families::tmem::copy::TmemCopy;
use crate::families::vector::plan::MatchedCopy;
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::target::Target;
use crate::touch::Touched;
use crate::touch::enumeration::Enumeration;

/// The plan types of the families; each is a case of [`Aligned`] and of [`Kind`].
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($plan:ty),)*) => {
        /// The plan that a variant made, of one of the families.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Aligned {
            $($(#[$doc])* $name($plan),)*
        }

        /// The kind of plan that a variant makes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Aligned {
            /// The kind of this plan.
            pub fn kind(&self) -> Kind {
                match self { $(Aligned::$name(_) => Kind::$name,)* }
            }

            /// The variant that took the copy.
            pub fn variant(&self) -> &'static str {
                match self { $(Aligned::$name(plan) => plan.variant(),)* }
            }

            /// As [`Family::conversion`].
            pub fn conversion(&self) -> Option<Conversion> {
                match self { $(Aligned::$name(plan) => Family::conversion(plan),)* }
            }

            /// As [`Family::effect`].
            pub fn effect(&self) -> Effect {
                match self { $(Aligned::$name(plan) => Family::effect(plan),)* }
            }

            /// As [`Family::is_masked`].
            pub fn is_masked(&self) -> bool {
                match self { $(Aligned::$name(plan) => Family::is_masked(plan),)* }
            }

            /// As [`Costs::cost`].
            ///
            /// # Errors
            /// Why the plan has no instructions.
            pub fn cost(&self, problem: &Problem, target: &Target) -> Result<Option<Cost>, Refusal> {
                match self { $(Aligned::$name(plan) => Costs::cost(plan, problem, target),)* }
            }

            /// The memory that the plan of `problem` touches.
            ///
            /// # Errors
            /// What the analysis does not follow: another CTA's memory, or a plan without vectors.
            pub fn touched(&self, problem: &Problem, target: &Target) -> Result<Touched, String> {
                let by = Enumeration { problem, target };
                match self { $(Aligned::$name(plan) => Touches::touched(plan, &by),)* }
            }

            /// As [`Family::verify`].
            ///
            /// # Errors
            /// What was got and what is needed.
            pub fn verify(&self) -> Result<(), Refusal> {
                match self { $(Aligned::$name(plan) => Family::verify(plan),)* }
            }
        }
    };
}

families! {
    /// Vectors of a partition; [`vectorize`](crate::vectorize()) chooses their width.
    Partition(MatchedCopy),
    /// One such plan for each part of the regions, where a whole region is not a list of iters.
    Parts(Vec<MatchedCopy>),
    /// 8x8 matrices through `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy),
    /// Tiles of shared memory to tensor memory.
    TmemCopy(TmemCopy),
    /// Tensor memory to registers, or back.
    TmemAccess(TmemAccess),
    /// Chunks between global and shared memory, or to another CTA's shared memory.
    Bulk(BulkCopy),
    /// Moves within threads, and shuffles within warps.
    Registers(RegisterCopy),
    /// A copy to shared memory, then a copy from it.
    Scratch(ScratchCopy),
    /// One element at a time.
    Scalar(ScalarCopy),
}
