//! Measures [portable scans](../../../docs/portable-scan.md) on a Vulkan device. A single program plans, writes and
//! runs the kernels, and needs only Vulkan's loader and a driver.
//!
//! ```text
//! tile-bench-vulkan                              sums of 2^16 to 2^26 elements, next to copies and three kernels
//! tile-bench-vulkan --faults 2^20                also with tiles that do not publish their sums
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`options`] | the command line |
//! | [`kernels`] | the programs that are measured |
//! | [`mod@bench`] | launches that are timed and checked |
//! | [`sizes`], [`faults`] | the two tables |

mod bench;
mod faults;
mod kernels;
mod options;
mod sizes;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tile_run::vulkan::Gpu;
use tile_run::{complain, say};

use options::Options;

/// Exit status: 0 all sums are right, 1 some are wrong, 2 an error prevented (further) runs.
fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<bool> {
    let mut gpu = Gpu::open(options.device)?;
    let target = options.target(&mut gpu)?;
    say!("{}, {target}, medians of {} after {}", gpu.name, options.runs, options.warmups);
    let mut right = true;
    for element in &options.element {
        right &= sizes::table(&mut gpu, target, options, element)?;
        if let Some(n) = options.faults {
            right &= faults::table(&mut gpu, target, options, element, n)?;
        }
    }
    Ok(right)
}
