//! The command line.

use anyhow::{Context, Result};
use tile_bench::length::Length;
use tile_plan::scan::{Hooks, Requests};
use tile_plan::target::Target;
use tile_run::vulkan::Gpu;

use crate::kernels::{self, Kernels};

/// Measures portable scans on a Vulkan device, next to the driver's copy and a copy kernel.
#[derive(Debug, clap::Parser)]
#[command(name = "tile-bench-vulkan", version)]
pub struct Options {
    /// The Vulkan device, counted from 0.
    #[arg(long, default_value_t = 0)]
    pub device: usize,
    /// The target [default: the first that the device supports].
    #[arg(long)]
    chip: Option<String>,
    /// Element types: i32, f32, i64, f64.
    #[arg(long, value_delimiter = ',', default_value = "i32,f32", value_parser = ["i32", "f32", "i64", "f64"])]
    pub element: Vec<String>,
    /// Numbers of elements.
    #[arg(long, value_delimiter = ',', default_value = "2^16,2^18,2^20,2^22,2^24,2^26")]
    pub n: Vec<Length>,
    /// Threads per block; each is combined with each number of items.
    #[arg(long, value_delimiter = ',')]
    threads: Vec<i64>,
    /// Elements per thread.
    #[arg(long, value_delimiter = ',')]
    items: Vec<i64>,
    /// Polls without news before a fallback.
    #[arg(long)]
    pub max_spin: Option<i64>,
    /// Also print a table for this number of elements in which some of the tiles do not publish their sums.
    #[arg(long, value_name = "N")]
    pub faults: Option<Length>,
    /// Timed rounds; the median is reported.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Warm-up rounds before the timed ones.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub warmups: u32,
}

/// The targets, in the order in which they are tried.
const TARGETS: [&str; 5] =
    ["vulkan1.3-64-subgroup32", "vulkan1.3-64-subgroup64", "vulkan1.3-64-subgroup8", "vulkan1.2-64", "vulkan1.2"];

impl Options {
    /// The named target, or the first that the device supports.
    pub fn target(&self, gpu: &mut Gpu) -> Result<Target> {
        if let Some(name) = &self.chip {
            return Ok(Target::portable(name)?);
        }
        let mut takes = |target: &Target| {
            // Few items, so that drivers compile the kernel fast, and several subgroups.
            let small = Requests { items: Some(4), ..Requests::default() };
            let kernels = Kernels::scan("i32", *target, small, Hooks::default());
            kernels.and_then(|kernels| kernels.on(gpu)).is_ok()
        };
        let all = TARGETS.iter().filter_map(|name| Target::portable(name).ok());
        all.clone().find(&mut takes).with_context(|| {
            let names: Vec<String> = all.map(|target| target.name()).collect();
            format!("{} supports none of the targets {}", gpu.name, names.join(", "))
        })
    }

    /// The requests of each scan: one for each combination of threads and items.
    pub fn requests(&self) -> Vec<Requests> {
        let each = |numbers: &[i64]| match numbers {
            [] => vec![None],
            several => several.iter().copied().map(Some).collect(),
        };
        let items = each(&self.items);
        let both = each(&self.threads).into_iter().flat_map(|threads| items.iter().map(move |items| (threads, *items)));
        both.map(|(threads, items)| Requests { threads, items, max_spin: self.max_spin, ..kernels::fallback() })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn each_number_of_threads_is_measured_with_each_number_of_items() {
        let parse = |arguments: &[&str]| Options::try_parse_from([&["tile-bench-vulkan"], arguments].concat()).unwrap();
        let tiles = |arguments| {
            let all = parse(arguments).requests();
            all.iter().map(|requests| (requests.threads, requests.items)).collect::<Vec<_>>()
        };
        assert_eq!(tiles(&[]), [(None, None)]);
        assert_eq!(tiles(&["--items", "8,16"]), [(None, Some(8)), (None, Some(16))]);
        assert_eq!(tiles(&["--threads", "128,256", "--items", "8,16"]).len(), 4);
        assert!(parse(&["--faults", "2^20"]).faults.is_some());
    }
}
