//! Which threads touch which bytes.

use tile_layout::Swizzle;

use crate::problem::threads::ThreadSet;

/// Bytes that the same threads touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// The first byte.
    pub begin: i64,
    /// The byte after the last.
    pub end: i64,
    /// The threads that touch them.
    pub threads: ThreadSet,
}

/// The bytes that threads touch: disjoint segments in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    segments: Vec<Segment>,
}

impl Footprint {
    /// The footprint of single accesses: a thread, the first byte and the byte after the last.
    ///
    /// ```
    /// use tile_plan::sync::Footprint;
    /// let footprint = Footprint::of([(0, 0, 8), (1, 4, 12)]);
    /// let found: Vec<_> = footprint.segments().iter().map(|run| (run.begin, run.end, run.threads.len())).collect();
    /// assert_eq!(found, [(0, 4, 1), (4, 8, 2), (8, 12, 1)]);
    /// ```
    pub fn of(accesses: impl IntoIterator<Item = (i64, i64, i64)>) -> Self {
        let mut all: Vec<(i64, i64, i64)> =
            accesses.into_iter().map(|(thread, begin, end)| (begin, end, thread)).collect();
        all.sort_unstable();
        let alike = all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let segments = alike.map(|alike| {
            let (begin, end, _) = alike[0];
            Segment { begin, end, threads: alike.iter().map(|access| access.2).collect() }
        });
        Footprint { segments: split(segments) }
    }

    /// One segment, whose bytes all of the threads touch.
    pub fn all(begin: i64, end: i64, threads: ThreadSet) -> Self {
        Footprint { segments: vec![Segment { begin, end, threads }] }
    }

    /// Several ranges that the same threads touch: each from the first byte to the byte after the last, ascending and
    /// disjoint.
    pub fn alike(bytes: impl IntoIterator<Item = (i64, i64)>, threads: ThreadSet) -> Self {
        Footprint { segments: bytes.into_iter().map(|(begin, end)| Segment { begin, end, threads }).collect() }
    }

    /// The segments.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The same accesses, those of each thread moved by a separate number of bytes.
    #[must_use]
    pub fn moved(&self, by: impl Fn(i64) -> i64) -> Self {
        let each = self
            .segments
            .iter()
            .flat_map(|segment| segment.threads.iter().map(move |thread| (thread, segment.begin, segment.end)));
        Footprint::of(each.map(|(thread, begin, end)| {
            let by = by(thread);
            (thread, begin.saturating_add(by), end.saturating_add(by))
        }))
    }

    /// The same accesses, all moved by a number of bytes.
    #[must_use]
    pub fn shifted(&self, by: i64) -> Self {
        let segments = self.segments.iter();
        let moved = segments.map(|segment| Segment {
            begin: segment.begin.saturating_add(by),
            end: segment.end.saturating_add(by),
            threads: segment.threads,
        });
        Footprint { segments: moved.collect() }
    }

    /// The same accesses as a swizzle moves their bytes, or before it did: swizzles undo themselves. `swizzle` counts in bytes.
    ///
    /// ```
    /// use tile_layout::Swizzle;
    /// use tile_plan::sync::Footprint;
    /// // Two bytes stay together; bit 1 is combined with bit 2.
    /// let swizzle = Swizzle::new(1, 1, 1, true)?;
    /// let found = Footprint::of([(0, 3, 8)]).swizzled(swizzle);
    /// let found: Vec<_> = found.segments().iter().map(|run| (run.begin, run.end)).collect();
    /// assert_eq!(found, [(3, 8)]);
    /// let found = Footprint::of([(0, 4, 6)]).swizzled(swizzle);
    /// assert_eq!((found.segments()[0].begin, found.segments()[0].end), (6, 8));
    /// # Ok::<(), tile_layout::LayoutError>(())
    /// ```
    #[must_use]
    pub fn swizzled(&self, swizzle: Swizzle) -> Self {
        let chunk = swizzle.chunk();
        let mut pieces = Vec::new();
        for segment in &self.segments {
            let mut begin = segment.begin;
            while begin < segment.end {
                let end = (begin.div_euclid(chunk) + 1).saturating_mul(chunk).min(segment.end);
                let moved = if begin < 0 { begin } else { swizzle.apply(begin) };
                pieces.push(Segment { begin: moved, end: moved + (end - begin), threads: segment.threads });
                begin = end;
            }
        }
        pieces.sort_unstable_by_key(|piece| (piece.begin, piece.end));
        Footprint { segments: split(pieces.into_iter()) }
    }

    /// The accesses of some threads.
    #[must_use]
    pub fn of_threads(&self, threads: &ThreadSet) -> Self {
        let segments =
            self.segments.iter().map(|segment| Segment { threads: segment.threads.intersect(threads), ..*segment });
        Footprint { segments: segments.filter(|segment| !segment.threads.is_empty()).collect() }
    }

    /// The same bytes, each of them touched by all threads of the warps that have a thread which touches it.
    ///
    /// ```
    /// use tile_plan::sync::Footprint;
    /// let footprint = Footprint::of([(0, 0, 8), (1, 8, 12), (40, 12, 16)]).by_whole_warps();
    /// let found: Vec<_> = footprint.segments().iter().map(|run| (run.begin, run.end, run.threads.len())).collect();
    /// assert_eq!(found, [(0, 12, 32), (12, 16, 32)]);
    /// ```
    #[must_use]
    pub fn by_whole_warps(&self) -> Self {
        let whole = |segment: &Segment| Segment { threads: ThreadSet::of_warps(segment.threads.warps()), ..*segment };
        Footprint { segments: split(self.segments.iter().map(whole)) }
    }

    /// The accesses of both.
    #[must_use]
    pub fn union(&self, other: &Footprint) -> Self {
        let mut segments = [&self.segments[..], &other.segments].concat();
        segments.sort_by_key(|segment| (segment.begin, segment.end));
        Footprint { segments: split(segments.into_iter()) }
    }

    /// The first byte, and the byte after the last.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        Some((self.segments.first()?.begin, self.segments.last()?.end))
    }

    /// Whether the bounds of another footprint, once it is moved by `delta`, overlap those of this one. Where they do not,
    /// the two have no byte in common.
    pub fn is_near(&self, other: &Footprint, delta: i64) -> bool {
        let both = self.bounds().zip(other.bounds());
        both.is_some_and(|(a, b)| a.0 < b.1.saturating_add(delta) && b.0.saturating_add(delta) < a.1)
    }

    /// A bound on the distance by which another footprint can be moved and still overlap this one.
    pub fn span(&self, other: &Footprint) -> i64 {
        let both = self.bounds().zip(other.bounds());
        let furthest = |(a, b): ((i64, i64), (i64, i64))| {
            a.0.saturating_sub(b.1).saturating_abs().max(a.1.saturating_sub(b.0).saturating_abs())
        };
        both.map_or(0, furthest)
    }

    /// The pairs of segments that overlap once the other footprint is moved by `delta`, each with the first common
    /// byte.
    pub fn meeting<'a>(
        &'a self,
        other: &'a Footprint,
        delta: i64,
    ) -> impl Iterator<Item = (i64, &'a Segment, &'a Segment)> {
        // Start at the first segments that lie within the bounds of the other footprint.
        let end_of = move |segment: &Segment| segment.end.saturating_add(delta);
        let mut i =
            other.bounds().map_or(0, |ends| self.segments.partition_point(|a| a.end <= ends.0.saturating_add(delta)));
        let mut j = self.bounds().map_or(0, |ends| other.segments.partition_point(|b| end_of(b) <= ends.0));
        std::iter::from_fn(move || {
            while let (Some(a), Some(b)) = (self.segments.get(i), other.segments.get(j)) {
                let (begin, end) = (b.begin.saturating_add(delta), end_of(b));
                let first = a.begin.max(begin);
                let meets = first < a.end.min(end);
                if a.end <= end {
                    i += 1
                } else {
                    j += 1
                }
                if meets {
                    return Some((first, a, b));
                }
            }
            None
        })
    }
}

/// Cuts overlapping segments at each other's ends, so that they become disjoint.
fn split(segments: impl Iterator<Item = Segment>) -> Vec<Segment> {
    let (mut done, mut open): (Vec<Segment>, Vec<Segment>) = (Vec::new(), Vec::new());
    for next in segments.filter(|next| next.begin < next.end) {
        close(&mut open, next.begin, &mut done);
        open.push(next);
    }
    close(&mut open, i64::MAX, &mut done);
    done
}

/// Moves what is open before `until` to `done`.
fn close(open: &mut Vec<Segment>, until: i64, done: &mut Vec<Segment>) {
    while let Some(begin) = open.iter().map(|segment| segment.begin).min().filter(|&begin| begin < until) {
        // All open segments start at the same byte.
        let end = open.iter().map(|segment| segment.end).min().unwrap_or(until).min(until);
        let threads = open.iter().fold(ThreadSet::new(), |all, segment| all.union(&segment.threads));
        match done.last_mut() {
            Some(last) if last.end == begin && last.threads == threads => last.end = end,
            _ => done.push(Segment { begin, end, threads }),
        }
        open.retain_mut(|segment| {
            segment.begin = end;
            segment.begin < segment.end
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_meet_where_any_two_segments_do() {
        let footprint = |segments: &[(i64, i64)]| {
            Footprint::of(segments.iter().enumerate().map(|(t, run)| (t as i64, run.0, run.1)))
        };
        let shapes =
            [&[][..], &[(0, 4)], &[(0, 4), (4, 8), (12, 16)], &[(-6, 1), (2, 3), (5, 20)], &[(1, 2), (30, 31)]];
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (footprint(a), footprint(b)))) {
            for delta in -40..40 {
                let pairs = a.segments.iter().flat_map(|a| b.segments.iter().map(move |b| (a, b)));
                let common = pairs.map(|(a, b)| (a.begin.max(b.begin + delta), a.end.min(b.end + delta), a, b));
                let expected: Vec<_> =
                    common.filter(|part| part.0 < part.1).map(|(byte, _, a, b)| (byte, a, b)).collect();
                assert_eq!(a.meeting(&b, delta).collect::<Vec<_>>(), expected, "{a:?} and {b:?} moved by {delta}");
                assert!(expected.is_empty() || a.is_near(&b, delta), "{a:?} and {b:?} moved by {delta}");
            }
        }
    }
}
