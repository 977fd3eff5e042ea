//! Values that PTX leaves undefined: the undefined bits of registers.
//!
//! A register that is read before it is written, bytes of memory that no thread has written, the result of `shfl` from
//! a lane that does not take part, a quotient by zero: all of these are undefined. They may be moved and combined, as
//! long as nothing that decides anything (a branch, an address, a count) depends on them; memory to which they are
//! stored has no value either.
//!
//! Nearly all warps never encounter such a value, so this state is allocated only when it is first needed.

use std::collections::BTreeMap;

use super::problem::Problem;
use crate::code::{Pred, PredSrc, Reg, Row, SINK, Src};

/// The instruction that first produced an undefined value; [`NEVER`] for a register that was never written.
pub(crate) type Cause = u32;
pub(crate) const NEVER: Cause = u32::MAX;

/// The value of undefined bits, where they are read anyway.
pub(crate) const GARBAGE: u64 = 0xcdcd_cdcd_cdcd_cdcd;

/// The undefined bits of a warp's registers.
#[derive(Debug)]
pub(crate) struct Poison {
    pub(crate) regs: Vec<Row>,
    pub(crate) preds: Vec<u32>,
    /// Lanes whose carry flag has no value.
    pub(crate) carry: u32,
    /// The problems of loads whose values have not been used yet (see `doubt`).
    pub(crate) doubts: Vec<(Cause, Box<Problem>)>,
    /// The instruction to blame for a byte without a value in local memory, by lane and offset.
    pub(crate) local: BTreeMap<(usize, usize), Cause>,
    reg_causes: Vec<Cause>,
    pred_causes: Vec<Cause>,
}

/// The lanes in which any bit is set.
pub(crate) fn any(row: &Row) -> u32 {
    row.iter().enumerate().fold(0, |m, (i, &v)| m | u32::from(v != 0) << i)
}

impl Poison {
    pub(crate) fn new(regs: usize, preds: usize) -> Self {
        Self {
            regs: vec![[0; 32]; regs],
            preds: vec![0; preds],
            carry: 0,
            doubts: Vec::new(),
            local: BTreeMap::new(),
            reg_causes: vec![NEVER; regs],
            pred_causes: vec![NEVER; preds],
        }
    }

    /// The undefined bits of a source.
    pub(crate) fn row(&self, src: Src) -> Row {
        match src {
            Src::Reg(r) => self.regs[r as usize],
            _ => [0; 32],
        }
    }

    /// The lanes in which a predicate has no value.
    pub(crate) fn predicate(&self, p: PredSrc) -> u32 {
        match p {
            PredSrc::Reg { index, .. } => self.preds[index as usize],
            PredSrc::Const(_) => 0,
        }
    }

    /// The undefined bits of a register, and the instruction to blame.
    pub(crate) fn register(&self, r: Reg) -> (Row, Cause) {
        (self.regs[r as usize], self.reg_causes[r as usize])
    }

    /// The lanes in which a predicate is undefined, and the instruction to blame.
    pub(crate) fn predicate_with_cause(&self, p: Pred) -> (u32, Cause) {
        (self.preds[p as usize], self.pred_causes[p as usize])
    }

    /// The instruction to blame for undefined bits of a register, if any of its lower `bits` bits is undefined in these
    /// lanes.
    pub(crate) fn cause_of(&self, r: Reg, active: u32, bits: u32) -> Option<Cause> {
        let low = u64::MAX >> (64 - bits.clamp(1, 64));
        let looked_at = self.regs[r as usize].map(|undefined| undefined & low);
        (any(&looked_at) & active != 0).then(|| self.reg_causes[r as usize])
    }

    /// The instruction to blame for an undefined register or predicate among these.
    pub(crate) fn cause(&self, uses: &[Reg], preds: &[Pred], active: u32) -> Cause {
        let pred = || preds.iter().find(|&&p| self.preds[p as usize] & active != 0);
        let reg = uses.iter().find_map(|&r| self.cause_of(r, active, u64::BITS));
        reg.unwrap_or_else(|| pred().map_or(NEVER, |&p| self.pred_causes[p as usize]))
    }

    /// Sets the undefined bits of a register in some lanes.
    pub(crate) fn set(&mut self, d: Reg, active: u32, bits: &Row, cause: Cause) {
        if d == SINK {
            return;
        }
        let row = &mut self.regs[d as usize];
        let mut some = false;
        for lane in 0..32 {
            if active >> lane & 1 == 1 {
                row[lane] = bits[lane];
                some |= bits[lane] != 0;
            }
        }
        if some {
            self.reg_causes[d as usize] = cause;
        }
    }

    /// Sets the lanes in which a predicate is undefined.
    pub(crate) fn set_predicate(&mut self, d: Pred, active: u32, lanes: u32, cause: Cause) {
        if d == SINK {
            return;
        }
        let slot = &mut self.preds[d as usize];
        *slot = *slot & !active | lanes & active;
        if lanes & active != 0 {
            self.pred_causes[d as usize] = cause;
        }
    }
}
