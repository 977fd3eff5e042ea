//! Undefined bits through instructions on registers, lane by lane.

use super::super::core::Core;
use super::super::poison::any;
use super::bits::{spread_whole, vary, vary_logic, whole};
use crate::code::{Convert, LANES, Op, PredSrc, Reg, Row, SetPred, Spread, Src};

impl Core<'_, '_> {
    /// Propagates undefined bits through a register instruction; returns false if it is not one.
    pub(super) fn spread(&mut self, op: &Op, active: u32) -> bool {
        match op {
            Op::Lanes1 { f, d, a } => self.spread_lanes(*d, [*a, Src::Imm(0), Src::Imm(0)], active, |x| {
                let mut out = [0; LANES];
                f(&x[0], &mut out);
                out
            }),
            Op::Lanes2 { f, d, a, b } | Op::Divide { f, d, a, b } => {
                self.spread_lanes(*d, [*a, *b, Src::Imm(0)], active, |x| {
                    let mut out = [0; LANES];
                    f(&x[0], &x[1], &mut out);
                    out
                })
            }
            Op::Lanes3 { f, d, a, b, c } => self.spread_lanes(*d, [*a, *b, *c], active, |x| {
                let mut out = [0; LANES];
                f(&x[0], &x[1], &x[2], &mut out);
                out
            }),
            Op::Lop3 { d, a, b, c, table } => self.spread_lanes(*d, [*a, *b, *c], active, |x| {
                std::array::from_fn(|i| super::super::compute::lop3(x[0][i], x[1][i], x[2][i], *table))
            }),
            Op::Insert { d, a, b, pos, len, bits } => {
                let (at, n) = (self.row(*pos), self.row(*len));
                let place = self.undefined_lanes(*pos) | self.undefined_lanes(*len);
                self.spread_lanes(*d, [*a, *b, Src::Imm(0)], active, |x| {
                    let f = |i: usize| crate::decode::insert_field(x[0][i], x[1][i], at[i], n[i], u64::from(*bits));
                    std::array::from_fn(f)
                });
                if place & active != 0 {
                    self.set_undefined(*d, place & active, &[u64::MAX; LANES]);
                }
            }
            Op::SetPred(op) => self.spread_comparison(op, active),
            Op::Select { d, a, b, p } => {
                let (unknown, p) = (self.undefined_predicate(*p), self.predicate(*p));
                let (a, b) = (self.undefined_row(*a), self.undefined_row(*b));
                let bits = |i: usize| match (unknown >> i & 1 == 1, p >> i & 1 == 1) {
                    (true, _) => u64::MAX,
                    (_, true) => a[i],
                    (_, false) => b[i],
                };
                self.set_undefined(*d, active, &std::array::from_fn(bits));
            }
            Op::Preds { f, d, a, b } => {
                let pair = |p: PredSrc| (self.predicate(p), self.undefined_predicate(p));
                let lanes = vary_logic(*f, pair(*a), pair(*b));
                self.set_undefined_predicate(*d, active, lanes);
            }
            _ => return self.spread_rare(op, active),
        }
        true
    }

    pub(super) fn spread_rare(&mut self, op: &Op, active: u32) -> bool {
        match op {
            Op::Carry(op) => {
                let poison = self.warp.poison.as_ref();
                let flags = if op.reads { poison.map_or(0, |p| p.carry) } else { 0 };
                let addend = op.product.map_or(0, |(_, c)| self.undefined_lanes(c));
                let lanes = flags | addend | self.undefined_lanes(op.a) | self.undefined_lanes(op.b);
                self.set_undefined(op.d, active, &whole(lanes));
                if let Some(poison) = self.warp.poison.as_mut().filter(|_| op.writes) {
                    poison.carry = poison.carry & !active | lanes & active;
                }
            }
            Op::Float(op) => {
                let spread = self.env.program.info[self.pc as usize].spread;
                let rows = [op.a, op.b, op.c].map(|src| self.undefined_row(src));
                let bits = |i: usize| spread_whole(spread, rows[0][i] | rows[1][i] | rows[2][i]);
                self.set_undefined(op.d, active, &std::array::from_fn(bits));
            }
            Op::Convert(op) => self.spread_conversion(op, active),
            Op::TestFloat(op) => self.set_undefined_predicate(op.d, active, self.undefined_lanes(op.a)),
            Op::ToPred { d, a } => self.set_undefined_predicate(*d, active, self.undefined_lanes(*a)),
            Op::IsSpace(op) => self.set_undefined_predicate(op.dst, active, self.undefined_lanes(op.a)),
            Op::Move128 { d, a } => {
                for half in 0..if *d == 0 { 0 } else { 2 } {
                    let bits = self.undefined_row(Src::Reg(a + half));
                    self.set_undefined(d + half, active, &bits);
                }
            }
            Op::Pack { d, parts, bits } => self.spread_pack(*d, parts, *bits, active),
            Op::Unpack { parts, a, bits } => self.spread_unpack(parts, a, *bits, active),
            _ => return false,
        }
        true
    }

    pub(super) fn spread_lanes(&mut self, d: Reg, sources: [Src; 3], active: u32, f: impl Fn(&[Row; 3]) -> Row) {
        let undefined = sources.map(|src| self.undefined_row(src));
        let all: Row = std::array::from_fn(|i| undefined[0][i] | undefined[1][i] | undefined[2][i]);
        let lanes = any(&all) & active;
        if lanes == 0 {
            self.set_undefined(d, active, &[0; LANES]);
            return;
        }
        let bits = match self.env.program.info[self.pc as usize].spread {
            Spread::Bits(carried) => {
                let values = sources.map(|src| self.row(src));
                let loose = (0..3).filter(|i| carried >> i & 1 == 0).fold(0, |m, i| m | any(&undefined[i]));
                let moved = std::array::from_fn(|i| if carried >> i & 1 == 1 { undefined[i] } else { [0; LANES] });
                let varied = vary(values, moved, f);
                std::array::from_fn(|i| if loose >> i & 1 == 1 { u64::MAX } else { varied[i] })
            }
            spread => all.map(|bits| spread_whole(spread, bits)),
        };
        self.set_undefined(d, active, &bits);
    }

    pub(super) fn spread_comparison(&mut self, op: &SetPred, active: u32) {
        let unknown = self.undefined_lanes(op.a) | self.undefined_lanes(op.b);
        let (mut yes, mut no) = (unknown, unknown);
        if let Some((f, c)) = op.combine {
            let (first, second) = op.compared(&self.row(op.a), &self.row(op.b));
            let c = (self.predicate(c), self.undefined_predicate(c));
            (yes, no) = (vary_logic(f, (first, unknown), c), vary_logic(f, (second, unknown), c));
        }
        self.set_undefined_predicate(op.d, active, yes);
        if let Some(q) = op.q {
            self.set_undefined_predicate(q, active, no);
        }
    }

    /// Propagates undefined bits through a conversion, which reads only the low bits of a register that its type has.
    /// Between integers, each bit goes where the conversion moves it; otherwise the whole result depends on each bit.
    /// Two packed values are converted independently.
    pub(super) fn spread_conversion(&mut self, op: &Convert, active: u32) {
        if op.is_resize() {
            return self.spread_lanes(op.d, [op.a, Src::Imm(0), Src::Imm(0)], active, |x| x[0].map(|v| op.single(v)));
        }
        let (from, to) = (op.from.bits(), op.to.bits());
        let value = |bits: u64, number: u32| bits >> (number * from) & u64::MAX >> (64 - from) != 0;
        let half = |low: bool, high: bool| [low, high].map(|bad| if bad { u64::MAX >> (64 - to) } else { 0 });
        let a = self.undefined_row(op.a);
        let b = op.b.map(|b| self.undefined_row(b));
        let bits: Row = std::array::from_fn(|i| {
            let [low, high] = match &b {
                Some(b) => half(value(b[i], 0), value(a[i], 0)),
                None if op.packed => half(value(a[i], 0), value(a[i], 1)),
                None => return if value(a[i], 0) { u64::MAX } else { 0 },
            };
            low | high << to
        });
        self.set_undefined(op.d, active, &bits);
    }

    pub(super) fn spread_pack(&mut self, d: Reg, parts: &[Src], bits: u32, active: u32) {
        let mut wide = [0u128; LANES];
        for (n, part) in parts.iter().enumerate() {
            let row = self.undefined_row(*part);
            for (slot, part) in wide.iter_mut().zip(row) {
                *slot |= u128::from(part & u64::MAX >> (64 - bits)) << (n as u32 * bits);
            }
        }
        self.set_undefined(d, active, &wide.map(|w| w as u64));
        if parts.len() as u32 * bits > 64 && d != 0 {
            self.set_undefined(d + 1, active, &wide.map(|w| (w >> 64) as u64));
        }
    }

    pub(super) fn spread_unpack(&mut self, parts: &[Reg], a: &[Src; 2], bits: u32, active: u32) {
        let wide = parts.len() as u32 * bits > 64;
        let (low, high) = (self.undefined_row(a[0]), if wide { self.undefined_row(a[1]) } else { [0; LANES] });
        for (n, &d) in parts.iter().enumerate() {
            let part = |i: usize| {
                let wide = u128::from(high[i]) << 64 | u128::from(low[i]);
                (wide >> (n as u32 * bits)) as u64 & u64::MAX >> (64 - bits)
            };
            self.set_undefined(d, active, &std::array::from_fn(part));
        }
    }
}
