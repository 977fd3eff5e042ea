//! Partitions of shared tiles: each element is one thread's, and is computed once.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Eval, Iter, Layout, Swizzle};
use tile_plan::distribution::RegisterDistribution;
use tile_plan::elementwise::{
    ComputedParts, MAX_HELD_REGISTERS, MapPlan, MapProblem, PartRegion, PartitionForm, PartitionProblem,
    RegisterOperand, SharedTileOperand, SpareThreads, TileOperand, TilePartition, TileParts,
};
use tile_plan::problem::Element;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::Threads;
use tile_plan::target::Target;

use crate::common::matrices::{parsed, tile};

/// The most bytes that storage is aligned to.
const ALIGN_BYTES: i64 = 1024;

fn shared(name: &str, layout: Layout, shape: &[i64], bits: u32) -> TileOperand {
    let tile = Operand::whole(Space::Shared, layout, shape, ALIGN_BYTES);
    let element = Element::new(bits, format!("f{bits}"));
    TileOperand::Shared(SharedTileOperand { name: name.to_owned(), tile, element })
}

/// The dimensions of a tile in an order of its memory, the last contiguous, each step padded by so many elements.
fn dense(shape: &[i64], order: &[usize], padding: i64, swizzle: Option<Swizzle>) -> Layout {
    let mut iters = vec![Iter::new(1, 1, Axis::Memory); shape.len()];
    let mut stride = 1;
    for (place, &dimension) in order.iter().rev().enumerate() {
        iters[dimension] = Iter::new(shape[dimension], stride, Axis::Memory);
        stride = stride * shape[dimension] + if place == 0 { padding } else { 0 };
    }
    Layout { swizzle, ..Layout::new(iters) }
}

#[derive(Clone, Debug)]
struct SharedCase {
    shape: Vec<i64>,
    threads: Threads,
    source: TileOperand,
    result: TileOperand,
    /// A source of which each row or column is repeated.
    repeated: TileOperand,
}

fn threads() -> impl Strategy<Value = Threads> {
    let scopes = prop_oneof![
        (1..9i64).prop_map(|warps| (Scope::Cta, 32 * warps)),
        Just((Scope::Cta, 48)),
        Just((Scope::Warp, 64)),
        Just((Scope::Warpgroup, 256)),
        Just((Scope::Thread, 32)),
    ];
    scopes.prop_map(|(scope, block)| Threads::all(scope, Some(block)))
}

fn cases() -> impl Strategy<Value = SharedCase> {
    let shapes = prop_oneof![
        (1..300i64).prop_map(|n| vec![n]),
        (1..40i64, 1..70i64).prop_map(|(m, n)| vec![m, n]),
        (1..6i64, 1..9i64, 1..20i64).prop_map(|(l, m, n)| vec![l, m, n]),
        (1..5u32, 3..7u32).prop_map(|(m, n)| vec![1 << m, 1 << n]),
    ];
    let bits = prop_oneof![Just(8u32), Just(16), Just(32), Just(64)];
    let drawn =
        (shapes, threads(), [bits.clone(), bits], [any::<bool>(), any::<bool>()], 0..3i64, any::<bool>(), 0..3usize);
    drawn.prop_map(|(shape, threads, bits, turned, padding, is_swizzled, repeated)| {
        let whole: i64 = shape.iter().product();
        let swizzle =
            (is_swizzled && whole % 512 == 0).then_some(Swizzle { per_element: 3, len: 3, atom_len: 3, inner: true });
        let layout = |is_turned: bool, padding, swizzle| {
            let mut order: Vec<usize> = (0..shape.len()).collect();
            if is_turned {
                order.reverse();
            }
            dense(&shape, &order, padding, swizzle)
        };
        let mut part = shape.clone();
        part[repeated % shape.len()] = 1;
        SharedCase {
            source: shared("x", layout(turned[0], 8 * padding, None), &shape, bits[0]),
            result: shared("r", layout(turned[1], 0, swizzle), &shape, bits[1]),
            repeated: shared("m", Layout::row_major(&part), &part, bits[0]),
            shape,
            threads,
        }
    })
}

/// The elements that a thread computes, by row-major number, each with how often.
fn computed(plan: &MapPlan, tile: &RegisterDistribution, thread: usize) -> Vec<i64> {
    let base = |dimension| {
        plan.coordinates.as_ref().map_or(0, |coordinates| coordinates.of_thread(&mut Eval, thread as i64, dimension))
    };
    let is_done =
        |step: &&tile_plan::elementwise::MapStep| step.checks.iter().all(|check| base(check.dimension) < check.extent);
    let steps = plan.steps.iter().filter(is_done);
    steps.filter_map(|step| tile.element(thread, step.results[0])).collect()
}

/// The coordinates of an element by its number in row-major order.
fn coordinates(mut element: i64, shape: &[i64]) -> Vec<i64> {
    let mut digits: Vec<i64> = shape
        .iter()
        .rev()
        .map(|extent| {
            let digit = element % extent;
            element /= extent;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

fn is_inside(at: &[i64], shape: &[i64]) -> bool {
    at.iter().zip(shape).all(|(at, extent)| at < extent)
}

/// The map of a case with a partition.
fn map(case: &SharedCase, partition: &TilePartition) -> MapProblem {
    let held = |tile: &TileOperand| tile.in_registers(Some(partition)).unwrap();
    MapProblem {
        sources: vec![held(&case.source), held(&case.repeated)],
        results: vec![held(&case.result)],
        has_coordinates: false,
        ops: 1,
        limits: partition.limits(&case.shape),
        threads: case.threads.clone(),
    }
}

fn problem<'p>(
    case: &'p SharedCase,
    sources: &'p [TileOperand],
    results: &'p [TileOperand],
    spare: &'p [SpareThreads],
) -> PartitionProblem<'p> {
    PartitionProblem {
        shape: &case.shape,
        tiles: [sources, results],
        threads: &case.threads,
        spare,
        max_vector_bits: 128,
        in_parts: ComputedParts::All,
    }
}

/// The 32-bit registers of a tile in a part.
fn registers(tile: &TileOperand, parts: &TileParts, begin: &[i64]) -> i64 {
    let TileOperand::Shared(shared) = tile else { return 0 };
    let layout = parts.region(tile.shape(), begin).unwrap().partition.layout;
    let extents = layout.shard.iter().filter(|iter| iter.axis == Axis::Memory).map(|iter| iter.extent);
    (extents.product::<i64>() * i64::from(shared.element.bits) + 31) / 32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn each_element_is_computed_once(case in cases()) {
        let target = Target::parse("sm_90a").unwrap();
        let sources = [case.source.clone(), case.repeated.clone()];
        let results = [case.result.clone()];
        let search = problem(&case, &sources, &results, &[SpareThreads::Beyond]);
        let (partition, (problem, plan)) = search
            .find(&target, |partition| {
                let problem = map(&case, partition.unwrap());
                problem.plan().map(|plan| (problem, plan))
            })
            .unwrap();
        let parts = partition.unwrap();
        let partition = &parts.whole;
        let held = RegisterDistribution::new(&partition.layout, &partition.shape, "r", &case.threads).unwrap();
        let repeated = &problem.sources[1];
        let part = RegisterDistribution::new(&repeated.layout, &repeated.shape, "m", &case.threads).unwrap();
        let mut times: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
        for thread in 0..held.threads() {
            for element in computed(&plan, &held, thread) {
                let at = coordinates(element, &partition.shape);
                // The only element along a dimension is repeated for threads that are left over, and stored by the first of them.
                let at = at.into_iter().zip(&case.shape).map(|(at, &extent)| if extent == 1 { 0 } else { at });
                *times.entry(at.collect()).or_default() += 1;
            }
            for step in &plan.steps {
                let at = coordinates(held.element(thread, step.results[0]).unwrap(), &partition.shape);
                let read = coordinates(part.element(thread, step.sources[1]).unwrap(), &repeated.shape);
                let wanted = |(&at, &extent): (&i64, &i64)| if extent == 1 { 0 } else { at };
                let wanted: Vec<i64> = at.iter().zip(&repeated.shape).map(wanted).collect();
                prop_assert_eq!(read, wanted);
            }
        }
        prop_assert!(times.keys().all(|at| is_inside(at, &case.shape)), "elements beyond the tile are computed");
        prop_assert_eq!(times.len() as i64, case.shape.iter().product::<i64>());
        let is_repeated = case.shape.contains(&1);
        prop_assert!(is_repeated || times.values().all(|&times| times == 1), "elements are computed by several threads");
    }

    #[test]
    fn parts_are_the_whole(case in cases()) {
        let target = Target::parse("sm_90a").unwrap();
        let (sources, results) = ([case.source.clone(), case.repeated.clone()], [case.result.clone()]);
        let search = problem(&case, &sources, &results, &[SpareThreads::Beyond]);
        let cheapest = search.find(&target, |partition| {
            let problem = map(&case, partition.unwrap());
            problem.plan().map(|plan| (problem, plan))
        });
        let (parts, (whole, plan)) = cheapest.unwrap();
        let parts = parts.unwrap();
        let divided = plan.in_parts(&whole, [&sources, &results], Some(&parts)).unwrap();
        prop_assert_eq!(divided.len(), parts.count());
        prop_assert_eq!(divided.iter().map(|part| part.steps.len()).sum::<usize>(), plan.steps.len());
        let held = |operand: &RegisterOperand| {
            RegisterDistribution::new(&operand.layout, &operand.shape, &operand.name, &case.threads).unwrap()
        };
        let of_whole = held(&whole.results[0]);
        let mut steps = plan.steps.clone();
        for part in &divided {
            let bits: i64 = sources.iter().chain(&results).map(|tile| registers(tile, &parts, &part.begin)).sum();
            prop_assert!(bits <= MAX_HELD_REGISTERS, "{bits} registers");
            let tiles = sources.iter().zip(&whole.sources).chain(results.iter().zip(&whole.results));
            let regions: Vec<_> = tiles.map(|(tile, whole)| (parts.region(tile.shape(), &part.begin).unwrap(), held(whole))).collect();
            for step in &part.steps {
                // The step of the whole that computes the same element, wherever its registers are.
                let registers = step.sources.iter().chain(&step.results);
                let elements = |thread: usize| -> Vec<Vec<i64>> {
                    let at = |(&register, (region, _)): (&usize, &(PartRegion, RegisterDistribution))| {
                        let PartRegion { partition, begin } = region;
                        let part = RegisterDistribution::new(&partition.layout, &partition.shape, "part", &case.threads).unwrap();
                        let within = coordinates(part.element(thread, register).unwrap(), &partition.shape);
                        within.into_iter().zip(begin).map(|(within, begin)| within + begin).collect()
                    };
                    registers.clone().zip(&regions).map(at).collect()
                };
                let number = |thread: usize| {
                    let result = elements(thread).pop().unwrap();
                    result.iter().zip(&parts.whole.shape).fold(0, |number, (at, extent)| number * extent + at)
                };
                let same = steps.iter().position(|whole| of_whole.element(0, whole.results[0]) == Some(number(0)));
                let same = steps.remove(same.expect("each element is in one part"));
                let last = of_whole.threads() - 1;
                for thread in [0, last] {
                    let of_whole = same.sources.iter().chain(&same.results).zip(&regions);
                    let all = whole.sources.iter().chain(&whole.results);
                    let expected = of_whole.zip(all).map(|((&register, (_, held)), operand)| {
                        coordinates(held.element(thread, register).unwrap(), &operand.shape)
                    });
                    prop_assert_eq!(elements(thread), expected.collect::<Vec<_>>());
                }
            }
        }
        prop_assert!(steps.is_empty());
    }

    #[test]
    fn copies_are_of_whole_tiles(case in cases()) {
        let target = Target::parse("sm_90a").unwrap();
        let sources = [case.source.clone()];
        let search = problem(&case, &sources, &[], &[SpareThreads::Copies]);
        let cheapest = search.find(&target, |partition| Ok(partition.unwrap().clone()));
        let (_, partition) = cheapest.unwrap();
        prop_assert_eq!(&partition.shape, &case.shape);
        let held = RegisterDistribution::new(&partition.layout, &partition.shape, "x", &case.threads).unwrap();
        let all = (0..held.threads()).flat_map(|thread| held.elements(thread).map(|(_, element)| element));
        let mut times: BTreeMap<i64, usize> = BTreeMap::new();
        all.for_each(|element| *times.entry(element).or_default() += 1);
        prop_assert_eq!(times.len() as i64, case.shape.iter().product::<i64>());
        let first = times.values().next().copied();
        prop_assert!(times.values().all(|&times| Some(times) == first));
    }
}

/// The partition of tiles in rows of 64 of these widths, by 128 threads.
fn best(widths: &[u32]) -> TilePartition {
    let shape = [64, 64];
    let tiles: Vec<TileOperand> =
        widths.iter().map(|&bits| shared("x", Layout::row_major(&shape), &shape, bits)).collect();
    let threads = Threads::all(Scope::Cta, Some(128));
    let search = PartitionProblem {
        shape: &shape,
        tiles: [&tiles, &[]],
        threads: &threads,
        spare: &[SpareThreads::Beyond],
        max_vector_bits: 128,
        in_parts: ComputedParts::All,
    };
    let cheapest = search.find(&Target::parse("sm_90a").unwrap(), |partition| Ok(partition.unwrap().clone()));
    cheapest.unwrap().1
}

#[test]
fn vectors_are_the_widest_without_conflicts() {
    assert_eq!(best(&[16]).layout, parsed("(4, 16, 8, 8) : (8, 8@tx, 1@tx, 1)"));
    assert_eq!(best(&[32]).layout, parsed("(8, 8, 16, 4) : (4, 16@tx, 1@tx, 1)"));
    // With 8 elements, the 32 bytes of a lane would be two accesses of 16, of which two lanes share their banks.
    assert_eq!(best(&[16, 32]).layout, parsed("(8, 8, 16, 4) : (4, 16@tx, 1@tx, 1)"));
}

#[test]
fn rows_and_columns_meet_where_conflicts_are_fewest() {
    // One tile in rows, one in columns: a padded tile is read along either.
    let shape = [32, 32];
    let tiles =
        [shared("x", Layout::row_major(&shape), &shape, 32), shared("y", parsed("(32, 32) : (1, 36)"), &shape, 32)];
    let threads = Threads::all(Scope::Warp, Some(32));
    let search = PartitionProblem {
        shape: &shape,
        tiles: [&tiles[..1], &tiles[1..]],
        threads: &threads,
        spare: &[SpareThreads::Beyond],
        max_vector_bits: 128,
        in_parts: ComputedParts::All,
    };
    let (_, partition) =
        search.find(&Target::parse("sm_90a").unwrap(), |partition| Ok(partition.unwrap().clone())).unwrap();
    let iters: i64 = partition.layout.shard.iter().map(|iter| iter.extent).product();
    assert_eq!(iters, 1024);
}

#[test]
fn a_tile_in_registers_is_the_partition() {
    let shape = [64, 64];
    let given = tile("x", &parsed("(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)"), &shape);
    let tiles = [TileOperand::Registers(given.clone()), shared("y", Layout::row_major(&shape), &shape, 32)];
    let threads = Threads::all(Scope::Warpgroup, Some(128));
    let search = PartitionProblem {
        shape: &shape,
        tiles: [&tiles[..1], &tiles[1..]],
        threads: &threads,
        spare: &[SpareThreads::Beyond],
        max_vector_bits: 128,
        in_parts: ComputedParts::All,
    };
    let target = Target::parse("sm_90a").unwrap();
    let (partition, held) = search.find(&target, |partition| tiles[1].in_registers(partition)).unwrap();
    assert_eq!(partition.unwrap().whole.layout, given.layout);
    assert_eq!(held, RegisterOperand { name: "y".to_owned(), ..given });
}

#[test]
fn threads_that_are_left_over_hold_what_is_beyond_or_copies() {
    let form = |spare| PartitionForm { shape: &[3, 8], order: &[1, 0], vector: 4, scope: (Scope::Warp, 32), spare };
    let beyond = form(SpareThreads::Beyond).partitions();
    assert!(
        beyond.iter().all(|partition| partition.shape[0] >= 4 && partition.layout.replica.is_empty()),
        "{beyond:?}"
    );
    let copies = form(SpareThreads::Copies).partitions();
    assert_eq!(copies.len(), 1);
    assert_eq!(copies[0].layout, parsed("(3, 2, 4) : (4, 1@laneid, 1) + R(16 : 2@laneid)"));
}

#[test]
fn a_scope_of_unknown_size_has_no_partition() {
    let tiles = [shared("x", Layout::row_major(&[64]), &[64], 32)];
    let threads = Threads::all(Scope::Cta, None);
    let search = PartitionProblem {
        shape: &[64],
        tiles: [&tiles, &[]],
        threads: &threads,
        spare: &[SpareThreads::Beyond],
        max_vector_bits: 128,
        in_parts: ComputedParts::All,
    };
    let refusal = search.find(&Target::parse("sm_90a").unwrap(), |_| Ok(())).unwrap_err();
    assert_eq!(refusal.cause, "block-size-unknown");
}
