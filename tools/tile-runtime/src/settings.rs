//! Settings from the environment.

use ptx_sim::Schedule;

use tile_run::options::Schedules;

use crate::device::Failure;

/// The seed of the random schedule among all.
const SEED: u64 = 0;

/// The device that kernels run on, and how they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub device: DeviceKind,
    /// The simulator's schedules, run one after the other.
    pub schedules: Vec<Schedule>,
    /// Whether to print a line for each launch.
    pub report: bool,
}

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    Simulator,
    Cuda,
}

impl Settings {
    /// The settings in the environment of the process.
    pub fn of_process() -> Result<Self, Failure> {
        Self::read(&|name| std::env::var(name).ok())
    }

    fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let device = match variable("TILE_RUNTIME").as_deref() {
            None | Some("" | "sim") => DeviceKind::Simulator,
            Some("cuda") => DeviceKind::Cuda,
            Some(other) => return Err(Failure::Setting(format!("TILE_RUNTIME: got '{other}', expected sim or cuda"))),
        };
        let schedules = match variable("TILE_RUNTIME_SCHEDULE").as_deref() {
            None | Some("") => vec![Schedule::Fair],
            Some(name) => {
                let wrong = |error: String| Failure::Setting(format!("TILE_RUNTIME_SCHEDULE: {error}"));
                name.parse::<Schedules>().map_err(wrong)?.each(SEED)
            }
        };
        let report = variable("TILE_RUNTIME_REPORT").is_some_and(|value| !value.is_empty() && value != "0");
        Ok(Settings { device, schedules, report })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<Settings, Failure> {
        Settings::read(&|name| given.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn reads() {
        let plain = Settings { device: DeviceKind::Simulator, schedules: vec![Schedule::Fair], report: false };
        assert_eq!(read(&[]).unwrap(), plain);
        assert_eq!(read(&[("TILE_RUNTIME", "cuda")]).unwrap(), Settings { device: DeviceKind::Cuda, ..plain.clone() });
        assert_eq!(read(&[("TILE_RUNTIME_SCHEDULE", "all")]).unwrap().schedules.len(), 5);
        assert!(read(&[("TILE_RUNTIME_REPORT", "1")]).unwrap().report);
        let wrong = read(&[("TILE_RUNTIME", "rocm")]).unwrap_err();
        assert_eq!(wrong.to_string(), "TILE_RUNTIME: got 'rocm', expected sim or cuda");
        assert!(read(&[("TILE_RUNTIME_SCHEDULE", "soon")]).is_err());
    }
}
