//! Snapshots of memory, for launches that are repeated, and the heap of kernels.

use std::collections::BTreeMap;

use super::device::{Allocation, POISON};
use super::segment::Bits;
use super::{Memory, Pointer, Segment};

/// The bytes that kernels can allocate together, as by default on a GPU.
const HEAP: usize = 8 << 20;

/// A snapshot of memory: its bytes, and which of them have a value.
#[derive(Debug)]
pub struct Contents {
    held: Vec<(Vec<u8>, Bits)>,
    /// The allocations, by their addresses, and the start of the next one.
    bases: Vec<u64>,
    next: u64,
    heap: BTreeMap<u64, usize>,
}

impl Memory {
    /// A snapshot to be [restored](Memory::restore); none if memory has more than `most` bytes.
    pub fn contents(&self, most: usize) -> Option<Contents> {
        let bytes: usize = self.allocations.iter().map(|allocation| allocation.segment.len()).sum();
        (bytes <= most).then(|| Contents {
            held: self.allocations.iter().map(|kept| (kept.segment.data.clone(), kept.segment.init.clone())).collect(),
            bases: self.allocations.iter().map(|kept| kept.base).collect(),
            next: self.next,
            heap: self.heap.clone(),
        })
    }

    /// Restores a snapshot. The host may have allocated or freed nothing since it was taken; what kernels have allocated
    /// since then is gone, and what they have freed is there again.
    pub fn restore(&mut self, contents: &Contents) {
        (self.next, self.heap) = (contents.next, contents.heap.clone());
        let mut left: BTreeMap<u64, Allocation> = self.allocations.drain(..).map(|kept| (kept.base, kept)).collect();
        for (&base, (data, init)) in contents.bases.iter().zip(&contents.held) {
            let fresh = || Allocation { base, segment: Segment::new(data.len(), POISON), read_only: false };
            let mut allocation = left.remove(&base).unwrap_or_else(fresh);
            allocation.segment.data.clone_from(data);
            allocation.segment.init = init.clone();
            self.allocations.push(allocation);
        }
    }

    /// Memory that a kernel allocates; none if the heap has no room for it.
    pub(crate) fn heap_alloc(&mut self, bytes: u64) -> Option<u64> {
        let bytes = usize::try_from(bytes).ok()?;
        let used: usize = self.heap.values().sum();
        if bytes == 0 || used.checked_add(bytes)? > HEAP {
            return None;
        }
        let base = self.alloc(bytes).ok()?.0;
        let (index, _) = self.find(base, 0)?;
        // The number of an allocation that exists at the start of a launch is less.
        self.allocations[index].segment.shadow.memory = base;
        self.heap.insert(base, bytes);
        Some(base)
    }

    /// Frees what a kernel has allocated; false if there is no such memory.
    pub(crate) fn heap_free(&mut self, address: u64) -> bool {
        self.heap.remove(&address).is_some() && self.free(Pointer(address)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_is_part_of_a_snapshot() {
        let mut m = Memory::new();
        let a = m.alloc_with(&[1; 8]).unwrap();
        let first = m.heap_alloc(16).unwrap();
        m.write(Pointer(first), &[2; 16]).unwrap();
        let before = m.contents(100).unwrap();
        assert!(m.heap_free(first) && !m.heap_free(first));
        let second = m.heap_alloc(32).unwrap();
        m.write(a, &[3; 8]).unwrap();
        m.restore(&before);
        assert_eq!((m.read(a, 8), m.read(Pointer(first), 16)), (Ok(&[1; 8][..]), Ok(&[2; 16][..])));
        assert!(m.peek(Pointer(second), 1).is_err() && m.heap_free(first));
        assert_eq!(m.heap_alloc(32), Some(second), "the same run again gets the same memory");
        assert_eq!((m.heap_alloc(0), m.heap_alloc(HEAP as u64), m.heap_alloc(u64::MAX)), (None, None, None));
    }
}
