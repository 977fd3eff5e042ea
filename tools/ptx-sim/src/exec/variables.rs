//! Bounds of shared variables.
//!
//! An access must stay inside the variable from which its address is made (see `decode::provenance`), or inside any one
//! where that is not known. All of dynamic shared memory is one variable, however the kernel divides it.

use super::core::Core;
use super::place::Place;
use super::problem::{Exec, Locate, problem};
use crate::code::Within;
use crate::fault::FaultKind;
use crate::parse::Space;

/// A state space, and the variables of it in which an access must stay.
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
    /// The variable in which an access at this offset of shared memory must stay; none: in none that is allowed.
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
    pub(crate) fn check_variable(&self, to: To, address: u64, place: Place, bytes: usize) -> Exec<()> {
        let Place::Shared { offset, .. } = place else { return Ok(()) };
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
            Within::Any => "no variable has all of them".to_string(),
            Within::One(symbol) => format!("the address is made from {}", name(symbol)),
            Within::Set(set) => {
                let names: Vec<_> = self.env.program.variables[set as usize].iter().map(|&s| name(s)).collect();
                format!("the address is made from {}", names.join(", or from "))
            }
        };
        let detail = format!("an access to bytes {first} to {last} of shared memory: {made}");
        Err(problem(FaultKind::OutOfBounds, detail)).address(to.space, address)
    }
}
