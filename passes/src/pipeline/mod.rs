//! `--tile-pipeline`: loops that request stages become rings of asynchronous copies.
//!
//! A loop requests stages by an attribute, `tile.stages`, and not by a dedicated operation: it stays the `scf.for` that every
//! other pass knows, it means the same without the attribute, and nothing in it moves but its copies. [`tile_plan::pipeline`]
//! makes the decisions, for the accesses that [`crate::sync`] reads.
//!
//! ```text
//!   for k:  copy k ──▶ tile         3 stages:   copy 0; commit; copy 1; commit                     prologue
//!           read tile                           for k:  wait for all but 1 group, barrier
//!                                                       if k + 2 < trips: copy k + 2 ──▶ stage
//!                                                       commit
//!                                                       read stage k mod 3
//!                                               wait for all                                       epilogue
//! ```
//!
//! MLIR's `scf::pipelineForLoop` is not used. It carries through the loop whatever two of its stages share, and a ring's stage
//! that a loop carries is no longer known to be `k mod 3`, so that nothing proves two of them distinct; it guards operations one
//! by one, but a group has to be committed whether its copies were issued or not; and it has no buffers. What it would do,
//! cloning a slice, is the smallest part.
//!
//! A loop with `tile.producer` beside its stages becomes [two roles](specialise) instead.
//!
//! The barrier that releases a stage is inserted by what orders all accesses of a kernel: after the wait, where it also shows
//! each thread what others have copied. It is left out, or narrowed to a warp barrier, where that suffices.

mod complete;
mod multicast;
mod refuse;
mod remarks;
mod requests;
mod ring;
mod slice;
mod specialise;
pub mod tensor_maps;
mod trial;
mod write;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::integer;
use tile_dialect::{PRODUCER, STAGES, STAGES_IF_ASYNC, guard};
use tile_ops::{Builder, region, scf};
use tile_plan::pipeline::{Plan, RingCompletion};
use tile_plan::problem::threads::ThreadSet;

use crate::options::LoweringOptions;
use crate::read::divisibility::block;
use crate::read::kernel;
use crate::read::problem::Reader;
use crate::sync::insert;
use crate::{launches, report, walk};
use multicast::Divided;
use ring::Ring;
use specialise::Division;

/// The remark of a loop in a version.
const WITHOUT_PROMISES: (&str, &str) =
    ("ring-without-promises", "the loop has no stages where nothing is promised: its copies are synchronous there");

/// That of a loop for an old chip, or one that is not NVIDIA's.
const WITHOUT_ASYNC: (&str, &str) =
    ("ring-without-async", "the loop has one stage: the chip has no asynchronous copies");

/// Pipelines every loop at or below the root that requests it, and orders the accesses of its kernel; `false`, after errors,
/// where one cannot be.
/// With `maps`, copies that leave open how they are done go through tensor maps where that is better.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions, maps: bool) -> bool {
    run_where(ir, options, maps, |_| true)
}

/// As [`run`], in the functions and launches that `wanted` accepts.
pub fn run_where(
    ir: &mut Ir<'_>,
    options: &LoweringOptions,
    maps: bool,
    wanted: impl Fn(OperationRef<'_, '_>) -> bool,
) -> bool {
    let rewriter = ir.rewriter();
    let mut complete = true;
    for function in functions(ir.root()).into_iter().filter(|function| wanted(*function)) {
        // The host gives maps to entry functions only.
        let maps = maps && kernel::is_entry(function);
        let size = || block::size(function).ok().flatten();
        let before = size();
        complete &= guard::on_op(function, false, || match maps {
            true => trial::with_maps(function, options, rewriter),
            false => one(function, options, rewriter, &[]),
        });
        // A producer makes the block larger.
        if let Some([width, ..]) = size().filter(|&size| before != Some(size)) {
            let launches = launches::kernel_launches(ir.root(), function);
            launches.into_iter().for_each(|launch| launches::set_block_width(launch, width, rewriter));
        }
    }
    complete
}

/// The functions and launches with loops that request stages.
fn functions<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut pipelined: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in walk::matching(root, |_| true).into_iter().filter(|op| op.has_attribute(STAGES)) {
        let function = kernel::function(op).unwrap_or(op);
        if !pipelined.iter().any(|known| known.to_raw().ptr == function.to_raw().ptr) {
            pipelined.push(function);
        }
    }
    pipelined
}

/// Warns about loops that request stages where copies are lowered already, and for a chip that could have made rings of them.
pub fn warn_left(root: OperationRef<'_, '_>, reader: &Reader<'_>) {
    for op in requesting(root) {
        if reader.target(op).is_ok_and(|target| !target.has_cp_async()) {
            let (name, text) = WITHOUT_ASYNC;
            report::emit(op, RemarkKind::Missed, name, text, &[]);
            continue;
        }
        refuse::left(op).emit(op);
    }
}

/// The loops at or below the root that request several stages.
pub fn requesting<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut loops = walk::named(root, scf::ForOp::NAME);
    loops.retain(|op| is_requesting(*op));
    loops
}

/// Whether an op at or below the root has the attribute and is no loop that may.
pub fn is_misplaced(root: OperationRef<'_, '_>) -> bool {
    walk::matching(root, |_| true).into_iter().any(|op| op.has_attribute(STAGES) && requests::stages(op).is_err())
}

/// Whether an op requests more than one stage.
fn is_requesting(op: OperationRef<'_, '_>) -> bool {
    integer(op, STAGES).is_some_and(|stages| stages > 1)
}

/// Pipelines the loops of a function; the blocks of a cluster divide these copies among themselves.
fn one<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    divided: &[(OperationRef<'c, 'a>, Divided)],
) -> bool {
    let Some(requests::Requests { loops, never_entered, synchronous }) = requests::loops(function, options, divided)
    else {
        return false;
    };
    for op in never_entered {
        forget_request(op, rewriter);
        report::emit(op, RemarkKind::Missed, "never-entered", "no thread enters the loop, which stays as it is", &[]);
    }
    for (op, declines) in synchronous {
        let (name, text) = if op.has_attribute(STAGES_IF_ASYNC) { WITHOUT_PROMISES } else { WITHOUT_ASYNC };
        forget_request(op, rewriter);
        let declines: Vec<_> = declines.iter().map(ToString::to_string).collect();
        report::emit(op, RemarkKind::Missed, name, text, &[("Reason", declines.join("; "))]);
    }
    let written = |looped: &Loop<'c, 'a>| match &looped.division {
        Some(division) => specialise::write(looped, division, rewriter),
        None => write::write(looped, rewriter),
    };
    if !loops.iter().all(|looped| written(looped).is_some()) {
        return false;
    }
    remarks::emit(function, options, &loops) && insert::order(function, options, rewriter, false)
}

/// Removes the attributes by which a loop requests stages.
fn forget_request<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    [STAGES, STAGES_IF_ASYNC, PRODUCER].into_iter().for_each(|name| rewriter.remove_attribute(op, name));
}

/// The threads that come to a ring; all of the block where that is not known.
pub struct Reached {
    /// All threads of the block.
    pub block: ThreadSet,
    /// Those that come to what is before the loop and all loops around it.
    pub setting_up: ThreadSet,
    /// Those that come to the loop.
    pub looping: ThreadSet,
}

/// A loop that is pipelined.
pub struct Loop<'c, 'a> {
    /// The `scf.for`.
    pub op: OperationRef<'c, 'a>,
    /// Its body.
    pub body: BlockRef<'c, 'a>,
    /// The ring.
    pub plan: Plan,
    /// What completes its copies.
    pub by: Vec<RingCompletion>,
    /// The threads that come to it.
    pub reached: Reached,
    /// Whether memory that the kernel writes is reached through one of its arguments only.
    pub noalias: bool,
    /// Its trip count, where that is a constant.
    pub trips: Option<i64>,
    /// The copies that are issued ahead.
    pub copies: Vec<OperationRef<'c, 'a>>,
    /// How the blocks of a cluster divide each of them, where they do.
    pub divided: Vec<Option<Divided>>,
    /// How it is divided into roles, where it has a producer.
    pub division: Option<Division<'c, 'a>>,
    /// The `tile.alloc`s that they write, and the rings that replace them.
    pub tiles: Vec<(OperationRef<'c, 'a>, Ring<'c>)>,
}

impl Loop<'_, '_> {
    /// Whether the blocks of a cluster divide copies among themselves.
    fn is_divided(&self) -> bool {
        self.divided.iter().any(Option::is_some)
    }
}

/// Emits ops under a condition.
fn when<'c: 'a, 'a>(builder: Builder<'c, 'a>, condition: Value<'c, 'a>, make: impl FnOnce()) {
    let op = scf::r#if(builder, condition, &[], builder.body(&[]), region()).build().operation();
    builder.fill(op, 0, |_| {
        make();
        scf::r#yield(builder, &[]).build();
    });
}
