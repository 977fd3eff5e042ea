//! Access to the states of tiles: reading and publishing sums, and fault injection around that.

use tile_plan::scan::state::{AGGREGATE, MAX_HELPED_TILES, MISSING, PREFIX};
use tile_plan::scan::{Hooks, TileState, workspace};

use super::kernel::TileChain;
use crate::emit::{Cmp, Kit, Val};

/// A state that was read.
#[derive(Clone, Copy)]
pub struct Seen<'c, 'a> {
    /// `MISSING`, `AGGREGATE` or `PREFIX`, i32.
    pub flag: Val<'c, 'a>,
    /// The sum; an arbitrary value where it is missing.
    pub sum: Val<'c, 'a>,
}

/// A word of a state.
#[derive(Clone, Copy)]
struct Word<'c, 'a> {
    /// The part of the sum, of `word_bits / 2`… 64 bits, zero-extended to 32 or 64 bits.
    part: Val<'c, 'a>,
    /// `epoch << 2 | flag`, in 32 bits (64 of a wide word).
    tag: Val<'c, 'a>,
}

/// The states of a kernel's tiles.
#[derive(Clone, Copy)]
pub struct States<'k, 'c, 'a> {
    chain: &'k TileChain<'c, 'a>,
    state: TileState,
}

impl<'k, 'c: 'a, 'a> States<'k, 'c, 'a> {
    /// The states of a chain.
    pub fn new(chain: &'k TileChain<'c, 'a>, state: TileState) -> Self {
        States { chain, state }
    }

    /// The address of a tile's sum or prefix; the tile is an i32.
    fn place(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, flag: i64) -> Val<'c, 'a> {
        let states = self.chain.field(kit, workspace::STATES);
        let state = kit.at(states, kit.times(kit.wide(tile), self.state.bytes()));
        if flag == PREFIX { kit.beyond(state, self.state.prefix_offset()) } else { state }
    }

    fn tag_bits(&self) -> u32 {
        if self.state.is_wide() { 64 } else { 32 }
    }

    /// `epoch << 2 | flag`.
    fn tag(&self, kit: Kit<'c, 'a>, flag: i64) -> Val<'c, 'a> {
        let tag = kit.or(kit.shl(self.chain.epoch, 2), kit.i32(flag));
        kit.zero_extended(tag, self.tag_bits())
    }

    /// Reads the state of a tile: its prefix if it is published, else its sum.
    pub fn read(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Seen<'c, 'a> {
        if self.state.words == 1 {
            return self.understand(kit, &self.words(kit, tile, AGGREGATE));
        }
        let [prefix, sum] = [PREFIX, AGGREGATE].map(|flag| self.words(kit, tile, flag));
        let [prefix, sum] = [prefix, sum].map(|words| self.understand(kit, &words));
        let is_prefix = kit.is(Cmp::Ne, prefix.flag, MISSING);
        let choose = |prefix, sum| kit.select(is_prefix, prefix, sum);
        Seen { flag: choose(prefix.flag, sum.flag), sum: choose(prefix.sum, sum.sum) }
    }

    /// Polls the sums of several tiles, and returns the words, which must be [decoded](Self::answers) in another basic
    /// block: within one block, ptxas may test one word before it loads the next.
    pub fn poll(&self, kit: Kit<'c, 'a>, tiles: &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>> {
        let words = tiles.iter().flat_map(|&tile| self.words(kit, tile, AGGREGATE));
        words.flat_map(|word| [word.part, word.tag]).collect()
    }

    /// The states that the words of several tiles encode.
    pub fn answers(&self, kit: Kit<'c, 'a>, words: &[Val<'c, 'a>]) -> Vec<Seen<'c, 'a>> {
        let words: Vec<_> = words.chunks_exact(2).map(|pair| Word { part: pair[0], tag: pair[1] }).collect();
        words.chunks_exact(self.state.words as usize).map(|words| self.understand(kit, words)).collect()
    }

    /// The state that words encode; a state of another launch, or with some words missing, is missing.
    fn understand(&self, kit: Kit<'c, 'a>, words: &[Word<'c, 'a>]) -> Seen<'c, 'a> {
        let tags: Vec<_> = words.iter().map(|word| kit.truncated(word.tag, 32)).collect();
        let this_launch = kit.cmp(Cmp::Eq, kit.shr(tags[0], 2), self.chain.epoch);
        let alike = tags.iter().skip(1).map(|&tag| kit.cmp(Cmp::Eq, tags[0], tag));
        let valid = alike.fold(this_launch, |all, one| kit.and(all, one));
        let flag = kit.select(valid, kit.mask(tags[0], 3), kit.i32(MISSING));
        let parts: Vec<_> = words.iter().map(|word| word.part).collect();
        let parts: Vec<_> = parts.into_iter().map(|part| kit.truncated(part, self.state.part_bits)).collect();
        Seen { flag, sum: self.chain.element().of_parts(kit, &parts) }
    }

    /// Publishes a sum.
    pub fn write(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, flag: i64, sum: Val<'c, 'a>) {
        let place = self.place(kit, tile, flag);
        let tag = self.tag(kit, flag);
        for (index, part) in self.parts(kit, sum).into_iter().enumerate() {
            let place = kit.beyond(place, index as i64 * self.state.word_bytes());
            self.store(kit, place, Word { part, tag });
        }
    }

    /// Publishes a sum for another block, word by word, where no block has published it yet; returns whether the first
    /// word was still missing.
    pub fn offer(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, flag: i64, sum: Val<'c, 'a>) -> Val<'c, 'a> {
        let place = self.place(kit, tile, flag);
        let tag = self.tag(kit, flag);
        let before = self.words(kit, tile, flag);
        let mut inserted = None;
        for (index, part) in self.parts(kit, sum).into_iter().enumerate() {
            let old = before[index];
            let epoch = kit.shr(kit.truncated(old.tag, 32), 2);
            let missing = kit.cmp(Cmp::Ne, epoch, self.chain.epoch);
            let place = kit.beyond(place, index as i64 * self.state.word_bytes());
            let [done] = kit.either(
                missing,
                |kit| [self.swap(kit, place, old, Word { part, tag })],
                [kit.int_type(1)],
                |kit| [kit.int(1, 0)],
            );
            inserted.get_or_insert(done);
        }
        inserted.expect("a state has words")
    }

    /// The bits of a sum, in the parts that the words hold.
    fn parts(&self, kit: Kit<'c, 'a>, sum: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
        let parts = self.chain.element().to_parts(kit, sum, self.state.part_bits);
        parts.into_iter().map(|part| kit.zero_extended(part, self.tag_bits())).collect()
    }

    fn words(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, flag: i64) -> Vec<Word<'c, 'a>> {
        let place = self.place(kit, tile, flag);
        let word = |index| self.load(kit, kit.beyond(place, index * self.state.word_bytes()));
        (0..self.state.words).map(word).collect()
    }

    fn load(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Word<'c, 'a> {
        // Assembly, even where LLVM has such a load, because LLVM would sink the first poll and the repeated ones into
        // one basic block.
        if !self.state.is_wide() {
            let text = "ld.relaxed.gpu.global.b64 $0, [$1];";
            return split(kit, kit.assembly_value(text, "=l,l,~{memory}", &[place], kit.int_type(64)));
        }
        let text = "{ .reg .b128 %w; ld.relaxed.gpu.global.b128 %w, [$2]; mov.b128 {$0, $1}, %w; }";
        let loaded = kit.assembly_value(text, "=l,=l,l,~{memory}", &[place], kit.pair());
        Word { part: kit.part(loaded, 0, kit.int_type(64)), tag: kit.part(loaded, 1, kit.int_type(64)) }
    }

    fn store(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>, word: Word<'c, 'a>) {
        if !self.state.is_wide() {
            kit.store_relaxed(joined(kit, word), place, 8);
            return;
        }
        let text = "{ .reg .b128 %w; mov.b128 %w, {$1, $2}; st.relaxed.gpu.global.b128 [$0], %w; }";
        kit.assembly(text, "l,l,l,~{memory}", &[place, word.part, word.tag]);
    }

    /// Compares and swaps; returns whether it swapped.
    fn swap(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>, old: Word<'c, 'a>, new: Word<'c, 'a>) -> Val<'c, 'a> {
        if !self.state.is_wide() {
            let expected = joined(kit, old);
            return kit.cmp(Cmp::Eq, kit.compare_and_swap(place, expected, joined(kit, new)), expected);
        }
        let text = "{ .reg .b128 %o, %e, %n; mov.b128 %e, {$3, $4}; mov.b128 %n, {$5, $6}; \
                    atom.relaxed.gpu.global.cas.b128 %o, [$2], %e, %n; mov.b128 {$0, $1}, %o; }";
        let operands = [place, old.part, old.tag, new.part, new.tag];
        let pair = kit.assembly_value(text, "=l,=l,l,l,l,l,l,~{memory}", &operands, kit.pair());
        let same = |index, value| kit.cmp(Cmp::Eq, kit.part(pair, index, kit.int_type(64)), value);
        kit.and(same(0, old.part), same(1, old.tag))
    }
}

/// Publishes the sum of a tile that is not the first, by one thread, unless the hook skips it.
pub fn aggregate<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    states: States<'_, 'c, 'a>,
    hooks: &Hooks,
    tile: Val<'c, 'a>,
    sum: Val<'c, 'a>,
) {
    match hooks.skip_post {
        None => states.write(kit, tile, AGGREGATE, sum),
        Some(mask) => {
            let published = kit.is(Cmp::Ne, kit.mask(kit.plus(tile, 1), mask), 0);
            kit.when(published, |kit| states.write(kit, tile, AGGREGATE, sum));
        }
    }
}

/// Waits, where the hook requests it, until another block has published the sum of a tile. Not for the last tile: no
/// block would.
pub fn hold<'c: 'a, 'a>(kit: Kit<'c, 'a>, states: States<'_, 'c, 'a>, hooks: &Hooks, [tile, last]: [Val<'c, 'a>; 2]) {
    let Some(mask) = hooks.hold else { return };
    let chosen = kit.is(Cmp::Eq, kit.mask(tile, mask), 0);
    let held = kit.and(chosen, kit.cmp(Cmp::Slt, tile, last));
    kit.when(held, |kit| {
        kit.repeat([], |kit, []| (kit.is(Cmp::Eq, states.read(kit, tile).flag, MISSING), []));
    });
}

/// The tile that a block takes as the `index`-th of `tiles`; counted from the end, where the hook requests it.
pub fn numbered<'c: 'a, 'a>(kit: Kit<'c, 'a>, hooks: &Hooks, [index, tiles]: [Val<'c, 'a>; 2]) -> Val<'c, 'a> {
    if hooks.reverse { kit.sub(kit.plus(tiles, -1), index) } else { index }
}

/// The tile that a block computes while it waits for the `nearest` one that is missing; `last` is the tile before its own. Blocks that wait
/// for the same tile compute different ones of those before it:
///
/// ```text
///   tile         0  1  2  3  4  5  6  7      A, B, C and D run and wait for tile 3; for those before them there is no room
///   waits                    A  B  C  D
///   computes     A  D  C  B                  last % 4 = 3, 0, 1, 2 tiles before the nearest
/// ```
///
/// Where that one is published, a block computes the nearest: in the end it needs no other block.
pub fn helped<'c: 'a, 'a>(kit: Kit<'c, 'a>, last: Val<'c, 'a>, nearest: Val<'c, 'a>) -> Val<'c, 'a> {
    let most = kit.min(kit.plus(nearest, 1), kit.i32(MAX_HELPED_TILES));
    kit.sub(nearest, kit.rem(last, most))
}

/// Records in the workspace that a block gave up.
pub fn give_up<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>) {
    let place = chain.field(kit, tile_plan::scan::workspace::ERROR);
    kit.store_relaxed(kit.i32(1), place, 4);
}

/// The halves of a 64-bit word.
fn split<'c: 'a, 'a>(kit: Kit<'c, 'a>, word: Val<'c, 'a>) -> Word<'c, 'a> {
    Word { part: kit.narrow(word), tag: kit.narrow(kit.shr(word, 32)) }
}

/// The 64-bit word with these halves.
fn joined<'c: 'a, 'a>(kit: Kit<'c, 'a>, word: Word<'c, 'a>) -> Val<'c, 'a> {
    kit.or(kit.wide(word.part), kit.shl(kit.wide(word.tag), 32))
}
