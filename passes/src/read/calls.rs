//! Calls of functions with copies: the threads that make a call together pass the same memory, and the same extents and strides
//! of tiles.

use std::collections::{HashMap, HashSet};

use melior::ir::{BlockRef, OperationRef, RegionLike};
use tile_dialect::ir::{Parts, arguments_of};
use tile_dialect::ops::CopyOp;
use tile_isa::Scope;
use tile_ops::{func, gpu, interface};

use super::problem::Reader;
use super::{Unreadable, effects, kernel, name, values};
use crate::walk;

const CALL: &str = func::CallOp::NAME;

/// The calls below `root` that break this rule, each with the reason.
pub fn disagreeing<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Vec<(OperationRef<'c, 'a>, Unreadable<'c>)> {
    let calls = walk::named(root, CALL);
    if calls.is_empty() {
        return Vec::new();
    }
    let callees = callees(root);
    let mut disagreements = Vec::new();
    for call in calls {
        let Some(callee) = callee(call).and_then(|callee| callees.get(&callee)) else { continue };
        let handed = values::operands(call).into_iter().zip(&callee.alike).filter(|(_, alike)| **alike);
        let refused = handed.map(|(value, _)| reader.agree(call, value, callee.scope)).find_map(Result::err);
        disagreements.extend(refused.map(|reason| (call, reason)));
    }
    disagreements
}

/// A function with copies.
struct Callee {
    /// The widest scope of a copy in it; a call in it has scope `cta`.
    scope: Scope,
    /// For each argument, whether all threads of a scope must pass the same value.
    alike: Vec<bool>,
}

/// The functions with copies, in them or in what they call, by name; functions of one name in several modules are treated as one.
fn callees(root: OperationRef<'_, '_>) -> HashMap<String, Callee> {
    let functions = walk::matching(root, |name| matches!(name, func::FuncOp::NAME | gpu::GPUFuncOp::NAME));
    let functions: Vec<_> = functions.into_iter().filter_map(|op| Some((interface::symbol_name(op)?, op))).collect();
    let scopes = scopes(&functions);
    let mut by_symbol: HashMap<String, Callee> = HashMap::new();
    for (symbol, function) in functions {
        let Some(&scope) = scopes.get(&symbol) else { continue };
        let arguments = entry(function).map(arguments_of).unwrap_or_default();
        let alike: Vec<bool> = arguments.into_iter().map(effects::must_be_uniform_argument).collect();
        let known = by_symbol.entry(symbol).or_insert_with(|| Callee { scope, alike: alike.clone() });
        known.alike.iter_mut().zip(alike).for_each(|(known, other)| *known |= other);
    }
    by_symbol
}

/// The widest scope of a copy in each of these functions that has any. A call of one has scope `cta`.
fn scopes(functions: &[(String, OperationRef<'_, '_>)]) -> HashMap<String, Scope> {
    let bodies: HashSet<&str> =
        functions.iter().filter(|(_, op)| entry(*op).is_some()).map(|(symbol, _)| symbol.as_str()).collect();
    let mut scopes: HashMap<String, Scope> = HashMap::new();
    let mut callers: Vec<(&str, Vec<String>)> = Vec::new();
    for (symbol, function) in functions {
        // The threads of a launch execute what is in it, wherever the function is called.
        let inner = walk::matching(*function, |name| name == CALL || CopyOp::is_name(name)).into_iter();
        let (calls, copies): (Vec<_>, Vec<_>) =
            inner.filter(|op| kernel::function(*op) == Some(*function)).partition(|op| name(*op) == CALL);
        let called: Vec<String> = calls.into_iter().filter_map(callee).collect();
        // A function whose body is elsewhere may have copies, where threads call it.
        let may_copy = is_of_threads(*function) && called.iter().any(|callee| !bodies.contains(callee.as_str()));
        let copies = copies.into_iter().map(|op| CopyOp(op).scope()).max();
        if let Some(scope) = copies.max(may_copy.then_some(Scope::Cta)) {
            let known = scopes.entry(symbol.clone()).or_insert(scope);
            *known = scope.max(*known);
        }
        callers.push((symbol, called));
    }
    loop {
        let copies = |(_, called): &&(&str, Vec<String>)| called.iter().any(|callee| scopes.contains_key(callee));
        let calling = callers.iter().filter(copies).map(|(symbol, _)| *symbol);
        let calling: Vec<_> = calling.filter(|symbol| scopes.get(*symbol) != Some(&Scope::Cta)).collect();
        if calling.is_empty() {
            return scopes;
        }
        scopes.extend(calling.into_iter().map(|symbol| (symbol.to_owned(), Scope::Cta)));
    }
}

/// The first block of a function; `None` for a declaration.
fn entry<'c, 'a>(function: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    function.region_at(0).and_then(|region| region.first_block())
}

/// Whether the threads of a grid execute a function, wherever it is called.
fn is_of_threads(function: OperationRef<'_, '_>) -> bool {
    kernel::ancestors(function).any(|around| name(around) == gpu::GPUModuleOp::NAME)
}

fn callee(call: OperationRef<'_, '_>) -> Option<String> {
    func::CallOp::cast(call)?.callee()
}
