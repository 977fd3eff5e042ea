//! The call graph: callees are decoded and laid out before their callers, and functions that call each other together.

use std::collections::{BTreeSet, HashMap};

use super::graph::strongly_connected;
use crate::parse::ast::{Function, Operand, Statement};

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

/// Functions that are decoded together: one, or several that call each other.
pub(crate) struct Group {
    /// Indices of the module's functions.
    pub(crate) functions: Vec<usize>,
    /// Whether a call of one of them may be made while another one is open.
    pub(crate) is_recursive: bool,
}

/// The functions in groups, each after the functions that it calls.
pub(crate) fn callees_first(functions: &[&Function], taken: &BTreeSet<usize>) -> Vec<Group> {
    // A kernel cannot be called, which is an error where it is tried.
    let callable = functions.iter().enumerate().filter(|(_, f)| !f.kernel);
    let names = Names { names: callable.map(|(i, f)| (f.name.as_str(), i)).collect(), taken };
    let called: Vec<Vec<usize>> = functions
        .iter()
        .map(|f| {
            let mut called = Vec::new();
            callees(f.body.as_deref().unwrap_or_default(), &mut called);
            names.of(&called)
        })
        .collect();
    let next: Vec<&[usize]> = called.iter().map(Vec::as_slice).collect();
    let all: Vec<usize> = (0..functions.len()).collect();
    let groups = strongly_connected(&next, &all, &vec![true; functions.len()]).into_iter();
    let group = |functions: Vec<usize>| Group {
        is_recursive: functions.len() > 1 || next[functions[0]].contains(&functions[0]),
        functions,
    };
    groups.map(group).collect()
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
