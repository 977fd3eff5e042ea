//! Memory that a loop exchanges: distinct allocations that it carries and hands on in another order.
//!
//! ```mlir
//!   scf.for … iter_args(%p = %s, %q = %t) {        one of %s and %t each, but never the same in one iteration
//!     …
//!     scf.yield %q, %p
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::{Parts, arguments_of};

use crate::read::alias::{self, Root};
use crate::read::values::{key, operands};
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Records the values by which an `scf.for` of this number exchanges memory.
    pub(super) fn learn_exchanged(&mut self, op: OperationRef<'c, 'a>, number: usize) {
        let Some(body) = op.region_at(0).and_then(|region| region.first_block()) else { return };
        let Some(end) = body.terminator() else { return };
        let (arguments, yields) = (arguments_of(body), operands(end));
        let carried = arguments.iter().skip(1).zip(op.operands().skip(3)).zip(yields);
        let mut members: Vec<(usize, usize, Root)> = carried
            .filter(|((_, first), _)| alias::is_address(*first))
            .map(|((own, first), next)| (key(*own), key(next), alias::root(first)))
            .filter(|(.., first)| matches!(first, Root::Made(..)))
            .collect();
        // Each hands on the memory of another, or its own.
        while let Some(at) = members.iter().position(|(_, next, _)| !members.iter().any(|(own, ..)| own == next)) {
            members.remove(at);
        }
        let mut nexts: Vec<usize> = members.iter().map(|(_, next, _)| *next).collect();
        nexts.sort_unstable();
        nexts.dedup();
        let distinct = |at: usize| members[..at].iter().all(|(.., other)| *other != members[at].2);
        if nexts.len() == members.len() && (0..members.len()).all(distinct) {
            self.exchanged.extend(members.iter().map(|(own, ..)| (*own, number)));
        }
    }

    /// The loop that exchanges the memory of two objects, so that they are distinct within one iteration.
    pub(super) fn exchanged(&self, a: &Root, b: &Root) -> Option<usize> {
        let number = |root: &Root| match root {
            Root::OneOf(value, _) => self.exchanged.get(value).copied(),
            _ => None,
        };
        number(a).filter(|of| a != b && number(b) == Some(*of))
    }
}
