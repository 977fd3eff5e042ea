//! The work on a tile: elements become payloads, and payloads become results.

use super::ahead;
use super::elements::ChainedPart;
use super::kernel::ChainedKernel;
use super::regions::{self, ElementArguments};
use super::results::{self, ResultStart};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::local::Rows;
use crate::scan::transfer::Items;
use crate::scan::work::{Prefixes, TileWork};

impl<'c: 'a, 'a> TileWork<'c, 'a> for ChainedKernel<'_, 'c, 'a> {
    type Part = ChainedPart<'c, 'a>;

    fn load(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> (Items<'c, 'a>, ChainedPart<'c, 'a>) {
        let part = ChainedPart::load(kit, self, number, false);
        (regions::summaries(kit, self, &part), part)
    }

    fn begin(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) {
        ahead::begin(kit, self, (number, kit.int(1, 1)));
    }

    fn load_begun(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        next: (Val<'c, 'a>, Val<'c, 'a>),
    ) -> (Items<'c, 'a>, ChainedPart<'c, 'a>) {
        kit.wait_vectors();
        let part = ChainedPart::load(kit, self, number, true);
        ahead::begin(kit, self, next);
        (regions::summaries(kit, self, &part), part)
    }

    fn write(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        part: ChainedPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        prefixes: Prefixes<'c, 'a>,
    ) {
        let starts = match self.op.is_scattered() {
            true => Vec::new(),
            false => {
                let firsts = regions::first_places(kit, self, &part, (number, prefixes.tile.value));
                results::starts(kit, self, &firsts)
            }
        };
        self.write_elements(kit, &part, rows, (prefixes, &starts));
        kit.block_barrier();
        results::copy_out(kit, self, &starts);
        if !self.totals.is_empty() {
            self.write_totals(kit, &part);
        }
    }
}

impl<'c: 'a, 'a> ChainedKernel<'_, 'c, 'a> {
    /// Keeps the results of a thread's elements, one after the other.
    fn write_elements(
        &self,
        kit: Kit<'c, 'a>,
        part: &ChainedPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        (prefixes, starts): (Prefixes<'c, 'a>, &[ResultStart<'c, 'a>]),
    ) {
        let arguments = ElementArguments::of_emit(kit, self, part);
        let (partial, last) = (kit.not(part.place.full), kit.plus(part.count, -1));
        let mut latest = None;
        for (row, (before, inclusive)) in rows.sums(kit, &self.chain, prefixes.warp).into_iter().enumerate() {
            let befores = std::iter::once(before).chain(inclusive.iter().copied());
            for (place, (before, payload)) in befores.zip(inclusive.iter().copied()).enumerate() {
                let at = [row, place];
                let results = regions::emitted(kit, self, &arguments, (at, [before, payload]));
                results::keep(kit, self, &results, starts);
                // Only the tile at the end of the array has its last element elsewhere than in the last thread.
                kit.when(partial, |kit| {
                    let is_last = kit.cmp(Cmp::Eq, part.position(kit, self, at), last);
                    kit.when(is_last, |kit| results::note_last(kit, self, (&results, payload)));
                });
                latest = Some((results, payload));
            }
        }
        let (results, payload) = latest.expect("a tile has elements");
        let has_last = kit.is(Cmp::Eq, self.chain.thread, self.tile.threads - 1);
        kit.when(kit.and(part.place.full, has_last), |kit| results::note_last(kit, self, (&results, payload)));
    }

    /// Writes the results for all elements, by one thread of the block that has the last one.
    fn write_totals(&self, kit: Kit<'c, 'a>, part: &ChainedPart<'c, 'a>) {
        let has_last = kit.is(Cmp::Sge, part.last, 0);
        kit.when(kit.and(has_last, kit.is(Cmp::Eq, self.chain.thread, 0)), |kit| {
            let (place, element) = (self.room(kit, self.rooms.last), self.element());
            let loaded = kit.load(place, element.vector_type(1), element.bytes());
            regions::finish(kit, self, element.unpack(kit, loaded, 1)[0]);
        });
    }
}
