//! The plan of realigned rows: its type and its invariants.

use serde::{Deserialize, Serialize};
use tile_isa::{Space, check_element_bits};
use tile_layout::{Axis, Iter, counted, gcd};

use crate::families::carried::{Carried, CarriedSide};
use crate::families::composite::LineComparison;
use crate::families::family::Family;
use crate::problem::mask::{Coordinate, Mask};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{ValueList, ValueUse};
use crate::sides::ranks::Ranks;
use crate::sides::side::Side;
use crate::text::is_default;

/// Bytes of a chunk: the widest access.
pub const CHUNK_BYTES: i64 = 16;

/// The most bytes at both ends of a row that are in no chunk, in chunks.
const MAX_EDGE_BYTES: i64 = 3 * CHUNK_BYTES;

/// Rows as aligned chunks of the destination, shared by the threads of a scope: thread `t` has the chunks `t`, `t + threads`, … of all
/// rows, and likewise of the elements at their ends.
///
/// Both layouts are over `[rows…, row]`: the last iter is contiguous and as long on both sides, the others number the rows.
///
/// ```text
///   16 rows of 1000 f16, ld 8191 to 8190     (16, 1000) : (8191, 1)    (16, 1000) : (8190, 1)
///     125 chunks of a row at most, and 2 x 16 places for elements at its ends
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealignedCopy {
    /// Threads that share the copy.
    pub threads: i64,
    /// The threads that share it, where these are not all of the scope; the rank of a thread is then its number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ranks: Option<Ranks>,
    /// Width of an element.
    #[serde(rename = "bits")]
    pub element_bits: u32,
    /// What the copy leaves out; `None` where it copies everything.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mask: Option<Mask>,
    /// The costs by which it was chosen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub weighed: Option<LineComparison>,
    /// The source.
    pub src: Side,
    /// The destination.
    pub dst: Side,
}

/// Whether an iter counts elements that follow each other.
pub(super) fn is_row(iter: &Iter) -> bool {
    iter.axis == Axis::Memory && iter.stride == 1
}

/// Requires shared memory that begins with a chunk, and a swizzle that moves whole chunks of shared memory alone.
///
/// # Errors
/// `storage-alignment`, `swizzle-chunk-too-small`.
pub(super) fn whole_chunks(side: &Side, role: Role, element_bytes: i64) -> Result<(), Refusal> {
    if side.space == Space::Shared && side.align_bytes % CHUNK_BYTES != 0 {
        let reason = format!("the {role} is at multiples of {} bytes; needed {CHUNK_BYTES}", side.align_bytes);
        return Err(Refusal::of(role, "storage-alignment", reason));
    }
    match side.layout.swizzle.filter(|swizzle| swizzle.len != 0) {
        Some(swizzle) if side.space != Space::Shared || swizzle.chunk() * element_bytes < CHUNK_BYTES => {
            let reason = format!(
                "the {role} is swizzled: {swizzle}; needed chunks of {CHUNK_BYTES} bytes that stay together, in shared memory"
            );
            Err(Refusal::of(role, "swizzle-chunk-too-small", reason))
        }
        _ => Ok(()),
    }
}

/// The largest number of bytes that is known to divide the places of all rows; 0 for a row at 0.
fn multiple_of(side: &Side, element_bytes: i64, outer: &[Iter]) -> i64 {
    let strides = |axis: Axis| match axis.stride_index().and_then(|index| side.strides.get(index)) {
        Some(stride) => stride.divisor,
        None => 1,
    };
    let steps = outer.iter().map(|iter| iter.stride.saturating_mul(strides(iter.axis)));
    let terms = side.dynamic.iter().map(|term| {
        let known = gcd(term.divisor, term.residue);
        term.stride.saturating_mul(known).saturating_mul(strides(term.axis))
    });
    let offsets = side.layout.offset.iter().map(|(&axis, &offset)| offset.saturating_mul(strides(axis)));
    let elements = steps.chain(terms).chain(offsets).fold(0, gcd);
    gcd(side.align_bytes, elements.saturating_mul(element_bytes))
}

fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-realigned-copy", reason.to_string())
}

impl RealignedCopy {
    /// The side of that role.
    pub fn of(&self, role: Role) -> &Side {
        if role == Role::Src { &self.src } else { &self.dst }
    }

    /// Elements of a row.
    pub fn row(&self) -> i64 {
        self.row_of(Role::Dst)
    }

    /// Elements of a row of one side.
    pub(super) fn row_of(&self, role: Role) -> i64 {
        let long = self.of(role).layout.shard.iter().rev().find(|iter| iter.extent != 1);
        long.map_or(1, |iter| iter.extent)
    }

    /// The iters of one side that number the rows.
    pub(super) fn outer(&self, role: Role) -> Vec<Iter> {
        let long = self.of(role).layout.shard.iter().filter(|iter| iter.extent != 1);
        let mut iters: Vec<Iter> = long.copied().collect();
        iters.pop();
        iters
    }

    /// The number of rows.
    pub fn rows(&self) -> i64 {
        self.dst.layout.size() / self.row()
    }

    /// Bytes of an element.
    pub fn element_bytes(&self) -> i64 {
        i64::from(self.element_bits / 8)
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> i64 {
        self.row().saturating_mul(self.element_bytes())
    }

    /// The most chunks of a row.
    pub fn chunks_of_row(&self) -> i64 {
        self.row_bytes() / CHUNK_BYTES
    }

    /// The places for elements at both ends of a row.
    ///
    /// ```text
    ///   bytes at the ends of a row
    ///     rows of the source are whole chunks            16      d before the destination's first chunk, 16 - d behind its last
    ///     rows of the destination are                    32      both loads of its first chunk and of its last reach beyond the source's row
    ///     both begin anywhere                            46      at most: 30 before, and 16 and more behind
    /// ```
    pub fn edges_of_row(&self) -> i64 {
        let most = match (self.has_whole_chunks(Role::Src), self.has_whole_chunks(Role::Dst)) {
            (true, _) => CHUNK_BYTES,
            (_, true) => 2 * CHUNK_BYTES,
            _ => MAX_EDGE_BYTES,
        };
        most / self.element_bytes()
    }

    /// Whether all rows of one side are copied as a whole, from a chunk to another. Of global memory no alignment is relied on.
    fn has_whole_chunks(&self, role: Role) -> bool {
        let rows = multiple_of(self.of(role), self.element_bytes(), &self.outer(role));
        let is_shared = self.of(role).space == Space::Shared;
        self.mask.is_none() && is_shared && rows % CHUNK_BYTES == 0 && self.row_bytes() % CHUNK_BYTES == 0
    }

    /// The most chunks of a thread.
    pub fn chunk_rounds(&self) -> i64 {
        self.rounds(self.chunks_of_row())
    }

    /// The most elements at ends of rows of a thread.
    pub fn edge_rounds(&self) -> i64 {
        self.rounds(self.edges_of_row())
    }

    fn rounds(&self, of_row: i64) -> i64 {
        let all = self.rows().saturating_mul(of_row);
        all / self.threads + i64::from(all % self.threads != 0)
    }

    /// The number of a scope-relative thread among those that share the copy: its rank, or itself where all do.
    pub fn number_of(&self, thread: i64) -> Option<i64> {
        self.ranks.as_ref().map_or(Some(thread), |ranks| ranks.rank(thread))
    }

    /// Whether a side is in shared memory.
    pub(super) fn is_shared(&self) -> bool {
        Role::ALL.iter().any(|&role| self.of(role).space == Space::Shared)
    }

    /// The largest number of bytes that is known to divide the ends of all rows of both sides.
    pub(super) fn begins_at(&self) -> i64 {
        let of_side = |role| multiple_of(self.of(role), self.element_bytes(), &self.outer(role));
        [of_side(Role::Src), of_side(Role::Dst), self.row_bytes()].into_iter().fold(0, gcd)
    }

    /// Whether the elements of the destination that are not copied are filled.
    pub fn is_filled(&self) -> bool {
        self.mask.as_ref().is_some_and(|mask| mask.fill.is_some())
    }

    /// The most chunks of a thread that are filled: any chunk of a row may be.
    pub fn filled_chunk_rounds(&self) -> i64 {
        if self.is_filled() { self.rounds(self.chunks_of_row()) } else { 0 }
    }

    /// The most elements of a thread that are filled in chunks of which a part is copied.
    pub fn filled_element_rounds(&self) -> i64 {
        if self.is_filled() { self.rounds(self.filled_elements_of_row()) } else { 0 }
    }

    /// The elements of the two chunks of a row in which the copied part begins and ends.
    pub(super) fn filled_elements_of_row(&self) -> i64 {
        2 * CHUNK_BYTES / self.element_bytes()
    }

    /// The dimension along the rows of a masked copy, where it is limited.
    ///
    /// # Errors
    /// `masked-fill`, and `mask-not-along-rows`: a mask of which a row keeps no single run of elements.
    pub(super) fn masked_dimension(&self) -> Result<Option<usize>, Refusal> {
        let Some(mask) = &self.mask else { return Ok(None) };
        if self.is_filled() {
            self.check_filled(mask)?;
        }
        let long = mask.digits.iter().rev().find(|digit| digit.extent != 1);
        let Coordinate { extent, dimension, step } =
            long.copied().unwrap_or(Coordinate { extent: 1, dimension: 0, step: 0 });
        if extent != self.row() || ![0, 1].contains(&step) {
            let row = self.row();
            let reason = format!(
                "the mask counts {extent} elements by steps of {step}; needed the {row} of a row by steps of 1"
            );
            return Err(Refusal::new("mask-not-along-rows", reason));
        }
        Ok((step == 1).then_some(dimension))
    }

    /// Requires a destination whose chunks each have elements of one row, and in which nothing is outside.
    fn check_filled(&self, mask: &Mask) -> Result<(), Refusal> {
        let torn = |reason: String| Err(Refusal::of(Role::Dst, "masked-fill", reason));
        if mask.of_side(Role::Dst).next().is_some() {
            return torn("the copy fills a destination that it may leave; needed all of it inside".to_owned());
        }
        let (rows, row) = (multiple_of(&self.dst, self.element_bytes(), &self.outer(Role::Dst)), self.row_bytes());
        if rows % CHUNK_BYTES == 0 && row % CHUNK_BYTES == 0 {
            return Ok(());
        }
        let reason = format!("the copy fills rows of {row} bytes from multiples of {rows} on; needed multiples of 16");
        torn(reason)
    }

    fn check(&self) -> Result<(), Refusal> {
        check_element_bits(self.element_bits).map_err(malformed)?;
        if self.threads < 1 {
            return Err(malformed(format!("got {}, expected 1 or more", counted(self.threads, "thread"))));
        }
        self.ranks.as_ref().map_or(Ok(()), |ranks| ranks.check(self.threads, None).map_err(malformed))?;
        for role in [Role::Src, Role::Dst] {
            self.check_side(role)?;
        }
        let [src, dst] = [Role::Src, Role::Dst].map(|role| (self.row_of(role), self.of(role).layout.size()));
        if src != dst {
            let reason =
                format!("got rows of {} of {} elements in the source, expected {} of {}", src.0, src.1, dst.0, dst.1);
            return Err(malformed(reason));
        }
        self.mask.as_ref().map_or(Ok(()), |mask| mask.check(dst.1).map_err(malformed))?;
        self.masked_dimension().map(|_| ()).map_err(|refusal| malformed(refusal.reason))
    }

    fn check_side(&self, role: Role) -> Result<(), Refusal> {
        let (side, name) = (self.of(role), role.name());
        side.validate(name).map_err(malformed)?;
        if ![Space::Global, Space::Shared].contains(&side.space) {
            return Err(malformed(format!("got a {name} in {} memory, expected global or shared", side.space)));
        }
        whole_chunks(side, role, self.element_bytes()).map_err(|refusal| malformed(refusal.reason))?;
        match side.layout.shard.iter().rev().find(|iter| iter.extent != 1) {
            Some(iter) if !is_row(iter) => {
                Err(malformed(format!("got last iter {iter} in the {name}'s layout, expected a row of stride 1")))
            }
            _ => Ok(()),
        }
    }
}

impl Family for RealignedCopy {
    fn variant(&self) -> &'static str {
        super::ABOUT.name
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.check()
    }

    fn is_masked(&self) -> bool {
        self.mask.is_some()
    }
}

impl Carried for RealignedCopy {
    fn side(&self, role: Role) -> Option<CarriedSide<'_>> {
        Some(CarriedSide::of(self.of(role), self.element_bits))
    }

    fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(ValueUse<'_>)) {
        self.src.each_value(ValueList::Of(Role::Src), visit);
        self.dst.each_value(ValueList::Of(Role::Dst), visit);
        self.mask.iter_mut().for_each(|mask| mask.each_value(visit));
    }
}
