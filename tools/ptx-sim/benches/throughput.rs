//! Interpretation speed of kernels: lane instructions per second, with and without checkers.

use std::time::Instant;

use ptx_sim::{Arg, Checks, LaunchConfig, Memory, Module, launch};

const TEXT: &str = include_str!("../tests/ptx/bench.ptx");

/// The number of launches, of which the fastest counts: other work on the machine only adds time.
const RUNS: u32 = 5;

/// A kernel with its grid, block and arguments for `bytes` bytes of input and output.
struct Case {
    kernel: &'static str,
    grid: u32,
    block: u32,
    bytes: usize,
    input: bool,
    last: u32,
}

fn main() {
    let module = match Module::parse(TEXT) {
        Ok(module) => module,
        Err(error) => return eprintln!("{error}"),
    };
    let mib = 1 << 20;
    let cases = [
        Case { kernel: "copy", grid: 16, block: 256, bytes: 8 * mib, input: true, last: (8 * mib / 16) as u32 },
        Case { kernel: "arithmetic", grid: 1, block: 256, bytes: 1024, input: false, last: 20_000 },
        Case { kernel: "staged", grid: 1, block: 256, bytes: 8 * mib, input: true, last: (8 * mib / 4096) as u32 },
    ];
    println!("{:<12} {:<8} {:>18} {:>9} {:>8}", "kernel", "checks", "lane instructions", "seconds", "M/s");
    for case in &cases {
        for (name, checks) in [("all", Checks::ALL), ("none", Checks::NONE)] {
            if let Err(error) = measure(&module, case, name, checks) {
                eprintln!("{}: {error}", case.kernel);
            }
        }
    }
}

fn measure(module: &Module, case: &Case, name: &str, checks: Checks) -> Result<(), Box<dyn std::error::Error>> {
    let mut memory = Memory::new();
    let mut args = Vec::new();
    if case.input {
        args.push(Arg::Ptr(memory.alloc_with(&vec![7; case.bytes])?));
    }
    args.push(Arg::Ptr(memory.alloc(case.bytes)?));
    args.push(Arg::U32(case.last));
    let config = LaunchConfig { checks, ..LaunchConfig::new(case.grid, case.block) };
    let (mut seconds, mut lanes) = (f64::INFINITY, 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        lanes = launch(&mut memory, module, case.kernel, &config, &args)?.total.lanes;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    println!("{:<12} {name:<8} {lanes:>18} {seconds:>9.3} {:>8.1}", case.kernel, lanes as f64 / seconds / 1e6);
    Ok(())
}
