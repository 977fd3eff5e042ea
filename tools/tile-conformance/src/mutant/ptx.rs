//! PTX: parsed, and each kernel run for a while, with memory for each argument that may be an address.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptx_sim::{Arg, Dim3, LaunchConfig, Memory, Module, Param, Schedule};

use super::Steps;

/// Bytes of memory for each argument that may be an address.
const BUFFER: usize = 1 << 16;

/// The most warp instructions of one launch.
const MAX_STEPS: u64 = 50_000;

/// Threads of a block if the PTX does not state them.
const THREADS: Dim3 = Dim3([64, 1, 1]);

pub(super) fn run(text: &str, steps: &Steps) {
    steps.begin("parse PTX");
    let module = match Module::parse(text) {
        Ok(module) => module,
        Err(error) => return drop(error.to_string()),
    };
    for kernel in module.kernels().take(4) {
        for (grid, schedule) in [(1, Schedule::Fair), (2, Schedule::Random(7))] {
            steps.begin(&format!("simulate {kernel}"));
            // The next launch does not depend on this one.
            let _ = catch_unwind(AssertUnwindSafe(|| launch(&module, kernel, grid, schedule)));
        }
    }
}

fn launch(module: &Module, kernel: &str, grid: u32, schedule: Schedule) -> String {
    let mut memory = Memory::new();
    let Some(interface) = module.kernel(kernel) else { return "no such kernel".to_owned() };
    let args = interface.params.iter().map(|param| argument(&mut memory, param));
    let Some(args) = args.collect::<Option<Vec<_>>>() else { return "no such arguments".to_owned() };
    let needs = &interface.needs;
    let launch = match needs.complete(Dim3([grid, 1, 1]), needs.threads.or(Some(THREADS)), None, None) {
        Ok(launch) => launch,
        Err(mismatch) => return mismatch.to_string(),
    };
    let config = LaunchConfig { step_limit: MAX_STEPS, ..LaunchConfig::of(&launch, schedule) };
    match ptx_sim::launch(&mut memory, module, kernel, &config, &args) {
        Ok(report) => format!("{report:?}"),
        Err(error) => error.to_string(),
    }
}

/// Memory for 64 bits; a small number for anything else.
fn argument(memory: &mut Memory, param: &Param) -> Option<Arg> {
    match param.size {
        8 => memory.alloc_with(&[1; BUFFER]).ok().map(Arg::Ptr),
        size if size <= 4096 => {
            let mut bytes = vec![0; usize::try_from(size).ok()?];
            *bytes.first_mut()? = 3;
            Some(Arg::Bytes(bytes))
        }
        _ => None,
    }
}
