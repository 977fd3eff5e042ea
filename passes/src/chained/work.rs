//! The work on a tile: elements become payloads, and payloads become results.

use super::ahead;
use super::elements::ChainedPart;
use super::kernel::RegisterWork;
use super::regions::{self, ElementArguments};
use super::results::{self, ResultStart};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScannedArray;
use crate::scan::local::Rows;
use crate::scan::transfer::{self, Items, ThreadPart};
use crate::scan::work::{Prefixes, TileWork};

impl<'c: 'a, 'a> TileWork<'c, 'a> for RegisterWork<'_, 'c, 'a> {
    type Part = ChainedPart<'c, 'a>;

    fn load(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> (Items<'c, 'a>, ChainedPart<'c, 'a>) {
        self.loaded(kit, number, |kit, _, source, place| transfer::load(kit, source, self.kernel.tile, place))
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
        let loaded = self.loaded(kit, number, |kit, index, source, place| {
            transfer::load_by(kit, source, self.kernel.tile, place, |kit| ahead::vectors(kit, self, index))
        });
        ahead::begin(kit, self, next);
        loaded
    }

    fn write(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        part: ChainedPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        prefixes: Prefixes<'c, 'a>,
    ) {
        let starts = match self.kernel.op.is_scattered() {
            true => Vec::new(),
            false => {
                let firsts = regions::first_places(kit, &self.kernel, &part, (number, prefixes.tile.value));
                results::starts(kit, &self.kernel, &firsts)
            }
        };
        self.write_elements(kit, &part, rows, (prefixes, &starts));
        kit.block_barrier();
        results::copy_out(kit, self, &starts);
        if !self.kernel.totals.is_empty() {
            self.write_totals(kit, &part);
        }
    }
}

impl<'c: 'a, 'a> RegisterWork<'_, 'c, 'a> {
    /// A thread's part of a tile, of which `load` reads the elements of each source, and their payloads.
    fn loaded(
        &self,
        kit: Kit<'c, 'a>,
        number: Val<'c, 'a>,
        load: impl Fn(Kit<'c, 'a>, usize, &ScannedArray<'c, 'a>, ThreadPart<'c, 'a>) -> Items<'c, 'a>,
    ) -> (Items<'c, 'a>, ChainedPart<'c, 'a>) {
        let (chain, tile) = (&self.kernel.chain, self.kernel.tile);
        let local = kit.add(kit.times(chain.warp, tile.warp_elements()), kit.times(chain.lane, tile.vector));
        let part = ChainedPart::load(kit, &self.kernel, ([number, local], None), |index, source, place| {
            load(kit, index, source, place)
        });
        (regions::summaries(kit, &self.kernel, &part), part)
    }

    /// Keeps the results of a thread's elements, one after the other.
    fn write_elements(
        &self,
        kit: Kit<'c, 'a>,
        part: &ChainedPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        (prefixes, starts): (Prefixes<'c, 'a>, &[ResultStart<'c, 'a>]),
    ) {
        let kernel = &self.kernel;
        let arguments = ElementArguments::of_emit(kit, kernel, part);
        let (partial, last) = (kit.not(part.place.full), kit.plus(part.count, -1));
        let mut latest = None;
        for (row, (before, inclusive)) in rows.sums(kit, &kernel.chain, prefixes.warp).into_iter().enumerate() {
            let befores = std::iter::once(before).chain(inclusive.iter().copied());
            for (place, (before, payload)) in befores.zip(inclusive.iter().copied()).enumerate() {
                let at = [row, place];
                let results = regions::emitted(kit, kernel, &arguments, (at, [before, payload]));
                results::keep(kit, self, &results, starts);
                // Only the tile at the end of the array has its last element elsewhere than in the last thread.
                kit.when(partial, |kit| {
                    let is_last = kit.cmp(Cmp::Eq, part.position(kit, kernel, at), last);
                    kit.when(is_last, |kit| results::note_last(kit, self, (&results, payload)));
                });
                latest = Some((results, payload));
            }
        }
        let (results, payload) = latest.expect("a tile has elements");
        let has_last = kit.is(Cmp::Eq, kernel.chain.thread, kernel.tile.threads - 1);
        kit.when(kit.and(part.place.full, has_last), |kit| results::note_last(kit, self, (&results, payload)));
    }

    /// Writes the results for all elements, by one thread of the block that has the last one.
    fn write_totals(&self, kit: Kit<'c, 'a>, part: &ChainedPart<'c, 'a>) {
        let has_last = kit.is(Cmp::Sge, part.last, 0);
        kit.when(kit.and(has_last, kit.is(Cmp::Eq, self.kernel.chain.thread, 0)), |kit| {
            let (place, element) = (self.room(kit, self.rooms.last), self.kernel.element());
            let loaded = kit.load(place, element.vector_type(1), element.bytes());
            regions::finish(kit, &self.kernel, element.unpack(kit, loaded, 1)[0]);
        });
    }
}
