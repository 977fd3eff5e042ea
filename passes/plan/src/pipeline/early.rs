//! May a copy read its source so many iterations earlier?
//!
//! ```text
//!   for k:  copy A[k] …           the copy of iteration k + 1 is issued before iteration k writes A[k + 1]: refused
//!           write A[k + 1]
//! ```

use crate::pipeline::ask::Ask;
use crate::sync::{Access, Apart, Program, Shift};

/// A copy, and an operation that writes what the copy of the same or of a later iteration reads, before that does.
pub(super) fn overwritten(
    program: &Program,
    ask: &Ask,
    (inside, around): (&[usize], &[usize]),
) -> Option<(usize, usize)> {
    for &copy in &ask.copies {
        for source in program.ops[copy].accesses.iter().filter(|access| !access.write) {
            for &op in inside {
                // In one iteration the text says which comes first.
                let nearest = i64::from(op >= copy);
                let writes = program.ops[op].accesses.iter().filter(|access| access.write);
                let meets = |write: &Access| {
                    (nearest..=ask.ahead).any(|later| may_meet(program, (write, source), (ask.number, later), around))
                };
                if writes.clone().any(meets) {
                    return Some((copy, op));
                }
            }
        }
    }
    None
}

/// May a write touch what is read so many iterations of a loop later?
fn may_meet(
    program: &Program,
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
    let apart = |it: usize| match () {
        () if it == number && later > 0 => Apart::Later(later),
        () if it == number || around.contains(&it) => Apart::Same,
        () => Apart::Any,
    };
    match Shift::distances(&write.shift, &read.shift, &program.loops, apart, bytes.span(others)) {
        Some(distances) => distances.iter().any(|&(distance, _)| bytes.meeting(others, distance).next().is_some()),
        None => true,
    }
}
