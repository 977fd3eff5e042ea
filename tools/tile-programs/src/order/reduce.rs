//! Kernels that are one step smaller.

use super::ast::{Condition, Form, Index, Kernel, Memory, Statement};

/// Kernels that are one step smaller; some are not valid, and fail in another way.
pub fn candidates(kernel: &Kernel) -> Vec<Kernel> {
    let with = |body| Kernel { body, ..kernel.clone() };
    let mut all: Vec<_> = (kernel.blocks > 1).then(|| Kernel { blocks: 1, ..kernel.clone() }).into_iter().collect();
    all.extend(bodies(&kernel.body).into_iter().filter(|body| is_analysed(body)).map(with));
    all
}

/// Whether the passes analyse a kernel: it synchronizes, or has shared memory.
fn is_analysed(body: &[Statement]) -> bool {
    let one = |statement: &Statement| statement.is_synchronization() || matches!(statement, Statement::Initialize(_));
    body.iter().any(|statement| one(statement) || statement.bodies().into_iter().any(|body| is_analysed(body)))
}

/// Bodies with one statement removed or simplified.
fn bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let replaced = |at: usize, with: Vec<Statement>| [&body[..at], &with, &body[at + 1..]].concat();
    let mut all: Vec<_> = (0..body.len()).rev().map(|at| replaced(at, Vec::new())).collect();
    for (at, statement) in body.iter().enumerate() {
        all.extend(statement.bodies().into_iter().map(|inner| replaced(at, inner.clone())));
        all.extend(simpler(statement).into_iter().map(|one| replaced(at, vec![one])));
        for (which, inner) in statement.bodies().into_iter().enumerate() {
            for smaller in bodies(inner) {
                let mut one = statement.clone();
                if let Some(place) = one.bodies_mut().into_iter().nth(which) {
                    *place = smaller;
                }
                all.push(replaced(at, vec![one]));
            }
        }
    }
    all
}

/// Simpler statements with the same statements inside.
fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut all = Vec::new();
    let again = |change: &dyn Fn(&mut Statement)| {
        let mut one = statement.clone();
        change(&mut one);
        one
    };
    match statement {
        Statement::Access { form, memory, index, .. } => {
            all.extend((*form != Form::Plain).then(|| {
                again(&|changed| {
                    if let Statement::Access { form, .. } = changed {
                        *form = Form::Plain;
                    }
                })
            }));
            for simple in memories(memory) {
                all.push(again(&|changed| {
                    if let Statement::Access { memory, .. } = changed {
                        *memory = simple.clone();
                    }
                }));
            }
            for simple in indices(index) {
                all.push(again(&|changed| {
                    if let Statement::Access { index, .. } = changed {
                        *index = simple.clone();
                    }
                }));
            }
        }
        Statement::If(condition, then, otherwise) => {
            let with = |simple| Statement::If(simple, then.clone(), otherwise.clone());
            all.extend(conditions(condition).into_iter().map(with));
        }
        Statement::Bind { number, reference, memory, body } => {
            all.extend(memories(memory).into_iter().map(|memory| {
                let (number, reference, body) = (*number, *reference, body.clone());
                Statement::Bind { number, reference, memory, body }
            }));
        }
        Statement::Loop { end, carried, .. } => {
            all.extend(carried.is_some().then(|| {
                again(&|changed| {
                    if let Statement::Loop { carried, .. } = changed {
                        *carried = None;
                    }
                })
            }));
            for simple in indices(end) {
                all.push(again(&|changed| {
                    if let Statement::Loop { end, .. } = changed {
                        *end = simple.clone();
                    }
                }));
            }
        }
        _ => {}
    }
    all
}

fn memories(memory: &Memory) -> Vec<Memory> {
    match memory {
        Memory::Window(at, begin) => indices(begin).into_iter().map(|new| Memory::Window(*at, Box::new(new))).collect(),
        Memory::Choice { branch, condition, then, otherwise } => {
            let mut all = vec![(**then).clone(), (**otherwise).clone()];
            let with = |condition, then: &Memory, otherwise: &Memory| Memory::Choice {
                branch: *branch,
                condition: Box::new(condition),
                then: Box::new(then.clone()),
                otherwise: Box::new(otherwise.clone()),
            };
            all.extend(conditions(condition).into_iter().map(|new| with(new, then, otherwise)));
            all.extend(memories(then).into_iter().map(|new| with((**condition).clone(), &new, otherwise)));
            all.extend(memories(otherwise).into_iter().map(|new| with((**condition).clone(), then, &new)));
            all
        }
        Memory::Bound(_) => Vec::new(),
        Memory::Moved { from, .. } => vec![(**from).clone()],
    }
}

fn conditions(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::And(left, right) => vec![(**left).clone(), (**right).clone()],
        Condition::Not(inner) => vec![(**inner).clone()],
        Condition::Is(index, value) => indices(index).into_iter().map(|new| Condition::Is(new, *value)).collect(),
        Condition::Below(index, value) => indices(index).into_iter().map(|new| Condition::Below(new, *value)).collect(),
        Condition::Flag | Condition::Elected => Vec::new(),
    }
}

/// Simpler numbers; some are too large for where they stand, so that the kernel fails in another way.
fn indices(index: &Index) -> Vec<Index> {
    let mut all: Vec<Index> = (*index != Index::Constant(0)).then_some(Index::Constant(0)).into_iter().collect();
    match index {
        Index::Sum(left, right) => all.extend([(**left).clone(), (**right).clone()]),
        Index::Select(_, then, otherwise) => all.extend([(**then).clone(), (**otherwise).clone()]),
        Index::Times(left, _) | Index::Quotient(left, _) => all.push((**left).clone()),
        Index::Remainder(left, right) => {
            let with = |new: Index| Index::Remainder(Box::new(new), *right);
            all.extend(indices(left).into_iter().map(with));
        }
        _ => {}
    }
    all
}
