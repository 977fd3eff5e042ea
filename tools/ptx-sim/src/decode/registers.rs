//! Register allocation: virtual registers that are never live at the same time share a slot of the register file.
//!
//! LLVM gives every value a new register; a warp keeps 256 bytes for each slot, so thousands of values would take
//! megabytes.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::blocks::{intervals, split, unwritten_predicates};
use super::state::{Body, Places};
use crate::code::{Pred, Reg, Unwritten, Within};

/// Assigns slots to the registers from `base` on of a function that was decoded with one slot for each; its predicates
/// start at `first_pred`.
pub(crate) fn assign(draft: &Body, base: Reg, first_pred: Pred) -> Places {
    let count = (draft.state.registers - base) as usize;
    let labels: Vec<usize> = draft.state.labels.iter().map(|l| l.unwrap_or(0) as usize).collect();
    let mut place = vec![base; count];
    let mut next = base;
    let (live, unwritten, preds) = if draft.code.is_empty() {
        (vec![None; count], Vec::new(), Vec::new())
    } else {
        let blocks = split(&draft.code, &labels);
        let (live, unwritten) = intervals(&draft.code, &blocks, base, count);
        let preds = (draft.state.predicates - first_pred) as usize;
        (live, unwritten, unwritten_predicates(&draft.code, &blocks, first_pred, preds))
    };
    // Registers with a dedicated slot: halves of 128-bit values, and registers that are written after their
    // instruction.
    for reg in draft.state.pinned.iter().map(|&reg| (reg - base) as usize).filter(|&reg| live[reg].is_some()) {
        place[reg] = next;
        next += 1;
    }
    let free = |reg: &usize| !draft.state.pinned.contains(&(base + *reg as Reg));
    let mut order: Vec<(usize, usize, usize)> =
        (0..count).filter(free).filter_map(|reg| live[reg].map(|(start, end)| (start, end, reg))).collect();
    order.sort_unstable();
    let mut busy: BinaryHeap<Reverse<(usize, Reg)>> = BinaryHeap::new();
    let mut idle = BTreeSet::new();
    for (start, end, reg) in order {
        while let Some(&Reverse((until, slot))) = busy.peek()
            && until < start
        {
            busy.pop();
            idle.insert(slot);
        }
        let slot = idle.pop_first().unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        place[reg] = slot;
        busy.push(Reverse((end, slot)));
    }
    // Even if no register is live, there is one slot for those that nothing uses.
    let end = next.max(base + u32::from(count > 0));
    let bits = |reg: usize| draft.state.bits.get(reg).copied().unwrap_or(u64::MAX);
    let unwritten = Unwritten { regs: unwritten.iter().map(|&reg| (place[reg], bits(reg))).collect(), preds };
    Places { base, place, end, unwritten, within: vec![Within::Any; count] }
}

#[cfg(test)]
mod tests {
    use crate::decode;
    use crate::parse::parse;

    /// The number of slots that a kernel with this body takes, including the one that discards writes to `_`.
    fn registers(body: &str) -> u32 {
        let text = format!(
            ".version 8.0\n.visible .entry k()\n{{ .reg .b32 %r<100>; .reg .b128 %q<2>; .reg .pred %p;\n{body}\n}}"
        );
        let program = decode::decode(&parse(&text).unwrap()).unwrap();
        program.kernels[0].registers
    }

    #[test]
    fn values_that_do_not_meet_share_a_place() {
        let chain: String = (1..99).map(|i| format!("add.u32 %r{}, %r{}, 1;\n", i + 1, i)).collect();
        // A value and the next one, which may not take its slot in the very instruction that reads it.
        assert_eq!(registers(&format!("mov.u32 %r1, 0;\n{chain}")), 1 + 2);
    }

    #[test]
    fn values_live_around_a_loop_keep_their_place() {
        let body = "mov.u32 %r1, 5; mov.u32 %r2, 0;\n\
            LOOP: add.u32 %r3, %r1, %r2; add.u32 %r4, %r3, 1; mov.u32 %r2, %r4; setp.lt.u32 %p, %r2, 90; @%p bra LOOP;\n\
            add.u32 %r5, %r1, %r2;";
        // r1 and r2 are live throughout; of r3, r4 and r5, two at a time are live.
        assert_eq!(registers(body), 1 + 4);
    }

    #[test]
    fn wide_values_take_two_places_next_to_each_other_where_they_are_used() {
        assert_eq!(registers("mov.b128 %q1, {1, 2}; mov.b128 %q0, %q1;"), 1 + 4);
        assert_eq!(registers("mov.b128 %q1, {1, 2};"), 1 + 2);
    }

    #[test]
    fn a_predicated_write_does_not_end_a_value() {
        // In most iterations, r2 keeps its previous value, so it is live throughout, too.
        let body = "mov.u32 %r1, 0; mov.u32 %r2, 7;\n\
            LOOP: setp.eq.u32 %p, %r1, 50; @%p mov.u32 %r2, 9; add.u32 %r3, %r2, %r1; add.u32 %r4, %r3, 1;\n\
            add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 90; @%p bra LOOP;";
        assert_eq!(registers(body), 1 + 4);
    }
}
