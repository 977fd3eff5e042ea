//! Which shared variables an address is made from.
//!
//! Found once, while decoding, from how registers are computed: whatever the loops do, an address that is made from one
//! variable must stay inside it. Offsets come from anywhere; a value from memory may be an address of any variable, and
//! so may one that is sometimes made from a variable and sometimes not.
//!
//! ```text
//! mov.u64 %rd1, s;              made from s
//! add.s64 %rd2, %rd1, %rd9;     made from s, too: %rd9 is a number
//! selp.b64 %rd3, %rd2, %rd4, %p; made from s or from what %rd4 is made from
//! ```

use std::collections::BTreeSet;

use crate::code::{Collective, Info, Inst, Op, Reg, Src};

/// The most variables that are distinguished.
const MOST: usize = 8;

/// What a value is made from.
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

    /// Of a value that is computed from both.
    fn with(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Number, other) => other.clone(),
            (this, Self::Number) => this,
            (Self::From(a), Self::From(b)) => Self::of(a.union(b).copied().collect()),
        }
    }

    /// Of a value that is one or the other.
    fn or(self, other: &Self) -> Self {
        match (self, other) {
            (this, other) if this == *other => this,
            (Self::From(a), Self::From(b)) => Self::of(a.union(b).copied().collect()),
            _ => Self::Unknown,
        }
    }
}

/// The origins of the registers from `base` to `base + count`; `shared` are the symbols that matter.
pub(crate) fn origins(code: &[(Inst, Info)], base: Reg, count: usize, shared: &BTreeSet<u32>) -> Vec<Origin> {
    let mut found: Vec<Option<Origin>> = vec![None; count];
    if shared.len() > 1 {
        while pass(code, base, shared, &mut found) {}
    }
    found.into_iter().map(|origin| origin.unwrap_or(Origin::Unknown)).collect()
}

/// Goes through the code once; gives whether anything has changed.
fn pass(code: &[(Inst, Info)], base: Reg, shared: &BTreeSet<u32>, found: &mut [Option<Origin>]) -> bool {
    let mut changed = false;
    for (inst, info) in code {
        let Some(origin) = result(inst, info, base, shared, found) else { continue };
        for &d in info.defs.iter().filter(|&&d| d >= base) {
            let slot = &mut found[(d - base) as usize];
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

/// What an instruction makes; none while something that it reads is not known yet.
fn result(inst: &Inst, info: &Info, base: Reg, shared: &BTreeSet<u32>, found: &[Option<Origin>]) -> Option<Origin> {
    let register = |r: Reg| match r.checked_sub(base) {
        Some(index) => found[index as usize].clone(),
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
