//! The work on a tile: elements become payloads, and payloads become results.

use super::elements::ChainedPart;
use super::kernel::ChainedKernel;
use super::regions::{self, ElementArguments, Emitted};
use super::results;
use crate::emit::{Cmp, Kit, Val};
use crate::scan::local::Rows;
use crate::scan::operator::Maybe;
use crate::scan::transfer::Items;
use crate::scan::work::TileWork;

/// The number of arguments of `emit` before those of the element: the index, and two payloads.
fn before_element(numbers: usize) -> usize {
    1 + 2 * numbers
}

/// An element with its results.
pub struct ElementResults<'c, 'a> {
    /// Its place in the tile, i32.
    pub position: Val<'c, 'a>,
    /// The payload up to and including it.
    pub payload: Val<'c, 'a>,
    /// The result for each array.
    pub results: Vec<Emitted<'c, 'a>>,
}

impl<'c: 'a, 'a> TileWork<'c, 'a> for ChainedKernel<'_, 'c, 'a> {
    type Part = ChainedPart<'c, 'a>;

    fn load(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> (Items<'c, 'a>, ChainedPart<'c, 'a>) {
        let part = ChainedPart::load(kit, self, number);
        (regions::summaries(kit, self, &part), part)
    }

    fn write(
        &self,
        kit: Kit<'c, 'a>,
        _number: Val<'c, 'a>,
        part: ChainedPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        prefix: Maybe<'c, 'a>,
    ) {
        let region = self.op.emit().expect("the verifier requires it");
        let arguments = ElementArguments::new(kit, self, &part, (region, before_element(self.payload.len())));
        let mut outcomes = Vec::new();
        for (row, (before, inclusive)) in rows.sums(kit, &self.chain, prefix).into_iter().enumerate() {
            let befores = std::iter::once(before).chain(inclusive.iter().copied());
            for (place, payloads) in befores.zip(inclusive.iter().copied()).enumerate() {
                let at = [row, place];
                let results = regions::emitted(kit, self, &arguments, (at, payloads.into()));
                outcomes.push(ElementResults { position: part.position(kit, self, at), payload: payloads.1, results });
            }
        }
        results::write(kit, self, &part, &outcomes);
        if self.totals.is_empty() {
            return;
        }
        let has_last = kit.is(Cmp::Sge, part.last, 0);
        kit.when(kit.and(has_last, kit.is(Cmp::Eq, self.chain.thread, 0)), |kit| {
            let place = self.room(kit, self.rooms.last);
            let element = self.element();
            let payload = element.unpack(kit, kit.load(place, element.vector_type(1), element.bytes()), 1)[0];
            regions::finish(kit, self, payload);
        });
    }
}
