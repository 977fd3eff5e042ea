//! Calls of functions with copies: the threads that call one together hand it the same memory.

use std::collections::HashMap;

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ops::{CopyOp, string};
use tile_ops::{func, gpu};
use tile_plan::Scope;

use super::problem::Reader;
use super::unreadable::Unreadable;
use super::{name, sources, words};
use crate::walk;

const CALL: &str = func::CallOp::NAME;

/// The calls below `root` that break this, each with the reason.
pub fn disagreeing<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Vec<(OperationRef<'c, 'a>, Unreadable<'c>)> {
    let calls = walk::named(root, CALL);
    if calls.is_empty() {
        return Vec::new();
    }
    let scopes = scopes(root);
    let mut found = Vec::new();
    for call in calls {
        let Some(&scope) = callee(call).and_then(|callee| scopes.get(&callee)) else { continue };
        let memrefs = sources::operands(call).into_iter().filter(|value| sources::is_handed_alike(value.r#type()));
        let refused = memrefs.map(|memref| reader.agree(call, memref, scope)).find_map(Result::err);
        found.extend(refused.map(|reason| (call, reason)));
    }
    found
}

/// The widest scope of a copy in each function, by the function's name, calls of its own included.
///
/// Functions of one name in several modules are taken for one.
fn scopes(root: OperationRef<'_, '_>) -> HashMap<String, Scope> {
    let mut found: HashMap<String, Scope> = HashMap::new();
    for function in walk::matching(root, |name| matches!(name, func::FuncOp::NAME | gpu::GPUFuncOp::NAME)) {
        let Some(symbol) = string(function, "sym_name") else { continue };
        let inner = walk::matching(function, |name| name == CALL || CopyOp::is_name(name));
        let scope = inner.into_iter().map(|op| match name(op) {
            CALL => Scope::Cta,
            _ => words::scope(CopyOp(op).scope()),
        });
        if let Some(scope) = scope.max() {
            let known = found.entry(symbol).or_insert(scope);
            *known = scope.max(*known);
        }
    }
    found
}

fn callee(call: OperationRef<'_, '_>) -> Option<String> {
    func::CallOp::cast(call)?.callee()
}
