//! The plans of vector accesses: both sides in one order, then in rounds of vectors.

use serde::{Deserialize, Serialize};
use tile_isa::{Cache, Conversion, Transfer};

use crate::families::carried::{Carried, CarriedClauses, CarriedError, CarriedSide};
use crate::families::family::Family;
use crate::problem::bits_of;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::ranks::Ranks;
use crate::sides::side::{Guard, Side};
use crate::text::{is_default, is_one, one};

/// Defines the plan of one stage: the fields of its own, and groups of those that the plans of both stages have.
///
/// The order is that of the plan's text.
macro_rules! vector_plan {
    ($(#[$about:meta])* pub struct $name:ident { $($body:tt)* }) => {
        vector_plan! { @fields [$(#[$about])* pub struct $name] {} $($body)* }
        vector_plan! { @methods $name }
    };
    (@fields $head:tt { $($done:tt)* } ..threads, $($rest:tt)*) => {
        vector_plan! { @fields $head {
            $($done)*
            /// Threads that share the copy.
            pub threads: i64,
        } $($rest)* }
    };
    (@fields $head:tt { $($done:tt)* } ..thread_part, $($rest:tt)*) => {
        vector_plan! { @fields $head {
            $($done)*
            /// Number of iters that are the thread part, which decodes the thread alone: the leading ones of a
            /// [`MatchedCopy`], those just before the last of a [`VectorCopy`]. 0 where there is none.
            #[serde(default, skip_serializing_if = "is_default")]
            pub thread_iters: usize,
            /// The threads that share the copy, where these are not all of the scope; the rank of a thread is then its
            /// number.
            #[serde(default, skip_serializing_if = "is_default")]
            pub ranks: Option<Ranks>,
        } $($rest)* }
    };
    (@fields $head:tt { $($done:tt)* } ..elements, $($rest:tt)*) => {
        vector_plan! { @fields $head {
            $($done)*
            /// Width of an element of the source.
            #[serde(rename = "bits")]
            pub element_bits: u32,
            /// The conversion of an element; `None` where it is moved as it is.
            #[serde(rename = "convert", default, skip_serializing_if = "is_default")]
            pub conversion: Option<Conversion>,
            /// The effect on an element of the destination.
            #[serde(default, skip_serializing_if = "is_default")]
            pub effect: Effect,
            /// What the copy leaves out; `None` where it copies everything.
            #[serde(default, skip_serializing_if = "is_default")]
            pub mask: Option<Mask>,
        } $($rest)* }
    };
    (@fields $head:tt { $($done:tt)* } ..accesses, $($rest:tt)*) => {
        vector_plan! { @fields $head {
            $($done)*
            /// Threads that take part; all of them where the list is empty.
            #[serde(default, skip_serializing_if = "is_default")]
            pub guards: Vec<Guard>,
            /// Hints for loads from global memory.
            #[serde(default, skip_serializing_if = "is_default")]
            pub cache: Cache,
            /// The source; `None` where nothing is read.
            #[serde(default, skip_serializing_if = "is_default")]
            pub src: Option<Side>,
            /// The destination.
            pub dst: Side,
        } $($rest)* }
    };
    (@fields $head:tt { $($done:tt)* } $(#[$about:meta])* pub $field:ident: $type:ty, $($rest:tt)*) => {
        vector_plan! { @fields $head { $($done)* $(#[$about])* pub $field: $type, } $($rest)* }
    };
    (@fields [$($head:tt)*] { $($fields:tt)* }) => {
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        $($head)* {
            /// The variant that made the plan.
            #[serde(skip)]
            pub variant: &'static str,
            /// The instructions that move the vectors.
            #[serde(skip)]
            pub transfer: Transfer,
            $($fields)*
        }
    };
    (@methods $name:ident) => {
        impl $name {
            /// The side of that role; the destination for both where nothing is read.
            pub fn side(&self, role: Role) -> &Side {
                self.src.as_ref().filter(|_| role == Role::Src).unwrap_or(&self.dst)
            }

            /// Width of an element of one side.
            pub fn bits_of(&self, role: Role) -> u32 {
                bits_of(self.element_bits, self.conversion, role)
            }

            /// Whether `cp.async` performs the copy, instead of loads and stores.
            pub fn uses_cp_async(&self) -> bool {
                self.transfer == Transfer::CpAsync
            }

            /// Whether a vector may take several accesses of one side.
            pub(super) fn converts_or_reduces(&self) -> bool {
                self.conversion.is_some() || matches!(self.effect, Effect::Reduced(_))
            }
        }

        impl Family for $name {
            fn variant(&self) -> &'static str {
                self.variant
            }

            fn verify(&self) -> Result<(), Refusal> {
                $name::verify(self)
            }

            fn conversion(&self) -> Option<Conversion> {
                self.conversion
            }

            fn effect(&self) -> Effect {
                self.effect
            }

            fn is_masked(&self) -> bool {
                self.mask.is_some()
            }
        }

        impl Carried for $name {
            fn set_variant(&mut self, variant: &'static str, transfer: Option<Transfer>) -> Result<(), CarriedError> {
                (self.variant, self.transfer) = (variant, transfer.ok_or(CarriedError::NoVectors)?);
                Ok(())
            }

            fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
                let side = if role == Role::Src { self.src.as_ref() } else { Some(&self.dst) };
                side.map(|side| CarriedSide::of(side, self.bits_of(role)))
            }

            fn mask(&self) -> Option<&Mask> {
                self.mask.as_ref()
            }

            fn check_clauses(&self, clauses: CarriedClauses) -> Result<(), CarriedError> {
                if clauses.predicate && self.exchanging_lanes() > 1 {
                    return Err(CarriedError::DecidedExchange);
                }
                Ok(CarriedClauses { predicate: false, ..clauses }.none()?)
            }

            fn is_asynchronous(&self) -> bool {
                self.uses_cp_async()
            }

            fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
                self.src.iter_mut().for_each(|src| src.each_value(ValueList::Of(Role::Src), visit));
                self.dst.each_value(ValueList::Of(Role::Dst), visit);
                self.mask.iter_mut().for_each(|mask| mask.each_value(visit));
            }
        }
    };
}

vector_plan! {
    /// Both sides in one order, before the vector width is chosen.
    ///
    /// Position `x` of `0..size` is the same element on both sides. The two lists of extents are the same, unless the
    /// sides' iters have no common refinement, `(4, 3)` and `(3, 4)`: then each side keeps its own.
    /// For `reg` the leading iters are the thread part: the register side's carry their thread axis, and the
    /// scope-relative thread id is the linear index of that part.
    ///
    /// ```text
    ///   reg, warp, 32x8 f32, lane i owns row i
    ///     registers  (32, 8) : (1@laneid, 1)
    ///     shared     (32, 8) : (8, 1)
    /// ```
    pub struct MatchedCopy {
        ..threads,
        ..thread_part,
        ..elements,
        /// The one legal vector width, where a width was forced.
        #[serde(default, skip_serializing_if = "is_default")]
        pub forced_bits: Option<u32>,
        /// Whether threads rotate in rows of the destination, where single elements are stored.
        #[serde(default, skip_serializing_if = "is_default")]
        pub rotates: bool,
        ..accesses,
    }
}

impl MatchedCopy {
    /// Lanes exchange vectors only once the width is chosen.
    fn exchanging_lanes(&self) -> i64 {
        1
    }

    /// Width of an element of the side that has the wider elements.
    pub fn widest_element(&self) -> u32 {
        self.bits_of(Role::Src).max(self.bits_of(Role::Dst))
    }
}

impl Family for Vec<MatchedCopy> {
    fn variant(&self) -> &'static str {
        self.first().map_or("gmem_smem", MatchedCopy::variant)
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.iter().try_for_each(MatchedCopy::verify)
    }

    fn conversion(&self) -> Option<Conversion> {
        self.first().and_then(MatchedCopy::conversion)
    }

    fn effect(&self) -> Effect {
        self.first().map_or(Effect::Stored, MatchedCopy::effect)
    }
}

/// The default of the accesses of a vector.
fn one_each() -> [i64; 2] {
    [1, 1]
}

fn is_one_each(accesses: &[i64; 2]) -> bool {
    *accesses == one_each()
}

vector_plan! {
    /// Rounds of vectors: what each thread does.
    ///
    /// Both layouts are over `[rounds…, threads…, vector]`, with the same extents where those of [`MatchedCopy`] are
    /// the same. In round `f`, thread `t` moves the `vector` elements from position `(f * threads + t) * vector` on. In the
    /// last round only the first [`last`](Self::last) threads take part.
    ///
    /// The iters before the thread part decode `f` alone. There is no thread part where `threads` is 1, where the last
    /// round is not full, or where no cut between iters separates rounds from threads: then all iters but the last
    /// decode `f * threads + t`.
    ///
    /// ```text
    ///   warp, 4x6 f32         (24)         rounds 1, last 6      6 lanes, 128 bits each
    ///   256 threads, 33x32    (264, 4)     rounds 2, last 8      all of them once, then 8
    /// ```
    pub struct VectorCopy {
        /// Vectors of each thread; threads that take no part in the last round have one less.
        pub rounds: i64,
        ..threads,
        /// Elements of a vector.
        pub vector: i64,
        /// Number of threads, counted from the first, that take part in the last round, where not all of them do.
        #[serde(default, skip_serializing_if = "is_default")]
        pub last_threads: Option<i64>,
        /// Accesses of a vector on the source and on the destination: 1 and 1, unless elements are converted and the
        /// side with the wider elements needs several accesses, or the chip reduces fewer elements at a time than are
        /// loaded.
        #[serde(default = "one_each", skip_serializing_if = "is_one_each")]
        pub accesses: [i64; 2],
        ..elements,
        ..thread_part,
        /// Number of lanes that exchange vectors between registers and global memory: 2, 4 or 8, or 1 where each
        /// accesses its own. See [`exchange_steps`](Self::exchange_steps).
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub exchange: i64,
        /// The elements of a row of the destination among which threads [rotate](super::rotation::rotated); 1 where they do not.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pub rotation: i64,
        ..accesses,
    }
}

impl VectorCopy {
    fn exchanging_lanes(&self) -> i64 {
        self.exchange
    }

    /// Width of a vector in the source, in bits: that of one access, unless elements are converted.
    pub fn vector_bits(&self) -> i64 {
        self.vector * i64::from(self.element_bits)
    }

    /// The number of a scope-relative thread among those that share the copy: its rank, or itself where all do.
    pub fn number_of(&self, thread: i64) -> Option<i64> {
        self.ranks.as_ref().map_or(Some(thread), |ranks| ranks.rank(thread))
    }

    /// Number of threads, counted from the first, that take part in the last round.
    pub fn last(&self) -> i64 {
        self.last_threads.unwrap_or(self.threads)
    }

    /// Whether all threads have equally many vectors.
    pub fn is_even(&self) -> bool {
        self.last() == self.threads
    }

    /// Rounds in which all threads take part.
    pub fn full_rounds(&self) -> i64 {
        if self.is_even() { self.rounds } else { self.rounds - 1 }
    }

    /// Rounds in which thread `t` takes part.
    pub fn rounds_of(&self, t: i64) -> i64 {
        if t < self.last() { self.rounds } else { self.rounds - 1 }
    }

    /// Accesses of a vector on one side.
    pub fn accesses_of(&self, role: Role) -> i64 {
        self.accesses[usize::from(role == Role::Dst)].max(1)
    }

    /// Elements of one access of a side.
    pub fn access(&self, role: Role) -> i64 {
        self.vector / self.accesses_of(role)
    }

    /// Width of one access of a side.
    pub fn access_bits(&self, role: Role) -> i64 {
        self.access(role) * i64::from(self.bits_of(role))
    }

    /// Bytes that one thread reads, at most.
    pub fn bytes_per_thread(&self) -> i64 {
        self.rounds * self.vector_bits() / 8
    }

    /// The PTX instruction, where one serves both sides: `cp.async.cg.shared.global.L2::128B`. `None` for loads and
    /// stores.
    ///
    /// 16 bytes bypass L1 (`.cg`); 4 and 8 bytes exist only through L1 (`.ca`; PTX ISA, cp.async).
    pub fn instruction(&self) -> Option<String> {
        let level = if self.vector_bits() == 128 { "cg" } else { "ca" };
        let prefetch = self.cache.prefetch_size.as_ref().map(|size| format!(".{size}")).unwrap_or_default();
        self.uses_cp_async().then(|| format!("cp.async.{level}.shared.global{prefetch}"))
    }
}
