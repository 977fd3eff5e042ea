//! The rules of PTX for registers that products use (PTX ISA 9.7.15.7.1).

use super::super::core::Core;
use super::super::problem::{Exec, Problem, invalid, problem};
use super::super::warpgroup::Flight;
use crate::code::{Inst, Left, Multiply, Op, PredSrc, Reg, Src, WgmmaOp};
use crate::fault::FaultKind;

/// The registers among operands.
fn registers<'s>(operands: impl IntoIterator<Item = &'s Src>) -> Vec<Reg> {
    let register = |src: &Src| if let Src::Reg(reg) = src { Some(*reg) } else { None };
    operands.into_iter().filter_map(register).collect()
}

/// The registers of A.
pub(super) fn left(op: &Multiply) -> Vec<Reg> {
    if let Left::Registers(a) = &op.a { registers(a.iter()) } else { Vec::new() }
}

impl Core<'_, '_> {
    /// The registers whose values an instruction reads: those of D only if the product is added to it.
    pub(crate) fn inputs(&self, op: &WgmmaOp) -> Vec<Reg> {
        let WgmmaOp::Multiply(op) = op else { return Vec::new() };
        let mut all = left(op);
        all.extend(registers([&op.b]));
        if let Left::Shared(a) = &op.a {
            all.extend(registers([a]));
        }
        if self.predicate(op.adds) != 0 || matches!(op.adds, PredSrc::Const(true)) {
            all.extend(&op.d);
        }
        all
    }

    /// Checks that an instruction of any other kind does not access registers of products in flight.
    pub(crate) fn check_products(&mut self, inst: &Inst) -> Exec<()> {
        if matches!(inst.op, Op::Wgmma(_)) {
            return Ok(());
        }
        let program = self.env.program;
        let info = &program.info[self.pc as usize];
        if let Some(at) = self.warp.products.using(&info.uses, &info.defs) {
            return Err(self.flying(at));
        }
        if !info.opcode.is_some_and(|opcode| program.opcodes[opcode as usize].starts_with("mov.")) {
            self.warp.products.touched.extend(info.uses.iter().chain(&*info.defs));
        }
        Ok(())
    }

    fn flying(&self, at: u32) -> Box<Problem> {
        let detail = format!(
            "the instruction accesses a register that the product at {} still uses: `wgmma.wait_group` is missing",
            self.env.program.describe(at)
        );
        let mut p = problem(FaultKind::InFlight, detail);
        p.lane = Some(0);
        p
    }

    /// Checks the registers that a product starts to use.
    pub(super) fn take_registers(&mut self, op: &Multiply) -> Exec<()> {
        const FENCE: &str = "`wgmma.fence` is missing between that and this product";
        let (a, at) = (left(op), self.pc);
        let products = &mut self.warp.products;
        if !products.fenced {
            return Err(invalid("`wgmma.fence` is missing before the first product of the warp"));
        }
        if op.d.iter().chain(&a).any(|reg| products.touched.contains(reg)) {
            return Err(invalid(format!("another instruction has touched a register of the product: {FENCE}")));
        }
        let shaped = op.d.iter().any(|reg| products.sums.get(reg).is_some_and(|other| *other != op.product));
        if shaped || a.iter().any(|reg| products.sums.contains_key(reg)) {
            let how = if shaped { "is D of a product of another shape" } else { "of A is D of an earlier product" };
            return Err(invalid(format!("a register {how}: {FENCE}")));
        }
        let read = products.flights.iter().find(|flight| op.d.iter().any(|reg| flight.a.contains(reg)));
        let summed = products.flights.iter().find(|flight| a.iter().any(|reg| flight.d.contains(reg)));
        if let Some(at) = read.or(summed).map(|flight| flight.at) {
            return Err(self.flying(at));
        }
        products.sums.extend(op.d.iter().map(|&reg| (reg, op.product)));
        products.flights.push(Flight { group: products.open(), d: op.d.clone(), a, at });
        Ok(())
    }
}
