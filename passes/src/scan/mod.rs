//! `--lower-tile-scan`: each strategy is one rewrite pattern.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that a `tile.scan` poses |
//! | [`lower`] | kernels and launches for the plan |
//! | [`report`] | remarks and errors |
//! | [`host`], [`module`] | launches; the module and its functions |
//! | [`kernel`], [`element`], [`operator`] | values that the code of a kernel shares |
//! | [`transfer`], [`local`] | loading a tile into registers and storing it; its scan there |
//! | [`state`], [`lookback`], [`search`] | the states that blocks publish to each other |
//! | [`register`], [`ring`], [`passes`], [`serial`] | the kernels |

mod element;
mod host;
mod kernel;
mod local;
mod lookback;
mod lower;
mod module;
mod operator;
mod passes;
pub(crate) mod read;
mod register;
pub(crate) mod report;
mod ring;
mod search;
mod serial;
mod state;
mod transfer;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::ScanOp;
use tile_dialect::pattern::PatternSet;
use tile_ops::{builtin, gpu};
use tile_plan::Decline;
use tile_plan::scan::strategies::{self, Strategy};

use crate::options::Options;
use crate::read::kernel::ancestors;
use crate::read::name;
use lower::Lowering;
use read::Reading;
use tile_ops::Builder;

/// The state that the patterns share.
struct State<'o> {
    options: &'o Options,
    /// The declines of each scan that no strategy has taken yet, by the address of its op; `None` after a reported
    /// error.
    open: RefCell<HashMap<usize, Option<Vec<Decline>>>>,
}

/// Replaces every `tile.scan` below the root; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &Options) -> bool {
    let root = ir.root();
    let scans = crate::walk::named(root, ScanOp::NAME);
    if scans.into_iter().filter(|&op| !is_module_inside(op, root)).count() > 0 {
        return false;
    }
    let panicked = Cell::new(false);
    let state = State { options, open: RefCell::default() };
    let mut patterns = PatternSet::new(ir, &panicked);
    for &strategy in strategies::all() {
        let benefit = u16::try_from(strategy.priority()).unwrap_or(u16::MAX);
        let state = &state;
        patterns.add(ScanOp::NAME, benefit, &[gpu::LaunchFuncOp::NAME], move |op, rewriter| {
            state.attempt(strategy, ScanOp(op), rewriter)
        });
    }
    patterns.walk();
    let left = crate::walk::named(ir.root(), ScanOp::NAME);
    left.iter().for_each(|&op| state.refuse(op));
    left.is_empty() && !panicked.get()
}

/// Whether the module that receives the kernels of a scan is inside the op that the pass runs on. If not, reports an
/// error at the scan:
/// other threads may be changing the module.
fn is_module_inside(scan: OperationRef<'_, '_>, root: OperationRef<'_, '_>) -> bool {
    let inside = ancestors(scan).take_while(|&op| name(op) != builtin::ModuleOp::NAME).all(|op| op != root);
    if !inside {
        let text = format!(
            "becomes kernels in a gpu.module beside the '{}' that the pass runs on, expected the pass on the module \
             around both: builtin.module(lower-tile-scan)",
            name(root)
        );
        Diagnostic::error(text).emit(scan);
    }
    inside
}

impl State<'_> {
    /// The pattern of one strategy.
    fn attempt<'c, 'a>(&self, strategy: &'static dyn Strategy, op: ScanOp<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
        let key = op.0.to_raw_key();
        let open = self.open.borrow_mut().entry(key).or_insert_with(|| Some(Vec::new())).is_some();
        let requested = read::strategy(op);
        if !open || requested.is_some_and(|name| name != strategy.name()) {
            return false;
        }
        let reading = match read::read(op, self.options) {
            Ok(reading) => reading,
            Err(reason) => return self.fail(op, reason),
        };
        match strategy.plan(&reading.problem, &reading.target) {
            Ok(plan) => self.accept(strategy, op, &reading, &plan, rewriter),
            Err(refusal) => {
                if let Some(Some(declines)) = self.open.borrow_mut().get_mut(&key) {
                    declines.push(refusal.by(strategy.name()));
                }
                false
            }
        }
    }

    fn accept<'c, 'a>(
        &self,
        strategy: &'static dyn Strategy,
        op: ScanOp<'c, 'a>,
        reading: &Reading,
        plan: &tile_plan::scan::Plan,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let builder = Builder::before(rewriter, op.0);
        let lowering = Lowering { builder, op, alignment: reading.problem.alignment, target: reading.target };
        if let Err(reason) = lowering.run(plan) {
            return self.fail(op, reason);
        }
        let declines = self.open.borrow_mut().remove(&op.0.to_raw_key()).flatten().unwrap_or_default();
        report::declined(op.0, &declines);
        report::took(op.0, strategy.name(), plan);
        rewriter.erase(op.0);
        true
    }

    /// Reports an error that prevents every strategy from lowering a scan.
    fn fail(&self, op: ScanOp<'_, '_>, reason: String) -> bool {
        Diagnostic::error(reason).emit(op.0);
        self.open.borrow_mut().insert(op.0.to_raw_key(), None);
        false
    }

    /// Reports a scan that no strategy took.
    fn refuse(&self, op: OperationRef<'_, '_>) {
        let open = self.open.borrow();
        // Without declines the error has already been reported.
        let Some(declines) = open.get(&op.to_raw_key()).map_or(Some(&[][..]), Option::as_deref) else { return };
        match read::strategy(ScanOp(op)) {
            Some(name) if strategies::by_name(&name).is_none() => {
                let known: Vec<&str> = strategies::all().iter().map(|strategy| strategy.name()).collect();
                Diagnostic::error(format!("got unknown strategy '{name}', expected one of {}", known.join(", ")))
                    .emit(op);
            }
            forced => {
                report::declined(op, declines);
                report::refused(op, forced.as_deref(), declines);
            }
        }
    }
}

/// The address of an op, which identifies it as long as it exists.
trait Key {
    fn to_raw_key(&self) -> usize;
}

impl Key for OperationRef<'_, '_> {
    fn to_raw_key(&self) -> usize {
        use melior::ir::operation::OperationLike;
        self.to_raw().ptr as usize
    }
}
