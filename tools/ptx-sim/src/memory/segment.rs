//! A piece of memory with what the checkers know about each of its bytes.

use super::Bits;
use crate::check::Shadow;

/// Bytes, which of them hold a value, and who touched them last.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) data: Vec<u8>,
    pub(crate) init: Bits,
    pub(crate) shadow: Shadow,
}

impl Segment {
    /// `len` bytes without a value; reading them gives `poison`.
    pub(crate) fn new(len: usize, poison: u8) -> Self {
        Self { data: vec![poison; len], init: Bits::new(len), shadow: Shadow::new(len) }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    /// Takes the value of some bytes away, the one at `offset` first.
    pub(crate) fn forget(&mut self, offset: usize, bytes: u32) {
        (0..32).filter(|i| bytes >> i & 1 == 1).for_each(|i| self.init.remove(offset + i..offset + i + 1));
    }

    /// Writes `bytes` at `offset`; gives whether anything changed.
    pub(crate) fn write(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let end = offset + bytes.len();
        let place = &mut self.data[offset..end];
        let changed = place != bytes || self.init.first_missing(offset..end).is_some();
        place.copy_from_slice(bytes);
        self.init.insert(offset..end);
        changed
    }
}
