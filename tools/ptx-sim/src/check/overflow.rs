//! Records that do not fit into their cells. Cells with the same records share a list, which is copied before one of them
//! changes it.

use super::Trace;
use super::record::Record;

/// The lists of records; 0 is the number of the empty list.
#[derive(Debug, Default)]
pub(crate) struct Overflow {
    lists: Vec<List>,
    free: Vec<u32>,
    /// The recording of accesses, if requested.
    pub(crate) trace: Option<Box<Trace>>,
}

#[derive(Debug, Default)]
struct List {
    records: Vec<Record>,
    /// Cells that have it.
    users: u32,
}

impl Overflow {
    pub(super) fn records(&self, list: u32) -> &[Record] {
        if list == 0 { &[] } else { &self.lists[list as usize - 1].records }
    }

    /// The records of a list, to be changed for one of its users: `list` becomes the number of its own copy.
    pub(super) fn records_mut(&mut self, list: &mut u32) -> &mut Vec<Record> {
        if *list == 0 || self.lists[*list as usize - 1].users > 1 {
            let records = self.records(*list).to_vec();
            self.release(*list);
            let number = self.free.pop().unwrap_or_else(|| {
                self.lists.push(List::default());
                self.lists.len() as u32
            });
            self.lists[number as usize - 1] = List { records, users: 1 };
            *list = number;
        }
        &mut self.lists[*list as usize - 1].records
    }

    /// Adds a user of a list.
    pub(super) fn share(&mut self, list: u32) {
        if list != 0 {
            self.lists[list as usize - 1].users += 1;
        }
    }

    /// Removes a user of a list.
    pub(super) fn release(&mut self, list: u32) {
        if list == 0 {
            return;
        }
        let shared = &mut self.lists[list as usize - 1];
        shared.users -= 1;
        if shared.users == 0 {
            shared.records.clear();
            self.free.push(list);
        }
    }

    /// The most records of a list.
    #[cfg(test)]
    pub(super) fn longest(&self) -> usize {
        self.lists.iter().map(|list| list.records.len()).max().unwrap_or(0)
    }
}
