//! The effect of instructions on values that PTX leaves undefined (see [`Poison`](super::poison::Poison)).
//!
//! This runs before each instruction of a warp that has such values, and uses the values from before the instruction.

mod bits;
mod collective;
mod registers;

use bits::whole;

use super::core::Core;
use super::poison::{Cause, NEVER, any};
use super::problem::{Exec, Problem, problem};
use crate::code::{Inst, LANES, Op, Pred, PredSrc, Reg, Row, Src, TensorOp};
use crate::fault::FaultKind;
use crate::parse::Space;

impl Core<'_, '_> {
    /// Propagates undefined bits through an instruction, and reports a decision that depends on them.
    pub(crate) fn undefined(&mut self, inst: &Inst, mask: u32, active: u32) -> Exec<()> {
        if let PredSrc::Reg { index, .. } = inst.guard {
            self.need(&[], &[index], mask, "whether the instruction is executed depends on")?;
        }
        let info = &self.env.program.info[self.pc as usize];
        let base = |src: Src| if let Src::Reg(r) = src { vec![r] } else { Vec::new() };
        const ADDRESS: &str = "the address depends on";
        match &inst.op {
            Op::Load(op) => self.need(&base(op.addr.base), &[], active, ADDRESS)?,
            Op::Store(op) => {
                self.need(&base(op.addr.base), &[], active, ADDRESS)?;
                // Local memory holds undefined values just as registers do.
                let is_local = op.space == Space::Local;
                return if is_local { Ok(()) } else { self.stored(&info.uses, active, 8 * op.element) };
            }
            Op::Matrix(op) if !op.load => {
                self.need(&base(op.addr.base), &[], active, ADDRESS)?;
                return self.stored(&info.uses, active, u64::BITS);
            }
            Op::WmmaAccess(op) if !op.load => {
                self.need(&[base(op.addr.base), base(op.stride)].concat(), &[], active, ADDRESS)?;
                return self.stored(&info.uses, active, u64::BITS);
            }
            Op::Tensor(op) => match &**op {
                TensorOp::Store { addr, .. } => {
                    self.need(&base(addr.base), &[], active, ADDRESS)?;
                    return self.stored(&info.uses, active, u64::BITS);
                }
                _ => self.need(&info.uses, &info.pred_uses, active, "the instruction depends on")?,
            },
            Op::Wgmma(op) => self.need(&self.inputs(op), &info.pred_uses, active, "the instruction depends on")?,
            Op::Collective(op) => return self.need(&base(op.members), &[], active, "the member mask is"),
            Op::Jump(_) | Op::Call(_) | Op::Recurse { .. } | Op::Return | Op::Exit => return Ok(()),
            op if self.spread(op, active) => return Ok(()),
            _ => self.need(&info.uses, &info.pred_uses, active, "the instruction depends on")?,
        }
        self.defined(&info.defs, &info.pred_defs, active);
        Ok(())
    }

    /// Reports an undefined value among these registers and predicates.
    fn need(&mut self, uses: &[Reg], preds: &[Pred], active: u32, what: &str) -> Exec<()> {
        let Some(poison) = &self.warp.poison else { return Ok(()) };
        let bad = uses.iter().fold(0, |m, &r| m | any(&poison.regs[r as usize]))
            | preds.iter().fold(0, |m, &p| m | poison.preds[p as usize]);
        if bad & active == 0 || !self.unsuspicious() {
            return Ok(());
        }
        let lane = (bad & active).trailing_zeros() as usize;
        let cause = poison.cause(uses, preds, 1 << lane);
        if self.counts(cause)? {
            return Ok(());
        }
        Err(self.undefined_value(what, cause, lane))
    }

    fn undefined_value(&self, what: &str, cause: Cause, lane: usize) -> Box<Problem> {
        let from = if cause == NEVER {
            "a register that has not been written".to_string()
        } else {
            let why = match &self.env.program.code[cause as usize].op {
                Op::Divide { .. } => "divides by zero",
                Op::Collective(_) => "takes it from a lane that does not take part",
                _ => "reads memory without a value",
            };
            format!("an undefined value: {} {why}", self.env.program.describe(cause))
        };
        let mut p = problem(FaultKind::Undefined, format!("{what} {from}"));
        p.lane = Some(lane);
        p
    }

    /// Marks registers and predicates that an instruction writes as defined.
    fn defined(&mut self, defs: &[Reg], preds: &[Pred], active: u32) {
        let Some(poison) = &mut self.warp.poison else { return };
        defs.iter().for_each(|&d| poison.set(d, active, &[0; LANES], NEVER));
        preds.iter().for_each(|&d| poison.set_predicate(d, active, 0, NEVER));
    }

    /// The undefined bits of a source.
    pub(crate) fn undefined_row(&self, src: Src) -> Row {
        self.warp.poison.as_ref().map_or([0; LANES], |p| p.row(src))
    }

    /// The lanes in which a predicate has no value.
    fn undefined_predicate(&self, p: PredSrc) -> u32 {
        self.warp.poison.as_ref().map_or(0, |poison| poison.predicate(p))
    }

    /// The lanes in which a source has undefined bits.
    pub(crate) fn undefined_lanes(&self, src: Src) -> u32 {
        match (&self.warp.poison, src) {
            (Some(poison), Src::Reg(r)) => any(&poison.regs[r as usize]),
            _ => 0,
        }
    }

    /// The instruction to blame for an undefined value that the current one reads.
    fn cause(&self, active: u32) -> Cause {
        let info = &self.env.program.info[self.pc as usize];
        self.warp.poison.as_ref().map_or(NEVER, |p| p.cause(&info.uses, &info.pred_uses, active))
    }

    fn set_undefined(&mut self, d: Reg, active: u32, bits: &Row) {
        let width = self.env.program.info[self.pc as usize].width;
        let cause = self.cause(active);
        let bits = bits.map(|b| b & width);
        if let Some(poison) = &mut self.warp.poison {
            poison.set(d, active, &bits, cause);
        }
    }

    fn set_undefined_predicate(&mut self, d: Pred, active: u32, lanes: u32) {
        let cause = self.cause(active);
        if let Some(poison) = &mut self.warp.poison {
            poison.set_predicate(d, active, lanes, cause);
        }
    }

    /// Marks the quotients of lanes that divide by zero as undefined.
    pub(crate) fn divided(&mut self, d: Reg, divisor: &Row, active: u32) {
        let zero = active & !any(divisor);
        if zero != 0 && self.env.checks.init {
            let width = self.env.program.info[self.pc as usize].width;
            self.warp.taint(d, zero, &whole(zero).map(|bits| bits & width), self.pc);
        }
    }
}
