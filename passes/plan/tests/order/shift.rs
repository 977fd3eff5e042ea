//! Distances of accesses in loops, compared with the execution of the loops.

use std::collections::BTreeMap;

use crate::common::tape::Draw;
use tile_plan::sync::{Apart, Footprint, Loop, Periodic, Reach, Shift};

/// The number of iterations executed of a loop with an unknown trip count.
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

    /// Every distance of two executed accesses.
    fn met(&self) -> Vec<i64> {
        let zero = Periodic::constant(0);
        let mut all = vec![0];
        for (number, apart) in self.apart.iter().enumerate() {
            let in_loop = |shift: &Shift| shift.loops.get(&number).unwrap_or(&zero).clone();
            let (first, second) = (in_loop(&self.first), in_loop(&self.second));
            let trips = self.loops[number].trips.unwrap_or(CARRIED_OUT);
            let mut distances = Vec::new();
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
                    distances.push(second.at(later).unwrap() - first.at(k).unwrap());
                }
            }
            distances.sort_unstable();
            distances.dedup();
            all = all.iter().flat_map(|sum| distances.iter().map(move |one| sum + one)).collect();
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
    let mut moved = BTreeMap::new();
    for at in 0..loops {
        let mut periodic = Periodic::line(number(draw), if draw.below(3) == 0 { 0 } else { number(draw) });
        if draw.below(2) == 0 {
            let table = (0..1 + draw.below(3)).map(|_| number(draw)).collect();
            periodic = periodic.plus(&Periodic::table(table)).unwrap();
        }
        if draw.below(4) != 0 {
            moved.insert(at, periodic);
        }
    }
    Shift { loops: moved, ..Shift::none() }
}

#[test]
fn distances_within_the_span_are_all_found() {
    let (mut decided, mut of_unknown_length) = (0, 0);
    for seed in 0..20_000 {
        let case = Case::of(seed);
        let apart = |number: usize| case.apart[number];
        let Some(gaps) = Shift::distances(&case.first, &case.second, &case.loops, apart, case.span) else { continue };
        decided += 1;
        of_unknown_length += i32::from(case.loops.iter().any(|looped| looped.trips.is_none()));
        for met in case.met().into_iter().filter(|met| met.abs() <= case.span) {
            assert!(gaps.iter().any(|(distance, _)| *distance == met), "seed {seed}: {met} is not in {gaps:?}");
        }
    }
    assert!(decided > 16_000 && of_unknown_length > 10_000, "{decided} decided, {of_unknown_length} of unknown length");
}

#[test]
fn loops_of_known_length_have_no_other_distances() {
    let mut decided = 0;
    for seed in 0..20_000 {
        let case = Case::of(seed);
        // A loop that contains only one of the accesses must be executed.
        if case.loops.iter().any(|looped| looped.trips.is_none_or(|trips| trips < 5)) {
            continue;
        }
        let apart = |number: usize| case.apart[number];
        let gaps = Shift::distances(&case.first, &case.second, &case.loops, apart, case.span).expect("it is short");
        let met = case.met();
        assert!(gaps.iter().all(|(distance, _)| met.contains(distance)), "seed {seed}: {met:?}, found {gaps:?}");
        decided += 1;
    }
    assert!(decided > 3_000, "{decided} decided");
}

#[test]
fn one_that_moves_leaves_one_that_does_not() {
    let loops = [Loop::default()];
    let moving = Shift { loops: BTreeMap::from([(0, Periodic::line(16, 16))]), ..Shift::none() };
    let distances_of = |apart| Shift::distances(&Shift::none(), &moving, &loops, |_| apart, 16).unwrap();
    let near = |apart| distances_of(apart).iter().map(|distance| distance.0).filter(|bytes| bytes.abs() < 16).count();
    // It starts after the other and continues from there.
    assert_eq!((near(Apart::Same), near(Apart::AtLeast(1))), (0, 0));
    let back = Shift { loops: BTreeMap::from([(0, Periodic::line(32, -16))]), ..Shift::none() };
    let distances = Shift::distances(&Shift::none(), &back, &loops, |_| Apart::Same, 16).unwrap();
    assert!(distances.iter().any(|distance| distance.0 == 0), "it comes by in iteration 2");
}

/// Two accesses to regions of one buffer, each of whose dimensions a loop of its own moves along.
///
/// Rows are as far apart as in a narrow buffer, so that columns beyond the last would be those of the next row.
struct Regions {
    case: Case,
    /// By dimension: the coordinates of each region, and the stride.
    extents: [[i64; 2]; 2],
    strides: [i64; 2],
}

const COLUMNS: i64 = 24;

impl Regions {
    fn of(seed: u64) -> Regions {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let strides = [COLUMNS, 1];
        let extents = [0, 1].map(|_| [1 + draw.below(3) as i64, 1 + draw.below(6) as i64]);
        let steps = [0, 1].map(|_| 1 + draw.below(4) as i64);
        let shifts = extents.map(|extents| {
            let starts = [draw.below(3) as i64, draw.below(5) as i64];
            let (mut loops, mut reach) = (BTreeMap::new(), BTreeMap::new());
            for at in 0..2 {
                let [first, step] = [starts[at], steps[at]].map(|count| count * strides[at]);
                loops.insert(at, Periodic::line(first, step));
                let width = (extents[at] - 1) * strides[at];
                reach.insert(at, Reach { dimension: (0, at), fixed: BTreeMap::new(), start: (0, 0), width });
            }
            Shift { loops, reach, ..Shift::none() }
        });
        let [first, second] = shifts;
        let loops = vec![Loop::default(); 2];
        let apart = (0..2).map(|_| drawn_apart(&mut draw)).collect();
        Regions { case: Case { loops, apart, first, second, span: 4 * COLUMNS }, extents, strides }
    }

    fn footprint(&self, which: usize) -> Footprint {
        let [rows, columns] = self.extents[which];
        Footprint::of((0..rows).map(|row| (0, row * self.strides[0], row * self.strides[0] + columns)))
    }

    /// The distances of executed accesses with a common element, by its coordinates.
    fn met(&self) -> Vec<i64> {
        let case = &self.case;
        let along = |number: usize| {
            let alone = |shift: &Shift| Shift {
                loops: shift.loops.clone().into_iter().filter(|moved| moved.0 == number).collect(),
                ..Shift::none()
            };
            let mut apart = vec![Apart::Same; 2];
            apart[number] = case.apart[number];
            let (first, second) = (alone(&case.first), alone(&case.second));
            let distances = Case { loops: case.loops.clone(), apart, first, second, span: case.span }.met();
            let stride = self.strides[number];
            let [a, b] = [self.extents[0][number], self.extents[1][number]];
            distances
                .into_iter()
                .filter(move |distance| (-b < distance / stride) && (distance / stride < a))
                .collect::<Vec<_>>()
        };
        let columns = along(1);
        along(0).into_iter().flat_map(|row| columns.iter().map(move |column| row + column)).collect()
    }
}

#[test]
fn regions_of_a_buffer_meet_by_their_coordinates() {
    let (mut decided, mut missed) = (0, 0);
    for seed in 0..4_000 {
        let regions = Regions::of(seed);
        let (case, [one, other]) = (&regions.case, [0, 1].map(|which| regions.footprint(which)));
        let apart = |number: usize| case.apart[number];
        let span = one.span(&other);
        let gaps = Shift::distances(&case.first, &case.second, &case.loops, apart, span).expect("each loop is bounded");
        decided += 1;
        for met in regions.met() {
            assert!(gaps.iter().any(|(distance, _)| *distance == met), "seed {seed}: {met} is not in {gaps:?}");
            assert!(one.meeting(&other, met).next().is_some(), "seed {seed}: {met}");
        }
        // Without the bounds of the buffer, a later column is one of the next row.
        let boundless = |shift: &Shift| Shift { reach: BTreeMap::new(), ..shift.clone() };
        let all = Shift::distances(&boundless(&case.first), &boundless(&case.second), &case.loops, apart, span);
        missed += i32::from(all.is_none_or(|all| all.len() > gaps.len()));
    }
    assert!(decided == 4_000 && missed > 1_000, "{missed} of {decided}");
}

#[test]
fn a_loop_along_columns_never_reaches_the_next_row() {
    let reach = Reach { dimension: (0, 1), fixed: BTreeMap::new(), start: (0, 0), width: 126 };
    let moving = |reach: Option<Reach>| Shift {
        loops: BTreeMap::from([(0, Periodic::line(0, 128))]),
        reach: reach.map(|reach| (0, reach)).into_iter().collect(),
        ..Shift::none()
    };
    let rows = Footprint::of((0..32).map(|row| (0, row * 16384, row * 16384 + 128)));
    let meets = |shift: Shift| {
        let loops = [Loop::default()];
        let distances = Shift::distances(&shift, &shift, &loops, |_| Apart::AtLeast(1), rows.span(&rows));
        distances.unwrap().into_iter().any(|(distance, _)| rows.meeting(&rows, distance).next().is_some())
    };
    assert!(meets(moving(None)) && !meets(moving(Some(reach.clone()))));
    // A step of less than the region's width meets the previous region.
    let near = Shift { loops: BTreeMap::from([(0, Periodic::line(0, 64))]), ..moving(Some(reach)) };
    assert!(meets(near));
}

#[test]
fn what_each_iteration_computes_anew_is_equal_within_one() {
    let loops = [Loop::default(), Loop { varying: [7].into(), ..Loop::default() }];
    let row = Shift { fixed: BTreeMap::from([(7, 256)]), ..Shift::none() };
    let distances_of = |apart: [Apart; 2]| Shift::distances(&row, &row, &loops, |number| apart[number], 64);
    assert_eq!(distances_of([Apart::Later(1), Apart::Same]), Some(vec![(0, None)]));
    for apart in [Apart::Later(1), Apart::AtLeast(1), Apart::Any, Apart::At(0), Apart::From(0)] {
        assert_eq!(distances_of([Apart::Same, apart]), None, "{apart:?}");
    }
}
