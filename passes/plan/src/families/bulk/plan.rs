//! The plan of bulk copies, between global and shared memory or to the shared memory of another CTA, with what holds in it, its
//! addresses, what it touches, and what completes that.

use tile_isa::bulk::{Reduction, Route, check_chunks};
use tile_layout::{Eval, IndexArith, counted};

use crate::families::family::{Costs, Family, Touches};
use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::sides::address::{digits, finish};
use crate::sides::side::Side;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Arrives, Engine, Queue, Touched};

/// One `cp.async.bulk` per chunk, issued by one thread.
///
/// Both layouts are over `[chunks…, chunk]`, the same extents on both sides: the last digit has stride 1 and is what
/// one instruction moves; the others number the instructions. To another CTA the destination's addresses are those of
/// the same buffer in this CTA; the instruction maps them to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopy {
    /// Width of an element.
    pub element_bits: u32,
    /// Elements that one instruction moves; 16 bytes or a multiple.
    pub chunk: i64,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// What is made of the destination's elements and the source's; `None`: these replace them.
    pub reduction: Option<Reduction>,
    /// `L2::…` eviction priority of the accesses to global memory, as PTX spells it.
    pub l2_evict: Option<String>,
}

impl Costs for BulkCopy {}

impl Family for BulkCopy {
    fn variant(&self) -> &'static str {
        if self.route() == Ok(Route::ToCluster) { "dsmem" } else { "bulk" }
    }

    fn verify(&self) -> Result<(), Refusal> {
        BulkCopy::verify(self)
    }
}

impl BulkCopy {
    /// Between which memories it goes.
    ///
    /// # Errors
    /// Others than bulk copies reach: got and expected.
    pub fn route(&self) -> Result<Route, String> {
        Route::between(self.src.space.name(), self.dst.space.name())
    }

    /// The instruction, as PTX writes it.
    pub fn instruction(&self) -> String {
        let route = self.route().unwrap_or(Route::ToShared);
        route.instruction(self.reduction, self.l2_evict.is_some())
    }

    /// Instructions.
    pub fn chunks(&self) -> i64 {
        self.src.layout.shard.split_last().map_or(1, |(_, outer)| outer.iter().map(|iter| iter.extent).product())
    }

    /// Bytes of one instruction.
    pub fn chunk_bytes(&self) -> i64 {
        self.chunk * i64::from(self.element_bits) / 8
    }

    /// Is the copy what stage 1 makes? Stage 3 also reads copies that were written by hand.
    ///
    /// # Errors
    /// `malformed-bulk-copy`: memories between which there are no bulk copies; a side that is invalid or not made of the
    /// same extents as the other; chunks that are no multiple of 16 bytes, not contiguous, or that a swizzle takes apart;
    /// a reduction or a hint that the instruction does not have.
    pub fn verify(&self) -> Result<(), Refusal> {
        self.check().map_err(|reason| Refusal::new("malformed-bulk-copy", reason))
    }

    fn check(&self) -> Result<(), String> {
        let route = self.route()?;
        for (side, which) in [(&self.src, Which::Src), (&self.dst, Which::Dst)] {
            side.validate(which.name())?;
        }
        route.check_extras(self.reduction.is_some(), self.l2_evict.is_some())?;
        check_chunks(&self.src.layout, &self.dst.layout, self.element_bits)?;
        let last = self.src.layout.shard.last().map_or(0, |iter| iter.extent);
        if self.chunk == last {
            return Ok(());
        }
        Err(format!("got chunks of {}, expected the {last} of the last digit", counted(self.chunk, "element")))
    }
}

/// The first element of chunk `chunk` of [`BulkCopy::chunks`], on one side; that of the destination in this CTA's
/// storage, which lies at the same place in the other's.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn bulk_address<A: IndexArith>(
    a: &mut A,
    copy: &BulkCopy,
    which: Which,
    chunk: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = if which == Which::Src { &copy.src } else { &copy.dst };
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let mut terms = Vec::new();
    digits(a, outer, chunk, &mut terms);
    finish(a, side, terms, values)
}

const ENGINE: Engine = Engine { queue: Some(Queue::Bulk), arrives: Arrives::Issuer, async_proxy: true };

impl Touches for BulkCopy {
    /// Chunks, by the first thread of each scope.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, String> {
        let mut sides = [None, None];
        let issuers: Vec<i64> = by.active().iter().filter(|&thread| by.relative(thread) == 0).collect();
        for (side, which) in sides.iter_mut().zip([Which::Src, Which::Dst]) {
            let places = || {
                let (values, mut places) = (by.values(which), Vec::new());
                for &thread in &issuers {
                    for chunk in 0..self.chunks() {
                        let first = bulk_address(&mut Eval, self, which, chunk, &values)?;
                        places.push((thread, first, first + self.chunk));
                    }
                }
                Ok(places)
            };
            let of = if which == Which::Src { &self.src } else { &self.dst };
            *side = by.side(which, self.chunks().saturating_mul(issuers.len() as i64), by.moves(which, of), places)?;
        }
        let arrives = if self.route() == Ok(Route::ToCluster) { Arrives::Others } else { ENGINE.arrives };
        Ok(Touched { engine: Engine { arrives, ..ENGINE }, sides, inside: None })
    }
}
