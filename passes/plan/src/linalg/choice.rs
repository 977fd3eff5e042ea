//! The schedules of a product, by their estimated times.

use tile_isa::{NumberFormat, Scope, WARPGROUP};

use super::cost::{ProductEstimate, ProductTiling};
use super::product::{DEPTH_BITS, MAX_FMA_SUMS, ProductProblem};
use super::schedule::LinalgSchedule;
use crate::pipeline::MAX_STAGES;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::target::Target;

/// The extents of tiles that are tried, beside those of the product.
const ROWS: [i64; 5] = [256, 128, 64, 32, 16];
const COLUMNS: [i64; 4] = [256, 128, 64, 32];

/// The largest extent of a product that is one tile.
const MAX_WHOLE: i64 = 256;

/// A warpgroup for each so many rows, at most two.
const WARPGROUP_ROWS: i64 = 64;
const MAX_WARPGROUPS: i64 = 2;

/// The rows of tiles in a group.
const GROUPS: [i64; 6] = [1, 2, 4, 8, 16, 32];

/// The most blocks of an SM for which the stages are chosen.
const MAX_BLOCKS: i64 = 4;

/// A way to do a product, and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductChoice {
    /// The schedule.
    pub schedule: LinalgSchedule,
    /// Its time.
    pub estimate: ProductEstimate,
}

impl ProductProblem {
    /// The schedules of a whole product, of which the problem has the size, with tiles that divide it; the fastest first, one of each
    /// tile. At least one.
    ///
    /// # Errors
    /// The speeds of the chip are not known, or no tiles divide the product.
    pub fn choices(&self, target: &Target) -> Result<Vec<ProductChoice>, Refusal> {
        let speeds = target.speeds().ok_or_else(|| {
            let has_speeds = |name: &&str| Target::parse(name).is_ok_and(|chip| chip.speeds().is_some());
            let chips = Target::names().filter(has_speeds).collect::<Vec<_>>().join(", ");
            Refusal::new("schedule-no-speeds", format!("the speeds of {target} are not known, expected one of {chips}"))
        })?;
        let best = |tiling: ProductTiling| {
            let all = self.rings(tiling, target).into_iter().map(|tiling| (tiling, tiling.estimate(target, speeds)));
            let key =
                |(tiling, estimate): &(ProductTiling, ProductEstimate)| (estimate.tenths(), tiling.preference(target));
            all.min_by_key(key).map(|choice| (key(&choice), choice))
        };
        let mut all: Vec<_> = self.tilings(target).into_iter().filter_map(best).collect();
        all.sort_by_key(|(key, (tiling, _))| (*key, tiling.tile));
        if all.is_empty() {
            return Err(self.no_tiles(target));
        }
        let choice = |(_, (tiling, estimate)): (_, (ProductTiling, ProductEstimate))| ProductChoice {
            schedule: tiling.schedule(),
            estimate,
        };
        Ok(all.into_iter().map(choice).collect())
    }

    /// The schedules that are worth timing: the fastest so many of [`Self::choices`], the fastest first; fewer where there are fewer.
    ///
    /// # Errors
    /// As there.
    pub fn best_choices(&self, target: &Target, most: usize) -> Result<Vec<ProductChoice>, Refusal> {
        let mut all = self.choices(target)?;
        all.truncate(most.max(1));
        Ok(all)
    }

    /// The tiles that divide the product and that threads multiply, with a ring of no stages yet.
    fn tilings(&self, target: &Target) -> Vec<ProductTiling> {
        let [m, n, k] = self.size;
        let depth = self.step_depth();
        let (rows, columns) = (divisors(m, &ROWS, MAX_WHOLE), divisors(n, &COLUMNS, MAX_WHOLE));
        let depths = divisors(k, &[4 * depth, 2 * depth, depth], depth);
        let tiles = rows.iter().flat_map(|&m| columns.iter().map(move |&n| [m, n]));
        let tiles: Vec<_> = tiles.flat_map(|[m, n]| depths.iter().map(move |&k| [m, n, k])).collect();
        tiles.into_iter().filter_map(|tile| self.tiling(target, tile)).collect()
    }

    /// The depths of the smallest step: as many as the elements of a swizzled row.
    fn step_depth(&self) -> i64 {
        DEPTH_BITS / i64::from(self.numbers[0].bits().max(1))
    }

    fn tiling(&self, target: &Target, tile: [i64; 3]) -> Option<ProductTiling> {
        let threads = (tile[0] / WARPGROUP_ROWS).clamp(1, MAX_WARPGROUPS) * WARPGROUP;
        let sums = tile[0] * tile[1] / threads;
        if sums > MAX_FMA_SUMS {
            return None;
        }
        let block = Threads::all(Scope::Cta, Some(threads));
        let problem = ProductProblem { size: tile, threads: block, may_pad: [false; 3], ..self.clone() };
        let instruction = problem.plan(target, &LinalgSchedule::default()).ok()?.instruction;
        let (size, number) = (self.size, self.numbers[0]);
        let tiling = ProductTiling { size, number, instruction, tile, threads, stages: 1, group: 1 };
        (sums <= instruction.most_sums()).then_some(tiling)
    }

    /// The same tiles with as many stages as some number of blocks on an SM have, in groups of rows.
    fn rings(&self, tiling: ProductTiling, target: &Target) -> Vec<ProductTiling> {
        let steps = self.size[2] / tiling.tile[2];
        let mut stages: Vec<i64> =
            (1..=MAX_BLOCKS).map(|blocks| tiling.most_stages(target, blocks).min(MAX_STAGES).min(steps)).collect();
        stages.dedup();
        let rows = self.size[0] / tiling.tile[0];
        let groups = GROUPS.into_iter().filter(|group| *group <= rows);
        let stages = stages.into_iter().filter(|stages| *stages > 0);
        stages.flat_map(|stages| groups.clone().map(move |group| ProductTiling { stages, group, ..tiling })).collect()
    }

    fn no_tiles(&self, target: &Target) -> Refusal {
        let ([m, n, k], [a, b, c]) = (self.size, self.numbers.map(NumberFormat::name));
        let depth = self.step_depth();
        let reason = format!(
            "no tiles that {target} multiplies divide {m}x{k} {a} by {k}x{n} {b} to {c}; expected rows and columns of at most \
             {MAX_WHOLE} or in multiples of 16, and depths of at most {depth} or in multiples of {depth}"
        );
        Refusal::new("schedule-no-tiles", reason)
    }
}

impl ProductTiling {
    /// The schedule that states it.
    fn schedule(&self) -> LinalgSchedule {
        LinalgSchedule {
            instruction: Some(self.instruction),
            stages: Some(self.stages),
            tile: Some(self.tile),
            threads: Some(self.threads),
            group: Some(self.group),
            ..LinalgSchedule::default()
        }
    }
}

/// The numbers that divide an extent, and the extent itself where it is none of them and at most so many.
fn divisors(extent: i64, tried: &[i64], most: i64) -> Vec<i64> {
    let whole = Some(extent).filter(|extent| *extent <= most && !tried.contains(extent));
    tried.iter().copied().filter(|size| extent % size == 0).chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::product::FactorSource;
    use crate::linalg::schedule::ProductInstruction;

    fn problem(size: [i64; 3]) -> ProductProblem {
        ProductProblem {
            size,
            numbers: [NumberFormat::F16, NumberFormat::F16, NumberFormat::F32],
            clauses: [None; 2],
            sources: [false; 2].map(|is_transposed| FactorSource::Open { is_transposed }),
            threads: Threads::all(Scope::Cta, Some(128)),
            may_pad: [false; 3],
        }
    }

    fn chip(name: &str) -> Target {
        Target::parse(name).unwrap()
    }

    fn choices(size: [i64; 3]) -> Vec<ProductChoice> {
        problem(size).choices(&chip("sm_90a")).unwrap()
    }

    /// What was measured on an H200: the best tiles of each size, and their microseconds.
    const MEASURED: [([i64; 3], [i64; 3], f64); 8] = [
        ([8192, 8192, 8192], [128, 256, 64], 1648.1),
        ([4096, 4096, 4096], [128, 256, 64], 191.8),
        ([8192, 8192, 1024], [128, 256, 64], 214.6),
        ([4096, 11008, 4096], [128, 256, 64], 501.5),
        ([1024, 1024, 1024], [64, 128, 64], 9.3),
        ([16, 8192, 8192], [16, 64, 256], 42.9),
        ([64, 8192, 8192], [64, 64, 128], 42.7),
        ([256, 8192, 8192], [128, 128, 64], 55.9),
    ];

    #[test]
    fn known_winners_are_chosen_and_every_choice_fits() {
        let shared_bytes = chip("sm_90a").shared_bytes();
        for (size, tile, measured) in MEASURED {
            let all = choices(size);
            assert_eq!(all[0].schedule.tile, Some(tile), "{size:?}");
            let ratio = all[0].estimate.total / measured;
            assert!((0.85..1.15).contains(&ratio), "{size:?}: {ratio}");
            for ProductChoice { schedule, .. } in all {
                let ([m, n, k], threads, stages) =
                    (schedule.tile.unwrap(), schedule.threads.unwrap(), schedule.stages.unwrap());
                assert!(stages * (m + n) * k * 2 <= shared_bytes && m * n / threads <= 128, "{schedule}");
                assert!([m, n, k].iter().zip(size).all(|(part, whole)| whole % part == 0), "{schedule}");
            }
        }
    }

    #[test]
    fn larger_products_and_fewer_stages_take_longer() {
        let target = chip("sm_90a");
        let speeds = target.speeds().unwrap();
        let base = ProductTiling {
            size: [4096; 3],
            number: NumberFormat::F16,
            instruction: ProductInstruction::Wgmma,
            tile: [128, 256, 64],
            threads: 256,
            stages: 4,
            group: 16,
        };
        let time = |tiling: ProductTiling| tiling.estimate(&target, speeds).total;
        for dimension in 0..3 {
            let mut larger = base;
            for _ in 0..4 {
                let before = time(larger);
                larger.size[dimension] *= 2;
                assert!(time(larger) > before, "{larger:?}");
            }
        }
        assert!(
            (3..8)
                .all(|stages| time(ProductTiling { stages, ..base })
                    >= time(ProductTiling { stages: stages + 1, ..base }))
        );
        assert!(time(ProductTiling { instruction: ProductInstruction::MmaSync, ..base }) > time(base));
        // Blocks in one row of tiles read all columns in each wave.
        let dram = |group| ProductTiling { group, ..base }.estimate(&target, speeds).dram;
        assert!(dram(1) > dram(16));
    }

    #[test]
    fn the_order_of_choices_is_always_the_same() {
        assert_eq!(choices([64; 3]), choices([64; 3]));
    }

    #[test]
    fn the_best_are_the_first_choices() {
        let (problem, chip, all) = (problem([64; 3]), chip("sm_90a"), choices([64; 3]));
        let best = |most| problem.best_choices(&chip, most).unwrap();
        assert_eq!(best(2), all[..2]);
        assert_eq!((best(0), best(1000)), (all[..1].to_vec(), all.clone()));
        assert!(
            all.iter()
                .enumerate()
                .all(|(at, one)| all[..at].iter().all(|other| other.schedule.tile != one.schedule.tile))
        );
    }

    #[test]
    fn what_has_no_tiles_or_no_speeds_is_refused() {
        let cause = |size, name: &str| problem(size).choices(&chip(name)).unwrap_err().cause;
        assert_eq!(cause([3001, 2560, 4096], "sm_90a"), "schedule-no-tiles");
        assert_eq!(cause([4096; 3], "sm_80"), "schedule-no-speeds");
        let without = problem([64; 3]).choices(&chip("sm_90")).unwrap();
        assert_eq!(without[0].schedule.instruction, Some(ProductInstruction::MmaSync));
    }
}
