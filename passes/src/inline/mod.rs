//! `--tile-inline`: the functions that a kernel calls become part of it, by MLIR's inliner.
//!
//! ```text
//!   func.func private @row(%x: !tile) { … }           gone
//!   gpu.func @norm(…) kernel {                        gpu.func @norm(…) kernel {
//!     func.call @row(%a) : (!tile) -> ()                …, of %a
//!   }                                                 }
//! ```
//! Callees come before callers, so each body that is copied has no calls left but those that stay.

mod kept;
mod promises;

use std::collections::{HashMap, HashSet};

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Parts, Rewriter, matching};
use tile_ops::{builtin, func, gpu, interface};

use crate::options::LoweringOptions;
use crate::read::{kernel, name};
use crate::{promise, report, shim, walk, write_out};
use kept::KeptCall;
use promises::Promised;

/// Calls in calls in calls: no more than this many at once are followed.
const MAX_DEPTH: usize = 256;
/// Operations that all calls together may become.
const MAX_OPERATIONS: usize = 1 << 20;

/// Inlines the calls of every kernel at or below the root; `false`, after errors, where one cannot be inlined.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, keep: bool) -> bool {
    write_out::structure(ir);
    let root = ir.root();
    if !matches!(name(root), builtin::ModuleOp::NAME | gpu::GPUModuleOp::NAME) {
        let text =
            "is no module, expected builtin.module or gpu.module: --tile-inline reads the functions next to a caller";
        Diagnostic::error(text).emit(root);
        return false;
    }
    promise::write_alignment(ir, options);
    let mut inliner = Inliner::new(ir.rewriter(), keep);
    for caller in callers(ir.root()) {
        inliner.visit(caller, None);
    }
    inliner.complete && {
        erase_unreferenced(ir, &inliner.inlined);
        true
    }
}

/// What threads of a grid execute: kernels, functions of a `gpu.module`, launches.
fn callers<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let kinds = |name: &str| matches!(name, func::FuncOp::NAME | gpu::GPUFuncOp::NAME | gpu::LaunchOp::NAME);
    let mut functions = matching(root, kinds);
    functions.retain(|&op| kernel::is_launch(op) || kernel::is_entry(op) || is_in_gpu_module(op));
    functions
}

fn is_in_gpu_module(op: OperationRef<'_, '_>) -> bool {
    kernel::ancestors(op).any(|around| name(around) == gpu::GPUModuleOp::NAME)
}

/// Erases functions that nothing refers to: private ones of a `gpu.module`, or of the host if launches called them, which
/// outlining copies into a `gpu.module`; and those that were inlined and that nothing can call, because they pass registers.
fn erase_unreferenced<'c: 'a, 'a>(ir: &'a Ir<'c>, inlined: &[OperationRef<'c, 'a>]) {
    let symbols: HashSet<_> = inlined.iter().filter_map(|op| interface::symbol_name(*op)).collect();
    let functions = walk::named(ir.root(), func::FuncOp::NAME).into_iter();
    let mut left: Vec<_> = functions
        .filter(|op| {
            let was_inlined = interface::symbol_name(*op).is_some_and(|symbol| symbols.contains(&symbol));
            let is_private = shim::is_private(*op) && (is_in_gpu_module(*op) || was_inlined);
            is_private || was_inlined && kept::takes_registers(*op)
        })
        .collect();
    loop {
        let (unreferenced, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|&op| shim::is_unreferenced(op));
        if unreferenced.is_empty() {
            return;
        }
        unreferenced.into_iter().for_each(|function| ir.rewriter().erase(function));
        left = others;
    }
}

/// A function that is being visited, and the call that led to it, if one did.
struct CallFrame<'c, 'a> {
    function: OperationRef<'c, 'a>,
    call: Option<OperationRef<'c, 'a>>,
}

struct Inliner<'c, 'a> {
    rewriter: Rewriter<'c, 'a>,
    /// Whether a call that cannot be inlined stays.
    keep: bool,
    /// By address, the callers whose calls have been inlined.
    visited: HashMap<usize, Promised>,
    /// From a kernel to the function that is being visited.
    stack: Vec<CallFrame<'c, 'a>>,
    /// Functions that call themselves, by way of others or not.
    recursive: Vec<OperationRef<'c, 'a>>,
    inlined: Vec<OperationRef<'c, 'a>>,
    /// Operations that calls have become.
    operations: usize,
    complete: bool,
}

impl<'c: 'a, 'a> Inliner<'c, 'a> {
    fn new(rewriter: Rewriter<'c, 'a>, keep: bool) -> Self {
        Inliner {
            rewriter,
            keep,
            visited: HashMap::new(),
            stack: Vec::new(),
            recursive: Vec::new(),
            inlined: Vec::new(),
            operations: 0,
            complete: true,
        }
    }

    /// Inlines the calls in a caller, to which a call has led, and returns what it and they promise of launches.
    fn visit(&mut self, caller: OperationRef<'c, 'a>, by: Option<OperationRef<'c, 'a>>) -> Promised {
        let address = caller.to_raw().ptr as usize;
        if let Some(known) = self.visited.get(&address) {
            return known.clone();
        }
        // A function of the host becomes a part of kernels.
        shim::lower_affine_of(caller);
        self.stack.push(CallFrame { function: caller, call: by });
        let mut promised = Promised::of(caller);
        let calls = matching(caller, |name| matches!(name, func::CallOp::NAME | func::CallIndirectOp::NAME));
        for call in calls.into_iter().filter(|&call| kernel::function(call) == Some(caller)) {
            if let Err(stays) = self.call(call, &mut promised) {
                self.complete &= stays.report(call, self.keep);
            }
        }
        self.stack.pop();
        self.visited.insert(address, promised.clone());
        promised
    }

    /// Inlines one call.
    fn call(&mut self, call: OperationRef<'c, 'a>, caller: &mut Promised) -> Result<(), KeptCall<'c>> {
        let (callee, symbol) = callee(call)?;
        self.check_recursion(call, callee, &symbol)?;
        let promised = self.visit(callee, Some(call));
        if self.recursive.contains(&callee) {
            return Err(KeptCall::reported(format!("calls '@{symbol}', which calls itself")));
        }
        self.count(callee, &symbol)?;
        let at_callee = |reason: String| KeptCall::new(reason).note(callee.location(), format!("'@{symbol}' is here"));
        let together = caller.with(&promised, &symbol).map_err(at_callee)?;
        promises::keep_alignments(call, callee, self.rewriter).map_err(at_callee)?;
        if !shim::inline_call(call, callee) {
            let reason = format!(
                "calls '@{symbol}', which has several blocks, in a region of one; expected the call outside of scf ops, \
                 or a callee with scf.if and scf.for in place of branches"
            );
            return Err(at_callee(reason));
        }
        *caller = together;
        let text = format!("the body of '@{symbol}' is in place of its call");
        report::passed(call, "inlined", &text, &[("Callee", symbol)]);
        self.rewriter.erase(call);
        if !self.inlined.contains(&callee) {
            self.inlined.push(callee);
        }
        Ok(())
    }

    /// Refuses a callee that is being visited, and chains that are too long to follow.
    fn check_recursion(
        &mut self,
        call: OperationRef<'c, 'a>,
        callee: OperationRef<'c, 'a>,
        symbol: &str,
    ) -> Result<(), KeptCall<'c>> {
        if let Some(first) = self.stack.iter().position(|frame| frame.function == callee) {
            let cycle = &self.stack[first..];
            self.recursive.extend(cycle.iter().map(|frame| frame.function));
            let stays = KeptCall::new(format!("calls '@{symbol}' from itself, expected functions without recursion"));
            let stays = stays.note(callee.location(), format!("'@{symbol}' is here"));
            return Err(cycle.iter().skip(1).fold(stays, |stays, frame| {
                let called = interface::symbol_name(frame.function).unwrap_or_default();
                let place = frame.call.unwrap_or(frame.function).location();
                stays.note(place, format!("it calls '@{called}' here"))
            }));
        }
        if self.stack.len() > MAX_DEPTH {
            let reason =
                format!("calls '@{symbol}' in more than {MAX_DEPTH} calls, one inside the other, expected fewer");
            return Err(KeptCall::new(reason).note(call.location(), "the innermost call"));
        }
        Ok(())
    }

    /// Counts the operations of a callee, which the call becomes.
    fn count(&mut self, callee: OperationRef<'c, 'a>, symbol: &str) -> Result<(), KeptCall<'c>> {
        let operations = self.operations + matching(callee, |_| true).len();
        if operations > MAX_OPERATIONS {
            return Err(KeptCall::new(format!(
                "calls '@{symbol}', with which inlined calls become {operations} operations, expected at most \
                 {MAX_OPERATIONS}"
            )));
        }
        self.operations = operations;
        Ok(())
    }
}

/// The function that a call names, with its symbol.
fn callee<'c: 'a, 'a>(call: OperationRef<'c, 'a>) -> Result<(OperationRef<'c, 'a>, String), KeptCall<'c>> {
    let Some(direct) = func::CallOp::cast(call) else {
        return Err(KeptCall::new(
            "calls a function that is known only at run time, expected func.call of a function by name",
        ));
    };
    let symbol = direct.callee().unwrap_or_default();
    let is_module = |op: &OperationRef<'_, '_>| matches!(name(*op), builtin::ModuleOp::NAME | gpu::GPUModuleOp::NAME);
    let module = kernel::ancestors(call).find(is_module);
    let function = module.and_then(|module| walk::symbol(module, &symbol)).and_then(func::FuncOp::cast);
    let Some(function) = function else {
        return Err(KeptCall::new(format!("calls '@{symbol}', which the module around the call does not have")));
    };
    let callee = function.operation();
    if direct.no_inline() || function.no_inline() {
        return Err(KeptCall::asked(format!("calls '@{symbol}' with no_inline")));
    }
    if callee.region_at(0).and_then(|body| body.first_block()).is_none() {
        let reason = format!("calls '@{symbol}', which has no body, expected a function that the module defines");
        return Err(KeptCall::new(reason).note(callee.location(), format!("'@{symbol}' is declared here")));
    }
    Ok((callee, symbol))
}
