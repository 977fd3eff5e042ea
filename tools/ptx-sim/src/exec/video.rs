//! Video instructions (PTX ISA 9.7.18).

use super::core::Core;
use crate::code::{LANES, Row, Video, VideoKind};

impl Core<'_, '_> {
    pub(super) fn video(&self, op: &Video) -> Row {
        let (a, b, c) = (self.row(op.a), self.row(op.b), self.row(op.c));
        let mut out = [0; LANES];
        for lane in 0..LANES {
            out[lane] = u64::from(word(op, a[lane] as u32, b[lane] as u32, c[lane] as u32));
        }
        out
    }
}

fn word(op: &Video, a: u32, b: u32, c: u32) -> u32 {
    let ones = u32::MAX >> (32 - op.bits);
    let part = |word: u32, index: u32, signed: bool| {
        let bits = word >> (index * op.bits) & ones;
        if signed && bits >> (op.bits - 1) == 1 { i64::from(bits) - (1 << op.bits) } else { i64::from(bits) }
    };
    let result = |index: u32| combined(op.kind, part(a, index, op.signed[1]), part(b, index, op.signed[2]));
    let parts = 32 / op.bits;
    if op.sums {
        return (0..parts).fold(c, |sum, index| sum.wrapping_add(result(index) as u32));
    }
    (0..parts).fold(0, |word, index| {
        let kept = c >> (index * op.bits) & ones;
        let value = result(index);
        let value = if op.saturates { value.clamp(least(op), most(op)) } else { value } as u32 & ones;
        word | (if op.mask >> index & 1 == 1 { value } else { kept }) << (index * op.bits)
    })
}

fn combined(kind: VideoKind, a: i64, b: i64) -> i64 {
    match kind {
        VideoKind::Add => a + b,
        VideoKind::Subtract => a - b,
        VideoKind::Average => (a + b + 1) >> 1,
        VideoKind::Difference => (a - b).abs(),
        VideoKind::Minimum => a.min(b),
        VideoKind::Maximum => a.max(b),
    }
}

/// The smallest and the largest number of a part of d.
fn least(op: &Video) -> i64 {
    if op.signed[0] { -(1 << (op.bits - 1)) } else { 0 }
}

fn most(op: &Video) -> i64 {
    if op.signed[0] { (1 << (op.bits - 1)) - 1 } else { (1 << op.bits) - 1 }
}
