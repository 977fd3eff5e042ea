//! Two conditions for pipelining: a copy may read its source several iterations earlier, and an iteration reads only
//! what it has copied.
//!
//! ```text
//!   for k:  copy A[k] …           the copy of iteration k + 1 is issued before iteration k writes A[k + 1]: refused
//!           write A[k + 1]
//! ```

use crate::pipeline::PipelineRequest;
use crate::sync::{Access, Apart, Shift, SyncProgram};

/// A copy and an operation that overwrites its source: the operation comes before the copy, in the same or in one of
/// the iterations over which the copy would be moved ahead.
pub(super) fn overwritten(
    program: &SyncProgram,
    request: &PipelineRequest,
    (inside, around): (&[usize], &[usize]),
) -> Option<(usize, usize)> {
    for &copy in &request.copies {
        for source in program.ops[copy].accesses.iter().filter(|access| !access.write) {
            for &op in inside {
                // Within one iteration, program order says which comes first.
                let nearest = i64::from(op >= copy);
                let writes = program.ops[op].accesses.iter().filter(|access| access.write);
                let meets = |write: &Access| {
                    (nearest..=request.ahead)
                        .any(|later| may_meet(program, (write, source), (request.number, later), around))
                };
                if writes.clone().any(meets) {
                    return Some((copy, op));
                }
            }
        }
    }
    None
}

/// Whether a write may touch what is read `later` iterations later in a loop.
fn may_meet(
    program: &SyncProgram,
    (write, read): (&Access, &Access),
    (number, later): (usize, i64),
    around: &[usize],
) -> bool {
    let one = match program.related(write.object, read.object) {
        None => return false,
        Some(one) => one,
    };
    let (Some(bytes), Some(others)) = (&write.bytes, &read.bytes) else { return true };
    if bytes.segments().is_empty() || others.segments().is_empty() {
        return false;
    }
    if !one {
        return true;
    }
    let apart = |other: usize| match () {
        () if other == number && later > 0 => Apart::Later(later),
        () if other == number || around.contains(&other) => Apart::Same,
        () => Apart::Any,
    };
    match Shift::distances(&write.shift, &read.shift, &program.loops, apart, bytes.span(others)) {
        Some(distances) => distances.iter().any(|&(distance, _)| bytes.meeting(others, distance).next().is_some()),
        None => true,
    }
}

/// The bytes of a tile that accesses write in every iteration, as ascending disjoint intervals.
pub(super) fn written<'p>(accesses: impl Iterator<Item = &'p Access>, tile: usize) -> Vec<(i64, i64)> {
    let writes = accesses.filter(|access| access.object == tile && access.write && access.shift == Shift::none());
    let segments = writes.filter_map(|access| access.bytes.as_ref()).flat_map(|bytes| bytes.segments());
    let mut all: Vec<(i64, i64)> = segments.map(|segment| (segment.begin, segment.end)).collect();
    all.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (begin, end) in all {
        match joined.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((begin, end)),
        }
    }
    joined
}

/// Whether everything that is read has been written. Where all elements have, it does not matter which are read.
pub(super) fn covers(written: &[(i64, i64)], whole: i64, read: &Access) -> bool {
    if written.iter().map(|(begin, end)| end - begin).sum::<i64>() >= whole {
        return true;
    }
    let within = |begin: i64, end: i64| written.iter().any(|run| run.0 <= begin && end <= run.1);
    let known = read.bytes.as_ref().filter(|_| read.shift == Shift::none());
    known.is_some_and(|bytes| bytes.segments().iter().all(|segment| within(segment.begin, segment.end)))
}
