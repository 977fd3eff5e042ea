//! Diagnostics about accesses without order.

mod cluster;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::Diagnostic;
use tile_isa::Space;
use tile_ops::nvvm;
use tile_plan::sync::{
    Access, Completion, Conflict, Finding, Needs, Phase, PhaseFault, Queue, TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES,
    Threads, Through, Together,
};

use crate::effects::{barriers, groups};
use crate::read::alias::Root;
use crate::read::name;
use crate::sync::kernel::{KernelError, SyncKernel};

/// The error of a finding.
pub(super) fn finding(kernel: &SyncKernel<'_, '_, '_>, finding: &Finding) {
    match finding {
        Finding::Conflict(unordered) => conflict(kernel, unordered),
        Finding::NeverWaited { op, queue, .. } => never_waited(kernel, *op, *queue),
        Finding::Phase(fault) => phase(kernel, fault),
        Finding::Outside(access) => cluster::outside(kernel, access),
        Finding::BarrierNotReached { op, got, expected } => {
            let text = format!("waits for {expected} threads, of which only {got} arrive: the others wait elsewhere");
            Diagnostic::error(text).emit(kernel.ops()[*op]);
        }
        Finding::Unfollowed { op, cause } => Diagnostic::error(cause.to_string()).emit(kernel.ops()[*op]),
    }
}

/// Where two accesses without order are written: several instructions that one op became are one mistake. `None` for other
/// findings, and where the IR does not say.
pub(super) fn written(kernel: &SyncKernel<'_, '_, '_>, finding: &Finding) -> Option<[String; 2]> {
    let Finding::Conflict(conflict) = finding else { return None };
    let both = [conflict.first.0, conflict.second.0].map(|op| kernel.ops()[op].location().to_string());
    both.iter().all(|place| !place.contains("unknown")).then_some(both)
}

/// The error of a phase of an mbarrier.
fn phase(kernel: &SyncKernel<'_, '_, '_>, fault: &PhaseFault) {
    let count = fault.made.map_or(0, |(_, count)| count);
    let (number, thread) = (fault.phase, fault.thread);
    let (text, other) = match fault.what {
        Phase::Never { arrived, bytes } => {
            let and = match bytes {
                0 => String::new(),
                1.. => format!(" and {bytes} bytes expected that no copy brings"),
                _ => format!(" and {} bytes that a copy brings and no thread expects", -bytes),
            };
            let last = match bytes {
                0 => format!("arrival {arrived} of the phase is here"),
                1.. => format!("{bytes} bytes of the phase, which no copy brings, are expected here"),
                _ => "bytes of the phase that no thread expects are brought here".to_owned(),
            };
            let got = format!("got {arrived} of {count} arrivals before it{and}");
            let block = cluster::of_block(fault.rank);
            (format!("waits for phase {number} of an mbarrier{block}, which is never completed: {got}"), last)
        }
        Phase::TooMany { got, count } => {
            let text = format!("got arrival {got} of a phase, expected at most {count}, as it was initialized");
            (format!("arrives on an mbarrier: {text}"), "the arrival before is here".to_owned())
        }
        Phase::Early => {
            let before = number - 1;
            let wait = format!("expected a wait for phase {before} before it");
            let text = format!(
                "arrives in phase {number} of an mbarrier, and nothing says that phase {before} is over: {wait}"
            );
            (text, "another arrival of the phase is here".to_owned())
        }
        Phase::Overtaken => {
            let next = number + 1;
            let text = format!(
                "waits for phase {number} of an mbarrier, but phase {next} may be over by then, which has the other parity: for example \
                 thread {thread}; expected phase {next} to be completed after this"
            );
            (text, format!("phase {next} is completed here"))
        }
        Phase::NotMade => {
            ("names an mbarrier that nothing has made before: expected nvvm.mbarrier.init".to_owned(), String::new())
        }
    };
    let mut error = Diagnostic::error(text);
    if let Some((op, count)) = fault.made {
        error = error.note(kernel.ops()[op].location(), format!("the mbarrier is made here, with a count of {count}"));
    }
    if let Some(op) = fault.other.filter(|&op| op != fault.op) {
        error = error.note(kernel.ops()[op].location(), other);
    }
    error.emit(kernel.ops()[fault.op]);
}

/// The error of what cannot be right, whatever the order.
pub(super) fn error(wrong: &KernelError<'_, '_>) {
    let error = Diagnostic::error(wrong.text.clone());
    let noted = wrong.notes.iter().fold(error, |error, (op, note)| error.note(op.location(), note.clone()));
    noted.emit(wrong.op);
}

/// The error of two accesses without order.
fn conflict(kernel: &SyncKernel<'_, '_, '_>, conflict: &Conflict) {
    let [(first, a), (second, b)] = [conflict.first, conflict.second];
    let [earlier, later] = kernel.program().pair(conflict);
    let (from, to) = (&earlier.accesses[a], &later.accesses[b]);
    let memory = memory(kernel, to);
    let which =
        if first == second && conflict.carried.is_none() { "the same operation" } else { "an earlier operation" };
    let did = match (conflict.example, from.write) {
        (Some(_), _) => verb(from),
        (None, true) => "may write",
        (None, false) => "may read",
    };
    let text = format!(
        "{} {memory} that {which} {did}, and nothing orders the two{}: {}",
        verb(to),
        around(conflict),
        example(kernel, conflict, from)
    );
    let here = kernel.ops()[second];
    let mut diagnostic = Diagnostic::error(text);
    if first != second {
        diagnostic = diagnostic
            .note(kernel.ops()[first].location(), format!("'{}' {} it here", name(kernel.ops()[first]), verb(from)));
    }
    let fences = from.through(to) == Through::Tensor;
    match parted(kernel, conflict) {
        Some((loop_op, why)) => diagnostic.note(loop_op.location(), why).emit(here),
        None => diagnostic.note(here.location(), needs(conflict, fences)).emit(here),
    }
}

/// The innermost loop around both accesses of a conflict that threads go round differently, if a barrier in it would have
/// to order the two; and why none can.
fn parted<'c: 'a, 'a>(kernel: &SyncKernel<'_, 'c, 'a>, conflict: &Conflict) -> Option<(OperationRef<'c, 'a>, String)> {
    let needs = match conflict.needs {
        Needs::Barrier(Threads::Warp) => Together::Warps,
        Needs::Barrier(_) => Together::Block,
        _ => return None,
    };
    let [first, second] = [conflict.first.0, conflict.second.0].map(|op| kernel.levels(op));
    let common = first.iter().zip(second).take_while(|(a, b)| a.to_raw().ptr == b.to_raw().ptr).map(|(a, _)| *a);
    let parts = |op: &OperationRef<'c, 'a>| kernel.rounds_of(*op).is_some_and(|rounds| rounds.together() < needs);
    let loop_op = common.filter(parts).last()?;
    let why = kernel.reader().parts(loop_op)?;
    Some((loop_op, format!("no barrier can order them in this loop, which threads go round differently: {why}")))
}

/// The error of a copy that is in flight when its block ends.
fn never_waited(kernel: &SyncKernel<'_, '_, '_>, op: usize, queue: Option<Queue>) {
    let mut accesses = kernel.program().ops[op].accesses.iter();
    let wait = match queue {
        _ if accesses.any(|access| access.completion == Completion::Commit)
            && name(kernel.ops()[op]) != nvvm::Tcgen05CommitOp::NAME =>
        {
            "nvvm.tcgen05.commit to an mbarrier after it, and a wait for that phase, on every path to the end"
                .to_owned()
        }
        Some(queue) => format!("{} after it, on every path to the end", groups::wait_text(queue, 0)),
        None if kernel.program().cluster.is_some() => {
            "a wait for the phase of its mbarrier on every path to the end, or a barrier of the cluster after one"
                .to_owned()
        }
        None => "a wait for the phase of its mbarrier, on every path to the end".to_owned(),
    };
    let text = match kernel.program().ops[op].accesses.iter().any(|access| access.space == Space::Tmem) {
        true => format!("may be in flight when the block ends; expected {wait}"),
        false => format!("may be in flight when the block ends, and its shared memory with it; expected {wait}"),
    };
    let error = Diagnostic::error(text);
    let ends = kernel.program().end.and_then(|end| kernel.ops().get(end));
    let noted = match ends {
        Some(end) => error.note(end.location(), "the block ends here".to_owned()),
        None => error,
    };
    noted.emit(kernel.ops()[op]);
}

fn memory(kernel: &SyncKernel<'_, '_, '_>, access: &Access) -> String {
    let what = match access.space {
        Space::Global => "global memory",
        Space::Shared => "shared memory",
        Space::Tmem => "tensor memory",
        Space::Local => "registers",
    };
    match &kernel.objects()[kernel.program().object_of(access)].root {
        Root::Global(name, _) => format!("{what} ({name})"),
        _ => what.to_owned(),
    }
}

fn verb(access: &Access) -> &'static str {
    if access.write { "writes" } else { "reads" }
}

/// The distance in iterations.
fn around(conflict: &Conflict) -> String {
    match (conflict.carried, conflict.later) {
        (None, _) => String::new(),
        (Some(_), Some(1)) => " one iteration later".to_owned(),
        (Some(_), Some(later)) => format!(" {later} iterations later"),
        (Some(_), None) => " in a later iteration".to_owned(),
    }
}

fn example(kernel: &SyncKernel<'_, '_, '_>, conflict: &Conflict, from: &Access) -> String {
    let Some(example) = conflict.example else {
        return "too little is known of their offsets, so any of their threads may conflict".to_owned();
    };
    let (first, second, byte) = (example.first, example.second, example.byte);
    let relative = if from.shift == tile_plan::sync::Shift::none() { "" } else { ", from the start of the first" };
    let [of_first, of_second] = cluster::of_blocks(conflict.ranks);
    let pair = format!("for example thread {first}{of_first} and thread {second}{of_second}");
    match from.space {
        Space::Local => format!("for example those of thread {first}{of_first}"),
        Space::Tmem => format!("{pair}, {}{relative}", tensor_location(byte)),
        Space::Global | Space::Shared => {
            let object = &kernel.objects()[kernel.program().object_of(from)];
            if object.selection.is_some() {
                return format!("{pair}, in what one execution of tile.assume … distinct selects");
            }
            let text = match (&object.pitch, object.swizzle) {
                (Some(pitch), _) => pitch.byte_text(byte),
                (None, Some(swizzle)) if relative.is_empty() => format!("byte {}", swizzle.apply(byte)),
                (None, Some(_)) => format!("byte {byte} before the swizzle"),
                (None, None) => format!("byte {byte}"),
            };
            format!("{pair}, {text}{relative}")
        }
    }
}

/// The location of a byte of tensor memory.
fn tensor_location(byte: i64) -> String {
    let (lane, byte) = (byte.div_euclid(TENSOR_LANE_BYTES), byte.rem_euclid(TENSOR_LANE_BYTES));
    format!("lane {lane}, column {}", byte / TENSOR_COLUMN_BYTES)
}

/// The order that would suffice, as a note; `fences`: whether it takes fences of `tcgen05` where threads synchronize.
fn needs(conflict: &Conflict, fences: bool) -> String {
    match &conflict.needs {
        Needs::Completion if fences => {
            "no known operation completes the first one, expected nvvm.tcgen05.commit to an mbarrier".to_owned()
        }
        Needs::Group { queue, threads: Some(threads), .. } if fences => {
            format!(
                "between the two, this orders them: {}, then {}",
                groups::wait_text(*queue, 0),
                fenced(Some(threads))
            )
        }
        Needs::Completion => "no known operation completes the first one, expected a group or an mbarrier".to_owned(),
        Needs::Apart if conflict.first.0 == conflict.second.0 && conflict.carried.is_none() => {
            "no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if"
                .to_owned()
        }
        Needs::Apart => "no barrier comes between them: expected different bytes, or one of the two later".to_owned(),
        needs => format!("between the two, this orders them: {}", order(needs)),
    }
}

/// The narrowest order that would suffice.
pub(super) fn order(needs: &Needs) -> String {
    match needs {
        Needs::Group { committed: false, queue, threads, .. } => {
            format!("{}{}", groups::commit_text(*queue), and(threads.as_ref()))
        }
        Needs::Group { queue, pending, threads, .. } => {
            format!("{}{}", groups::wait_text(*queue, *pending), and(threads.as_ref()))
        }
        Needs::Phase(_) => "a wait for the phase of the first one's mbarrier".to_owned(),
        Needs::Arrival => {
            "an arrival on an mbarrier after the first, and a wait for its phase before the second".to_owned()
        }
        Needs::TensorFence { before: true, threads } => fenced(threads.as_ref()),
        Needs::TensorFence { before: false, .. } => "nvvm.tcgen05.fence <after> before the second".to_owned(),
        Needs::ProxyFence => "nvvm.fence.proxy of the async proxy, through which the second sees memory".to_owned(),
        Needs::MbarrierFence => {
            "nvvm.fence.mbarrier.init after the first, by the thread that makes the mbarrier".to_owned()
        }
        Needs::Barrier(threads) => barriers::text(threads),
        Needs::Completion => "a group or an mbarrier".to_owned(),
        Needs::Apart => "different bytes".to_owned(),
    }
}

/// A barrier of threads, between fences of `tcgen05`.
fn fenced(threads: Option<&Threads>) -> String {
    match threads {
        Some(threads) => {
            format!("nvvm.tcgen05.fence <before>, {}, nvvm.tcgen05.fence <after>", barriers::text(threads))
        }
        None => "nvvm.tcgen05.fence <before> after the first, before its threads synchronize with others".to_owned(),
    }
}

fn and(threads: Option<&Threads>) -> String {
    threads.map(|threads| format!(", then {}", barriers::text(threads))).unwrap_or_default()
}
