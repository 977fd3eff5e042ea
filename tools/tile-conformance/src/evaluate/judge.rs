//! Compares the moves of a plan with the locations of elements.

use std::collections::HashMap;

use tile_isa::Space;
use tile_layout::Axis;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move};
use super::places::{Cell, Instance, places};
use crate::case::Case;

/// The required moves of one copy, and those done so far.
pub(super) struct Judge<'c> {
    case: &'c Case,
    /// The element that each location of the source holds.
    held: HashMap<Cell, usize>,
    /// The element that each location of the destination must receive, and whether it has.
    wanted: HashMap<Cell, (usize, bool)>,
}

impl<'c> Judge<'c> {
    /// The copy by these threads.
    ///
    /// # Errors
    /// Regions of different size, or a destination region in which two different elements share one location.
    pub(super) fn new(case: &'c Case, instance: &Instance) -> Result<Self, Fault> {
        let (src, dst) = (case.src.elements(), case.dst.elements());
        if src != dst {
            return Err(Fault::Sizes { src, dst });
        }
        // Threads that the layout does not distinguish may actually hold different data: memory receives the first
        // thread's, and each thread's registers receive its own.
        let first_holder = case.dst.space != Space::Local;
        let source = places(case, Role::Src, instance, first_holder);
        let mut same = Classes::new(src);
        let mut held = HashMap::new();
        for &(cell, element) in &source {
            let other = *held.entry(cell).or_insert(element);
            same.join(element, other);
        }
        held.values_mut().for_each(|element| *element = same.find(*element));
        let mut wanted: HashMap<Cell, (usize, bool)> = HashMap::new();
        for (cell, element) in places(case, Role::Dst, instance, false) {
            let element = same.find(element);
            let (first, _) = *wanted.entry(cell).or_insert((element, false));
            if first != element {
                return Err(Fault::Overlap { cell, first, second: element });
            }
        }
        Ok(Judge { case, held, wanted })
    }

    /// Checks one move.
    pub(super) fn step(&mut self, step: Move) -> Result<(), Fault> {
        let Move { thread, from, to } = step;
        let Some(&got) = self.held.get(&from) else {
            self.inside(Role::Src, thread, from)?;
            return Err(Fault::ReadsElsewhere { thread, cell: from });
        };
        let Some((expected, done)) = self.wanted.get_mut(&to) else {
            self.inside(Role::Dst, thread, to)?;
            return Err(Fault::WritesElsewhere { thread, cell: to });
        };
        if got != *expected {
            return Err(Fault::WrongElement { cell: to, got, expected: *expected });
        }
        if std::mem::replace(done, true) {
            return Err(Fault::WrittenTwice { cell: to, thread });
        }
        Ok(())
    }

    /// Checks, after all moves, that every location has received its element.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        let missing = self.wanted.iter().filter(|(_, (_, done))| !done).min_by_key(|(cell, _)| **cell);
        match missing {
            None => Ok(()),
            Some((&cell, &(expected, _))) => Err(Fault::Missing { cell, expected }),
        }
    }

    fn inside(&self, role: Role, thread: i64, cell: Cell) -> Result<(), Fault> {
        let layout = &self.case.side(role).layout;
        let (address, end) = match cell {
            Cell::Memory(address) | Cell::Register { register: address, .. } => (address, layout.memory_span()),
            Cell::Tensor { column, .. } => (column, layout.span(Axis::TCol)),
        };
        if (0..end).contains(&address) {
            return Ok(());
        }
        Err(Fault::OutOfBounds { thread, cell, side: role.name(), end })
    }
}

/// Equivalence classes of elements: elements in the same location are the same element.
struct Classes(Vec<usize>);

impl Classes {
    fn new(elements: i64) -> Self {
        Classes((0..usize::try_from(elements).unwrap_or(0)).collect())
    }

    fn find(&mut self, element: usize) -> usize {
        let mut root = element;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
