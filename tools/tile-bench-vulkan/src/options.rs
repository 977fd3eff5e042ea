//! The command line.

use anyhow::{Context, Result};
use tile_bench::length::Length;
use tile_plan::Target;
use tile_plan::scan::{Hooks, Requests};
use tile_run::vulkan::Gpu;

use crate::kernels::{self, Kernels};

/// Measures portable scans on a Vulkan device, beside the driver's copy and a kernel that copies.
#[derive(Debug, clap::Parser)]
#[command(name = "tile-bench-vulkan", version)]
pub struct Options {
    /// Vulkan's device, counted from 0.
    #[arg(long, default_value_t = 0)]
    pub device: usize,
    /// The target [default: the first that the device has all of].
    #[arg(long)]
    chip: Option<String>,
    /// Element types: i32, f32, i64, f64.
    #[arg(long, value_delimiter = ',', default_value = "i32,f32", value_parser = ["i32", "f32", "i64", "f64"])]
    pub element: Vec<String>,
    /// Elements.
    #[arg(long, value_delimiter = ',', default_value = "2^16,2^18,2^20,2^22,2^24,2^26")]
    pub n: Vec<Length>,
    /// Threads of a block; each with each number of items.
    #[arg(long, value_delimiter = ',')]
    threads: Vec<i64>,
    /// Elements of a thread.
    #[arg(long, value_delimiter = ',')]
    items: Vec<i64>,
    /// Polls without news before a fallback.
    #[arg(long)]
    pub max_spin: Option<i64>,
    /// A second table, of so many elements: a share of the tiles does not publish its sum.
    #[arg(long, value_name = "N")]
    pub faults: Option<Length>,
    /// Timed rounds; the median counts.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Rounds before those.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub warmups: u32,
}

/// The targets that are tried in turn.
const TARGETS: [&str; 5] =
    ["vulkan1.3-64-subgroup32", "vulkan1.3-64-subgroup64", "vulkan1.3-64-subgroup8", "vulkan1.2-64", "vulkan1.2"];

impl Options {
    /// The target that was named, or the first that the device has all of.
    pub fn target(&self, gpu: &Gpu) -> Result<Target> {
        if let Some(name) = &self.chip {
            return Ok(Target::portable(name)?);
        }
        let takes = |target: &Target| {
            // Few items, which drivers compile fast, and several subgroups.
            let small = Requests { items: Some(4), ..Requests::default() };
            let made = Kernels::scan("i32", *target, small, Hooks::default()).and_then(|kernels| kernels.on(gpu));
            made.map(|program| gpu.destroy_program(program)).is_ok()
        };
        let all = TARGETS.iter().filter_map(|name| Target::portable(name).ok());
        all.clone().find(takes).with_context(|| {
            let names: Vec<String> = all.map(|target| target.name()).collect();
            format!("{} has all of none of {}", gpu.name, names.join(", "))
        })
    }

    /// What is requested of each scan: one for each number of threads and of items.
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
