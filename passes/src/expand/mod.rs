//! `--tile-expand-copy`: staged copies and buffers as loads, stores and matrix instructions.

mod access;
mod arith;
mod bulk;
mod control;
mod cp_async;
mod exchange;
mod function;
mod matrix;
mod pointer;
mod scalar;
mod storage;
mod tensor_access;
mod tensor_copy;
mod tmem;
mod vector;
mod wait;

pub(crate) use pointer::pointer_to_barrier;

use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter, is_used};
use tile_dialect::ops::{self, CopyOp, StageOp};
use tile_layout::counted;
use tile_plan::Threads;

use crate::build::{Builder, result_of};
use crate::options::Options;
use crate::read::problem::Reader;
use crate::read::{kernel, name, words};
use crate::{stage, walk};
use arith::{Emit, Sum};
use function::Function;

const STAGED: [&str; 6] = [
    "tile.vector_copy",
    "tile.matrix_copy",
    "tile.tensor_copy",
    "tile.tensor_access",
    "tile.bulk_copy",
    "tile.scalar_copy",
];

/// Writes every staged copy below the root as ops of other dialects; `false`, after errors, when one is left.
pub fn run(ir: &mut Ir<'_>, options: &Options) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    if !storage::check_shared(root) {
        return false;
    }
    let mut expansion = Expansion { root, reader: Reader::new(options), rewriter, functions: HashMap::new() };
    let copies = walk::matching(root, |name| STAGED.contains(&name));
    let mut complete = true;
    for op in copies {
        complete &= expansion.report(op, Expansion::copy);
    }
    complete && expansion.clean_up(root)
}

struct Expansion<'o, 'c, 'a> {
    /// What the pass runs on.
    root: OperationRef<'c, 'a>,
    reader: Reader<'o>,
    rewriter: Rewriter<'c, 'a>,
    functions: HashMap<usize, Rc<Function<'c, 'a>>>,
}

impl<'c, 'a> Expansion<'_, 'c, 'a> {
    /// Runs a step on `op`; what goes wrong becomes an error at the op.
    fn report(
        &mut self,
        op: OperationRef<'c, 'a>,
        step: impl FnOnce(&mut Self, OperationRef<'c, 'a>) -> Result<(), String>,
    ) -> bool {
        let outcome = guard::quiet(|| step(self, op));
        let outcome = outcome.unwrap_or_else(|text| Err(format!("made the compiler fail: {text}")));
        outcome.map_err(|reason| Diagnostic::error(reason).emit(op)).is_ok()
    }

    fn builder(&self, op: OperationRef<'c, 'a>) -> Builder<'c, 'a> {
        Builder::before(self.rewriter, op)
    }

    fn function(&mut self, op: OperationRef<'c, 'a>) -> Result<Rc<Function<'c, 'a>>, String> {
        let function = kernel::function(op).ok_or("is not inside a function")?;
        let key = function.to_raw().ptr as usize;
        if let Some(known) = self.functions.get(&key) {
            return Ok(known.clone());
        }
        let block = self.reader.block(op)?;
        let function = Rc::new(Function::new(function, self.root, block).ok_or("is in a function without a body")?);
        self.functions.insert(key, function.clone());
        Ok(function)
    }

    fn copy(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let function = self.function(op)?;
        let builder = self.builder(op);
        let mut emit = Emit::new(builder, &function);
        let scope = words::scope(ops::scope(op));
        let malformed = "is no plan: got attributes that do not fit each other";
        if name(op) != "tile.scalar_copy" {
            stage::check_variant(StageOp(op))?;
        }
        match name(op).as_str() {
            "tile.vector_copy" => {
                let plan = stage::read_vector(StageOp(op), &self.reader).ok_or(malformed)?;
                plan.verify().map_err(|refusal| refusal.reason)?;
                self.counts_threads(op, plan.threads)?;
                vector::expand(&mut emit, StageOp(op), &plan, scope)?;
            }
            "tile.matrix_copy" => {
                let plan = stage::read_matrix(StageOp(op), &self.reader).ok_or(malformed)?;
                plan.verify().map_err(|refusal| refusal.reason)?;
                self.counts_threads(op, plan.threads)?;
                matrix::expand(&mut emit, StageOp(op), &plan, scope)?;
            }
            "tile.tensor_copy" => {
                let plan = stage::read_tensor_copy(StageOp(op), &self.reader).ok_or(malformed)?;
                plan.verify().map_err(|refusal| refusal.reason)?;
                tensor_copy::expand(&mut emit, StageOp(op), &plan)?;
            }
            "tile.tensor_access" => {
                let plan = stage::read_tensor_access(StageOp(op), &self.reader).ok_or(malformed)?;
                plan.verify().map_err(|refusal| refusal.reason)?;
                self.counts_threads(op, 128)?;
                tensor_access::expand(&mut emit, StageOp(op), &plan)?;
            }
            "tile.bulk_copy" => {
                let plan = stage::read_bulk(StageOp(op), &self.reader).ok_or(malformed)?;
                plan.verify().map_err(|refusal| refusal.reason)?;
                bulk::expand(&mut emit, StageOp(op), &plan)?;
            }
            _ => {
                let plan = stage::read_scalar(CopyOp(op), &self.reader)?;
                scalar::expand(&mut emit, CopyOp(op), &plan, stage::elected(op), scope)?;
            }
        }
        builder.rewriter.erase(op);
        Ok(())
    }

    /// Is the number of threads in the plan that of the scope?
    fn counts_threads(&self, op: OperationRef<'c, 'a>, planned: i64) -> Result<(), String> {
        let scope = words::scope(ops::scope(op));
        let block = self.reader.block(op)?.map(|size| size.iter().product());
        let threads = counted(planned, "thread");
        match Threads::all(scope, block).count() {
            Some(count) if count == planned => Ok(()),
            Some(count) => Err(format!("is planned for {threads}, but scope {scope} has {count}")),
            None => Err(format!("is planned for {threads} of scope {scope}, whose size is not known")),
        }
    }

    /// Replaces what is left of the dialect.
    fn clean_up(&mut self, root: OperationRef<'c, 'a>) -> bool {
        let mut complete = true;
        for op in walk::named(root, "tile.local_view") {
            complete &= self.report(op, Self::local_view);
        }
        for op in walk::named(root, "tile.assume") {
            complete &= self.report(op, Self::assume);
        }
        for op in walk::matching(root, |name| matches!(name, "tile.view" | "tile.alloc" | "tile.tmem")) {
            complete &= self.report(op, Self::definition);
        }
        complete
    }

    fn local_view(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let function = self.function(op)?;
        let source = operand(op)?;
        let storage = function.storage_of(self.builder(op), source)?;
        self.replace(op, storage.memref)
    }

    fn assume(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let value = operand(op)?;
        self.replace(op, value)
    }

    fn replace(&self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<(), String> {
        self.rewriter.replace(op, &[value]);
        Ok(())
    }

    fn definition(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        if is_used(result_of(op, 0)) {
            return Err("is used by an op that is not lowered here; expected tile ops only".to_owned());
        }
        self.rewriter.erase(op);
        Ok(())
    }
}

/// The run-time values of a side.
fn run_time<'c, 'a>(side: &ops::Side<'c, 'a>) -> Vec<Sum<'c, 'a>> {
    side.terms.iter().map(|&(value, ..)| Sum::value(value)).collect()
}

fn operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, String> {
    op.operand(0).map_err(|error| error.to_string())
}
