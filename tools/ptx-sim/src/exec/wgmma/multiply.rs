//! `wgmma.mma_async` (PTX ISA 9.7.15.5).

use super::super::core::Core;
use super::super::operand::{Descriptor, Operand};
use super::super::problem::{Exec, invalid};
use super::super::rows::Rows;
use super::super::sums::Sum;
use crate::code::{LANES, Left, Multiply, Reg, Row, Src};

/// Rows of D that one warp has.
const ROWS: usize = 16;

impl Core<'_, '_> {
    pub(super) fn multiply(&mut self, op: &Multiply) -> Exec<()> {
        let product = op.product;
        let adds = self.predicate(op.adds);
        if adds != 0 && adds != u32::MAX {
            return Err(invalid("whether D is added must be the same in all lanes"));
        }
        let shared = match op.a {
            Left::Shared(a) => Some(self.described(op, 0, a, 64)?),
            Left::Registers(_) => None,
        };
        let b = self.described(op, 1, op.b, product.columns)?;
        let bits = |operand: Option<(u64, Operand)>| operand.map_or(0, |operand| operand.0);
        self.in_step([bits(shared), bits(Some(b)), u64::from(adds)])?;
        self.take_registers(op)?;
        let operands: Vec<Operand> = shared.iter().chain([&b]).map(|operand| operand.1).collect();
        self.read_operands(&operands)?;
        let a = match (&op.a, shared) {
            (Left::Registers(a), _) => self.fragment(product.inputs[0], a, ROWS),
            (_, Some((_, a))) => {
                let first = ROWS * (self.warp.index as usize % 4);
                a.rows(&self.cta().shared.data, first..first + ROWS)
            }
            (Left::Shared(_), None) => Rows::default(),
        };
        let b = b.1.rows(&self.cta().shared.data, 0..product.columns as usize);
        let negative = op.negated[0] != op.negated[1];
        let start = |&d: &Reg| if adds == 0 { [0; LANES] } else { self.warp.regs[d as usize] };
        let starts: Vec<Row> = op.d.iter().map(start).collect();
        self.multiply_fragments(&op.d, &starts, &a, &b, Sum { total: product.total, negative, shift: 0 });
        Ok(())
    }

    /// The bits of the descriptor of A or B, the first or second input, and the operand that it describes.
    fn described(&self, op: &Multiply, input: usize, src: Src, rows: u32) -> Exec<(u64, Operand)> {
        let bits = self.uniform(src, u32::MAX, &format!("the descriptor of {}", ["A", "B"][input]))?;
        let (element, transposed) = (op.product.inputs[input], op.transposed[input]);
        Ok((bits, Operand { descriptor: Descriptor::of_wgmma(bits)?, element, rows: rows.into(), transposed }))
    }
}
