//! Instructions that access registers only.

use super::core::Core;
use crate::code::{Carry, LANES, Op, Reg, Row, SetNumber, SetPred, Src};

impl Core<'_, '_> {
    /// Executes a register instruction; returns false if it is not one.
    pub(crate) fn compute(&mut self, op: &Op, active: u32) -> bool {
        let mut out = [0; LANES];
        match op {
            Op::Lanes1 { f, d, a } => {
                self.time_read(*a);
                with_row(self, *a, |a| f(a, &mut out));
                self.put(*d, active, &out);
            }
            Op::Lanes2 { f, d, a, b } => {
                with_row(self, *a, |a| with_row(self, *b, |b| f(a, b, &mut out)));
                self.put(*d, active, &out);
            }
            Op::Lanes3 { f, d, a, b, c } => {
                with_row(self, *a, |a| with_row(self, *b, |b| with_row(self, *c, |c| f(a, b, c, &mut out))));
                self.put(*d, active, &out);
            }
            Op::SetPred(op) => self.set_pred(op, active),
            Op::Select { d, a, b, p } => {
                let p = self.predicate(*p);
                with_row(self, *a, |a| {
                    with_row(self, *b, |b| {
                        for i in 0..LANES {
                            out[i] = if p >> i & 1 == 1 { a[i] } else { b[i] };
                        }
                    });
                });
                self.put(*d, active, &out);
            }
            Op::Preds { f, d, a, b } => {
                let value = f(self.predicate(*a), self.predicate(*b));
                self.set_predicate(*d, active, value);
            }
            Op::ToPred { d, a } => {
                let row = self.row(*a);
                let value = (0..LANES).fold(0, |m, i| m | u32::from(row[i] != 0) << i);
                self.set_predicate(*d, active, value);
            }
            _ => return self.compute_rare(op, active),
        }
        true
    }

    fn compute_rare(&mut self, op: &Op, active: u32) -> bool {
        match op {
            Op::Divide { f, d, a, b } => {
                let mut out = [0; LANES];
                with_row(self, *a, |a| with_row(self, *b, |b| f(a, b, &mut out)));
                let divisor = self.row(*b);
                self.put(*d, active, &out);
                self.divided(*d, &divisor, active);
            }
            Op::Lop3 { d, a, b, c, table } => {
                let (a, b, c) = (self.row(*a), self.row(*b), self.row(*c));
                let out = std::array::from_fn(|i| lop3(a[i], b[i], c[i], *table));
                self.put(*d, active, &out);
            }
            Op::Insert { d, a, b, pos, len, bits } => {
                let (a, b, pos, len) = (self.row(*a), self.row(*b), self.row(*pos), self.row(*len));
                let f = |i| crate::decode::insert_field(a[i], b[i], pos[i], len[i], u64::from(*bits));
                self.put(*d, active, &std::array::from_fn(f));
            }
            Op::Carry(op) => self.carry(op, active),
            Op::Move128 { d, a } => {
                for half in 0..2 {
                    let row = self.warp.regs[(a + half) as usize];
                    self.put(if *d == 0 { 0 } else { d + half }, active, &row);
                }
            }
            Op::Pack { d, parts, bits } => self.pack(*d, parts, *bits, active),
            Op::Unpack { parts, a, bits } => self.unpack(parts, a, *bits, active),
            Op::ActiveMask { d } => self.put(*d, active, &[u64::from(active); LANES]),
            Op::Float(op) => {
                let out = self.float(op);
                self.put(op.d, active, &out);
            }
            Op::Convert(op) => {
                let out = self.convert(op);
                self.put(op.d, active, &out);
            }
            Op::SetNumber(op) => {
                let out = self.set_number(op);
                self.put(op.d, active, &out);
            }
            Op::Video(op) => {
                let out = self.video(op);
                self.put(op.d, active, &out);
            }
            Op::TestFloat(op) => {
                let value = self.test_float(op);
                self.set_predicate(op.d, active, value);
            }
            _ => return false,
        }
        true
    }

    /// Notes the reading of a clock.
    fn time_read(&mut self, src: Src) {
        if let Src::Special(special) = src
            && special.is_time()
        {
            self.warp.paths[self.path].spin.timed = true;
        }
    }

    /// The lanes in which a comparison holds, and those in which its negation does, or that of the upper halves.
    fn compared(&self, op: &SetPred) -> (u32, u32) {
        let (yes, no) = with_row(self, op.a, |a| with_row(self, op.b, |b| op.compared(a, b)));
        match op.combine {
            Some((f, c)) => (f(yes, self.predicate(c)), f(no, self.predicate(c))),
            None => (yes, no),
        }
    }

    fn set_number(&self, op: &SetNumber) -> Row {
        let (low, high) = self.compared(&op.test);
        let part = |lanes: u32, lane: usize, bits: u64| if lanes >> lane & 1 == 1 { bits } else { 0 };
        std::array::from_fn(|lane| part(low, lane, op.holds[0]) | part(high, lane, op.holds[1]))
    }

    fn set_pred(&mut self, op: &SetPred, active: u32) {
        let (yes, no) = self.compared(op);
        self.set_predicate(op.d, active, yes);
        if let Some(q) = op.q {
            self.set_predicate(q, active, no);
        }
    }

    fn carry(&mut self, op: &Carry, active: u32) {
        let (mut a, mut b) = (self.row(op.a), self.row(op.b));
        if let Some((f, c)) = op.product {
            let mut product = [0; LANES];
            f(&a, &b, &mut product);
            (a, b) = (product, self.row(c));
        }
        let (mut out, mut flags) = ([0; LANES], 0);
        let limit = u64::MAX >> (64 - op.bits);
        for i in 0..LANES {
            let carry_in = u128::from(op.reads && self.warp.carry >> i & 1 == 1);
            let (value, flag) = if op.subtract {
                let rhs = u128::from(b[i]) + carry_in;
                (u128::from(a[i]).wrapping_sub(rhs), u128::from(a[i]) < rhs)
            } else {
                let sum = u128::from(a[i]) + u128::from(b[i]) + carry_in;
                (sum, sum > u128::from(limit))
            };
            out[i] = value as u64 & limit;
            flags |= u32::from(flag) << i;
        }
        if op.writes {
            self.warp.carry = self.warp.carry & !active | flags & active;
        }
        self.put(op.d, active, &out);
    }

    fn pack(&mut self, d: Reg, parts: &[Src], bits: u32, active: u32) {
        let mut wide = [0u128; LANES];
        for (n, part) in parts.iter().enumerate() {
            let row = self.row(*part);
            for i in 0..LANES {
                wide[i] |= u128::from(row[i] & u64::MAX >> (64 - bits)) << (n as u32 * bits);
            }
        }
        self.put(d, active, &std::array::from_fn(|i| wide[i] as u64));
        if parts.len() as u32 * bits > 64 && d != 0 {
            self.put(d + 1, active, &std::array::from_fn(|i| (wide[i] >> 64) as u64));
        }
    }

    fn unpack(&mut self, parts: &[Reg], a: &[Src; 2], bits: u32, active: u32) {
        let (low, high) = (self.row(a[0]), if parts.len() as u32 * bits > 64 { self.row(a[1]) } else { [0; LANES] });
        for (n, &d) in parts.iter().enumerate() {
            let part = |i: usize| {
                let wide = u128::from(high[i]) << 64 | u128::from(low[i]);
                (wide >> (n as u32 * bits)) as u64 & u64::MAX >> (64 - bits)
            };
            self.put(d, active, &std::array::from_fn(part));
        }
    }
}

/// Calls `f` with the row of a source, without copying the row of a register.
fn with_row<T>(core: &Core<'_, '_>, src: Src, f: impl FnOnce(&Row) -> T) -> T {
    match src {
        Src::Reg(r) => f(&core.warp.regs[r as usize]),
        other => f(&core.row(other)),
    }
}

/// Bit i of the result is bit (a_i, b_i, c_i) of the table.
pub(crate) fn lop3(a: u64, b: u64, c: u64, table: u8) -> u64 {
    let mut out = 0;
    for index in (0..8).filter(|i| table >> i & 1 == 1) {
        let pick = |v: u64, bit: u32| if index >> bit & 1 == 1 { v } else { !v };
        out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
    }
    out & 0xffff_ffff
}
