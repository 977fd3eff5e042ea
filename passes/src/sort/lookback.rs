//! The look-back of a thread, for its digit.
//!
//! ```text
//!   tile          t-6  t-5  t-4  t-3  t-2  t-1  t
//!   published      P    A    A    A    -    A        A: keys with the digit in the tile; P: in all tiles up to it, and smaller digits
//!   taken                                   A        four rows at a time; those behind a missing one are read again
//! ```

use tile_ops::nvvm::{ReduxKind, VoteSyncKind};
use tile_plan::scan::{Wait, workspace};
use tile_plan::sort::LOOKBACK_ROWS;

use super::help::over_warp;
use super::words::{COUNT_MASK, INCLUSIVE, Pass};
use crate::emit::{Cmp, Kit, Val};

/// How far the search of a thread is.
#[derive(Clone)]
struct DigitSearch<'c, 'a> {
    /// The sum of the counts that it has taken.
    sum: Val<'c, 'a>,
    /// The tile that it reads next, i32.
    tile: Val<'c, 'a>,
    /// A bit: whether it has all.
    done: Val<'c, 'a>,
    /// Polls in a row that brought nothing; without fallback, all polls.
    spins: Val<'c, 'a>,
    /// The number of polls.
    polls: Val<'c, 'a>,
    /// The words of that tile and of those before it.
    words: Vec<Val<'c, 'a>>,
}

impl<'c: 'a, 'a> DigitSearch<'c, 'a> {
    fn list(&self) -> Vec<Val<'c, 'a>> {
        [&[self.sum, self.tile, self.done, self.spins, self.polls][..], &self.words].concat()
    }

    fn from_list(list: &[Val<'c, 'a>]) -> Self {
        let words = list[5..].to_vec();
        DigitSearch { sum: list[0], tile: list[1], done: list[2], spins: list[3], polls: list[4], words }
    }
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// The sum of the counts before a tile (i32) that is not the first, and whether it is complete: a thread may give up. `words` are
    /// those of the tiles before it.
    pub fn look_back(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, words: Vec<Val<'c, 'a>>) -> [Val<'c, 'a>; 2] {
        let (none, open) = (kit.i32(0), kit.int(1, 0));
        let start = DigitSearch { sum: none, tile: kit.plus(tile, -1), done: open, spins: none, polls: none, words };
        let (end, helped) = match self.kernel.plan.wait {
            Wait::Fallback { .. } => self.with_fallback(kit, start),
            Wait::Forever | Wait::GiveUp { .. } => (self.poll(kit, start), [none; 2]),
        };
        if self.gives_up() {
            kit.when(kit.not(end.done), |kit| {
                let error = kit.beyond(self.kernel.workspace, workspace::ERROR);
                kit.store_relaxed(kit.i32(1), error, 4);
            });
        }
        if self.kernel.plan.hooks.counters {
            let looked = kit.sub(kit.plus(tile, -1), end.tile);
            self.count(kit, [end.polls, looked, helped[0], helped[1]]);
        }
        [end.sum, end.done]
    }

    /// Adds to the counters of the workspace, by the first lane of each warp.
    fn count(&self, kit: Kit<'c, 'a>, counts: [Val<'c, 'a>; 4]) {
        let fields = [workspace::POLLS, workspace::LOOKED, workspace::FALLBACKS, workspace::INSERTED];
        kit.when(kit.is(Cmp::Eq, self.kernel.lane, 0), |kit| {
            for (field, count) in fields.into_iter().zip(counts) {
                kit.fetch_add(kit.beyond(self.kernel.workspace, field), kit.wide(count));
            }
        });
    }

    /// Alternates between polls of each lane and help of the whole warp, until no lane waits; returns how many tiles the warp has
    /// begun to count, and how many counts of the lane it has published.
    fn with_fallback(&self, kit: Kit<'c, 'a>, start: DigitSearch<'c, 'a>) -> (DigitSearch<'c, 'a>, [Val<'c, 'a>; 2]) {
        let first = [start.list(), vec![kit.i32(0); 2]].concat();
        let types: Vec<_> = first.iter().map(melior::ir::ValueLike::r#type).collect();
        let end = kit.repeat_list(&first, |kit, values| {
            let (progress, helped) = values.split_at(values.len() - 2);
            let before = DigitSearch::from_list(progress);
            let poll = |kit: Kit<'c, 'a>| self.poll(kit, before.clone()).list();
            let polled = kit.either_list(kit.not(before.done), poll, &types[..progress.len()], |_| before.list());
            let polled = DigitSearch::from_list(&polled);
            kit.warp_barrier();
            let stalled = kit.not(polled.done);
            let any = kit.vote(stalled, VoteSyncKind::Any);
            let same = [polled.list(), helped.to_vec()].concat();
            let help = |kit: Kit<'c, 'a>| {
                // The nearest tile that a lane waits for.
                let waits = kit.select(stalled, kit.plus(polled.tile, 1), kit.i32(0));
                let nearest = kit.plus(over_warp(kit, waits, ReduxKind::Umax), -1);
                let inserted = self.help(kit, self.missing_tile(kit, start.tile, nearest));
                // A lane that has all may be in front of the first tile.
                let words = self.words(kit, kit.max(polled.tile, kit.i32(0)));
                let after = DigitSearch { spins: kit.i32(0), words, ..polled.clone() };
                [after.list(), vec![kit.plus(helped[0], 1), kit.add(helped[1], inserted)]].concat()
            };
            (any, kit.either_list(any, help, &types, |_| same))
        });
        let (progress, helped) = end.split_at(end.len() - 2);
        (DigitSearch::from_list(progress), [helped[0], helped[1]])
    }

    /// Polls until the thread has all counts, or too often without news.
    fn poll(&self, kit: Kit<'c, 'a>, start: DigitSearch<'c, 'a>) -> DigitSearch<'c, 'a> {
        let poll = |kit: Kit<'c, 'a>, list: &[Val<'c, 'a>]| {
            let before = DigitSearch::from_list(list);
            let types: Vec<_> = list.iter().map(melior::ir::ValueLike::r#type).collect();
            let taken = |kit| self.take_all(kit, &before).list();
            let after = kit
                .either_list(self.are_counts(kit, &before.words), taken, &types, |kit| self.take(kit, &before).list());
            let after = DigitSearch::from_list(&after);
            let open = kit.not(after.done);
            let again = match self.kernel.plan.wait {
                Wait::Fallback { max_spin } => kit.and(open, kit.is(Cmp::Slt, after.spins, max_spin)),
                Wait::GiveUp { polls } => kit.and(open, kit.is(Cmp::Slt, after.polls, polls)),
                Wait::Forever => open,
            };
            (again, after.list())
        };
        let next = |kit: Kit<'c, 'a>, list: &[Val<'c, 'a>]| {
            let before = DigitSearch::from_list(list);
            DigitSearch { words: self.words(kit, before.tile), ..before }.list()
        };
        DigitSearch::from_list(&kit.repeat_after_list(&start.list(), poll, next))
    }

    /// Whether all words are counts of single tiles.
    fn are_counts(&self, kit: Kit<'c, 'a>, words: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let fold = |join: fn(Kit<'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Val<'c, 'a>| {
            words[1..].iter().fold(words[0], |all, &word| join(kit, all, word))
        };
        let any = fold(|kit, all, word| kit.or(all, word));
        let tags = match self.parity() {
            0 => any,
            _ => fold(|kit, all, word| kit.and(all, word)),
        };
        kit.and(self.is_published(kit, tags), kit.is(Cmp::Eq, kit.mask(any, INCLUSIVE), 0))
    }

    /// Takes counts of single tiles. Their parity bits, an even number of them, add up to nothing.
    fn take_all(&self, kit: Kit<'c, 'a>, before: &DigitSearch<'c, 'a>) -> DigitSearch<'c, 'a> {
        let sum = before.words.iter().fold(before.sum, |sum, &word| kit.add(sum, word));
        let tile = kit.plus(before.tile, -LOOKBACK_ROWS);
        DigitSearch { sum, tile, spins: kit.i32(0), polls: kit.plus(before.polls, 1), ..before.clone() }
    }

    /// Takes the counts up to the first missing one, or up to the first of all tiles up to one.
    fn take(&self, kit: Kit<'c, 'a>, before: &DigitSearch<'c, 'a>) -> DigitSearch<'c, 'a> {
        let (mut open, mut done) = (kit.int(1, 1), kit.int(1, 0));
        let (mut sum, mut taken) = (before.sum, kit.i32(0));
        for &word in &before.words {
            let takes = kit.and(open, self.is_published(kit, word));
            sum = kit.add(sum, kit.select(takes, kit.mask(word, COUNT_MASK), kit.i32(0)));
            taken = kit.add(taken, kit.zero_extended(takes, 32));
            let is_inclusive = kit.is(Cmp::Ne, kit.mask(word, INCLUSIVE), 0);
            done = kit.or(done, kit.and(takes, is_inclusive));
            open = kit.and(takes, kit.not(is_inclusive));
        }
        let spins = kit.select(kit.is(Cmp::Ne, taken, 0), kit.i32(0), kit.plus(before.spins, 1));
        let (tile, polls) = (kit.sub(before.tile, taken), kit.plus(before.polls, 1));
        DigitSearch { sum, tile, done, spins, polls, words: before.words.clone() }
    }
}
