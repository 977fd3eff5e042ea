//! The order of basic blocks in the code.
//!
//! The diverged lanes of a warp run in the order of code indices, lowest first, so that those behind catch up. They
//! reconverge as early as the program allows if loops are contiguous and everything else is in topological order: a
//! weak topological order (Bourdoncle 1993), built here by splitting strongly connected components at their entries.
//!
//! ```text
//!   source order          laid out
//!   A: if p goto C        A
//!   D: … return           B … goto D'      both arms come before
//!   C: … goto D'          C                the join point
//! ```

use super::blocks::{Block, split};
use super::graph::strongly_connected;
use crate::code::{Info, Inst, Op, PredSrc, Program};
use crate::parse::{ParseError, Position, Result};

/// Appends `code` to the program, block by block, with labels replaced by code indices.
pub(crate) fn lay_out(
    mut code: Vec<(Inst, Info)>,
    labels: &[Option<u32>],
    program: &mut Program,
    at: Position,
) -> Result<()> {
    // A body that runs off its end returns, and a label at the very end precedes that return.
    let info = Info::none(code.last().map_or(at.line, |c| c.1.line));
    code.push((Inst { op: Op::Return, guard: PredSrc::Const(true), counts: 0 }, info));
    let labels: Vec<usize> = labels.iter().map(|l| l.unwrap_or(0) as usize).collect();
    let blocks = split(&code, &labels);
    let order = order(&blocks).ok_or_else(|| ParseError::new(at, format!("loops nest more than {DEEPEST} deep")))?;
    let mut emitted = Emitted { starts: vec![0; blocks.len()], code: Vec::new() };
    let mut code: Vec<Option<(Inst, Info)>> = code.into_iter().map(Some).collect();
    for (position, &block) in order.iter().enumerate() {
        emitted.block(&blocks[block], block, order.get(position + 1).copied(), &mut code, program.code.len());
    }
    let resolve = |label: u32| {
        let block = blocks.partition_point(|b| b.start <= labels[label as usize]) - 1;
        emitted.starts[block]
    };
    for (mut inst, info, fall) in emitted.code {
        match &mut inst.op {
            Op::Jump(target) => *target = fall.map_or_else(|| resolve(*target), |b| emitted.starts[b]),
            Op::JumpTable { targets, .. } => targets.iter_mut().for_each(|t| *t = resolve(*t)),
            _ => {}
        }
        program.code.push(inst);
        program.info.push(info);
    }
    u32::try_from(program.code.len()).map_err(|_| ParseError::new(at, "the module is too large"))?;
    Ok(())
}

struct Emitted {
    /// Code index of each block's first instruction.
    starts: Vec<u32>,
    /// Instructions; a jump that was added carries its target block.
    code: Vec<(Inst, Info, Option<usize>)>,
}

impl Emitted {
    fn block(
        &mut self,
        block: &Block,
        index: usize,
        follower: Option<usize>,
        code: &mut [Option<(Inst, Info)>],
        base: usize,
    ) {
        self.starts[index] = (base + self.code.len()) as u32;
        for slot in &mut code[block.start..block.end] {
            if let Some((inst, info)) = slot.take() {
                self.code.push((inst, info, None));
            }
        }
        if block.falls.is_some() && block.falls != follower {
            let line = self.code.last().map_or(0, |c| c.1.line);
            let info = Info::none(line);
            self.code.push((Inst { op: Op::Jump(0), guard: PredSrc::Const(true), counts: 0 }, info, block.falls));
        }
    }
}

/// The maximum nesting depth of loops.
const DEEPEST: usize = 256;

/// A weak topological order of the reachable blocks, entry first; none if loops nest too deeply.
pub(crate) fn order(blocks: &[Block]) -> Option<Vec<usize>> {
    let next: Vec<&[usize]> = blocks.iter().map(|block| block.next.as_slice()).collect();
    let mut out = Vec::new();
    let mut member = vec![true; blocks.len()];
    components(&next, &[0], &mut member, &mut out, 0)?;
    Some(out)
}

/// Appends the blocks that `roots` reach inside `member`, and removes them from `member`.
fn components(
    next: &[&[usize]],
    roots: &[usize],
    member: &mut [bool],
    out: &mut Vec<usize>,
    depth: usize,
) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    let mut parts = strongly_connected(next, roots, member);
    for c in &parts {
        c.iter().for_each(|&b| member[b] = false);
    }
    // Components come out in reverse topological order.
    while let Some(component) = parts.pop() {
        // The member that was entered first is last in its list.
        let Some((&head, rest)) = component.split_last() else { continue };
        out.push(head);
        if rest.is_empty() {
            continue;
        }
        rest.iter().for_each(|&b| member[b] = true);
        components(next, next[head], member, out, depth + 1)?;
        assert!(rest.iter().all(|&b| !member[b]));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(next: &[&[usize]]) -> Vec<Block> {
        next.iter().enumerate().map(|(i, n)| Block { start: i, end: i + 1, next: n.to_vec(), falls: None }).collect()
    }

    fn position(order: &[usize], block: usize) -> usize {
        order.iter().position(|&b| b == block).unwrap()
    }

    #[test]
    fn both_arms_come_before_their_meeting_point() {
        // 0 → 2, 1; 1 → 3; 2 → 1 is laid out late in the source: 0, 1 (join), 2 (arm).
        let order = order(&graph(&[&[2, 1], &[], &[1]])).unwrap();
        assert_eq!(order, [0, 2, 1]);
    }

    #[test]
    fn a_loop_is_contiguous_and_comes_before_its_exit() {
        // 0 → 1; 1 (head) → 4 (exit), 2; 2 → 3; 3 → 1, 4; 4.
        let order = order(&graph(&[&[1], &[4, 2], &[3], &[1, 4], &[]])).unwrap();
        assert_eq!(order, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn nested_loops_stay_inside() {
        // 0 → 1; outer head 1 → 2, 5; inner head 2 → 3, 4; 3 → 2; 4 → 1; 5.
        let order = order(&graph(&[&[1], &[2, 5], &[4, 3], &[2], &[1], &[]])).unwrap();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_loop_with_two_entries_is_ordered_too() {
        let order = order(&graph(&[&[1, 2], &[2], &[1, 3], &[]])).unwrap();
        assert_eq!(order.len(), 4);
        assert_eq!(position(&order, 3), 3);
    }

    #[test]
    fn unreachable_blocks_are_left_out() {
        assert_eq!(order(&graph(&[&[2], &[2], &[]])).unwrap(), [0, 2]);
    }
}
