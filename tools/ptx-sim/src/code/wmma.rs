//! `wmma`: matrices whose place in the registers of a warp PTX leaves open (PTX ISA 9.7.14.4).

use super::operand::{Addr, Reg, Src};
use super::product::{Element, Total};
use crate::parse::Space;

/// A matrix in the registers of a warp: each lane has an equal part of the elements of all lines, one after the other. Registers
/// that are left over repeat them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WarpMatrix {
    /// Rows of A, C and D, columns of B.
    pub(crate) lines: usize,
    /// Elements of a line.
    pub(crate) length: usize,
    /// Bits of an element.
    pub(crate) bits: u32,
    /// Registers of a lane.
    pub(crate) registers: usize,
}

impl WarpMatrix {
    /// Elements of a register.
    pub(crate) fn packed(self) -> usize {
        (32 / self.bits).max(1) as usize
    }

    /// Registers of a lane that do not repeat others.
    pub(crate) fn distinct(self) -> usize {
        self.lines * self.length / 32 / self.packed()
    }

    /// The line of the first element in a lane's register, and its index there; other elements of the register follow it.
    pub(crate) fn first(self, lane: usize, register: usize) -> (usize, usize) {
        let index = self.packed() * (lane * self.distinct() + register % self.distinct());
        (index / self.length, index % self.length)
    }

    /// Bits of a register.
    pub(crate) fn register(self) -> u32 {
        self.bits.max(32)
    }

    /// Bytes of all registers of a lane, of which the address of the matrix is a multiple.
    pub(crate) fn alignment(self) -> u64 {
        self.registers as u64 * u64::from(self.register() / 8)
    }
}

/// `wmma.load` and `wmma.store`.
#[derive(Debug)]
pub(crate) struct WmmaAccess {
    pub(crate) load: bool,
    pub(crate) matrix: WarpMatrix,
    /// Whether the elements of a line are adjacent in memory; otherwise those of the same index in all lines are.
    pub(crate) along: bool,
    pub(crate) space: Space,
    pub(crate) addr: Addr,
    /// Elements from the start of one line, or of one index, to the next.
    pub(crate) stride: Src,
    pub(crate) regs: Box<[Src]>,
}

/// `wmma.mma`: D = A · B + C.
#[derive(Debug)]
pub(crate) struct WmmaMultiply {
    pub(crate) inputs: [Element; 2],
    pub(crate) total: Total,
    /// The matrices A, B and C; D is as C.
    pub(crate) matrices: [WarpMatrix; 3],
    pub(crate) d: Box<[Reg]>,
    pub(crate) a: Box<[Src]>,
    pub(crate) b: Box<[Src]>,
    pub(crate) c: Box<[Src]>,
}
