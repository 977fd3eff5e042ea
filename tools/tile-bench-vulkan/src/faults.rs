//! The speed of a scan while some tiles do not publish their sums.

use anyhow::Result;
use tile_bench::length::Length;
use tile_bench::values::Values;
use tile_plan::scan::Hooks;
use tile_plan::target::Target;
use tile_run::say;
use tile_run::vulkan::Gpu;

use crate::bench::{Arrays, Job, medians};
use crate::kernels::Kernels;
use crate::options::Options;

/// The injected faults: no tile, every eighth, every other, and all tiles are silent; and the first block takes the
/// last tile.
const FAULTS: [(&str, Hooks); 5] = [
    ("0 %", NONE),
    ("12.5 %", Hooks { skip_post: Some(7), ..NONE }),
    ("50 %", Hooks { skip_post: Some(1), ..NONE }),
    ("100 %", Hooks { skip_post: Some(0), ..NONE }),
    ("in reverse", Hooks { reverse: true, ..NONE }),
];
const NONE: Hooks = Hooks { skip_post: None, hold: None, reverse: false, poll_cap: None, counters: false };

/// Prints a row for each fault; `false` if a sum is wrong.
pub fn table(gpu: &mut Gpu, target: Target, options: &Options, element: &str, n: Length) -> Result<bool> {
    let values = Values::new(element, false);
    say!("\nsums of {n} elements of {element}, some of whose tiles are silent");
    say!(
        "{:>10} {:>8} {:>8} {:>9} {:>10} {:>8} {:>13} {:>7}  check",
        "silent",
        "tile",
        "tiles",
        "fallbacks",
        "ms",
        "GB/s",
        "% undisturbed",
        "% copy"
    );
    let arrays = Arrays::new(gpu, &values, n.0)?;
    let mut right = true;
    for requests in options.requests() {
        let mut undisturbed = None;
        for (name, hooks) in FAULTS {
            let kernels = Kernels::scan(element, target, requests.clone(), hooks)?;
            let counting = Hooks { counters: true, ..hooks };
            let counting = Kernels::scan(element, target, requests.clone(), counting)?;
            let mut counted = Job::scan(gpu, &counting, &arrays)?;
            let wrong = counted.verify(gpu, &arrays)?;
            let mut job = Job::scan(gpu, &kernels, &arrays)?;
            let (driver, times) = medians(gpu, &arrays, &mut [&mut job], [options.warmups, options.runs])?;
            let time = times[0];
            let best = *undisturbed.get_or_insert(time);
            let tile = kernels.tile;
            say!(
                "{name:>10} {:>8} {:>8} {:>9} {time:>10.4} {:>8.1} {:>13.1} {:>7.1}  {}",
                format!("{}x{}", tile.threads, tile.items()),
                n.0.div_ceil(tile.elements() as usize),
                counted.counts(gpu)?.fallbacks,
                2.0 * arrays.bytes() as f64 / time / 1e6,
                100.0 * best / time,
                100.0 * driver / time,
                wrong.map_or_else(|| "ok".to_owned(), |at| format!("WRONG from element {at}")),
            );
            right &= wrong.is_none();
            [job, counted].into_iter().for_each(|job| job.destroy(gpu));
        }
    }
    arrays.destroy(gpu);
    Ok(right)
}
