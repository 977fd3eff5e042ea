//! Calls of functions with copies: the threads that make a call together pass the same memory, and the same extents and strides
//! of tiles.

use std::collections::HashMap;

use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::{Parts, arguments_of};
use tile_dialect::ops::CopyOp;
use tile_isa::Scope;
use tile_ops::{func, gpu, interface};

use super::problem::Reader;
use super::{Unreadable, effects, name, values};
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
    let mut found = Vec::new();
    for call in calls {
        let Some(callee) = callee(call).and_then(|callee| callees.get(&callee)) else { continue };
        let handed = values::operands(call).into_iter().zip(&callee.alike).filter(|(_, alike)| **alike);
        let refused = handed.map(|(value, _)| reader.agree(call, value, callee.scope)).find_map(Result::err);
        found.extend(refused.map(|reason| (call, reason)));
    }
    found
}

/// A function with copies.
struct Callee {
    /// The widest scope of a copy in it; a call in it has scope `cta`.
    scope: Scope,
    /// For each argument, whether all threads of a scope must pass the same value.
    alike: Vec<bool>,
}

/// The functions with copies, by name; functions of one name in several modules are treated as one.
fn callees(root: OperationRef<'_, '_>) -> HashMap<String, Callee> {
    let mut found: HashMap<String, Callee> = HashMap::new();
    for function in walk::matching(root, |name| matches!(name, func::FuncOp::NAME | gpu::GPUFuncOp::NAME)) {
        let Some(symbol) = interface::symbol_name(function) else { continue };
        let inner = walk::matching(function, |name| name == CALL || CopyOp::is_name(name));
        let scope = inner.into_iter().map(|op| match name(op) {
            CALL => Scope::Cta,
            _ => CopyOp(op).scope(),
        });
        if let Some(scope) = scope.max() {
            let entry = function.region_at(0).and_then(|region| region.first_block());
            let arguments = entry.map(arguments_of).unwrap_or_default();
            let alike: Vec<bool> = arguments.into_iter().map(effects::must_be_uniform_argument).collect();
            let known = found.entry(symbol).or_insert_with(|| Callee { scope, alike: alike.clone() });
            known.scope = scope.max(known.scope);
            known.alike.iter_mut().zip(alike).for_each(|(known, other)| *known |= other);
        }
    }
    found
}

fn callee(call: OperationRef<'_, '_>) -> Option<String> {
    func::CallOp::cast(call)?.callee()
}
