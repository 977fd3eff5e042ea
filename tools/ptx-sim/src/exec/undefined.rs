//! What instructions make of values that PTX leaves undefined (see [`Poison`](super::poison::Poison)).
//!
//! This runs before an instruction of a warp that has such values; it has the values from before the instruction.

use super::core::{Core, lanes};
use super::poison::{Cause, NEVER, any};
use super::problem::{Exec, Problem, problem};
use crate::code::{
    Collective, Convert, Inst, LANES, Logic, Op, Pred, PredSrc, Reg, Row, SetPred, Spread, Src, TensorOp,
};
use crate::fault::FaultKind;

/// All bits of the lanes of a mask.
fn whole(mask: u32) -> Row {
    std::array::from_fn(|i| if mask >> i & 1 == 1 { u64::MAX } else { 0 })
}

/// From the lowest set bit upwards.
fn up(bits: u64) -> u64 {
    if bits == 0 { 0 } else { u64::MAX << bits.trailing_zeros() }
}

/// Every part of `bits` bits that has a set one, whole.
fn parts(value: u64, bits: u32) -> u64 {
    let part = u64::MAX >> (64 - bits.clamp(1, 64));
    (0..64 / bits.clamp(1, 64)).map(|n| part << (n * bits)).filter(|p| value & p != 0).fold(0, |m, p| m | p)
}

/// The bits of a function of three that depend on undefined bits of its arguments, where each bit of the result depends
/// on one bit of each argument.
fn vary(values: [Row; 3], undefined: [Row; 3], f: impl Fn(&[Row; 3]) -> Row) -> Row {
    let mut first = None;
    let mut out = [0; LANES];
    let moves = undefined.map(|row| any(&row) != 0);
    for combination in (0..8u32).filter(|c| (0..3).all(|i| moves[i] || c >> i & 1 == 0)) {
        let pick = |i: usize, lane: usize| {
            let fixed = values[i][lane] & !undefined[i][lane];
            if combination >> i & 1 == 1 { fixed | undefined[i][lane] } else { fixed }
        };
        let arguments = std::array::from_fn(|i| std::array::from_fn(|lane| pick(i, lane)));
        let result = f(&arguments);
        let first = *first.get_or_insert(result);
        (0..LANES).for_each(|lane| out[lane] |= first[lane] ^ result[lane]);
    }
    out
}

/// The lanes in which a function of predicates depends on undefined ones.
fn vary_logic(f: Logic, a: (u32, u32), b: (u32, u32)) -> u32 {
    let at = |x: u32, y: u32| f(a.0 & !a.1 | x & a.1, b.0 & !b.1 | y & b.1);
    let first = at(0, 0);
    [at(0, u32::MAX), at(u32::MAX, 0), at(u32::MAX, u32::MAX)].iter().fold(0, |m, v| m | first ^ v)
}

impl Core<'_, '_> {
    /// Carries undefined bits through an instruction, and refuses to decide anything on them.
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
                return self.stored(&info.uses, active);
            }
            Op::Matrix(op) if !op.load => {
                self.need(&base(op.addr.base), &[], active, ADDRESS)?;
                return self.stored(&info.uses, active);
            }
            Op::Tensor(op) => match &**op {
                TensorOp::Store { addr, .. } => {
                    self.need(&base(addr.base), &[], active, ADDRESS)?;
                    return self.stored(&info.uses, active);
                }
                _ => self.need(&info.uses, &info.pred_uses, active, "the instruction depends on")?,
            },
            Op::Collective(op) => return self.need(&base(op.members), &[], active, "the member mask is"),
            Op::Jump(_) | Op::Call(_) | Op::Return | Op::Exit => return Ok(()),
            op if self.spread(op, active) => return Ok(()),
            _ => self.need(&info.uses, &info.pred_uses, active, "the instruction depends on")?,
        }
        self.defined(&info.defs, &info.pred_defs, active);
        Ok(())
    }

    /// Refuses an undefined value among these.
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

    /// An instruction writes these with ordinary values.
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

    /// Whom to blame for what an instruction reads.
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

    /// Carries undefined bits through a register instruction; false where it is not one.
    fn spread(&mut self, op: &Op, active: u32) -> bool {
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
                std::array::from_fn(|i| super::compute::lop3(x[0][i], x[1][i], x[2][i], *table))
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

    fn spread_rare(&mut self, op: &Op, active: u32) -> bool {
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

    fn spread_lanes(&mut self, d: Reg, sources: [Src; 3], active: u32, f: impl Fn(&[Row; 3]) -> Row) {
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

    fn spread_comparison(&mut self, op: &SetPred, active: u32) {
        let unknown = self.undefined_lanes(op.a) | self.undefined_lanes(op.b);
        let (mut yes, mut no) = (unknown, unknown);
        if let Some((f, c)) = op.combine {
            let holds = (op.compare)(&self.row(op.a), &self.row(op.b));
            let c = (self.predicate(c), self.undefined_predicate(c));
            (yes, no) = (vary_logic(f, (holds, unknown), c), vary_logic(f, (!holds, unknown), c));
        }
        self.set_undefined_predicate(op.d, active, yes);
        if let Some(q) = op.q {
            self.set_undefined_predicate(q, active, no);
        }
    }

    /// Two values that are packed are converted on their own.
    fn spread_conversion(&mut self, op: &Convert, active: u32) {
        let a = self.undefined_row(op.a);
        let bits: Row = match op.b {
            None => a.map(|bits| if bits == 0 { 0 } else { u64::MAX }),
            Some(b) => {
                let b = self.undefined_row(b);
                let half = |bits: u64| if bits == 0 { 0 } else { 0xffff };
                std::array::from_fn(|i| half(b[i]) | half(a[i]) << 16)
            }
        };
        self.set_undefined(op.d, active, &bits);
    }

    fn spread_pack(&mut self, d: Reg, parts: &[Src], bits: u32, active: u32) {
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

    fn spread_unpack(&mut self, parts: &[Reg], a: &[Src; 2], bits: u32, active: u32) {
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

    /// What an operation of the lanes of `group` leaves undefined; `sources` are those of a `shfl`, lane by lane. It has the
    /// values from before the operation.
    pub(crate) fn spread_collective(&mut self, what: &Collective, group: u32, sources: Option<&[usize; LANES]>) {
        let strangers = |sources: &[usize; LANES]| lanes(group).any(|lane| group >> sources[lane] & 1 == 0);
        if self.warp.poison.is_none() && !sources.is_some_and(strangers) {
            return;
        }
        let info = &self.env.program.info[self.pc as usize];
        let (here, width) = (self.pc, info.width);
        let cause = match self.cause(group) {
            NEVER => here,
            earlier => earlier,
        };
        let any_of = |core: &Self, src| if core.undefined_lanes(src) & group != 0 { group } else { 0 };
        match what {
            Collective::Shuffle { d, p, a, b, c, .. } => {
                let Some(sources) = sources else { return };
                let (a, place) = (self.undefined_row(*a), self.undefined_lanes(*b) | self.undefined_lanes(*c));
                let bits = |lane: usize| match sources[lane] {
                    _ if place >> lane & 1 == 1 => width,
                    source if group >> source & 1 == 0 => width,
                    source => a[source],
                };
                let poison = self.warp.poison();
                poison.set(*d, group, &std::array::from_fn(bits), cause);
                if let Some(p) = p {
                    poison.set_predicate(*p, group, place, cause);
                }
            }
            Collective::VoteAll { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                let decided = !self.predicate(*a) & group & !unknown != 0;
                self.decide(*d, group, unknown != 0 && !decided, cause);
            }
            Collective::VoteAny { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                let decided = self.predicate(*a) & group & !unknown != 0;
                self.decide(*d, group, unknown != 0 && !decided, cause);
            }
            Collective::VoteUniform { d, a } => {
                let unknown = self.undefined_predicate(*a) & group;
                self.decide(*d, group, unknown != 0, cause);
            }
            Collective::Ballot { d, a } => {
                let unknown = u64::from(self.undefined_predicate(*a) & group);
                self.warp.poison().set(*d, group, &[unknown; LANES], cause);
            }
            Collective::MatchAny { d, a } | Collective::Reduce { d, a, .. } => {
                let bits = whole(any_of(self, *a)).map(|b| b & width);
                self.warp.poison().set(*d, group, &bits, cause);
            }
            Collective::MatchAll { d, p, a } => {
                let unknown = any_of(self, *a);
                self.warp.poison().set(*d, group, &whole(unknown).map(|b| b & width), cause);
                if let Some(p) = p {
                    self.warp.poison().set_predicate(*p, group, unknown, cause);
                }
            }
            Collective::Elect { d, p } => self.defined(&[*d], &[*p], group),
            Collective::Barrier => {}
        }
    }

    fn decide(&mut self, d: Pred, group: u32, unknown: bool, cause: Cause) {
        self.warp.poison().set_predicate(d, group, if unknown { group } else { 0 }, cause);
    }

    /// Lanes that divided by zero have no quotient.
    pub(crate) fn divided(&mut self, d: Reg, divisor: &Row, active: u32) {
        let zero = active & !any(divisor);
        if zero != 0 && self.env.checks.init {
            let width = self.env.program.info[self.pc as usize].width;
            self.warp.taint(d, zero, &whole(zero).map(|bits| bits & width), self.pc);
        }
    }
}

fn spread_whole(spread: Spread, bits: u64) -> u64 {
    match spread {
        _ if bits == 0 => 0,
        Spread::Up => up(bits),
        Spread::Parts(n) => parts(bits, n),
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: u64) -> Row {
        [value; LANES]
    }

    #[test]
    fn each_bit_depends_on_its_own() {
        let f = |f: fn(u64, u64) -> u64, a, b, x, y| {
            let both = |v: &[Row; 3]| -> Row { std::array::from_fn(|i| f(v[0][i], v[1][i])) };
            vary([row(a), row(b), row(0)], [row(x), row(y), row(0)], both)[0]
        };
        assert_eq!(f(|a, b| a & b, 0, 0x0f, 0xff, 0), 0x0f);
        assert_eq!(f(|a, b| a | b, 0, 0x0f, 0xff, 0), 0xf0);
        assert_eq!(f(|a, b| a ^ b, 0, 0, 0xf0, 0x3c), 0xfc);
        assert_eq!(f(|a, b| a >> b, 0, 8, 0xff00, 0), 0xff);
    }

    #[test]
    fn sums_and_parts() {
        assert_eq!((up(0), up(0x10), up(1)), (0, !0xf, u64::MAX));
        assert_eq!(parts(0x0001_0000, 16), 0xffff_0000);
        assert_eq!(parts(1 << 63, 64), u64::MAX);
    }

    #[test]
    fn one_side_may_decide() {
        let and = |a: u32, b: u32| a & b;
        // Lane 0: false and unknown; lane 1: true and unknown.
        assert_eq!(vary_logic(and, (0b10, 0), (0, 0b11)), 0b10);
    }
}
