//! `wmma` (PTX ISA 9.7.14.4). All lanes give the same address and stride; which lane has which element is as
//! [`WarpMatrix`] says, because PTX leaves it open.

use super::access::Access;
use super::address::To;
use super::core::{Core, Flow};
use super::place::{bits_of, bytes_of};
use super::problem::{Exec, invalid};
use super::rows::Rows;
use super::sums::{Sum, value};
use super::traffic::Traffic;
use crate::check::Strength;
use crate::code::{Element, LANES, Row, Src, WarpMatrix, WmmaAccess, WmmaMultiply};

/// What the distance between lines is a multiple of, in bytes, as the CUDA C++ Programming Guide says. The PTX ISA asks for more,
/// which its own default strides do not have.
const LINES: u64 = 16;

/// The part of a register that is one piece in memory.
struct Piece {
    access: Access,
    /// Its bits in the register begin here.
    shift: u32,
    bytes: usize,
}

impl Core<'_, '_> {
    pub(crate) fn wmma_access(&mut self, op: &WmmaAccess, mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        all_lanes(active)?;
        let (starts, strides) = (self.addresses(&op.addr), self.row(op.stride));
        let (start, stride) = (starts[0], strides[0] & u64::from(u32::MAX));
        if starts != [start; LANES] || strides.iter().any(|other| other & u64::from(u32::MAX) != stride) {
            return Err(invalid("the lanes give different addresses or strides of a matrix"));
        }
        let to: To = (op.space, op.addr.within).into();
        let bytes = op.matrix.bits as usize / 8;
        let alignment = op.matrix.alignment();
        for (line, alignment) in [(0, alignment), (stride * bytes as u64, alignment.min(LINES))] {
            self.access(0, to, start.wrapping_add(line), bytes, alignment, Strength::WEAK)?;
        }
        for (n, &reg) in op.regs.iter().enumerate() {
            match (n.checked_sub(op.matrix.distinct()), reg) {
                (None, _) => self.wmma_register(op, n, reg, (to, start, stride))?,
                (Some(first), Src::Reg(d)) if op.load => {
                    let same = op.regs[first % op.matrix.distinct()];
                    let (values, holes) = (self.row(same), self.undefined_row(same));
                    self.put(d, u32::MAX, &values);
                    self.warp.taint(d, u32::MAX, &holes, self.pc);
                }
                _ => {}
            }
        }
        Ok(Flow::Next)
    }

    /// Loads or stores a register of all lanes.
    fn wmma_register(&mut self, op: &WmmaAccess, n: usize, reg: Src, (to, start, stride): (To, u64, u64)) -> Exec<()> {
        let matrix = op.matrix;
        let (packed, bytes) = (matrix.packed(), matrix.bits as usize / 8);
        let (pieces, size) = if op.along { (1, bytes * packed) } else { (packed, bytes) };
        let (values, undefined) = (self.row(reg), self.undefined_row(reg));
        let (mut loaded, mut holes): (Row, Row) = ([0; LANES], [0; LANES]);
        for piece in 0..pieces {
            let mut traffic = Traffic::new(size);
            for lane in 0..LANES {
                let (line, index) = matrix.first(lane, n);
                let (outer, inner) = if op.along { (line, index) } else { (index + piece, line) };
                let offset = (outer as u64 * stride + inner as u64) * bytes as u64;
                let access = self.access(lane, to, start.wrapping_add(offset), size, size as u64, Strength::WEAK)?;
                traffic.add(lane, access.place, access.address);
                let piece = Piece { access, shift: 8 * (piece * size) as u32, bytes: size };
                if op.load {
                    self.load_piece(&piece, &mut loaded[lane], &mut holes[lane])?;
                } else {
                    self.store_piece(&piece, values[lane], undefined[lane])?;
                }
            }
            self.count_traffic(&traffic);
        }
        if let (true, Src::Reg(d)) = (op.load, reg) {
            self.put(d, u32::MAX, &loaded);
            self.warp.taint(d, u32::MAX, &holes, self.pc);
        }
        Ok(())
    }

    fn load_piece(&mut self, piece: &Piece, register: &mut u64, holes: &mut u64) -> Exec<()> {
        let mut bytes = [0; 8];
        // As for a load, bytes without a value are a mistake only where their value is used.
        let missing = self.read_register(&piece.access, &mut bytes[..piece.bytes])?;
        *register |= u64::from_le_bytes(bytes) << piece.shift;
        *holes |= bits_of(missing) << piece.shift;
        Ok(())
    }

    fn store_piece(&mut self, piece: &Piece, register: u64, undefined: u64) -> Exec<()> {
        let part = |bits: u64| bits >> piece.shift & u64::MAX >> (64 - 8 * piece.bytes);
        self.write(&piece.access, &part(register).to_le_bytes()[..piece.bytes])?;
        match bytes_of(part(undefined)) {
            0 => {}
            holes => self.forget(&piece.access, holes),
        }
        Ok(())
    }

    pub(crate) fn wmma_multiply(&mut self, op: &WmmaMultiply, mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        all_lanes(active)?;
        let [a, b, c] = op.matrices;
        let rows = self.wmma_rows(a, op.inputs[0], &op.a);
        let columns = self.wmma_rows(b, op.inputs[1], &op.b);
        let part = u64::MAX >> (64 - c.bits);
        let mut totals = vec![0; c.lines * c.length];
        for (n, &src) in op.c.iter().enumerate() {
            for (lane, bits) in self.row(src).iter().enumerate() {
                let (line, index) = c.first(lane, n);
                for i in 0..c.packed() {
                    totals[line * c.length + index + i] = bits >> (i as u32 * c.bits) & part;
                }
            }
        }
        Sum { total: op.total, negative: false, shift: 0 }.add(&mut totals, &rows, &columns);
        for (n, &d) in op.d.iter().enumerate() {
            let register = std::array::from_fn(|lane| {
                let (line, index) = c.first(lane, n);
                let elements = &totals[line * c.length + index..][..c.packed()];
                elements
                    .iter()
                    .rev()
                    .fold(0, |all, &element| if c.packed() > 1 { all << c.bits | element } else { element })
            });
            self.put(d, u32::MAX, &register);
        }
        Ok(Flow::Next)
    }

    /// The rows of A, or the columns of B, as numbers.
    fn wmma_rows(&self, matrix: WarpMatrix, element: Element, registers: &[Src]) -> Rows {
        let mut out = Rows::zeros(matrix.lines, matrix.length);
        for (n, &src) in registers.iter().enumerate().take(matrix.distinct()) {
            for (lane, bits) in self.row(src).iter().enumerate() {
                let (line, index) = matrix.first(lane, n);
                for i in 0..matrix.packed() {
                    out.row_mut(line)[index + i] = value(element, bits >> (i as u32 * matrix.bits));
                }
            }
        }
        out
    }
}

fn all_lanes(active: u32) -> Exec<()> {
    if active == u32::MAX { Ok(()) } else { Err(invalid(format!("all 32 lanes must take part, got {active:#010x}"))) }
}
