//! `wgmma.mma_async`: the arithmetic, and the mapping between registers of lanes and elements (PTX ISA 9.7.15.5.1).

use super::super::core::Core;
use super::super::operand::{Descriptor, Operand, Rows, sum, value};
use super::super::problem::{Exec, invalid};
use crate::code::{LANES, Left, Multiply, Product, Row, Src};
use crate::float::{F16, F32, Mode, resize};

/// Rows of D that one warp has.
const ROWS: usize = 16;
const _: () = assert!(LANES == 2 * ROWS);

/// The row within the warp's 16 and the column of element `i` of a lane's part of D.
fn position(lane: usize, i: usize) -> (usize, usize) {
    (lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2)
}

/// The elements of a register of A: row, k, and the first bit of each.
fn elements(product: Product, lane: usize, register: usize) -> Vec<(usize, usize, u32)> {
    let row = lane / 4 + 8 * (register % 2);
    match product.bytes {
        2 => (0..2).map(|i| (row, 2 * (lane % 4) + 8 * (register / 2) + i, 16 * i as u32)).collect(),
        _ => vec![(row, lane % 4 + 4 * (register / 2), 0)],
    }
}

impl Core<'_, '_> {
    pub(super) fn multiply(&mut self, op: &Multiply) -> Exec<()> {
        let product = op.product;
        let adds = self.predicate(op.adds);
        if adds != 0 && adds != u32::MAX {
            return Err(invalid("whether D is added must be the same in all lanes"));
        }
        let shared = match op.a {
            Left::Shared(a) => Some(self.described(a, "A", 64, op.transposed[0])?),
            Left::Registers(_) => None,
        };
        let b = self.described(op.b, "B", u64::from(product.columns), op.transposed[1])?;
        let bits = |operand: Option<(u64, Operand)>| operand.map_or(0, |it| it.0);
        self.in_step([bits(shared), bits(Some(b)), u64::from(adds)])?;
        self.take_registers(op)?;
        let operands: Vec<Operand> = shared.iter().chain([&b]).map(|it| it.1).collect();
        self.read_operands(&operands)?;
        let a = match (&op.a, shared) {
            (Left::Registers(a), _) => self.fragment(product, a),
            (_, Some((_, a))) => {
                let first = ROWS * (self.warp.index as usize % 4);
                a.rows(&self.cta().shared.data, product.inputs, first..first + ROWS)
            }
            (Left::Shared(_), None) => Vec::new(),
        };
        let b = b.1.rows(&self.cta().shared.data, product.inputs, 0..product.columns as usize);
        let negative = op.negated[0] != op.negated[1];
        self.sums(op, &a, &b, negative, adds != 0);
        Ok(())
    }

    /// The bits of a descriptor, and the operand that it describes.
    fn described(&self, src: Src, what: &str, rows: u64, transposed: bool) -> Exec<(u64, Operand)> {
        let bits = self.uniform(src, u32::MAX, &format!("the descriptor of {what}"))?;
        Ok((bits, Operand { descriptor: Descriptor::of_wgmma(bits)?, rows, transposed }))
    }

    /// The warp's rows of A, from registers.
    fn fragment(&self, product: Product, registers: &[Src]) -> Rows {
        let mut out = vec![vec![0.0; product.depth() as usize]; ROWS];
        for (n, &src) in registers.iter().enumerate() {
            let values = self.row(src);
            for (lane, bits) in values.iter().enumerate() {
                for (row, k, at) in elements(product, lane, n) {
                    out[row][k] = value(product.inputs, bits >> at);
                }
            }
        }
        out
    }

    fn sums(&mut self, op: &Multiply, a: &Rows, b: &Rows, negative: bool, adds: bool) {
        let sum = |start: f32, lane: usize, i: usize| {
            let (row, column) = position(lane, i);
            sum(if adds { start } else { 0.0 }, &a[row], &b[column], negative)
        };
        for (n, &d) in op.d.iter().enumerate() {
            let old = self.warp.regs[d as usize];
            let new: Row = std::array::from_fn(|lane| {
                if op.product.wide {
                    return u64::from(sum(f32::from_bits(old[lane] as u32), lane, n).to_bits());
                }
                let half = |i: usize| {
                    let start = resize(F16, F32, old[lane] >> (16 * i) & 0xffff, Mode::Nearest) as u32;
                    let sum = sum(f32::from_bits(start), lane, 2 * n + i);
                    resize(F32, F16, u64::from(sum.to_bits()), Mode::Nearest) << (16 * i)
                };
                half(0) | half(1)
            });
            self.put(d, u32::MAX, &new);
        }
    }
}
