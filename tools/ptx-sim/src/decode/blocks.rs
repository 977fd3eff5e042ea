//! Basic blocks of a function.

use crate::code::{Info, Inst, Op, PredSrc};

/// A run of instructions entered at its start only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// Indices of its instructions in the function.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Blocks that may follow: branch targets first.
    pub(crate) next: Vec<usize>,
    /// The block that follows where no branch is taken.
    pub(crate) falls: Option<usize>,
}

/// Where control may go from `op`: labels, and whether the next instruction may follow.
pub(crate) fn successors(inst: &Inst) -> (Vec<u32>, bool) {
    let always = inst.guard == PredSrc::Const(true);
    match &inst.op {
        Op::Jump(target) => (vec![*target], !always),
        Op::JumpTable { targets, .. } => (targets.to_vec(), !always),
        Op::Return | Op::Exit | Op::Trap | Op::AssertFail(_) => (Vec::new(), !always),
        _ => (Vec::new(), true),
    }
}

/// Splits `code` at labels and after branches. `labels[l]` is the instruction before which label `l` stands.
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
