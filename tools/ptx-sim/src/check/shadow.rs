//! Shadow memory: the last accesses to each byte.
//!
//! Memory is divided into pages of cells. A page starts with one cell for every 16 bytes; the first access that is
//! smaller or not aligned to that splits its cells, down to single bytes if needed, so that tracking is always exact.

use std::convert::Infallible;

use super::Clock;
use super::alike::Alike;
use super::cell::Cell;
use super::overflow::Overflow;
use super::record::{Accessor, Conflict};

const PAGE_SHIFT: u32 = 12;
const COARSEST: u32 = 4;

#[derive(Debug)]
struct Page {
    /// Log2 of the size of a cell in bytes.
    shift: u32,
    cells: Vec<Cell>,
}

impl Page {
    fn new() -> Self {
        Self { shift: COARSEST, cells: vec![Cell::default(); 1 << (PAGE_SHIFT - COARSEST)] }
    }

    fn split(&mut self, shift: u32, overflow: &mut Overflow) {
        let copies = 1 << (self.shift - shift);
        let mut cells = Vec::with_capacity(self.cells.len() * copies);
        for cell in &self.cells {
            (1..copies).for_each(|_| overflow.share(cell.more()));
            cells.extend(std::iter::repeat_n(*cell, copies));
        }
        *self = Self { shift, cells };
    }
}

/// The shadow of one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pages: Vec<Option<Box<Page>>>,
    /// Distinguishes memories in a [`Trace`](super::Trace).
    pub(crate) memory: u64,
}

impl Shadow {
    pub(crate) fn new(len: usize) -> Self {
        let mut pages = Vec::new();
        pages.resize_with(len.div_ceil(1 << PAGE_SHIFT), || None);
        Self { pages, memory: 0 }
    }

    /// Forgets everything: all earlier accesses are ordered before later ones.
    pub(crate) fn clear(&mut self) {
        self.pages.iter_mut().for_each(|p| *p = None);
    }

    /// Calls `f` on each cell of `offset .. offset + bytes`.
    fn cells<E>(
        &mut self,
        offset: usize,
        bytes: usize,
        overflow: &mut Overflow,
        mut f: impl FnMut(&mut Cell, &mut Overflow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = offset;
        let end = offset + bytes;
        while at < end {
            let stop = end.min((at >> PAGE_SHIFT << PAGE_SHIFT) + (1 << PAGE_SHIFT));
            let page = self.pages[at >> PAGE_SHIFT].get_or_insert_with(|| Box::new(Page::new()));
            let needed = (at | stop | 1 << COARSEST).trailing_zeros();
            if page.shift > needed {
                page.split(needed, overflow);
            }
            let local = |x: usize| (x - (at >> PAGE_SHIFT << PAGE_SHIFT)) >> page.shift;
            let (first, last) = (local(at), local(stop - 1));
            for cell in &mut page.cells[first..=last] {
                f(cell, overflow)?;
            }
            at = stop;
        }
        Ok(())
    }

    /// The cell of an aligned access, if it covers exactly one.
    fn single(&mut self, offset: usize, bytes: usize) -> Option<&mut Cell> {
        let page = self.pages[offset >> PAGE_SHIFT].as_mut()?;
        let exact = bytes == 1 << page.shift && offset & (bytes - 1) == 0;
        exact.then(|| &mut page.cells[(offset & ((1 << PAGE_SHIFT) - 1)) >> page.shift])
    }

    /// A read of a range. One with a conflict is not recorded: it ends the run, or nothing uses its value.
    pub(crate) fn read(
        &mut self,
        offset: usize,
        bytes: usize,
        who: &Accessor<'_>,
        overflow: &mut Overflow,
    ) -> Result<(), Conflict> {
        match self.single(offset, bytes) {
            Some(cell) => cell.read(who, overflow)?,
            None => self.cells(offset, bytes, overflow, |cell, overflow| cell.read(who, overflow))?,
        }
        if let Some(trace) = &mut overflow.trace {
            trace.touch(self.memory, offset, bytes, who, false);
        }
        Ok(())
    }

    /// A read of one of many ranges by each of `readers`; `alike` is that of all ranges. A conflict comes with the number
    /// of the reader.
    pub(crate) fn read_alike(
        &mut self,
        offset: usize,
        bytes: usize,
        readers: &[Accessor<'_>],
        overflow: &mut Overflow,
        alike: &mut Alike,
    ) -> Result<(), (usize, Conflict)> {
        let mut read = |cell: &mut Cell, overflow: &mut Overflow| {
            let all = |cell: &mut Cell, overflow: &mut Overflow| {
                let mut readers = readers.iter().enumerate();
                readers.try_for_each(|(i, who)| cell.read(who, overflow).map_err(|conflict| (i, conflict)))?;
                Ok(false)
            };
            alike.change(cell, overflow, all).map(drop)
        };
        match self.single(offset, bytes) {
            Some(cell) => read(cell, overflow)?,
            None => self.cells(offset, bytes, overflow, read)?,
        }
        if let Some(trace) = &mut overflow.trace {
            readers.iter().for_each(|who| trace.touch(self.memory, offset, bytes, who, false));
        }
        Ok(())
    }

    /// A write of one of many ranges that `who` writes; `alike` is that of all of them.
    pub(crate) fn write_alike(
        &mut self,
        offset: usize,
        bytes: usize,
        who: &Accessor<'_>,
        overflow: &mut Overflow,
        alike: &mut Alike,
    ) -> Result<(), Conflict> {
        if let Some(trace) = overflow.trace.as_mut().filter(|_| !who.repeats()) {
            trace.touch(self.memory, offset, bytes, who, true);
        }
        self.cells(offset, bytes, overflow, |cell, overflow| {
            alike.change(cell, overflow, |cell, overflow| cell.write(who, overflow)).map(drop)
        })
    }

    /// Whether the last writes in a range are ordered before `who`, without recording a read by `who`.
    pub(crate) fn look(
        &mut self,
        offset: usize,
        bytes: usize,
        who: &Accessor<'_>,
        overflow: &mut Overflow,
    ) -> Result<(), Conflict> {
        self.cells(offset, bytes, overflow, |cell, _| cell.look(who))
    }

    /// A last write in a range that a clock does not know.
    pub(crate) fn unseen(
        &mut self,
        offset: usize,
        bytes: usize,
        by: &Clock,
        overflow: &mut Overflow,
    ) -> Option<Conflict> {
        self.cells(offset, bytes, overflow, |cell, _| cell.unseen(by).map_or(Ok(()), Err)).err()
    }

    /// A write of a range; returns whether it overwrote a word through which threads synchronize.
    pub(crate) fn write(
        &mut self,
        offset: usize,
        bytes: usize,
        who: &Accessor<'_>,
        overflow: &mut Overflow,
    ) -> Result<bool, Conflict> {
        if let Some(trace) = overflow.trace.as_mut().filter(|_| !who.repeats()) {
            trace.touch(self.memory, offset, bytes, who, true);
        }
        if let Some(cell) = self.single(offset, bytes) {
            return cell.write(who, overflow);
        }
        let mut synchronizes = false;
        self.cells(offset, bytes, overflow, |cell, overflow| {
            synchronizes |= cell.write(who, overflow)?;
            Ok(())
        })?;
        Ok(synchronizes)
    }

    /// Marks a word through which threads synchronize.
    pub(crate) fn mark(&mut self, offset: usize, bytes: usize, overflow: &mut Overflow) {
        let Ok::<(), Infallible>(()) = self.cells(offset, bytes, overflow, |cell, _| {
            cell.mark();
            Ok(())
        });
    }

    /// Sets the time of the accesses, to one of many ranges, of an agent's copy that has now finished; `alike` is that of
    /// all ranges.
    pub(crate) fn finish(
        &mut self,
        offset: usize,
        bytes: usize,
        (agents, lane, time): (super::Agents, u8, u32),
        overflow: &mut Overflow,
        alike: &mut Alike,
    ) {
        let Ok::<(), Infallible>(()) = self.cells(offset, bytes, overflow, |cell, overflow| {
            let finish = |cell: &mut Cell, overflow: &mut Overflow| {
                cell.finish(agents, lane, time, overflow);
                Ok(false)
            };
            alike.change(cell, overflow, finish).map(drop)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Agents, Know, Strength, UNFINISHED};
    use super::*;

    fn agents(warp: u16) -> Agents {
        Agents { block: 0, warp }
    }

    fn accessor<'a>(know: &'a Know, warp: u16, lane: u8, time: u32) -> Accessor<'a> {
        Accessor::new(know, agents(warp), lane, time, Strength::WEAK, 0, 1)
    }

    #[test]
    fn neighbours_in_a_granule_do_not_conflict() {
        let (know, mut over) = (Know::default(), Overflow::default());
        let mut shadow = Shadow::new(64);
        shadow.write(0, 16, &accessor(&know, 0, 0, 1), &mut over).unwrap();
        shadow.write(16, 3, &accessor(&know, 0, 1, 1), &mut over).unwrap();
        shadow.write(19, 1, &accessor(&know, 0, 2, 1), &mut over).unwrap();
        assert!(shadow.write(18, 1, &accessor(&know, 0, 2, 1), &mut over).is_err());
        assert!(shadow.read(15, 1, &accessor(&know, 0, 2, 1), &mut over).is_err());
    }

    #[test]
    fn order_makes_it_legal() {
        let mut over = Overflow::default();
        let mut shadow = Shadow::new(64);
        let (nothing, mut know) = (Know::default(), Know::default());
        for lane in 0..32 {
            shadow.read(0, 4, &accessor(&nothing, 0, lane, 1), &mut over).unwrap();
            shadow.read(0, 4, &accessor(&nothing, 1, lane, 3), &mut over).unwrap();
        }
        know.raise(agents(0), u32::MAX, 1);
        let conflict = shadow.write(0, 4, &accessor(&know, 2, 0, 1), &mut over).unwrap_err();
        assert_eq!((conflict.agents, conflict.write), (agents(1), false));
        know.raise(agents(1), u32::MAX, 3);
        shadow.write(0, 4, &accessor(&know, 2, 0, 1), &mut over).unwrap();
        assert!(shadow.read(0, 4, &accessor(&know, 0, 0, 1), &mut over).unwrap_err().write);
    }

    #[test]
    fn atomics_go_together_but_not_with_what_came_before_them() {
        use crate::code::Scope;
        let mut over = Overflow::default();
        let mut shadow = Shadow::new(64);
        let (nothing, mut know) = (Know::default(), Know::default());
        let strong =
            |know, warp, scope, bytes| Accessor::new(know, agents(warp), 0, 1, Strength::strong(scope, bytes), 0, 1);
        shadow.write(0, 4, &accessor(&nothing, 0, 0, 1), &mut over).unwrap();
        know.raise(agents(0), 1, 1);
        shadow.write(0, 4, &strong(&know, 1, Scope::Gpu, 4), &mut over).unwrap();
        shadow.write(0, 4, &strong(&know, 2, Scope::Gpu, 4), &mut over).unwrap();
        // Strong, but not ordered after the weak first write.
        assert!(shadow.write(0, 4, &strong(&nothing, 3, Scope::Gpu, 4), &mut over).is_err());
        // Ordered after it, but of another size.
        assert!(shadow.write(0, 2, &strong(&know, 3, Scope::Gpu, 2), &mut over).is_err());
        // A weak read must be ordered after every atomic, not only the last.
        know.raise(agents(2), 1, 1);
        assert_eq!(shadow.read(0, 4, &accessor(&know, 4, 0, 1), &mut over).unwrap_err().agents, agents(1));
    }

    /// What accesses one by one find, whatever cells have in common.
    #[test]
    fn cells_change_alike() {
        let (mut one, mut all) = (Overflow::default(), Overflow::default());
        let (mut plain, mut shadow) = (Shadow::new(512), Shadow::new(512));
        let mut knows = vec![Know::default()];
        for round in 1..40u32 {
            let mut know = knows[round as usize / 3].clone();
            know.raise(agents(round as u16 % 3), u32::MAX, round);
            let (who, mut alike) = (accessor(&know, round as u16 % 4, 0, round), Alike::default());
            for offset in (0..512).step_by(16 * (1 + round as usize % 3)) {
                let bytes = 16 >> (u32::from(offset == 256) * (round / 20));
                let (got, expected) = if round % 5 == 0 {
                    let expected = plain.write(offset, bytes, &who, &mut one).map(drop);
                    (shadow.write_alike(offset, bytes, &who, &mut all, &mut alike), expected)
                } else {
                    let expected = plain.read(offset, bytes, &who, &mut one);
                    let got = shadow.read_alike(offset, bytes, &[who], &mut all, &mut alike);
                    (got.map_err(|(_, conflict)| conflict), expected)
                };
                assert_eq!(got, expected, "round {round}, offset {offset}");
            }
            alike.forget(&mut all);
            knows.push(know);
        }
    }

    /// Polls of a word, each of which covers the earlier ones of its thread: their number must not grow.
    #[test]
    fn a_thread_is_recorded_once() {
        let mut over = Overflow::default();
        let mut shadow = Shadow::new(64);
        let know = Know::default();
        for time in 1..50 {
            for (warp, lane) in (0..4).flat_map(|warp| (0..32).map(move |lane| (warp, lane))) {
                let strength = Strength::strong(crate::code::Scope::Sys, 8);
                let who = Accessor::new(&know, agents(warp), lane, time, strength, 0, 1);
                shadow.read(0, 8, &who, &mut over).unwrap();
            }
        }
        assert!(over.longest() <= 4, "{over:?}");
        let mut others = Know::default();
        (1..4).for_each(|warp| others.raise(agents(warp), u32::MAX, 49));
        let conflict = shadow.write(0, 8, &accessor(&others, 9, 0, 1), &mut over).unwrap_err();
        assert_eq!((conflict.agents, conflict.lanes), (agents(0), u32::MAX));
        others.raise(agents(0), u32::MAX, 49);
        shadow.write(0, 8, &accessor(&others, 9, 0, 1), &mut over).unwrap();
    }

    #[test]
    fn an_unfinished_copy_is_known_to_nobody() {
        let mut over = Overflow::default();
        let mut shadow = Shadow::new(64);
        let mut know = Know::default();
        know.raise(agents(9), u32::MAX, 100);
        shadow.write(0, 32, &accessor(&Know::default(), 9, 0, UNFINISHED), &mut over).unwrap();
        assert!(shadow.read(4, 4, &accessor(&know, 0, 0, 1), &mut over).is_err());
        shadow.finish(0, 32, (agents(9), 0, 100), &mut over, &mut Alike::default());
        shadow.read(4, 4, &accessor(&know, 0, 0, 1), &mut over).unwrap();
    }
}
