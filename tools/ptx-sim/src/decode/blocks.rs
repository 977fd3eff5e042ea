//! Basic blocks of a function, and the liveness of its registers: a value is live from its write to its last read.

use crate::code::{Info, Inst, Op, Pred, PredSrc, Reg};

/// A run of instructions that is entered only at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// Indices of its instructions in the function.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Successor blocks, branch targets first.
    pub(crate) next: Vec<usize>,
    /// The block that follows if no branch is taken.
    pub(crate) falls: Option<usize>,
}

/// The successors of `inst`: labels, and whether control may fall through to the next instruction.
fn successors(inst: &Inst) -> (Vec<u32>, bool) {
    let always = inst.guard == PredSrc::Const(true);
    match &inst.op {
        Op::Jump(target) => (vec![*target], !always),
        Op::JumpTable { targets, .. } => (targets.to_vec(), !always),
        Op::Return | Op::Exit | Op::Trap | Op::AssertFail(_) => (Vec::new(), !always),
        _ => (Vec::new(), true),
    }
}

/// Splits `code` at labels and after branches. `labels[l]` is the instruction that label `l` precedes.
pub(crate) fn split(code: &[(Inst, Info)], labels: &[usize]) -> Vec<Block> {
    let mut starts = vec![false; code.len() + 1];
    starts[0] = true;
    for &at in labels {
        starts[at] = true;
    }
    for (i, (inst, _)) in code.iter().enumerate() {
        let (targets, falls) = successors(inst);
        if !targets.is_empty() || !falls {
            starts[i + 1] = true;
        }
    }
    let begins: Vec<usize> = (0..code.len()).filter(|&i| starts[i]).collect();
    let block_of = |at: usize| begins.partition_point(|&b| b <= at) - 1;
    let ends = begins.iter().skip(1).copied().chain([code.len()]);
    let mut blocks = Vec::new();
    for (&start, end) in begins.iter().zip(ends) {
        let (targets, falls) = successors(&code[end - 1].0);
        let falls = (falls && end < code.len()).then(|| block_of(end));
        let next = targets.iter().map(|&l| block_of(labels[l as usize])).chain(falls).collect();
        blocks.push(Block { start, end, next, falls });
    }
    blocks
}

/// A set of registers, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Adds all of `other`; returns whether anything is new.
    fn join(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= b & !*a != 0;
            *a |= b;
        }
        grown
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| w * 64 + b))
    }
}

/// The first and the last instruction between which a register is live, both included; none if it is never used.
pub(crate) type Interval = Option<(usize, usize)>;

/// The operands that an instruction reads, and those that it writes.
type Touched = fn(&Info) -> (&[u32], &[u32]);

fn registers(info: &Info) -> (&[Reg], &[Reg]) {
    (&info.uses, &info.defs)
}

fn predicates(info: &Info) -> (&[Pred], &[Pred]) {
    (&info.pred_uses, &info.pred_defs)
}

/// The predicates from `base` to `base + count` that may be read before they are written.
pub(crate) fn unwritten_predicates(code: &[(Inst, Info)], blocks: &[Block], base: Pred, count: usize) -> Vec<Pred> {
    let live_in = solve(code, blocks, base, count, predicates);
    live_in[0].iter().map(|p| base + p as Pred).collect()
}

/// The interval of each register from `base` to `base + count`, over the instructions in the order of the text; and the
/// registers that may be read before they are written, counted from `base`.
pub(crate) fn intervals(
    code: &[(Inst, Info)],
    blocks: &[Block],
    base: Reg,
    count: usize,
) -> (Vec<Interval>, Vec<usize>) {
    let live_in = solve(code, blocks, base, count, registers);
    let mut out = vec![None; count];
    let mut touch = |reg: usize, at: usize| {
        let slot: &mut Interval = &mut out[reg];
        *slot = Some(slot.map_or((at, at), |(a, b)| (a.min(at), b.max(at))));
    };
    for (block, live) in blocks.iter().zip(&live_in) {
        live.iter().for_each(|reg| touch(reg, block.start));
        for &next in &block.next {
            live_in[next].iter().for_each(|reg| touch(reg, block.end - 1));
        }
        for (at, (_, info)) in code.iter().enumerate().take(block.end).skip(block.start) {
            in_function(&info.uses, base).chain(in_function(&info.defs, base)).for_each(|reg| touch(reg, at));
        }
    }
    let unwritten = live_in[0].iter().collect();
    (out, unwritten)
}

/// The registers of this function among `regs`, counted from its first.
fn in_function(regs: &[Reg], base: Reg) -> impl Iterator<Item = usize> {
    regs.iter().filter(move |&&r| r >= base).map(move |&r| (r - base) as usize)
}

/// The registers that are live at the start of each block.
fn solve(code: &[(Inst, Info)], blocks: &[Block], base: Reg, count: usize, touched: Touched) -> Vec<Set> {
    let mut live_in = vec![Set::new(count); blocks.len()];
    loop {
        let mut changed = false;
        for (index, block) in blocks.iter().enumerate().rev() {
            let mut live = Set::new(count);
            for &next in &block.next {
                live.join(&live_in[next]);
            }
            for at in (block.start..block.end).rev() {
                let (inst, info) = &code[at];
                let (uses, defs) = touched(info);
                // Under a predicate, the old value may stay live.
                if inst.guard == PredSrc::Const(true) {
                    in_function(defs, base).for_each(|reg| live.remove(reg));
                }
                in_function(uses, base).for_each(|reg| live.insert(reg));
            }
            changed |= live_in[index].join(&live);
        }
        if !changed {
            return live_in;
        }
    }
}
