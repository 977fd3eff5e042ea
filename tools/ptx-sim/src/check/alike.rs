//! One access of many cells: cells with the same records change alike, so only the first of them is compared.

use super::cell::Cell;
use super::overflow::Overflow;

/// The most different cells that are remembered.
const MAX_CHANGES: usize = 8;

/// How cells have changed by the reads, by the writes or by the end of the same accesses.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    changes: Vec<Change>,
}

#[derive(Debug)]
struct Change {
    before: Cell,
    after: Cell,
    /// What the access returned.
    synchronizes: bool,
}

impl Alike {
    /// Changes a cell by `access`, or as a cell before that had the same records.
    pub(super) fn change<E>(
        &mut self,
        cell: &mut Cell,
        overflow: &mut Overflow,
        access: impl FnOnce(&mut Cell, &mut Overflow) -> Result<bool, E>,
    ) -> Result<bool, E> {
        if let Some(made) = self.changes.iter().find(|change| change.before == *cell) {
            overflow.share(made.after.more());
            overflow.release(cell.more());
            *cell = made.after;
            return Ok(made.synchronizes);
        }
        if self.changes.len() == MAX_CHANGES {
            return access(cell, overflow);
        }
        let before = *cell;
        overflow.share(before.more());
        let made = access(cell, overflow);
        match made {
            Ok(synchronizes) => {
                overflow.share(cell.more());
                self.changes.push(Change { before, after: *cell, synchronizes });
            }
            Err(_) => overflow.release(before.more()),
        }
        made
    }

    /// Forgets the changes, so that lists of records that no cell has are free again.
    pub(crate) fn forget(self, overflow: &mut Overflow) {
        for change in self.changes {
            overflow.release(change.before.more());
            overflow.release(change.after.more());
        }
    }
}
