//! `ldmatrix` and `stmatrix` (PTX ISA 9.7.14.5.15, 9.7.14.5.16).
//!
//! Lane `8 m + r` provides the address of row `r` of matrix `m`: eight 16-bit elements. Lane `l` holds element
//! `(l / 4, 2 (l % 4))` of each matrix and the next one to the right; with `.trans`, rows and columns are exchanged.

use super::access::Access;
use super::address::To;
use super::core::{Core, Flow};
use super::place::{bits_of, bytes_of};
use super::problem::{Exec, Locate, invalid};
use super::traffic::Traffic;
use crate::check::Strength;
use crate::code::{LANES, Matrix, Row, Src};

type Tile = [[u16; 8]; 8];

/// The element at (`line`, `2 pair`) and the one after it, as a register.
fn pick(tile: &Tile, lane: usize, transposed: bool) -> u64 {
    let (line, pair) = (lane / 4, lane % 4);
    let at = |i: usize| if transposed { tile[2 * pair + i][line] } else { tile[line][2 * pair + i] };
    u64::from(at(0)) | u64::from(at(1)) << 16
}

fn place(tile: &mut Tile, lane: usize, transposed: bool, value: u64) {
    let (line, pair) = (lane / 4, lane % 4);
    for i in 0..2 {
        let part = (value >> (16 * i)) as u16;
        if transposed {
            tile[2 * pair + i][line] = part;
        } else {
            tile[line][2 * pair + i] = part;
        }
    }
}

impl Core<'_, '_> {
    pub(crate) fn matrix(&mut self, op: &Matrix, mask: u32, active: u32) -> Exec<Flow> {
        if !self.converged(mask, active) {
            return Ok(Flow::Choose);
        }
        if active != u32::MAX {
            return Err(invalid(format!("all 32 lanes must take part, got {:#010x}", active)));
        }
        let addresses = self.addresses(&op.addr);
        for (m, &reg) in op.regs.iter().enumerate() {
            let rows = self.rows((op.space, op.addr.within).into(), &addresses, m)?;
            match reg {
                Src::Reg(d) if op.load => self.load_tile(d, &rows, op.transposed)?,
                source => self.store_tile(source, &rows, op.transposed)?,
            }
            let mut traffic = Traffic::new(16);
            rows.iter().for_each(|a| traffic.add(a.lane, a.place, a.address));
            self.count_traffic(&traffic);
        }
        Ok(Flow::Next)
    }

    /// The eight rows of matrix `m`.
    fn rows(&self, to: To, addresses: &Row, m: usize) -> Exec<[Access; 8]> {
        let row = |r: usize| {
            let lane = 8 * m + r;
            let access = self.access(lane, to, addresses[lane], 16, 16, Strength::WEAK)?;
            match access.place {
                super::place::MemoryLocation::Shared { .. } => Ok(access),
                _ => Err(invalid("a row is not in shared memory")).lane(lane).address(to.space, addresses[lane]),
            }
        };
        let first = row(0)?;
        let mut out = [first; 8];
        for (r, slot) in out.iter_mut().enumerate() {
            *slot = row(r)?;
        }
        Ok(out)
    }

    fn load_tile(&mut self, d: u32, rows: &[Access; 8], transposed: bool) -> Exec<()> {
        let (mut tile, mut holes): (Tile, Tile) = Default::default();
        for ((row, holes), access) in tile.iter_mut().zip(&mut holes).zip(rows) {
            let mut bytes = [0; 16];
            // As for a load, bytes without a value are a mistake only where their value is used.
            let missing = self.read_register(access, &mut bytes)?;
            for (i, (element, pair)) in row.iter_mut().zip(bytes.chunks_exact(2)).enumerate() {
                *element = u16::from_le_bytes([pair[0], pair[1]]);
                holes[i] = bits_of(missing >> (2 * i) & 3) as u16;
            }
        }
        self.put(d, u32::MAX, &std::array::from_fn(|lane| pick(&tile, lane, transposed)));
        self.warp.taint(d, u32::MAX, &std::array::from_fn(|lane| pick(&holes, lane, transposed)), self.pc);
        Ok(())
    }

    fn store_tile(&mut self, source: Src, rows: &[Access; 8], transposed: bool) -> Exec<()> {
        let (values, undefined) = (self.row(source), self.undefined_row(source));
        let (mut tile, mut holes): (Tile, Tile) = Default::default();
        for lane in 0..LANES {
            place(&mut tile, lane, transposed, values[lane]);
            place(&mut holes, lane, transposed, undefined[lane]);
        }
        for ((row, holes), access) in tile.iter().zip(&holes).zip(rows) {
            let mut bytes = [0; 16];
            for (element, pair) in row.iter().zip(bytes.chunks_exact_mut(2)) {
                pair.copy_from_slice(&element.to_le_bytes());
            }
            self.write(access, &bytes)?;
            let holes = holes.iter().rev().fold(0, |m, &bits| m << 2 | bytes_of(bits.into()));
            if holes != 0 {
                self.forget(access, holes);
            }
        }
        Ok(())
    }
}
