//! Kernels that are one step smaller.

use super::ast::{Copy, Expression, Kernel, Statement, Type};

/// Kernels that are one step smaller; some use a name that no statement defines, and are not valid.
pub fn candidates(kernel: &Kernel) -> Vec<Kernel> {
    bodies(&kernel.body).into_iter().map(|body| Kernel { body, ..kernel.clone() }).collect()
}

/// Bodies with one statement removed or simplified.
fn bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let replaced = |at: usize, with: &[Statement]| [&body[..at], with, &body[at + 1..]].concat();
    let mut all: Vec<_> = (0..body.len()).rev().map(|at| replaced(at, &[])).collect();
    for (at, statement) in body.iter().enumerate() {
        all.extend(simpler(statement).iter().map(|with| replaced(at, with)));
    }
    all
}

/// What may take the place of a statement.
fn simpler(statement: &Statement) -> Vec<Vec<Statement>> {
    match statement {
        Statement::Let(number, value) => {
            expressions(value).into_iter().map(|value| vec![Statement::Let(*number, value)]).collect()
        }
        Statement::If(condition, then, otherwise) => {
            let with = |condition: &Expression, then: &[Statement], otherwise: &[Statement]| {
                vec![Statement::If(condition.clone(), then.to_vec(), otherwise.to_vec())]
            };
            let mut all = vec![then.clone(), otherwise.clone()];
            all.extend(bodies(then).iter().map(|then| with(condition, then, otherwise)));
            all.extend(bodies(otherwise).iter().map(|otherwise| with(condition, then, otherwise)));
            all.extend(expressions(condition).iter().map(|condition| with(condition, then, otherwise)));
            all
        }
        Statement::For { variable, bounds, unsigned, body } => {
            let with = |bounds: [Expression; 3], unsigned, body| {
                vec![Statement::For { variable: *variable, bounds, unsigned, body }]
            };
            let mut all: Vec<_> = bodies(body).into_iter().map(|body| with(bounds.clone(), *unsigned, body)).collect();
            all.extend(arrays(bounds).into_iter().map(|bounds| with(bounds, *unsigned, body.clone())));
            all.extend(unsigned.then(|| with(bounds.clone(), false, body.clone())));
            all
        }
        Statement::AffineFor { variable, bounds, body } => {
            let with = |body| vec![Statement::AffineFor { variable: *variable, bounds: *bounds, body }];
            bodies(body).into_iter().map(with).collect()
        }
        Statement::Copy(copy) => {
            let mut all = Vec::new();
            if copy.part.is_some() {
                all.push(Copy { part: None, ..(**copy).clone() });
            }
            let parts = copy.part.iter().flat_map(arrays).map(Some);
            all.extend(parts.map(|part| Copy { part, ..(**copy).clone() }));
            all.extend(arrays(&copy.begin).into_iter().map(|begin| Copy { begin, ..(**copy).clone() }));
            all.into_iter().map(|copy| vec![Statement::Copy(Box::new(copy))]).collect()
        }
    }
}

/// Lists with one expression simplified.
fn arrays<const N: usize>(all: &[Expression; N]) -> Vec<[Expression; N]> {
    let mut out = Vec::new();
    for at in 0..N {
        for simple in expressions(&all[at]) {
            let mut one = all.clone();
            one[at] = simple;
            out.push(one);
        }
    }
    out
}

/// Expressions of the same type with fewer operations, or with constants in place of other values.
fn expressions(expression: &Expression) -> Vec<Expression> {
    let mut all = Vec::new();
    if !matches!(expression, Expression::Constant(..)) {
        let one = if expression.r#type() == Type::I1 { -1 } else { 1 };
        all.extend([0, one].map(|value| Expression::Constant(expression.r#type(), value)));
    }
    if let Expression::Operation(op, form, r#type, operands) = expression {
        all.extend(operands.iter().filter(|operand| operand.r#type() == *r#type).cloned());
        for (at, operand) in operands.iter().enumerate() {
            for simple in expressions(operand) {
                let mut operands = operands.clone();
                operands[at] = simple;
                all.push(Expression::Operation(*op, *form, *r#type, operands));
            }
        }
    }
    all
}
