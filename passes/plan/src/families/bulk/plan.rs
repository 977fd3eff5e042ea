//! The plan of bulk copies, between global and shared memory or to the shared memory of another CTA: its invariants,
//! its addresses, the memory it touches, and what completes the accesses.

use serde::{Deserialize, Serialize};
use tile_isa::async_reduction::Reduction;
use tile_isa::bulk::{Route, RouteError, check_chunks};
use tile_isa::cache::check_l2_evict;
use tile_layout::{Formula, IndexArith, counted};

use crate::families::carried::{Carried, CarriedClauses, CarriedError, CarriedSide};
use crate::families::family::{Cost, Costs, Family, PlanReduction, Requests, Touches};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::address::{digits, finish};
use crate::sides::side::Side;
use crate::target::Target;
use crate::text::is_default;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Arrives, Engine, NotFollowed, Touched};

/// One `cp.async.bulk` per chunk, issued by one thread.
///
/// Both layouts are over `[chunks…, chunk]`, with the same extents on both sides. The last iter has stride 1 and spans
/// what one instruction moves; the others number the instructions. In a copy to another CTA, destination addresses are
/// those of the same buffer in this CTA; the instruction maps them to the other CTA.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BulkCopy {
    /// Width of an element.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// Elements that one instruction moves; 16 bytes or a multiple.
    pub chunk: i64,
    /// How source elements are combined with the destination's; `None` where they replace them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reduction: Option<Reduction>,
    /// `L2::…` eviction priority of the accesses to global memory, as PTX spells it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub l2_evict: Option<String>,
    /// The source.
    pub src: Side,
    /// The destination.
    pub dst: Side,
}

impl Requests for BulkCopy {}

impl Costs for BulkCopy {
    /// An instruction for each chunk, which one thread issues.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        Ok(Cost { instructions: self.chunks(), wavefronts: 0 })
    }
}

impl Family for BulkCopy {
    fn variant(&self) -> &'static str {
        if self.route() == Ok(Route::ToCluster) { "dsmem" } else { "bulk" }
    }

    fn verify(&self) -> Result<(), Refusal> {
        BulkCopy::verify(self)
    }

    fn reduces(&self, element: &str) -> Option<PlanReduction> {
        self.reduction.map(|reduction| PlanReduction { by: reduction.suffix(), fits: reduction.takes(element) })
    }
}

impl Carried for BulkCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        let side = if role == Role::Src { &self.src } else { &self.dst };
        Some(CarriedSide::of(side, self.element_bits))
    }

    fn check_clauses(&self, clauses: CarriedClauses) -> Result<(), CarriedError> {
        CarriedClauses { barrier: false, remote_cta: false, ..clauses }.none()?;
        let route = self.route().map_err(|error| Refusal::new("malformed-bulk-copy", error))?;
        Ok(route.check_clauses(clauses.barrier, clauses.remote_cta)?)
    }

    fn is_asynchronous(&self) -> bool {
        true
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.each_value(ValueList::Of(Role::Src), visit);
        self.dst.each_value(ValueList::Of(Role::Dst), visit);
    }
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-bulk-copy", reason.to_string())
}

impl BulkCopy {
    /// The memories that the copy goes between.
    ///
    /// # Errors
    /// Memories that bulk copies do not go between: got and expected.
    pub fn route(&self) -> Result<Route, RouteError> {
        Route::between(self.src.space.name(), self.dst.space.name())
    }

    /// The instruction, as PTX writes it.
    pub fn instruction(&self) -> String {
        let route = self.route().unwrap_or(Route::ToShared);
        route.instruction(self.reduction, self.l2_evict.is_some())
    }

    /// Number of instructions, one per chunk.
    pub fn chunks(&self) -> i64 {
        self.src.layout.shard.split_last().map_or(1, |(_, outer)| outer.iter().map(|iter| iter.extent).product())
    }

    /// Bytes of one instruction.
    pub fn chunk_bytes(&self) -> i64 {
        self.chunk * i64::from(self.element_bits) / 8
    }

    /// Checks the invariants of the plans that stage 1 makes; stage 3 also reads plans written by hand.
    ///
    /// # Errors
    /// `malformed-bulk-copy`: memories that bulk copies do not go between; a side that is invalid or whose extents
    /// differ from the other's; chunks that are not a multiple of 16 bytes, not contiguous, or split by a swizzle; a
    /// reduction or a hint that the instruction does not have.
    pub fn verify(&self) -> Result<(), Refusal> {
        let route = self.route().map_err(malformed)?;
        for (side, role) in [(&self.src, Role::Src), (&self.dst, Role::Dst)] {
            side.validate(role.name()).map_err(malformed)?;
        }
        route.check_extras(self.reduction.is_some(), self.l2_evict.is_some()).map_err(malformed)?;
        self.l2_evict.as_deref().map_or(Ok(()), check_l2_evict).map_err(malformed)?;
        check_chunks(&self.src.layout, &self.dst.layout, self.element_bits).map_err(malformed)?;
        let last = self.src.layout.shard.last().map_or(0, |iter| iter.extent);
        if self.chunk == last {
            return Ok(());
        }
        Err(malformed(format!(
            "got chunks of {}, expected the {last} of the last iter",
            counted(self.chunk, "element")
        )))
    }
}

/// The address of the first element of chunk `chunk`, below [`BulkCopy::chunks`], on one side. A destination address is
/// one in this CTA's storage; in the other CTA's storage the element has the same address.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn bulk_address<A: IndexArith>(
    a: &mut A,
    copy: &BulkCopy,
    role: Role,
    chunk: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = if role == Role::Src { &copy.src } else { &copy.dst };
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let mut terms = Vec::new();
    digits(a, outer, chunk, &mut terms);
    finish(a, side, terms, values)
}

impl Touches for BulkCopy {
    /// Chunks, accessed by the first thread of each scope.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let mut accesses = Vec::new();
        let issuers: Vec<i64> = by.active().iter().filter(|&thread| by.relative(thread) == 0).collect();
        for role in Role::ALL {
            let places = |values: &[i64]| {
                let mut first = Formula::new(|a, [chunk]| {
                    let values = a.constants(values);
                    Ok::<_, Refusal>(vec![bulk_address(a, self, role, chunk, &values)?])
                })?;
                let firsts: Vec<i64> = (0..self.chunks()).map(|chunk| first.value([chunk])).collect();
                let chunks = |&thread: &i64| firsts.iter().map(move |&first| (thread, first, first + self.chunk));
                Ok(issuers.iter().flat_map(chunks).collect())
            };
            let side = if role == Role::Src { &self.src } else { &self.dst };
            let side =
                by.side(role, self.chunks().saturating_mul(issuers.len() as i64), by.moved(role, side), places)?;
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        let arrives = if self.route() == Ok(Route::ToCluster) { Arrives::Others } else { Engine::TMA.arrives };
        Ok(Touched::new(Engine { arrives, ..Engine::TMA }, accesses))
    }
}
