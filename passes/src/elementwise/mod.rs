//! Maps, reductions and scans of tiles in registers: `tile.map`, `tile.reduce` and `tile.block_scan`.
//!
//! ```text
//!   tile.map       each thread: loads of registers, the region once for each element, stores
//!   tile.reduce    each thread: its registers; shuffles; where warps meet, copies through a tile in shared memory
//!   tile.block_scan    the same, in the order of the coordinate
//! ```
//!
//! They become ordinary ops before anything else is planned: copies that they need are planned, ordered and given memory like
//! those that are written.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that an op poses |
//! | [`map`] | functions of elements |
//! | [`combine`] | elements that are combined by an operator, and between lanes |
//! | [`extreme`] | the smaller or larger of two elements, with its index |
//! | [`warps`] | warps that exchange what they have |
//! | [`packed`] | functions of 16-bit floats, on pairs |
//! | [`reduce`] | reductions |
//! | [`block_scan`] | scans along a dimension |

mod block_scan;
mod combine;
mod extreme;
mod map;
mod packed;
mod read;
mod reduce;
mod warps;

use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::OperationRef;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::Ir;
use tile_dialect::ops::{BlockScanOp, MapOp, ReduceOp};
use tile_ops::Builder;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::threads::{Active, Threads};

use crate::emit::{Emit, Function};
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::report::Subject;
use crate::walk;

/// Maps, reductions and scans; there is one way to compute each.
const MAPS: Subject = Subject { category: "tile-map", rule: "rule", argument: "Rule", arguments: "Rules" };
const REDUCTIONS: Subject = Subject { category: "tile-reduce", rule: "rule", argument: "Rule", arguments: "Rules" };
const SCANS: Subject = Subject { category: "tile-block-scan", rule: "rule", argument: "Rule", arguments: "Rules" };

/// Replaces every `tile.map`, `tile.reduce` and `tile.block_scan` below the root; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (reader, root) = (Reader::new(options), ir.root());
    let ops = walk::matching(root, |name| [MapOp::NAME, ReduceOp::NAME, BlockScanOp::NAME].contains(&name));
    let mut functions: HashMap<usize, Rc<Function<'_, '_>>> = HashMap::new();
    let mut complete = true;
    for op in ops {
        let builder = Builder::before(ir.rewriter(), op);
        let function = match function(&mut functions, op, root, &reader) {
            Ok(function) => function,
            Err(reason) => {
                complete &= failed(op, &reason);
                continue;
            }
        };
        let mut emit = Emit::new(builder, &function);
        match expand(&mut emit, op, &reader) {
            Ok(()) => ir.rewriter().erase(op),
            Err(reason) => complete &= failed(op, &reason),
        }
    }
    complete
}

fn failed(op: OperationRef<'_, '_>, reason: &str) -> bool {
    Diagnostic::error(reason).emit(op);
    false
}

fn function<'c, 'a>(
    functions: &mut HashMap<usize, Rc<Function<'c, 'a>>>,
    op: OperationRef<'c, 'a>,
    root: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<Rc<Function<'c, 'a>>, String> {
    let function = kernel::function(op).ok_or("is not inside a function")?;
    let key = walk::key(function);
    if let Some(known) = functions.get(&key) {
        return Ok(known.clone());
    }
    let made = Rc::new(Function::new(function, root, reader.block(op)?).ok_or("is in a function without a body")?);
    functions.insert(key, made.clone());
    Ok(made)
}

/// Writes the ops that an op becomes.
fn expand<'c: 'a, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    reader: &Reader<'_>,
) -> Result<(), String> {
    let refused = |subject: Subject, refusal: Refusal| {
        subject.emit(op, RemarkKind::Missed, refusal.cause, &refusal.reason, &[]);
        format!("cannot be done: {}", refusal.reason)
    };
    if name(op) == MapOp::NAME {
        let op = MapOp(op);
        let problem = read::map(op, reader)?;
        if is_unreached(&problem.threads) {
            return Ok(());
        }
        let plan = problem.plan().map_err(|refusal| refused(MAPS, refusal))?;
        map::write(emit, op, &problem, &plan)?;
        map::remark_chosen(op, &problem, &plan);
        return Ok(());
    }
    if name(op) == BlockScanOp::NAME {
        let op = BlockScanOp(op);
        let problem = read::block_scan(op, reader)?;
        if is_unreached(&problem.threads) {
            return Ok(());
        }
        let plan = problem.plan().map_err(|refusal| refused(SCANS, refusal))?;
        block_scan::write(emit, op, &problem, &plan)?;
        block_scan::remark_chosen(op, &plan);
        return Ok(());
    }
    let op = ReduceOp(op);
    let problem = read::reduce(op, reader)?;
    if is_unreached(&problem.threads) {
        return Ok(());
    }
    let plan = problem.plan().map_err(|refusal| refused(REDUCTIONS, refusal))?;
    reduce::write(emit, op, &problem, &plan)?;
    reduce::remark_chosen(op, &problem, &plan);
    Ok(())
}

/// Whether no thread executes the op.
fn is_unreached(threads: &Threads) -> bool {
    matches!(&threads.active, Active::Known(active) if active.is_empty())
}
