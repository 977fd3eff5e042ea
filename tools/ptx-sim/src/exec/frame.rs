//! The frames of open calls, and the stack to which recursive calls spill registers.

use super::poison::{Cause, NEVER, Poison};
use crate::code::{Frame, LANES, Row};

/// Where the call that runs has its memory, and where the next call spills its caller's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FramePointer {
    /// What is added to the addresses of a recursive function.
    pub(super) displacement: u64,
    /// The end of the memory of all open calls.
    pub(super) top: u64,
    /// The number of registers and of predicates that open calls have spilled.
    registers: usize,
    predicates: usize,
}

/// How a path continues when a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Return {
    pub(super) pc: u32,
    pub(super) frame: FramePointer,
    /// The frame whose registers were spilled.
    pub(super) spilled: Option<u32>,
}

/// A register, or a predicate in the low bits, as a caller has left it.
#[derive(Debug, Clone, Copy)]
struct Spilled {
    value: Row,
    undefined: Row,
    cause: Cause,
}

/// The registers and predicates that the open calls of a warp's lanes have spilled.
#[derive(Debug, Default)]
pub(crate) struct SpillStack {
    registers: Vec<Spilled>,
    predicates: Vec<Spilled>,
}

impl FramePointer {
    /// In the kernel itself, where the functions that it calls have `bytes` of memory.
    pub(crate) fn of_kernel(bytes: usize) -> Self {
        Self { displacement: 0, top: bytes as u64, registers: 0, predicates: 0 }
    }

    /// For a call of a function that has no open call.
    pub(super) fn outside(self) -> Self {
        Self { displacement: 0, ..self }
    }

    /// For a recursive call from this frame.
    pub(super) fn after(self, caller: &Frame) -> Self {
        let bytes = caller.memory.end - caller.memory.start;
        Self {
            displacement: self.top - caller.memory.start,
            top: self.top + bytes,
            registers: self.registers + caller.registers.len(),
            predicates: self.predicates + caller.predicates.len(),
        }
    }

    /// The bytes of memory and registers of all open calls.
    pub(super) fn bytes(self) -> u64 {
        self.top + 8 * self.registers as u64
    }
}

/// The registers and predicates of a warp.
pub(super) struct Registers<'a> {
    pub(super) regs: &'a mut [Row],
    pub(super) preds: &'a mut [u32],
    pub(super) poison: Option<&'a mut Poison>,
}

impl SpillStack {
    /// Keeps the registers of a frame in some lanes.
    pub(super) fn spill(&mut self, frame: &Frame, at: FramePointer, active: u32, from: &Registers<'_>) {
        const NOTHING: Spilled = Spilled { value: [0; LANES], undefined: [0; LANES], cause: NEVER };
        let end = at.registers + frame.registers.len();
        self.registers.resize(self.registers.len().max(end), NOTHING);
        for (slot, reg) in self.registers[at.registers..].iter_mut().zip(frame.registers.clone()) {
            let (undefined, cause) = from.poison.as_ref().map_or(([0; LANES], NEVER), |poison| poison.register(reg));
            slot.keep(&from.regs[reg as usize], &undefined, cause, active);
        }
        let end = at.predicates + frame.predicates.len();
        self.predicates.resize(self.predicates.len().max(end), NOTHING);
        for (slot, pred) in self.predicates[at.predicates..].iter_mut().zip(frame.predicates.clone()) {
            let (undefined, cause) =
                from.poison.as_ref().map_or((0, NEVER), |poison| poison.predicate_with_cause(pred));
            slot.keep(&bits(from.preds[pred as usize]), &bits(undefined), cause, active);
        }
    }

    /// Restores them.
    pub(super) fn reload(&self, frame: &Frame, at: FramePointer, active: u32, into: &mut Registers<'_>) {
        for (slot, reg) in self.registers[at.registers..].iter().zip(frame.registers.clone()) {
            lanes(active).for_each(|lane| into.regs[reg as usize][lane] = slot.value[lane]);
            if let Some(poison) = &mut into.poison {
                poison.set(reg, active, &slot.undefined, slot.cause);
            }
        }
        for (slot, pred) in self.predicates[at.predicates..].iter().zip(frame.predicates.clone()) {
            let held = &mut into.preds[pred as usize];
            *held = *held & !active | mask(&slot.value) & active;
            if let Some(poison) = &mut into.poison {
                poison.set_predicate(pred, active, mask(&slot.undefined), slot.cause);
            }
        }
    }

    /// The values of these lanes, for a hash of the warp's state.
    pub(super) fn values(&self, mask: u32) -> impl Iterator<Item = u64> {
        let all = self.registers.iter().chain(&self.predicates);
        all.flat_map(move |spilled| lanes(mask).map(|lane| spilled.value[lane]))
    }
}

impl Spilled {
    fn keep(&mut self, value: &Row, undefined: &Row, cause: Cause, active: u32) {
        for lane in lanes(active) {
            (self.value[lane], self.undefined[lane]) = (value[lane], undefined[lane]);
        }
        if lanes(active).any(|lane| undefined[lane] != 0) {
            self.cause = cause;
        }
    }
}

/// The bits of a mask, one for each lane.
fn bits(mask: u32) -> Row {
    std::array::from_fn(|lane| u64::from(mask >> lane & 1))
}

/// The mask of the lanes that hold a one.
fn mask(row: &Row) -> u32 {
    (0..LANES).fold(0, |mask, lane| mask | (row[lane] as u32 & 1) << lane)
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}
