//! Memory that stands for ranges of another memory, in which they may overlap.

use std::ops::Range;

use super::device::{Memory, MemoryError, Pointer};

impl Memory {
    /// Allocates memory for ranges of addresses of another memory, such as the host's: ranges that overlap share one
    /// allocation, at the same distances. Returns where each range starts.
    ///
    /// # Errors
    /// As [`Memory::alloc`].
    pub fn alloc_alike(&mut self, ranges: &[Range<usize>]) -> Result<Vec<Pointer>, MemoryError> {
        let (mut order, empty): (Vec<usize>, Vec<usize>) = (0..ranges.len()).partition(|&i| !ranges[i].is_empty());
        let mut out = vec![Pointer(0); ranges.len()];
        for i in empty {
            out[i] = self.alloc(0)?;
        }
        order.sort_by_key(|&i| ranges[i].start);
        let mut groups: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
        for i in order {
            let range = ranges[i].clone();
            match groups.last_mut() {
                Some((union, members)) if range.start < union.end => {
                    union.end = union.end.max(range.end);
                    members.push(i);
                }
                _ => groups.push((range, vec![i])),
            }
        }
        for (union, members) in groups {
            let pointer = self.alloc(union.len())?;
            members.into_iter().for_each(|i| out[i] = pointer.offset((ranges[i].start - union.start) as u64));
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The allocations are those of the connected ranges, and distances inside them are kept.
        #[test]
        fn ranges_that_overlap_share_memory(all in prop::collection::vec((0usize..40, 0usize..12), 0..7)) {
            let ranges: Vec<Range<usize>> = all.iter().map(|&(start, bytes)| start..start + bytes).collect();
            let mut memory = Memory::new();
            let pointers = memory.alloc_alike(&ranges).unwrap();
            let overlap = |a: &Range<usize>, b: &Range<usize>| a.start.max(b.start) < a.end.min(b.end);
            for (a, &p) in ranges.iter().zip(&pointers) {
                prop_assert!(memory.peek(p, a.len()).is_ok());
                for (b, &q) in ranges.iter().zip(&pointers) {
                    if overlap(a, b) {
                        prop_assert_eq!(q.0.wrapping_sub(p.0), (b.start as u64).wrapping_sub(a.start as u64));
                    }
                }
            }
            // Each byte has one address, and no address stands for two bytes.
            let mut places = std::collections::BTreeMap::new();
            for (a, &p) in ranges.iter().zip(&pointers) {
                for byte in 0..a.len() {
                    let place = p.0 + byte as u64;
                    prop_assert_eq!(*places.entry(place).or_insert(a.start + byte), a.start + byte);
                }
            }
            let bytes: std::collections::BTreeSet<usize> = ranges.iter().cloned().flatten().collect();
            prop_assert_eq!(places.len(), bytes.len());
        }
    }
}
