//! Memory: allocations of the device, shared and tensor memory of blocks, private memory of threads.
//!
//! Addresses are 64 bits. Each space has a window, so that a generic address determines its space:
//!
//! ```text
//! 0x0000_7000_0000_0000 …  global and const: allocations, far apart
//! 0x0001_0000_0000_0000 …  shared: + the block's number << 32, + (rank + 1) << 24 for another block of the cluster
//! 0x0002_0000_0000_0000 …  local: + the thread's number << 24
//! 0x0003_0000_0000_0000 …  kernel parameters
//! 0x0004_0000_0000_0000 …  call parameters, of the executing thread
//! 0x0005_0000_0000_0000 …  functions: addresses to call, which hold nothing
//! ```

mod alike;
mod device;
mod kept;
mod segment;

pub use device::{Memory, MemoryError, Pointer};
pub use kept::Contents;
pub(crate) use segment::{Segment, ThreadMemory};

pub(crate) const GLOBAL_BASE: u64 = 0x0000_7000_0000_0000;
pub(crate) const SHARED_WINDOW: u64 = 0x0001_0000_0000_0000;
pub(crate) const LOCAL_WINDOW: u64 = 0x0002_0000_0000_0000;
pub(crate) const PARAM_WINDOW: u64 = 0x0003_0000_0000_0000;
pub(crate) const CALL_PARAM_WINDOW: u64 = 0x0004_0000_0000_0000;
/// The address of the module's first function; those of the others follow.
pub(crate) const FUNCTION_WINDOW: u64 = 0x0005_0000_0000_0000;
/// The distance between the addresses of functions.
pub(crate) const FUNCTION_STRIDE: u64 = 16;
/// Bytes of each window other than the global one.
pub(crate) const WINDOW_SIZE: u64 = 0x0001_0000_0000_0000;
/// The bit position of the block's rank in a shared address.
pub(crate) const RANK_SHIFT: u32 = 24;
/// The bit position, in a generic address of shared memory, of the number of the block that has made the address.
pub(crate) const BLOCK_SHIFT: u32 = 32;
/// The bit position of the thread's number in a generic address of its local memory.
pub(crate) const THREAD_SHIFT: u32 = 24;
