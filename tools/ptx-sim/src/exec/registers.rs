//! The registers of a block, which `setmaxnreg` moves from warps that need few to others (PTX ISA 9.7.19).
//!
//! ```text
//! .reqntid 384 .minnctapersm 1            168 registers a thread, 65536 / 384 in units of 8
//! warps 8 to 11   setmaxnreg.dec 40       release 4 x 32 x 128 = 16384
//! warps 0 to 7    setmaxnreg.inc 232      take 8 x 32 x 64 = 16384, and wait until that many are free
//! ```

use super::core::{Core, Flow};
use super::problem::{Exec, invalid};
use super::warp::WarpState;
use crate::code::LANES;

impl Core<'_, '_> {
    /// Has no effect in a kernel whose PTX does not say how many registers a thread begins with.
    pub(crate) fn set_registers(&mut self, action: (bool, u32), mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        let Some(entry) = self.env.kernel.interface.needs.entry_registers() else { return Ok(Flow::Next) };
        let current = self.warp.thread_registers.unwrap_or(entry);
        let of_warp = |registers: u32| registers * LANES as u32;
        match action {
            (true, count) if count >= current => {
                let Some(free) = self.cta().free_registers.checked_sub(of_warp(count - current)) else {
                    let version = self.env.version;
                    let path = &mut self.warp.paths[self.path];
                    path.pc = self.pc;
                    path.state = WarpState::Registers { version };
                    return Ok(Flow::Yield);
                };
                self.cta().free_registers = free;
            }
            (false, count) if count <= current => {
                self.cta().free_registers += of_warp(current - count);
                self.env.changed();
            }
            (true, count) => return Err(invalid(format!("`setmaxnreg.inc` to {count} registers of {current}"))),
            (false, count) => return Err(invalid(format!("`setmaxnreg.dec` to {count} registers of {current}"))),
        }
        self.warp.thread_registers = Some(action.1);
        Ok(Flow::Next)
    }
}
