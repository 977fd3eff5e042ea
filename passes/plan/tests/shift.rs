//! Distances of accesses in loops, against loops that are carried out.

use std::collections::BTreeMap;

use crate::common::tape::Draw;
use tile_plan::sync::{Apart, Loop, Periodic, Shift};

/// As many iterations of a loop of unknown length as are carried out.
const CARRIED_OUT: i64 = 24;

struct Case {
    loops: Vec<Loop>,
    apart: Vec<Apart>,
    first: Shift,
    second: Shift,
    span: i64,
}

impl Case {
    fn of(seed: u64) -> Case {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let count = 1 + draw.below(2) as usize;
        let known = |draw: &mut Draw| (draw.below(2) == 0).then(|| 1 + draw.below(12) as i64);
        let loops: Vec<Loop> = (0..count).map(|_| Loop { trips: known(&mut draw), ..Loop::default() }).collect();
        let apart = (0..count).map(|_| drawn_apart(&mut draw)).collect();
        let (first, second) = (drawn_shift(&mut draw, count), drawn_shift(&mut draw, count));
        Case { loops, apart, first, second, span: draw.below(40) as i64 }
    }

    /// Every distance of two accesses that are carried out.
    fn met(&self) -> Vec<i64> {
        let zero = Periodic::constant(0);
        let mut all = vec![0];
        for (number, apart) in self.apart.iter().enumerate() {
            let of = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let (first, second) = (of(&self.first), of(&self.second));
            let trips = self.loops[number].trips.unwrap_or(CARRIED_OUT);
            let mut found = Vec::new();
            for (k, later) in (0..trips).flat_map(|k| (0..trips).map(move |later| (k, later))) {
                let related = match *apart {
                    Apart::Same => later == k,
                    Apart::Later(by) => later == k + by,
                    Apart::AtLeast(least) => later >= k + least,
                    Apart::Any => true,
                    Apart::At(at) => k == 0 && later == at,
                    Apart::From(at) => k == 0 && later >= at,
                };
                if related {
                    found.push(second.at(later).unwrap() - first.at(k).unwrap());
                }
            }
            found.sort_unstable();
            found.dedup();
            all = all.iter().flat_map(|sum| found.iter().map(move |one| sum + one)).collect();
        }
        all
    }
}

fn drawn_apart(draw: &mut Draw) -> Apart {
    let by = draw.below(4) as i64;
    [Apart::Same, Apart::Later(by), Apart::AtLeast(by), Apart::Any, Apart::At(by), Apart::From(by)]
        [draw.below(6) as usize]
}

fn drawn_shift(draw: &mut Draw, loops: usize) -> Shift {
    let number = |draw: &mut Draw| draw.below(17) as i64 - 8;
    let mut of = BTreeMap::new();
    for at in 0..loops {
        let mut periodic = Periodic::line(number(draw), if draw.below(3) == 0 { 0 } else { number(draw) });
        if draw.below(2) == 0 {
            let table = (0..1 + draw.below(3)).map(|_| number(draw)).collect();
            periodic = periodic.plus(&Periodic::table(table)).unwrap();
        }
        if draw.below(4) != 0 {
            of.insert(at, periodic);
        }
    }
    Shift { loops: of, ..Shift::none() }
}

#[test]
fn distances_within_the_span_are_all_found() {
    let (mut decided, mut of_unknown_length) = (0, 0);
    for seed in 0..20_000 {
        let case = Case::of(seed);
        let apart = |number: usize| case.apart[number];
        let Some(found) = Shift::distances(&case.first, &case.second, &case.loops, apart, case.span) else { continue };
        decided += 1;
        of_unknown_length += i32::from(case.loops.iter().any(|it| it.trips.is_none()));
        for met in case.met().into_iter().filter(|met| met.abs() <= case.span) {
            assert!(found.iter().any(|(distance, _)| *distance == met), "seed {seed}: {met} is not in {found:?}");
        }
    }
    assert!(decided > 16_000 && of_unknown_length > 10_000, "{decided} decided, {of_unknown_length} of unknown length");
}

#[test]
fn loops_of_known_length_have_no_other_distances() {
    let mut decided = 0;
    for seed in 0..20_000 {
        let case = Case::of(seed);
        // A loop outside of which one access is has to be executed.
        if case.loops.iter().any(|it| it.trips.is_none_or(|trips| trips < 5)) {
            continue;
        }
        let apart = |number: usize| case.apart[number];
        let found = Shift::distances(&case.first, &case.second, &case.loops, apart, case.span).expect("it is short");
        let met = case.met();
        assert!(found.iter().all(|(distance, _)| met.contains(distance)), "seed {seed}: {met:?}, found {found:?}");
        decided += 1;
    }
    assert!(decided > 3_000, "{decided} decided");
}

#[test]
fn one_that_moves_leaves_one_that_does_not() {
    let loops = [Loop::default()];
    let moving = Shift { loops: BTreeMap::from([(0, Periodic::line(16, 16))]), ..Shift::none() };
    let found = |apart| Shift::distances(&Shift::none(), &moving, &loops, |_| apart, 16).unwrap();
    let near = |apart| found(apart).iter().map(|it| it.0).filter(|it| it.abs() < 16).count();
    // It begins behind the other and goes on from there.
    assert_eq!((near(Apart::Same), near(Apart::AtLeast(1))), (0, 0));
    let back = Shift { loops: BTreeMap::from([(0, Periodic::line(32, -16))]), ..Shift::none() };
    let found = Shift::distances(&Shift::none(), &back, &loops, |_| Apart::Same, 16).unwrap();
    assert!(found.iter().any(|it| it.0 == 0), "it comes by in iteration 2");
}
