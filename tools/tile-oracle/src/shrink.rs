//! Shrinking a failing program.

use crate::ast::{Cond, Effect, Expr, Program, Stmt};
use crate::machine::Machine;

/// The smallest program found that still has a meaning and still fails.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().find(|candidate| is_right(candidate) && fails(candidate)) {
        best = smaller;
    }
    best
}

fn is_right(program: &Program) -> bool {
    Machine::run(program).is_ok()
}

/// Programs that are one step smaller, the boldest steps first.
fn candidates(program: &Program) -> Vec<Program> {
    let with = |body: Vec<Stmt>| Program { body, ..program.clone() };
    let mut all: Vec<Program> = bodies(&program.body).into_iter().map(with).collect();
    all.extend((program.blocks() > 1).then(|| Program { grid: [1, 1, 1], ..program.clone() }));
    all.extend((0..program.buffers.len()).filter_map(|number| without_buffer(program, number)));
    all
}

/// Bodies with one statement removed or simplified.
fn bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let replaced = |at: usize, with: Vec<Stmt>| [&body[..at], &with, &body[at + 1..]].concat();
    let mut all: Vec<Vec<Stmt>> = (0..body.len()).rev().map(|at| replaced(at, Vec::new())).collect();
    for (at, stmt) in body.iter().enumerate() {
        all.extend(simpler(stmt).into_iter().map(|with| replaced(at, with)));
    }
    all
}

/// The possible replacements of a statement.
fn simpler(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    match stmt {
        Stmt::If(cond, then, otherwise) => {
            let mut all = vec![then.clone(), otherwise.clone()];
            if let Cond::And(a, b) = cond {
                all.extend([a, b].map(|part| vec![Stmt::If((**part).clone(), then.clone(), otherwise.clone())]));
            }
            all.extend(bodies(then).into_iter().map(|body| vec![Stmt::If(cond.clone(), body, otherwise.clone())]));
            all.extend(bodies(otherwise).into_iter().map(|body| vec![Stmt::If(cond.clone(), then.clone(), body)]));
            all
        }
        Stmt::For { variable, range, body } => {
            let again = |range: [Expr; 3], body| vec![Stmt::For { variable: *variable, range, body }];
            let once = [Expr::Const(0), Expr::Const(1), Expr::Const(1)];
            let mut all = vec![body.clone()];
            all.extend((*range != once).then(|| again(once, body.clone())));
            all.extend(bodies(body).into_iter().map(|body| again(range.clone(), body)));
            all
        }
        Stmt::Copy(copy) => {
            let mut all = Vec::new();
            for dimension in (0..copy.src.begin.len()).filter(|&at| copy.src.begin[at] != Expr::Const(0)) {
                let mut copy = copy.clone();
                copy.src.begin[dimension] = Expr::Const(0);
                all.push(vec![Stmt::Copy(copy)]);
            }
            for dimension in (0..copy.dst.begin.len()).filter(|&at| copy.dst.begin[at] != Expr::Const(0)) {
                let mut copy = copy.clone();
                copy.dst.begin[dimension] = Expr::Const(0);
                all.push(vec![Stmt::Copy(copy)]);
            }
            if let Effect::Reduced(_) = copy.effect {
                all.push(vec![Stmt::Copy(crate::ast::Copy { effect: Effect::Moved, ..copy.clone() })]);
            }
            all.extend(
                copy.issue.is_some().then(|| vec![Stmt::Copy(crate::ast::Copy { issue: None, ..copy.clone() })]),
            );
            all
        }
        _ => Vec::new(),
    }
}

/// The program without a buffer, if nothing uses the buffer.
fn without_buffer(program: &Program, number: usize) -> Option<Program> {
    let mut used = false;
    crate::ast::walk(&program.body, &mut |stmt| {
        used |= match stmt {
            Stmt::Copy(copy) => copy.src.buffer == number || copy.dst.buffer == number,
            Stmt::Compute { buffer, .. } | Stmt::Dump { buffer, .. } => *buffer == number,
            _ => false,
        }
    });
    if used {
        return None;
    }
    let mut smaller = program.clone();
    smaller.buffers.remove(number);
    renumber(&mut smaller.body, number);
    Some(smaller)
}

/// Renumbers the buffers after the removed one.
fn renumber(body: &mut [Stmt], gone: usize) {
    let up = |buffer: &mut usize| *buffer -= usize::from(*buffer > gone);
    for stmt in body {
        match stmt {
            Stmt::Copy(copy) => {
                up(&mut copy.src.buffer);
                up(&mut copy.dst.buffer);
            }
            Stmt::Compute { buffer, .. } | Stmt::Dump { buffer, .. } => up(buffer),
            Stmt::If(_, then, otherwise) => {
                renumber(then, gone);
                renumber(otherwise, gone);
            }
            Stmt::For { body, .. } => renumber(body, gone),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::copies;
    use crate::draw;

    #[test]
    fn what_does_not_matter_goes() {
        let program = (0..).map(|number| draw::program(1, number)).find(|drawn| copies(&drawn.body).len() > 6).unwrap();
        let small = shrink(&program, &mut |candidate| !copies(&candidate.body).is_empty());
        assert_eq!(copies(&small.body).len(), 1);
        assert!(small.body.len() == 1 && small.buffers.len() == 2, "{small:?}");
    }
}
