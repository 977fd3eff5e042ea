//! Global memory.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;

use super::{GLOBAL_BASE, Segment, WINDOW_SIZE};
use crate::print::Printed;

/// The address of an allocation, or of a byte in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(pub u64);

impl Pointer {
    /// The address `bytes` bytes after this one.
    pub fn offset(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

/// The error of a host operation on [`Memory`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MemoryError {
    /// No allocation holds the whole range.
    #[error("{bytes} bytes at {address:#x} are not inside one allocation")]
    OutOfBounds {
        /// The first address.
        address: u64,
        /// The length of the range.
        bytes: usize,
    },
    /// The request is larger than the machine's address space allows.
    #[error("an allocation of {bytes} bytes is too large")]
    TooLarge {
        /// The bytes requested.
        bytes: usize,
    },
    /// Part of the range is already device memory.
    #[error("{bytes} bytes at {address:#x} are already device memory")]
    Taken {
        /// The first address.
        address: u64,
        /// The length of the range.
        bytes: usize,
    },
    /// The address is not the start of an allocation that can be freed.
    #[error("no allocation begins at {address:#x}")]
    NoAllocation {
        /// The address.
        address: u64,
    },
    /// The bytes have no value yet.
    #[error("the byte at {address:#x} has never been written")]
    Uninitialized {
        /// The first such byte.
        address: u64,
    },
}

/// One allocation: exactly the bytes requested, with a guard gap after it.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) base: u64,
    pub(crate) segment: Segment,
    /// Kernels must not write it (`.const`).
    pub(crate) read_only: bool,
}

/// The memory of a device. It persists across launches.
///
/// ```
/// # use ptx_sim::Memory;
/// let mut memory = Memory::new();
/// let p = memory.alloc(8)?;
/// memory.write(p, &[1, 2, 3, 4])?;
/// assert_eq!(memory.read(p, 4)?, [1, 2, 3, 4]);
/// assert!(memory.read(p, 8).is_err(), "the last four bytes have no value");
/// # Ok::<(), ptx_sim::MemoryError>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    pub(crate) allocations: Vec<Allocation>,
    pub(super) next: u64,
    /// Addresses of module variables, by module and symbol.
    pub(crate) symbols: HashMap<(u64, u32), u64>,
    /// What kernels have printed.
    pub(crate) printed: Printed,
    /// The memory that kernels have allocated, by its address: its size.
    pub(super) heap: BTreeMap<u64, usize>,
}

/// The content of bytes without a value.
pub(super) const POISON: u8 = 0xcd;
/// The least distance between allocations, so that an access past an end hits nothing.
const GUARD: u64 = 1 << 20;
const ALIGN: u64 = 256;

impl Memory {
    /// What kernels have printed since the last call: in the order of launches, blocks and threads, whatever the
    /// schedule.
    pub fn take_printed(&mut self) -> String {
        self.printed.take()
    }

    /// Forgets all earlier accesses, as if the memory had not been accessed yet.
    pub(crate) fn forget_accesses(&mut self) {
        for (number, allocation) in self.allocations.iter_mut().enumerate() {
            allocation.segment.shadow.clear();
            allocation.segment.shadow.memory = number as u64;
        }
    }

    /// A device with nothing allocated.
    pub fn new() -> Self {
        Self { next: GLOBAL_BASE, ..Self::default() }
    }

    /// Allocates `bytes` bytes without a value, aligned to 256 bytes. Bounds are exact.
    pub fn alloc(&mut self, bytes: usize) -> Result<Pointer, MemoryError> {
        self.alloc_aligned(bytes, ALIGN)
    }

    pub(crate) fn alloc_aligned(&mut self, bytes: usize, align: u64) -> Result<Pointer, MemoryError> {
        let too_large = MemoryError::TooLarge { bytes };
        let base = self.next.max(GLOBAL_BASE).next_multiple_of(align.max(ALIGN));
        let gap = (bytes as u64).max(GUARD);
        let end = base.checked_add(bytes as u64).and_then(|e| e.checked_add(gap));
        let Some(end) = end.filter(|&e| e < WINDOW_SIZE) else { return Err(too_large) };
        // Only memory that the host mapped can be at higher addresses.
        let at = self.allocations.partition_point(|a| a.base < base);
        if self.allocations.get(at).is_some_and(|behind| behind.base < end) {
            return Err(too_large);
        }
        self.next = end;
        self.allocations.insert(at, Allocation { base, segment: Segment::new(bytes, POISON), read_only: false });
        Ok(Pointer(base))
    }

    /// Allocates memory that holds `bytes`.
    pub fn alloc_with(&mut self, bytes: &[u8]) -> Result<Pointer, MemoryError> {
        let pointer = self.alloc(bytes.len())?;
        self.write(pointer, bytes)?;
        Ok(pointer)
    }

    /// The allocation that holds `bytes` bytes at `address`: its index and the offset in it.
    pub(crate) fn find(&self, address: u64, bytes: usize) -> Option<(usize, usize)> {
        let index = self.allocations.partition_point(|a| a.base <= address).checked_sub(1)?;
        let offset = usize::try_from(address - self.allocations[index].base).ok()?;
        let end = offset.checked_add(bytes)?;
        (end <= self.allocations[index].segment.len()).then_some((index, offset))
    }

    fn range(&self, pointer: Pointer, bytes: usize) -> Result<(usize, usize), MemoryError> {
        self.find(pointer.0, bytes).ok_or(MemoryError::OutOfBounds { address: pointer.0, bytes })
    }

    /// Writes `bytes` at `pointer`; they have a value from then on.
    pub fn write(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<(), MemoryError> {
        let (index, offset) = self.range(pointer, bytes.len())?;
        self.allocations[index].segment.write(offset, bytes);
        Ok(())
    }

    /// Reads `bytes` bytes, all of which must have a value.
    pub fn read(&self, pointer: Pointer, bytes: usize) -> Result<&[u8], MemoryError> {
        let (index, offset) = self.range(pointer, bytes)?;
        let segment = &self.allocations[index].segment;
        match segment.init.first_missing(offset..offset + bytes) {
            Some(at) => Err(MemoryError::Uninitialized { address: self.allocations[index].base + at as u64 }),
            None => Ok(&segment.data[offset..offset + bytes]),
        }
    }

    /// Reads bytes whether they have a value or not; [`Memory::is_initialized`] says which.
    pub fn peek(&self, pointer: Pointer, bytes: usize) -> Result<&[u8], MemoryError> {
        let (index, offset) = self.range(pointer, bytes)?;
        Ok(&self.allocations[index].segment.data[offset..offset + bytes])
    }

    /// Copies the bytes from `pointer` on that have a value to the host; the others of `to` stay as they are.
    pub fn take(&self, pointer: Pointer, to: &mut [u8]) -> Result<(), MemoryError> {
        let (index, offset) = self.range(pointer, to.len())?;
        let segment = &self.allocations[index].segment;
        let end = offset + to.len();
        let mut at = offset;
        while at < end {
            let missing = segment.init.first_missing(at..end).unwrap_or(end);
            to[at - offset..missing - offset].copy_from_slice(&segment.data[at..missing]);
            at = missing + 1;
        }
        Ok(())
    }

    /// Fills a range with `byte` and marks it as having no value, so that a kernel that reads it is reported.
    pub fn poison(&mut self, pointer: Pointer, bytes: usize, byte: u8) -> Result<(), MemoryError> {
        let (index, offset) = self.range(pointer, bytes)?;
        let segment = &mut self.allocations[index].segment;
        segment.data[offset..offset + bytes].fill(byte);
        segment.init.remove(offset..offset + bytes);
        Ok(())
    }

    /// Makes the `bytes` bytes from `address` on device memory, without a value: for host memory that kernels access at
    /// its own address. The host copies its contents in by [`Memory::write`] before a launch, and out by
    /// [`Memory::take`] after it.
    ///
    /// # Errors
    /// [`MemoryError::Taken`] if part of the range is already device memory; [`MemoryError::TooLarge`] if it exceeds
    /// the addresses that memory may have.
    pub fn map(&mut self, address: Pointer, bytes: usize) -> Result<(), MemoryError> {
        let end = address.0.checked_add(bytes as u64).filter(|&end| end < WINDOW_SIZE);
        let end = end.ok_or(MemoryError::TooLarge { bytes })?;
        let next = self.allocations.partition_point(|a| a.base < address.0);
        let ends = |a: &Allocation| a.base + a.segment.len() as u64;
        let before = next.checked_sub(1).is_none_or(|before| ends(&self.allocations[before]) <= address.0);
        let behind = self.allocations.get(next).is_none_or(|behind| end <= behind.base);
        if !before || !behind {
            return Err(MemoryError::Taken { address: address.0, bytes });
        }
        let segment = Segment::new(bytes, POISON);
        self.allocations.insert(next, Allocation { base: address.0, segment, read_only: false });
        Ok(())
    }

    /// Frees the allocation that starts at `pointer`. Its addresses are never reused, so that later uses are found.
    ///
    /// # Errors
    /// [`MemoryError::NoAllocation`] if none starts there.
    pub fn free(&mut self, pointer: Pointer) -> Result<(), MemoryError> {
        let at = self.allocations.iter().position(|a| a.base == pointer.0 && !a.read_only);
        let at = at.ok_or(MemoryError::NoAllocation { address: pointer.0 })?;
        self.allocations.remove(at);
        Ok(())
    }

    /// Whether an address lies in the range used by [`Memory::alloc`], for an allocation that still exists or one that
    /// was freed.
    pub fn gave(&self, address: Pointer) -> bool {
        (GLOBAL_BASE..self.next).contains(&address.0)
    }

    /// Copies bytes from one address to another; bytes without a value have none at the target either.
    ///
    /// # Errors
    /// [`MemoryError::OutOfBounds`] for either range.
    pub fn copy(&mut self, to: Pointer, from: Pointer, bytes: usize) -> Result<(), MemoryError> {
        let ((source, first), (target, at)) = (self.range(from, bytes)?, self.range(to, bytes)?);
        let segment = &self.allocations[source].segment;
        let data = segment.data[first..first + bytes].to_vec();
        let missing: Vec<usize> =
            (0..bytes).filter(|byte| segment.init.first_missing(first + byte..first + byte + 1).is_some()).collect();
        let segment = &mut self.allocations[target].segment;
        segment.write(at, &data);
        missing.into_iter().for_each(|byte| segment.init.remove(at + byte..at + byte + 1));
        Ok(())
    }

    /// The size in bytes of the allocation that starts at `pointer`; none if no allocation does.
    pub fn allocated(&self, pointer: Pointer) -> Option<usize> {
        let (index, offset) = self.find(pointer.0, 0)?;
        (offset == 0).then(|| self.allocations[index].segment.len())
    }

    /// The first byte of a range that has a value, counted from the start of the range.
    ///
    /// # Errors
    /// [`MemoryError::OutOfBounds`] for the range.
    pub fn first_initialized(&self, pointer: Pointer, bytes: usize) -> Result<Option<usize>, MemoryError> {
        let (index, offset) = self.range(pointer, bytes)?;
        let first = self.allocations[index].segment.init.first(offset..offset + bytes);
        Ok(first.map(|at| at - offset))
    }

    /// Whether every byte of a range has a value.
    pub fn is_initialized(&self, pointer: Pointer, bytes: usize) -> Result<bool, MemoryError> {
        let (index, offset) = self.range(pointer, bytes)?;
        Ok(self.allocations[index].segment.init.first_missing(offset..offset + bytes).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bytes_with_a_value_are_taken() {
        let mut m = Memory::new();
        let a = m.alloc(8).unwrap();
        m.write(a.offset(1), &[1, 2, 3]).unwrap();
        m.write(a.offset(6), &[6]).unwrap();
        let mut host = [9; 8];
        m.take(a, &mut host).unwrap();
        assert_eq!(host, [9, 1, 2, 3, 9, 9, 6, 9]);
        m.take(a.offset(1), &mut host[5..8]).unwrap();
        assert_eq!(host, [9, 1, 2, 3, 9, 1, 2, 3]);
        assert!(m.take(a.offset(8), &mut []).is_ok() && m.take(a.offset(8), &mut host[..1]).is_err());
    }

    #[test]
    fn bounds_are_exact_and_neighbours_far() {
        let mut m = Memory::new();
        let a = m.alloc(10).unwrap();
        let b = m.alloc(10).unwrap();
        assert!(m.find(a.0 + 9, 1).is_some() && m.find(a.0 + 9, 2).is_none() && m.find(a.0 - 1, 1).is_none());
        assert!(b.0 - a.0 >= GUARD);
        assert_eq!(m.write(a, &[0; 11]), Err(MemoryError::OutOfBounds { address: a.0, bytes: 11 }));
        assert_eq!((m.allocated(a), m.allocated(a.offset(1)), m.allocated(Pointer(0))), (Some(10), None, None));
        assert!(matches!(m.alloc(usize::MAX), Err(MemoryError::TooLarge { .. })));
    }

    #[test]
    fn freed_memory_is_gone_and_not_given_again() {
        let mut m = Memory::new();
        let a = m.alloc_with(&[1; 8]).unwrap();
        assert_eq!(m.free(a.offset(1)), Err(MemoryError::NoAllocation { address: a.0 + 1 }));
        assert_eq!((m.free(a), m.free(a)), (Ok(()), Err(MemoryError::NoAllocation { address: a.0 })));
        assert!(m.peek(a, 1).is_err() && m.gave(a) && m.alloc(8).unwrap() != a);
        assert!(!m.gave(Pointer(0x5555_0000_0000)));
    }

    #[test]
    fn host_memory_is_where_it_is() {
        let mut m = Memory::new();
        let (host, near) = (Pointer(0x5555_0000_0010), Pointer(0x5555_0000_0018));
        m.map(host, 8).unwrap();
        assert_eq!(m.map(near.offset(1), 8), Ok(()));
        assert_eq!(m.map(near, 2), Err(MemoryError::Taken { address: near.0, bytes: 2 }));
        m.write(host, &[7; 8]).unwrap();
        let a = m.alloc(8).unwrap();
        m.copy(a.offset(4), host, 4).unwrap();
        assert_eq!((m.read(a.offset(4), 4), m.is_initialized(a, 8)), (Ok(&[7; 4][..]), Ok(false)));
        m.copy(host, a, 8).unwrap();
        assert_eq!(m.read(host, 8), Err(MemoryError::Uninitialized { address: host.0 }));
        assert!(matches!(m.map(Pointer(u64::MAX - 4), 8), Err(MemoryError::TooLarge { .. })));
        // At a higher address than all allocations.
        m.map(Pointer(0x7fff_0000_0000), 8).unwrap();
        let b = m.alloc_with(&[3; 8]).unwrap();
        assert_eq!((m.read(b, 8), m.peek(Pointer(0x7fff_0000_0000), 8).is_ok()), (Ok(&[3; 8][..]), true));
    }

    #[test]
    fn poison_takes_the_value_away() {
        let mut m = Memory::new();
        let a = m.alloc_with(&[7; 8]).unwrap();
        m.poison(a.offset(4), 2, 0xff).unwrap();
        assert_eq!(m.read(a, 8), Err(MemoryError::Uninitialized { address: a.0 + 4 }));
        assert_eq!(m.peek(a, 8).unwrap(), [7, 7, 7, 7, 0xff, 0xff, 7, 7]);
        assert!(m.is_initialized(a, 4).unwrap() && !m.is_initialized(a, 5).unwrap());
    }
}
