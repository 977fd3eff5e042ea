//! The call graph: callees are decoded and laid out before their callers.

use std::collections::HashMap;

use crate::parse::ast::{Function, Operand, Statement};
use crate::parse::{ParseError, Result};

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The maximum nesting depth of calls.
const DEEPEST: usize = 256;

/// Indices of `functions`, each after the functions that it calls. Recursion is an error.
pub(crate) fn callees_first(functions: &[&Function]) -> Result<Vec<usize>> {
    let names: HashMap<&str, usize> = functions.iter().enumerate().map(|(i, f)| (f.name.as_str(), i)).collect();
    let mut marks = vec![Mark::New; functions.len()];
    let mut order = Vec::new();
    for index in 0..functions.len() {
        visit(index, functions, &names, &mut marks, &mut order, 0)?;
    }
    Ok(order)
}

fn visit(
    index: usize,
    functions: &[&Function],
    names: &HashMap<&str, usize>,
    marks: &mut [Mark],
    order: &mut Vec<usize>,
    depth: usize,
) -> Result<()> {
    match marks[index] {
        Mark::Done => return Ok(()),
        Mark::Open => {
            let f = functions[index];
            return Err(ParseError::new(f.at, format!("`{}` calls itself; recursion is not supported", f.name)));
        }
        Mark::New if depth > DEEPEST => {
            return Err(ParseError::new(functions[index].at, format!("calls nest more than {DEEPEST} deep")));
        }
        Mark::New => marks[index] = Mark::Open,
    }
    let mut called = Vec::new();
    callees(functions[index].body.as_deref().unwrap_or_default(), &mut called);
    for name in called {
        if let Some(&callee) = names.get(name) {
            visit(callee, functions, names, marks, order, depth + 1)?;
        }
    }
    marks[index] = Mark::Done;
    order.push(index);
    Ok(())
}

fn callees<'a>(statements: &'a [Statement], out: &mut Vec<&'a str>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner) => callees(inner, out),
            Statement::Instruction(i) if i.root == "call" => {
                out.extend(i.operands.iter().filter_map(|o| match o {
                    Operand::Name(name, 0) => Some(name.as_str()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
}
