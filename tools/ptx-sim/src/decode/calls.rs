//! The call graph: callees are decoded and laid out before their callers.

use std::collections::{BTreeSet, HashMap};

use crate::parse::ast::{Function, Operand, Statement};
use crate::parse::{ParseError, Result};

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The functions by name, and those whose addresses are taken.
struct Names<'a> {
    names: HashMap<&'a str, usize>,
    taken: &'a BTreeSet<usize>,
}

impl Names<'_> {
    /// The functions that calls of these names may reach: a register may hold any address that is taken.
    fn of(&self, called: &[Callee<'_>]) -> Vec<usize> {
        let mut reached = Vec::new();
        for callee in called {
            match (self.names.get(callee.name), callee.by_address) {
                (Some(&index), _) => reached.push(index),
                (None, true) => reached.extend(self.taken),
                (None, false) => {}
            }
        }
        reached
    }
}

/// What a call names: a function, or a register that holds its address.
struct Callee<'a> {
    name: &'a str,
    by_address: bool,
}

/// The maximum nesting depth of calls.
const DEEPEST: usize = 256;

/// The functions whose addresses the module takes, by their indices: those that an initializer names, or an operand of an
/// instruction other than a call.
pub(crate) fn taken(functions: &[&Function], initializers: &[&str]) -> BTreeSet<usize> {
    let mut named: Vec<&str> = initializers.to_vec();
    functions.iter().for_each(|f| operands(f.body.as_deref().unwrap_or_default(), &mut named));
    let index = |name: &&str| functions.iter().position(|f| !f.kernel && f.name == **name);
    named.iter().filter_map(index).collect()
}

fn operands<'a>(statements: &'a [Statement], out: &mut Vec<&'a str>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner) => operands(inner, out),
            Statement::Instruction(i) if i.root == "mov" => out.extend(i.operands.iter().filter_map(name)),
            _ => {}
        }
    }
}

fn name(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Name(name, 0) => Some(name),
        _ => None,
    }
}

/// Indices of `functions`, each after the functions that it calls. Recursion is an error.
pub(crate) fn callees_first(functions: &[&Function], taken: &BTreeSet<usize>) -> Result<Vec<usize>> {
    let names: HashMap<&str, usize> = functions.iter().enumerate().map(|(i, f)| (f.name.as_str(), i)).collect();
    let names = Names { names, taken };
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
    names: &Names<'_>,
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
    for callee in names.of(&called) {
        visit(callee, functions, names, marks, order, depth + 1)?;
    }
    marks[index] = Mark::Done;
    order.push(index);
    Ok(())
}

fn callees<'a>(statements: &'a [Statement], out: &mut Vec<Callee<'a>>) {
    for statement in statements {
        match statement {
            Statement::Scope(inner) => callees(inner, out),
            Statement::Instruction(i) if i.root == "call" => {
                let mut names = i.operands.iter().filter_map(name);
                let called = names.next().map(|name| Callee { name, by_address: names.next().is_some() });
                out.extend(called);
            }
            _ => {}
        }
    }
}
