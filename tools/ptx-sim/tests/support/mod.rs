//! Launches of a text, recorded for a comparison with a GPU if the environment requests it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_sim::{Arg, LaunchConfig, LaunchError, Memory, Module, Recording, Report, Schedule, launch};

/// The folder for recordings of launches without a fault: `tile-replay` repeats them on a GPU.
const FOLDER: &str = "PTX_SIM_RECORD";

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Parses and launches a text. A launch under several schedules is recorded once.
pub fn launch_text(
    memory: &mut Memory,
    text: &str,
    kernel: &str,
    config: &LaunchConfig,
    args: &[Arg],
) -> Result<Report, LaunchError> {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let fair = config.schedule == Schedule::Fair;
    let Some(folder) = std::env::var_os(FOLDER).filter(|_| fair) else {
        return launch(memory, &module, kernel, config, args);
    };
    let mut recording = Recording::before(text, kernel, config, args, memory).unwrap();
    let report = launch(memory, &module, kernel, config, args)?;
    recording.finish(args, memory).unwrap();
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test").replace("::", "-");
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::fs::write(PathBuf::from(folder).join(format!("{test}-{number}.launch")), recording.to_string()).unwrap();
    Ok(report)
}
