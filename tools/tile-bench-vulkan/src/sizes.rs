//! Scans of many sizes, next to copies and the three-kernel strategy.

use anyhow::Result;
use tile_bench::length::Length;
use tile_bench::values::Values;
use tile_plan::scan::{Hooks, Requests};
use tile_plan::target::Target;
use tile_run::say;
use tile_run::vulkan::Gpu;

use crate::bench::{Arrays, Counts, Job, medians};
use crate::kernels::{Kernels, passes};
use crate::options::Options;

/// Prints a row for each size and tile; `false` if a sum is wrong.
pub fn table(gpu: &mut Gpu, target: Target, options: &Options, element: &str) -> Result<bool> {
    let values = Values::new(element, false);
    head(element);
    let mut right = true;
    for requests in options.requests() {
        for length in &options.n {
            if length.0 * values.bytes() > gpu.most_bytes() {
                say!("{:>8} {}", length.to_string(), beyond(gpu));
                continue;
            }
            let row = Row::measure(gpu, target, options, element, &values, *length, &requests)?;
            row.print();
            right &= row.wrong.is_none();
        }
    }
    Ok(right)
}

/// The reason why a size is left out.
fn beyond(gpu: &Gpu) -> String {
    format!("not measured: {} can address {} bytes of an array (maxStorageBufferRange)", gpu.name, gpu.most_bytes())
}

struct Row {
    n: Length,
    tile: String,
    bytes: usize,
    scan: f64,
    passes: f64,
    kernel: f64,
    driver: f64,
    counts: Counts,
    wrong: Option<usize>,
}

impl Row {
    fn measure(
        gpu: &mut Gpu,
        target: Target,
        options: &Options,
        element: &str,
        values: &Values,
        n: Length,
        requests: &Requests,
    ) -> Result<Row> {
        let scan = Kernels::scan(element, target, requests.clone(), Hooks::default())?;
        let counting = Hooks { counters: true, ..Hooks::default() };
        let counting = Kernels::scan(element, target, requests.clone(), counting)?;
        let three = Kernels::scan(element, target, passes(requests), Hooks::default())?;
        let copy = Kernels::copy(scan.tile, target)?;
        let arrays = Arrays::new(gpu, values, n.0)?;
        let mut counted = Job::scan(gpu, &counting, &arrays)?;
        let mut jobs =
            [Job::scan(gpu, &scan, &arrays)?, Job::scan(gpu, &three, &arrays)?, Job::copy(gpu, &copy, &arrays)?];
        let mut wrong = counted.verify(gpu, &arrays)?;
        for job in &mut jobs[..2] {
            wrong = wrong.or(job.verify(gpu, &arrays)?);
        }
        let mut turns: Vec<&mut Job> = jobs.iter_mut().collect();
        let (driver, times) = medians(gpu, &arrays, &mut turns, [options.warmups, options.runs])?;
        let tile = format!("{}x{}", scan.tile.threads, scan.tile.items());
        let counts = counted.counts(gpu)?;
        let bytes = 2 * arrays.bytes();
        jobs.into_iter().chain([counted]).for_each(|job| job.destroy(gpu));
        arrays.destroy(gpu);
        Ok(Row { n, tile, bytes, scan: times[0], passes: times[1], kernel: times[2], driver, counts, wrong })
    }

    fn print(&self) {
        let Row { scan, passes, kernel, driver, counts, .. } = self;
        let check = self.wrong.map_or_else(|| "ok".to_owned(), |at| format!("WRONG from element {at}"));
        say!(
            "{:>8} {:>8} {scan:>10.4} {:>8.1} {driver:>10.4} {:>7.1} {kernel:>10.4} {:>7.1} {passes:>10.4} {:>6.2} {:>8} {:>9}  {check}",
            self.n.to_string(),
            self.tile,
            self.bytes as f64 / scan / 1e6,
            100.0 * driver / scan,
            100.0 * kernel / scan,
            passes / scan,
            counts.polls,
            counts.fallbacks,
        );
    }
}

fn head(element: &str) {
    say!("\nsums of {element}; ms; GB/s count bytes read and written; three kernels: reduce_then_scan");
    say!(
        "{:>8} {:>8} {:>10} {:>8} {:>10} {:>7} {:>10} {:>7} {:>10} {:>6} {:>8} {:>9}  check",
        "n",
        "tile",
        "scan",
        "GB/s",
        "vkCmdCopy",
        "% of it",
        "copy",
        "% of it",
        "3 kernels",
        "times",
        "polls",
        "fallbacks"
    );
}
