//! The memory that an address refers to, and the bounds of shared variables.
//!
//! An access must stay inside the variable from which its address is derived (see `decode::provenance`), or inside any
//! variable if that is unknown. All of dynamic shared memory is one variable, however the kernel divides it.

use super::core::Core;
use super::place::MemoryLocation;
use super::problem::{Exec, Locate, Problem, invalid, problem};
use super::special::{local_window, shared_window};
use crate::code::{Addr, Row, Within};
use crate::fault::FaultKind;
use crate::memory::{
    BLOCK_SHIFT, CALL_PARAM_WINDOW, LOCAL_WINDOW, PARAM_WINDOW, RANK_SHIFT, SHARED_WINDOW, THREAD_SHIFT, WINDOW_SIZE,
};
use crate::parse::Space;

/// A state space, and the variables of it to which an access is confined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct To {
    pub(crate) space: Space,
    pub(crate) within: Within,
}

impl From<Space> for To {
    fn from(space: Space) -> Self {
        Self { space, within: Within::Any }
    }
}

impl From<(Space, Within)> for To {
    fn from((space, within): (Space, Within)) -> Self {
        Self { space, within }
    }
}

impl Core<'_, '_> {
    /// The addresses of an operand in all lanes.
    pub(crate) fn addresses(&self, addr: &Addr) -> Row {
        let mut row = self.row(addr.base);
        if addr.offset != 0 {
            row.iter_mut().for_each(|a| *a = a.wrapping_add_signed(addr.offset));
        }
        row
    }

    /// Finds `bytes` bytes at `address` for a lane; they must be aligned to `align`.
    pub(crate) fn locate(
        &self,
        lane: usize,
        space: Space,
        address: u64,
        bytes: usize,
        align: u64,
    ) -> Exec<MemoryLocation> {
        if address & (align - 1) != 0 {
            let detail = format!("the address is not a multiple of {align}");
            return Err(problem(FaultKind::Misaligned, detail).address(space, address));
        }
        match space {
            Space::Global | Space::Const => self.global(space, address, bytes),
            Space::Shared | Space::SharedCluster => self.shared(space, address, bytes),
            Space::Local => self.local(space, address, address, bytes),
            Space::Generic | Space::Param => self.generic(lane, space, address, bytes),
        }
    }

    fn generic(&self, lane: usize, space: Space, address: u64, bytes: usize) -> Exec<MemoryLocation> {
        let inside = |base: u64| address.wrapping_sub(base) < WINDOW_SIZE;
        if inside(SHARED_WINDOW) {
            let shared = self.to_shared(address).map_err(|why| outside(space, address, bytes, &why))?;
            return self.shared(space, shared, bytes);
        }
        if inside(LOCAL_WINDOW) {
            let window = local_window(self.env, self.block(), self.warp.index, lane);
            if address >> THREAD_SHIFT != window >> THREAD_SHIFT {
                return Err(outside(space, address, bytes, "the address is in the local memory of another thread"));
            }
            return self.local(space, address, address - window, bytes);
        }
        let bounded = |base: u64, size: usize| {
            let offset = (address - base) as usize;
            if offset.saturating_add(bytes) <= size {
                return Ok(offset);
            }
            Err(outside(space, address, bytes, &format!("the parameters have {size}")))
        };
        if inside(PARAM_WINDOW) {
            return Ok(MemoryLocation::KernelParam { offset: bounded(PARAM_WINDOW, self.env.params.len())? });
        }
        if inside(CALL_PARAM_WINDOW) {
            return Ok(MemoryLocation::CallParam { offset: bounded(CALL_PARAM_WINDOW, self.warp.call_params.size)? });
        }
        self.global(space, address, bytes)
    }

    /// The address in the shared window that a generic address of shared memory stands for.
    ///
    /// # Errors
    /// Another block has made the address, of its own memory or of that of a block of another cluster.
    pub(crate) fn to_shared(&self, generic: u64) -> Result<u64, String> {
        let address = generic.wrapping_sub(SHARED_WINDOW) & ((1 << BLOCK_SHIFT) - 1);
        let window = generic - address;
        let of_cluster = || self.cluster.ctas.iter().any(|cta| window == shared_window(cta.number));
        if window == shared_window(self.block()) || address >> RANK_SHIFT != 0 && of_cluster() {
            return Ok(address);
        }
        let made = (window - SHARED_WINDOW) >> BLOCK_SHIFT;
        Err(format!(
            "the address is one of shared memory that block {made} has made, and a thread of block {} uses it",
            self.block()
        ))
    }

    fn global(&self, space: Space, address: u64, bytes: usize) -> Exec<MemoryLocation> {
        match self.env.memory.find(address, bytes) {
            Some((index, offset)) => Ok(MemoryLocation::Global { index, offset }),
            None => Err(outside(space, address, bytes, &self.nearest(address))),
        }
    }

    /// The allocation before an address, for a message.
    fn nearest(&self, address: u64) -> String {
        let allocations = &self.env.memory.allocations;
        match allocations.partition_point(|a| a.base <= address).checked_sub(1) {
            Some(i) => {
                let a = &allocations[i];
                format!("at offset {} of an allocation of {} B", address - a.base, a.segment.len())
            }
            None => "and no allocation contains the address".into(),
        }
    }

    fn shared(&self, space: Space, address: u64, bytes: usize) -> Exec<MemoryLocation> {
        // What another block's generic address becomes by `cvta.to.shared`.
        let generic = address.wrapping_add(shared_window(self.block()));
        if address >> BLOCK_SHIFT != 0 && generic.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE {
            self.to_shared(generic).map_err(|why| outside(space, address, bytes, &why))?;
        }
        let rank = match address >> RANK_SHIFT {
            0 => self.rank,
            n => usize::try_from(n - 1).unwrap_or(usize::MAX),
        };
        let offset = (address & ((1 << RANK_SHIFT) - 1)) as usize;
        let size = self.env.shared_bytes;
        if rank >= self.cluster.ctas.len() || offset + bytes > size {
            let have = format!("a block has {size} bytes of shared memory");
            return Err(outside(space, address, bytes, &have));
        }
        if space == Space::Shared && rank != self.rank {
            return Err(outside(space, address, bytes, "the address is in the shared memory of another block"));
        }
        Ok(MemoryLocation::Shared { rank, offset })
    }

    fn local(&self, space: Space, address: u64, offset: u64, bytes: usize) -> Exec<MemoryLocation> {
        let size = self.warp.local.size;
        match usize::try_from(offset).ok().filter(|o| o.saturating_add(bytes) <= size) {
            Some(offset) => Ok(MemoryLocation::Local { offset }),
            None => Err(outside(space, address, bytes, &format!("a thread has {size} bytes of local memory"))),
        }
    }

    /// Like [`Core::locate`], for memory that all lanes share; local memory, of any lane, and parameters are refused.
    pub(crate) fn locate_shared(&self, space: Space, address: u64, bytes: usize, align: u64) -> Exec<(usize, usize)> {
        match self.locate(0, space, address, bytes, align)? {
            MemoryLocation::Shared { rank, offset } => Ok((rank, offset)),
            _ => Err(invalid("an address in shared memory is expected").address(space, address)),
        }
    }

    /// The variable to which an access at this offset of shared memory is confined; none if the offset is in no allowed
    /// variable.
    pub(crate) fn variable(&self, within: Within, offset: u64) -> Option<(u64, u64)> {
        let variables = &self.env.variables;
        if variables.all.len() <= 1 {
            return Some((0, self.env.shared_bytes as u64));
        }
        let holds =
            |symbol: u32| variables.by_symbol[symbol as usize].filter(|&(start, end)| (start..end).contains(&offset));
        match within {
            Within::Any => variables.around(offset),
            Within::One(symbol) => holds(symbol),
            Within::Set(set) => self.env.program.variables[set as usize].iter().find_map(|&symbol| holds(symbol)),
        }
    }

    /// An access to shared memory must not leave its variable.
    pub(crate) fn check_variable(&self, to: To, address: u64, place: MemoryLocation, bytes: usize) -> Exec<()> {
        let MemoryLocation::Shared { offset, .. } = place else { return Ok(()) };
        let (first, last) = (offset as u64, (offset + bytes) as u64);
        if self.variable(to.within, first).is_some_and(|(_, end)| last <= end) {
            return Ok(());
        }
        let name = |symbol: u32| {
            let (start, end) = self.env.variables.by_symbol[symbol as usize].unwrap_or_default();
            let name = &self.env.program.symbols[symbol as usize].name;
            format!("`{name}`, which is bytes {start} to {end} of shared memory")
        };
        let made = match to.within {
            Within::Any => "no variable contains all of them".to_string(),
            Within::One(symbol) => format!("the address is derived from {}", name(symbol)),
            Within::Set(set) => {
                let names: Vec<_> = self.env.program.variables[set as usize].iter().map(|&s| name(s)).collect();
                format!("the address is derived from {}", names.join(", or from "))
            }
        };
        let detail = format!("an access to bytes {first} to {last} of shared memory: {made}");
        Err(problem(FaultKind::OutOfBounds, detail)).address(to.space, address)
    }
}

fn outside(space: Space, address: u64, bytes: usize, have: &str) -> Box<Problem> {
    problem(FaultKind::OutOfBounds, format!("an access of {bytes} B, {have}")).address(space, address)
}
