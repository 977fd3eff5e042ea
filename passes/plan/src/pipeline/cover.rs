//! Does an iteration read but what it has copied?

use crate::sync::{Access, Shift};

/// The bytes of a tile that accesses write wherever the iteration is: intervals, ascending and apart.
pub(super) fn written<'p>(accesses: impl Iterator<Item = &'p Access>, tile: usize) -> Vec<(i64, i64)> {
    let writes = accesses.filter(|it| it.object == tile && it.write && it.shift == Shift::none());
    let segments = writes.filter_map(|it| it.bytes.as_ref()).flat_map(|bytes| bytes.segments());
    let mut all: Vec<(i64, i64)> = segments.map(|it| (it.begin, it.end)).collect();
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

/// Is all that is read among what is written? Where all elements are, it does not matter which are read.
pub(super) fn covers(written: &[(i64, i64)], whole: i64, read: &Access) -> bool {
    if written.iter().map(|(begin, end)| end - begin).sum::<i64>() >= whole {
        return true;
    }
    let within = |begin: i64, end: i64| written.iter().any(|it| it.0 <= begin && end <= it.1);
    let known = read.bytes.as_ref().filter(|_| read.shift == Shift::none());
    known.is_some_and(|bytes| bytes.segments().iter().all(|it| within(it.begin, it.end)))
}
