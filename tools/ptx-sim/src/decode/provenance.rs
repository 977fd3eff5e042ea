//! The shared variables from which an address is derived.
//!
//! They are computed once, during decoding, from the instructions that define registers: whatever loops do, an address
//! that is derived from one variable must stay inside it. Offsets may have any origin; a value from memory may be an
//! address of any variable, and so may a value that is derived from a variable on some paths and not on others.
//!
//! ```text
//! mov.u64 %rd1, s;              derived from s
//! add.s64 %rd2, %rd1, %rd9;     derived from s, too: %rd9 is a number
//! selp.b64 %rd3, %rd2, %rd4, %p; derived from s or from the origin of %rd4
//! ```

use std::collections::BTreeSet;

use crate::code::{Collective, Info, Inst, Op, Reg, Src};

/// The most variables that are distinguished.
const MOST: usize = 8;

/// The variables from which a value is derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// No variable: a number.
    Number,
    /// One of these, by their symbols.
    From(BTreeSet<u32>),
    /// Nothing is known.
    Unknown,
}

impl Origin {
    fn of(symbols: BTreeSet<u32>) -> Self {
        if symbols.len() > MOST { Self::Unknown } else { Self::From(symbols) }
    }

    /// The origin of a value that is computed from both.
    fn with(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Number, other) => other.clone(),
            (this, Self::Number) => this,
            (Self::From(a), Self::From(b)) => Self::of(a.union(b).copied().collect()),
        }
    }

    /// The origin of a value that is one or the other.
    fn or(self, other: &Self) -> Self {
        match (self, other) {
            (this, other) if this == *other => this,
            (Self::From(a), Self::From(b)) => Self::of(a.union(b).copied().collect()),
            _ => Self::Unknown,
        }
    }
}

/// The origins of the registers from `base` to `base + count`; `shared` are the symbols of shared variables.
pub(crate) fn origins(code: &[(Inst, Info)], base: Reg, count: usize, shared: &BTreeSet<u32>) -> Vec<Origin> {
    let mut origins: Vec<Option<Origin>> = vec![None; count];
    if shared.len() > 1 {
        while pass(code, base, shared, &mut origins) {}
    }
    origins.into_iter().map(|origin| origin.unwrap_or(Origin::Unknown)).collect()
}

/// Makes one pass over the code; returns whether anything has changed.
fn pass(code: &[(Inst, Info)], base: Reg, shared: &BTreeSet<u32>, origins: &mut [Option<Origin>]) -> bool {
    let mut changed = false;
    for (inst, info) in code {
        let Some(origin) = result(inst, info, base, shared, origins) else { continue };
        for &d in info.defs.iter().filter(|&&d| d >= base) {
            let slot = &mut origins[(d - base) as usize];
            let merged = match slot.take() {
                None => origin.clone(),
                Some(before) => {
                    let merged = before.clone().or(&origin);
                    if merged == before {
                        *slot = Some(before);
                        continue;
                    }
                    merged
                }
            };
            *slot = Some(merged);
            changed = true;
        }
    }
    changed
}

/// The origin of an instruction's result; none while the origin of an operand is not yet known.
fn result(inst: &Inst, info: &Info, base: Reg, shared: &BTreeSet<u32>, origins: &[Option<Origin>]) -> Option<Origin> {
    let register = |r: Reg| match r.checked_sub(base) {
        Some(index) => origins[index as usize].clone(),
        None => Some(Origin::Unknown),
    };
    let symbol = |s: u32| if shared.contains(&s) { Origin::From(BTreeSet::from([s])) } else { Origin::Number };
    let source = |src: Src| match src {
        Src::Reg(r) => register(r),
        Src::Symbol(s, _) => Some(symbol(s)),
        _ => Some(Origin::Number),
    };
    match &inst.op {
        Op::Select { a, b, .. } => Some(source(*a)?.or(&source(*b)?)),
        Op::Lanes1 { .. }
        | Op::Lanes2 { .. }
        | Op::Lanes3 { .. }
        | Op::Divide { .. }
        | Op::Lop3 { .. }
        | Op::Insert { .. }
        | Op::Carry(_)
        | Op::Convert(_)
        | Op::Move128 { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. }
        | Op::Mapa(_) => {
            let registers = info.uses.iter().map(|&r| register(r));
            let symbols = info.symbols.iter().map(|&s| Some(symbol(s)));
            registers.chain(symbols).try_fold(Origin::Number, |made, part| Some(made.with(&part?)))
        }
        Op::Collective(op) => match &op.what {
            Collective::Shuffle { a, .. } => source(*a),
            _ => Some(Origin::Number),
        },
        // A value from memory may be an address.
        _ => Some(Origin::Unknown),
    }
}
