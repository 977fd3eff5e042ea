//! The loops that request stages: what is pipelined, or what prevents it.

use std::collections::{HashMap, HashSet};

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, TypeLike, ValueLike};
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, integer};
use tile_dialect::{BufferType, PRODUCER, STAGES, STAGES_IF_ASYNC, Space};
use tile_isa::Scope;
use tile_ops::{scf, tile};
use tile_plan::families::tensor_map::TENSOR_MAPS;
use tile_plan::pipeline::{self, PipelineCause, PipelineRefusal, PipelineRequest};
use tile_plan::problem::Request;
use tile_plan::problem::refusal::Decline;

use super::multicast::Divided;
use super::ring::Ring;
use super::specialise::{self, Division};
use super::{Loop, Reached, complete, refuse, slice};
use crate::options::LoweringOptions;
use crate::read::ranges::Ranges;
use crate::read::root::root;
use crate::read::values::key;
use crate::read::{alias, name};
use crate::sync::kernel::SyncKernel;
use crate::sync::{check, shared_buffers};
use crate::{report, walk};

/// The loops of a function that request more than one stage.
pub struct Requests<'c, 'a> {
    /// Those that become rings.
    pub loops: Vec<Loop<'c, 'a>>,
    /// Those that no thread enters: there is nothing to pipeline.
    pub never_entered: Vec<OperationRef<'c, 'a>>,
    /// Those that have one stage, since a copy in them is synchronous; and why it is.
    pub synchronous: Vec<(OperationRef<'c, 'a>, Vec<Decline>)>,
}

/// The loops of a function that request more than one stage; `None`, after errors, where one cannot have them.
pub fn loops<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    options: &LoweringOptions,
    divided: &[(OperationRef<'c, 'a>, Divided)],
) -> Option<Requests<'c, 'a>> {
    let requesting = walk::matching(function, |_| true).into_iter().filter(|op| op.has_attribute(STAGES));
    let requesting: Vec<_> =
        requesting.map(|op| report(op, stages(op)).map(|stages| (op, stages))).collect::<Option<_>>()?;
    for (op, _) in requesting.iter().filter(|(_, stages)| *stages > 1) {
        let refused = loads(*op).into_iter().find_map(|copy| Some(refuse::copy(copy, clause(CopyOp(copy))?)));
        report(*op, refused.map_or(Ok(()), Err))?;
    }
    let ranges = Ranges::none();
    let read = check::read(function, options, &ranges)?;
    let (dead, requesting): (Vec<_>, Vec<_>) =
        requesting.into_iter().filter(|(_, stages)| *stages > 1).partition(|(op, _)| read.is_dead(*op, 0));
    let numbers: HashMap<_, _> =
        read.ops().iter().enumerate().rev().map(|(number, op)| (address(*op), number)).collect();
    let noalias = report(function, alias::noalias(function, options.noalias).map_err(Diagnostic::error))?;
    let pairs: Vec<_> = requesting
        .into_iter()
        .map(|(op, stages)| report(op, read_loop((&read, &numbers), (op, stages), noalias)))
        .collect::<Option<_>>()?;
    let (candidates, requests): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let (mut loops, mut synchronous) = (Vec::new(), Vec::new());
    let shared = Shared::of(function);
    let all = candidates.into_iter().zip(&requests).zip(pipeline::roles(read.program(), &requests));
    for ((mut looped, request), roles) in all {
        match roles {
            Ok(roles) => {
                looped.by = roles.by;
                looped.divided = divisions(&looped, divided);
            }
            Err(PipelineRefusal { cause: PipelineCause::Synchronous, op: Some(copy), .. })
                if needs_none(&read, looped.op) =>
            {
                synchronous.push((looped.op, refuse::declines(&read, read.ops()[copy])));
                continue;
            }
            Err(refusal) => {
                refuse::say(&read, &looped, refusal);
                return None;
            }
        }
        report(looped.op, looped.meets())?;
        if looped.op.has_attribute(PRODUCER) {
            looped.division = divided_into_roles(&read, &looped, request)?;
        }
        report(looped.op, shared.fits(&read, &looped))?;
        loops.push(looped);
    }
    Some(Requests { loops, never_entered: dead.into_iter().map(|(op, _)| op).collect(), synchronous })
}

/// How a loop that asks for a producer is divided into roles, and not at all on a chip without tensor maps; `None`, after an error, where
/// it cannot be.
fn divided_into_roles<'c: 'a, 'a>(
    read: &SyncKernel<'_, 'c, 'a>,
    looped: &Loop<'c, 'a>,
    request: &PipelineRequest,
) -> Option<Option<Division<'c, 'a>>> {
    if !read.reader().target(looped.op).is_ok_and(|target| target.has(&TENSOR_MAPS)) {
        let text = "the threads of the kernel make the copies: the chip has no tensor maps";
        report::emit(looped.op, RemarkKind::Missed, "no-producer", text, &[]);
        return Some(None);
    }
    let division = specialise::check(read, looped, request).map_err(|(refusal, at)| refusal.diagnostic(at));
    report(looped.op, division).map(Some)
}

/// How each copy of a loop is divided: not at all where a barrier of the cluster in it would not release its stages.
fn divisions<'c: 'a, 'a>(looped: &Loop<'c, 'a>, divided: &[(OperationRef<'c, 'a>, Divided)]) -> Vec<Option<Divided>> {
    let is_alone = complete::outermost(looped.op).is_none() && looped.reached.looping == looped.reached.block;
    let find =
        |copy: &OperationRef<'c, 'a>| divided.iter().find(|(op, _)| is_alone && op == copy).map(|(_, part)| *part);
    looped.copies.iter().map(find).collect()
}

/// Whether a loop has one stage if a copy in it is synchronous: nothing is promised of it, or no copy of its chip is asynchronous.
fn needs_none<'c: 'a, 'a>(read: &SyncKernel<'_, 'c, 'a>, looped: OperationRef<'c, 'a>) -> bool {
    looped.has_attribute(STAGES_IF_ASYNC) || read.reader().target(looped).is_ok_and(|target| !target.has_cp_async())
}

/// Why no copy of a ring has a clause that this one has.
fn clause(copy: CopyOp<'_, '_>) -> Option<&'static str> {
    if copy.barrier().is_some() {
        return Some("names an mbarrier; expected none: the ring has its own, one of each stage");
    }
    copy.cta_mask().map(|_| "has a cta_mask; expected none: the stages of a ring are released by their own block only")
}

/// Emits the error of a failure.
fn report<'c, R>(op: OperationRef<'c, '_>, outcome: Result<R, Diagnostic<'c>>) -> Option<R> {
    outcome.map_err(|diagnostic| diagnostic.emit(op)).ok()
}

/// The number of stages that a loop requests.
pub(super) fn stages<'c>(op: OperationRef<'c, '_>) -> Result<i64, Diagnostic<'c>> {
    let index = op.operand_at(0).is_some_and(|lower| lower.r#type().is_index());
    if !index || scf::ForOp::cast(op).is_none_or(|looped| looped.unsigned_cmp()) {
        return Err(Diagnostic::error(format!(
            "has {STAGES}, expected it on an scf.for over index values, compared as signed ones"
        )));
    }
    Ok(integer(op, STAGES).unwrap_or(1))
}

/// What tells operations apart.
fn address(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

/// A loop, and the planner's input for it; `numbers` are the numbers of the program's operations.
fn read_loop<'c: 'a, 'a>(
    (read, numbers): (&SyncKernel<'_, 'c, 'a>, &HashMap<usize, usize>),
    (op, stages): (OperationRef<'c, 'a>, i64),
    noalias: bool,
) -> Result<(Loop<'c, 'a>, PipelineRequest), Diagnostic<'c>> {
    let body =
        op.region_at(0).and_then(|region| region.first_block()).ok_or_else(|| Diagnostic::error("has no body"))?;
    let variable = tile_dialect::ir::arguments_of(body).into_iter().next();
    let number =
        variable.and_then(|variable| read.number_of(variable)).ok_or_else(|| Diagnostic::error("is not followed"))?;
    let trips = read.program().loops[number].trips;
    let plan = pipeline::plan(stages, trips, pipeline::products_in_flight(read.program(), number));
    let copies = loads(op);
    let number_of = |op: &OperationRef<'c, 'a>| numbers.get(&address(*op)).copied();
    let mut request = PipelineRequest {
        number,
        ahead: plan.ahead,
        copies: copies.iter().filter_map(number_of).collect(),
        ..PipelineRequest::default()
    };
    let mut tiles: Vec<(OperationRef<'c, 'a>, Ring<'c>)> = Vec::new();
    for &copy in &copies {
        let alloc = whole(CopyOp(copy)).and_then(|()| alloc(CopyOp(copy))).map_err(|why| refuse::copy(copy, &why))?;
        if tiles.iter().any(|(it, _)| address(*it) == address(alloc)) {
            continue;
        }
        let ring = Ring::of(alloc, plan.stages).ok_or_else(|| Diagnostic::error("has stages that are too large"))?;
        request.whole.extend(read.object_of(alloc).zip(elements(alloc)));
        tiles.push((alloc, ring));
    }
    let direct: Vec<_> = copies.iter().copied().filter(|copy| copy.block() == Some(body)).collect();
    slice::backward(body, &direct, noalias).map_err(|depends| refuse::depends(&depends, plan))?;
    let block = read.program().block;
    let threads = |op| read.reader().threads(op, Scope::Cta).ok().and_then(|threads| threads.known()).unwrap_or(block);
    let setting_up = complete::outermost(op).unwrap_or(op);
    let reached = Reached { block, setting_up: threads(setting_up), looping: threads(op) };
    Ok((
        Loop {
            op,
            body,
            plan,
            by: Vec::new(),
            reached,
            noalias,
            trips,
            copies,
            divided: Vec::new(),
            division: None,
            tiles,
        },
        request,
    ))
}

/// The asynchronous copies of a loop from global to shared memory.
fn loads<'c: 'a, 'a>(looped: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    walk::named(looped, Request::CopyAsync.op()).into_iter().filter(|&op| is_load(CopyOp(op))).collect()
}

/// Whether a copy is one from global to shared memory.
fn is_load(copy: CopyOp<'_, '_>) -> bool {
    let is =
        |side: Option<tile_dialect::ops::Operand<'_, '_>>, space| side.is_some_and(|side| side.buffer.space() == space);
    is(copy.dst(), Space::Shared) && is(copy.src(), Space::Global)
}

/// Whether a copy writes all of its region in each iteration; else why not.
fn whole(copy: CopyOp<'_, '_>) -> Result<(), String> {
    let leaves = |clause: &str, fill: &str| {
        Err(format!("keeps elements of an earlier iteration ({clause}); expected {fill} beside it"))
    };
    match () {
        () if copy.masked() && copy.filler().is_none() => leaves("masked", "fill(…)"),
        () if copy.predicate().is_some() && !copy.zero_fills() => leaves("predicate", "fill = \"zero\""),
        () => Ok(()),
    }
}

/// The `tile.alloc` that a copy writes.
fn alloc<'c: 'a, 'a>(copy: CopyOp<'c, 'a>) -> Result<OperationRef<'c, 'a>, String> {
    let made = copy.dst().and_then(|dst| defining_op(root(dst.value)));
    made.filter(|op| name(*op) == tile::AllocOp::NAME).ok_or_else(|| {
        let got = made.map_or("an argument", name);
        format!(
            "writes a tile of {got}, expected one of {}, which can have stages; --tile-plan-memory comes later",
            tile::AllocOp::NAME
        )
    })
}

/// Bytes of a tile's elements.
fn elements(alloc: OperationRef<'_, '_>) -> Option<i64> {
    let buffer = BufferType::from_type(alloc.result_at(0)?.r#type())?;
    Some(buffer.shape().iter().product::<i64>() * i64::from(bit_width(buffer.element())?) / 8)
}

/// The shared memory of a function before its loops are pipelined.
struct Shared {
    /// The bytes of each shared tile, by the [`key`] of its value.
    tiles: HashMap<usize, i64>,
    /// The bytes of what is no tile.
    others: i64,
}

impl Shared {
    fn of(function: OperationRef<'_, '_>) -> Self {
        let made = |op: OperationRef<'_, '_>| op.result_at(0).map(|result| key(result.into()));
        let tiles =
            shared_buffers::tiles(function).into_iter().filter_map(|tile| Some((made(tile.op)?, tile.storage.bytes)));
        Shared { tiles: tiles.collect(), others: shared_buffers::others(function).0 }
    }

    /// The bytes of what a loop uses besides the tiles that become rings.
    fn beside(&self, looped: &Loop<'_, '_>) -> i64 {
        let inside = walk::matching(looped.op, |_| true);
        let operands = inside.iter().flat_map(|op| op.operands());
        let used = operands.filter(|tile| BufferType::from_type(tile.r#type()).is_some()).map(|tile| key(root(tile)));
        let used: HashSet<usize> = used.collect();
        let rings = looped.tiles.iter().filter_map(|(alloc, _)| alloc.result_at(0)).map(|ring| key(ring.into()));
        let others = used.difference(&rings.collect()).filter_map(|tile| self.tiles.get(tile)).sum::<i64>();
        others.saturating_add(self.others)
    }

    /// Whether the stages of a loop fit in shared memory, besides what else it uses; else the error.
    fn fits<'c: 'a, 'a>(&self, read: &SyncKernel<'_, 'c, 'a>, looped: &Loop<'c, 'a>) -> Result<(), Diagnostic<'c>> {
        let target = read.reader().target(looped.op).map_err(Diagnostic::error)?;
        let completion = match &looped.division {
            Some(division) => division.bytes(looped.plan.stages),
            None => looped.by.iter().map(|by| complete::bytes(*by, looped.plan)).sum(),
        };
        let others = self.beside(looped).saturating_add(completion);
        let (bytes, limit) = (looped.tiles.iter().map(|(_, ring)| ring.bytes).sum::<i64>(), target.shared_bytes());
        let most = pipeline::max_stages(bytes, others, limit);
        if looped.plan.stages <= most {
            return Ok(());
        }
        let text = format!(
            "needs {} stages of {bytes} bytes, and {others} other bytes, of shared memory, of which {target} has {limit}; \
             expected at most {most} stages",
            looped.plan.stages
        );
        let notes = looped.tiles.iter();
        Err(notes.fold(Diagnostic::error(text), |error, (alloc, ring)| {
            error.note(alloc.location(), format!("{} bytes of each", ring.bytes))
        }))
    }
}
